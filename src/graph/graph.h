/// graph/graph.h: the interface between spaces and graph searches: nodes, edges and their costs.
///
/// Nodes are stable 32-bit ids below `node_limit`. Expansion is in batches: one call fills arrays with up to
/// VNI_EDGE_BATCH edges of a node, usually with all. Capability bits say what else a graph can do; a search
/// that needs a missing one refuses with VN_UNSUPPORTED when it begins. Read-only: any number of threads may
/// call it.
#ifndef VNI_GRAPH_GRAPH_H
#define VNI_GRAPH_GRAPH_H

#include "volnav/math.h"

#define VNI_NO_NODE UINT32_MAX

typedef enum vni_capability {
    VNI_CAN_SEE = 1,     ///< has `visible`
    VNI_CAN_REVERSE = 2, ///< every edge has a reverse of the same cost
    VNI_IS_GRID = 4      ///< has `grid` (view/grid.h)
} vni_capability;

/// Most edges that one call of `expand` returns.
#define VNI_EDGE_BATCH 64

/// Edges as two parallel arrays of VNI_EDGE_BATCH entries.
typedef struct vni_edges {
    uint32_t* to;
    double* cost; ///< voxel units; 0 only if an end of the path lies on a node
} vni_edges;

typedef struct vni_graph {
    const void* self;
    uint32_t node_limit;   ///< ids are below this
    uint32_t capabilities; ///< vni_capability bits

    /// Writes the next edges of `node`, up to VNI_EDGE_BATCH; returns their number. `*cursor` is 0 at the
    /// first call and tells the next where to continue; it is 0 again after the last. An edge may occur
    /// twice, with equal cost.
    uint32_t (*expand)(const void* self, uint32_t node, uint32_t* cursor, const vni_edges* out);

    /// Positions of nodes, on the lattice.
    void (*points)(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out);

    /// VNI_CAN_SEE: is the segment between two nodes free?
    bool (*visible)(const void* self, uint32_t a, uint32_t b);

    /// Does the edge from a to b bend? Then `*at` is where. Null: all edges are straight.
    bool (*bend)(const void* self, uint32_t a, uint32_t b, vn_point* at);

    /// VNI_IS_GRID: the grid view.
    const struct vni_grid* grid;
} vni_graph;

#endif
