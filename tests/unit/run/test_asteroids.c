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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups),     cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_each_move),  cmocka_unit_test(test_things),
                                       cmocka_unit_test(test_same_again), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
