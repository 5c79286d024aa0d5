/// Planners on every space against a fresh Dijkstra on the same graph, after every change: random worlds
/// whose boxes and ends move; trees and roadmaps follow each version of the nav, or fall behind and make up
/// for it. Costs are equal (AD* and weights: within the bound), statuses too, and paths pass the checker.
#include "plan_cases.h"

#include <stdio.h>

typedef struct totals {
    uint64_t worlds, steps, paths, expanded, dijkstra, restarts;
} totals;

typedef struct run {
    plan_space space;
    vn_planner planner;
    vn_graph_query* query;
    vn_point start, goal;
    const plan_case* plan_case;
    totals* totals;
} run;

static void check_plan(run* r) {
    const uint64_t slice = 1 + vni_rng_below(&r->space.world.rng, 400);
    vn_status status;
    vn_plan plan;
    do {
        status = r->planner.step(r->planner.self, slice);
        assert_int_equal(r->planner.path(r->planner.self, &plan), status);
        if (plan.point_count > 0)
            space_check_path(&r->space, &plan);
    } while (status == VN_RUNNING);

    ++r->totals->steps;
    r->totals->expanded += plan.expanded;
    r->totals->paths += plan_case_check(r->plan_case, r->query, &r->space, status, &plan, r->start, r->goal,
                                        &r->totals->dijkstra);
}

static void begin(run* r, uint64_t seed, plan_space_kind kind, const plan_case* c, double ad_restart,
                  totals* t) {
    memset(r, 0, sizeof *r);
    r->plan_case = c;
    r->totals = t;
    ++t->worlds;
    space_make(&r->space, kind, seed, NULL);
    r->query = world_query();
    vn_replan_def def = plan_case_def(c);
    def.ad_restart = ad_restart;
    assert_int_equal(vn_replan_create(&r->space.source, &def, &r->planner, NULL), VN_OK);
    r->start = world_point(&r->space.world, space_voxels(&r->space));
    r->goal = world_point(&r->space.world, space_voxels(&r->space));
    assert_int_equal(r->planner.begin(r->planner.self, 0, r->start, r->goal, NULL), VN_OK);
    check_plan(r);
}

static uint64_t end(run* r) {
    vn_plan plan;
    (void)r->planner.path(r->planner.self, &plan);
    r->totals->restarts += plan.restarts;
    r->planner.free(r->planner.self);
    vn_graph_query_destroy(r->query);
    space_free(&r->space);
    return plan.restarts;
}

/// Boxes and ends move; some steps are left unfinished, some versions are missed.
static void run_moving(uint64_t seed, plan_space_kind kind, const plan_case* c, uint32_t steps, totals* t) {
    run r;
    begin(&r, seed, kind, c, vn_default_replan_def().ad_restart, t);
    vni_rng* rng = &r.space.world.rng;
    r.space.may_skip = true;
    for (uint32_t i = 0; i < steps; ++i) {
        const uint32_t what = vni_rng_below(rng, 16);
        for (uint32_t v = what == 1 ? 2 + WORLD_HISTORY * vni_rng_below(rng, 2) : 1; v > 0; --v)
            world_change(&r.space.world);

        // both orders, and each alone
        if (what != 2) {
            r.start = space_move_end(&r.space, r.start);
            r.goal = space_move_end(&r.space, r.goal);
        }
        if (what > 3)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
        if (what <= 3)
            assert_int_equal(r.planner.move(r.planner.self, r.start, r.goal), VN_OK);
        if (vni_rng_below(rng, 8) == 0)
            (void)r.planner.step(r.planner.self, vni_rng_below(rng, 20));
        else
            check_plan(&r);
    }
    (void)end(&r);
}

/// Boxes move, ends do not, and no version is missed: nothing is ever begun anew, whatever nodes and
/// neighbours come and go.
static void run_still(uint64_t seed, plan_space_kind kind, const plan_case* c, uint32_t steps, totals* t) {
    run r;
    begin(&r, seed, kind, c, 1e9, t);
    for (uint32_t i = 0; i < steps; ++i) {
        world_change(&r.space.world);
        assert_int_equal(r.planner.advance(r.planner.self, 0, NULL), VN_OK);
        check_plan(&r);
    }
    assert_int_equal(end(&r), 1);
}

typedef void run_world(uint64_t seed, plan_space_kind kind, const plan_case* c, uint32_t steps, totals* t);

static void run_all(const char* what, uint64_t seed, run_world* run_one, uint32_t worlds, uint32_t steps) {
    totals sum = {0};
    printf("%s: plans / paths / restarts, %u worlds each\n", what, worlds);
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind)
        for (uint32_t i = 0; i < PLAN_CASES; ++i) {
            totals t = {0};
            for (uint32_t k = 0; k < worlds; ++k)
                run_one(seed + 1000 * k + 100 * i + kind, (plan_space_kind)kind, &plan_cases[i], steps, &t);
            printf("%-20s%-24s%6llu%6llu%6llu\n", space_name(kind), plan_cases[i].name,
                   (unsigned long long)t.steps, (unsigned long long)t.paths, (unsigned long long)t.restarts);
            sum.worlds += t.worlds;
            sum.steps += t.steps;
            sum.paths += t.paths;
            sum.restarts += t.restarts;
            sum.expanded += t.expanded;
            sum.dijkstra += t.dijkstra;
        }

    printf("%s: %llu worlds, %llu plans, %llu paths, %llu restarts; %llu expanded (Dijkstra %llu)\n", what,
           (unsigned long long)sum.worlds, (unsigned long long)sum.steps, (unsigned long long)sum.paths,
           (unsigned long long)sum.restarts, (unsigned long long)sum.expanded,
           (unsigned long long)sum.dijkstra);
    assert_true(sum.paths > sum.steps / 4);
}

static void test_everything_moves(void** state) {
    (void)state;
    run_all("moving", vnt_seed("replan/repair_spaces", 1), run_moving, vnt_scale(1, 12), vnt_scale(16, 60));
}

static void test_ends_stay(void** state) {
    (void)state;
    run_all("still", vnt_seed("replan/repair_spaces", 1), run_still, vnt_scale(1, 6), vnt_scale(16, 60));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_moves),
        cmocka_unit_test(test_ends_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
