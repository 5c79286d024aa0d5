/// Passes of AD* that are not finished when the world changes, or run out of nodes.
#include "toy_plans.h"

/// A wall across the rows, round which there are two ways.
static void toy_block_column(toy* t, uint32_t x, uint32_t low, uint32_t high, bool blocked) {
    for (uint32_t row = low; row < high; ++row)
        t->blocked[row * TOY_ROW + x] = blocked;
    ++t->version;
}

/// Blocks or frees some squares anywhere, but not those of the ends.
static void toy_scatter(toy* t, vni_rng* rng, uint32_t count, const uint32_t ends[2]) {
    for (uint32_t i = 0; i < count; ++i)
        t->blocked[vni_rng_below(rng, TOY_ROW * t->rows)] = vni_rng_below(rng, 10) < 3;
    t->blocked[ends[0]] = t->blocked[ends[1]] = false;
    ++t->version;
}

/// Nodes wait for the next pass when the world changes, grows, or an end moves: none is lost.
static void test_unfinished_passes(void** state) {
    (void)state;
    static toy t;
    const plan_case* c = &plan_cases[3];
    assert_int_equal(c->algo, VN_REPLAN_AD);
    vni_rng rng = vni_rng_make(vnt_seed("replan/passes", 1));
    vn_graph_query* query = world_query();
    for (uint32_t k = 0; k < 20; ++k) {
        vn_replan_def def = plan_case_def(c);
        def.ad_first = 8; // near the cost of a step: many nodes are settled too early
        def.ad_step = 0.5;
        def.ad_restart = 1e9;
        const vn_graph_source source = toy_make(&t, 24);
        uint32_t ends[2] = {TOY_ROW * 12 + 4, TOY_ROW * 12 + 60};
        vn_planner p;
        t.rough = true;
        toy_scatter(&t, &rng, TOY_ROW * 24, ends);
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, toy_point(ends[0]), toy_point(ends[1]), NULL), VN_OK);
        for (uint32_t i = 0; i < 20; ++i) {
            (void)p.step(p.self, vni_rng_below(&rng, 1500));
            t.rows += vni_rng_below(&rng, 4) == 0;
            if (vni_rng_below(&rng, 3) == 0)
                ends[0] = TOY_ROW * vni_rng_below(&rng, 24) + vni_rng_below(&rng, 20);
            toy_scatter(&t, &rng, 12, ends);
            assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
            assert_int_equal(p.move(p.self, toy_point(ends[0]), toy_point(ends[1])), VN_OK);
            if (vni_rng_below(&rng, 2) == 0)
                continue;
            uint64_t expanded = 0;
            const double least = world_least(query, &t.graph, &expanded);
            check_toy(&p, &source, c, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        }
        assert_int_equal(plan_of(&p).restarts, 1);
        p.free(p.self);
    }
    vn_graph_query_destroy(query);
}

/// A pass runs out of nodes after an earlier one has found a path: then there is none, wherever the ends go.
static void test_nodes_of_passes(void** state) {
    (void)state;
    static toy t;
    const vn_point start = toy_point(TOY_ROW * 10 + 10), goal = toy_point(TOY_ROW * 10 + 50);
    uint32_t had = 0;
    for (uint32_t pages = 2; pages < 22; ++pages) {
        vn_replan_def def = plan_case_def(&plan_cases[3]);
        def.max_nodes = 64 * pages;
        const vn_graph_source source = toy_make(&t, 20);
        vn_planner p;
        toy_block_column(&t, 30, 8, 17, true);
        assert_int_equal(vn_replan_create(&source, &def, &p, NULL), VN_OK);
        assert_int_equal(p.begin(p.self, 0, start, goal, NULL), VN_OK);

        vn_status status;
        bool has_path = false;
        while ((status = p.step(p.self, 1)) == VN_RUNNING)
            has_path = plan_of(&p).point_count > 0;
        had += has_path && status == VN_CAPACITY;
        if (status == VN_CAPACITY) {
            assert_int_equal(plan_of(&p).point_count, 0);
            assert_int_equal(p.move(p.self, toy_point(TOY_ROW * 3), goal), VN_OK);
            assert_int_equal(plan_of(&p).status, VN_RUNNING);
            assert_int_equal(plan_of(&p).point_count, 0);
        }
        p.free(p.self);
    }
    assert_true(had > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfinished_passes),
        cmocka_unit_test(test_nodes_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
