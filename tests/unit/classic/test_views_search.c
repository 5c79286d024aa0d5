/// Searches on the graphs over boxes and voxels against Dijkstra over all pairs of boxes, and their
/// corridors.
#include "views_scene.h"

#include "search/best_first.h"

/// Dijkstra over the model, without a heap; the cost of the goal.
static double least_cost(const setting* s) {
    static double g[MAX_NODES];
    static bool closed[MAX_NODES];
    for (uint32_t i = 0; i < s->node_count; ++i) {
        g[i] = HUGE_VAL;
        closed[i] = false;
    }

    g[s->node_count - 2] = 0;
    for (;;) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (!closed[i] && g[i] < HUGE_VAL && (best == UINT32_MAX || g[i] < g[best]))
                best = i;

        if (best == UINT32_MAX || best == s->node_count - 1)
            return g[s->node_count - 1];
        closed[best] = true;
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (!closed[i] && is_joined(s, best, i) && g[best] + expected_cost(s, best, i) < g[i])
                g[i] = g[best] + expected_cost(s, best, i);
    }
}

/// The cell beyond the portal, seen from a cell; fails if the portal is not the whole face between the two.
static uint32_t beyond(const setting* s, uint32_t cell, const vni_portal* portal) {
    for (uint32_t i = 0; i < s->cell_count; ++i) {
        const vni_box *a = &s->cells[cell], *b = &s->cells[i];
        int axis = axis_between(a, b);
        if (axis != portal->axis)
            continue;

        bool equal = portal->plane == (float)(a->low[axis] < b->low[axis] ? a->high[axis] : a->low[axis]);
        for (int k = 0; k < 2; ++k) {
            int across = vni_other_axes[axis][k];
            int32_t low = a->low[across] > b->low[across] ? a->low[across] : b->low[across];
            int32_t high = a->high[across] < b->high[across] ? a->high[across] : b->high[across];
            equal = equal && portal->low[k] == (float)low && portal->high[k] == (float)high;
        }

        if (equal)
            return i;
    }

    fail();
    return 0;
}

/// Crossings lie in their portals, and the path over them is no longer than the path over the nodes.
static void check_crossings(const setting* s, const uint32_t* nodes, uint32_t count,
                            const vni_portal* portals, float (*crossings)[3], uint32_t found) {
    double along = 0, over = 0;
    for (uint32_t i = 1; i < count; ++i)
        along += expected_cost(s, number_of(s, nodes[i - 1]), number_of(s, nodes[i]));

    vn_point at = s->nodes[number_of(s, nodes[0])].point,
             last = s->nodes[number_of(s, nodes[count - 1])].point;
    for (uint32_t i = 0; i < found; ++i) {
        const vni_portal* p = &portals[i];
        assert_true(fabsf(crossings[i][p->axis] - p->plane) <= 1e-5f);
        for (int k = 0; k < 2; ++k) {
            float c = crossings[i][vni_other_axes[p->axis][k]];
            assert_true(c >= p->low[k] - 1e-5f);
            assert_true(c <= p->high[k] + 1e-5f);
        }

        vn_point next = {(int32_t)floorf(crossings[i][0] * VN_LATTICE + 0.5f),
                         (int32_t)floorf(crossings[i][1] * VN_LATTICE + 0.5f),
                         (int32_t)floorf(crossings[i][2] * VN_LATTICE + 0.5f)};
        over += vni_distance(at, next);
        at = next;
    }

    assert_true(over + vni_distance(at, last) <= along + 0.002 * (found + 1));
}

/// The portals lead from the cell of the first node to one of the last.
static void check_corridor(const setting* s, const uint32_t* nodes, uint32_t count) {
    static vni_portal portals[MAX_NODES], few[MAX_NODES];
    static float crossings[MAX_NODES][3];
    uint32_t found = vni_view_corridor(&s->view, nodes, count, portals, crossings, MAX_NODES);
    assert_true(found <= count);
    uint32_t some = found / 2, cell = s->nodes[number_of(s, nodes[0])].cells[0];
    few[some].axis = -7;
    assert_int_equal(vni_view_corridor(&s->view, nodes, count, few, NULL, some), found);
    assert_memory_equal(few, portals, some * sizeof few[0]);

    assert_int_equal(few[some].axis, -7);
    for (uint32_t i = 0; i < found; ++i)
        cell = beyond(s, cell, &portals[i]);

    const uint32_t* last = s->nodes[number_of(s, nodes[count - 1])].cells;
    assert_true(cell == last[0] || cell == last[1]);
    check_crossings(s, nodes, count, portals, crossings, found);
}

static void check_search(setting* s, vni_rng* rng) {
    (void)rng;
    vn_allocator allocator = vn_default_allocator();
    vni_scratch scratch;
    vni_best_first search;
    vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    uint32_t limit = s->graph.node_limit;
    assert_int_equal(vni_scratch_make(&allocator, limit, limit, &scratch), VN_OK);

    double least = least_cost(s);
    for (int i = 0; i < 3; ++i) { // A*, Dijkstra, greedy
        const vni_best_first_def def = {i < 2, i != 1, false, false, 0};
        assert_int_equal(vni_best_first_begin(&search, &def, &s->graph, &cost, &scratch,
                                              vni_view_start(&s->view), vni_view_goal(&s->view)),
                         VN_OK);
        assert_int_equal(vni_best_first_step(&search, UINT64_MAX), least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        if (least == HUGE_VAL)
            break;
        double found = vni_best_first_g(&search, vni_view_goal(&s->view));
        assert_true(found >= least - 1e-9);
        assert_true(i == 2 || found <= least + 1e-9);
        static uint32_t row[MAX_NODES];
        uint32_t count = 0;
        for (uint32_t at = vni_view_goal(&s->view); at != VN_NO_NODE; at = vni_best_first_parent(&search, at))
            row[MAX_NODES - ++count] = at;
        check_corridor(s, row + (MAX_NODES - count), count);
    }

    vni_scratch_free(&scratch);
}

static void test_searches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view searches", 903));
    for_scenes(&rng, vnt_scale(30, 500), 6, check_search);
}

/// Rows that no search would find: there and back, along portals that are not passed.
static void check_random_rows(setting* s, vni_rng* rng) {
    static double costs[MAX_NODES];
    uint32_t row[12] = {vni_view_start(&s->view)}, count = 1;
    for (uint32_t at = s->node_count - 2; count < 12; ++count) {
        uint32_t joined = 0, taken = 0;
        fill_edges(s, at, costs);
        for (uint32_t i = 0; i < s->node_count; ++i)
            joined += costs[i] >= 0;

        if (joined == 0)
            break;
        taken = vni_rng_below(rng, joined);
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (costs[i] >= 0 && taken-- == 0)
                at = i;

        row[count] = s->nodes[at].id;
    }

    check_corridor(s, row, count);
}

static void test_random_rows(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view rows", 904));
    for_scenes(&rng, vnt_scale(30, 400), 6, check_random_rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches), cmocka_unit_test(test_random_rows)};
    return cmocka_run_group_tests_name("classic/views_search", tests, NULL, NULL);
}
