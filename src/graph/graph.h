/// graph/graph.h: the small interface between spaces and graph searches. No algorithms here.
///
/// A graph hands out nodes as stable 32-bit ids below `node_limit`. Expansion is in batches: one call fills
/// arrays with many of the edges that leave a node, mostly with all. What else a graph can do is said by
/// capability bits; a search that needs one that is missing refuses with VN_UNSUPPORTED when it begins.
/// Everything is read-only and may be called from many threads at once.
#ifndef VNI_GRAPH_GRAPH_H
#define VNI_GRAPH_GRAPH_H

#include "volnav/math.h"

#define VNI_NO_NODE UINT32_MAX

typedef enum vni_capability {
    VNI_CAN_SEE = 1,     ///< `visible` answers
    VNI_CAN_REVERSE = 2, ///< edges run both ways at the same cost
    VNI_IS_GRID = 4      ///< `grid` gives the typed grid view (view/grid.h)
} vni_capability;

/// Edges that one call of `expand` gives at the most.
#define VNI_EDGE_BATCH 64

/// Edges as two parallel arrays with room for VNI_EDGE_BATCH.
typedef struct vni_edges {
    uint32_t* to;
    double* cost; ///< voxel units; 0 only where an end of the way lies on a node
} vni_edges;

typedef struct vni_graph {
    const void* self;
    uint32_t node_limit;   ///< ids are below this
    uint32_t capabilities; ///< vni_capability bits

    /// Fills the next edges that leave `node`, up to VNI_EDGE_BATCH, and returns how many. `*cursor` is 0 at
    /// the first call and says where to go on at the next; it is 0 again when there are no more. An edge may
    /// come twice, with equal cost.
    uint32_t (*expand)(const void* self, uint32_t node, uint32_t* cursor, const vni_edges* out);

    /// Where nodes are, on the lattice.
    void (*points)(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out);

    /// VNI_CAN_SEE: is the straight way between two nodes free?
    bool (*visible)(const void* self, uint32_t a, uint32_t b);

    /// VNI_IS_GRID: the grid view.
    const struct vni_grid* grid;
} vni_graph;

#endif
