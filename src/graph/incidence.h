/// graph/incidence.h: edges between nodes that lie on the same cell, computed from lists of nodes by cell.
///
/// A portal lies on two cells, each of a query's two ends on one; two nodes are adjacent if they share a
/// cell. Knows topology only, no positions. Points to the arrays of its owner.
#ifndef VNI_GRAPH_INCIDENCE_H
#define VNI_GRAPH_INCIDENCE_H

#include "graph/graph.h"

typedef struct vni_incidence {
    const uint32_t* first;      ///< by cell, plus one: begin of its portals in `on_cell`
    const uint32_t* on_cell;    ///< portals
    const unsigned char* pairs; ///< records of portals; each begins with its two cells, as uint32_t
    size_t stride;              ///< bytes of a record
    uint32_t portal_count;      ///< nodes 0 .. portal_count - 1; the two ends follow
    uint32_t end_cells[2];
} vni_incidence;

static inline const uint32_t* vni_incidence_pair(const vni_incidence* in, uint32_t portal) {
    return (const uint32_t*)(const void*)(in->pairs + in->stride * portal);
}

/// The next neighbours of `node`, up to VN_EDGE_BATCH; `*cursor` as in vn_graph's expand.
uint32_t vni_incidence_expand(const vni_incidence* in, uint32_t node, uint32_t* cursor, uint32_t* to);

#endif
