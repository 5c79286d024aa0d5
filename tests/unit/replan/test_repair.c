/// Planners against a fresh Dijkstra after every change: random worlds whose boxes, zones and ends move, on
/// every graph of a nav. Costs are equal (AD* and weights: within the bound) and paths pass the checker.
#include "replan_world.h"

#include <stdio.h>

typedef struct plan_case {
    vn_replan_algo algo;
    bool backward, recompute_all;
    double weight;
    bool moves_start, moves_goal; ///< what the algorithm repairs
} plan_case;

static const plan_case cases[] = {
    {VN_REPLAN_LPA, false, false, 1, false, false},
    {VN_REPLAN_DSTAR_LITE, false, false, 1, true, false},
    {VN_REPLAN_DSTAR_LITE, false, false, 2, true, false},
    {VN_REPLAN_AD, false, false, 1, true, false},
    {VN_REPLAN_DSTAR, false, false, 1, true, false},
    {VN_REPLAN_MT_BASIC, false, false, 1, true, true},
    {VN_REPLAN_MT_BASIC, true, false, 1, true, true},
    {VN_REPLAN_MT, false, false, 1, true, true},
    {VN_REPLAN_MT, true, false, 1, true, true},
    {VN_REPLAN_MT, false, true, 1, true, true},
};

typedef struct totals {
    uint64_t steps, paths, none, expanded, dijkstra, restarts;
} totals;

typedef struct run {
    replan_world world;
    vn_nav_graph* graph;
    vn_graph_source source;
    vn_planner planner;
    vn_graph_query* query;
    vn_point start, goal;
    const plan_case* plan_case;
    totals* totals;
} run;

static void check_path(const run* r, const vn_plan* plan) {
    vn_check_result result;
    assert_true(plan->point_count >= 1);
    assert_true(vn_space_check_path(vn_nav_graph_space(r->graph), plan->points, plan->point_count, &result));
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    const vn_graph* graph = vn_nav_graph_get(r->graph);
    vn_point at[2];
    graph->points(graph->self, ends, 2, at);
    assert_memory_equal(&plan->points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&plan->points[plan->point_count - 1], &at[1], sizeof at[1]);
}

/// Steps in slices, and compares with a search from scratch.
static void check_plan(run* r) {
    const uint64_t slice = 1 + vni_rng_below(&r->world.rng, 400);
    vn_status status;
    vn_plan plan;
    do {
        status = r->planner.step(r->planner.self, slice);
        assert_int_equal(r->planner.path(r->planner.self, &plan), status);
        if (plan.point_count > 0)
            check_path(r, &plan);
    } while (status == VN_RUNNING);

    const vn_space* space = vn_nav_graph_space(r->graph);
    const bool free_start = vn_space_point_free(space, r->start),
               free_goal = vn_space_point_free(space, r->goal);
    r->totals->expanded += plan.expanded;
    ++r->totals->steps;
    if (!free_start || !free_goal) {
        assert_int_equal(status, free_start ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
        return;
    }

    const double least = world_least(r->query, vn_nav_graph_get(r->graph), &r->totals->dijkstra);
    const double bound = r->plan_case->weight, slack = 1e-7 * (1 + least);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    ++*(status == VN_OK ? &r->totals->paths : &r->totals->none);
    if (status != VN_OK)
        return;
    assert_true(plan.cost >= least - slack);
    assert_true(plan.cost <= bound * least + slack);
    assert_true(plan.bound <= bound);
}

/// An end moves to a neighbouring voxel, or anywhere.
static vn_point move_end(run* r, vn_point from) {
    const uint32_t kind = vni_rng_below(&r->world.rng, 8);
    if (kind < 3)
        return from;
    if (kind == 3)
        return world_point(&r->world, vn_nav_graph_space(r->graph));
    vn_point to = from;
    int32_t* const axes[3] = {&to.x, &to.y, &to.z};
    const int32_t sizes[3] = {r->world.dims.x, r->world.dims.y, r->world.dims.z};
    const uint32_t axis = vni_rng_below(&r->world.rng, 3);
    *axes[axis] += vni_rng_below(&r->world.rng, 2) ? 1024 : -1024;
    if (*axes[axis] < 0 || *axes[axis] > 1024 * sizes[axis])
        return from;
    return to;
}

static void one_run(uint64_t seed, vn_nav_graph_kind kind, const plan_case* c, uint32_t steps, totals* t) {
    run r = {.plan_case = c, .totals = t};
    world_make(&r.world, seed, NULL);
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    graph_def.kind = kind;
    graph_def.zones = vni_rng_below(&r.world.rng, 2) == 0;
    assert_int_equal(vn_nav_graph_create(r.world.nav, &graph_def, &r.graph, NULL), VN_OK);
    r.source = vn_nav_graph_source(r.graph);
    r.query = world_query();

    vn_replan_def def = vn_default_replan_def();
    def.algo = c->algo;
    def.backward = c->backward;
    def.recompute_all = c->recompute_all;
    def.weight = c->weight;
    assert_int_equal(vn_replan_create(&r.source, &def, &r.planner, NULL), VN_OK);
    r.start = world_point(&r.world, vn_nav_graph_space(r.graph));
    r.goal = world_point(&r.world, vn_nav_graph_space(r.graph));
    assert_int_equal(r.planner.begin(r.planner.self, 0, r.start, r.goal, NULL), VN_OK);
    check_plan(&r);

    for (uint32_t i = 0; i < steps; ++i) {
        const uint32_t what = vni_rng_below(&r.world.rng, 8);
        if (graph_def.zones && what == 0)
            world_change_zone(&r.world);
        for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(&r.world.rng, 2) : 1; v > 0; --v)
            world_change(&r.world);

        // both orders, and each alone
        if (what != 2) {
            r.start = move_end(&r, r.start);
            r.goal = move_end(&r, r.goal);
            if (what != 3)
                assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        }
        assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
        if (what == 3)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        if (vni_rng_below(&r.world.rng, 8) == 0)
            (void)r.planner.step(r.planner.self, vni_rng_below(&r.world.rng, 20)); // and goes on unfinished
        else
            check_plan(&r);
    }

    vn_plan plan;
    (void)r.planner.path(r.planner.self, &plan);
    t->restarts += plan.restarts;
    r.planner.free(r.planner.self);
    vn_graph_query_destroy(r.query);
    vn_nav_graph_destroy(r.graph);
    world_free(&r.world);
}

static void test_random_worlds(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/repair", 1);
    const uint32_t worlds = vnt_scale(2, 30), steps = vnt_scale(20, 60);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        totals t = {0};
        for (uint32_t kind = 0; kind < VN_NAV_GRAPH_KINDS; ++kind)
            for (uint32_t k = 0; k < worlds; ++k)
                one_run(seed + 1000 * k + kind, (vn_nav_graph_kind)kind, &cases[i], steps, &t);
        printf("%-14s%s%s x%g: %llu plans, %llu paths, %llu none; %llu expanded (Dijkstra %llu), %llu "
               "restarts\n",
               vn_replan_algo_name(cases[i].algo), cases[i].backward ? " backward" : "",
               cases[i].recompute_all ? " all" : "", cases[i].weight, (unsigned long long)t.steps,
               (unsigned long long)t.paths, (unsigned long long)t.none, (unsigned long long)t.expanded,
               (unsigned long long)t.dijkstra, (unsigned long long)t.restarts);
        assert_true(t.paths > t.steps / 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
