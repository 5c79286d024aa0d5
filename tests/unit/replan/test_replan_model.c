/// Planners against a plain model of them: random calls in any order (begin, move, advance, small steps,
/// path) while the world changes and allocations fail. The model knows which statuses may come, and compares
/// every finished plan with a fresh Dijkstra on the graph that the planner is at.
///
/// With VN_SOAK_ROUNDS=n in the environment it runs the scripts of n seeds from VN_SEED on: for long runs,
/// and to reproduce a failure.
#include "plan_cases.h"

#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 120 }; ///< of a script

typedef struct sums {
    uint64_t scripts, calls, finished, paths, running, out_of_memory, capacity, stale, bad_order, restarts;
} sums;

typedef struct model {
    plan_space space;
    vnt_memory memory; ///< the planner's
    vn_planner planner;
    vn_graph_query* query;
    const plan_case* plan_case;
    uint32_t max_nodes;

    // what the planner should know
    bool has_begun, failed;
    bool stale;          ///< an end moved while the tree was ahead
    bool has_ends_of[2]; ///< free when they were set
    vn_point ends[2];
    vn_status status; ///< that path returns
    uint64_t restarts;

    // the voxels of the version that it is at
    const vn_space* shown;
    uint64_t shown_version;
    sums* sums;
} model;

// ---------- versions

/// Everything follows at once, so that the source advances to the newest version of the nav.
static void model_show(model* m) {
    if (m->shown != NULL)
        assert_int_equal(vn_nav_unpin(m->space.world.nav, m->shown_version), VN_OK);
    m->shown = vn_nav_pin(m->space.world.nav, 0, 0, &m->shown_version);
    assert_true(m->space.source.version(m->space.source.self) == m->shown_version);
}

static void model_set_ends(model* m) {
    for (uint32_t i = 0; i < 2; ++i)
        m->has_ends_of[i] = vn_space_point_free(m->shown, m->ends[i]);
}

static void fail_soon(model* m) {
    m->memory.failed = false;
    m->memory.fail_at = vni_rng_below(&m->space.world.rng, 3) == 0
                            ? m->memory.calls + vni_rng_below(&m->space.world.rng, 6)
                            : UINT64_MAX;
}

/// VN_OUT_OF_MEMORY if and only if an allocation failed.
static void check_memory(model* m, vn_status status) {
    assert_int_equal(status, m->memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
    m->memory.fail_at = UINT64_MAX;
    m->sums->out_of_memory += status != VN_OK;
}

// ---------- calls

static void choose_ends(model* m) {
    const vn_space* voxels = m->shown != NULL ? m->shown : space_voxels(&m->space);
    for (uint32_t i = 0; i < 2; ++i)
        m->ends[i] = vni_rng_below(&m->space.world.rng, 3) == 0 || !m->has_begun
                         ? world_point(&m->space.world, voxels)
                         : m->ends[i];
}

static void call_begin(model* m) {
    m->has_begun = false;
    choose_ends(m);
    fail_soon(m);
    const vn_status status = m->planner.begin(m->planner.self, 0, m->ends[0], m->ends[1], NULL);
    check_memory(m, status);
    model_show(m);
    if (status != VN_OK)
        return;
    m->has_begun = true;
    m->failed = m->stale = false;
    m->status = VN_RUNNING;
    model_set_ends(m);
}

static void call_move(model* m) {
    if (!m->has_begun) {
        assert_int_equal(m->planner.move(m->planner.self, m->ends[0], m->ends[1]), VN_BAD_ORDER);
        ++m->sums->bad_order;
        return;
    }

    choose_ends(m);
    assert_int_equal(m->planner.move(m->planner.self, m->ends[0], m->ends[1]), VN_OK);
    m->status = VN_RUNNING;
    m->stale = space_is_tree(&m->space) && m->space.version != m->shown_version;
    model_set_ends(m);
}

static void call_advance(model* m) {
    fail_soon(m);
    const vn_status status = m->planner.advance(m->planner.self, 0, NULL);
    if (!m->has_begun) {
        m->memory.fail_at = UINT64_MAX;
        assert_int_equal(status, VN_BAD_ORDER);
        ++m->sums->bad_order;
        return;
    }

    check_memory(m, status);
    model_show(m); // the sources never fail
    m->failed = status != VN_OK;
    m->status = m->failed ? status : VN_RUNNING;
    m->stale = false;
    if (!m->failed)
        model_set_ends(m);
}

/// What a step must return before it looks at the graph; VN_RUNNING: it does.
static vn_status expected(const model* m) {
    if (!m->has_begun)
        return VN_BAD_ORDER;
    if (m->failed)
        return VN_OUT_OF_MEMORY;
    if (m->stale)
        return VN_STALE;
    if (!m->has_ends_of[VN_START_NODE])
        return VN_START_BLOCKED;
    return m->has_ends_of[VN_GOAL_NODE] ? VN_RUNNING : VN_GOAL_BLOCKED;
}

static void check_finished(model* m, vn_status status, const vn_plan* plan) {
    uint64_t expanded = 0;
    const double least = world_least(m->query, m->space.source.graph(m->space.source.self), &expanded);
    const double slack = 1e-7 * (1 + least);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    ++m->sums->finished;
    if (status != VN_OK)
        return;
    ++m->sums->paths;
    assert_true(plan->cost >= least - slack);
    assert_true(plan->cost <= m->plan_case->weight * least + slack);
}

static void check_points(const model* m, const vn_plan* plan) {
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    const vn_graph* graph = m->space.source.graph(m->space.source.self);
    vn_point at[2]; // on a grid the centres of their voxels
    graph->points(graph->self, ends, 2, at);
    assert_true(vn_space_check_path(m->shown, plan->points, plan->point_count, NULL));
    assert_memory_equal(&plan->points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&plan->points[plan->point_count - 1], &at[1], sizeof at[1]);
}

static vn_plan call_path(model* m) {
    vn_plan plan;
    const vn_status status = m->planner.path(m->planner.self, &plan),
                    known = m->has_begun ? m->status : VN_BAD_ORDER;
    assert_int_equal(status, known);
    assert_int_equal(plan.status, known);
    assert_true(plan.restarts >= m->restarts);
    m->restarts = plan.restarts;

    const bool may_have = known == VN_OK || (known == VN_RUNNING && m->plan_case->algo == VN_REPLAN_AD);
    assert_true(plan.point_count == 0 || may_have);
    assert_true(plan.point_count > 0 || known != VN_OK);
    if (plan.point_count > 0)
        check_points(m, &plan);
    return plan;
}

static void call_step(model* m) {
    const uint32_t kind = vni_rng_below(&m->space.world.rng, 4);
    const uint64_t budget = kind == 0 ? 0 : kind == 1 ? vni_rng_below(&m->space.world.rng, 30) : UINT64_MAX;
    const vn_status must = expected(m);
    const vn_status status = m->planner.step(m->planner.self, budget);
    m->status = status;
    if (must != VN_RUNNING) {
        assert_int_equal(status, must);
        m->sums->stale += must == VN_STALE;
        m->sums->bad_order += must == VN_BAD_ORDER;
        (void)call_path(m);
        return;
    }

    const vn_plan plan = call_path(m);
    assert_true(status != VN_RUNNING || budget < UINT64_MAX);
    assert_true(status != VN_CAPACITY || m->max_nodes > 0);
    m->sums->running += status == VN_RUNNING;
    m->sums->capacity += status == VN_CAPACITY;
    if (status != VN_RUNNING && status != VN_CAPACITY)
        check_finished(m, status, &plan);
}

// ---------- scripts

static void script_begin(model* m, uint64_t seed, sums* sum) {
    memset(m, 0, sizeof *m);
    vni_rng rng = vni_rng_make(seed * 2 + 1);
    space_make(&m->space, (plan_space_kind)(seed % SPACE_COUNT), seed, NULL);
    m->plan_case = &plan_cases[vni_rng_below(&rng, PLAN_CASES)];
    m->max_nodes = vni_rng_below(&rng, 4) == 0 ? 64 * (1 + vni_rng_below(&rng, 8)) : 0;
    m->memory = vnt_memory_make();
    m->query = world_query();
    m->sums = sum;

    vn_replan_def def = plan_case_def(m->plan_case);
    def.allocator = vnt_memory_allocator(&m->memory);
    def.max_nodes = m->max_nodes;
    assert_int_equal(vn_replan_create(&m->space.source, &def, &m->planner, NULL), VN_OK);
}

static void script_end(model* m) {
    m->sums->restarts += m->restarts;
    m->planner.free(m->planner.self);
    assert_int_equal(m->memory.live_blocks, 0);
    assert_false(m->memory.mismatch);
    vn_graph_query_destroy(m->query);
    if (m->shown != NULL)
        assert_int_equal(vn_nav_unpin(m->space.world.nav, m->shown_version), VN_OK);
    space_free(&m->space);
}

static void run_script(uint64_t seed, sums* sum) {
    static model m;
    script_begin(&m, seed, sum);
    for (uint32_t i = 0; i < CALLS; ++i) {
        const uint32_t what = vni_rng_below(&m.space.world.rng, 40);
        if (what == 0)
            call_begin(&m);
        else if (what < 8)
            call_move(&m);
        else if (what < 18)
            call_advance(&m);
        else if (what < 28)
            call_step(&m);
        else if (what < 32)
            (void)call_path(&m);
        else
            world_change(&m.space.world);
        ++sum->calls;
        if (i == 10 && !m.has_begun)
            call_begin(&m); // most scripts shall plan something
    }
    ++sum->scripts;
    script_end(&m);
}

static uint64_t running; ///< the seed of the script that runs; 0: none

static sums run_many(uint64_t seed, uint64_t scripts) {
    sums sum = {0};
    for (uint64_t i = 0; i < scripts; ++i) {
        running = seed + i;
        run_script(running, &sum);
    }
    running = 0;
    printf("%llu scripts, %llu calls: %llu plans finished, %llu paths, %llu sliced, %llu out of memory, %llu "
           "out "
           "of nodes, %llu stale, %llu in bad order; %llu restarts\n",
           (unsigned long long)sum.scripts, (unsigned long long)sum.calls, (unsigned long long)sum.finished,
           (unsigned long long)sum.paths, (unsigned long long)sum.running,
           (unsigned long long)sum.out_of_memory, (unsigned long long)sum.capacity,
           (unsigned long long)sum.stale, (unsigned long long)sum.bad_order,
           (unsigned long long)sum.restarts);
    return sum;
}

static void test_scripts(void** state) {
    (void)state;
    const sums sum = run_many(vnt_seed("replan model", 1), vnt_scale(300, 5000));
    assert_true(sum.paths > 0);
    assert_true(sum.finished > sum.paths);
    assert_true(sum.running > 0);
    assert_true(sum.out_of_memory > 0);
    assert_true(sum.capacity > 0);
    assert_true(sum.stale > 0);
    assert_true(sum.bad_order > 0);
}

static void test_soak(void** state) {
    (void)state;
    (void)run_many(vnt_seed("replan model", 1), strtoull(getenv("VN_SOAK_ROUNDS"), NULL, 0));
}

/// An assert that fails leaves its test at once: then the seed is still there.
static int name_seed(void** state) {
    (void)state;
    if (running != 0)
        fprintf(stderr, "replan model: VN_SEED=%llu failed\n", (unsigned long long)running);
    return 0;
}

int main(void) {
    const struct CMUnitTest soak[] = {cmocka_unit_test_teardown(test_soak, name_seed)};
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_scripts, name_seed)};
    if (getenv("VN_SOAK_ROUNDS") != NULL)
        return cmocka_run_group_tests_name("replan/replan_model", soak, NULL, NULL);
    return cmocka_run_group_tests_name("replan/replan_model", tests, NULL, NULL);
}
