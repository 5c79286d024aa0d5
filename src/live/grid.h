/// live/grid.h: the voxels as a graph that changes: the grid of view/grid.h with start and goal as nodes of
/// their own, its cells with costs, and what a change of voxels means by node.
///
/// Ids are canonical: VN_FIRST_NODE + the node of the voxel. An end lies on the centre of its voxel, and is
/// joined with that voxel's node at cost 0.
#ifndef VNI_LIVE_GRID_H
#define VNI_LIVE_GRID_H

#include "geom/box.h"
#include "graph/cost.h"
#include "graph/zones.h"
#include "live/compare.h"
#include "live/id_list.h"
#include "view/grid.h"

typedef struct vni_live_grid {
    vni_grid grid;
    const vni_zones* zones; ///< null: none
    vni_cost cost;          ///< of the zones, if there are any
    uint32_t ends[2];       ///< nodes of the ends' voxels; VN_NO_NODE: no such end
    vn_grid_cells cells;
} vni_live_grid;

/// `occupancy` and `zones` (may be null) must outlive it. Statuses as vni_grid_make.
vn_status vni_live_grid_make(const vni_occupancy* occupancy, uint32_t neighbours, const vni_zones* zones,
                             vni_live_grid* out, vn_detail* detail);

/// Sets an end (0: start, 1: goal) to a voxel; false, with the end gone, if it is not free.
bool vni_live_grid_set_end(vni_live_grid* live, uint32_t end, vn_voxel voxel);

/// The graph, and behind `cells` the costs of voxels. Points to `live`, which must not move.
vn_graph vni_live_grid_graph(const vni_live_grid* live);

/// The node of a voxel.
static inline uint32_t vni_live_grid_node(const vni_live_grid* live, vn_voxel voxel) {
    return vni_grid_node(&live->grid, voxel) + VN_FIRST_NODE;
}

/// By node: voxels that became free came, those that became blocked went, and free voxels with other edges
/// than before changed, exactly. With `costs`, free voxels of which an edge meets one of these boxes (closed)
/// changed too. False if memory runs out. `neighbours`: 6 or 26.
typedef struct vni_grid_delta {
    vni_id_list came, went, changed;
} vni_grid_delta;

bool vni_live_grid_compare(const vn_allocator* allocator, const vni_occupancy* before,
                           const vni_occupancy* after, const vn_brick_change* bricks, uint32_t brick_count,
                           const vni_box* costs, uint32_t cost_count, uint32_t neighbours,
                           vni_grid_delta* out);
void vni_grid_delta_free(const vn_allocator* allocator, vni_grid_delta* delta);

#endif
