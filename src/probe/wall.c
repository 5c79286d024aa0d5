/// probe/wall.c: the nearest wall of a point.
#include "probe/hit.h"
#include "probe/nearest.h"

vn_status vn_space_nearest_wall(const vn_space* space, vn_point point, double max_distance, vn_wall* out) {
    VNI_ASSERT(space && out);

    if (!(max_distance >= 0))
        return VN_BAD_ARGUMENT;
    double size = (double)space->resolution, voxels;
    vni_vec at = vni_point_in_voxels(point);

    vn_voxel voxel;
    // A little more than is asked for; whether it is too far is decided by the distance that the caller gets.
    if (!vni_nearest_blocked(&space->occupancy, at, at, max_distance / size * (1 + 1e-12), &voxel, &voxels) ||
        voxels * size > max_distance)
        return VN_NOT_FOUND;

    vni_vec nearest = vni_nearest_in_voxel(at, voxel);
    out->distance = voxels * size;
    out->nearest = vni_voxels_to_world(space, nearest);
    out->normal = vni_unit(vni_sub(at, nearest));
    out->voxel = voxel;

    return VN_OK;
}
