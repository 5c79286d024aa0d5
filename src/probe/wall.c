/// probe/wall.c: finds the wall nearest to a point.
#include "probe/hit.h"
#include "probe/nearest.h"

vn_status vn_space_nearest_wall(const vn_space* space, vn_point point, double max_distance, vn_wall* out) {
    VNI_ASSERT(space != NULL && out != NULL);

    if (!(max_distance >= 0))
        return VN_BAD_ARGUMENT;
    if (vn_point_is_outside(point))
        return VN_OUTSIDE;
    double voxels;
    vni_vec at = vni_point_in_voxels(point);

    vn_voxel voxel;
    // Searches slightly farther than the limit; the distance that the caller gets decides whether it is too
    // far.
    if (!vni_nearest_blocked(&space->occupancy, at, at,
                             vni_metres_to_voxels(space, max_distance) * (1 + 1e-12), &voxel, &voxels) ||
        vni_voxels_to_metres(space, voxels) > max_distance)
        return VN_NOT_FOUND;

    vni_vec nearest = vni_nearest_in_voxel(at, voxel);
    out->distance = vni_voxels_to_metres(space, voxels);
    out->nearest = vni_voxels_to_world(space, nearest);
    out->normal = vni_unit(vni_sub(at, nearest));
    out->voxel = voxel;

    return VN_OK;
}

vn_status vn_space_nearest_wall_position(const vn_space* space, vn_dvec3 position, double max_distance,
                                         vn_wall* out) {
    vn_point point;
    vn_status status = vn_space_point_from_world(space, position, &point);
    return status == VN_OK ? vn_space_nearest_wall(space, point, max_distance, out) : status;
}
