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

    const vni_zones* zones = &query->zone_buffer->set;
    query->cost = !query->has_zones              ? vni_cost_length(metric, r->neighbours)
                  : r->zone_mode == VN_ZONES_ADD ? vni_cost_added(metric, r->neighbours, zones)
                                                 : vni_cost_zones(metric, r->neighbours, zones);
    if (!grid || kind == VNI_VIEW_TRANSITIONS) // whose edges are shorter than steps of a grid
        query->cost.admissible = r->heuristic == VN_HEURISTIC_EUCLIDEAN;
}

void vni_classic_weights(const vn_classic_request* request, double* g_weight, double* h_weight) {
    const bool greedy = request->algo == VN_CLASSIC_GREEDY, dijkstra = request->algo == VN_CLASSIC_DIJKSTRA;
    *g_weight = greedy ? 0 : dijkstra ? 1 : request->g_weight;
    *h_weight = greedy ? 1 : dijkstra ? 0 : request->h_weight * request->weight;
}

// ------------------------------------------------------------------------------------------------ beginning

static vn_status begin_best_first(vn_classic_query* query, uint32_t start, uint32_t goal) {
    vni_best_first* search = &query->search.best_first;
    vni_best_first_def def = {1, 1, query->request.algo == VN_CLASSIC_ASTAR_LIST, false, query->budget};
    vni_classic_weights(&query->request, &def.g_weight, &def.h_weight);
    vn_status status =
        vni_best_first_begin(search, &def, &query->graph, &query->cost, &query->scratch, start, goal);
    search->observer = query->observer;
    return status;
}

static vn_status begin_theta(vn_classic_query* query, uint32_t start, uint32_t goal) {
    vni_theta* search = &query->search.theta;
    vni_theta_def def = {.lazy = query->request.algo == VN_CLASSIC_LAZY_THETA,
                         .g_weight = 1,
                         .h_weight = 1,
                         .budget = query->budget};
    def.every_sight = query->request.every_sight && !def.lazy;
    vni_classic_weights(&query->request, &def.g_weight, &def.h_weight);
    vn_status status =
        vni_theta_begin(search, &def, &query->graph, &query->cost, &query->scratch, start, goal);
    if (status == VN_OK)
        vni_theta_observe(search, query->observer);
    return status;
}

static vn_status begin_jps(vn_classic_query* query, uint32_t start, uint32_t goal) {
    VNI_ASSERT(query->graph.capabilities & VN_GRAPH_IS_GRID);

    const vni_jps_def def = {query->request.weight, false, query->budget};
    const vni_jps_index* index =
        query->request.algo == VN_CLASSIC_JPS6 ? &query->classic->jps6 : &query->classic->jps26;
    vn_status status =
        vni_jps_begin(&query->search.jps, &def, index, &query->cost, &query->scratch, start, goal);
    query->search.jps.observer = query->observer;
    return status;
}

static vn_status begin_ara(vn_classic_query* query, uint32_t start, uint32_t goal) {
    const vni_ara_def def = {query->request.ara_first, query->request.ara_step, query->budget};
    vn_status status =
        vni_ara_begin(&query->search.ara, &def, &query->graph, &query->cost, &query->scratch, start, goal);
    query->search.ara.observer = query->observer;
    return status;
}

vn_status vni_classic_search_begin(vn_classic_query* query) {
    const uint32_t start = vni_view_start(&query->view), goal = vni_view_goal(&query->view);
    const vn_classic_algo algo = query->request.algo;
    query->enough = false;
    return algo == VN_CLASSIC_ARA ? begin_ara(query, start, goal)
           : vni_is_theta(algo)   ? begin_theta(query, start, goal)
           : vni_is_jps(algo)     ? begin_jps(query, start, goal)
                                  : begin_best_first(query, start, goal);
}

// ------------------------------------------------------------------------------------------------- stepping

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

/// Pass after pass, until the caller has enough of them: passes take no expansions of their own.
static vn_status step_ara(vn_classic_query* query, uint64_t max_expansions) {
    vni_ara* ara = &query->search.ara;
    if (query->enough)
        return VN_OK;

    for (const uint64_t begin = ara->expanded;;) {
        const uint32_t before = ara->passes;
        const vn_status status = vni_ara_step(ara, max_expansions - (ara->expanded - begin));
        query->enough = ara->passes != before && !publish(query, ara);
        if (status != VN_RUNNING)
            return status;
        if (query->enough)
            return VN_OK;
        if (ara->passes == before)
            return VN_RUNNING;
    }
}

vn_status vni_classic_search_step(vn_classic_query* query, uint64_t max_expansions) {
    const vn_classic_algo algo = query->request.algo;
    return algo == VN_CLASSIC_ARA ? step_ara(query, max_expansions)
           : vni_is_theta(algo)   ? vni_theta_step(&query->search.theta, max_expansions)
           : vni_is_jps(algo)     ? vni_jps_step(&query->search.jps, max_expansions)
                                  : vni_best_first_step(&query->search.best_first, max_expansions);
}

uint64_t vni_classic_search_expanded(const vn_classic_query* query) {
    const vn_classic_algo algo = query->request.algo;
    return algo == VN_CLASSIC_ARA ? query->search.ara.expanded
           : vni_is_theta(algo)   ? query->search.theta.expanded
           : vni_is_jps(algo)     ? query->search.jps.expanded
                                  : query->search.best_first.expanded;
}

// -------------------------------------------------------------------------------------------------- its end

/// Keys g + (b / a) h put the nodes into the same order as a g + b h: weighted A* with b / a on h, and below
/// 1 nothing is lost.
static void note_best_first(vn_classic_query* query) {
    const vni_best_first* search = &query->search.best_first;
    const vni_best_first_def* def = &search->def;
    vn_classic_result* result = &query->result;
    result->path.weight = def->h_weight;
    result->path.touched += search->touched;
    result->closed += search->expanded;
    if (def->h_weight == 0)
        result->path.bound = 1;
    else if (def->g_weight > 0 && query->cost.admissible)
        result->path.bound = def->h_weight > def->g_weight ? def->h_weight / def->g_weight : 1;
}

static void note_theta(vn_classic_query* query) {
    const vni_theta* search = &query->search.theta;
    vn_classic_result* result = &query->result;
    result->path.weight = search->def.h_weight;
    result->path.touched += search->touched;
    result->closed += search->expanded;
    result->sight_checks += search->sight_checks;
}

static void note_jps(vn_classic_query* query) {
    const vni_jps* search = &query->search.jps;
    vn_classic_result* result = &query->result;
    result->path.weight = search->def.weight;
    result->path.bound = query->cost.admissible ? search->def.weight : 0;
    result->path.touched += search->touched;
    result->closed += search->expanded;
    result->scanned += search->scanned;
}

static void note_ara(vn_classic_query* query) {
    const vni_ara* search = &query->search.ara;
    vn_classic_result* result = &query->result;
    result->passes = search->passes;
    result->path.weight = search->weight;
    result->path.bound = search->bound;
    result->path.touched += search->touched;
    for (uint32_t slot = 0; slot < query->scratch.pages_used << 6; ++slot)
        result->closed += vni_is_expanded(&query->scratch.nodes[slot]);
}

vn_status vni_classic_search_end(vn_classic_query* query, vn_status status) {
    const vn_classic_algo algo = query->request.algo;
    vn_path_result* path = &query->result.path;
    path->expanded += vni_classic_search_expanded(query);
    path->bound = 0;
    if (algo == VN_CLASSIC_ARA)
        note_ara(query);
    else if (vni_is_theta(algo))
        note_theta(query);
    else if (vni_is_jps(algo))
        note_jps(query);
    else
        note_best_first(query);

    path->reason = status;
    const bool cut_short = status == VN_BUDGET_SPENT || status == VN_CAPACITY || status == VN_CANCELLED;
    if (algo == VN_CLASSIC_ARA && cut_short && vni_ara_has_path(&query->search.ara))
        return VN_OK;
    if (status != VN_OK)
        path->bound = 0;

    return status;
}
