/// graph/incidence.h: which nodes lie on which cells, for graphs whose edges are implied by that: a portal
/// lies on two cells, each of a query's two ends on one, and two nodes are joined when they lie on the same
/// cell.
///
/// Says who is joined with whom and nothing of where they are. Points to the arrays of its owner.
#ifndef VNI_GRAPH_INCIDENCE_H
#define VNI_GRAPH_INCIDENCE_H

#include "graph/graph.h"

typedef struct vni_incidence {
    const uint32_t* first;      ///< by cell: where its portals begin in `on_cell`; one more at the end
    const uint32_t* on_cell;    ///< portals
    const unsigned char* pairs; ///< by portal: its two cells, as two uint32_t at the front of
    size_t stride;              ///< so many bytes
    uint32_t portal_count;      ///< nodes 0 .. portal_count - 1; then come the two ends
    uint32_t end_cells[2];
} vni_incidence;

static inline const uint32_t* vni_incidence_pair(const vni_incidence* in, uint32_t portal) {
    return (const uint32_t*)(const void*)(in->pairs + in->stride * portal);
}

/// The next nodes that are joined with `node`, up to VNI_EDGE_BATCH; `*cursor` as in vni_graph's expand.
uint32_t vni_incidence_expand(const vni_incidence* in, uint32_t node, uint32_t* cursor, uint32_t* to);

#endif
