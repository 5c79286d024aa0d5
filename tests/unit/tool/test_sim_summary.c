/// tests/unit/tool/test_sim_summary.c: what is counted of runs, and which of them is shown.
#include "apps/volnav/commands/sim_summary.c"
#include "apps/volnav/shell/say.c"
#include "apps/volnav/shell/stats.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

/// A campaign of made-up results.
static sim_campaign make(sim_outcome* outcomes, uint64_t count) {
    sim_campaign c = {
        .def = vn_default_run_def(), .runs = count, .outcomes = outcomes, .outcome_count = count};
    c.def.seed = 100;
    return c;
}

static sim_outcome outcome(vn_run_end end, uint32_t collisions) {
    sim_outcome out = {.done = true};
    out.result.end = end;
    out.result.collisions = collisions;
    out.result.clearance = collisions > 0 ? -0.5 : 2;
    out.result.wall_clearance = HUGE_VAL;
    out.result.seconds = 30;
    out.result.nominal = 20;
    out.result.length = 60;
    out.result.calls = 2;
    out.result.path_seconds = 1e-4;
    return out;
}

static void enclosed_runs_count_apart(void** state) {
    (void)state;
    sim_outcome all[] = {outcome(VN_RUN_ARRIVED, 0), outcome(VN_RUN_ENCLOSED, 5), outcome(VN_RUN_ARRIVED, 3),
                         outcome(VN_RUN_TIMEOUT, 0), outcome(VN_RUN_LOST, 0)};
    const sim_campaign c = make(all, 5);
    const sim_summary s = sim_summarise(&c);
    assert_int_equal(s.runs, 5);
    assert_int_equal(s.enclosed, 1);
    assert_int_equal(s.counted, 4);
    assert_int_equal(s.reached, 2);
    assert_int_equal(s.clean, 3);
    assert_int_equal(s.perfect, 1);
    assert_int_equal(s.timeouts, 1);
    assert_int_equal(s.lost, 1);
    assert_int_equal(s.collisions, 3);
    assert_near(s.collisions_mean, 0.75, 1e-12);
    assert_near(s.reached_share.low, stats_wilson(2, 4).low, 0);
    assert_near(s.clearance, -0.5, 0);
    assert_true(s.wall_clearance == HUGE_VAL);
    assert_int_equal(s.flights, 2);
    assert_near(s.ratio, 1.5, 1e-12);
    assert_near(s.length, 60, 1e-12);
    assert_int_equal(s.calls, 10);
    assert_near(s.path_us, 50, 1e-9);
}

/// Walls and other agents are contacts, too.
static void any_contact_is_one(void** state) {
    (void)state;
    sim_outcome all[] = {outcome(VN_RUN_ARRIVED, 0), outcome(VN_RUN_ARRIVED, 0), outcome(VN_RUN_ARRIVED, 0)};
    all[1].result.wall_hits = 1;
    all[2].result.agent_hits = 2;
    const sim_campaign c = make(all, 3);
    const sim_summary s = sim_summarise(&c);
    assert_int_equal(s.clean, 1);
    assert_int_equal(s.wall_hits, 1);
    assert_int_equal(s.agent_hits, 2);
    assert_true(s.failed);
    assert_int_equal(s.shown_seed, 101);
}

static void a_failed_run_is_shown_first(void** state) {
    (void)state;
    sim_outcome all[] = {outcome(VN_RUN_ARRIVED, 0), outcome(VN_RUN_ENCLOSED, 0), outcome(VN_RUN_ENCLOSED, 0),
                         outcome(VN_RUN_TIMEOUT, 0), outcome(VN_RUN_ARRIVED, 1)};
    sim_campaign c = make(all, 5);
    sim_summary s = sim_summarise(&c);
    assert_int_equal(s.shown_seed, 103);
    assert_string_equal(s.shown, "failed");
    c.runs = 3;
    s = sim_summarise(&c);
    assert_int_equal(s.shown_seed, 101);
    assert_string_equal(s.shown, "enclosed");
    assert_false(s.failed);
    c.runs = 1;
    s = sim_summarise(&c);
    assert_int_equal(s.shown_seed, 100);
    assert_string_equal(s.shown, "first");
}

/// 99 of 100 steps take less than 0.4 microseconds, one takes 100.
static void p99_is_the_end_of_a_class(void** state) {
    (void)state;
    sim_outcome all[] = {outcome(VN_RUN_ARRIVED, 0), outcome(VN_RUN_ARRIVED, 0)};
    all[0].times[15] = 60;
    all[1].times[15] = 39;
    all[1].times[79] = 1;
    const sim_campaign c = make(all, 2);
    sim_summary s = sim_summarise(&c);
    assert_near(s.frame_us_p99, 0.4, 1e-9);
    assert_near(s.frame_us_mean, 2, 1e-9);
    all[1].times[15] = 38;
    all[1].times[79] = 2;
    s = sim_summarise(&c);
    assert_near(s.frame_us_p99, 0.1 * 1024, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosed_runs_count_apart), cmocka_unit_test(any_contact_is_one),
        cmocka_unit_test(a_failed_run_is_shown_first), cmocka_unit_test(p99_is_the_end_of_a_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
