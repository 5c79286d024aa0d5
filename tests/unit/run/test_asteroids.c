/// tests/unit/run/test_asteroids.c: flights through asteroids: arrival, the same bytes again, refusals.
#include "cmocka_all.h"

#include <string.h>

#include "volnav/run.h"

static vn_run_result fly(const vn_run_def* def) {
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_run_result result;
    assert_int_equal(vn_run_create(def, &run, &detail), VN_OK);
    vn_status status;
    do {
        status = vn_run_step(run, &detail);
    } while (status == VN_RUNNING);
    assert_int_equal(status, VN_OK);
    vn_run_get_result(run, &result);
    vn_run_destroy(run);
    return result;
}

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups), cmocka_unit_test(test_same_again),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
