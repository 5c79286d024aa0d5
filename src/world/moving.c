/// world/moving.c: a shape scaled, turned and moved to its place, without allocating.
#include "world/moving.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include <string.h>

/// A rotation whose axes are this near to quarter turns is one: float quaternions are no better.
#define QUARTER_TOLERANCE 1e-6

/// A place made ready.
typedef struct placing {
    vni_vec at;
    double scale;
    vni_vec axis[3]; ///< images of x, y, z
    bool quarter;    ///< they are axes again, as `turn` says
    vni_turn turn;
} placing;

static double component(vni_vec v, uint32_t axis) {
    VNI_ASSERT(axis < 3);
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// ----------------------------------------------------------------------------------------------- the place

/// If the three axes are nearly axes of the world, they are made so exactly.
static bool snap(placing* p) {
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

static vn_status prepare(const vn_transform* place, placing* out, vn_detail* detail) {
    vn_status status = vni_check_point("place.position", place->position, detail);
    if (status == VN_OK)
        status = vni_check_rotation("place", &place->rotation, detail);
    if (status != VN_OK)
        return status;
    if (!vni_is_finite((double)place->scale) || place->scale <= 0)
        return vni_fail(detail, VN_BAD_DATA, "place.scale is %g; it must be finite and above 0 (1: as it is)",
                        (double)place->scale);
    *out = (placing){.at = vni_v_from(place->position), .scale = (double)place->scale};
    vni_quat_axes(place->rotation, out->axis);
    out->quarter = snap(out);
    return VN_OK;
}

/// A direction, turned only.
static vni_vec turned(const placing* p, vni_vec v) {
    return vni_add(vni_add(vni_scale(p->axis[0], v.x), vni_scale(p->axis[1], v.y)),
                   vni_scale(p->axis[2], v.z));
}

static vni_vec placed(const placing* p, vni_vec v) {
    return vni_add(p->at, turned(p, vni_scale(v, p->scale)));
}

static vn_status check_within(vni_vec v, vn_detail* detail) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (!(vni_abs(component(v, axis)) <= VNI_WORLD_LIMIT))
            return vni_fail_index(detail, VN_BAD_DATA, axis,
                                  "the place puts the shape at %g on axis %u; it must stay within 1e6 metres "
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

/// A box that goes from axes to axes stays one, exactly.
static vn_status place_straight_box(const placing* p, const vni_aabb* box, vni_obstacle* out,
                                    vn_detail* detail) {
    vni_vec a = placed(p, box->min), b = placed(p, box->max);
    vni_aabb moved = {vni_min(a, b), vni_max(a, b)};
    vn_status status = check_both(moved.min, moved.max, detail);
    if (status != VN_OK)
        return status;
    out->info.kind = VN_SHAPE_BOX;
    out->as.box = moved;
    out->flat = moved.min.x == moved.max.x || moved.min.y == moved.max.y || moved.min.z == moved.max.z;
    out->info.bounds = vni_box_around(moved.min, moved.max);
    return VN_OK;
}

static vn_status place_oriented(const placing* p, const vni_obb* obb, vni_obstacle* out, vn_detail* detail) {
    vni_obb moved = {.center = placed(p, obb->center)};
    vn_status status = check_within(moved.center, detail);
    for (uint32_t i = 0; i < 3; ++i) {
        moved.axis[i] = turned(p, obb->axis[i]);
        moved.half[i] = obb->half[i] * p->scale;
    }
    if (status == VN_OK)
        status = check_within(vni_v(moved.half[0], moved.half[1], moved.half[2]), detail);
    if (status != VN_OK)
        return status;
    vni_aabb bounds = vni_obb_bounds(&moved);
    out->info.kind = VN_SHAPE_ORIENTED;
    out->as.oriented = moved;
    out->flat = moved.half[0] == 0 || moved.half[1] == 0 || moved.half[2] == 0;
    out->info.bounds = vni_box_around(bounds.min, bounds.max);
    return VN_OK;
}

static vn_status place_box(const placing* p, const vni_aabb* box, vni_obstacle* out, vn_detail* detail) {
    if (p->quarter)
        return place_straight_box(p, box, out, detail);
    vni_vec half = vni_scale(vni_sub(box->max, box->min), 0.5);
    vni_obb obb = {.center = vni_scale(vni_add(box->min, box->max), 0.5),
                   .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   .half = {half.x, half.y, half.z}};
    return place_oriented(p, &obb, out, detail);
}

static vn_status place_sphere(const placing* p, vni_vec center, double radius, vni_obstacle* out,
                              vn_detail* detail) {
    center = placed(p, center);
    radius *= p->scale;
    vni_vec arm = vni_v(radius, radius, radius);
    vn_status status = check_both(center, arm, detail);
    if (status != VN_OK)
        return status;
    out->as.sphere.center = center;
    out->as.sphere.radius = radius;
    out->info.bounds = vni_box_around(vni_sub(center, arm), vni_add(center, arm));
    return VN_OK;
}

/// The supports stay: what lies highest along a normal still does when both are turned.
static vn_status place_hull(const placing* p, const vni_hull* hull, vni_obstacle* out, vn_detail* detail) {
    vni_aabb box = {placed(p, hull->vertices[0]), placed(p, hull->vertices[0])};
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        vni_vec v = placed(p, hull->vertices[i]);
        box.min = vni_min(box.min, v);
        box.max = vni_max(box.max, v);
    }
    vn_status status = check_both(box.min, box.max, detail);
    if (status != VN_OK)
        return status;
    // The record's arrays are ours to write.
    vni_vec* vertices = (vni_vec*)(uintptr_t)out->as.hull.vertices;
    vni_vec* normals = (vni_vec*)(uintptr_t)out->as.hull.normals;
    VNI_ASSERT(out->as.hull.vertex_count == hull->vertex_count && vertices != hull->vertices);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        vertices[i] = placed(p, hull->vertices[i]);
    for (uint32_t i = 0; i < hull->normal_count; ++i)
        normals[i] = turned(p, hull->normals[i]);
    out->info.bounds = vni_box_around(box.min, box.max);
    return VN_OK;
}

static vn_status place_voxels(const placing* p, vni_motion* motion, vni_obstacle* out, vn_detail* detail) {
    const vni_voxels* set = &motion->shape.as.voxels;
    if (!p->quarter)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a voxel set can be turned by quarter turns only; add its boxes or hulls instead");
    vni_voxels* to = &out->as.voxels;
    vni_voxels grid = {.size = (float)((double)set->size * p->scale)};
    vni_vec extent = vni_scale(vni_v(set->dims.x, set->dims.y, set->dims.z), (double)grid.size);
    vni_vec low = vni_scale(vni_v_from(set->low), p->scale);
    vni_vec a = vni_add(p->at, turned(p, low)), b = vni_add(p->at, turned(p, vni_add(low, extent)));
    vni_vec corner = vni_min(a, b);
    vni_vec dims = vni_abs_each(turned(p, vni_v(set->dims.x, set->dims.y, set->dims.z)));
    vn_status status = check_within(corner, detail);
    if (status != VN_OK)
        return status;
    grid.low = (vn_vec3){(float)corner.x, (float)corner.y, (float)corner.z};
    grid.dims = (vn_voxel){(int32_t)dims.x, (int32_t)dims.y, (int32_t)dims.z};
    status = vni_check_grid(grid.low, grid.size, grid.dims, detail);
    if (status != VN_OK)
        return status;
    if (memcmp(&p->turn, &motion->turns.now, sizeof p->turn) != 0)
        vni_voxel_turns_apply(&motion->turns, set, &p->turn, to);
    motion->turns.now = p->turn;
    VNI_ASSERT(to->dims.x == grid.dims.x && to->dims.y == grid.dims.y && to->dims.z == grid.dims.z);
    to->low = grid.low;
    to->size = grid.size;
    out->info.bounds = vni_voxels_bounds(to);
    return VN_OK;
}

static vn_status place_kind(const placing* p, vni_obstacle* obstacle, vn_detail* detail) {
    vni_motion* motion = obstacle->motion;
    const vni_obstacle* shape = &motion->shape;
    switch (shape->info.kind) {
    case VN_SHAPE_BOX: return place_box(p, &shape->as.box, obstacle, detail);
    case VN_SHAPE_ORIENTED: return place_oriented(p, &shape->as.oriented, obstacle, detail);
    case VN_SHAPE_SPHERE:
        return place_sphere(p, shape->as.sphere.center, shape->as.sphere.radius, obstacle, detail);
    case VN_SHAPE_HULL: return place_hull(p, &shape->as.hull, obstacle, detail);
    case VN_SHAPE_VOXELS: return place_voxels(p, motion, obstacle, detail);
    case VN_SHAPE_MESH: break;
    }
    return VN_UNSUPPORTED;
}

vn_status vni_moving_place(vni_obstacle* obstacle, const vn_transform* place, vn_detail* detail) {
    VNI_ASSERT(obstacle->motion != NULL && place != NULL);
    placing p;
    vn_status status = prepare(place, &p, detail);
    if (status == VN_OK)
        status = place_kind(&p, obstacle, detail);
    if (status != VN_OK)
        return status;
    vni_motion* motion = obstacle->motion;
    motion->place = *place;
    obstacle->bulge = motion->shape.bulge * p.scale;
    obstacle->info.area = motion->shape.info.area * p.scale * p.scale;
    obstacle->info.volume = motion->shape.info.volume * p.scale * p.scale * p.scale;
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- making

/// Arrays of its own for the record, which is a copy of the shape.
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
    if (shape->kind != VN_SHAPE_VOXELS)
        return VN_OK;
    const vni_voxels* set = &motion->shape.as.voxels;
    out->as.voxels.bricks = NULL;
    vn_status status = vni_voxel_turns_make(allocator, set, &motion->turns);
    if (status == VN_OK && motion->turns.room > 0) {
        out->as.voxels.bricks = VNI_NEW_ARRAY(allocator, vni_voxel_brick, motion->turns.room);
        if (out->as.voxels.bricks == NULL)
            status = VN_OUT_OF_MEMORY;
        else
            memcpy(out->as.voxels.bricks, set->bricks, set->brick_count * sizeof *set->bricks);
    }
    return status == VN_OK ? VN_OK : vni_fail(detail, status, "no memory for a voxel set that moves");
}

vn_status vni_moving_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* place,
                          vni_obstacle* out, vn_detail* detail) {
    VNI_ASSERT(shape != NULL && place != NULL);
    if (shape->kind == VN_SHAPE_MESH)
        return vni_fail(detail, VN_UNSUPPORTED, "a mesh cannot move; add its convex hull (VN_SHAPE_HULL)");
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
        status = vni_moving_place(out, place, detail);
    if (status != VN_OK)
        vni_obstacle_free(allocator, out);
    return status;
}

void vni_moving_free(const vn_allocator* allocator, vni_obstacle* obstacle) {
    vni_motion* motion = obstacle->motion;
    VNI_ASSERT(motion != NULL);
    if (motion->shape.info.kind == VN_SHAPE_HULL && obstacle->as.hull.vertices != NULL)
        vni_hull_free(allocator, &obstacle->as.hull);
    if (motion->shape.info.kind == VN_SHAPE_VOXELS) {
        VNI_DELETE_ARRAY(allocator, obstacle->as.voxels.bricks, motion->turns.room);
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
    if (motion->shape.info.kind == VN_SHAPE_VOXELS)
        bytes +=
            motion->turns.room * sizeof *obstacle->as.voxels.bricks + vni_voxel_turns_bytes(&motion->turns);
    return bytes;
}
