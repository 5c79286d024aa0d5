/// space/bake.h: bakes a world into a space, or into several that share a grid.
#ifndef VNI_SPACE_BAKE_H
#define VNI_SPACE_BAKE_H

#include "volnav/space.h"

/// Limits of a voxel's edge, metres.
#define VNI_MIN_RESOLUTION 1e-9f
#define VNI_MAX_RESOLUTION 1e9f

/// Position and size of the grid: low corner in local metres, dimensions in voxels.
typedef struct vni_extent {
    vn_dvec3 low;
    vn_voxel dims;
} vni_extent;

/// Checks the def and finds the extent. It depends on all obstacles of the world, whatever their flags, but
/// not on radius and open_flags: layers share it. Statuses as vn_space_bake.
vn_status vni_bake_extent(const vn_world* world, const vn_space_def* def, vni_extent* out, vn_detail* detail);

/// Bakes a space of that extent from a checked def. `fixed` leaves moving obstacles out. If `seed_blocked` is
/// null, a blocked seed is VN_BLOCKED; else it is not an error: `*seed_blocked` becomes true and all of
/// the space is blocked.
vn_status vni_bake(const vn_world* world, const vn_space_def* def, const vni_extent* extent, bool fixed,
                   bool* seed_blocked, vn_space** out, vn_detail* detail);

#endif
