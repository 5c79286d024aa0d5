/// tests/unit/run/test_swarm.c: crowds in warehouse and reef, and the judge of what they touch.
#include "fly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/swarm.h"
#include "support.h"

static vn_run_def def_of(const char* scene, double seconds) {
    vn_run_def def = vn_default_run_def();
    def.scene = scene;
    def.limit = seconds;
    return def;
}

/// False: this build has no threads for the workers that the def asks for.
static bool fly_if_possible(const vn_run_def* def, vn_run_result* result) {
    vn_run* run = NULL;
    const vn_status status = vn_run_create(def, &run, NULL);
    vn_run_destroy(run);
    if (status == VN_UNSUPPORTED && def->workers > 0)
        return false;
    *result = fly(def);
    return true;
}

/// Drones take orders, and touch neither shelves nor lifts nor doors nor each other, at the doors either.
static void test_warehouse(void** state) {
    (void)state;
    const vn_run_def def = def_of("warehouse", vnt_scale(15, 300));
    const vn_run_result result = fly(&def);
    assert_int_equal(result.end, VN_RUN_ARRIVED);
    assert_int_equal(result.agents, 40);
    assert_int_equal(result.wall_hits, 0);
    assert_int_equal(result.collisions, 0);
    assert_int_equal(result.agent_hits, 0);
    assert_true(result.agent_clearance > 0);
    assert_true(result.wall_clearance >= -1e-6);
    assert_true(result.goals > 10);
    assert_true(result.length > 100);
    assert_true(result.calls >= 40);
}

static void test_reef(void** state) {
    (void)state;
    const vn_run_def def = def_of("reef", vnt_scale(6, 120));
    const vn_run_result result = fly(&def);
    assert_int_equal(result.end, VN_RUN_ARRIVED);
    assert_int_equal(result.agents, 200);
    assert_int_equal(result.wall_hits, 0);
    assert_int_equal(result.collisions, 0);
    assert_true(result.clearance == HUGE_VAL);
    assert_int_equal(result.agent_hits, 0);
    assert_true(result.length > 1000);
}

static void test_same_again(void** state) {
    (void)state;
    const char* const names[] = {"warehouse", "reef"};
    for (int i = 0; i < 2; ++i) {
        vn_run_def def = def_of(names[i], 1.5);
        vn_run_result second;
        def.agents = 30;
        const vn_run_result first = fly(&def);
        assert_true(fly(&def).hash == first.hash);
        def.workers = 2;
        if (fly_if_possible(&def, &second))
            assert_true(first.hash == second.hash);
        def.workers = 0;
        def.seed = 2;
        assert_true(fly(&def).hash != first.hash);
    }
}

/// Waits, goes, waits, comes back.
static void test_slider(void** state) {
    (void)state;
    const vni_slider s = {.first = {0, 0, 0}, .second = {0, 6, 0}, .speed = 2, .pause = 4, .offset = 1};
    const double times[] = {0, 2.9, 4, 4.5, 6, 9.9, 10, 11, 12, 13, 14},
                 places[] = {0, 0, 2, 3, 6, 6, 6, 4, 2, 0, 0};
    for (int i = 0; i < 11; ++i)
        assert_true(fabs(vni_slider_at(&s, times[i]).y - places[i]) < 1e-9);

    const vni_slider still = {.first = {1, 2, 3}, .second = {1, 2, 3}, .speed = 2};
    assert_true(vni_slider_at(&still, 5).z == 3);
}

// ------------------------------------------------------------------------------------------------- the judge

static const vni_swarm_scene bare = {.body = 0.5f, .radius = 0.6f};

static vni_swarm* make_bare(vn_run* run, uint32_t agents) {
    vni_swarm* swarm = calloc(1, sizeof *swarm);
    assert_non_null(swarm);
    *run = (vn_run){.def = vn_default_run_def()};
    run->def.agents = agents;
    run->result.clearance = run->result.wall_clearance = run->result.agent_clearance = HUGE_VAL;
    swarm->run = run;
    swarm->scene = &bare;
    return swarm;
}

static void move(vni_swarm* swarm, uint32_t agent, vn_dvec3 at, vn_dvec3 to) {
    swarm->agents[agent].at = at;
    swarm->agents[agent].to = to;
}

/// Through a box within one step; while it stays there it counts once.
static void test_judge_boxes(void** state) {
    (void)state;
    vn_run run;
    vni_swarm* swarm = make_bare(&run, 1);
    vni_swarm_add_box(swarm, (vn_dvec3){0, 0, 0}, (vn_dvec3){1, 1, 1});
    move(swarm, 0, (vn_dvec3){-3, 0.5, 0.5}, (vn_dvec3){-0.75, 0.5, 0.5});
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.wall_hits, 0);
    assert_true(fabs(run.result.wall_clearance - 0.25) < 1e-9);
    move(swarm, 0, (vn_dvec3){-3, 0.5, 0.5}, (vn_dvec3){4, 0.5, 0.5});
    vni_swarm_judge(swarm);
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.wall_hits, 1);
    assert_true(run.result.wall_clearance <= -0.499);
    free(swarm);
}

/// A slider that comes at an agent that stands.
static void test_judge_sliders(void** state) {
    (void)state;
    vn_run run;
    vni_swarm* swarm = make_bare(&run, 1);
    vni_swarm_add_slider(swarm, (vni_slider){.half = {1, 1, 1}});
    swarm->slider_at[0] = (vn_dvec3){0, 10, 0};
    swarm->slider_to[0] = (vn_dvec3){0, 1.75, 0};
    move(swarm, 0, (vn_dvec3){0, 0, 0}, (vn_dvec3){0, 0, 0});
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.collisions, 0);
    assert_true(fabs(run.result.clearance - 0.25) < 1e-6);
    swarm->slider_to[0] = (vn_dvec3){0, -10, 0};
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.collisions, 1);
    assert_int_equal(run.result.wall_hits, 0);
    free(swarm);
}

/// Two that change places within a step.
static void test_judge_agents(void** state) {
    (void)state;
    vn_run run;
    vni_swarm* swarm = make_bare(&run, 2);
    const vn_dvec3 a = {0, 0, 0}, b = {4, 0, 0}, beside = {0, 0, 1.5};
    move(swarm, 0, a, b);
    move(swarm, 1, beside, beside);
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.agent_hits, 0);
    assert_true(fabs(run.result.agent_clearance - 0.5) < 1e-9);
    move(swarm, 1, b, a);
    vni_swarm_judge(swarm);
    assert_int_equal(run.result.agent_hits, 1);
    free(swarm);
}

// ------------------------------------------------------------------------------------------------- refusals

static void refused(const vn_run_def* def, vn_status expected) {
    vn_run* run = NULL;
    assert_int_equal(vn_run_create(def, &run, NULL), expected);
    assert_null(run);
}

static void test_refusals(void** state) {
    (void)state;
    vn_run_def def = def_of("reef", 1);
    def.obstacles = 1;
    refused(&def, VN_UNSUPPORTED);
    def = def_of("warehouse", 1);
    def.agents = 257;
    refused(&def, VN_TOO_LARGE);
    def = def_of("warehouse", 1);
    def.obstacles = 33;
    refused(&def, VN_TOO_LARGE);
    def = def_of("warehouse", 1);
    def.autopilot = VN_PILOT_NONE;
    refused(&def, VN_UNSUPPORTED);
    def = def_of("warehouse", 1);
    def.rules = VN_RUN_THESIS;
    refused(&def, VN_UNSUPPORTED);
    def = def_of("warehouse", 1);
    def.latency = 0.1;
    refused(&def, VN_UNSUPPORTED);
    def = def_of("warehouse", 1);
    def.step = 0.5;
    refused(&def, VN_BAD_ARGUMENT);
}

static void test_no_memory(void** state) {
    (void)state;
    vn_run_def def = def_of("warehouse", 1);
    def.agents = 2;
    def.obstacles = 4;
    make_without_memory(def, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warehouse),    cmocka_unit_test(test_reef),
        cmocka_unit_test(test_same_again),   cmocka_unit_test(test_slider),
        cmocka_unit_test(test_judge_boxes),  cmocka_unit_test(test_judge_sliders),
        cmocka_unit_test(test_judge_agents), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
