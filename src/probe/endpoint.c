/// probe/endpoint.c: snaps the ends of paths to free voxels.
#include "probe/endpoint.h"
#include "geom/units.h"
#include "probe/nearest.h"
#include "space/frame.h"

#include <math.h>
#include <string.h>

vn_status vni_space_fault_at(const vn_space* space, vn_point point) {
    if (!vni_point_is_within(point, space->occupancy.dims))
        return VN_OUTSIDE;
    return vn_space_point_unknown(space, point) ? VN_UNKNOWN_SPACE : VN_BLOCKED;
}

vn_status vni_endpoint_place(const vn_space* space, vn_point point, double snap_distance, vni_endpoint* out) {
    VNI_ASSERT(snap_distance >= 0);

    memset(out, 0, sizeof *out);
    out->point = point;
    if (vni_space_free_voxel_at(space, point, &out->voxel))
        return VN_OK;

    if (vn_point_is_outside(point)) // nothing is near it
        return VN_OUTSIDE;

    vn_point nearest;
    double distance;
    if (vn_space_nearest_free(space, vn_space_point_to_world(space, point), HUGE_VAL, &nearest, &distance) !=
        VN_OK)
        return vni_space_fault_at(space, point);

    if (distance > snap_distance) {
        out->has_nearest = true;
        out->nearest = nearest;
        out->nearest_distance = distance;
        return vni_space_fault_at(space, point);
    }

    out->point = nearest;
    bool is_free = vni_space_free_voxel_at(space, nearest, &out->voxel);
    VNI_ASSERT(is_free);

    (void)is_free;
    return VN_OK;
}

bool vni_endpoint_nearest_joined(const vn_space* space, vn_point point, double max_distance, vn_point other,
                                 vn_point* out) {
    VNI_ASSERT(max_distance >= 0 && !vn_point_is_outside(point));

    const vni_components components = vni_space_components_at(space, other);
    const vni_vec at = vni_point_in_voxels(point);
    vn_voxel voxel;
    double voxels;

    // Searches slightly farther than the limit; the distance in metres decides whether it is too far.
    double limit = vni_metres_to_voxels(space, max_distance) * (1 + 1e-12);
    if (!vni_nearest_in_components(&space->occupancy, &space->cells, &components, at, limit, &voxel,
                                   &voxels) ||
        vni_voxels_to_metres(space, voxels) > max_distance)
        return false;

    *out = vni_nearest_point_in_voxel(at, voxel);
    return true;
}

// ----------------------------------------------------------------------------------------------------- sides

static bool share_face(vn_voxel a, vn_voxel b) {
    int32_t x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z == 1;
}

/// groups[i] becomes the first voxel that voxel i is connected with over faces.
static void find_groups(const vn_voxel* voxels, uint32_t count, uint32_t groups[8]) {
    VNI_ASSERT(count <= 8);

    for (uint32_t i = 0; i < count; ++i)
        groups[i] = i;

    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t k = 0; k < count; ++k)
                if (groups[k] < groups[i] && share_face(voxels[i], voxels[k])) {
                    groups[i] = groups[k];
                    changed = true;
                }
    }
}

uint32_t vni_space_sides(const vn_space* space, vn_point point, vni_takes_voxel* takes, const void* user,
                         vn_voxel out[8]) {
    vn_voxel voxels[8];
    uint32_t groups[8], around = vni_voxels_around(point, voxels), taken = 0, count = 0;
    for (uint32_t i = 0; i < around; ++i)
        if (vn_space_voxel_free(space, voxels[i]) && vni_space_in_region(space, voxels[i]) &&
            (takes == NULL || takes(user, voxels[i])))
            voxels[taken++] = voxels[i];

    find_groups(voxels, taken, groups);
    for (uint32_t i = 0; i < taken; ++i)
        if (groups[i] == i)
            out[count++] = voxels[i];

    return count;
}
