/// tests/unit/nav/scene.h: a world of walls, with boxes and balls that move in it, for the tests of nav.
#ifndef VNT_NAV_SCENE_H
#define VNT_NAV_SCENE_H

#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "volnav/nav.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_MOVERS 24

typedef struct scene {
    vn_nav* nav;
    vni_rng rng;
    vn_obstacle_id wall, movers[SCENE_MOVERS];
} scene;

/// 96 x 64 x 48 metres.
static inline vn_nav_def scene_def(void) {
    vn_nav_def def = vn_default_nav_def();
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {96, 64, 48}};
    return def;
}

static inline vn_transform scene_at(float x, float y, float z) {
    vn_transform t = vn_transform_identity();
    t.position = vnt_vec(x, y, z);
    return t;
}

/// A random position on whole metres.
static inline vn_transform scene_transform(vni_rng* rng) {
    return scene_at((float)vni_rng_range(rng, 2, 94), (float)vni_rng_range(rng, 2, 62),
                    (float)vni_rng_range(rng, 2, 46));
}

/// A wall at x = 48 with a gap of 16 x 16 in the middle, a few pillars, and movers.
static inline vn_world* scene_world(scene* s, uint64_t seed, const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    memset(s, 0, sizeof *s);
    s->rng = vni_rng_make(seed);
    if (allocator != NULL)
        def.allocator = *allocator;

    const vn_box walls[] = {{{48, 0, 0}, {50, 24, 48}},  {{48, 40, 0}, {50, 64, 48}},
                            {{48, 24, 0}, {50, 40, 16}}, {{48, 24, 32}, {50, 40, 48}},
                            {{20, 20, 0}, {26, 26, 48}}, {{70, 30, 0}, {76, 36, 48}}};
    if (vn_world_create(&def, &world) != VN_OK)
        return NULL;

    vn_status status = VN_OK;
    for (uint32_t i = 0; i < sizeof walls / sizeof *walls && status == VN_OK; ++i) {
        vn_shape shape = vnt_box_shape(walls[i].min, walls[i].max);
        status = vn_world_add(world, &shape, &s->wall, NULL);
    }

    for (uint32_t i = 0; i < SCENE_MOVERS && status == VN_OK; ++i) {
        vn_shape shape = i % 2 ? vnt_box_shape(vnt_vec(-3, -3, -3), vnt_vec(3, 3, 3))
                               : vnt_sphere_shape(vnt_vec(0, 0, 0), 3);
        vn_transform transform = scene_transform(&s->rng);
        status = vn_world_add_moving(world, &shape, &transform, &s->movers[i], NULL);
    }

    if (status == VN_OK)
        return world;
    vn_world_destroy(world);
    return NULL;
}

static inline void scene_start(scene* s, uint64_t seed, const vn_nav_def* def) {
    vn_world* world = scene_world(s, seed, NULL);
    assert_non_null(world);
    assert_int_equal(vn_nav_create(world, def, &s->nav, NULL), VN_OK);
}

static inline vn_point scene_point(int32_t x, int32_t y, int32_t z) {
    return vn_voxel_center((vn_voxel){x, y, z});
}

static inline vn_nav_request scene_request(vni_rng* rng) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start =
        scene_point(vni_rng_range(rng, 0, 40), vni_rng_range(rng, 0, 63), vni_rng_range(rng, 0, 47));
    request.path.goal =
        scene_point(vni_rng_range(rng, 52, 95), vni_rng_range(rng, 0, 63), vni_rng_range(rng, 0, 47));
    request.path.snap_distance = 20;

    return request;
}

static inline void scene_move_some(scene* s, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        vn_transform transform = scene_transform(&s->rng);
        vn_obstacle_id id = s->movers[vni_rng_below(&s->rng, SCENE_MOVERS)];
        assert_int_equal(vn_nav_move(s->nav, id, &transform, NULL), VN_OK);
    }
}

/// A result is right in the version that it names.
static inline void scene_check(const vn_nav_result* result) {
    if (result->result.status == VN_CANCELLED) {
        assert_true(result->version == 0);
        assert_true(result->space == NULL);
        assert_true(result->point_count == 0);
        return;
    }

    assert_true(result->version > 0);
    assert_true(result->space != NULL);
    assert_int_equal(result->result.point_count, result->point_count);
    if (result->point_count > 0)
        assert_true(vn_space_check_path(result->space, result->points, result->point_count, NULL));
    else
        assert_int_not_equal(result->result.status, VN_OK);
}

/// Watches a path until it is blocked.
static inline vn_status scene_watch(vn_nav* nav, const vn_point* points, uint32_t count, vn_watch_id* out) {
    vn_watch_def def = vn_default_watch_def();
    def.once = true;
    return vn_nav_watch_points(nav, points, count, &def, out, NULL);
}

static inline vn_status scene_watch_result(vn_nav* nav, const vn_nav_result* result, vn_watch_id* out) {
    vn_watch_def def = vn_default_watch_def();
    def.once = true;
    return vn_nav_watch(nav, result, &def, out, NULL);
}

/// Is this a build with threads?
static inline bool scene_has_threads(void) {
    vn_allocator allocator = vn_default_allocator();
    vn_pool* pool;
    bool has = vn_pool_create(&allocator, 2, &pool) == VN_OK;
    vn_pool_destroy(pool);
    return has;
}

/// With small capacities; all memory comes from `memory`.
static inline vn_nav_def scene_small_def(vnt_memory* memory) {
    vn_nav_def def = scene_def();
    def.allocator = vnt_memory_allocator(memory);
    def.space.allocator = def.allocator;
    def.max_requests = 8;
    def.max_points = 64;
    def.max_watches = 4;

    return def;
}

#endif
