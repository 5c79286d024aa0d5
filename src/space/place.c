/// space/place.c: placing the ends of paths.
#include "space/place.h"

#include <math.h>
#include <string.h>

vn_status vni_space_fault_at(const vn_space* space, vn_point point) {
    vn_point inside;
    if (vn_space_point(space, vn_space_position(space, point), &inside) != VN_OK)
        return VN_OUTSIDE;
    return vn_space_point_unknown(space, point) ? VN_UNKNOWN : VN_START_BLOCKED;
}

vn_status vni_space_place(const vn_space* space, vn_point point, double snap_distance, vni_place* out) {
    VNI_ASSERT(snap_distance >= 0);
    memset(out, 0, sizeof *out);
    out->point = point;
    if (vni_space_free_voxel_at(space, point, &out->voxel))
        return VN_OK;
    vn_point nearest;
    double distance;
    if (vn_space_nearest_free(space, vn_space_position(space, point), HUGE_VAL, &nearest, &distance) != VN_OK)
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
