/// The Adaptive A* family on a graph of one-way edges that the test makes itself, with and without
/// predecessors: costs grow or fall, edges and nodes come and go, and so do the ends. After every change the
/// cost is that of Bellman and Ford.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "replan/adaptive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 48, LIMIT = VN_FIRST_NODE + NODES, DEGREE = 4, FEEDERS = 3, SIDE = 16 * 1024 };

typedef struct arcs {
    bool is_there[NODES];
    uint32_t to[NODES][DEGREE]; ///< VN_NO_NODE: none
    double cost[NODES][DEGREE];
    double least; ///< what the graph says that a voxel costs at least; it is 1
} arcs;

typedef struct oneway {
    vni_rng rng;
    vn_graph graph;
    uint64_t version;
    vn_point points[NODES];
    arcs now, next; ///< `next` becomes the graph with the next version
    vn_point ends[2];
    uint32_t feeders[2][FEEDERS]; ///< nodes that the start leads to; nodes that lead to the goal
    double feeder_cost[2][FEEDERS];
    uint32_t came[NODES], went[NODES], changed[NODES];
    vn_node_changes changes;
} oneway;

static double distance(vn_point a, vn_point b) {
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z) / 1024;
}

static vn_point some_point(oneway* w) {
    return (vn_point){vni_rng_range(&w->rng, 0, SIDE), vni_rng_range(&w->rng, 0, SIDE),
                      vni_rng_range(&w->rng, 0, SIDE)};
}

/// An edge between nodes that are there.
static bool has_arc(const arcs* a, uint32_t from, uint32_t k) {
    const uint32_t to = a->to[from][k];
    return a->is_there[from] && to != VN_NO_NODE && a->is_there[to - VN_FIRST_NODE];
}

// ---------- the graph

static uint32_t expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const oneway* w = (const oneway*)self;
    uint32_t count = 0;
    *cursor = 0;
    for (uint32_t i = 0; node == VN_START_NODE && i < FEEDERS; ++i)
        if (w->feeders[0][i] != VN_NO_NODE) {
            out->to[count] = w->feeders[0][i];
            out->cost[count++] = w->feeder_cost[0][i];
        }
    if (node < VN_FIRST_NODE)
        return count;

    const uint32_t from = node - VN_FIRST_NODE;
    assert_true(w->now.is_there[from]); // a planner asks for no node that went
    for (uint32_t k = 0; k < DEGREE; ++k)
        if (has_arc(&w->now, from, k)) {
            out->to[count] = w->now.to[from][k];
            out->cost[count++] = w->now.cost[from][k];
        }
    for (uint32_t i = 0; i < FEEDERS; ++i)
        if (w->feeders[1][i] == node) {
            out->to[count] = VN_GOAL_NODE;
            out->cost[count++] = w->feeder_cost[1][i];
        }
    return count;
}

/// Only those of the goal are asked for.
static uint32_t predecessors(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const oneway* w = (const oneway*)self;
    uint32_t count = 0;
    assert_int_equal(node, VN_GOAL_NODE);
    *cursor = 0;
    for (uint32_t i = 0; i < FEEDERS; ++i)
        if (w->feeders[1][i] != VN_NO_NODE) {
            out->to[count] = w->feeders[1][i];
            out->cost[count++] = w->feeder_cost[1][i];
        }
    return count;
}

static void get_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const oneway* w = (const oneway*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = nodes[i] < VN_FIRST_NODE ? w->ends[nodes[i]] : w->points[nodes[i] - VN_FIRST_NODE];
}

// ---------- the source

static const vn_graph* source_graph(void* self) {
    return &((const oneway*)self)->graph;
}

static uint64_t source_version(void* self) {
    return ((const oneway*)self)->version;
}

/// An end is joined to the nearest nodes; at more than the distance, as the version says.
static vn_status source_set_end(void* self, uint32_t end, vn_point point) {
    oneway* w = (oneway*)self;
    w->ends[end] = point;
    for (uint32_t i = 0; i < FEEDERS; ++i) {
        uint32_t best = VN_NO_NODE;
        for (uint32_t n = 0; n < NODES; ++n) {
            bool is_taken = !w->now.is_there[n];
            for (uint32_t k = 0; k < i; ++k)
                is_taken = is_taken || w->feeders[end][k] == n + VN_FIRST_NODE;
            if (!is_taken && (best == VN_NO_NODE || distance(w->points[n], point) <
                                                        distance(w->points[best - VN_FIRST_NODE], point)))
                best = n + VN_FIRST_NODE;
        }
        w->feeders[end][i] = best;
        if (best != VN_NO_NODE)
            w->feeder_cost[end][i] =
                distance(w->points[best - VN_FIRST_NODE], point) * (1 + (double)((best + w->version) % 3));
    }
    return VN_OK;
}

/// Whether the edges out of a node, or to it, are others in the next version.
static bool differs(const oneway* w, uint32_t n) {
    for (uint32_t from = 0; from < NODES; ++from)
        for (uint32_t k = 0; k < DEGREE; ++k) {
            const uint32_t a = w->now.to[from][k], b = w->next.to[from][k];
            if (from != n && a != n + VN_FIRST_NODE && b != n + VN_FIRST_NODE)
                continue;
            const bool was = has_arc(&w->now, from, k), is = has_arc(&w->next, from, k);
            if (was != is || (was && (a != b || w->now.cost[from][k] != w->next.cost[from][k])))
                return true;
        }
    return false;
}

static vn_status source_advance(void* self, uint64_t version) {
    (void)version;
    oneway* w = (oneway*)self;
    vn_node_changes c = {.version = w->version + 1, .came = w->came, .went = w->went, .changed = w->changed};
    for (uint32_t n = 0; n < NODES; ++n) {
        const uint32_t id = n + VN_FIRST_NODE;
        if (w->now.is_there[n] != w->next.is_there[n])
            *(w->next.is_there[n] ? &w->came[c.came_count++] : &w->went[c.went_count++]) = id;
        else if (w->now.is_there[n] && differs(w, n))
            w->changed[c.changed_count++] = id;
    }
    w->changes = c;
    w->now = w->next;
    w->graph.least = w->now.least;
    ++w->version;
    return VN_OK;
}

static vn_status source_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    const oneway* w = (const oneway*)self;
    *out = w->changes;
    return version == w->changes.version ? VN_OK : VN_STALE;
}

static vn_graph_source source_of(oneway* w) {
    return (vn_graph_source){.self = w,
                             .graph = source_graph,
                             .version = source_version,
                             .set_end = source_set_end,
                             .advance = source_advance,
                             .get_changes = source_get_changes};
}

// ---------- what changes

static void draw_arc(oneway* w, uint32_t from, uint32_t k) {
    const uint32_t to = vni_rng_below(&w->rng, NODES);
    w->next.to[from][k] = to == from ? VN_NO_NODE : to + VN_FIRST_NODE;
    w->next.cost[from][k] = distance(w->points[from], w->points[to]) * (1 + vni_rng_below(&w->rng, 8) / 4.0);
}

static void make(oneway* w, uint64_t seed, bool reverses) {
    memset(w, 0, sizeof *w);
    w->rng = vni_rng_make(seed);
    w->graph = (vn_graph){.self = w,
                          .node_limit = LIMIT,
                          .capabilities = reverses ? VN_GRAPH_REVERSES : 0,
                          .expand = expand,
                          .predecessors = reverses ? predecessors : NULL,
                          .points = get_points};
    for (uint32_t n = 0; n < NODES; ++n)
        w->points[n] = some_point(w);
    for (uint32_t n = 0; n < NODES; ++n) {
        w->next.is_there[n] = true;
        for (uint32_t k = 0; k < DEGREE; ++k)
            draw_arc(w, n, k);
    }
    w->next.least = 1;
    w->now = w->next;
}

static void change(oneway* w, bool only_grows) {
    if (vni_rng_below(&w->rng, 8) == 0)
        w->next.least = only_grows ? 1 : (1 + vni_rng_below(&w->rng, 4)) / 4.0;
    for (uint32_t i = vni_rng_below(&w->rng, 6); i > 0; --i) {
        const uint32_t n = vni_rng_below(&w->rng, NODES), k = vni_rng_below(&w->rng, DEGREE);
        const uint32_t what = vni_rng_below(&w->rng, 8);
        if (what < 4)
            w->next.cost[n][k] *= 1 + vni_rng_below(&w->rng, 4) / 4.0;
        else if (what == 4)
            w->next.to[n][k] = VN_NO_NODE;
        else if (!only_grows && what < 7)
            draw_arc(w, n, k);
        else if (!only_grows)
            w->next.is_there[n] = !w->next.is_there[n];
    }
}

// ---------- what must hold

static double least_cost(const oneway* w) {
    double g[LIMIT];
    for (uint32_t i = 0; i < LIMIT; ++i)
        g[i] = i == VN_START_NODE ? 0 : HUGE_VAL;
    for (uint32_t round = 0; round < NODES + 2; ++round)
        for (uint32_t from = 0; from < LIMIT; ++from) {
            uint32_t to[VN_EDGE_BATCH], cursor = 0;
            double cost[VN_EDGE_BATCH];
            const vn_edges edges = {to, cost};
            if (g[from] == HUGE_VAL)
                continue;
            const uint32_t count = expand(w, from, &cursor, &edges);
            for (uint32_t i = 0; i < count; ++i)
                g[to[i]] = g[from] + cost[i] < g[to[i]] ? g[from] + cost[i] : g[to[i]];
        }
    return g[VN_GOAL_NODE];
}

static void check_bounds(oneway* w, vni_replan* r) {
    for (uint32_t n = 0; n < NODES; ++n) {
        if (!w->now.is_there[n])
            continue;
        uint32_t to[VN_EDGE_BATCH], cursor = 0;
        double cost[VN_EDGE_BATCH];
        const vn_edges edges = {to, cost};
        const double h = vni_adaptive_bound(r, n + VN_FIRST_NODE);
        const uint32_t count = vni_lifelong_edges(&r->core, true, n + VN_FIRST_NODE, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(h <= cost[i] + vni_adaptive_bound(r, to[i]));
    }
}

static bool check_plan(oneway* w, const vn_planner* planner, uint64_t slice) {
    vn_status status;
    vn_plan plan;
    do
        status = planner->step(planner->self, slice);
    while (status == VN_RUNNING);
    assert_int_equal(planner->path(planner->self, &plan), status);
    check_bounds(w, (vni_replan*)planner->self);

    const double least = least_cost(w);
    assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status != VN_OK)
        return false;
    assert_true(fabs(plan.cost - least) <= 1e-7 * (1 + least));
    assert_true(plan.point_count >= 3);
    assert_memory_equal(&plan.points[0], &w->ends[0], sizeof w->ends[0]);
    assert_memory_equal(&plan.points[plan.point_count - 1], &w->ends[1], sizeof w->ends[1]);
    return true;
}

typedef struct totals {
    uint64_t plans, paths, restarts, runs;
} totals;

static void one_run(uint64_t seed, vn_replan_algo algo, bool reverses, bool only_grows, totals* t) {
    oneway w;
    make(&w, seed, reverses);
    vn_graph_source source = source_of(&w);
    vn_replan_def def = vn_default_replan_def();
    def.algo = algo;
    vn_planner planner;
    assert_int_equal(vn_replan_create(&source, &def, &planner, NULL), VN_OK);
    vn_point start = some_point(&w), goal = some_point(&w);
    assert_int_equal(planner.begin(planner.self, 0, start, goal, NULL), VN_OK);

    for (uint32_t i = 0; i < vnt_scale(30, 60); ++i) {
        const uint32_t what = vni_rng_below(&w.rng, 8);
        if (what == 0)
            (void)planner.step(planner.self, 3); // and goes on unfinished
        else
            t->paths += check_plan(&w, &planner, 1 + vni_rng_below(&w.rng, 8));
        ++t->plans;

        if (what < 5)
            start = some_point(&w);
        if (!only_grows && what == 5)
            goal = some_point(&w);
        assert_int_equal(planner.move(planner.self, start, goal), VN_OK);
        if (what == 6)
            continue;
        change(&w, only_grows);
        assert_int_equal(planner.advance(planner.self, 0, NULL), VN_OK);
    }

    vn_plan plan;
    (void)planner.path(planner.self, &plan);
    t->restarts += plan.restarts;
    ++t->runs;
    planner.free(planner.self);
}

static void test_one_way(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/adaptive-oneway", 1);
    const vn_replan_algo algos[] = {VN_REPLAN_ADAPTIVE, VN_REPLAN_MPAA, VN_REPLAN_TREE_ADAPTIVE};
    for (uint32_t i = 0; i < 12; ++i) {
        const bool reverses = (i & 1) != 0, only_grows = (i & 2) != 0;
        totals t = {0};
        for (uint32_t k = 0; k < vnt_scale(60, 1000); ++k)
            one_run(seed + k, algos[i >> 2], reverses, only_grows, &t);
        printf("%-14s %s, %s: %llu plans, %llu paths, %llu restarts in %llu runs\n",
               vn_replan_algo_name(algos[i >> 2]), reverses ? "predecessors" : "none",
               only_grows ? "costs grow" : "anything", (unsigned long long)t.plans,
               (unsigned long long)t.paths, (unsigned long long)t.restarts, (unsigned long long)t.runs);
        assert_true(t.paths > t.plans / 4);
        if (reverses)
            assert_true(t.restarts < t.plans);
        if (reverses && only_grows)
            assert_int_equal(t.restarts, t.runs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
