/// tests/unit/classic/roadmap_stage.h: the theses' scene in a nav, with both roadmaps behind it.
#ifndef ROADMAP_STAGE_H
#define ROADMAP_STAGE_H

#include "classic/roadmap_inside.h"
#include "cmocka_all.h"
#include "nav/nav_inside.h"
#include "support.h"
#include "volnav/sim.h"

/// One, as in the thesis, mostly leaves the waypoints in pieces.
#define INDIRECT 4

/// The scene "krafft" in a nav, with both roadmaps behind it.
typedef struct stage {
    vn_moving_scene* scene;
    vn_staging* staging;
    vn_nav* nav;
    vn_space* fixed;
    vn_roadmap* roads[2]; ///< by kind
    uint64_t version;
    vn_allocator allocator;
} stage;

static inline vn_world* make_world(const stage* s) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.allocator = s->allocator;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_moving_scene_build(s->scene, world, NULL), VN_OK);
    return world;
}

static inline vn_space_def space_def(const stage* s) {
    vn_moving_scene_info info;
    vn_space_def def = vn_default_space_def();
    vn_moving_scene_get_info(s->scene, &info);
    def.allocator = s->allocator;
    def.resolution = info.resolution;
    def.has_bounds = true;
    def.bounds = info.bounds;
    return def;
}

static inline vn_space* bake(const stage* s, const vn_world* world) {
    const vn_space_def def = space_def(s);
    vn_space* space;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    return space;
}

static inline vn_staging* make_staging(const stage* s) {
    vn_staging_def def = vn_default_staging_def();
    vn_staging* staging;
    def.scene = s->scene;
    assert_int_equal(vn_staging_create(&def, &staging), VN_OK);
    return staging;
}

/// Watches the scene for a while: every voxel that something moving covers.
static inline vn_area* observe(const stage* s, double seconds) {
    vn_area* area;
    vn_world* world = make_world(s);
    vn_staging* staging = make_staging(s);
    assert_int_equal(vn_area_create(&s->allocator, s->fixed, &area, NULL), VN_OK);
    for (double t = 0; t < seconds; t += 0.25) {
        assert_int_equal(vn_staging_to_world(staging, world, t, NULL, NULL), VN_OK);
        vn_space* now = bake(s, world);
        assert_int_equal(vn_area_observe(area, s->fixed, now), VN_OK);
        vn_space_destroy(now);
    }

    vn_staging_destroy(staging);
    vn_world_destroy(world);
    return area;
}

static inline void start_nav(stage* s, vn_world* world) {
    vn_nav_def def = vn_default_nav_def();
    def.allocator = s->allocator;
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 1;
    def.space = space_def(s);
    def.history = 8;
    assert_int_equal(vn_nav_create(world, &def, &s->nav, NULL), VN_OK);
}

static inline stage start(double seconds, uint32_t history, vn_allocator allocator) {
    stage s = {.allocator = allocator};
    const vn_moving_scene_def scene_def = vn_default_moving_scene_def();
    assert_int_equal(vn_moving_scene_create(&scene_def, &s.scene, NULL), VN_OK);
    vn_world* world = make_world(&s);
    s.fixed = bake(&s, world);
    s.staging = make_staging(&s);
    assert_int_equal(vn_staging_to_world(s.staging, world, 0, NULL, NULL), VN_OK);

    vn_space* now = bake(&s, world);
    vn_area* area = observe(&s, seconds);
    vn_roadmap_def def = vn_default_roadmap_def();
    def.allocator = allocator;
    def.history = history;
    def.indirect = INDIRECT;
    assert_int_equal(vn_roadmap_create_hybrid(s.fixed, area, now, &def, &s.roads[0], NULL), VN_OK);
    assert_int_equal(vn_roadmap_create_waypoints(world, now, &def, &s.roads[1], NULL), VN_OK);
    s.version = 1;
    vn_area_destroy(area);
    vn_space_destroy(now);
    start_nav(&s, world);
    return s;
}

static inline void stop(stage* s) {
    for (int i = 0; i < 2; ++i)
        vn_roadmap_destroy(s->roads[i]);
    vn_nav_destroy(s->nav);
    vn_staging_destroy(s->staging);
    vn_moving_scene_destroy(s->scene);
    vn_space_destroy(s->fixed);
}

/// Moves on to a time; the nav shows it when this returns.
static inline void move_to(stage* s, double seconds) {
    assert_int_equal(vn_staging_to_nav(s->staging, s->nav, seconds, NULL, NULL), VN_OK);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(vn_nav_tick(s->nav, NULL), VN_OK);
    vn_nav_stats stats;
    vn_nav_get_stats(s->nav, &stats);
    assert_true(stats.version_lag == 0);
}

/// Both roadmaps to the nav's newest version, one version after the other.
static inline void follow(stage* s) {
    uint64_t newest;
    const vn_space* space = vn_nav_pin(s->nav, 0, 0, &newest);
    assert_true(newest <= s->version + 1); // a move makes one version
    while (s->version < newest) {
        const vn_changes* changes;
        assert_int_equal(vn_nav_get_changes(s->nav, ++s->version, &changes), VN_OK);
        for (int i = 0; i < 2; ++i)
            assert_int_equal(vn_roadmap_follow(s->roads[i], space, s->version, changes, 0, NULL), VN_OK);
        vn_nav_release_changes(s->nav, changes);
    }
    assert_int_equal(vn_nav_unpin(s->nav, newest), VN_OK);
}

#endif
