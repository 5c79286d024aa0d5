/// tests/unit/sim/test_krafft.c: the scene of Krafft 2019 and 2021 against what the theses measured in
/// theirs.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/classic.h"
#include "volnav/sim.h"
#include <math.h>
#include <string.h>

enum { CELLS = 64 * 56 * 16 };

typedef struct sums {
    double astar, theta, expanded;
    uint32_t searches, blocked;
} sums;

static vn_moving_scene* make(const vn_moving_scene_def* def) {
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    if (vn_moving_scene_create(def, &scene, &detail) != VN_OK) {
        fail_msg("%s", detail.text);
    }

    return scene;
}

/// The cells at a time, each blocked once an obstacle overlaps it, as in Krafft 2019, 4.2.1.
static vn_space* bake(const vn_moving_scene* scene, bool walls, bool planning, float radius, double seconds) {
    const vn_world_def world_def = vn_default_world_def();
    vn_staging_def staging_def = vn_default_staging_def();
    vn_space_def def = vn_default_space_def();
    vn_moving_scene_info info;
    vn_world* world = NULL;
    vn_staging* staging = NULL;
    vn_space* space = NULL;
    vn_moving_scene_get_info(scene, &info);
    staging_def.scene = scene;
    staging_def.planning = planning;
    def.resolution = info.resolution;
    def.has_bounds = true;
    def.bounds = info.bounds;
    def.radius = radius;

    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    if (walls) {
        assert_int_equal(vn_moving_scene_build(scene, world, NULL), VN_OK);
    }

    assert_int_equal(vn_staging_create(&staging_def, &staging), VN_OK);
    if (seconds >= 0) {
        assert_int_equal(vn_staging_to_world(staging, world, seconds, NULL, NULL), VN_OK);
    }

    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_staging_destroy(staging);
    vn_world_destroy(world);
    return space;
}

static void search(const vn_moving_scene* scene, const vn_space* space, double seconds, sums* out) {
    vn_classic_def classic_def = vn_default_classic_def();
    vn_classic_query_def query_def = vn_default_classic_query_def();
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result;
    vn_classic* classic = NULL;
    vn_classic_query* query = NULL;
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_moving_scene_get_info(scene, &info);
    classic_def.kind = VN_CLASSIC_GRID;
    assert_int_equal(vn_classic_build(space, &classic_def, &classic, NULL), VN_OK);
    assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);
    assert_int_equal(vn_moving_scene_get_goal(scene, seconds, &goal, NULL), VN_OK);
    assert_int_equal(vn_space_point_from_local(space, info.start, &request.start), VN_OK);
    assert_int_equal(vn_space_point_from_local(space, goal, &request.goal), VN_OK);

    request.neighbours = 6;
    request.heuristic = VN_HEURISTIC_EUCLIDEAN;
    vn_status status = vn_classic_query_find_path(query, &request, &result, NULL);
    if (status == VN_OK) {
        out->astar += result.path.length;
        out->expanded += (double)result.path.expanded;
        request.algo = VN_CLASSIC_THETA;
        assert_int_equal(vn_classic_query_find_path(query, &request, &result, NULL), VN_OK);
        out->theta += result.path.length;
        ++out->searches;
    } else {
        ++out->blocked;
    }

    vn_classic_query_destroy(query);
    vn_classic_destroy(classic);
}

/// Cells that a moving obstacle blocks at some time in a minute, walls left out.
static uint32_t count_dynamic(const vn_moving_scene* scene) {
    static bool ever[CELLS];
    uint32_t count = 0;
    vn_space* fixed = bake(scene, true, false, 0, -1);
    memset(ever, 0, sizeof ever);
    for (int i = 0; i < 300; ++i) {
        vn_space* space = bake(scene, false, false, 0, 0.2 * i);
        for (uint32_t c = 0; c < CELLS; ++c) {
            const vn_voxel v = {(int)(c % 64), (int)(c / 64 % 56), (int)(c / 3584)};
            if (!ever[c] && !vn_space_voxel_free(space, v) && vn_space_voxel_free(fixed, v)) {
                ever[c] = true;
                ++count;
            }
        }
        vn_space_destroy(space);
    }

    vn_space_destroy(fixed);
    return count;
}

static void assert_within(const char* what, double value, double thesis, double part) {
    print_message("%-16s %9.2f, thesis %9.2f\n", what, value, thesis);
    if (!(fabs(value - thesis) <= part * thesis)) {
        fail_msg("%s is more than %.0f %% off", what, 100 * part);
    }
}

/// Krafft 2019, figure 48 (agent and goal static, epsilon 1, 6 neighbours, Euclidean heuristic) and the
/// dynamic nodes of Krafft 2021, 5.2.1.
static void test_measured(void** state) {
    (void)state;
    const vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_moving_scene* scene = make(&def);
    sums s = {0};
    for (int i = 0; i < 60; ++i) {
        vn_space* space = bake(scene, true, false, 0, 2.1 * i);
        search(scene, space, 2.1 * i, &s);
        vn_space_destroy(space);
    }

    assert_int_equal(s.blocked, 0);
    assert_within("A* length", s.astar / s.searches, 130.28, 0.05);
    assert_within("Theta* length", s.theta / s.searches, 98.28, 0.05);
    assert_within("A* expansions", s.expanded / s.searches, 28295.99, 0.15);
    assert_within("dynamic cells", count_dynamic(scene), 13696, 0.05);
    vn_moving_scene_destroy(scene);
}

// ------------------------------------------------------------------------------------------------- layout

static bool touches(const vn_box* b, vn_vec3 p, float r) {
    return p.x + r > b->min.x && p.x - r < b->max.x && p.y + r > b->min.y && p.y - r < b->max.y &&
           p.z + r > b->min.z && p.z - r < b->max.z;
}

/// Free of all that stands or ever moves, with the planning volumes too, which reach 2 farther.
static void assert_clear(const vn_moving_scene* scene, vn_vec3 p) {
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    const float r = (float)info.agent_radius;
    for (uint32_t i = 0; i < info.walls; ++i) {
        const vn_box wall = vn_moving_scene_wall(scene, i);
        assert_false(touches(&wall, p, r));
    }

    for (uint32_t i = 0; i < info.movers; ++i) {
        vn_mover_info mover;
        vn_moving_scene_get_mover(scene, i, &mover);
        assert_false(touches(&mover.reach, p, r + (mover.kind == VN_MOTION_BLINK ? 0 : 1)));
    }
}

static void test_layout(void** state) {
    (void)state;
    vn_moving_scene_def def = vn_default_moving_scene_def();
    for (int n = 0; n < 6; ++n) {
        def.goal = (vn_goal_motion)(n % 3);
        def.mirrored = n >= 3;
        vn_moving_scene* scene = make(&def);
        vn_moving_scene_info info;
        int patrols = 0, about_z = 0, about_x = 0, blinkers = 0;
        vn_moving_scene_get_info(scene, &info);
        assert_int_equal(info.movers, 16);
        assert_int_equal(info.blinkers, 3);
        for (uint32_t i = 0; i < 16; ++i) {
            vn_mover_info mover;
            vn_moving_scene_get_mover(scene, i, &mover);
            patrols += mover.kind == VN_MOTION_PATROL;
            about_z += mover.kind == VN_MOTION_TURN && mover.axis == 2;
            about_x += mover.kind == VN_MOTION_TURN && mover.axis == 0;
            blinkers += mover.kind == VN_MOTION_BLINK;
            assert_true(mover.speed < info.agent_speed);
            assert_true(mover.kind == VN_MOTION_BLINK ? mover.speed == 0 : fabs(mover.speed - 3) < 1e-9);
            const float bit = 1e-4f; // the reach is rounded outwards
            assert_true(mover.reach.min.x >= -bit);
            assert_true(mover.reach.min.y >= -bit);
            assert_true(mover.reach.min.z >= -bit);
            assert_true(mover.reach.max.x <= 64 + bit);
            assert_true(mover.reach.max.y <= 56 + bit);
            assert_true(mover.reach.max.z <= 16 + bit);
        }

        assert_int_equal(patrols, 6);
        assert_int_equal(about_z, 4);
        assert_int_equal(about_x, 3);
        assert_int_equal(blinkers, 3);
        assert_clear(scene, info.start);
        assert_true(info.start.y > 50);
        assert_true(n < 3 ? info.start.x < 8 : info.start.x > 56);
        for (int k = 0; k < 500; ++k) {
            vn_vec3 goal, velocity;
            assert_int_equal(vn_moving_scene_get_goal(scene, 0.1 * k, &goal, &velocity), VN_OK);
            assert_clear(scene, goal);
            assert_true(def.goal == VN_GOAL_MOTION_VERTICAL || goal.y == 1.5f);
            assert_true(def.goal == VN_GOAL_MOTION_HORIZONTAL || goal.x == (n < 3 ? 62.5f : 1.5f));
            const float speed = fabsf(velocity.x) + fabsf(velocity.y) + fabsf(velocity.z);
            assert_true(speed == (def.goal == VN_GOAL_MOTION_NONE ? 0.0f : 2.0f));
        }
        vn_moving_scene_destroy(scene);
    }
}

/// The mirrored scene is the mirror image at every time.
static void test_mirror(void** state) {
    (void)state;
    vn_moving_scene_def def = vn_default_moving_scene_def();
    def.seed = 7;
    def.goal = VN_GOAL_MOTION_HORIZONTAL;
    vn_moving_scene* a = make(&def);
    def.mirrored = true;
    vn_moving_scene* b = make(&def);
    for (int k = 0; k < 300; ++k) {
        for (uint32_t i = 0; i < 16; ++i) {
            vn_mover_state s, t;
            assert_int_equal(vn_moving_scene_get_state(a, i, 0.19 * k, NULL, &s), VN_OK);
            assert_int_equal(vn_moving_scene_get_state(b, i, 0.19 * k, NULL, &t), VN_OK);
            const vn_quat p = s.transform.rotation, q = t.transform.rotation;
            assert_true(fabsf(s.transform.position.x + t.transform.position.x - 64) < 1e-4f);
            assert_true(fabsf(s.transform.position.y - t.transform.position.y) < 1e-4f);
            assert_true(s.present == t.present);
            // A reflection along x keeps the x part of a rotation and turns the others around; q is -q.
            const float sign = p.w * q.w + p.x * q.x - p.y * q.y - p.z * q.z > 0 ? 1 : -1;
            assert_true(fabsf(p.x - sign * q.x) < 1e-5f);
            assert_true(fabsf(p.z + sign * q.z) < 1e-5f);
            assert_true(fabsf(p.w - sign * q.w) < 1e-5f);
        }
    }

    for (uint32_t i = 0; i < 5; ++i) {
        assert_true(vn_moving_scene_wall(a, i).min.x == 64 - vn_moving_scene_wall(b, i).max.x);
    }
    vn_moving_scene_destroy(a);
    vn_moving_scene_destroy(b);
}

/// No seed closes the way: for the agent with its radius, and for its centre with the planning volumes.
static void test_always_a_way(void** state) {
    (void)state;
    uint64_t random = vnt_seed("krafft", 21);
    for (uint32_t n = 0; n < vnt_scale(300, 20000); ++n) {
        vn_moving_scene_def def = vn_default_moving_scene_def();
        vn_moving_scene_info info;
        vn_vec3 goal;
        vn_point ends[2];
        def.seed = vn_random_next(&random);
        def.mirrored = n % 2 == 1;
        vn_moving_scene* scene = make(&def);
        const double t = (double)(vn_random_next(&random) % 100000) / 100;
        vn_space* space = bake(scene, true, n % 4 < 2, n % 4 < 2 ? 0 : 0.4f, t);
        vn_moving_scene_get_info(scene, &info);
        assert_int_equal(vn_moving_scene_get_goal(scene, t, &goal, NULL), VN_OK);
        assert_int_equal(vn_space_point_from_local(space, info.start, &ends[0]), VN_OK);
        assert_int_equal(vn_space_point_from_local(space, goal, &ends[1]), VN_OK);
        if (!vn_space_reachable(space, ends[0], ends[1])) {
            fail_msg("no way: seed %llu, %g s", (unsigned long long)def.seed, t);
        }
        vn_space_destroy(space);
        vn_moving_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_measured), cmocka_unit_test(test_layout),
                                       cmocka_unit_test(test_mirror), cmocka_unit_test(test_always_a_way)};
    return cmocka_run_group_tests_name("sim/krafft", tests, NULL, NULL);
}
