/// probe/probe.c: public probes of a space that need few lines: free boxes, sight, swept balls, nearest free
/// point.
#include "probe/hit.h"
#include "probe/nearest.h"
#include "probe/sight.h"
#include <math.h>

bool vn_space_box_free(const vn_space* space, vn_voxel low, vn_voxel high) {
    return vni_box_is_free(&space->occupancy, low, high);
}

bool vn_space_visible(const vn_space* space, vn_point a, vn_point b) {
    return vni_sight(&space->occupancy, a, b);
}

bool vn_space_sweep_free(const vn_space* space, vn_point a, vn_point b, float radius) {
    if (!(radius > 0))
        return radius == 0 && vn_space_visible(space, a, b);
    if (!vni_point_is_inside(&space->occupancy, a) || !vni_point_is_inside(&space->occupancy, b))
        return false;
    return vni_sweep_is_free(&space->occupancy, vni_point_in_voxels(a), vni_point_in_voxels(b),
                             vni_metres_to_voxels(space, (double)radius));
}

/// In the space's region, if it has one.
static bool find_nearest(const vn_space* space, vni_vec at, double most, vn_voxel* out, double* distance) {
    if (space->region == 0)
        return vni_nearest_free(&space->occupancy, at, most, out, distance);

    const vni_components region = vni_space_region_components(space);
    return vni_nearest_in_components(&space->occupancy, &space->cells, &region, at, most, out, distance);
}

vn_status vn_space_nearest_free(const vn_space* space, vn_dvec3 position, double max_distance, vn_point* out,
                                double* distance) {
    VNI_ASSERT(out != NULL && distance != NULL);

    vni_vec at = vni_world_to_voxels(space, position);
    if (!vni_is_finite(at.x) || !vni_is_finite(at.y) || !vni_is_finite(at.z) || !(max_distance >= 0))
        return VN_BAD_ARGUMENT;

    vn_voxel voxel;
    double voxels;
    if (!find_nearest(space, at, vni_metres_to_voxels(space, max_distance), &voxel, &voxels))
        return VN_NOT_FOUND;

    *out = vni_nearest_point_in_voxel(at, voxel);
    *distance = vni_voxels_to_metres(space, voxels);
    if (!vni_is_finite(*distance) && vni_is_finite(max_distance))
        return VN_NOT_FOUND; // so far away that its square is not finite

    return VN_OK;
}

vn_status vn_space_nearest_free_position(const vn_space* space, vn_dvec3 position, double max_distance,
                                         vn_dvec3* out, double* distance) {
    VNI_ASSERT(out != NULL);
    vn_point point;
    double metres;
    vn_status status = vn_space_nearest_free(space, position, max_distance, &point, &metres);
    if (status != VN_OK)
        return status;

    *out = vn_space_point_to_world(space, point);
    if (distance != NULL)
        *distance = metres;
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------- positions

bool vn_space_position_free(const vn_space* space, vn_dvec3 position) {
    return vn_space_point_free(space, vni_point_at(space, position));
}

bool vn_space_visible_positions(const vn_space* space, vn_dvec3 from, vn_dvec3 to) {
    return vn_space_visible(space, vni_point_at(space, from), vni_point_at(space, to));
}

bool vn_space_reachable_positions(const vn_space* space, vn_dvec3 from, vn_dvec3 to) {
    return vn_space_reachable(space, vni_point_at(space, from), vni_point_at(space, to));
}
