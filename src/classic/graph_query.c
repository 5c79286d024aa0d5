/// classic/graph_query.c: the searches of this library on any graph that keeps to volnav/graph.h.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/ara.h"
#include "classic/theta.h"
#include "search/best_first.h"
#include "view/grid.h"
#include "volnav/classic.h"

#include <math.h>
#include <string.h>

#define QUERY_COOKIE   0x2b7c90e5u
#define REQUEST_COOKIE 0x5d1f38a8u

struct vn_graph_query {
    vn_allocator allocator;
    vni_scratch scratch;
    uint32_t node_limit, max_nodes, max_points;
    vn_point* points;
    uint32_t* nodes;
    uint32_t count;
    vni_observer watcher; ///< the request's observer
    union {
        vni_best_first best_first;
        vni_theta theta;
        vni_ara ara;
    } search;
};

// ----------------------------------------------------------------------------------------------------- life

vn_graph_query_def vn_default_graph_query_def(void) {
    return (vn_graph_query_def){.allocator = vn_default_allocator(), .cookie = QUERY_COOKIE};
}

vn_status vn_graph_query_create(const vn_graph_query_def* def, vn_graph_query** out, vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != QUERY_COOKIE)
        return vni_fail(
            detail, VN_BAD_DEF,
            "make the graph query's def with vn_default_graph_query_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");

    vn_graph_query* query = VNI_NEW(&def->allocator, vn_graph_query);
    if (query == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a graph query");
    query->allocator = def->allocator;
    query->max_nodes = def->max_nodes;
    query->max_points = def->max_points > 0 ? def->max_points : 65536;
    query->points = VNI_NEW_ARRAY(&def->allocator, vn_point, query->max_points);
    query->nodes = VNI_NEW_ARRAY(&def->allocator, uint32_t, query->max_points);

    vn_status status =
        query->points != NULL && query->nodes != NULL
            ? vn_graph_query_grow(query, def->node_limit, detail)
            : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points", query->max_points);
    if (status == VN_OK)
        *out = query;
    else
        vn_graph_query_destroy(query);
    return status;
}

void vn_graph_query_destroy(vn_graph_query* query) {
    if (query == NULL)
        return;
    const vn_allocator allocator = query->allocator;
    vni_scratch_free(&query->scratch);
    if (query->points != NULL)
        VNI_DELETE_ARRAY(&allocator, query->points, query->max_points);
    if (query->nodes != NULL)
        VNI_DELETE_ARRAY(&allocator, query->nodes, query->max_points);
    VNI_DELETE(&allocator, query);
}

vn_status vn_graph_query_grow(vn_graph_query* query, uint32_t node_limit, vn_detail* detail) {
    VNI_ASSERT(query != NULL);
    if (node_limit <= query->node_limit)
        return VN_OK;

    vni_scratch scratch;
    const uint32_t most = query->max_nodes > 0 ? query->max_nodes : UINT32_MAX;
    if (vni_scratch_make(&query->allocator, node_limit, most, &scratch) != VN_OK)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to search graphs of %u nodes", node_limit);

    vni_scratch_free(&query->scratch);
    query->scratch = scratch;
    query->node_limit = node_limit;
    query->count = 0;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- requests

vn_graph_request vn_default_graph_request(void) {
    return (vn_graph_request){
        .weight = 1, .ara_first = 3, .ara_step = 0.2, .voxel_size = 1, .cookie = REQUEST_COOKIE};
}

static bool is_theta(vn_classic_algo algo) {
    return algo == VN_CLASSIC_THETA || algo == VN_CLASSIC_LAZY_THETA || algo == VN_CLASSIC_THETA_FAST;
}

vn_status vn_graph_supports(const vn_graph* graph, vn_classic_algo algo, vn_detail* detail) {
    VNI_ASSERT(graph != NULL);
    const char* name = vn_classic_algo_name(algo);
    if (name == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no algorithm number %d", (int)algo);
    if (algo == VN_CLASSIC_JPS || algo == VN_CLASSIC_JPS6)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s jumps along rows of voxels: it needs a classic of kind grid", name);
    if (!is_theta(algo))
        return VN_OK;

    if (!(graph->capabilities & VN_GRAPH_SEES))
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs a graph that can check lines of sight", name);
    if (vni_graph_has_zones(graph))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s takes straight lines for as long as they are, and this graph has zones: take "
                        "astar, or theta of a vn_classic, whose requests have zones",
                        name);
    if (algo == VN_CLASSIC_LAZY_THETA && !(graph->capabilities & (VN_GRAPH_IS_SYMMETRIC | VN_GRAPH_REVERSES)))
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs symmetric edges, or predecessors", name);
    if (algo == VN_CLASSIC_THETA_FAST && !(graph->capabilities & VN_GRAPH_HAS_KINDS))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s checks sight from static and dynamic neighbour nodes only, and this graph has no "
                        "kinds of nodes; the hybrid graph has",
                        name);
    return VN_OK;
}

static vn_status check_request(const vn_graph* graph, const vn_graph_request* r, vn_detail* detail) {
    if (r->cookie != REQUEST_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_graph_request, then change what you mean");
    if (!(r->weight >= 1 && r->weight <= 1e6))
        return vni_fail(detail, VN_BAD_ARGUMENT, "a weight is 1 to 1e6, not %g", r->weight);
    if (r->observe != NULL && !(r->voxel_size > 0 && r->voxel_size < HUGE_VAL))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the size of a voxel is above 0, not %g", r->voxel_size);
    if (vn_heuristic_name(r->heuristic) == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no heuristic number %d", (int)r->heuristic);
    if (r->heuristic != VN_HEURISTIC_DEFAULT && r->heuristic != VN_HEURISTIC_EUCLIDEAN &&
        !(graph->capabilities & VN_GRAPH_IS_GRID))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the %s heuristic is for grids; this graph takes the Euclidean one",
                        vn_heuristic_name(r->heuristic));
    return vn_graph_supports(graph, r->algo, detail);
}

/// Length, with the lower bound that fits the graph, or that was asked for.
static vni_cost cost_of(const vn_graph* graph, const vn_graph_request* r) {
    const bool is_grid = (graph->capabilities & VN_GRAPH_IS_GRID) != 0;
    const uint32_t neighbours = graph->grid != NULL    ? graph->grid->neighbours
                                : graph->cells != NULL ? graph->cells->neighbours
                                                       : 26;
    vni_metric metric = is_grid ? VNI_METRIC_EUCLIDEAN_GRID : VNI_METRIC_EUCLIDEAN;
    const bool steps = is_grid && !is_theta(r->algo) && r->heuristic == VN_HEURISTIC_DEFAULT;
    if (r->heuristic == VN_HEURISTIC_OCTILE || (steps && neighbours == 26))
        metric = VNI_METRIC_OCTILE;
    else if (r->heuristic == VN_HEURISTIC_MANHATTAN || steps)
        metric = VNI_METRIC_MANHATTAN;
    else if (r->heuristic == VN_HEURISTIC_R16)
        metric = VNI_METRIC_R16;

    // Edges cost what the graph says, zones included; these only make the bound smaller.
    vni_cost cost = vni_cost_length(metric, neighbours);
    if (graph->least > 0)
        cost.least = graph->least;
    return cost;
}

// ----------------------------------------------------------------------------------------------------- paths

/// Adds a point before those that are there; false if there is no capacity left.
static bool prepend(vn_graph_query* query, uint32_t node, vn_point point) {
    const uint32_t at = query->max_points - query->count - 1;
    if (query->count == query->max_points)
        return false;

    // An end that lies on a node, or an edge that bends at one, gives the same point twice: an end names it
    // rather than a node, and a node rather than a bend.
    if (query->count > 0 && memcmp(&query->points[at + 1], &point, sizeof point) == 0) {
        if (query->nodes[at + 1] == VN_NO_NODE || node < VN_FIRST_NODE)
            query->nodes[at + 1] = node;
        return true;
    }
    query->points[at] = point;
    query->nodes[at] = node;
    ++query->count;
    return true;
}

/// Writes the path from the goal backwards to the end of the arrays, then moves it to their front.
static vn_status lay(vn_graph_query* query, const vn_graph* graph) {
    query->count = 0;
    for (uint32_t node = VN_GOAL_NODE, next = VN_NO_NODE; node != VN_NO_NODE;) {
        vn_point point, at;
        graph->points(graph->self, &node, 1, &point);
        const bool bends =
            next != VN_NO_NODE && graph->bend != NULL && graph->bend(graph->self, node, next, &at);
        if ((bends && !prepend(query, VN_NO_NODE, at)) || !prepend(query, node, point)) {
            query->count = 0;
            return VN_CAPACITY;
        }
        next = node;
        node = vni_scratch_parent(&query->scratch, node);
    }

    const uint32_t from = query->max_points - query->count;
    memmove(query->points, query->points + from, query->count * sizeof *query->points);
    memmove(query->nodes, query->nodes + from, query->count * sizeof *query->nodes);
    return VN_OK;
}

const vn_point* vn_graph_query_points(const vn_graph_query* query, uint32_t* count) {
    *count = query->count;
    return query->points;
}

const uint32_t* vn_graph_query_nodes(const vn_graph_query* query, uint32_t* count) {
    *count = query->count;
    return query->nodes;
}

uint32_t vn_graph_query_get_open(const vn_graph_query* query, uint32_t* out, uint32_t capacity) {
    VNI_ASSERT(query != NULL && (out != NULL || capacity == 0));
    const vni_scratch* scratch = &query->scratch;
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < scratch->pages_used << 6; ++slot) {
        if (scratch->nodes[slot].position > VNI_MAX_NODES)
            continue;
        if (count < capacity)
            out[count] = vni_scratch_node(scratch, slot);
        ++count;
    }
    return count;
}

// -------------------------------------------------------------------------------------------------- searches

/// Null: no one is told.
static const vni_observer* observer_of(vn_graph_query* query, const vn_graph_request* r) {
    query->watcher = (vni_observer){r->observe, r->observe_user, r->voxel_size};
    return r->observe != NULL ? &query->watcher : NULL;
}

static vn_status run_best_first(vn_graph_query* query, const vn_graph* graph, const vn_graph_request* r,
                                const vni_cost* cost, vn_graph_result* result) {
    vni_best_first* s = &query->search.best_first;
    const bool greedy = r->algo == VN_CLASSIC_GREEDY, dijkstra = r->algo == VN_CLASSIC_DIJKSTRA;
    const vni_best_first_def def = {.g_weight = greedy ? 0 : 1,
                                    .h_weight = dijkstra ? 0
                                                : greedy ? 1
                                                         : r->weight,
                                    .use_list = r->algo == VN_CLASSIC_ASTAR_LIST,
                                    .budget = r->budget};
    vn_status status =
        vni_best_first_begin(s, &def, graph, cost, &query->scratch, VN_START_NODE, VN_GOAL_NODE);
    s->observer = observer_of(query, r);
    if (status == VN_OK)
        status = vni_best_first_step(s, UINT64_MAX);
    result->expanded = s->expanded;
    result->touched = s->touched;
    result->bound = greedy ? 0 : dijkstra ? 1 : cost->admissible ? r->weight : 0;
    return status;
}

static vn_status run_theta(vn_graph_query* query, const vn_graph* graph, const vn_graph_request* r,
                           const vni_cost* cost, vn_graph_result* result) {
    vni_theta* s = &query->search.theta;
    const vni_theta_def def = {.lazy = r->algo == VN_CLASSIC_LAZY_THETA,
                               .fast = r->algo == VN_CLASSIC_THETA_FAST,
                               .g_weight = 1,
                               .h_weight = r->weight,
                               .budget = r->budget};
    vn_status status = vni_theta_begin(s, &def, graph, cost, &query->scratch, VN_START_NODE, VN_GOAL_NODE);
    if (status == VN_OK)
        vni_theta_observe(s, observer_of(query, r));
    if (status == VN_OK)
        status = vni_theta_step(s, UINT64_MAX);
    result->expanded = s->expanded;
    result->touched = s->touched;
    result->sight_checks = s->sight_checks;
    return status;
}

static vn_status run_ara(vn_graph_query* query, const vn_graph* graph, const vn_graph_request* r,
                         const vni_cost* cost, vn_graph_result* result) {
    vni_ara* s = &query->search.ara;
    const vni_ara_def def = {.first = r->ara_first, .step = r->ara_step, .budget = r->budget};
    vn_status status = vni_ara_begin(s, &def, graph, cost, &query->scratch, VN_START_NODE, VN_GOAL_NODE);
    s->observer = observer_of(query, r);
    if (status == VN_OK)
        do {
            status = vni_ara_step(s, UINT64_MAX);
        } while (status == VN_RUNNING);
    result->expanded = s->expanded;
    result->touched = s->touched;
    result->bound = s->bound;

    const bool cut_short = status == VN_BUDGET_SPENT || status == VN_CAPACITY;
    return cut_short && vni_ara_has_path(s) ? VN_OK : status;
}

vn_status vn_graph_query_find_path(vn_graph_query* query, const vn_graph* graph,
                                   const vn_graph_request* request, vn_graph_result* result,
                                   vn_detail* detail) {
    VNI_ASSERT(query != NULL && graph != NULL && request != NULL && result != NULL);
    *result = (vn_graph_result){0};
    query->count = 0;
    vn_status status = check_request(graph, request, detail);
    if (status != VN_OK)
        return status;
    if (graph->node_limit > query->node_limit) {
        result->needed_nodes = graph->node_limit;
        return vni_fail(detail, VN_CAPACITY, "the graph has ids up to %u: call vn_graph_query_grow",
                        graph->node_limit);
    }

    const vni_cost cost = cost_of(graph, request);
    status = request->algo == VN_CLASSIC_ARA ? run_ara(query, graph, request, &cost, result)
             : is_theta(request->algo)       ? run_theta(query, graph, request, &cost, result)
                                             : run_best_first(query, graph, request, &cost, result);
    if (status == VN_CAPACITY)
        result->needed_nodes = query->max_nodes > UINT32_MAX / 2 ? UINT32_MAX : 2 * query->max_nodes;
    if (status != VN_OK)
        return vni_fail(detail, status, "no path was found: %s", vn_status_word(status));

    result->cost = vni_scratch_g(&query->scratch, VN_GOAL_NODE);
    status = lay(query, graph);
    result->point_count = query->count;
    if (status != VN_OK)
        vni_fail(detail, status, "the path has more than %u points", query->max_points);
    return status;
}
