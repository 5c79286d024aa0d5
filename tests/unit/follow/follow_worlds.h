/// tests/unit/follow/follow_worlds.h: random worlds and agents for the tests of following: a space, what
/// judges it, and paths in it.
#ifndef VNT_FOLLOW_WORLDS_H
#define VNT_FOLLOW_WORLDS_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "volnav/follow.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

/// A world of voxels without shapes, or of shapes with an agent that has a radius.
typedef struct follow_world {
    vn_space* space;
    vn_world* world; ///< null: voxels
    vn_query* query;
    double step; ///< of the lattice, metres
} follow_world;

static inline vn_vec3 follow_random_vec(vni_rng* rng, double low, double high) {
    vn_vec3 v;
    v.x = (float)(low + (high - low) * vni_rng_real(rng));
    v.y = (float)(low + (high - low) * vni_rng_real(rng));
    v.z = (float)(low + (high - low) * vni_rng_real(rng));
    return v;
}

/// Boxes and spheres in a cube of 12 m, for an agent of a quarter metre.
static inline void follow_add_shapes(vni_rng* rng, vn_world* world, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const vn_vec3 at = follow_random_vec(rng, 0, 12), size = follow_random_vec(rng, 0.2, 2.5);
        vn_shape shape = {.kind = VN_SHAPE_BOX};
        shape.as.box.min = at;
        shape.as.box.max = (vn_vec3){at.x + size.x, at.y + size.y, at.z + size.z};
        if (i % 3 == 0) {
            shape.kind = VN_SHAPE_SPHERE;
            shape.as.sphere.center = at;
            shape.as.sphere.radius = size.x / 2;
        }

        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }
}

static inline follow_world follow_shapes(vni_rng* rng) {
    const vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    follow_world w = {0};
    assert_int_equal(vn_world_create(&world_def, &w.world), VN_OK);
    follow_add_shapes(rng, w.world, 10 + vni_rng_below(rng, 60));
    def.resolution = 0.3f;
    def.radius = 0.25f;
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){12, 12, 12};
    assert_int_equal(vn_space_bake(w.world, &def, &w.space, NULL), VN_OK);
    return w;
}

static inline follow_world follow_world_make(vni_rng* rng) {
    follow_world w = {0};
    vn_query_def def = vn_default_query_def();
    if (vni_rng_below(rng, 2) == 0) {
        const vn_jobs jobs = vn_serial_jobs();
        vn_voxel dims;
        dims.x = vni_rng_range(rng, 4, 32);
        dims.y = vni_rng_range(rng, 4, 32);
        dims.z = vni_rng_range(rng, 4, 32);
        vnt_voxels voxels = vnt_voxels_random(rng, dims);
        w.space = vnt_voxels_cells(&voxels, &jobs);
        vnt_voxels_free(&voxels);
    } else {
        w = follow_shapes(rng);
    }

    def.max_points = 4096;
    assert_int_equal(vn_query_create(w.space, &def, &w.query, NULL), VN_OK);
    w.step = (double)w.space->resolution / VN_LATTICE;
    return w;
}

static inline void follow_world_free(follow_world* w) {
    vn_query_destroy(w->query);
    vn_space_destroy(w->space);
    vn_world_destroy(w->world);
}

/// Two free points with a path between them; false if none was found. The path is the query's.
static inline bool follow_route(vni_rng* rng, follow_world* w, vn_path_request* request,
                                vn_path_result* result) {
    uint64_t random = vni_rng_next(rng);
    *request = vn_default_path_request();
    request->radius = w->space->radius;
    for (int i = 0; i < 20; ++i) {
        if (vn_space_random_point(w->space, &random, &request->start) != VN_OK)
            return false;
        if (vn_space_random_reachable(w->space, request->start, &random, &request->goal) != VN_OK)
            return false;
        if (vn_query_find_path(w->query, request, result, NULL) == VN_OK && result->length > 0)
            return true;
    }

    return false;
}

static inline vn_point follow_point(const follow_world* w, vn_dvec3 position) {
    vn_point point;
    assert_int_equal(vn_space_point_from_world(w->space, position, &point), VN_OK);
    return point;
}

static inline double follow_size(vn_dvec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static inline vn_dvec3 follow_minus(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double follow_dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The angle between two vectors that are not zero. Exact for small ones too, unlike acos.
static inline double follow_angle(vn_dvec3 a, vn_dvec3 b) {
    const vn_dvec3 cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return atan2(follow_size(cross), follow_dot(a, b));
}

/// Where an agent was, step by step.
typedef struct follow_trace {
    vn_point points[20000];
    uint32_t count;
    double travelled; ///< metres
} follow_trace;

static inline void follow_trace_begin(follow_trace* trace, const follow_world* w, vn_dvec3 position) {
    trace->points[0] = follow_point(w, position);
    trace->count = 1;
    trace->travelled = 0;
}

static inline void follow_trace_add(follow_trace* trace, const follow_world* w, vn_dvec3 position) {
    const vn_point point = follow_point(w, position), last = trace->points[trace->count - 1];
    const vn_dvec3 way = {point.x - last.x, point.y - last.y, point.z - last.z};
    assert_true(trace->count < 20000);
    trace->points[trace->count++] = point;
    trace->travelled += follow_size(way) * w->step;
}

/// The whole flight against the exact checker, and against the shapes at the radius.
static inline void follow_trace_check(const follow_trace* trace, const follow_world* w) {
    vn_check_result result;
    if (!vn_space_check_path(w->space, trace->points, trace->count, &result))
        fail_msg("the flight is not free: %s at step %u", vn_check_fault_word(result.fault), result.segment);
    if (w->world != NULL && !vn_world_check_path(w->world, w->space, trace->points, trace->count,
                                                 (double)w->space->radius, &result))
        fail_msg("the flight is not free: %s at step %u", vn_check_fault_word(result.fault), result.segment);
}

#endif
