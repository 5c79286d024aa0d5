/// Searches on any graph: A*, Dijkstra, greedy, ARA* and the Theta* family on hybrid and waypoint graphs,
/// whose edges are one-way, and on a graph of the test's own, against Bellman-Ford; observers; refusals;
/// capacities.
#include "graph_lists.h"
#include "hybrid_world.h"
#include "probe/sight.h"
#include "volnav/classic.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- least costs

/// Least cost from the start to the goal, by relaxing all edges until nothing changes.
static double least_cost(const vn_graph* graph) {
    double* cost = malloc(graph->node_limit * sizeof *cost);
    assert_non_null(cost);
    for (uint32_t i = 0; i < graph->node_limit; ++i)
        cost[i] = HUGE_VAL;
    cost[VN_START_NODE] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < graph->node_limit; ++i) {
            edge_list list;
            if (cost[i] == HUGE_VAL)
                continue;
            list_edges(graph, i, false, &list);
            for (uint32_t k = 0; k < list.count; ++k)
                if (cost[i] + list.cost[k] < cost[list.to[k]] - 1e-12) {
                    cost[list.to[k]] = cost[i] + list.cost[k];
                    changed = true;
                }
        }
    }

    const double least = cost[VN_GOAL_NODE];
    free(cost);
    return least;
}

static vn_graph_query* make_query(uint32_t node_limit) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_graph_query* query;
    def.node_limit = node_limit;
    assert_int_equal(vn_graph_query_create(&def, &query, NULL), VN_OK);
    return query;
}

/// The path runs along sight lines, from start to goal, and is as long as the result says.
static void check_path(const vn_graph_query* query, const vn_graph* graph, const vni_occupancy* occupancy,
                       const vn_graph_result* result) {
    uint32_t count, node_count;
    const vn_point* points = vn_graph_query_points(query, &count);
    const uint32_t* nodes = vn_graph_query_nodes(query, &node_count);
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    vn_point at[2];
    double length = 0;
    graph->points(graph->self, ends, 2, at);
    assert_true(count == result->point_count && count == node_count && count >= 1);
    assert_true(nodes[0] == VN_START_NODE && (nodes[count - 1] == VN_GOAL_NODE || count == 1));
    assert_memory_equal(&points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&points[count - 1], &at[1], sizeof at[1]);
    for (uint32_t i = 0; i + 1 < count; ++i) {
        assert_true(vni_sight(occupancy, points[i], points[i + 1]));
        assert_true(nodes[i] != VN_NO_NODE);
        length += vni_voxels_between(points[i], points[i + 1]);
    }
    assert_true(fabs(length - result->cost) < 1e-9 * (1 + length));
}

/// What an observer was told.
typedef struct tally {
    uint64_t expanded, sights;
    double last_g; ///< of the last expansion
} tally;

static void listen(void* user, const vn_search_event* event) {
    tally* t = user;
    t->expanded += event->kind == VN_SEARCH_EXPAND;
    t->sights += event->kind == VN_SEARCH_SIGHT;
    if (event->kind == VN_SEARCH_EXPAND)
        t->last_g = event->g;
}

/// The same search, watched: the same result, and every expansion and line of sight is told.
static void check_observed(vn_graph_query* query, const vn_graph* graph, vn_graph_request request,
                           vn_status status, const vn_graph_result* plain) {
    tally t = {0};
    vn_graph_result result;
    request.observe = listen;
    request.observe_user = &t;
    request.voxel_size = 2;
    assert_int_equal(vn_graph_query_find_path(query, graph, &request, &result, NULL), status);
    assert_memory_equal(&result, plain, sizeof result);
    assert_int_equal(t.expanded, result.expanded);
    assert_int_equal(t.sights, result.sight_checks);
    if (request.algo == VN_CLASSIC_DIJKSTRA || request.algo == VN_CLASSIC_ASTAR) {
        uint32_t open[2] = {VN_NO_NODE, VN_NO_NODE};
        const uint32_t count = vn_graph_query_get_open(query, open, 1);
        assert_int_equal(count + result.expanded, result.touched);
        assert_true(count == 0 ? open[0] == VN_NO_NODE : open[0] < graph->node_limit);
        assert_int_equal(open[1], VN_NO_NODE);
        assert_true(status == VN_OK || count == 0);
    }
    if (request.algo == VN_CLASSIC_DIJKSTRA && status == VN_OK) // the goal comes last, in metres
        assert_true(fabs(t.last_g - 2 * result.cost) < 1e-9 * (1 + result.cost));
}

static void check_graph(vn_graph_query* query, const vn_graph* graph, const vni_occupancy* occupancy) {
    const double least = least_cost(graph);
    const vn_classic_algo algos[] = {VN_CLASSIC_ASTAR,      VN_CLASSIC_DIJKSTRA,  VN_CLASSIC_GREEDY,
                                     VN_CLASSIC_ASTAR_LIST, VN_CLASSIC_ARA,       VN_CLASSIC_THETA,
                                     VN_CLASSIC_LAZY_THETA, VN_CLASSIC_THETA_FAST};
    for (uint32_t i = 0; i < sizeof algos / sizeof *algos; ++i) {
        vn_graph_request request = vn_default_graph_request();
        vn_graph_result result;
        request.algo = algos[i];
        const vn_status status = vn_graph_query_find_path(query, graph, &request, &result, NULL);
        if (algos[i] == VN_CLASSIC_THETA_FAST && !(graph->capabilities & VN_GRAPH_HAS_KINDS)) {
            assert_int_equal(status, VN_UNSUPPORTED);
            continue;
        }
        assert_int_equal(status, least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        check_observed(query, graph, request, status, &result);
        if (status != VN_OK)
            continue;
        check_path(query, graph, occupancy, &result);
        if (result.bound == 1)
            assert_true(fabs(result.cost - least) < 1e-9 * (1 + least));
        const bool exact = algos[i] != VN_CLASSIC_GREEDY && i < 5;
        assert_int_equal(result.bound == 1, exact);
    }
}

static void test_hybrid(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("graph query hybrid", 1));
    vn_graph_query* query = make_query(64);
    for (uint32_t round = 0; round < vnt_scale(60, 1000); ++round) {
        hybrid_world w = world_random(&rng, 12);
        vni_hybrid h = world_hybrid(&w);
        vni_hybrid_state s;
        vni_hybrid_view view;
        vn_voxel ends[2];
        assert_int_equal(vni_hybrid_state_make(&h, &w.now_space->occupancy, &s, NULL), VN_OK);
        vni_hybrid_view_make(&s, &view);
        if (vnt_random_free_voxel(&rng, &w.now, &ends[0]) && vnt_random_free_voxel(&rng, &w.now, &ends[1])) {
            for (uint32_t i = 0; i < 2; ++i)
                vni_hybrid_view_set_end(&view, i, vn_voxel_center(ends[i]), ends[i]);
            const vn_graph graph = vni_hybrid_view_graph(&view);
            assert_int_equal(vn_graph_query_grow(query, graph.node_limit, NULL), VN_OK);
            check_graph(query, &graph, &w.now_space->occupancy);
        }
        vni_hybrid_state_free(&s);
        vni_hybrid_free(&h);
        world_free(&w);
    }
    vn_graph_query_destroy(query);
}

// --------------------------------------------------------------------------------------- a graph of one's
// own

/// A ring of nodes on a line, one-way; the goal is its last but one.
typedef struct ring {
    uint32_t size;
} ring;

static uint32_t ring_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const ring* r = (const ring*)self;
    const uint32_t at = node == VN_START_NODE ? 0 : node == VN_GOAL_NODE ? r->size - 2 : node - VN_FIRST_NODE;
    const uint32_t next = (at + 1) % r->size;
    out->to[0] = next == r->size - 2 ? VN_GOAL_NODE : next + VN_FIRST_NODE;
    out->cost[0] = next > at ? 1 : r->size;
    *cursor = 0;
    return 1;
}

static void ring_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const ring* r = (const ring*)self;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = nodes[i] == VN_START_NODE  ? 0
                            : nodes[i] == VN_GOAL_NODE ? r->size - 2
                                                       : nodes[i] - VN_FIRST_NODE;
        out[i] = (vn_point){(int32_t)at * VN_LATTICE, 0, 0};
    }
}

static void test_own_graph(void** state) {
    (void)state;
    const ring r = {20};
    const vn_graph graph = {
        .self = &r, .node_limit = VN_FIRST_NODE + 20, .expand = ring_expand, .points = ring_points};
    vn_graph_query* query = make_query(graph.node_limit);
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    vn_detail detail;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_OK);
    assert_true(result.cost == 18 && result.point_count == 19);

    request.algo = VN_CLASSIC_THETA;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "sight"));
    request.algo = VN_CLASSIC_JPS;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_UNSUPPORTED);
    request = vn_default_graph_request();
    request.heuristic = VN_HEURISTIC_OCTILE;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "grids"));
    request = vn_default_graph_request();
    request.weight = 0.5;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_BAD_ARGUMENT);
    request = vn_default_graph_request();
    request.budget = 3;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_BUDGET_SPENT);
    assert_int_equal(result.expanded, 3);
    request.cookie = 0;
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_BAD_DEF);
    vn_graph_query_destroy(query);
}

static void test_capacity(void** state) {
    (void)state;
    const ring r = {200};
    const vn_graph graph = {
        .self = &r, .node_limit = VN_FIRST_NODE + 200, .expand = ring_expand, .points = ring_points};
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_graph_query* query;
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    vn_detail detail;
    def.node_limit = 10;
    def.max_points = 20;
    assert_int_equal(vn_graph_query_create(&def, &query, NULL), VN_OK);
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_CAPACITY);
    assert_int_equal(result.needed_nodes, graph.node_limit);
    assert_int_equal(vn_graph_query_grow(query, result.needed_nodes, NULL), VN_OK);
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_CAPACITY);
    assert_non_null(strstr(detail.text, "20 points"));
    vn_graph_query_destroy(query);

    def.max_nodes = 64;
    def.node_limit = graph.node_limit;
    assert_int_equal(vn_graph_query_create(&def, &query, NULL), VN_OK);
    assert_int_equal(vn_graph_query_find_path(query, &graph, &request, &result, &detail), VN_CAPACITY);
    assert_int_equal(result.needed_nodes, 128);
    vn_graph_query_destroy(query);
}

static void test_memory(void** state) {
    (void)state;
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_graph_query_def def = vn_default_graph_query_def();
        vn_graph_query* query;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        def.node_limit = 1000;
        vn_status status = vn_graph_query_create(&def, &query, NULL);
        if (status == VN_OK)
            status = vn_graph_query_grow(query, 5000, NULL);
        assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
        done = status == VN_OK;
        assert_int_equal(done, !memory.failed);
        vn_graph_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hybrid), cmocka_unit_test(test_own_graph),
                                       cmocka_unit_test(test_capacity), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("classic/graph_query", tests, NULL, NULL);
}
