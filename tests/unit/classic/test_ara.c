/// ARA*: each pass within its bound of Dijkstra's cost, bounds and costs that never rise, the bound itself
/// worked out anew from what was expanded, the last pass as cheap as A*, no node twice in a pass.
#include "searches.h"

#include "classic/ara.h"

#include <stdlib.h>

/// A graph that looks on: what g each node had when it was expanded last, and how often in this pass.
typedef struct watch {
    const vn_graph* graph;
    const vni_scratch* scratch;
    double* told; ///< by node; infinity before it is expanded
    uint32_t* times;
} watch;

static uint32_t watch_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const watch* w = self;
    if (*cursor == 0) {
        w->told[node] = vni_scratch_g(w->scratch, node);
        ++w->times[node];
    }
    return w->graph->expand(w->graph->self, node, cursor, out);
}

static void watch_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const watch* w = self;
    w->graph->points(w->graph->self, nodes, count, out);
}

static watch watch_make(const vnt_scene* s, vn_graph* out) {
    const uint32_t count = s->graph.node_limit;
    watch w = {&s->graph, &s->scratch, malloc(count * sizeof *w.told), calloc(count, sizeof *w.times)};
    assert_true(w.told);
    assert_true(w.times);
    for (uint32_t i = 0; i < count; ++i)
        w.told[i] = HUGE_VAL;

    *out = s->graph;
    out->expand = watch_expand;
    out->points = watch_points;
    return w;
}

static void watch_free(watch* w) {
    free(w->told);
    free(w->times);
}

/// g(goal) over the least g + h of all nodes whose neighbours have not been told their g.
static double bound_of(const vnt_scene* s, const watch* w, const vni_cost* cost, double weight) {
    double least = HUGE_VAL, goal = vni_scratch_g(&s->scratch, s->goal);
    for (uint32_t i = 0; i < s->graph.node_limit; ++i) {
        const vni_node* node = vni_scratch_find(&s->scratch, i);
        if (node == NULL || node->position == VNI_NODE_UNSEEN || node->g == w->told[i])
            continue;

        vn_point point;
        double h;
        s->graph.points(s->graph.self, &i, 1, &point);
        cost->lower_bounds(cost->self, &point, 1, s->goal_point, &h);
        least = fmin(least, node->g + h);
    }

    return goal <= least ? 1 : fmin(weight, goal / least);
}

/// No node twice; as many as it says.
static void check_times(const vnt_scene* s, watch* w, const vni_ara* ara) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->graph.node_limit; ++i) {
        assert_true(w->times[i] <= 1);
        sum += w->times[i];
    }

    assert_int_equal(sum, ara->expanded_by_pass);
    memset(w->times, 0, s->graph.node_limit * sizeof *w->times);
}

static void check_path(const vnt_scene* s, double at_most) {
    static vn_point points[VNT_MAX_POINTS];
    uint32_t count = vnt_route(s, s->goal, false, points);
    assert_memory_equal(&points[0], &s->start_point, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &s->goal_point, sizeof points[0]);
    assert_true(vn_space_check_path(s->space, points, count, NULL));
    assert_true(vnt_route_cost(&s->euclidean, points, count) <= at_most + 1e-9 * (1 + at_most));
}

/// Everything that a pass promises. `last` is the search as it was after the pass before.
static void check_pass(const vnt_scene* s, watch* w, const vni_ara* ara, const vni_ara* last, double least) {
    double weight = fmax(1, ara->def.first - last->passes * ara->def.step);
    assert_int_equal(ara->passes, last->passes + 1);
    assert_true(vnt_close(ara->weight, weight));
    assert_true(ara->path_cost == vni_scratch_g(&s->scratch, s->goal));
    assert_true(ara->path_cost <= ara->bound * least * (1 + 1e-12) + 1e-9);
    assert_true(ara->bound >= 1);
    assert_true(ara->bound <= ara->weight);

    double bound = bound_of(s, w, ara->cost, weight);
    if (last->passes > 0) {
        assert_true(ara->bound <= last->bound);
        assert_true(ara->path_cost <= last->path_cost);
        bound = fmin(bound, last->bound);
    }

    assert_true(vnt_close(ara->bound, bound));
    if (s->space != NULL)
        check_path(s, ara->path_cost);

    check_times(s, w, ara);
}

/// Returns how many passes there were.
static uint32_t check_search(vnt_scene* s, const vni_ara_def* def) {
    double least, by_astar;
    vn_graph graph;
    vn_status status = vnt_best_first(s, &s->nearest, 1, 0, s->goal, &least);
    assert_int_equal(vnt_best_first(s, &s->nearest, 1, 1, s->goal, &by_astar), status);
    watch w = watch_make(s, &graph);
    graph.self = &w;
    vni_ara ara, last;
    assert_int_equal(vni_ara_begin(&ara, def, &graph, &s->nearest, &s->scratch, s->start, s->goal), VN_OK);
    assert_true(ara.passes == 0);
    assert_true(ara.bound == 0);
    const uint64_t calls = s->memory.calls;

    vn_status now;
    do {
        last = ara;
        now = vni_ara_step(&ara, UINT64_MAX);
        assert_int_equal(now, ara.status);
        if (now != VN_NO_PATH)
            check_pass(s, &w, &ara, &last, least);
    } while (now == VN_RUNNING);

    assert_int_equal(now, status);
    assert_int_equal(s->memory.calls, calls);
    if (status == VN_OK) {
        assert_true(ara.bound == 1);
        assert_true(vnt_close(ara.path_cost, by_astar));
        assert_true(vnt_close(ara.path_cost, least));
    } else {
        assert_false(vni_ara_has_path(&ara));
    }

    watch_free(&w);
    return ara.passes;
}

static void test_passes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara passes", 311));
    uint32_t several = 0;
    for (uint32_t i = 0; i < vnt_scale(200, 1500); ++i) {
        vnt_scene s;
        vni_ara_def def = {1 + 4 * vni_rng_real(&rng), 0.1 + vni_rng_real(&rng), 0};
        if (i % 3 == 0)
            def = (vni_ara_def){3, i % 2 ? 0.2 : 0.4, 0};

        if (vnt_scene_make(&s, &rng, i % VNT_SCENE_KINDS, i % 10 == 0 ? 40 : 16)) {
            const vn_graph graph = s.graph;
            const vnt_thin thin = {&graph};
            if (i % 2)
                s.graph = vnt_thin_graph(&thin);
            several += check_search(&s, &def) > 3;
        }

        vnt_scene_free(&s);
    }

    assert_true(several > 20);
}

// ----------------------------------------------------------------------------------------------- cobwebs

#define WEB_NODES 300
#define WEB_EDGES 12

/// Random points, joined at random, at up to six times the distance: nodes get cheaper again and again.
typedef struct web {
    vn_point points[WEB_NODES];
    uint32_t to[WEB_NODES][WEB_EDGES];
    double cost[WEB_NODES][WEB_EDGES];
    uint32_t count;
} web;

static uint32_t web_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const web* w = self;
    assert_int_equal(*cursor, 0);
    memcpy(out->to, w->to[node], sizeof w->to[node]);
    memcpy(out->cost, w->cost[node], sizeof w->cost[node]);
    return WEB_EDGES;
}

static void web_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const web* w = self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = w->points[nodes[i]];
}

static void web_make(web* w, vni_rng* rng, vnt_scene* out) {
    const vn_voxel dims = {100, 100, 10};
    w->count = 2 + vni_rng_below(rng, WEB_NODES - 1);
    for (uint32_t i = 0; i < w->count; ++i)
        w->points[i] = vnt_random_point(rng, dims, 1);

    for (uint32_t i = 0; i < w->count; ++i)
        for (uint32_t k = 0; k < WEB_EDGES; ++k) {
            w->to[i][k] = (i + 1 + vni_rng_below(rng, w->count - 1)) % w->count;
            w->cost[i][k] = vni_distance(w->points[i], w->points[w->to[i][k]]) * (1 + 5 * vni_rng_real(rng));
        }

    memset(out, 0, sizeof *out);
    out->memory = vnt_memory_make();
    out->nearest = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    out->graph = (vn_graph){.self = w, .node_limit = w->count, .expand = web_expand, .points = web_points};
    out->goal = w->count - 1;
    out->goal_point = w->points[out->goal];
    vnt_scene_scratch(out, w->count);
}

static void test_cobwebs(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara cobwebs", 316));
    static web w;
    for (uint32_t i = 0; i < vnt_scale(100, 1500); ++i) {
        vnt_scene s;
        vni_ara_def def = {1 + 10 * vni_rng_real(&rng), 0.2 + 2 * vni_rng_real(&rng), 0};
        web_make(&w, &rng, &s);
        check_search(&s, &def);
        vni_scratch_free(&s.scratch);
    }
}

/// The first path must come sooner than A*'s, else there is no point.
static void test_first_path_is_soon(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara first", 312));
    uint64_t first = 0, by_astar = 0;
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, VNT_GRID_26, 40)) {
            vni_best_first astar;
            vni_best_first_def def = {1, 1, false, false, 0};
            assert_int_equal(
                vni_best_first_begin(&astar, &def, &s.graph, &s.nearest, &s.scratch, s.start, s.goal), VN_OK);
            if (vni_best_first_step(&astar, UINT64_MAX) == VN_OK) {
                vni_ara ara;
                vni_ara_def ara_def = {3, 0.2, 0};
                by_astar += astar.expanded;
                assert_int_equal(
                    vni_ara_begin(&ara, &ara_def, &s.graph, &s.nearest, &s.scratch, s.start, s.goal), VN_OK);
                vni_ara_step(&ara, UINT64_MAX);
                assert_int_equal(ara.passes, 1);
                first += ara.expanded;
            }
        }

        vnt_scene_free(&s);
    }

    assert_true(first < by_astar);
}

// -------------------------------------------------------------------------------------------- contract

static const vni_ara_def usual = {3, 0.2, 0};

static void begin(vnt_scene* s, const vni_ara_def* def, vni_ara* out) {
    assert_int_equal(vni_ara_begin(out, def, &s->graph, &s->nearest, &s->scratch, s->start, s->goal), VN_OK);
}

static void run(vnt_scene* s, const vni_ara_def* def, uint64_t slice, vni_ara* out) {
    begin(s, def, out);
    while (vni_ara_step(out, slice) == VN_RUNNING)
        ;
    assert_int_equal(vni_ara_step(out, slice), out->status);
}

/// Whatever it is stopped by, what there is can be used, and its bound still holds.
static void check_stopped(vnt_scene* s, const vni_ara* ara, double least) {
    if (!vni_ara_has_path(ara))
        return;
    double g = vni_scratch_g(&s->scratch, s->goal);
    check_path(s, g);
    if (ara->passes > 0) {
        assert_true(g <= ara->path_cost);
        assert_true(g <= ara->bound * least * (1 + 1e-12) + 1e-9);
    } else {
        assert_true(ara->bound == 0);
        assert_true(ara->weight == 0);
    }
}

static void check_limits(vnt_scene* s, vni_rng* rng) {
    vni_ara whole, again;
    double least;
    vnt_best_first(s, &s->nearest, 1, 0, s->goal, &least);
    run(s, &usual, UINT64_MAX, &whole);
    uint32_t pages = s->scratch.pages_used;
    run(s, &usual, 2, &again);
    assert_true(again.status == whole.status);
    assert_true(again.expanded == whole.expanded);
    assert_true(again.path_cost == whole.path_cost);
    assert_true(again.passes == whole.passes);
    assert_true(again.touched == whole.touched);
    vni_ara_def def = usual;
    def.budget = whole.expanded ? whole.expanded : 1;
    run(s, &def, UINT64_MAX, &again);

    assert_int_equal(again.status, whole.status);
    if (whole.expanded > 1) {
        def.budget = 1 + vni_rng_below(rng, (uint32_t)whole.expanded - 1);
        run(s, &def, UINT64_MAX, &again);
        assert_int_equal(again.status, VN_BUDGET_SPENT);
        assert_int_equal(again.expanded, def.budget);
        check_stopped(s, &again, least);
    }

    if (pages > 1) {
        vnt_scene_scratch(s, 64 * (1 + vni_rng_below(rng, pages - 1)));
        run(s, &usual, UINT64_MAX, &again);
        assert_int_equal(again.status, VN_CAPACITY);
        check_stopped(s, &again, least);
    }
}

static void test_limits(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara limits", 313));
    for (uint32_t i = 0; i < vnt_scale(100, 800); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, i % VNT_SCENE_KINDS, 20))
            check_limits(&s, &rng);
        vnt_scene_free(&s);
    }
}

static void test_refusals(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara refusals", 314));
    vnt_scene s;
    while (!vnt_scene_make(&s, &rng, VNT_GRID_26, 16))
        vnt_scene_free(&s);

    const vni_ara_def bad[] = {{0.9, 0.2, 0},  {3, 0, 0},           {3, -1, 0},         {2e6, 0.2, 0},
                               {1e6, 0.01, 0}, {(double)NAN, 1, 0}, {3, (double)NAN, 0}};
    vni_ara ara;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(vni_ara_begin(&ara, &bad[i], &s.graph, &s.nearest, &s.scratch, s.start, s.goal),
                         VN_BAD_ARGUMENT);
        assert_int_equal(vni_ara_step(&ara, 1), VN_BAD_ORDER);
    }

    vn_graph graph = s.graph;
    graph.node_limit += 64;
    assert_int_equal(vni_ara_begin(&ara, &usual, &graph, &s.nearest, &s.scratch, s.start, s.goal),
                     VN_CAPACITY);
    vnt_scene_free(&s);
}

/// From a node to itself, and with a lower bound that is only a guess.
static void test_odd_requests(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ara odd", 315));
    for (uint32_t i = 0; i < vnt_scale(60, 300); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, VNT_GRID_26, 12)) {
            vni_ara ara;
            s.nearest = vni_cost_length(VNI_METRIC_MANHATTAN, 26);
            run(&s, &usual, UINT64_MAX, &ara);
            assert_true(ara.bound == 0);
            if (ara.status == VN_OK) {
                assert_int_equal(ara.passes, 11);
                assert_true(ara.weight == 1);
                check_path(&s, ara.path_cost);
            }

            s.goal = s.start;
            run(&s, &usual, UINT64_MAX, &ara);
            assert_int_equal(ara.status, VN_OK);
            assert_true(ara.path_cost == 0);
            assert_true(ara.expanded == 0);
            s.nearest = s.euclidean;
            run(&s, &usual, UINT64_MAX, &ara);
            assert_true(ara.status == VN_OK);
            assert_true(ara.passes == 1);
            assert_true(ara.bound == 1);
        }

        vnt_scene_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_passes),
                                       cmocka_unit_test(test_cobwebs),
                                       cmocka_unit_test(test_first_path_is_soon),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_odd_requests)};

    return cmocka_run_group_tests_name("classic/ara", tests, NULL, NULL);
}
