/// Basic and Lazy Theta*: against the printed algorithms on plain arrays, node by node; paths judged by the
/// checker, no shorter than the straight line, in the mean shorter than A*'s and than A*'s after
/// post-smoothing.
#include "searches.h"

#include "classic/theta.h"
#include "graph/zones.h"
#include "path/shorten.h"

#include <stdlib.h>

static const vni_theta_def basic = {.g_weight = 1, .h_weight = 1},
                           lazy = {.lazy = true, .g_weight = 1, .h_weight = 1},
                           every_sight = {.g_weight = 1, .h_weight = 1, .every_sight = true};

static vn_status search(vnt_scene* s, const vni_theta_def* def, const vni_cost* cost, vni_theta* out) {
    assert_int_equal(vni_theta_begin(out, def, &s->graph, cost, &s->scratch, s->start, s->goal), VN_OK);
    return vni_theta_step(out, UINT64_MAX);
}

// ---------------------------------------------------------------------------------------------- oracle

/// The algorithms as printed, with an open list that is searched from end to end.
typedef struct oracle {
    const vnt_scene* scene;
    const vni_cost* cost;
    bool lazy;
    double *g, *h;
    uint32_t* parent;
    unsigned char* state; ///< 0 unseen, 1 open, 2 closed
    uint32_t expanded;
    uint64_t offers; ///< to open neighbours
} oracle;

static oracle oracle_make(const vnt_scene* s, const vni_cost* cost, bool is_lazy) {
    oracle o = {.scene = s, .cost = cost, .lazy = is_lazy};
    const uint32_t count = s->graph.node_limit;
    o.g = malloc(count * sizeof *o.g);
    o.h = malloc(count * sizeof *o.h);
    o.parent = malloc(count * sizeof *o.parent);
    o.state = calloc(count, 1);
    assert_true(o.g);
    assert_true(o.h);
    assert_true(o.parent);
    assert_true(o.state);

    return o;
}

static void oracle_free(oracle* o) {
    free(o->g);
    free(o->h);
    free(o->parent);
    free(o->state);
}

static double straight(const oracle* o, uint32_t a, uint32_t b) {
    vn_point points[2];
    const uint32_t nodes[2] = {a, b};
    o->scene->graph.points(o->scene->graph.self, nodes, 2, points);
    double cost = o->cost->segment(o->cost->self, points[0], points[1]);
    return vnt_is_grid(o->scene) || !o->cost->is_length ? vni_cost_up(cost) : cost;
}

static double bound(const oracle* o, uint32_t node) {
    vn_point point;
    double h;
    o->scene->graph.points(o->scene->graph.self, &node, 1, &point);
    o->cost->lower_bounds(o->cost->self, &point, 1, o->scene->goal_point, &h);
    return o->cost->least == 1 ? h : vni_cost_down(h * o->cost->least);
}

static bool sees(const oracle* o, uint32_t a, uint32_t b) {
    return o->scene->graph.visible(o->scene->graph.self, a, b);
}

static void oracle_offer(oracle* o, uint32_t to, double g, uint32_t parent) {
    if (o->state[to] != 0 && !(g < o->g[to]))
        return;
    if (o->state[to] == 0)
        o->h[to] = bound(o, to);

    o->state[to] = 1;
    o->g[to] = g;
    o->parent[to] = parent;
}

/// All edges of a node; `visit` gets each.
static void for_edges(oracle* o, uint32_t node, void (*visit)(oracle*, uint32_t, uint32_t, double)) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        uint32_t count = o->scene->graph.expand(o->scene->graph.self, node, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            visit(o, node, to[i], o->cost->is_length ? cost[i] : straight(o, node, to[i]));
    } while (cursor != 0);
}

static void update(oracle* o, uint32_t node, uint32_t to, double cost) {
    uint32_t before = o->parent[node];
    if (o->state[to] == 2)
        return;

    ++o->offers;
    double along = o->g[node] + cost;
    double past = before == VN_NO_NODE ? 0 : o->g[before] + straight(o, before, to);
    if (before != VN_NO_NODE && (o->cost->is_length || past <= along) && (o->lazy || sees(o, before, to)))
        oracle_offer(o, to, past, before);
    else
        oracle_offer(o, to, along, node);
}

static void adopt(oracle* o, uint32_t node, uint32_t other, double cost) {
    if (o->state[other] == 2 && o->g[other] + cost < o->g[node]) {
        o->g[node] = o->g[other] + cost;
        o->parent[node] = other;
    }
}

static uint32_t oracle_least(const oracle* o) {
    uint32_t best = VN_NO_NODE;
    for (uint32_t i = 0; i < o->scene->graph.node_limit; ++i) {
        if (o->state[i] != 1)
            continue;
        double f = o->g[i] + o->h[i], least = best == VN_NO_NODE ? 0 : o->g[best] + o->h[best];
        if (best == VN_NO_NODE || f < least || (f == least && o->h[i] < o->h[best]))
            best = i;
    }

    return best;
}

static vn_status oracle_run(oracle* o) {
    oracle_offer(o, o->scene->start, 0, VN_NO_NODE);
    for (;;) {
        uint32_t node = oracle_least(o);
        if (node == VN_NO_NODE)
            return VN_NO_PATH;

        if (o->lazy && o->parent[node] != VN_NO_NODE && !sees(o, o->parent[node], node)) {
            o->g[node] = HUGE_VAL;
            for_edges(o, node, adopt);
        }

        o->state[node] = 2;
        ++o->expanded;
        if (node == o->scene->goal)
            return VN_OK;

        for_edges(o, node, update);
    }
}

/// Every node that was touched has the same parent and the same cost, bit for bit.
static void check_against_printed(vnt_scene* s, const vni_cost* cost, const vni_theta_def* def) {
    vni_theta found;
    oracle o = oracle_make(s, cost, def->lazy);
    vn_status status = search(s, def, cost, &found);
    assert_int_equal(status, oracle_run(&o));
    assert_int_equal(found.expanded, o.expanded);

    uint32_t touched = 0;
    for (uint32_t i = 0; i < s->graph.node_limit; ++i) {
        const vni_node* node = vni_scratch_find(&s->scratch, i);
        bool is_seen = node != NULL && node->position != VNI_NODE_UNSEEN;
        assert_int_equal(is_seen, o.state[i] != 0);
        if (!is_seen)
            continue;

        assert_int_equal(node->position == VNI_NODE_CLOSED, o.state[i] == 2);
        assert_int_equal(node->parent, o.parent[i]);
        assert_true(node->g == o.g[i]);
        ++touched;
    }

    assert_int_equal(found.touched, touched);
    if (def->every_sight) // each open neighbour of each expanded node, the start's too
        assert_int_equal(found.sight_checks, o.offers);
    oracle_free(&o);
}

static void test_as_printed(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("theta printed", 301));
    for (uint32_t i = 0; i < vnt_scale(90, 1500); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, i % VNT_SCENE_KINDS, 10)) {
            const vn_graph graph = s.graph;
            const vnt_thin thin = {&graph};
            if (i % 2)
                s.graph = vnt_thin_graph(&thin);
            check_against_printed(&s, &s.euclidean, &basic);
            check_against_printed(&s, &s.euclidean, &lazy);
            check_against_printed(&s, &s.euclidean, &every_sight);
        }

        vnt_scene_free(&s);
    }
}

// ----------------------------------------------------------------------------------------------- paths

typedef struct totals {
    vnt_sum astar, smoothed, basic, lazy;
    uint64_t basic_checks, lazy_checks;
} totals;

/// Judges the path in the scratch; returns what it costs. Where an edge bends although its ends see each
/// other, the leg is straight and costs less than the search has counted.
static double check_path(const vnt_scene* s, const vni_cost* cost) {
    static vn_point points[VNT_MAX_POINTS];
    uint32_t count = vnt_route(s, s->goal, true, points);
    double length = vnt_route_cost(cost, points, count), g = vni_scratch_g(&s->scratch, s->goal);
    assert_memory_equal(&points[0], &s->start_point, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &s->goal_point, sizeof points[0]);
    assert_true(vn_space_check_path(s->space, points, count, NULL));
    assert_true(vnt_close(length, g) || (vnt_may_bend(s) && length < g));
    assert_true(length >= cost->least * s->euclidean.segment(NULL, s->start_point, s->goal_point) - 1e-9);

    return length;
}

static double smoothed_length(const vnt_scene* s) {
    static vn_point points[VNT_MAX_POINTS];
    uint32_t count = vnt_route(s, s->goal, false, points);
    count = vni_post_smooth(&s->space->occupancy, points, count, NULL);
    return vnt_route_cost(&s->euclidean, points, count);
}

static void compare(vnt_scene* s, totals* t) {
    double cost;
    vni_theta found;
    vn_status status = vnt_best_first(s, &s->nearest, 1, 1, s->goal, &cost);
    double smoothed = status == VN_OK ? smoothed_length(s) : 0;
    assert_int_equal(search(s, &basic, &s->euclidean, &found), status);
    double by_basic = status == VN_OK ? check_path(s, &s->euclidean) : 0;
    t->basic_checks += found.sight_checks;
    assert_int_equal(search(s, &lazy, &s->euclidean, &found), status);
    t->lazy_checks += found.sight_checks;
    assert_true(found.sight_checks <= found.expanded);

    if (status != VN_OK)
        return;
    vnt_sum_add(&t->lazy, check_path(s, &s->euclidean));
    vnt_sum_add(&t->astar, cost);
    vnt_sum_add(&t->smoothed, smoothed);
    vnt_sum_add(&t->basic, by_basic);
}

static void test_paths(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("theta paths", 302));
    double smoothed = 0, by_basic = 0, by_lazy = 0;
    for (int kind = 0; kind < VNT_SCENE_KINDS; ++kind) {
        totals t = {0};
        for (uint32_t i = 0; i < vnt_scale(100, 1200); ++i) {
            vnt_scene s;
            if (vnt_scene_make(&s, &rng, (vnt_scene_kind)kind, i % 8 == 0 ? 60 : 24))
                compare(&s, &t);
            vnt_scene_free(&s);
        }

        assert_true(t.astar.count > 20);
        assert_true(t.basic.sum < t.astar.sum);
        assert_true(t.lazy.sum < t.astar.sum);
        const double slack = vnt_scale(3, 1) / 100.0; // of the mean of some graphs; none of all together
        assert_true(t.basic.sum < (1 + slack) * t.smoothed.sum);
        assert_true(t.lazy.sum < (1 + slack) * t.smoothed.sum);
        assert_true(t.lazy_checks < t.basic_checks);
        print_message("%d: %u paths, A* %.2f, smoothed %.2f, basic %.2f, lazy %.2f, checks %.2f\n", kind,
                      t.astar.count, t.astar.sum / t.astar.count, t.smoothed.sum / t.astar.count,
                      t.basic.sum / t.astar.count, t.lazy.sum / t.astar.count,
                      (double)t.basic_checks / (double)t.lazy_checks);
        smoothed += t.smoothed.sum;
        by_basic += t.basic.sum;
        by_lazy += t.lazy.sum;
    }

    assert_true(by_basic < smoothed);
    assert_true(by_lazy < smoothed);
}

/// Zones break the triangle inequality: legs may be edges although the parent is in sight.
static void test_zones(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("theta zones", 303));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, i % VNT_SCENE_KINDS, 10) && !vnt_may_bend(&s)) {
            vni_zone zone[3];
            for (int k = 0; k < 3; ++k) {
                zone[k].factor = 0.5 + 4 * vni_rng_real(&rng);
                for (int axis = 0; axis < 3; ++axis) {
                    zone[k].low[axis] = 10 * vni_rng_real(&rng);
                    zone[k].high[axis] = zone[k].low[axis] + 5 * vni_rng_real(&rng);
                }
            }

            vni_zones zones = vni_zones_make(zone, 3);
            vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &zones);
            for (int is_lazy = 0; is_lazy < 2; ++is_lazy) {
                check_against_printed(&s, &cost, is_lazy ? &lazy : &basic);
                if (vni_scratch_is_closed(&s.scratch, s.goal))
                    check_path(&s, &cost);
            }
        }

        vnt_scene_free(&s);
    }
}

// -------------------------------------------------------------------------------------------- contract

static void test_open_room(void** state) {
    (void)state;
    for (int is_lazy = 0; is_lazy < 2; ++is_lazy) {
        vn_voxel dims = {40, 30, 20};
        vnt_voxels voxels = vnt_voxels_make(dims);
        vn_space* space = vnt_voxels_space(&voxels);
        vni_grid grid;
        vni_scratch scratch;
        vn_allocator allocator = vn_default_allocator();
        vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
        assert_int_equal(vni_grid_make(&space->occupancy, 26, &grid, NULL), VN_OK);
        vn_graph graph = vni_grid_graph(&grid);
        assert_int_equal(vni_scratch_make(&allocator, graph.node_limit, graph.node_limit, &scratch), VN_OK);
        uint32_t a = vni_grid_node(&grid, (vn_voxel){1, 2, 3});
        uint32_t b = vni_grid_node(&grid, (vn_voxel){38, 21, 17});
        vni_best_first plain;
        vni_best_first_def def = {1, 1, false, false, 0};
        assert_int_equal(vni_best_first_begin(&plain, &def, &graph, &cost, &scratch, a, b), VN_OK);
        assert_int_equal(vni_best_first_step(&plain, UINT64_MAX), VN_OK);
        vni_theta found;
        assert_int_equal(vni_theta_begin(&found, is_lazy ? &lazy : &basic, &graph, &cost, &scratch, a, b),
                         VN_OK);
        assert_int_equal(vni_theta_step(&found, UINT64_MAX), VN_OK);
        assert_int_equal(vni_scratch_parent(&scratch, b), a);
        assert_int_equal(vni_scratch_parent(&scratch, a), VN_NO_NODE);
        assert_true(found.expanded < plain.expanded);
        vni_scratch_free(&scratch);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_refusals(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("theta refusals", 304));
    vnt_scene s;
    while (!vnt_scene_make(&s, &rng, VNT_GRID_26, 16) || s.graph.node_limit < 200)
        vnt_scene_free(&s);

    vni_theta found;
    vn_graph graph = s.graph;
    graph.capabilities = VN_GRAPH_IS_SYMMETRIC;
    assert_int_equal(vni_theta_begin(&found, &basic, &graph, &s.euclidean, &s.scratch, s.start, s.goal),
                     VN_UNSUPPORTED);
    assert_int_equal(vni_theta_step(&found, 1), VN_BAD_ORDER);
    graph.capabilities = VN_GRAPH_SEES;
    assert_int_equal(vni_theta_begin(&found, &lazy, &graph, &s.euclidean, &s.scratch, s.start, s.goal),
                     VN_UNSUPPORTED);
    assert_int_equal(vni_theta_begin(&found, &basic, &graph, &s.euclidean, &s.scratch, s.start, s.goal),
                     VN_OK);
    graph = s.graph;
    graph.node_limit += 64;
    assert_int_equal(vni_theta_begin(&found, &basic, &graph, &s.euclidean, &s.scratch, s.start, s.goal),
                     VN_CAPACITY);
    vnt_scene_free(&s);
}

/// In slices, twice, with a budget and with too little scratch: the same, or a status; never an allocation.
static void check_limits(vnt_scene* s, const vni_theta_def* whole) {
    vni_theta first, again;
    vn_status status = search(s, whole, &s->euclidean, &first);
    uint64_t calls = s->memory.calls;
    const vni_node goal = status == VN_OK ? *vni_scratch_find(&s->scratch, s->goal) : (vni_node){0};
    assert_int_equal(vni_theta_begin(&again, whole, &s->graph, &s->euclidean, &s->scratch, s->start, s->goal),
                     VN_OK);

    while (vni_theta_step(&again, 3) == VN_RUNNING)
        ;

    assert_int_equal(again.status, status);
    assert_int_equal(vni_theta_step(&again, 3), status);
    assert_true(again.expanded == first.expanded);
    assert_true(again.sight_checks == first.sight_checks);
    if (status == VN_OK)
        assert_memory_equal(vni_scratch_find(&s->scratch, s->goal), &goal, sizeof goal);

    vni_theta_def def = *whole;
    def.budget = first.expanded;
    assert_int_equal(search(s, &def, &s->euclidean, &again), status);
    if (first.expanded > 1) {
        def.budget = first.expanded - 1;
        assert_int_equal(search(s, &def, &s->euclidean, &again), VN_BUDGET_SPENT);
        assert_int_equal(again.expanded, def.budget);
    }

    assert_int_equal(s->memory.calls, calls);
    if (first.scratch->pages_used > 1) {
        uint32_t pages = first.scratch->pages_used;
        vnt_scene_scratch(s, 64 * (pages - 1));
        assert_int_equal(search(s, whole, &s->euclidean, &again), VN_CAPACITY);
        vnt_scene_scratch(s, 64 * s->graph.node_limit);
    }
}

static void test_limits(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("theta limits", 305));
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        vnt_scene s;
        if (vnt_scene_make(&s, &rng, i % VNT_SCENE_KINDS, 16)) {
            check_limits(&s, &basic);
            check_limits(&s, &lazy);
        }
        vnt_scene_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_printed), cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_zones),      cmocka_unit_test(test_open_room),
                                       cmocka_unit_test(test_refusals),   cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests_name("classic/theta", tests, NULL, NULL);
}
