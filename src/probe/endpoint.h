/// probe/endpoint.h: where an end of a path stands: in which free voxel, or why in none, and what is nearest.
#ifndef VNI_PROBE_ENDPOINT_H
#define VNI_PROBE_ENDPOINT_H

#include "space/space.h"

typedef struct vni_endpoint {
    vn_point point;   ///< as asked for, or moved to the nearest free one
    vn_voxel voxel;   ///< free, and touches the point
    bool has_nearest; ///< not placed, but something is free:
    vn_point nearest;
    double nearest_distance; ///< metres
} vni_endpoint;

/// Places a point, moving it by up to `snap_distance` metres if it is not free. VN_OK; VN_OUTSIDE,
/// VN_UNKNOWN_SPACE, or VN_BLOCKED for any other point that is blocked.
vn_status vni_endpoint_place(const vn_space* space, vn_point point, double snap_distance, vni_endpoint* out);

/// Why a point that cannot be taken cannot: VN_OUTSIDE, VN_UNKNOWN_SPACE, VN_BLOCKED.
vn_status vni_space_fault_at(const vn_space* space, vn_point point);

/// May a path begin in this voxel?
typedef bool vni_takes_voxel(const void* user, vn_voxel voxel);

/// The sides of a point that lies on a face, an edge or a corner: of the free voxels that touch it and that
/// `takes` (null: all) takes, one of each group that is joined over faces among them, in the order of
/// vni_voxels_around. From two sides a path may lead to different places. Returns how many: up to 4, 0 if no
/// voxel is taken.
uint32_t vni_space_sides(const vn_space* space, vn_point point, vni_takes_voxel* takes, const void* user,
                         vn_voxel out[8]);

#endif
