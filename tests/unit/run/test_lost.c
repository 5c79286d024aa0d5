/// tests/unit/run/test_lost.c: runs of Lost in Space: pilots that hunt, the thesis's enemies, times,
/// refusals.
#include "fly.h"

#include <math.h>
#include <string.h>

#include "run/run_inside.h"
#include "support.h"

static vn_run_def def_of(double seconds) {
    vn_run_def def = vn_default_run_def();
    def.scene = "lost-in-space";
    def.limit = seconds;
    return def;
}

/// Pilots touch no asteroid and catch the player; enemies that fly straight do touch.
static void test_hunt(void** state) {
    (void)state;
    vn_run_def def = def_of(vnt_scale(20, 600));
    def.seed = 7;
    const vn_run_result pilots = fly(&def);
    assert_int_equal(pilots.end, VN_RUN_ARRIVED);
    assert_int_equal(pilots.agents, 20);
    assert_int_equal(pilots.collisions, 0);
    assert_int_equal(pilots.agent_hits, 0);
    assert_true(pilots.clearance > 0);
    assert_true(pilots.caught > 0);
    assert_true(pilots.seconds >= def.limit);
    assert_true(pilots.length > 1000);
    assert_true(pilots.steps > 3000);

    def.rules = VN_RUN_THESIS;
    const vn_run_result straight = fly(&def);
    assert_true(straight.collisions > 0);
    assert_true(straight.clearance < 0);
    assert_true(straight.caught > 0);
    assert_true(straight.steps == 0);
}

static void test_same_again(void** state) {
    (void)state;
    vn_run_def def = def_of(3);
    const vn_run_result first = fly(&def);
    assert_true(fly(&def).hash == first.hash);
    def.seed = 2;
    assert_true(fly(&def).hash != first.hash);
    def.seed = 1;
    def.variant = "circles";
    const vn_run_result circles = fly(&def);
    assert_true(circles.hash != first.hash);
    assert_int_equal(circles.collisions, 0);
    def.variant = NULL;
    def.obstacles = 0;
    def.agents = 3;
    assert_true(fly(&def).clearance == HUGE_VAL);
}

static double ticks;

/// Each step of the run asks twice, so that it takes a millisecond.
static double tick(void) {
    return ticks += 0.001;
}

static void test_times(void** state) {
    (void)state;
    vn_run_def def = def_of(1);
    def.agents = 2;
    assert_true(fly(&def).path_seconds == 0);
    assert_true(fly(&def).p99_step == 0);
    def.clock = tick;
    const vn_run_result result = fly(&def);
    assert_true(fabs(result.path_seconds - 0.06) < 1e-9);
    assert_true(fabs(result.worst_step - 0.001) < 1e-9);
    assert_true(result.p99_step >= 0.000999);
    assert_true(result.p99_step <= 0.00104);
}

static void test_histogram(void** state) {
    (void)state;
    static vni_run_times times;
    memset(&times, 0, sizeof times);
    assert_true(vni_run_times_part(&times, 0.99) == 0);
    for (int i = 1; i <= 1000; ++i)
        vni_run_times_add(&times, 1e-5 * i);
    for (int p = 1; p <= 100; ++p) {
        const double part = vni_run_times_part(&times, 0.01 * p), exact = 1e-4 * p;
        assert_true(part >= exact * 0.9999);
        assert_true(part <= exact * 1.04);
    }

    // Times that are too short or too long count at the ends.
    vni_run_times_add(&times, 0);
    vni_run_times_add(&times, 1e9);
    assert_true(vni_run_times_part(&times, 0) <= 2e-9);
    assert_true(vni_run_times_part(&times, 1) == 8);
}

static void test_view(void** state) {
    (void)state;
    vn_run_def def = def_of(1);
    vn_run* run = NULL;
    vn_run_view view;
    assert_int_equal(vn_run_create(&def, &run, NULL), VN_OK);
    assert_int_equal(vn_run_step(run, NULL), VN_RUNNING);
    vn_run_get_view(run, &view);
    assert_int_equal(view.thing_count, 400);
    assert_int_equal(view.agent_count, 21);
    assert_null(view.world);
    assert_true(view.agents[20].radius == 1);
    assert_true(view.agents[20].position.x > 0);
    assert_true(view.agents[0].goal.x == view.agents[20].position.x);
    assert_true(view.things[0].shape.as.sphere.radius >= 0.5f);
    vn_run_destroy(run);
}

static void refused(const vn_run_def* def, vn_status expected) {
    vn_run* run = NULL;
    assert_int_equal(vn_run_create(def, &run, NULL), expected);
    assert_null(run);
}

static void test_refusals(void** state) {
    (void)state;
    vn_run_def def = def_of(1);
    def.autopilot = VN_PILOT_RADAR;
    refused(&def, VN_UNSUPPORTED);
    def = def_of(1);
    def.latency = 0.1;
    refused(&def, VN_UNSUPPORTED);
    def = def_of(1);
    def.agents = 65;
    refused(&def, VN_BAD_ARGUMENT);
    def = def_of(1);
    def.step = 0.5;
    refused(&def, VN_BAD_ARGUMENT);
    def = def_of(1);
    def.variant = "cubes";
    refused(&def, VN_NOT_FOUND);
}

static void test_no_memory(void** state) {
    (void)state;
    vn_run_def def = def_of(0.1);
    def.agents = 1;
    def.obstacles = 3;
    make_without_memory(def, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hunt),     cmocka_unit_test(test_same_again),
                                       cmocka_unit_test(test_times),    cmocka_unit_test(test_histogram),
                                       cmocka_unit_test(test_view),     cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
