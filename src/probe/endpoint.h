/// probe/endpoint.h: finds the free voxel for an end of a path, or says why there is none and what is
/// nearest.
#ifndef VNI_PROBE_ENDPOINT_H
#define VNI_PROBE_ENDPOINT_H

#include "space/space.h"

typedef struct vni_endpoint {
    vn_point point;   ///< as requested, or snapped to the nearest free one
    vn_voxel voxel;   ///< free, and touches the point
    bool has_nearest; ///< no free voxel within the snap distance; the nearest one is:
    vn_point nearest;
    double nearest_distance; ///< metres
} vni_endpoint;

/// Finds a free voxel for a point, which is moved by up to `snap_distance` metres if it is not free.
/// VN_OUTSIDE, VN_UNKNOWN_SPACE, or VN_BLOCKED if there is none.
vn_status vni_endpoint_place(const vn_space* space, vn_point point, double snap_distance, vni_endpoint* out);

/// Why a point is not free: VN_OUTSIDE, VN_UNKNOWN_SPACE or VN_BLOCKED.
vn_status vni_space_fault_at(const vn_space* space, vn_point point);

/// May a path begin in this voxel?
typedef bool vni_takes_voxel(const void* user, vn_voxel voxel);

/// The sides of a point on a face, an edge or a corner: of the free voxels that touch it and that `takes`
/// accepts (null: all), one of each group that is connected over faces among them, in the order of
/// vni_voxels_around. Paths from different sides may lead to different components. Returns their number: 0
/// to 4.
uint32_t vni_space_sides(const vn_space* space, vn_point point, vni_takes_voxel* takes, const void* user,
                         vn_voxel out[8]);

#endif
