/// nav/grow.c: paths of more points than the nav was made for.
///
/// The points of requests and watches lie in one array each, max_points for every slot. After vn_nav_grow a
/// slot gets an array of its own when it is next used: results that the host holds stay where they are.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"

/// Of a path.
#define MOST_POINTS (1u << 28)

vn_status vn_nav_grow(vn_nav* nav, uint32_t max_points, vn_detail* detail) {
    VNI_ASSERT(nav != NULL);
    if (max_points > MOST_POINTS)
        return vni_fail(detail, VN_TOO_LARGE, "%u points of a path are too many; up to %u are possible",
                        (unsigned)max_points, (unsigned)MOST_POINTS);

    if (max_points > nav->host.max_points)
        nav->host.max_points = max_points;
    return VN_OK;
}

vn_status vni_slot_points_reserve(const vn_allocator* allocator, uint32_t capacity, vni_slot_points* points,
                                  vn_detail* detail) {
    if (points->capacity >= capacity)
        return VN_OK;

    vn_point* items = VNI_NEW_ARRAY(allocator, vn_point, capacity);
    if (items == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a path of %u points",
                        (unsigned)capacity);

    vni_slot_points_free(allocator, points);
    *points = (vni_slot_points){items, capacity, true};
    return VN_OK;
}

void vni_slot_points_free(const vn_allocator* allocator, vni_slot_points* points) {
    if (points->is_own)
        VNI_DELETE_ARRAY(allocator, points->items, points->capacity);
    *points = (vni_slot_points){0};
}
