/// Any-angle planners after every change, on every space with lines of sight: paths pass the checker and are
/// as long as they say, there is one if Dijkstra finds one, and in the mean they are about as long as those
/// of a fresh Theta*, and shorter than those of A*.
#include "graph/cost.h"
#include "replan_spaces.h"

#include <stdio.h>

typedef struct totals {
    uint64_t plans, paths, none, beyond; ///< beyond: over a line where the graph has no way
    uint64_t expanded, theta_expanded, checks, theta_checks, restarts;
    double over_theta, over_astar; ///< sums of the ratios of lengths
    double worst;                  ///< over Theta*
} totals;

typedef struct run {
    plan_space space;
    vn_planner planner;
    vn_graph_query* query;
    vn_point start, goal;
    totals* totals;
} run;

// ---------- comparisons

static double length_of(const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_distance(points[i - 1], points[i]);
    return sum;
}

static double find(run* r, vn_classic_algo algo, vn_graph_result* result) {
    const vn_graph* graph = r->space.source.graph(r->space.source.self);
    vn_graph_request request = vn_default_graph_request();
    request.algo = algo;
    assert_int_equal(vn_graph_query_grow(r->query, graph->node_limit, NULL), VN_OK);
    const vn_status status = vn_graph_query_find_path(r->query, graph, &request, result, NULL);
    assert_true(status == VN_OK || status == VN_NO_PATH);
    if (status != VN_OK)
        return HUGE_VAL;

    uint32_t count;
    const vn_point* points = vn_graph_query_points(r->query, &count);
    return length_of(points, count);
}

static void compare(run* r, const vn_plan* plan, double theta, double astar) {
    totals* t = r->totals;
    const double length = length_of(plan->points, plan->point_count);
    assert_true(fabs(plan->cost - length) <= 1e-7 * (1 + length));
    if (!(astar < HUGE_VAL)) {
        ++t->beyond;
        return;
    }
    ++t->paths;
    const double ratio = theta > 0 ? length / theta : 1;
    t->over_theta += ratio;
    t->over_astar += astar > 0 ? length / astar : 1;
    t->worst = ratio > t->worst ? ratio : t->worst;
}

/// Steps in slices, and compares with searches from scratch.
static void check_plan(run* r) {
    const uint64_t slice = 1 + vni_rng_below(&r->space.world.rng, 400);
    vn_status status;
    vn_plan plan;
    do {
        status = r->planner.step(r->planner.self, slice);
        assert_int_equal(r->planner.path(r->planner.self, &plan), status);
        assert_true(status != VN_RUNNING || plan.point_count == 0);
    } while (status == VN_RUNNING);

    const vn_space* voxels = space_voxels(&r->space);
    totals* t = r->totals;
    ++t->plans;
    if (!vn_space_point_free(voxels, r->start) || !vn_space_point_free(voxels, r->goal)) {
        assert_int_equal(status, vn_space_point_free(voxels, r->start) ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
        return;
    }

    vn_graph_result theta, astar;
    const double theta_length = find(r, VN_CLASSIC_THETA, &theta);
    const double astar_length = find(r, VN_CLASSIC_ASTAR, &astar);
    t->expanded += plan.expanded;
    t->checks += plan.sight_checks;
    t->theta_expanded += theta.expanded;
    t->theta_checks += theta.sight_checks;
    if (status == VN_NO_PATH) {
        assert_true(astar_length == HUGE_VAL);
        ++t->none;
        return;
    }
    assert_int_equal(status, VN_OK);
    assert_true(plan.bound == 0);
    space_check_path(&r->space, &plan, r->start, r->goal);
    compare(r, &plan, theta_length, astar_length);
}

// ---------- runs

static void change(run* r) {
    const uint32_t what = vni_rng_below(&r->space.world.rng, 8);
    for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(&r->space.world.rng, 2) : 1; v > 0; --v)
        world_change(&r->space.world);

    // both orders, and each alone; a tree must advance first
    const bool moves = what != 2, last = what == 3 || space_is_tree(&r->space);
    if (moves) {
        r->start = space_move_end(&r->space, r->start);
        r->goal = space_move_end(&r->space, r->goal);
    }
    if (moves && !last)
        assert_int_equal(r->planner.move(r->planner.self, r->start, r->goal), VN_OK);
    assert_int_equal(r->planner.advance(r->planner.self, NULL), VN_OK);
    if (moves && last)
        assert_int_equal(r->planner.move(r->planner.self, r->start, r->goal), VN_OK);
}

static void one_run(uint64_t seed, uint32_t kind, vn_replan_algo algo, bool backward, uint32_t steps,
                    totals* t) {
    run r = {.totals = t};
    space_make(&r.space, (plan_space_kind)kind, seed, NULL);
    r.query = world_query();
    vn_replan_def def = vn_default_replan_def();
    def.algo = algo;
    def.backward = backward;
    assert_int_equal(vn_replan_create(&r.space.source, &def, &r.planner, NULL), VN_OK);
    r.start = world_point(&r.space.world, space_voxels(&r.space));
    r.goal = world_point(&r.space.world, space_voxels(&r.space));
    assert_int_equal(r.planner.begin(r.planner.self, r.start, r.goal, NULL), VN_OK);
    check_plan(&r);

    for (uint32_t i = 0; i < steps; ++i) {
        change(&r);
        if (vni_rng_below(&r.space.world.rng, 8) == 0)
            (void)r.planner.step(r.planner.self, vni_rng_below(&r.space.world.rng, 20)); // unfinished
        else
            check_plan(&r);
    }

    vn_plan plan;
    (void)r.planner.path(r.planner.self, &plan);
    t->restarts += plan.restarts;
    r.planner.free(r.planner.self);
    vn_graph_query_destroy(r.query);
    space_free(&r.space);
}

static void add(totals* sum, const totals* t) {
    sum->paths += t->paths;
    sum->over_theta += t->over_theta;
    sum->over_astar += t->over_astar;
    sum->worst = t->worst > sum->worst ? t->worst : sum->worst;
}

static void report(const char* name, const char* space, const totals* t) {
    printf("%-14s %-18s: %5llu plans, %5llu paths, %4llu none, %3llu beyond; %7llu expanded (Theta* %7llu), "
           "%7llu checks (%7llu), %llu restarts; length / Theta* %.5f, worst %.4f, / A* %.5f\n",
           name, space, (unsigned long long)t->plans, (unsigned long long)t->paths,
           (unsigned long long)t->none, (unsigned long long)t->beyond, (unsigned long long)t->expanded,
           (unsigned long long)t->theta_expanded, (unsigned long long)t->checks,
           (unsigned long long)t->theta_checks, (unsigned long long)t->restarts,
           t->over_theta / (double)t->paths, t->worst, t->over_astar / (double)t->paths);
}

static void all_runs(vn_replan_algo algo, bool backward) {
    const uint64_t seed = vnt_seed("replan/any_angle", 1);
    const uint32_t worlds = vnt_scale(3, 40), steps = vnt_scale(20, 60);
    totals sum = {0};
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind) {
        totals t = {0};
        if (algo == VN_REPLAN_AAMT_FAST && kind != SPACE_HYBRID)
            continue;
        for (uint32_t k = 0; k < worlds; ++k)
            one_run(seed + 1000 * k + kind, kind, algo, backward, steps, &t);
        report(vn_replan_algo_name(algo), space_name(kind), &t);
        assert_true(t.paths > t.plans / 4);
        assert_true(t.beyond == 0 || kind >= SPACE_HYBRID);
        add(&sum, &t);
    }
    assert_true(sum.over_theta <= 1.01 * (double)sum.paths);
    assert_true(sum.over_astar < (double)sum.paths);
}

static void test_any_angle(void** state) {
    (void)state;
    all_runs(VN_REPLAN_AAMT, false);
}

static void test_backward(void** state) {
    (void)state;
    all_runs(VN_REPLAN_AAMT, true);
}

static void test_fast(void** state) {
    (void)state;
    all_runs(VN_REPLAN_AAMT_FAST, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_angle),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
