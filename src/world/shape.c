/// world/shape.c: makes a record of a shape: checks, bounds and measures of each kind.
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include "world/moving.h"
#include <string.h>

#define PI 3.14159265358979323846

/// Largest deviation of a rotation's length from 1. Within it, the rotation is normalised.
#define ROTATION_TOLERANCE 1e-3

/// Largest height of a hull's vertex above a face's plane, as a part of the hull's largest extent. Hulls
/// thinner than that are flat.
#define HULL_TOLERANCE 1e-5

static const char* const axis_names[3] = {"x", "y", "z"};

// ------------------------------------------------------------------------------------------------ checks

bool vni_coordinate_is_valid(float value) {
    return (double)value >= -VNI_WORLD_LIMIT && (double)value <= VNI_WORLD_LIMIT;
}

/// The first axis with an invalid coordinate; 3 if all are valid.
static uint32_t first_bad_axis(vn_vec3 v) {
    if (!vni_coordinate_is_valid(v.x))
        return 0;
    if (!vni_coordinate_is_valid(v.y))
        return 1;
    return vni_coordinate_is_valid(v.z) ? 3 : 2;
}

static float axis_value(vn_vec3 v, uint32_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

vn_status vni_check_point(const char* what, vn_vec3 point, vn_detail* detail) {
    uint32_t axis = first_bad_axis(point);
    if (axis == 3)
        return VN_OK;
    return vni_fail_index(detail, VN_BAD_DATA, axis,
                          "%s.%s is %g; it must be finite and within 1e6 metres of the origin", what,
                          axis_names[axis], (double)axis_value(point, axis));
}

static vn_status check_vertices(const char* what, const vn_vec3* vertices, uint32_t count,
                                vn_detail* detail) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t axis = first_bad_axis(vertices[i]);
        if (axis != 3)
            return vni_fail_index(
                detail, VN_BAD_DATA, i,
                "%s: %s of vertex %u is %g; it must be finite and within 1e6 metres of the origin", what,
                axis_names[axis], (unsigned)i, (double)axis_value(vertices[i], axis));
    }

    return VN_OK;
}

vn_status vni_check_triangles(const char* what, const vn_vec3* vertices, uint32_t vertex_count,
                              const uint32_t* indices, uint32_t triangle_count, vn_detail* detail) {
    if (vertex_count == 0 || triangle_count == 0)
        return vni_fail(detail, VN_BAD_DATA, "%s: empty (%u vertices, %u triangles)", what,
                        (unsigned)vertex_count, (unsigned)triangle_count);

    if (vertex_count > VNI_MESH_LIMIT || triangle_count > VNI_MESH_LIMIT)
        return vni_fail(detail, VN_TOO_LARGE, "%s: more than %u vertices or triangles; split it", what,
                        (unsigned)VNI_MESH_LIMIT);

    VNI_ASSERT(vertices != NULL && indices != NULL);

    vn_status status = check_vertices(what, vertices, vertex_count, detail);
    for (uint64_t i = 0; status == VN_OK && i < 3 * (uint64_t)triangle_count; ++i) {
        if (indices[i] >= vertex_count)
            status = vni_fail_index(
                detail, VN_BAD_DATA, i / 3, "%s: triangle %llu uses vertex %u, but there are %u", what,
                (unsigned long long)(i / 3), (unsigned)indices[i], (unsigned)vertex_count);
    }

    return status;
}

// ------------------------------------------------------------------------------------------------ bounds

/// The next float up or down. The bits of floats of one sign ascend with their magnitude: away from zero is
/// + 1, towards zero - 1.
static float neighbour(float value, bool up) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value == 0)
        bits = up ? 1u : 0x80000001u;
    else
        bits += (value > 0) == up ? 1u : UINT32_MAX;

    memcpy(&value, &bits, sizeof bits);
    return value;
}

static float round_outward(double value, bool up) {
    VNI_ASSERT(vni_is_finite(value) && value > -1e30 && value < 1e30);
    float nearest = (float)value;
    bool is_inside = up ? (double)nearest < value : (double)nearest > value;
    return is_inside ? neighbour(nearest, up) : nearest;
}

vn_box vni_box_around(vni_vec min, vni_vec max) {
    vn_box box = {{round_outward(min.x, false), round_outward(min.y, false), round_outward(min.z, false)},
                  {round_outward(max.x, true), round_outward(max.y, true), round_outward(max.z, true)}};
    return box;
}

// ------------------------------------------------------------------------------------------------- kinds

static vn_status make_box(const vn_shape* shape, vni_obstacle* out, vn_detail* detail) {
    const vn_box* box = &shape->as.box;
    vn_status status = vni_check_point("box.min", box->min, detail);
    if (status == VN_OK)
        status = vni_check_point("box.max", box->max, detail);

    if (status != VN_OK)
        return status;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (axis_value(box->min, axis) > axis_value(box->max, axis))
            return vni_fail_index(detail, VN_BAD_DATA, axis, "box: min.%s is above max.%s; swap them",
                                  axis_names[axis], axis_names[axis]);
    }

    out->as.box = (vni_aabb){vni_v_from(box->min), vni_v_from(box->max)};
    vni_vec size = vni_sub(out->as.box.max, out->as.box.min);
    out->info.bounds = *box;
    out->info.volume = size.x * size.y * size.z;
    out->flat = size.x == 0 || size.y == 0 || size.z == 0;

    return VN_OK;
}

vn_status vni_check_rotation(const char* what, const vn_quat* q, vn_detail* detail) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (length >= 1 - ROTATION_TOLERANCE && length <= 1 + ROTATION_TOLERANCE)
        return VN_OK;
    return vni_fail(detail, VN_BAD_DATA, "%s: the rotation has length %g; make it a unit quaternion", what,
                    length);
}

static vn_status check_oriented(const vn_shape* shape, vn_detail* detail) {
    vn_status status = vni_check_point("oriented.center", shape->as.oriented.center, detail);
    if (status == VN_OK)
        status = vni_check_point("oriented.half", shape->as.oriented.half, detail);

    for (uint32_t axis = 0; status == VN_OK && axis < 3; ++axis) {
        float half = axis_value(shape->as.oriented.half, axis);
        if (half < 0)
            status =
                vni_fail_index(detail, VN_BAD_DATA, axis, "oriented.half.%s is %g; it must not be negative",
                               axis_names[axis], (double)half);
    }

    return status == VN_OK ? vni_check_rotation("oriented box", &shape->as.oriented.rotation, detail)
                           : status;
}

static vn_status make_oriented(const vn_shape* shape, vni_obstacle* out, vn_detail* detail) {
    vn_status status = check_oriented(shape, detail);
    if (status != VN_OK)
        return status;

    vni_obb* obb = &out->as.oriented;
    obb->center = vni_v_from(shape->as.oriented.center);
    vni_quat_axes(shape->as.oriented.rotation, obb->axis);
    for (uint32_t axis = 0; axis < 3; ++axis)
        obb->half[axis] = (double)axis_value(shape->as.oriented.half, axis);

    vni_aabb bounds = vni_obb_bounds(obb);
    out->info.bounds = vni_box_around(bounds.min, bounds.max);
    out->info.volume = 8 * obb->half[0] * obb->half[1] * obb->half[2];
    out->flat = obb->half[0] == 0 || obb->half[1] == 0 || obb->half[2] == 0;
    return VN_OK;
}

static vn_status check_radius(const char* what, double radius, vn_detail* detail) {
    if (radius >= 0 && radius <= VNI_WORLD_LIMIT)
        return VN_OK;
    return vni_fail(detail, VN_BAD_DATA, "%s.radius is %g; it must be between 0 and 1e6 metres", what,
                    radius);
}

static vn_status make_sphere(const vn_shape* shape, vni_obstacle* out, vn_detail* detail) {
    vn_status status = vni_check_point("sphere.center", shape->as.sphere.center, detail);
    if (status != VN_OK)
        return status;

    double radius = (double)shape->as.sphere.radius;
    status = check_radius("sphere", radius, detail);
    if (status != VN_OK)
        return status;

    vni_vec center = vni_v_from(shape->as.sphere.center);
    vni_vec arm = vni_v(radius, radius, radius);
    out->as.sphere.center = center;
    out->as.sphere.radius = radius;
    out->info.bounds = vni_box_around(vni_sub(center, arm), vni_add(center, arm));
    out->info.volume = 4.0 / 3.0 * PI * radius * radius * radius;
    out->flat = radius == 0;

    return VN_OK;
}

static vn_status make_capsule(const vn_shape* shape, vni_obstacle* out, vn_detail* detail) {
    double radius = (double)shape->as.capsule.radius;
    vn_status status = vni_check_point("capsule.a", shape->as.capsule.a, detail);
    if (status == VN_OK)
        status = vni_check_point("capsule.b", shape->as.capsule.b, detail);
    if (status == VN_OK)
        status = check_radius("capsule", radius, detail);
    if (status != VN_OK)
        return status;

    vni_capsule* capsule = &out->as.capsule;
    *capsule = (vni_capsule){vni_v_from(shape->as.capsule.a), vni_v_from(shape->as.capsule.b), radius};
    vni_aabb bounds = vni_capsule_bounds(capsule);
    double length = vni_length(vni_sub(capsule->b, capsule->a));
    out->info.bounds = vni_box_around(bounds.min, bounds.max);
    out->info.volume = PI * radius * radius * (length + 4.0 / 3.0 * radius);
    out->flat = radius == 0;

    return VN_OK;
}

static vn_status check_cylinder(const vn_shape* shape, vn_detail* detail) {
    const vn_vec3 a = shape->as.cylinder.a, b = shape->as.cylinder.b;
    vn_status status = vni_check_point("cylinder.a", a, detail);
    if (status == VN_OK)
        status = vni_check_point("cylinder.b", b, detail);
    if (status == VN_OK)
        status = check_radius("cylinder", (double)shape->as.cylinder.radius, detail);

    if (status == VN_OK && a.x == b.x && a.y == b.y && a.z == b.z)
        status = vni_fail(detail, VN_BAD_DATA,
                          "cylinder: a and b are the same point, so it has no axis; move them apart");

    return status;
}

static vn_status make_cylinder(const vn_shape* shape, vni_obstacle* out, vn_detail* detail) {
    vn_status status = check_cylinder(shape, detail);
    if (status != VN_OK)
        return status;

    vni_vec a = vni_v_from(shape->as.cylinder.a), b = vni_v_from(shape->as.cylinder.b);
    vni_vec along = vni_sub(b, a);
    double length = vni_length(along), radius = (double)shape->as.cylinder.radius;
    vni_cylinder* cylinder = &out->as.cylinder;
    cylinder->center = vni_scale(vni_add(a, b), 0.5);
    cylinder->axis = vni_v(along.x / length, along.y / length, along.z / length);
    cylinder->half = 0.5 * length;
    cylinder->radius = radius;

    vni_aabb bounds = vni_cylinder_bounds(cylinder);
    out->info.bounds = vni_box_around(bounds.min, bounds.max);
    out->info.volume = PI * radius * radius * length;
    out->flat = radius == 0;
    return VN_OK;
}

static vni_aabb points_box(const vn_vec3* points, uint32_t count) {
    VNI_ASSERT(count > 0);
    vni_aabb box = {vni_v_from(points[0]), vni_v_from(points[0])};
    for (uint32_t i = 1; i < count; ++i) {
        box.min = vni_min(box.min, vni_v_from(points[i]));
        box.max = vni_max(box.max, vni_v_from(points[i]));
    }

    return box;
}

/// Greatest height of a vertex above the plane of a triangle. Triangles without area do not count.
static double find_bulge(const vni_hull* hull) {
    double bulge = 0;
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* corner = hull->indices + 3 * (size_t)i;
        vni_vec a = hull->vertices[corner[0]];
        vni_triangle t = {a, hull->vertices[corner[1]], hull->vertices[corner[2]]};
        vni_vec normal = vni_triangle_area_vector(&t);

        double length = vni_length(normal), highest = 0;
        for (uint32_t k = 0; k < hull->vertex_count; ++k) {
            double height = vni_dot(normal, vni_sub(hull->vertices[k], a));
            highest = height > highest ? height : highest;
        }

        if (length > 0 && highest / length > bulge)
            bulge = highest / length;
    }

    return bulge;
}

static void measure_hull(const vni_hull* hull, vni_vec apex, vni_obstacle* out) {
    double volume6 = 0;
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* corner = hull->indices + 3 * (size_t)i;
        vni_triangle t = {hull->vertices[corner[0]], hull->vertices[corner[1]], hull->vertices[corner[2]]};
        out->info.area += vni_length(vni_triangle_area_vector(&t));
        volume6 += vni_triangle_volume6(&t, apex);
    }

    out->info.volume = volume6 > 0 ? volume6 / 6 : 0; // rounding may give a flat hull a negative volume
    out->info.vertices = hull->vertex_count;
    out->info.triangles = hull->triangle_count;
    out->flat = hull->flat;
    out->bulge = find_bulge(hull);
}

static vn_status make_hull(const vn_allocator* allocator, const vn_shape* shape, vni_obstacle* out,
                           vn_detail* detail) {
    const vn_vec3* vertices = shape->as.hull.vertices;
    uint32_t count = shape->as.hull.vertex_count;
    vn_status status = vni_check_triangles("hull", vertices, count, shape->as.hull.indices,
                                           shape->as.hull.triangle_count, detail);
    if (status != VN_OK)
        return status;

    vni_aabb box = points_box(vertices, count);
    vni_vec size = vni_sub(box.max, box.min);
    double largest = size.x < size.y ? size.y : size.x;
    double tolerance = HULL_TOLERANCE * (largest < size.z ? size.z : largest);
    status = vni_hull_make(allocator, vertices, count, shape->as.hull.indices, shape->as.hull.triangle_count,
                           tolerance, &out->as.hull, detail);

    if (status != VN_OK)
        return status;
    out->info.bounds = vni_box_around(box.min, box.max);
    measure_hull(&out->as.hull, vni_scale(vni_add(box.min, box.max), 0.5), out);
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------- records

vn_status vni_obstacle_make(const vn_allocator* allocator, const vn_shape* shape, vni_obstacle* out,
                            vn_detail* detail) {
    memset(out, 0, sizeof *out);
    out->alive = true;
    out->leaf = VNI_TREE_NULL;
    out->info.kind = shape->kind;
    switch (shape->kind) {
    case VN_SHAPE_BOX: return make_box(shape, out, detail);
    case VN_SHAPE_ORIENTED: return make_oriented(shape, out, detail);
    case VN_SHAPE_SPHERE: return make_sphere(shape, out, detail);
    case VN_SHAPE_HULL: return make_hull(allocator, shape, out, detail);
    case VN_SHAPE_MESH: return vni_mesh_make(allocator, shape, &out->as.mesh, &out->info, detail);
    case VN_SHAPE_VOXELS: return vni_voxels_make(allocator, shape, &out->as.voxels, &out->info, detail);
    case VN_SHAPE_CAPSULE: return make_capsule(shape, out, detail);
    case VN_SHAPE_CYLINDER: return make_cylinder(shape, out, detail);
    }
    return vni_fail(detail, VN_BAD_ARGUMENT, "shape.kind is %d; set it to one of VN_SHAPE_...",
                    (int)shape->kind);
}

void vni_obstacle_free(const vn_allocator* allocator, vni_obstacle* obstacle) {
    VNI_ASSERT(obstacle->alive);
    obstacle->alive = false;
    if (obstacle->motion != NULL) {
        vni_moving_free(allocator, obstacle);
        return;
    }
    switch (obstacle->info.kind) {
    case VN_SHAPE_HULL: vni_hull_free(allocator, &obstacle->as.hull); break;
    case VN_SHAPE_MESH: vni_mesh_free(allocator, &obstacle->as.mesh); break;
    case VN_SHAPE_VOXELS: vni_voxels_free(allocator, &obstacle->as.voxels); break;
    case VN_SHAPE_BOX:
    case VN_SHAPE_ORIENTED:
    case VN_SHAPE_SPHERE:
    case VN_SHAPE_CAPSULE:
    case VN_SHAPE_CYLINDER: break;
    }
}

size_t vni_obstacle_bytes(const vni_obstacle* obstacle) {
    if (obstacle->motion != NULL)
        return vni_moving_bytes(obstacle);
    switch (obstacle->info.kind) {
    case VN_SHAPE_HULL: return vni_hull_bytes(&obstacle->as.hull);
    case VN_SHAPE_MESH: return vni_mesh_bytes(&obstacle->as.mesh);
    case VN_SHAPE_VOXELS: return vni_voxels_bytes(&obstacle->as.voxels);
    case VN_SHAPE_BOX:
    case VN_SHAPE_ORIENTED:
    case VN_SHAPE_SPHERE:
    case VN_SHAPE_CAPSULE:
    case VN_SHAPE_CYLINDER: break;
    }
    return 0;
}

bool vni_obstacle_is_flat(const vni_obstacle* obstacle) {
    VNI_ASSERT(obstacle->alive);
    return obstacle->flat;
}
