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

vni_aabb vni_capsule_bounds(const vni_capsule* capsule) {
    VNI_ASSERT(capsule != NULL && capsule->radius >= 0);
    vni_vec arm = vni_v(capsule->radius, capsule->radius, capsule->radius);
    vni_aabb bounds = {vni_sub(vni_min(capsule->a, capsule->b), arm),
                       vni_add(vni_max(capsule->a, capsule->b), arm)};
    return bounds;
}

vni_aabb vni_cylinder_bounds(const vni_cylinder* cylinder) {
    VNI_ASSERT(cylinder != NULL && cylinder->half >= 0 && cylinder->radius >= 0);
    const vni_vec u = cylinder->axis;

    // The cap's disc reaches radius * sin(angle to the axis of the world); from the other two components,
    // since 1 - u.x * u.x would lose the sine of small angles.
    vni_vec across =
        vni_v(sqrt(u.y * u.y + u.z * u.z), sqrt(u.x * u.x + u.z * u.z), sqrt(u.x * u.x + u.y * u.y));
    vni_vec reach = vni_add_scaled(vni_scale(vni_abs_each(u), cylinder->half), across, cylinder->radius);
    vni_aabb bounds = {vni_sub(cylinder->center, reach), vni_add(cylinder->center, reach)};
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
