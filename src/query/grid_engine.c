/// query/grid_engine.c: searches on the voxel grid, and their voxels as a polyline.
///
/// A* (Hart, Nilsson, Raphael 1968), Dijkstra (1959) and greedy best-first search differ in the weights on g
/// and h only: (1, weight), (1, 0), (0, 1).
#include "base/alloc.h"
#include "base/fail.h"
#include "path/polyline.h"
#include "path/refine.h"
#include "probe/endpoint.h"
#include "query/query_inside.h"
#include "space/frame.h"

vn_status vni_grid_engine_make(vn_query* query, uint32_t max_nodes, vn_detail* detail) {
    vni_grid_engine* e = &query->grid;
    vn_status status = vni_grid_make(&query->space->occupancy, 6, &e->grid6, detail);
    if (status == VN_OK)
        status = vni_grid_make(&query->space->occupancy, 26, &e->grid26, detail);

    if (status != VN_OK)
        return status;
    const uint32_t limit = vni_climb_grid_limit(&e->grid26, query->max_climbs);
    if (limit == 0)
        return vni_fail(
            detail, VN_TOO_LARGE,
            "voxels times climbs are more than a grid search can number (2^32): set max_climbs lower, or "
            "choose a coarser resolution");

    status = vni_scratch_make(&query->allocator, limit, max_nodes, &e->scratch);
    if (status != VN_OK)
        return vni_fail(detail, status,
                        "no memory for a search of %u voxels: set max_nodes (--max-nodes) lower", max_nodes);

    return VN_OK;
}

void vni_grid_engine_free(vn_query* query) {
    vni_scratch_free(&query->grid.scratch);
}

static vni_cost cost_of(const vn_query* query) {
    const vn_path_request* request = &query->request;
    const vni_zones* zones = query->zones;
    if (query->has_fuel)
        return vni_cost_fuel(&query->fuel);

    static const vni_metric metrics[VN_HEURISTIC_COUNT] = {VNI_METRIC_OCTILE, VNI_METRIC_OCTILE,
                                                           VNI_METRIC_EUCLIDEAN_GRID, VNI_METRIC_MANHATTAN,
                                                           VNI_METRIC_R16};
    vni_metric metric = metrics[request->heuristic];
    if (request->heuristic == VN_HEURISTIC_DEFAULT && request->neighbours == 6)
        metric = VNI_METRIC_MANHATTAN;

    return zones != NULL ? vni_cost_zones(metric, request->neighbours, zones)
                         : vni_cost_length(metric, request->neighbours);
}

/// Begins the search between the two sides in work. Earlier ones count for the budget.
static vn_status begin_sides(vn_query* query) {
    vni_grid_engine* e = &query->grid;
    const vn_path_request* request = &query->request;
    double weight = request->weight > 0 ? request->weight : 1;
    vni_best_first_def def = {1, weight, request->algo == VN_ALGO_ASTAR_LIST, request->allow_partial,
                              request->budget};

    if (request->budget && e->expanded >= request->budget)
        return VN_BUDGET_SPENT;
    def.budget -= request->budget ? e->expanded : 0;
    if (request->algo == VN_ALGO_DIJKSTRA)
        def.h_weight = 0;

    if (request->algo == VN_ALGO_GREEDY) {
        def.g_weight = 0;
        def.h_weight = 1;
    }

    query->start_voxel = e->starts[e->start_side];
    query->goal_voxel = e->goals[e->goal_side];
    query->result.weight = def.h_weight;
    e->climbs.goal = vni_grid_node(e->graph.grid, query->goal_voxel);
    vn_status status = vni_best_first_begin(&e->search, &def, &e->graph, &e->cost, &e->scratch,
                                            vni_grid_node(e->graph.grid, query->start_voxel),
                                            vni_grid_node(e->graph.grid, query->goal_voxel));
    e->search.observer = query->observer;
    return status;
}

/// The sides of an end. With a limit on climbs all free voxels that it touches: from one to the next may be a
/// climb.
static uint32_t sides_of(const vn_query* query, vn_point end, vn_voxel out[8]) {
    if (!query->grid.has_climbs)
        return vni_space_sides(query->space, end, NULL, NULL, out);

    vn_voxel around[8];
    const uint32_t all = vni_voxels_around(end, around);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all; ++i)
        if (vn_space_voxel_free(query->space, around[i]) && vni_space_in_region(query->space, around[i]))
            out[count++] = around[i];

    return count;
}

vn_status vni_grid_engine_begin(vn_query* query) {
    vni_grid_engine* e = &query->grid;
    const vn_path_request* request = &query->request;
    e->graph = vni_grid_graph(request->neighbours == 6 ? &e->grid6 : &e->grid26);
    e->has_climbs = request->fuel.max_climbs > 0;
    if (e->has_climbs) {
        e->climbs = vni_climb_grid_make(e->graph.grid, request->fuel.max_climbs, (int)request->fuel.up);
        e->graph = vni_climb_grid_graph(&e->climbs);
    }

    e->cost = cost_of(query);
    e->start_side = e->goal_side = 0;
    e->expanded = e->touched = 0;
    e->start_count = e->goal_count = 1;
    e->starts[0] = query->start_voxel;

    e->goals[0] = query->goal_voxel;

    // Cells know which sides of the ends are connected, and vn_query_begin has chosen such a pair. Without
    // cells all pairs are tried in turn; with a limit on climbs too, which may cut what cells connect.
    if (!vni_space_has_cells(query->space) || e->has_climbs) {
        e->start_count = sides_of(query, query->result.start, e->starts);
        e->goal_count = sides_of(query, query->result.goal, e->goals);
    }

    VNI_ASSERT(e->start_count > 0 && e->goal_count > 0);

    return begin_sides(query);
}

static bool is_closed(const vni_grid_engine* e, vn_voxel voxel) {
    return vni_scratch_is_closed(&e->scratch, vni_grid_node(e->graph.grid, voxel));
}

/// The same after any number of climbs.
static bool is_reached(const vni_grid_engine* e, vn_voxel voxel) {
    const uint32_t node = vni_grid_node(e->graph.grid, voxel);
    for (uint32_t i = 1; e->has_climbs && i <= e->climbs.most; ++i)
        if (vni_scratch_is_closed(&e->scratch, i * e->climbs.voxels + node))
            return true;
    return is_closed(e, voxel);
}

/// No path from this side: all that it reaches is closed. Chooses another side of the goal, if that was
/// reached, or else another one of the start. False if there is none.
static bool next_sides(vn_query* query) {
    vni_grid_engine* e = &query->grid;
    for (uint32_t i = 1; e->goal_side == 0 && i < e->goal_count; ++i)
        if (is_reached(e, e->goals[i])) {
            e->goal_side = i;
            return true;
        }

    e->goal_side = 0;
    while (++e->start_side < e->start_count)
        if (!is_closed(e, e->starts[e->start_side]))
            return true;

    // No pair is connected. A partial path begins at the first side, as it does where that is known
    // beforehand.
    bool again = e->start_count > 1 && query->request.allow_partial;
    e->start_side = 0;
    e->start_count = e->goal_count = 1;
    return again;
}

vn_status vni_grid_engine_step(vn_query* query, uint64_t max_expansions) {
    vni_grid_engine* e = &query->grid;
    vn_status status = vni_best_first_step(&e->search, max_expansions);
    if (status != VN_NO_PATH || e->start_count * e->goal_count == 1 || !next_sides(query))
        return status;

    e->expanded += e->search.expanded;
    e->touched += e->search.touched;
    e->search.expanded = e->search.touched = 0;
    status = begin_sides(query);
    return status == VN_OK ? VN_RUNNING : status;
}

// ---------------------------------------------------------------------------------------------- polyline

/// The voxel's id in the grid, and the voxel.
static uint32_t voxel_node(const vni_grid_engine* e, uint32_t node) {
    return e->has_climbs ? node % e->climbs.voxels : node;
}

static vn_voxel voxel_of(const vni_grid_engine* e, uint32_t node) {
    return vni_grid_voxel(e->graph.grid, voxel_node(e, node));
}

/// Follows the parents from `node` to the start. Centres come between the ends unless both ends share a
/// voxel.
static bool build_points(vn_query* query, uint32_t node, vn_point last) {
    const vni_best_first* search = &query->grid.search;
    vni_polyline line = {query->points, query->max_points, 0, false};
    bool fits = vni_polyline_prepend(&line, last);
    if (node != search->start)
        for (uint32_t at = node; fits && at != VN_NO_NODE; at = vni_best_first_parent(search, at))
            fits = vni_polyline_prepend(&line, vn_voxel_center(voxel_of(&query->grid, at)));

    fits = fits && vni_polyline_prepend(&line, query->result.start);
    vni_polyline_settle(&line);
    query->point_count = line.count;
    return fits;
}

/// Points from the start to `node`, collinear ones included, and both ends.
static uint32_t count_points(const vni_best_first* search, uint32_t node) {
    uint32_t count = 2;
    for (uint32_t at = node; at != VN_NO_NODE && count < UINT32_MAX; at = vni_best_first_parent(search, at))
        ++count;
    return count;
}

/// Twice as many nodes as there are, up to all of the grid.
static uint32_t more_nodes(const vni_scratch* scratch) {
    uint64_t doubled = (uint64_t)scratch->page_capacity << 7, all = (uint64_t)scratch->table_count << 6;
    doubled = doubled < all ? doubled : all;
    return doubled < VNI_MAX_NODES ? (uint32_t)doubled : VNI_MAX_NODES;
}

/// Metres between two lattice points.
static double distance(const vn_query* query, vn_point a, vn_point b) {
    const vni_cost* cost = &query->grid.cost;
    return vni_voxels_to_metres(query->space, cost->segment(cost->self, a, b));
}

/// True length of the steps from the start to `node`, voxels.
static double length_to(const vn_query* query, uint32_t node) {
    const vni_best_first* search = &query->grid.search;
    vni_step_counts counts = {0, 0, 0};
    for (uint32_t before; node != search->start; node = before) {
        before = vni_best_first_parent(search, node);
        vni_grid_add_steps(query->grid.graph.grid, voxel_node(&query->grid, before),
                           voxel_node(&query->grid, node), &counts);
    }

    return vni_grid_length(&counts);
}

/// The steps, and the segments from the ends to the centres of their voxels; through zones what the polyline
/// costs. Not g, whose steps are rounded (graph/fixed.h).
static double cost_to(const vn_query* query, uint32_t node) {
    const vni_best_first* search = &query->grid.search;
    const vn_path_result* result = &query->result;
    if (node == search->start || !query->grid.cost.is_length)
        return vni_steps_to_metres(query->space,
                                   vni_polyline_cost(&query->grid.cost, query->points, query->point_count));

    double cost = vni_voxels_to_metres(query->space, length_to(query, node));
    cost += distance(query, result->start, vn_voxel_center(query->start_voxel));
    if (node == search->goal)
        cost += distance(query, vn_voxel_center(query->goal_voxel), result->goal);

    return cost;
}

static double proven_bound(const vn_query* query) {
    if (query->request.algo == VN_ALGO_DIJKSTRA)
        return 1;
    if (query->request.algo == VN_ALGO_GREEDY || !query->grid.cost.admissible)
        return 0;
    return query->result.weight;
}

/// To the goal, or as near to it as the request allows. The cost is the grid's, unless the path was pruned.
void vni_grid_engine_finish(vn_query* query) {
    const vni_best_first* search = &query->grid.search;
    vn_path_result* result = &query->result;
    result->expanded = query->grid.expanded + search->expanded;
    result->touched = query->grid.touched + search->touched;
    bool reached = result->status == VN_OK;
    VNI_ASSERT(query->point_count == 0);
    if (result->status == VN_CAPACITY)
        result->needed_nodes = more_nodes(&query->grid.scratch);

    if (!reached && !query->request.allow_partial)
        return;
    uint32_t node = reached ? search->goal : search->nearest;
    vn_point last = reached ? result->goal : result->start;
    if (!reached && node != search->start)
        last = vn_voxel_center(voxel_of(&query->grid, node));

    if (!build_points(query, node, last)) {
        query->point_count = 0;
        result->needed_points = count_points(search, node);
        result->status = result->reason = VN_CAPACITY;
        return;
    }

    result->cost = cost_to(query, node);
    if (query->request.refine == VN_REFINE_PRUNE) {
        query->point_count =
            vni_refine_prune(&query->space->occupancy, query->grid.cost.is_length ? NULL : &query->grid.cost,
                             query->points, query->point_count);
        result->cost = vni_steps_to_metres(
            query->space, vni_polyline_cost(&query->grid.cost, query->points, query->point_count));
    }

    result->bound = reached ? proven_bound(query) : 0;
    result->status = reached ? VN_OK : VN_PARTIAL;
}

void vni_grid_engine_visit(const vn_query* query, vn_visit_box* visit, void* user) {
    const vni_scratch* scratch = &query->grid.scratch;
    for (uint32_t page = 0; page < scratch->pages_used; ++page)
        for (uint32_t i = 0; i < 64; ++i) {
            if (scratch->nodes[page << 6 | i].position != VNI_NODE_CLOSED)
                continue;
            vn_voxel low = voxel_of(&query->grid, scratch->owners[page] << 6 | i);
            vn_voxel high = {low.x + 1, low.y + 1, low.z + 1};
            if (!visit(user, low, high, false))
                return;
        }
}
