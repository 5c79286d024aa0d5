/// classic/overlap.c: separating axes of a convex obstacle and the cubes of a grid.
#include "classic/overlap.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "classic/corners.h"
#include "geom/shapes.h"

#include <string.h>

/// Directions whose sine is below this count as parallel. Over an obstacle of 100 voxels that is wrong by
/// 1e-4 voxels, and who is nearer to touching than that is looked at in the space. (A cosine cannot tell: at
/// 3e-5 radians it is 1 - 5e-10.)
#define PARALLEL 1e-6

/// Below this an axis is a rounding error.
#define LEAST_AXIS 1e-9

static bool is_known(const vni_vec* list, uint32_t count, vni_vec direction) {
    for (uint32_t i = 0; i < count; ++i)
        if (vni_length2(vni_cross(list[i], direction)) < PARALLEL * PARALLEL)
            return true;
    return false;
}

static void list_edges(const vni_corners* corners, vni_overlap* out) {
    for (uint32_t i = 0; i < corners->edge_count; ++i) {
        const vni_vec d = vni_sub(corners->at[corners->edges[i][1]], corners->at[corners->edges[i][0]]);
        const vni_vec unit = vni_scale(d, 1 / vni_length(d));
        if (!is_known(out->edges, out->edge_count, unit))
            out->edges[out->edge_count++] = unit;
    }
}

/// Copies from the corners; false if memory runs out.
static bool take(vni_overlap* o, const vni_corners* corners) {
    o->vertex_count = o->vertex_capacity = corners->count;
    o->normal_count = o->normal_capacity = corners->normal_count;
    o->edge_capacity = corners->edge_count;
    o->vertices = VNI_NEW_ARRAY(&o->allocator, vni_vec, o->vertex_capacity);
    o->normals = VNI_NEW_ARRAY(&o->allocator, vni_vec, o->normal_capacity);
    o->edges = VNI_NEW_ARRAY(&o->allocator, vni_vec, o->edge_capacity);
    if (o->vertices == NULL || o->normals == NULL || o->edges == NULL)
        return false;

    memcpy(o->vertices, corners->at, corners->count * sizeof *o->vertices);
    memcpy(o->normals, corners->normals, corners->normal_count * sizeof *o->normals);
    list_edges(corners, o);
    o->axis_capacity = 3 + o->normal_count + 3 * o->edge_count;
    o->axes = (struct vni_overlap_axis*)vni_alloc(&o->allocator, o->axis_capacity, sizeof *o->axes);
    return o->axes != NULL;
}

vn_status vni_overlap_make(const vn_allocator* allocator, const vn_shape* shape, vni_overlap* out,
                           vn_detail* detail) {
    vni_overlap o = {.allocator = *allocator};
    vni_corners corners;
    *out = (vni_overlap){0};
    if (shape->kind != VN_SHAPE_BOX && shape->kind != VN_SHAPE_ORIENTED && shape->kind != VN_SHAPE_HULL)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "separating axes need flat faces and a convex shape: a box or a hull");

    vn_status status = vni_corners_make(allocator, shape, true, &corners);
    if (status == VN_OK && corners.count == 0)
        status = VN_UNSUPPORTED;
    else if (status == VN_OK && !take(&o, &corners))
        status = VN_OUT_OF_MEMORY;
    vni_corners_free(&corners);

    if (status == VN_OK)
        *out = o;
    else
        vni_overlap_free(&o);
    return status == VN_OK
               ? VN_OK
               : vni_fail(detail, status,
                          status == VN_OUT_OF_MEMORY ? "no memory for the separating axes of a shape"
                                                     : "separating axes need a shape with a volume");
}

void vni_overlap_free(vni_overlap* o) {
    if (o->vertices != NULL)
        VNI_DELETE_ARRAY(&o->allocator, o->vertices, o->vertex_capacity);
    if (o->normals != NULL)
        VNI_DELETE_ARRAY(&o->allocator, o->normals, o->normal_capacity);
    if (o->edges != NULL)
        VNI_DELETE_ARRAY(&o->allocator, o->edges, o->edge_capacity);
    if (o->axes != NULL)
        VNI_DELETE_ARRAY(&o->allocator, o->axes, o->axis_capacity);
    *o = (vni_overlap){0};
}

// --------------------------------------------------------------------------------------------------- placing

static bool is_of_grid(vni_vec d) {
    const double x2 = d.x * d.x, y2 = d.y * d.y, z2 = d.z * d.z, most = PARALLEL * PARALLEL;
    return y2 + z2 < most || z2 + x2 < most || x2 + y2 < most;
}

static void add_axis(vni_overlap* o, vni_vec axis) {
    const double length = vni_length(axis);
    if (length < LEAST_AXIS)
        return;
    VNI_ASSERT(o->axis_count < o->axis_capacity);
    struct vni_overlap_axis* a = &o->axes[o->axis_count++];
    a->axis = vni_scale(axis, 1 / length);
    a->reach = (vni_abs(a->axis.x) + vni_abs(a->axis.y) + vni_abs(a->axis.z)) / 2;
    a->low = HUGE_VAL;
    a->high = -HUGE_VAL;
}

static void list_axes(vni_overlap* o, const vni_vec turn[3]) {
    const vni_vec grid[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    o->axis_count = 0;
    for (int i = 0; i < 3; ++i)
        add_axis(o, grid[i]);

    for (uint32_t i = 0; i < o->normal_count; ++i) {
        const vni_vec n = vni_turned(turn, o->normals[i]);
        if (!is_of_grid(n))
            add_axis(o, n);
    }

    for (uint32_t i = 0; i < o->edge_count; ++i) {
        const vni_vec e = vni_turned(turn, o->edges[i]);
        for (int k = 0; k < 3 && !is_of_grid(e); ++k)
            add_axis(o, vni_cross(e, grid[k]));
    }
}

void vni_overlap_place(vni_overlap* o, const vn_transform* transform, const vni_frame* frame) {
    vni_vec turn[3];
    vni_quat_axes(transform->rotation, turn);
    list_axes(o, turn);
    for (uint32_t i = 0; i < o->vertex_count; ++i) {
        const vni_vec v = vni_add(vni_turned(turn, vni_scale(o->vertices[i], (double)transform->scale)),
                                  vni_v_from(transform->position));
        const vni_vec p = vni_to_frame(frame, v);
        for (uint32_t k = 0; k < o->axis_count; ++k) {
            struct vni_overlap_axis* a = &o->axes[k];
            const double at = vni_dot(a->axis, p);
            a->low = at < a->low ? at : a->low;
            a->high = at > a->high ? at : a->high;
        }
    }
}

bool vni_overlap_meets(const vni_overlap* o, vn_voxel voxel, double slack) {
    const vni_vec center = vni_v(voxel.x + 0.5, voxel.y + 0.5, voxel.z + 0.5);
    for (uint32_t i = 0; i < o->axis_count; ++i) {
        const struct vni_overlap_axis* a = &o->axes[i];
        const double at = vni_dot(a->axis, center);
        if (at + a->reach <= a->low - slack || at - a->reach >= a->high + slack)
            return false;
    }

    return true;
}
