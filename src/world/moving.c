/// world/moving.c: transforms a shape (scale, rotate, translate) into its record, without allocating.
///
/// Two halves. `judge` finds every fault of a transform, and what the record would be; it writes to the
/// caller's shape_at only. `put` writes the record and cannot fail: a rejected move leaves the obstacle as it
/// was. Rotations within QUARTER_TOLERANCE of quarter turns are made exact, so that boxes stay boxes and
/// voxel sets stay voxel sets.
#include "world/moving.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include <string.h>

/// A rotation whose axes are this near to quarter turns is one: float quaternions are no better.
#define QUARTER_TOLERANCE 1e-6

/// A transform, checked and with its rotation as a matrix.
typedef struct pose {
    vni_vec at;
    double scale;
    vni_vec axis[3]; ///< images of x, y, z: the columns of the rotation matrix
    bool quarter;    ///< these are world axes again, permuted and flipped as `turn` says
    vni_turn turn;
} pose;

/// A transformed shape: its record without the arrays.
typedef struct shape_at {
    pose p;
    vn_shape_kind kind;
    bool flat;
    vn_box bounds;
    union {
        vni_aabb box;
        vni_obb oriented;
        struct {
            vni_vec center;
            double radius;
        } sphere;
        vni_voxels grid; ///< without bricks
        vni_capsule capsule;
        vni_cylinder cylinder;
    } as; ///< by `kind`
} shape_at;

static double component(vni_vec v, uint32_t axis) {
    VNI_ASSERT(axis < 3);
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// -------------------------------------------------------------------------------------------- the transform

/// Makes the axes exact where all three are nearly world axes; false, and nothing changed, where they are
/// not.
static bool snap(pose* p) {
    // Each axis needs one component near 1 and two near 0. Axes of a rotation are orthogonal, so three that
    // pass name three different world axes.
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t found = 3;
        for (uint32_t k = 0; k < 3; ++k) {
            double size = vni_abs(component(p->axis[i], k));
            if (size >= 1 - QUARTER_TOLERANCE)
                found = k;
            else if (size > QUARTER_TOLERANCE)
                return false;
        }

        VNI_ASSERT(found < 3);

        p->turn.axis[i] = (uint8_t)found;
        p->turn.flip[i] = component(p->axis[i], found) < 0;
    }

    for (uint32_t i = 0; i < 3; ++i) {
        double to[3] = {0, 0, 0};
        to[p->turn.axis[i]] = p->turn.flip[i] ? -1 : 1;
        p->axis[i] = vni_v(to[0], to[1], to[2]);
    }

    return true;
}

static vn_status prepare(const vn_transform* transform, pose* out, vn_detail* detail) {
    vn_status status = vni_check_point("transform.position", transform->position, detail);
    if (status == VN_OK)
        status = vni_check_rotation("transform", &transform->rotation, detail);

    if (status != VN_OK)
        return status;
    if (!vni_is_finite((double)transform->scale) || transform->scale <= 0)
        return vni_fail(detail, VN_BAD_DATA,
                        "transform.scale is %g; it must be finite and above 0 (1 keeps the size)",
                        (double)transform->scale);

    *out = (pose){.at = vni_v_from(transform->position), .scale = (double)transform->scale};
    vni_quat_axes(transform->rotation, out->axis);
    out->quarter = snap(out);
    return VN_OK;
}

/// Rotates a direction: no scale, no translation.
static vni_vec turned(const pose* p, vni_vec v) {
    return vni_add(vni_add(vni_scale(p->axis[0], v.x), vni_scale(p->axis[1], v.y)),
                   vni_scale(p->axis[2], v.z));
}

static vni_vec transformed(const pose* p, vni_vec v) {
    return vni_add(p->at, turned(p, vni_scale(v, p->scale)));
}

static vn_status check_within(vni_vec v, vn_detail* detail) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (!(vni_abs(component(v, axis)) <= VNI_WORLD_LIMIT))
            return vni_fail_index(
                detail, VN_BAD_DATA, axis,
                "the transform puts the shape at %g on axis %u; it must stay within 1e6 metres "
                "of the origin: check the position and the scale",
                component(v, axis), (unsigned)axis);
    }

    return VN_OK;
}

static vn_status check_both(vni_vec min, vni_vec max, vn_detail* detail) {
    vn_status status = check_within(min, detail);
    return status == VN_OK ? check_within(max, detail) : status;
}

// -------------------------------------------------------------------------------------------------- kinds

/// Under quarter turns a box stays axis-aligned: exactly, since every product is with 0 or +-1.
static vn_status judge_straight_box(const vni_aabb* box, shape_at* out, vn_detail* detail) {
    vni_vec a = transformed(&out->p, box->min), b = transformed(&out->p, box->max);
    vni_aabb moved = {vni_min(a, b), vni_max(a, b)};
    vn_status status = check_both(moved.min, moved.max, detail);
    if (status != VN_OK)
        return status;

    out->kind = VN_SHAPE_BOX;
    out->as.box = moved;
    out->flat = moved.min.x == moved.max.x || moved.min.y == moved.max.y || moved.min.z == moved.max.z;
    out->bounds = vni_box_around(moved.min, moved.max);
    return VN_OK;
}

static vn_status judge_oriented(const vni_obb* obb, shape_at* out, vn_detail* detail) {
    vni_obb moved = {.center = transformed(&out->p, obb->center)};
    vn_status status = check_within(moved.center, detail);
    for (uint32_t i = 0; i < 3; ++i) {
        moved.axis[i] = turned(&out->p, obb->axis[i]);
        moved.half[i] = obb->half[i] * out->p.scale;
    }

    if (status == VN_OK)
        status = check_within(vni_v(moved.half[0], moved.half[1], moved.half[2]), detail);

    if (status != VN_OK)
        return status;

    vni_aabb bounds = vni_obb_bounds(&moved);
    out->kind = VN_SHAPE_ORIENTED;
    out->as.oriented = moved;
    out->flat = moved.half[0] == 0 || moved.half[1] == 0 || moved.half[2] == 0;
    out->bounds = vni_box_around(bounds.min, bounds.max);

    return VN_OK;
}

static vn_status judge_box(const vni_aabb* box, shape_at* out, vn_detail* detail) {
    // Else it becomes an oriented box: the kind of a record may change with the transform.
    if (out->p.quarter)
        return judge_straight_box(box, out, detail);
    vni_vec half = vni_scale(vni_sub(box->max, box->min), 0.5);
    vni_obb obb = {.center = vni_scale(vni_add(box->min, box->max), 0.5),
                   .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   .half = {half.x, half.y, half.z}};

    return judge_oriented(&obb, out, detail);
}

static vn_status judge_sphere(vni_vec center, double radius, shape_at* out, vn_detail* detail) {
    center = transformed(&out->p, center);
    radius *= out->p.scale;
    vni_vec arm = vni_v(radius, radius, radius);
    vn_status status = check_both(center, arm, detail);
    if (status != VN_OK)
        return status;

    out->as.sphere.center = center;
    out->as.sphere.radius = radius;
    out->bounds = vni_box_around(vni_sub(center, arm), vni_add(center, arm));
    return VN_OK;
}

static vn_status judge_capsule(const vni_capsule* capsule, shape_at* out, vn_detail* detail) {
    vni_capsule moved = {transformed(&out->p, capsule->a), transformed(&out->p, capsule->b),
                         capsule->radius * out->p.scale};
    vn_status status = check_both(moved.a, moved.b, detail);
    if (status == VN_OK)
        status = check_within(vni_v(moved.radius, moved.radius, moved.radius), detail);
    if (status != VN_OK)
        return status;

    vni_aabb bounds = vni_capsule_bounds(&moved);
    out->as.capsule = moved;
    out->flat = moved.radius == 0;
    out->bounds = vni_box_around(bounds.min, bounds.max);
    return VN_OK;
}

static vn_status judge_cylinder(const vni_cylinder* cylinder, shape_at* out, vn_detail* detail) {
    vni_cylinder moved = {transformed(&out->p, cylinder->center), turned(&out->p, cylinder->axis),
                          cylinder->half * out->p.scale, cylinder->radius * out->p.scale};
    vn_status status = check_both(vni_add_scaled(moved.center, moved.axis, -moved.half),
                                  vni_add_scaled(moved.center, moved.axis, moved.half), detail);
    if (status == VN_OK)
        status = check_within(vni_v(moved.radius, moved.radius, moved.radius), detail);
    if (status != VN_OK)
        return status;

    vni_aabb bounds = vni_cylinder_bounds(&moved);
    out->as.cylinder = moved;
    // A tiny scale may leave a disc.
    out->flat = moved.radius == 0 || moved.half == 0;
    out->bounds = vni_box_around(bounds.min, bounds.max);
    return VN_OK;
}

static vn_status judge_hull(const vni_hull* hull, shape_at* out, vn_detail* detail) {
    vni_aabb box = {transformed(&out->p, hull->vertices[0]), transformed(&out->p, hull->vertices[0])};
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        vni_vec v = transformed(&out->p, hull->vertices[i]);
        box.min = vni_min(box.min, v);
        box.max = vni_max(box.max, v);
    }

    vn_status status = check_both(box.min, box.max, detail);
    if (status == VN_OK)
        out->bounds = vni_box_around(box.min, box.max);

    return status;
}

static float kept(double x) {
    return (float)vni_clamp(x, -2 * VNI_WORLD_LIMIT, 2 * VNI_WORLD_LIMIT);
}

/// A vertex of a mesh is kept as float. Those of triangles lie within the limit; others may end up anywhere,
/// and stop beyond it.
static vn_vec3 transformed_vertex(const pose* p, vn_vec3 v) {
    vni_vec moved = transformed(p, vni_v_from(v));
    return (vn_vec3){kept(moved.x), kept(moved.y), kept(moved.z)};
}

/// Only vertices of triangles count.
static vn_status judge_mesh(const vni_mesh* mesh, shape_at* out, vn_detail* detail) {
    vni_aabb box = {vni_v(HUGE_VAL, HUGE_VAL, HUGE_VAL), vni_v(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->triangle_count; ++i) {
        vni_vec v = transformed(&out->p, vni_v_from(mesh->vertices[mesh->indices[i]]));
        box.min = vni_min(box.min, v);
        box.max = vni_max(box.max, v);
    }

    vn_status status = check_both(box.min, box.max, detail);
    if (status == VN_OK)
        out->bounds = (vn_box){{(float)box.min.x, (float)box.min.y, (float)box.min.z},
                               {(float)box.max.x, (float)box.max.y, (float)box.max.z}};
    return status;
}

static vn_status judge_voxels(const vni_voxels* set, shape_at* out, vn_detail* detail) {
    const pose* p = &out->p;
    if (!p->quarter)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a voxel set can be turned by quarter turns only; add its boxes or hulls instead");

    const double size = (double)set->size * p->scale;
    vn_status status =
        check_within(vni_v(size, size, size), detail); // a float next: out of range would be undefined
    if (status != VN_OK)
        return status;

    // Size first, rounded to the float that the record keeps: the far corner must follow from what is stored.
    // Of the two turned corners the componentwise least is the new low one.
    vni_voxels grid = {.size = (float)size};
    vni_vec extent = vni_scale(vni_v(set->dims.x, set->dims.y, set->dims.z), (double)grid.size);
    vni_vec low = vni_scale(vni_v_from(set->low), p->scale);
    vni_vec a = vni_add(p->at, turned(p, low)), b = vni_add(p->at, turned(p, vni_add(low, extent)));
    vni_vec corner = vni_min(a, b);
    vni_vec dims = vni_abs_each(turned(p, vni_v(set->dims.x, set->dims.y, set->dims.z)));
    status = check_within(corner, detail);

    if (status != VN_OK)
        return status;

    grid.low = (vn_vec3){(float)corner.x, (float)corner.y, (float)corner.z};
    grid.dims = (vn_voxel){(int32_t)dims.x, (int32_t)dims.y, (int32_t)dims.z};
    status = vni_check_grid(grid.low, grid.size, grid.dims, detail);
    if (status != VN_OK)
        return status;

    out->as.grid = grid;
    out->bounds = vni_voxels_bounds(&grid);
    return VN_OK;
}

static vn_status judge(const vni_obstacle* shape, const vn_transform* transform, shape_at* out,
                       vn_detail* detail) {
    vn_status status = prepare(transform, &out->p, detail);
    if (status != VN_OK)
        return status;
    out->kind = shape->info.kind;
    out->flat = shape->flat;
    switch (shape->info.kind) {
    case VN_SHAPE_BOX: return judge_box(&shape->as.box, out, detail);
    case VN_SHAPE_ORIENTED: return judge_oriented(&shape->as.oriented, out, detail);
    case VN_SHAPE_SPHERE: return judge_sphere(shape->as.sphere.center, shape->as.sphere.radius, out, detail);
    case VN_SHAPE_HULL: return judge_hull(&shape->as.hull, out, detail);
    case VN_SHAPE_VOXELS: return judge_voxels(&shape->as.voxels, out, detail);
    case VN_SHAPE_CAPSULE: return judge_capsule(&shape->as.capsule, out, detail);
    case VN_SHAPE_CYLINDER: return judge_cylinder(&shape->as.cylinder, out, detail);
    case VN_SHAPE_MESH: return judge_mesh(&shape->as.mesh, out, detail);
    }
    return VN_UNSUPPORTED;
}

vn_status vni_motion_check(const vni_motion* motion, const vn_transform* transform, vn_box* bounds,
                           vn_detail* detail) {
    VNI_ASSERT(motion != NULL && transform != NULL && bounds != NULL);
    shape_at at;
    vn_status status = judge(&motion->shape, transform, &at, detail);
    if (status == VN_OK)
        *bounds = at.bounds;
    return status;
}

const vn_obstacle_info* vni_motion_shape(const vni_motion* motion) {
    VNI_ASSERT(motion != NULL);
    return &motion->shape.info;
}

// ------------------------------------------------------------------------------------------------ writing

/// Support vertices stay valid: the vertex farthest along a normal is still the farthest when both rotate.
static void put_hull(const pose* p, const vni_hull* hull, vni_hull* out) {
    // The record's arrays are ours to write.
    vni_vec* vertices = (vni_vec*)(uintptr_t)out->vertices;
    vni_vec* normals = (vni_vec*)(uintptr_t)out->normals;
    VNI_ASSERT(out->vertex_count == hull->vertex_count && vertices != hull->vertices);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        vertices[i] = transformed(p, hull->vertices[i]);

    for (uint32_t i = 0; i < hull->normal_count; ++i)
        normals[i] = turned(p, hull->normals[i]);
}

static void put_mesh(const pose* p, const vni_mesh* mesh, vni_mesh* out) {
    VNI_ASSERT(out->vertex_count == mesh->vertex_count && out->vertices != mesh->vertices);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
        out->vertices[i] = transformed_vertex(p, mesh->vertices[i]);
    vni_mesh_refit(out);
}

static void put_voxels(const shape_at* at, vni_motion* motion, vni_voxels* out) {
    const vni_voxels* grid = &at->as.grid;
    // Translation alone keeps the bricks: only low and size change.
    if (memcmp(&at->p.turn, &motion->turns.now, sizeof at->p.turn) != 0)
        vni_voxel_turns_apply(&motion->turns, &motion->shape.as.voxels, &at->p.turn, out);

    motion->turns.now = at->p.turn;
    VNI_ASSERT(out->dims.x == grid->dims.x && out->dims.y == grid->dims.y && out->dims.z == grid->dims.z);
    out->low = grid->low;
    out->size = grid->size;
}

static void put_kind(const shape_at* at, vni_obstacle* out) {
    switch (at->kind) {
    case VN_SHAPE_BOX: out->as.box = at->as.box; break;
    case VN_SHAPE_ORIENTED: out->as.oriented = at->as.oriented; break;
    case VN_SHAPE_SPHERE:
        out->as.sphere.center = at->as.sphere.center;
        out->as.sphere.radius = at->as.sphere.radius;
        break;
    case VN_SHAPE_HULL: put_hull(&at->p, &out->motion->shape.as.hull, &out->as.hull); break;
    case VN_SHAPE_VOXELS: put_voxels(at, out->motion, &out->as.voxels); break;
    case VN_SHAPE_CAPSULE: out->as.capsule = at->as.capsule; break;
    case VN_SHAPE_CYLINDER: out->as.cylinder = at->as.cylinder; break;
    case VN_SHAPE_MESH: put_mesh(&at->p, &out->motion->shape.as.mesh, &out->as.mesh); break;
    }
}

static void put(const shape_at* at, vni_obstacle* out) {
    const vni_obstacle* shape = &out->motion->shape;
    const double scale = at->p.scale;
    put_kind(at, out);
    out->flat = at->flat;
    out->bulge = shape->bulge * scale;
    out->info.kind = at->kind;
    out->info.bounds = at->bounds;
    out->info.area = shape->info.area * scale * scale;
    out->info.volume = shape->info.volume * scale * scale * scale;
}

vn_status vni_moving_set_transform(vni_obstacle* obstacle, const vn_transform* transform, vn_detail* detail) {
    VNI_ASSERT(obstacle->motion != NULL && transform != NULL);
    shape_at at;
    vn_status status = judge(&obstacle->motion->shape, transform, &at, detail);
    if (status != VN_OK)
        return status;

    put(&at, obstacle);
    obstacle->motion->transform = *transform;
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- making

/// Gives the record, so far a copy of the shape, its own arrays, which later moves overwrite.
static vn_status own_arrays(const vn_allocator* allocator, const vn_shape* shape, vni_obstacle* out,
                            vn_detail* detail) {
    vni_motion* motion = out->motion;
    if (shape->kind == VN_SHAPE_HULL) {
        out->as.hull = (vni_hull){0};
        vni_obstacle copy;
        vn_status status = vni_obstacle_make(allocator, shape, &copy, detail);
        if (status == VN_OK)
            out->as.hull = copy.as.hull;
        return status;
    }

    if (shape->kind == VN_SHAPE_MESH) {
        vn_status status = vni_mesh_copy(allocator, &motion->shape.as.mesh, &out->as.mesh);
        return status == VN_OK ? VN_OK : vni_fail(detail, status, "no memory for a mesh that moves");
    }

    if (shape->kind != VN_SHAPE_VOXELS)
        return VN_OK;
    const vni_voxels* set = &motion->shape.as.voxels;
    out->as.voxels.bricks = NULL;

    vn_status status = vni_voxel_turns_make(allocator, set, &motion->turns);
    if (status == VN_OK && motion->turns.capacity > 0) {
        out->as.voxels.bricks = VNI_NEW_ARRAY(allocator, vni_voxel_brick, motion->turns.capacity);
        if (out->as.voxels.bricks == NULL)
            status = VN_OUT_OF_MEMORY;
        else
            memcpy(out->as.voxels.bricks, set->bricks, set->brick_count * sizeof *set->bricks);
    }

    return status == VN_OK ? VN_OK : vni_fail(detail, status, "no memory for a voxel set that moves");
}

vn_status vni_moving_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* transform,
                          vni_obstacle* out, vn_detail* detail) {
    VNI_ASSERT(shape != NULL && transform != NULL);

    if (shape->kind == VN_SHAPE_MESH && shape->as.mesh.triangle_count > VN_MAX_MOVING_TRIANGLES)
        return vni_fail(detail, VN_TOO_LARGE,
                        "a mesh of %u triangles cannot move, %u at most can: move its hull "
                        "(vn_hull_from_points), or split it",
                        (unsigned)shape->as.mesh.triangle_count, VN_MAX_MOVING_TRIANGLES);
    if (shape->kind == VN_SHAPE_VOXELS && shape->as.voxels.sensed)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a sensed voxel set cannot move: add it as a static obstacle");

    vni_motion* motion = VNI_NEW(allocator, vni_motion);
    if (motion == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for an obstacle that moves");

    vn_status status = vni_obstacle_make(allocator, shape, &motion->shape, detail);
    if (status != VN_OK) {
        VNI_DELETE(allocator, motion);
        return status;
    }

    *out = motion->shape;
    out->motion = motion;
    status = own_arrays(allocator, shape, out, detail);
    if (status == VN_OK)
        status = vni_moving_set_transform(out, transform, detail);

    if (status != VN_OK)
        vni_obstacle_free(allocator, out);

    return status;
}

void vni_moving_free(const vn_allocator* allocator, vni_obstacle* obstacle) {
    vni_motion* motion = obstacle->motion;
    VNI_ASSERT(motion != NULL);

    if (motion->shape.info.kind == VN_SHAPE_HULL && obstacle->as.hull.vertices != NULL)
        vni_hull_free(allocator, &obstacle->as.hull);

    if (motion->shape.info.kind == VN_SHAPE_MESH)
        vni_mesh_free(allocator, &obstacle->as.mesh);

    if (motion->shape.info.kind == VN_SHAPE_VOXELS) {
        VNI_DELETE_ARRAY(allocator, obstacle->as.voxels.bricks, motion->turns.capacity);
        vni_voxel_turns_free(allocator, &motion->turns);
    }

    vni_obstacle_free(allocator, &motion->shape);
    VNI_DELETE(allocator, motion);
    obstacle->motion = NULL;
}

size_t vni_moving_bytes(const vni_obstacle* obstacle) {
    const vni_motion* motion = obstacle->motion;
    VNI_ASSERT(motion != NULL);

    size_t bytes = sizeof *motion + vni_obstacle_bytes(&motion->shape);
    if (motion->shape.info.kind == VN_SHAPE_HULL)
        bytes += vni_hull_bytes(&obstacle->as.hull);

    if (motion->shape.info.kind == VN_SHAPE_MESH)
        bytes += vni_mesh_bytes(&obstacle->as.mesh);

    if (motion->shape.info.kind == VN_SHAPE_VOXELS)
        bytes += motion->turns.capacity * sizeof *obstacle->as.voxels.bricks +
                 vni_voxel_turns_bytes(&motion->turns);

    return bytes;
}
