/// view/climbs.h: the grid of voxels with a limit on consecutive climbs: nodes are pairs of a voxel and the
/// number of climbs, steps upwards, that have just led to it.
///
/// A climb leads to the same pair with one climb more, and is no edge beyond the limit; any other step leads
/// to 0 climbs. Whether a path may climb on depends on nothing else, so a search over these nodes finds the
/// best path among those that keep the limit. All ways into the goal lead to its node with 0 climbs: there
/// the path ends.
///
/// id = climbs * voxels + id of the voxel in the grid.
#ifndef VNI_VIEW_CLIMBS_H
#define VNI_VIEW_CLIMBS_H

#include "view/grid.h"

typedef struct vni_climb_grid {
    const vni_grid* grid;
    uint32_t voxels; ///< ids of the grid are below this
    uint32_t most;   ///< climbs
    uint32_t goal;   ///< its voxel's id
    int up;          ///< axis
} vni_climb_grid;

/// Ids of all pairs are below this; 0: they do not fit into 32 bits.
uint32_t vni_climb_grid_limit(const vni_grid* grid, uint32_t most);

/// Up to `most` climbs along axis `up`; vni_climb_grid_limit is not 0. Nothing to free; `grid` must outlive
/// it.
vni_climb_grid vni_climb_grid_make(const vni_grid* grid, uint32_t most, int up);

/// The pairs behind the graph interface: expand and points. Points to `climbs`, which must not move; its goal
/// may be set between searches.
vn_graph vni_climb_grid_graph(const vni_climb_grid* climbs);

#endif
