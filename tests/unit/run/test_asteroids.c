/// tests/unit/run/test_asteroids.c: flights through asteroids: arrival, the same bytes again, refusals.
#include "fly.h"

#include <math.h>
#include <string.h>

#include "volnav/run.h"

/// Group 6 arrives and touches nothing; group 0 on the same seed does.
static void test_groups(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    def.seed = 100000;
    const vn_run_result six = fly(&def);
    assert_int_equal(six.end, VN_RUN_ARRIVED);
    assert_int_equal(six.collisions, 0);
    assert_int_equal(six.wall_hits, 0);
    assert_true(six.clearance > 0);
    assert_true(six.nominal > 60);
    assert_true(six.fuel > 0.15 * six.length);

    def.autopilot = VN_PILOT_NONE;
    const vn_run_result none = fly(&def);
    assert_int_equal(none.end, VN_RUN_ARRIVED);
    assert_true(none.collisions > 0);
    assert_true(none.clearance < 0);
}

/// Table 9 of the thesis: a larger world of the same density.
static void test_large(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    vn_run_view view;
    vn_run* run = NULL;
    def.variant = "large";
    def.limit = 300;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    vn_run_get_view(run, &view);
    assert_true(view.bounds.max.x == 300);
    assert_true(view.bounds.max.y == 100);
    assert_true(view.bounds.max.z == 700);
    assert_true(view.agents[0].goal.z > 680);
    vn_run_destroy(run);

    const vn_run_result result = fly(&def);
    assert_int_equal(result.end, VN_RUN_ARRIVED);
    assert_int_equal(result.collisions, 0);
    assert_true(result.length > 720);
}

/// The thesis's other worlds, in nodes of 4 metres.
static void test_sizes(void** state) {
    (void)state;
    static const struct {
        const char* variant;
        float size[3];
    } sizes[] = {{"30x8x30", {120, 32, 120}}, {"60x15x60", {240, 60, 240}}, {"120x30x120", {480, 120, 480}}};
    for (int i = 0; i < 3; ++i) {
        vn_run_def def = vn_default_run_def();
        vn_run_view view;
        vn_run* run = NULL;
        def.variant = sizes[i].variant;
        assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
        vn_run_get_view(run, &view);
        assert_true(view.bounds.max.x == sizes[i].size[0]);
        assert_true(view.bounds.max.y == sizes[i].size[1]);
        assert_true(view.bounds.max.z == sizes[i].size[2]);
        vn_run_destroy(run);

        const vn_run_result result = fly(&def);
        assert_int_equal(result.end, VN_RUN_ARRIVED);
        assert_int_equal(result.collisions, 0);
        assert_true(result.length > 1.1 * (double)sizes[i].size[0]);
    }
}

/// Spawners throw at the ship: more of them hit one that does not avoid.
static void test_spawners(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    def.variant = "spawners";
    uint32_t few = 0, many = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        def.seed = seed;
        def.autopilot = VN_PILOT_PREDICT;
        def.obstacles = VN_RUN_AS_SCENE;
        const vn_run_result six = fly(&def);
        assert_int_equal(six.end, VN_RUN_ARRIVED);
        assert_int_equal(six.collisions, 0);
        assert_true(six.clearance > 0);
        assert_true(six.hash == fly(&def).hash);

        def.autopilot = VN_PILOT_NONE;
        def.obstacles = 10;
        few += fly(&def).collisions;
        def.obstacles = 100;
        many += fly(&def).collisions;
    }
    assert_true(many > 9);
    assert_true(many > 3 * few);

    // none is there before the first is thrown
    vn_run* run = NULL;
    vn_run_view view;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    vn_run_get_view(run, &view);
    assert_int_equal(view.thing_count, 0);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(vn_run_step(run, NULL), VN_RUNNING);
    vn_run_get_view(run, &view);
    assert_in_range(view.thing_count, 5, 100);
    vn_run_destroy(run);

    // without any, nothing comes near
    def.obstacles = 0;
    assert_true(fly(&def).clearance == HUGE_VAL);
}

/// Rain and fog cost twice the fuel. Whoever avoids asteroids can avoid them too; group 0 cannot.
static void test_weather(void** state) {
    (void)state;
    static const vn_pilot_group groups[] = {VN_PILOT_NONE, VN_PILOT_RADAR, VN_PILOT_PREDICT};
    for (int i = 0; i < 3; ++i) {
        vn_run_def def = vn_default_run_def();
        def.autopilot = groups[i];
        def.obstacles = 0;
        const vn_run_result fair = fly(&def);
        def.variant = "weather";
        const vn_run_result on = fly(&def);
        def.variant = "weather-off";
        const vn_run_result off = fly(&def);
        assert_int_equal(on.end, VN_RUN_ARRIVED);
        assert_int_equal(on.wall_hits, 0);
        assert_true(off.hash == fair.hash);
        assert_true(off.fuel > 1.2 * fair.fuel);
        assert_true(off.fuel < 2 * fair.fuel);
        if (groups[i] == VN_PILOT_NONE) {
            assert_true(on.hash == off.hash);
            assert_true(on.fuel == off.fuel);
        } else {
            assert_true(on.length > fair.length);
            assert_true(on.fuel < 0.9 * off.fuel);
        }
    }
}

/// Group 3 repairs at each node or when a node holds an obstacle: fewer calls.
static void test_each_move(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    def.autopilot = VN_PILOT_FRAGMENT;
    const vn_run_result seen = fly(&def);
    def.each_move = true;
    const vn_run_result each = fly(&def);
    assert_true(seen.calls > 1);
    assert_true(5 * each.calls > 9 * seen.calls);
}

/// Pictures see the weather, whether it is avoided or not, and where the pilot looks.
static void test_pictures(void** state) {
    (void)state;
    const char* const names[] = {"sparse", "weather", "weather-off"};
    for (int i = 0; i < 3; ++i) {
        vn_run_def def = vn_default_run_def();
        vn_run* run = NULL;
        vn_run_view view;
        def.variant = names[i];
        def.autopilot = VN_PILOT_EXTENDED;
        assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
        vn_run_get_view(run, &view);
        assert_int_equal(view.zone_count, i == 0 ? 0 : 8);
        assert_int_equal(view.lookup_count, 0);
        const uint32_t nominal = view.path_count;
        assert_int_equal(vn_run_step(run, NULL), VN_RUNNING);
        vn_run_get_view(run, &view);
        assert_int_equal(view.lookup_count, 5);
        assert_true(view.lookup_edge > 3);
        assert_true(view.path_count > 2 && view.path_count != nominal);
        assert_true(view.path[0].x == view.agents[0].position.x);
        vn_run_destroy(run);
    }
}

/// What pictures follow: an asteroid keeps its id and its velocity.
static void test_things(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    vn_run* run = NULL;
    vn_run_view view;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    vn_run_get_view(run, &view);
    assert_true(view.thing_count > 0);
    const vn_run_thing first = view.things[0];
    assert_int_equal(vn_run_step(run, NULL), VN_RUNNING);
    vn_run_get_view(run, &view);
    bool found = false;
    for (uint32_t i = 0; i < view.thing_count; ++i) {
        const vn_run_thing* t = &view.things[i];
        if (t->id == first.id) {
            const double moved = (double)t->transform.position.x - (double)first.transform.position.x;
            assert_true(fabs(moved - 0.1 * first.velocity.x) < 1e-4);
            found = true;
        }
    }

    assert_true(found);
    vn_run_destroy(run);
}

static double apart(const vn_run_thing* t, vn_dvec3 p) {
    const double x = (double)t->transform.position.x - p.x, y = (double)t->transform.position.y - p.y,
                 z = (double)t->transform.position.z - p.z;
    return sqrt(x * x + y * y + z * z) - (double)t->shape.as.sphere.radius;
}

static bool has_id(const uint64_t* ids, uint32_t count, uint64_t id) {
    for (uint32_t i = 0; i < count; ++i)
        if (ids[i] == id)
            return true;
    return false;
}

/// None appears near the ship. In these flights one once appeared inside it, another so near that it could
/// not get away: far from the route that asteroids are aimed at, on which none appears.
static void test_none_appears_near(void** state) {
    (void)state;
    enum { MOST = 8192 };
    static const uint64_t seeds[] = {700505, 700837};
    static uint64_t before[MOST];
    for (int i = 0; i < 2; ++i) {
        vn_run_def def = vn_default_run_def();
        vn_run* run = NULL;
        vn_run_view view;
        uint32_t count = 0, appeared = 0;
        def.variant = "even-300";
        def.seed = seeds[i];
        const int last = i == 0 ? 650 : 370;
        assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
        for (int step = 0;; ++step) {
            vn_run_get_view(run, &view);
            for (uint32_t k = 0; step > 0 && k < view.thing_count; ++k) {
                const double gap = apart(&view.things[k], view.agents[0].position);
                const bool is_new = gap < 40 && !has_id(before, count, view.things[k].id);
                appeared += is_new;
                assert_true(!is_new || gap > 3.5); // of 4, and what both move in the step
            }

            count = view.thing_count < MOST ? view.thing_count : MOST;
            for (uint32_t k = 0; k < count; ++k)
                before[k] = view.things[k].id;
            if (step == last)
                break;
            assert_int_equal(vn_run_step(run, NULL), VN_RUNNING);
        }

        vn_run_result result;
        vn_run_get_result(run, &result);
        assert_int_equal(result.collisions, 0);
        assert_true(appeared > 50);
        vn_run_destroy(run);
    }
}

static void test_same_again(void** state) {
    (void)state;
    vn_run_def def = vn_default_run_def();
    def.limit = 20;
    const vn_run_result first = fly(&def), second = fly(&def);
    assert_int_equal(first.end, VN_RUN_TIMEOUT);
    assert_true(first.hash == second.hash);
    def.seed = 2;
    assert_true(fly(&def).hash != first.hash);
}

static void test_refusals(void** state) {
    (void)state;
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_run_def def = vn_default_run_def();
    def.scene = "nowhere";
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_NOT_FOUND);
    def.scene = "asteroids";
    def.algo = "magic";
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_NOT_FOUND);
    assert_non_null(strstr(detail.text, "cells"));
    def.algo = NULL;
    def.variant = "maze";
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_NOT_FOUND);
    def.variant = NULL;
    def.step = 0.0001;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_BAD_ARGUMENT);
    def.step = 0;
    def.agents = 2;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_UNSUPPORTED);
    assert_null(run);
    def.cookie = 0;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_BAD_DEF);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pictures),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_spawners),
                                       cmocka_unit_test(test_weather),
                                       cmocka_unit_test(test_each_move),
                                       cmocka_unit_test(test_things),
                                       cmocka_unit_test(test_none_appears_near),
                                       cmocka_unit_test(test_same_again),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
