/// space/bake.h: the parts of a bake, for one space or for several that share a grid.
#ifndef VNI_SPACE_BAKE_H
#define VNI_SPACE_BAKE_H

#include "volnav/space.h"

/// Edges of voxels, metres.
#define VNI_MIN_RESOLUTION 1e-9f
#define VNI_MAX_RESOLUTION 1e9f

/// Where the voxels lie: the low corner in local metres, and how many there are.
typedef struct vni_extent {
    vn_dvec3 low;
    vn_voxel dims;
} vni_extent;

/// Checks the def and finds the extent, which depends on all obstacles of the world, whatever their flags,
/// and neither on the radius nor on open_flags. Errors as vn_space_bake.
vn_status vni_bake_extent(const vn_world* world, const vn_space_def* def, vni_extent* out, vn_detail* detail);

/// Bakes a space of that extent; the def has been checked. If `seed_blocked` is null, a blocked seed is
/// VN_BLOCKED; else it is not an error: `*seed_blocked` becomes true and nothing of the space is free.
/// `fixed`: obstacles that move are left out.
vn_status vni_bake(const vn_world* world, const vn_space_def* def, const vni_extent* extent, bool fixed,
                   bool* seed_blocked, vn_space** out, vn_detail* detail);

#endif
