/// tests/unit/sim/test_staging.c: a scene in a world and in a nav: after any row of times both equal a world
/// made anew at the last one.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"
#include <string.h>

/// One of each: still ones that come and go, and a zone.
static vn_moving_scene* make(vn_allocator allocator) {
    static const vn_vec3 points[] = {{2, 2, 2}, {9, 9, 2}, {9, 9, 9}};
    vn_mover_def movers[7];
    for (int i = 0; i < 7; ++i) {
        movers[i] = vn_default_mover_def();
        movers[i].motion.position = (vn_vec3){3 + (float)i, 14, 4};
    }

    movers[0].motion.kind = VN_MOTION_PATROL, movers[0].motion.points = points,
    movers[0].motion.point_count = 3;
    movers[0].motion.speed = 1.5, movers[0].influence = 3;
    movers[1].motion.kind = VN_MOTION_TURN, movers[1].motion.axis = 1,
    movers[1].motion.turns_per_second = 0.1;
    movers[2].motion.kind = VN_MOTION_BLINK, movers[2].motion.on = 1.5, movers[2].motion.off = 1;
    movers[2].influence = 2;
    movers[3].motion.kind = VN_MOTION_DRIFT, movers[3].motion.velocity = (vn_vec3){1, -2, 0.5f};
    movers[3].motion.edge = VN_EDGE_RETURN;
    movers[3].shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, 0.75f}};
    movers[4].motion.kind = VN_MOTION_ORBIT, movers[4].motion.points = points,
    movers[4].motion.point_count = 3;
    movers[4].motion.speed = 2, movers[4].motion.radius = 1, movers[4].motion.turns = 1;
    movers[5].vanishes = 20;
    movers[6].appears = 10;
    movers[6].shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, 0.75f}};
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene = NULL;
    def.allocator = allocator;
    def.name = "empty";
    def.movers = movers;
    def.mover_count = 7;
    assert_int_equal(vn_moving_scene_create(&def, &scene, NULL), VN_OK);
    return scene;
}

static vn_staging* stage(const vn_moving_scene* scene, bool planning) {
    vn_staging_def def = vn_default_staging_def();
    vn_staging* staging = NULL;
    def.scene = scene;
    def.planning = planning;
    def.flags = 4;
    assert_int_equal(vn_staging_create(&def, &staging), VN_OK);
    return staging;
}

static vn_world* make_world(void) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_space* bake(const vn_world* world) {
    vn_space_def def = vn_default_space_def();
    vn_space* space = NULL;
    def.resolution = 0.5f;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {20, 20, 20}};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    return space;
}

static void assert_same_voxels(const vn_space* a, const vn_space* b) {
    uint32_t blocked = 0;
    for (int i = 0; i < 40 * 40 * 40; ++i) {
        const vn_voxel v = {i % 40, i / 40 % 40, i / 1600};
        assert_true(vn_space_voxel_free(a, v) == vn_space_voxel_free(b, v));
        blocked += !vn_space_voxel_free(a, v);
    }
    assert_true(blocked > 0);
}

static double draw_time(uint64_t* random, uint32_t step) {
    // Mostly a clock that runs, sometimes one that jumps.
    return step % 5 == 0 ? (double)(vn_random_next(random) % 4000) / 100 : 0.1 * step;
}

/// Ids, transforms, velocities and zones are those of the states.
static void assert_staged(const vn_moving_scene* scene, const vn_staging* staging, const vn_world* world,
                          double t) {
    uint32_t there = 0, zones = 0;
    vn_zone listed[VN_MAX_ZONES];
    for (uint32_t i = 0; i < 7; ++i) {
        vn_mover_state s;
        vn_transform transform;
        vn_vec3 velocity;
        const vn_obstacle_id id = vn_staging_obstacle(staging, i);
        assert_int_equal(vn_moving_scene_get_state(scene, i, t, NULL, &s), VN_OK);
        assert_true((id.index1 != 0) == s.present);
        if (!s.present) {
            continue;
        }

        vn_obstacle_info info;
        ++there;
        zones += i == 0 || i == 2;
        assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
        assert_int_equal(info.flags, 4);
        if (i < 5) {
            assert_int_equal(vn_world_get_transform(world, id, &transform), VN_OK);
            assert_memory_equal(&transform.position, &s.transform.position, sizeof transform.position);
            assert_int_equal(vn_world_get_velocity(world, id, &velocity), VN_OK);
            assert_memory_equal(&velocity, &s.velocity, sizeof velocity);
        } else {
            assert_int_equal(vn_world_get_transform(world, id, &transform),
                             VN_UNSUPPORTED); // static geometry
        }
    }

    uint32_t count = 0;
    assert_int_equal(vn_world_count(world), there);
    assert_int_equal(vn_world_get_zones(world, listed, VN_MAX_ZONES, &count), VN_OK);
    assert_int_equal(count, zones);
    for (uint32_t i = 0; i < count; ++i) {
        vn_mover_state s;
        const uint32_t mover = listed[i].radius == 3 ? 0 : 2;
        assert_true(listed[i].radius == 3 || listed[i].radius == 2);
        assert_true(listed[i].factor == 4);
        assert_int_equal(vn_moving_scene_get_state(scene, mover, t, NULL, &s), VN_OK);
        assert_memory_equal(&listed[i].center, &s.transform.position, sizeof listed[i].center);
    }
}

static void test_world(void** state) {
    (void)state;
    uint64_t random = vnt_seed("staging", 2);
    vn_moving_scene* scene = make(vn_default_allocator());
    vn_staging* staging = stage(scene, false);
    vn_world* world = make_world();
    for (uint32_t step = 0; step < vnt_scale(300, 5000); ++step) {
        const double t = draw_time(&random, step);
        assert_int_equal(vn_staging_to_world(staging, world, t, NULL, NULL), VN_OK);
        assert_staged(scene, staging, world, t);

        // Again: nothing has changed.
        const uint64_t before = vn_world_revision(world), zones = vn_world_zone_revision(world);
        assert_int_equal(vn_staging_to_world(staging, world, t, NULL, NULL), VN_OK);
        assert_true(vn_world_revision(world) == before);
        assert_true(vn_world_zone_revision(world) == zones);
        if (step % 10 == 0) {
            vn_world* fresh_world = make_world();
            vn_staging* fresh = stage(scene, false);
            assert_int_equal(vn_staging_to_world(fresh, fresh_world, t, NULL, NULL), VN_OK);
            vn_space *a = bake(world), *b = bake(fresh_world);
            assert_same_voxels(a, b);
            vn_space_destroy(a);
            vn_space_destroy(b);
            vn_staging_destroy(fresh);
            vn_world_destroy(fresh_world);
        }
    }

    vn_staging_destroy(staging);
    vn_staging_destroy(NULL);
    vn_world_destroy(world);
    vn_moving_scene_destroy(scene);
}

/// A nav that takes the world over: its newest version is a fresh bake of the scene at that time.
static void test_nav(void** state) {
    (void)state;
    uint64_t random = vnt_seed("staging", 3);
    for (int planning = 0; planning < 2; ++planning) {
        vn_moving_scene* scene = make(vn_default_allocator());
        vn_staging* staging = stage(scene, planning == 1);
        vn_world* world = make_world();
        vn_nav* nav = NULL;
        vn_nav_def def = vn_default_nav_def();
        def.space.resolution = 0.5f;
        def.space.has_bounds = true;
        def.space.bounds = (vn_box){{0, 0, 0}, {20, 20, 20}};
        assert_int_equal(vn_staging_to_world(staging, world, 0, NULL, NULL), VN_OK);
        assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);
        for (uint32_t step = 1; step < vnt_scale(100, 2000); ++step) {
            const double t = draw_time(&random, step);
            assert_int_equal(vn_staging_to_nav(staging, nav, t, NULL, NULL), VN_OK);
            assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
            assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

            uint64_t version;
            vn_world* fresh_world = make_world();
            vn_staging* fresh = stage(scene, planning == 1);
            assert_int_equal(vn_staging_to_world(fresh, fresh_world, t, NULL, NULL), VN_OK);
            const vn_space* a = vn_nav_pin(nav, 0, 0, &version);
            vn_space* b = bake(fresh_world);
            assert_same_voxels(a, b);
            assert_int_equal(vn_nav_unpin(nav, version), VN_OK);
            vn_space_destroy(b);
            vn_staging_destroy(fresh);
            vn_world_destroy(fresh_world);
        }

        vn_nav_destroy(nav);
        vn_staging_destroy(staging);
        vn_moving_scene_destroy(scene);
    }
}

/// The planning volumes, and no zones, where they are wanted.
static void test_planning(void** state) {
    (void)state;
    vn_moving_scene* scene = make(vn_default_allocator());
    vn_staging_def def = vn_default_staging_def();
    vn_staging* staging = NULL;
    vn_world* world = make_world();
    def.scene = scene;
    def.planning = true;
    def.no_zones = true;
    assert_int_equal(vn_staging_create(&def, &staging), VN_OK);
    assert_int_equal(vn_staging_to_world(staging, world, 1, NULL, NULL), VN_OK);
    for (uint32_t i = 0; i < 7; ++i) {
        vn_mover_info mover;
        vn_mover_state s;
        vn_obstacle_info info;
        vn_box expected;
        vn_moving_scene_get_mover(scene, i, &mover);
        assert_int_equal(vn_moving_scene_get_state(scene, i, 1, NULL, &s), VN_OK);
        if (s.present) {
            vn_world* other = make_world();
            assert_int_equal(vn_world_add_moving(other, &mover.planning, &s.transform, NULL, NULL), VN_OK);
            assert_true(vn_world_get_bounds(other, &expected));
            assert_int_equal(vn_world_get_info(world, vn_staging_obstacle(staging, i), &info), VN_OK);
            assert_memory_equal(&info.bounds, &expected, sizeof expected);
            vn_world_destroy(other);
        }
    }

    uint32_t zones = 9;
    assert_int_equal(vn_world_get_zones(world, NULL, 0, &zones), VN_OK);
    assert_int_equal(zones, 0);
    vn_staging_destroy(staging);
    vn_world_destroy(world);
    vn_moving_scene_destroy(scene);
}

/// A blinker that an agent holds; a mover that something else removed; times and defs that are refused.
static void test_hook_and_refusals(void** state) {
    (void)state;
    vn_moving_scene* scene = make(vn_default_allocator());
    vn_staging* staging = stage(scene, false);
    vn_world* world = make_world();
    vn_detail detail = {0};
    vn_blinkers held;
    assert_int_equal(vn_moving_scene_get_timers(scene, 0, &held), VN_OK);
    const vn_vec3 agent = {5, 14, 4};
    assert_int_equal(vn_moving_scene_blink(scene, 2, &agent, 1, 3, &held), VN_OK);
    assert_int_equal(vn_staging_to_world(staging, world, 2, &held, &detail), VN_OK);
    assert_true(vn_staging_obstacle(staging, 2).index1 != 0); // its timer says that it is away
    assert_int_equal(vn_staging_to_world(staging, world, 2, NULL, &detail), VN_OK);
    assert_true(vn_staging_obstacle(staging, 2).index1 == 0);

    const vn_obstacle_id third = vn_staging_obstacle(staging, 3);
    assert_int_equal(vn_world_remove(world, third), VN_OK);
    assert_int_equal(vn_staging_to_world(staging, world, 3, NULL, &detail), VN_STALE_ID);
    assert_true(detail.index == 3);
    assert_non_null(strstr(detail.text, "removed"));
    assert_int_equal(vn_staging_to_world(staging, world, -1, NULL, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "time"));

    vn_staging_def def = vn_default_staging_def();
    vn_staging* none = NULL;
    assert_int_equal(vn_staging_create(&def, &none), VN_BAD_ARGUMENT);
    def.scene = scene;
    def.cookie = 0;
    assert_int_equal(vn_staging_create(&def, &none), VN_BAD_DEF);
    assert_null(none);
    vn_staging_destroy(staging);
    vn_world_destroy(world);
    vn_moving_scene_destroy(scene);
}

/// Whichever allocation fails, the next call mends it, and nothing is left behind.
static void test_out_of_memory(void** state) {
    (void)state;
    vn_moving_scene* scene = make(vn_default_allocator());
    bool failed = true;
    uint64_t k = 0;
    for (; failed; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_world_def world_def = vn_default_world_def();
        vn_staging_def def = vn_default_staging_def();
        vn_world* world = NULL;
        vn_staging* staging = NULL;
        world_def.allocator = def.allocator = vnt_memory_allocator(&memory);
        def.scene = scene;
        def.flags = 4;
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        memory.fail_at = memory.calls + k;
        vn_status status = vn_staging_create(&def, &staging);
        if (status == VN_OK) {
            for (int step = 0; step < 3; ++step) {
                status = vn_staging_to_world(staging, world, 12.0 * step, NULL, NULL);
                assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
            }
            status = vn_staging_to_world(staging, world, 5, NULL, NULL);
            if (status != VN_OK) {
                assert_int_equal(vn_staging_to_world(staging, world, 5, NULL, NULL), VN_OK);
            }
            assert_staged(scene, staging, world, 5);
        } else {
            assert_int_equal(status, VN_OUT_OF_MEMORY);
        }

        failed = memory.failed;
        vn_staging_destroy(staging);
        vn_world_destroy(world);
        assert_int_equal(memory.live_blocks, 0);
    }

    assert_true(k > 5);
    vn_moving_scene_destroy(scene);
}

/// Walls of krafft: all or none.
static void test_build(void** state) {
    (void)state;
    const vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene = NULL;
    vn_moving_scene_info info;
    vn_status status = VN_OUT_OF_MEMORY;
    assert_int_equal(vn_moving_scene_create(&def, &scene, NULL), VN_OK);
    vn_moving_scene_get_info(scene, &info);
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_world_def world_def = vn_default_world_def();
        vn_world* world = NULL;
        world_def.allocator = vnt_memory_allocator(&memory);
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        memory.fail_at = memory.calls + k;
        status = vn_moving_scene_build(scene, world, NULL);
        assert_int_equal(vn_world_count(world), status == VN_OK ? info.walls : 0);
        vn_world_destroy(world);
        assert_int_equal(memory.live_blocks, 0);
    }

    vn_moving_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world),         cmocka_unit_test(test_nav),
        cmocka_unit_test(test_planning),      cmocka_unit_test(test_hook_and_refusals),
        cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_build)};
    return cmocka_run_group_tests_name("sim/staging", tests, NULL, NULL);
}
