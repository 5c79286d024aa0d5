/// view/portals.h: presents the cells as a graph of portals, for graph searches and incremental planners.
///
/// The view *cells-portal*. Nodes are the centres of portals; two are adjacent if they lie on the same cell,
/// so that the segment between them is free. Start and goal are two more nodes, different for each query.
///
/// Edges are implicit: a cell with n portals would have n^2. The index is shared and read-only; a view is
/// small and belongs to one query.
#ifndef VNI_VIEW_PORTALS_H
#define VNI_VIEW_PORTALS_H

#include "cells/cells.h"
#include "graph/incidence.h"

typedef struct vni_portal_node {
    uint32_t cells[2]; ///< cell ids; the lower one along the portal's axis first
    vn_point point;    ///< the centre of the portal
} vni_portal_node;

/// All portals once, and for each cell the portals that lie on it.
typedef struct vni_portal_index {
    vn_allocator allocator;
    const vni_cells* cells;
    vni_portal_node* portals;
    uint32_t* first;   ///< by cell, plus one: begin of its portals in `on_cell`
    uint32_t* on_cell; ///< portal ids, two entries a portal
    uint32_t portal_count;
} vni_portal_index;

/// `cells` must outlive the index. VN_OUT_OF_MEMORY leaves it empty. O(links).
vn_status vni_portal_index_make(const vn_allocator* allocator, const vni_cells* cells, vni_portal_index* out);

/// A zeroed index is allowed.
void vni_portal_index_free(vni_portal_index* index);
size_t vni_portal_index_bytes(const vni_portal_index* index);

/// One query's view. Portals are nodes 0 .. portal_count - 1, then comes the start, then the goal. The ends
/// have not the fixed ids of volnav/graph.h: those keep names from version to version, and here there is one
/// version, which no planner of a caller sees (vn_nav_graph has that graph, with fixed ids). So a portal's id
/// is its place in the index, and results that are written down stay as they are.
typedef struct vni_portal_view {
    const vni_portal_index* index;
    const vni_occupancy* occupancy;
    vni_incidence incidence; ///< of the portals, and of start and goal
    vn_point ends[2];
} vni_portal_view;

static inline uint32_t vni_portal_view_start(const vni_portal_view* view) {
    return view->index->portal_count;
}
static inline uint32_t vni_portal_view_goal(const vni_portal_view* view) {
    return view->index->portal_count + 1;
}

/// False if an end lies in no cell.
bool vni_portal_view_make(const vni_portal_index* index, const vni_occupancy* occupancy, vn_point start,
                          vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel, vni_portal_view* out);

/// The view behind the graph interface. Points to `view`, which must not move.
vn_graph vni_portal_view_graph(const vni_portal_view* view);

#endif
