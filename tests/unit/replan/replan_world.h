/// tests/unit/replan/replan_world.h: small random worlds that change, as the graphs of a nav, for planners.
#ifndef VNT_REPLAN_WORLD_H
#define VNT_REPLAN_WORLD_H

#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "volnav/classic.h"
#include "volnav/nav.h"
#include "volnav/path.h"
#include "volnav/replan.h"

#include <math.h>
#include <string.h>

enum { WORLD_MOVERS = 6, WORLD_WALLS = 5, WORLD_HISTORY = 4 };

typedef struct replan_world {
    vni_rng rng;
    vn_allocator allocator;
    vn_world* world; ///< until the nav takes it
    vn_nav* nav;
    void (*after_tick)(void* user); ///< of the nav; may be null
    void* user;
    vn_voxel dims;
    vn_obstacle_id movers[WORLD_MOVERS];
    vn_zone_id zone;
} replan_world;

static inline float world_along(vni_rng* rng, int32_t size) {
    return (float)vni_rng_range(rng, 0, size - 1);
}

static inline vn_transform world_spot(replan_world* w) {
    vn_transform at = vn_transform_identity();
    at.position = vnt_vec(world_along(&w->rng, w->dims.x), world_along(&w->rng, w->dims.y),
                          world_along(&w->rng, w->dims.z));
    return at;
}

static inline vn_shape world_box(replan_world* w, int32_t most) {
    return vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec((float)vni_rng_range(&w->rng, 1, most),
                                                   (float)vni_rng_range(&w->rng, 1, most),
                                                   (float)vni_rng_range(&w->rng, 1, most)));
}

/// Up to 16 voxels a side, with a few walls. `allocator`: of everything; null: the default.
static inline void world_begin(replan_world* w, uint64_t seed, const vn_allocator* allocator) {
    memset(w, 0, sizeof *w);
    w->allocator = allocator != NULL ? *allocator : vn_default_allocator();
    w->rng = vni_rng_make(seed);
    w->dims = (vn_voxel){vni_rng_range(&w->rng, 4, 16), vni_rng_range(&w->rng, 4, 16),
                         vni_rng_range(&w->rng, 2, 16)};
    vn_world_def world_def = vn_default_world_def();
    world_def.allocator = w->allocator;
    assert_int_equal(vn_world_create(&world_def, &w->world), VN_OK);
    // in every other world walls from side to side part the rooms
    const bool has_rooms = vni_rng_below(&w->rng, 2) == 0;
    for (uint32_t i = 0; i < WORLD_WALLS; ++i) {
        vn_shape shape = world_box(w, 6);
        if (has_rooms && i < 2)
            shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(i == 0 ? 1 : 14, i == 1 ? 1 : 14, 16));
        const vn_vec3 at = world_spot(w).position, size = shape.as.box.max;
        const vn_shape wall = vnt_box_shape(at, vnt_vec(at.x + size.x, at.y + size.y, at.z + size.z));
        vn_obstacle_id id;
        assert_int_equal(vn_world_add(w->world, &wall, &id, NULL), VN_OK);
    }
}

static inline void world_add_movers(replan_world* w) {
    for (uint32_t i = 0; i < WORLD_MOVERS; ++i) {
        const vn_shape shape = world_box(w, 5);
        const vn_transform at = world_spot(w);
        assert_int_equal(vn_world_add_moving(w->world, &shape, &at, &w->movers[i], NULL), VN_OK);
    }
}

static inline vn_space_def world_space_def(const replan_world* w) {
    vn_space_def def = vn_default_space_def();
    def.allocator = w->allocator;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {(float)w->dims.x, (float)w->dims.y, (float)w->dims.z}};
    return def;
}

/// The nav takes the world; it has all of its graphs.
static inline void world_start_nav(replan_world* w, vn_nav_mode mode, uint32_t workers, uint32_t slots) {
    vn_nav_def def = vn_default_nav_def();
    def.allocator = w->allocator;
    def.mode = mode;
#if VOLNAV_THREADS
    def.workers = workers;
#else
    (void)workers; // the host works
#endif
    def.slots = slots;
    def.space.has_bounds = true;
    def.space.bounds = world_space_def(w).bounds;
    def.history = WORLD_HISTORY;
    def.graphs = (1u << VN_NAV_GRAPH_KINDS) - 1;
    assert_int_equal(vn_nav_create(w->world, &def, &w->nav, NULL), VN_OK);
}

/// The nav of a world of the caller's, whose dims are set.
static inline void world_nav(replan_world* w, vn_world* world, const vn_allocator* allocator) {
    w->allocator = allocator != NULL ? *allocator : vn_default_allocator();
    w->world = world;
    world_start_nav(w, VN_NAV_LOCKSTEP, 0, 0);
}

/// Walls, boxes that move, and the nav.
static inline void world_make_as(replan_world* w, uint64_t seed, vn_nav_mode mode, uint32_t workers,
                                 uint32_t slots, const vn_allocator* allocator) {
    world_begin(w, seed, allocator);
    world_add_movers(w);
    world_start_nav(w, mode, workers, slots);
}

static inline void world_make(replan_world* w, uint64_t seed, const vn_allocator* allocator) {
    world_make_as(w, seed, VN_NAV_LOCKSTEP, 0, 0, allocator);
}

static inline void world_free(replan_world* w) {
    vn_nav_destroy(w->nav);
}

static inline uint64_t world_version(const replan_world* w) {
    vn_nav_stats stats;
    vn_nav_get_stats(w->nav, &stats);
    return stats.version;
}

/// Moves some boxes; sometimes none, sometimes all.
static inline void world_move_some(replan_world* w) {
    const uint32_t moves = vni_rng_below(&w->rng, 8) == 0 ? WORLD_MOVERS : vni_rng_below(&w->rng, 3);
    for (uint32_t i = 0; i < moves; ++i) {
        const vn_obstacle_id id = w->movers[vni_rng_below(&w->rng, WORLD_MOVERS)];
        const vn_transform at = world_spot(w);
        assert_int_equal(vn_nav_move(w->nav, id, &at, NULL), VN_OK);
    }
}

/// The same, and ticks until it is seen.
static inline void world_change(replan_world* w) {
    world_move_some(w);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(vn_nav_tick(w->nav, NULL), VN_OK);
        if (w->after_tick != NULL)
            w->after_tick(w->user);
    }
}

/// A zone comes, or moves: costs change, and voxels do not.
static inline void world_change_zone(replan_world* w) {
    vn_zone_def def = vn_default_zone_def();
    def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 4);
    def.factor = w->zone.index1 == 0 ? 0.5f : 3;
    def.transform = world_spot(w);
    if (w->zone.index1 != 0)
        assert_int_equal(vn_nav_move_zone(w->nav, w->zone, &def.transform, NULL), VN_OK);
    else
        assert_int_equal(vn_nav_add_zone(w->nav, &def, &w->zone, NULL), VN_OK);
}

/// The centre of a voxel, or a place nearby; of a free one if it can be found soon.
static inline vn_point world_point(replan_world* w, const vn_space* space) {
    vn_point point = {0, 0, 0};
    for (uint32_t i = 0; i < 20; ++i) {
        point = vn_voxel_center((vn_voxel){vni_rng_range(&w->rng, 0, w->dims.x - 1),
                                           vni_rng_range(&w->rng, 0, w->dims.y - 1),
                                           vni_rng_range(&w->rng, 0, w->dims.z - 1)});
        if (vn_space_point_free(space, point) || vni_rng_below(&w->rng, 16) == 0)
            break;
    }
    if (vni_rng_below(&w->rng, 4) == 0)
        point.x += vni_rng_range(&w->rng, -400, 400);
    return point;
}

/// The least cost from start to goal of a graph, by Dijkstra; HUGE_VAL if there is no path.
static inline double world_least(vn_graph_query* query, const vn_graph* graph, uint64_t* expanded) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    request.algo = VN_CLASSIC_DIJKSTRA;
    assert_int_equal(vn_graph_query_grow(query, graph->node_limit, NULL), VN_OK);
    const vn_status status = vn_graph_query_find_path(query, graph, &request, &result, NULL);
    *expanded += result.expanded;
    assert_true(status == VN_OK || status == VN_NO_PATH);
    return status == VN_OK ? result.cost : HUGE_VAL;
}

static inline vn_graph_query* world_query(void) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_graph_query* query;
    def.node_limit = 64;
    assert_int_equal(vn_graph_query_create(&def, &query, NULL), VN_OK);
    return query;
}

#endif
