/// space/place.h: where an end of a path stands: in which free voxel, or why in none, and what is nearest.
#ifndef VNI_SPACE_PLACE_H
#define VNI_SPACE_PLACE_H

#include "space/space.h"

typedef struct vni_place {
    vn_point point;   ///< as asked for, or moved to the nearest free one
    vn_voxel voxel;   ///< free, and touches the point
    bool has_nearest; ///< not placed, but something is free:
    vn_point nearest;
    double nearest_distance; ///< metres
} vni_place;

/// Places a point, moving it by up to `snap_distance` metres if it is not free. VN_OK; VN_OUTSIDE,
/// VN_UNKNOWN, or VN_START_BLOCKED for any other point that is blocked.
vn_status vni_space_place(const vn_space* space, vn_point point, double snap_distance, vni_place* out);

/// Why a point that cannot be taken cannot: VN_OUTSIDE, VN_UNKNOWN, VN_START_BLOCKED.
vn_status vni_space_fault_at(const vn_space* space, vn_point point);

#endif
