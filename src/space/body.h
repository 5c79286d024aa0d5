/// space/body.h: the voxels that named obstacles alone block, found by voxelising the world around them
/// once with these obstacles and once with all others.
#ifndef VNI_SPACE_BODY_H
#define VNI_SPACE_BODY_H

#include "space/space.h"

/// Blocked by one of the named obstacles, and blocked by any other one; empty in blocks that no named
/// obstacle reaches.
typedef struct vni_world_body {
    vni_occupancy own, others;
} vni_world_body;

/// `world` is the one that the space was baked from, unchanged. Obstacles that the space ignores (open flags)
/// open nothing. VN_STALE_ID: detail->index is the id at fault. VN_OUT_OF_MEMORY; VN_TOO_LARGE as in a bake.
/// Costs a bake of the blocks of 64^3 voxels that the named obstacles reach. On failure nothing is left.
vn_status vni_world_body_make(const vn_space* space, const vn_world* world, const vn_obstacle_id* ids,
                              uint32_t count, const vn_allocator* allocator, vni_world_body* out,
                              vn_detail* detail);

/// An all-zero one is allowed.
void vni_world_body_free(vni_world_body* body);

/// For vni_body; `user` is a vni_world_body.
bool vni_world_body_holds(const void* user, vn_voxel voxel);

#endif
