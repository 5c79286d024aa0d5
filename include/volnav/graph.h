/// volnav/graph.h: graphs over free space, as a table of functions: what searches and planners stand on, and
/// what a version changed in them, by node.
///
/// A node is a 32-bit id. Start and goal have the fixed ids VN_START_NODE and VN_GOAL_NODE on every graph
/// that follows a nav (volnav/nav.h: vn_nav_graph); the graph's own nodes begin at VN_FIRST_NODE and end
/// below `node_limit`. There a node that did not change keeps its id from version to version; the id of one
/// that went may be given to another in a later version, never in the same one. So ids depend on history: a
/// search whose result shall not breaks ties by `keys`, never by id.
///
/// Lengths are in voxels, points on the lattice. A graph is read-only: any number of threads may call it.
#ifndef VOLNAV_GRAPH_H
#define VOLNAV_GRAPH_H

#include "volnav/math.h"

#define VN_NO_NODE    UINT32_MAX
#define VN_START_NODE 0u
#define VN_GOAL_NODE  1u
#define VN_FIRST_NODE 64u

/// Most edges that one call of `expand` returns.
#define VN_EDGE_BATCH 64

/// Capabilities of a graph; a search that needs a missing one refuses with VN_UNSUPPORTED.
typedef enum vn_graph_capability {
    VN_GRAPH_SEES = 1,         ///< has `visible`
    VN_GRAPH_IS_SYMMETRIC = 2, ///< every edge has a reverse of the same cost
    VN_GRAPH_IS_GRID = 4,      ///< nodes are voxels
    VN_GRAPH_REVERSES = 8,     ///< has `predecessors`
    VN_GRAPH_HAS_KINDS = 16,   ///< has `kinds`
    VN_GRAPH_HAS_CELLS = 32,   ///< has `cells`
    VN_GRAPH_HAS_ZONES = 64    ///< length does not cost the same everywhere: what a straight line between two
                               ///< nodes costs is not known, and any-angle searches refuse the graph
} vn_graph_capability;

/// Kinds of nodes (Krafft 2021, 5.2). A graph without `kinds` has static ones only.
typedef enum vn_node_kind {
    VN_NODE_STATIC = 0,
    VN_NODE_DYNAMIC = 1,          ///< obstacles may come here
    VN_NODE_DYNAMIC_NEIGHBOUR = 2 ///< beside a dynamic one
} vn_node_kind;

/// Graphs of a layer: of a nav (volnav/nav.h), or of a space that stays as it is (volnav/classic.h).
typedef enum vn_nav_graph_kind {
    VN_NAV_GRID6 = 0,        ///< free voxels, joined over faces
    VN_NAV_GRID26 = 1,       ///< also over edges and corners, never cutting one
    VN_NAV_CELLS_PORTAL = 2, ///< the faces that cells share, joined when they lie on one cell
    VN_NAV_CELLS_CENTRE = 3, ///< cells, joined over faces
    VN_NAV_GRAPH_KINDS
} vn_nav_graph_kind;

/// Edges as two parallel arrays of VN_EDGE_BATCH entries, the caller's.
typedef struct vn_edges {
    uint32_t* to;
    double* cost; ///< voxels; 0 only between nodes at one point: an end on a node, waypoints of two obstacles
} vn_edges;

/// The voxels of a grid as cells with costs between corners, for planners that interpolate (Field D*).
typedef struct vn_grid_cells {
    const void* self;
    vn_voxel dims;       ///< corners are (0, 0, 0) to dims, both included
    uint32_t neighbours; ///< of a voxel: 6 or 26

    /// The node of a voxel inside the dims, free or not; and the voxel of a node.
    uint32_t (*node)(const void* self, vn_voxel voxel);
    vn_voxel (*voxel)(const void* self, uint32_t node);

    /// What a voxel of length costs inside each voxel, at most: the largest factor of the zones that reach
    /// into it, and 1 unless one of them holds all of it; 1 without zones, HUGE_VAL if it is blocked or
    /// outside.
    void (*costs)(const void* self, const vn_voxel* voxels, uint32_t count, double* out);

    /// The same for the eight voxels that meet at a corner: that on the low side of all axes first, by
    /// x + 2 y + 4 z.
    void (*around)(const void* self, vn_voxel corner, double out[8]);
} vn_grid_cells;

typedef struct vn_graph {
    const void* self;
    uint32_t node_limit;   ///< ids are below this
    uint32_t capabilities; ///< vn_graph_capability bits

    /// Writes the next edges that leave `node`, up to VN_EDGE_BATCH; returns their number. `*cursor` is 0 at
    /// the first call and tells the next where to continue; it is 0 again after the last. An edge may occur
    /// twice, with equal cost. The order does not depend on history.
    uint32_t (*expand)(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out);

    /// Positions of nodes.
    void (*points)(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out);

    /// VN_GRAPH_SEES: is the segment between two nodes free?
    bool (*visible)(const void* self, uint32_t a, uint32_t b);

    /// Inside the library only; null elsewhere.
    const struct vni_grid* grid;

    /// VN_GRAPH_REVERSES: as `expand`, the edges that lead to `node`: `to` gets where they come from. Where
    /// edges are symmetric it is `expand` itself.
    uint32_t (*predecessors)(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out);

    /// The canonical order of nodes, which does not depend on history; different nodes have different keys.
    /// Null: ids are canonical.
    void (*keys)(const void* self, const uint32_t* nodes, uint32_t count, uint32_t* out);

    /// VN_GRAPH_HAS_KINDS: vn_node_kind of each node.
    void (*kinds)(const void* self, const uint32_t* nodes, uint32_t count, uint8_t* out);

    /// VN_GRAPH_HAS_CELLS: the voxels with their costs.
    const vn_grid_cells* cells;

    /// The least that a voxel of length costs anywhere: this times the straight distance never exceeds the
    /// cost of a path. 0: unknown; then, edges cost at least their length.
    double least;

    /// Does the edge between these two nodes bend? Then `*at` is where: the straight segment may not be free.
    /// Null: all edges are straight.
    bool (*bend)(const void* self, uint32_t a, uint32_t b, vn_point* at);
} vn_graph;

/// What a version changed against the one before, in one graph. No id is in two of the lists, and none twice
/// in one. A node that went is no node of the graph any more; its id may come again in a later version.
typedef struct vn_node_changes {
    uint64_t version;
    const uint32_t* came;
    const uint32_t* went;
    const uint32_t* changed; ///< in both versions; edges or costs differ, those of the node or to it
    uint32_t came_count, went_count, changed_count;
} vn_node_changes;

/// Changes by node that stay until they are released by the function that belongs to the one that gave them.
typedef struct vn_held_changes {
    vn_node_changes nodes;
    const void* held; ///< private
} vn_held_changes;

#endif
