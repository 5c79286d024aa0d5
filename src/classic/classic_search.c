/// classic/classic_search.c: the graph and the cost of a request, and each search run to its end.
#include "classic/classic_inside.h"

#include <math.h>

static void view_live(vn_classic_query* query, vni_view_kind kind, const vni_endpoint* start,
                      const vni_endpoint* goal) {
    const vn_classic* classic = query->classic;
    if (query->pinned == NULL)
        query->pinned = vni_live_boxes_pin(classic->follow.boxes);
    vni_view_of_follow(&classic->follow, query->pinned, &classic->space->occupancy, kind, start->point,
                       start->voxel, goal->point, goal->voxel, &query->view);
}

void vni_classic_view(vn_classic_query* query, const vni_endpoint* start, const vni_endpoint* goal) {
    const vn_classic* classic = query->classic;
    const vn_classic_request* r = &query->request;
    VNI_ASSERT(r->graph != VN_GRAPH_DEFAULT && r->heuristic != VN_HEURISTIC_DEFAULT);

    vni_view_kind kind = r->graph == VN_GRAPH_CENTRES ? VNI_VIEW_CENTRES : VNI_VIEW_TRANSITIONS;
    bool grid = classic->kind == VN_CLASSIC_GRID;
    vn_status status = VN_OK;
    if (classic->follows)
        view_live(query, kind, start, goal);
    else
        status = grid ? vni_view_of_voxels(vni_classic_grid(classic, r), kind, start->point, start->voxel,
                                           goal->point, goal->voxel, &query->view)
                      : vni_view_of_boxes(&classic->boxes, &classic->space->occupancy, kind, start->point,
                                          start->voxel, goal->point, goal->voxel, &query->view);
    VNI_ASSERT(status == VN_OK); // what does not fit has been refused

    (void)status;
    query->view.centres = classic->centres;
    query->graph = vni_view_graph(&query->view);
    static const vni_metric metrics[VN_HEURISTIC_COUNT] = {
        VNI_METRIC_EUCLIDEAN, VNI_METRIC_OCTILE, VNI_METRIC_EUCLIDEAN, VNI_METRIC_MANHATTAN, VNI_METRIC_R16};

    vni_metric metric = metrics[r->heuristic];
    if (metric == VNI_METRIC_EUCLIDEAN && grid && kind == VNI_VIEW_CENTRES)
        metric = VNI_METRIC_EUCLIDEAN_GRID;

    query->cost = vni_cost_length(metric, r->neighbours);
    if (!grid || kind == VNI_VIEW_TRANSITIONS) // whose edges are shorter than steps of a grid
        query->cost.admissible = r->heuristic == VN_HEURISTIC_EUCLIDEAN;
}

void vni_classic_weights(const vn_classic_request* request, double* g_weight, double* h_weight) {
    const bool greedy = request->algo == VN_CLASSIC_GREEDY, dijkstra = request->algo == VN_CLASSIC_DIJKSTRA;
    *g_weight = greedy ? 0 : dijkstra ? 1 : request->g_weight;
    *h_weight = greedy ? 1 : dijkstra ? 0 : request->h_weight * request->weight;
}

static vn_status run_best_first(vn_classic_query* query) {
    vni_best_first* search = &query->search.best_first;
    vn_classic_result* result = &query->result;
    vni_best_first_def def = {1, 1, query->request.algo == VN_CLASSIC_ASTAR_LIST, false,
                              query->request.budget};
    vni_classic_weights(&query->request, &def.g_weight, &def.h_weight);
    vn_status status = vni_best_first_begin(search, &def, &query->graph, &query->cost, &query->scratch,
                                            vni_view_start(&query->view), vni_view_goal(&query->view));

    if (status != VN_OK)
        return status;
    search->observer = query->observer;
    status = vni_best_first_step(search, UINT64_MAX);
    result->path.weight = def.h_weight;
    result->path.expanded = result->closed = search->expanded;

    result->path.touched = search->touched;
    // Keys g + (b / a) h put the nodes into the same order as a g + b h: weighted A* with b / a on h, and
    // below 1 nothing is lost.
    if (def.h_weight == 0)
        result->path.bound = 1;
    else if (def.g_weight > 0 && query->cost.admissible)
        result->path.bound = def.h_weight > def.g_weight ? def.h_weight / def.g_weight : 1;

    return status;
}

static vn_status run_theta(vn_classic_query* query) {
    vni_theta* search = &query->search.theta;
    vn_classic_result* result = &query->result;
    vni_theta_def def = {.lazy = query->request.algo == VN_CLASSIC_LAZY_THETA,
                         .g_weight = 1,
                         .h_weight = 1,
                         .budget = query->request.budget};
    def.every_sight = query->request.every_sight && !def.lazy;
    vni_classic_weights(&query->request, &def.g_weight, &def.h_weight);
    vn_status status = vni_theta_begin(search, &def, &query->graph, &query->cost, &query->scratch,
                                       vni_view_start(&query->view), vni_view_goal(&query->view));

    if (status != VN_OK)
        return status;
    vni_theta_observe(search, query->observer);
    status = vni_theta_step(search, UINT64_MAX);
    result->path.weight = def.h_weight;
    result->path.expanded = result->closed = search->expanded;
    result->path.touched = search->touched;
    result->sight_checks = search->sight_checks;

    return status;
}

static vn_status run_jps(vn_classic_query* query) {
    vni_jps* search = &query->search.jps;
    vn_classic_result* result = &query->result;
    VNI_ASSERT(query->graph.capabilities & VNI_IS_GRID);

    const vni_jps_def def = {query->request.weight, false, query->request.budget};
    const vni_jps_index* index =
        query->request.algo == VN_CLASSIC_JPS6 ? &query->classic->jps6 : &query->classic->jps26;
    vn_status status = vni_jps_begin(search, &def, index, &query->cost, &query->scratch,
                                     vni_view_start(&query->view), vni_view_goal(&query->view));

    if (status != VN_OK)
        return status;
    search->observer = query->observer;
    status = vni_jps_step(search, UINT64_MAX);
    result->path.weight = def.weight;
    result->path.bound = query->cost.admissible ? def.weight : 0;
    result->path.expanded = result->closed = search->expanded;
    result->path.touched = search->touched;
    result->scanned = search->scanned;

    return status;
}

/// Shows the path after a pass to the caller; false to stop.
static bool publish(vn_classic_query* query, const vni_ara* ara) {
    if (query->request.on_pass == NULL)
        return true;
    VNI_ASSERT(ara->passes > 0 && vni_ara_has_path(ara));

    vn_classic_pass pass = {.number = ara->passes - 1,
                            .weight = ara->weight,
                            .bound = ara->bound,
                            .cost = vni_classic_cost(query),
                            .expanded = ara->expanded,
                            .points = query->points};
    pass.point_count = vni_classic_lay(query, query->points, query->max_points, false);

    return query->request.on_pass(query->request.on_pass_user, &pass);
}

/// Pass by pass, until the last, or until the caller has enough.
static vn_status run_passes(vn_classic_query* query, vni_ara* ara) {
    for (;;) {
        uint32_t before = ara->passes;
        vn_status status = vni_ara_step(ara, UINT64_MAX);
        bool go_on = ara->passes == before || publish(query, ara);
        if (status != VN_RUNNING)
            return status;
        if (!go_on)
            return VN_OK;
    }
}

static vn_status run_ara(vn_classic_query* query) {
    vni_ara* search = &query->search.ara;
    vn_classic_result* result = &query->result;
    const vni_ara_def def = {query->request.ara_first, query->request.ara_step, query->request.budget};
    vn_status status = vni_ara_begin(search, &def, &query->graph, &query->cost, &query->scratch,
                                     vni_view_start(&query->view), vni_view_goal(&query->view));

    if (status != VN_OK)
        return status;
    search->observer = query->observer;
    status = run_passes(query, search);
    result->passes = search->passes;
    result->path.weight = search->weight;
    result->path.bound = search->bound;
    result->path.expanded = search->expanded;

    result->path.touched = search->touched;
    for (uint32_t slot = 0; slot < query->scratch.pages_used << 6; ++slot)
        result->closed += vni_is_expanded(&query->scratch.nodes[slot]);

    result->path.reason = status;
    bool cut_short = status == VN_BUDGET_SPENT || status == VN_CAPACITY;
    return cut_short && vni_ara_has_path(search) ? VN_OK : status;
}

vn_status vni_classic_search(vn_classic_query* query) {
    vn_classic_algo algo = query->request.algo;
    query->result.path.reason = VN_OK;
    vn_status status = algo == VN_CLASSIC_ARA ? run_ara(query)
                       : vni_is_theta(algo)   ? run_theta(query)
                       : vni_is_jps(algo)     ? run_jps(query)
                                              : run_best_first(query);
    VNI_ASSERT(status != VN_RUNNING);

    if (status != VN_OK) {
        query->result.path.reason = status;
        query->result.path.bound = 0;
    }

    return status;
}
