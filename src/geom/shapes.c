/// geom/shapes.c: bounds of shapes, and quaternions as axes.
#include "geom/shapes.h"
#include "base/assert.h"

vni_aabb vni_triangle_bounds(const vni_triangle* triangle) {
    VNI_ASSERT(triangle != NULL);
    vni_aabb bounds = {vni_min(vni_min(triangle->a, triangle->b), triangle->c),
                       vni_max(vni_max(triangle->a, triangle->b), triangle->c)};
    return bounds;
}

vni_aabb vni_obb_bounds(const vni_obb* obb) {
    VNI_ASSERT(obb != NULL && obb->half[0] >= 0 && obb->half[1] >= 0 && obb->half[2] >= 0);
    vni_vec reach = vni_scale(vni_abs_each(obb->axis[0]), obb->half[0]);
    reach = vni_add_scaled(reach, vni_abs_each(obb->axis[1]), obb->half[1]);
    reach = vni_add_scaled(reach, vni_abs_each(obb->axis[2]), obb->half[2]);
    vni_aabb bounds = {vni_sub(obb->center, reach), vni_add(obb->center, reach)};
    return bounds;
}

void vni_quat_axes(vn_quat q, vni_vec axis[3]) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double xx = x * x, yy = y * y, zz = z * z, ww = w * w;
    const double length2 = xx + yy + zz + ww;
    VNI_ASSERT(length2 > 0 && vni_is_finite(length2));

    // Divided last: in quarter turns terms are equal or cancel, which gives exact zeros and ones.
    axis[0] =
        vni_v((ww + xx - yy - zz) / length2, 2 * (x * y + w * z) / length2, 2 * (x * z - w * y) / length2);
    axis[1] =
        vni_v(2 * (x * y - w * z) / length2, (ww + yy - xx - zz) / length2, 2 * (y * z + w * x) / length2);
    axis[2] =
        vni_v(2 * (x * z + w * y) / length2, 2 * (y * z - w * x) / length2, (ww + zz - xx - yy) / length2);
}
