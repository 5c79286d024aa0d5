/// query/cells_engine.c: chooses the search over cells that serves a request, and turns its corridor into a
/// path: leg by leg, and for the best quality the better of two.
///
/// Most requests are plain: from point to point, without connections, limits, jitter or a preferred
/// clearance. They take the fast search from both ends (query/cells_search.h), all others the search with
/// terms (query/terms_search.h). Best quality searches twice, once from each end: the two corridors differ
/// where the choice of entry points misleads one of them, and the shorter path wins.
///
/// With fuel as the cost, the path of the same request without fuel is found first, by the same rounds, and
/// set aside. Then one more round searches by fuel. Both paths are refined by fuel, which never makes them
/// worse, and the one that burns less wins. Terms that the fast search does not serve skip the round by fuel,
/// not the refinement.
#include "base/alloc.h"
#include "base/fail.h"
#include "probe/endpoint.h"
#include "query/cells_enter.h"
#include "query/query_inside.h"
#include "space/frame.h"

#include <math.h>
#include <string.h>

vn_status vni_cells_engine_make(vn_query* query, vn_detail* detail) {
    vni_cells_engine* e = &query->cells;
    const vn_allocator* allocator = &query->allocator;
    vn_status status = VN_OUT_OF_MEMORY;
    if (query->max_cells <= UINT32_MAX / 4) // a queue holds twice as many keys
        status = vni_cells_search_make(allocator, query->max_cells + VNI_TERMS_EXTRA, &e->search);

    e->corridor = VNI_NEW_ARRAY(allocator, vni_cell_ref, query->max_points);
    e->crossings = (float(*)[3])vni_alloc(allocator, query->max_points, sizeof *e->crossings);
    e->portals = VNI_NEW_ARRAY(allocator, vni_portal, query->max_points);
    e->other = VNI_NEW_ARRAY(allocator, vn_point, query->max_points);
    if (status != VN_OK || e->corridor == NULL || e->crossings == NULL || e->portals == NULL ||
        e->other == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a search over %u cells", query->max_cells);

    return VN_OK;
}

void vni_cells_engine_free(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    vni_cells_search_free(&e->search);
    VNI_DELETE_ARRAY(&query->allocator, e->corridor, query->max_points);
    vni_free(&query->allocator, e->crossings, query->max_points, sizeof *e->crossings);
    VNI_DELETE_ARRAY(&query->allocator, e->portals, query->max_points);
    VNI_DELETE_ARRAY(&query->allocator, e->other, query->max_points);
}

size_t vni_cells_engine_bytes(const vn_query* query) {
    const vni_cells_engine* e = &query->cells;
    if (e->corridor == NULL)
        return 0;
    size_t point = sizeof *e->corridor + sizeof *e->crossings + sizeof *e->portals + sizeof *e->other;
    return vni_cells_search_bytes(&e->search) + query->max_points * point;
}

// ------------------------------------------------------------------------------------------------- beginning

/// The fast search from both ends can serve the request, but for a preferred clearance.
static bool is_nearly_plain(const vn_query* query) {
    return query->request.goal_kind == VN_GOAL_POINT && query->connection_count == 0 && !query->has_limits &&
           !(query->request.jitter > 0);
}

/// Starts the fast search of this round: the second one goes from goal to start, that by fuel from start to
/// goal.
static vn_status begin_round(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    const vni_cells* cells = &query->space->cells;
    const vn_path_request* request = &query->request;
    vni_cell_ref start_cell = {0, 0}, goal_cell = {0, 0};
    bool found = vni_cells_find(cells, query->start_voxel, &start_cell) &&
                 vni_cells_find(cells, query->goal_voxel, &goal_cell);
    VNI_ASSERT(found); // both voxels are free

    if (!found)
        return VN_BAD_DATA;
    const float *start = e->ends[0], *goal = e->ends[1];
    float weight = (float)query->result.weight;
    vn_status status;
    if (e->round != 1)
        status =
            vni_cells_search_begin(&e->search, cells, start, start_cell, goal, goal_cell, weight,
                                   query->zones, request->budget, e->round == 0 && request->allow_partial);
    else // the first round has a path, so a partial one is of no use
        status = vni_cells_search_begin(&e->search, cells, goal, goal_cell, start, start_cell, weight,
                                        query->zones, request->budget, false);

    e->search.observer = query->observer;
    e->search.start_side = e->round == 1;
    e->search.fuel = e->round == VNI_FUEL_ROUND ? &query->fuel : NULL;
    return status;
}

static void add_hop(vni_cells_engine* e, const vni_connection* connection, bool reversed) {
    VNI_ASSERT(e->hop_count < VNI_MAX_HOPS);

    vni_hop* hop = &e->hops[e->hop_count++];
    hop->from = reversed ? connection->to : connection->from;
    hop->to = reversed ? connection->from : connection->to;
    hop->from_cell = reversed ? connection->to_cell : connection->from_cell;
    hop->to_cell = reversed ? connection->from_cell : connection->to_cell;
    hop->cost = connection->cost;
    hop->connection = connection->index;
    hop->reversed = reversed;
}

/// A connection that leads both ways becomes two hops.
static void take_hops(vn_query* query) {
    query->cells.hop_count = 0;
    for (uint32_t i = 0; i < query->connection_count; ++i) {
        add_hop(&query->cells, &query->connections[i], false);
        if (query->connections[i].both_ways)
            add_hop(&query->cells, &query->connections[i], true);
    }
}

static vni_goal goal_of(const vn_query* query) {
    const vn_path_request* request = &query->request;
    const vn_point point = query->result.goal;
    const vn_point low = request->goal_kind == VN_GOAL_BOX ? query->goal_low : point,
                   high = request->goal_kind == VN_GOAL_BOX ? query->goal_high : point;
    vni_goal goal = {VNI_GOAL_BOX, {{low.x, low.y, low.z}, {high.x, high.y, high.z}}, point, 0};

    goal.distance = vni_voxels_to_steps(vni_metres_to_voxels(query->space, request->goal_distance));
    if (request->goal_kind == VN_GOAL_SPHERE)
        goal.kind = VNI_GOAL_BALL;

    if (request->goal_kind == VN_GOAL_SIGHT) {
        goal.kind = VNI_GOAL_SIGHT;
        goal.distance = goal.distance > 0 ? goal.distance : HUGE_VAL;
    }

    return goal;
}

/// The cell of the start, and one of each other region that it touches: a start on a face, edge or corner may
/// lie on the rim of regions that are not connected.
static uint32_t find_start_cells(const vn_query* query, vni_cell_ref out[VNI_MAX_STARTS]) {
    const vni_cells* cells = &query->space->cells;
    vn_voxel sides[8];
    uint32_t count = 0, side_count = vni_space_sides(query->space, query->result.start, NULL, NULL, sides);
    if (!vni_cells_find(cells, query->start_voxel, &out[count++]))
        return 0;

    for (uint32_t i = 0; i < side_count; ++i) {
        vni_cell_ref ref;
        bool is_new = vni_cells_find(cells, sides[i], &ref);
        for (uint32_t k = 0; k < count && is_new; ++k)
            is_new = vni_cells_component(cells, out[k]) != vni_cells_component(cells, ref);
        if (is_new && count < VNI_MAX_STARTS)
            out[count++] = ref;
    }

    return count;
}

vn_status vni_cells_engine_begin_terms(vn_query* query, const vni_goal* goal, double max_cost) {
    vni_cells_engine* e = &query->cells;
    const vn_path_request* request = &query->request;
    VNI_ASSERT(max_cost >= 0 && query->result.weight >= 1);

    take_hops(query);
    e->terms.goal = *goal;
    vni_terms_def def = {
        .cells = &query->space->cells,
        .occupancy = &query->space->occupancy,
        .start = query->result.start,
        .goal = *goal,
        .costs = &e->terms.costs,
        .has_limits = query->has_limits,
        .limits = e->terms.limits,
        .hops = e->hops,
        .hop_count = e->hop_count,
        .jitter = (double)request->jitter,
        .jitter_seed = request->jitter_seed,
        .weight = (float)query->result.weight,
        .max_cost = (float)max_cost,
        .budget = request->budget,
        .partial = request->allow_partial,
        .observer = query->observer,
    };
    def.start_count = find_start_cells(query, def.start_cells);
    VNI_ASSERT(def.start_count > 0); // the voxel is free

    return def.start_count > 0 ? vni_terms_search_begin(&e->wide, &e->search, &def) : VN_BAD_DATA;
}

void vni_cells_engine_set_terms(vn_query* query) {
    const vn_point low = query->limit_low, high = query->limit_high;
    const vni_lattice_box limits = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    vni_route_terms_set(&query->cells.terms, &query->request, &query->space->occupancy,
                        (double)query->space->resolution, query->zones, query->has_limits ? &limits : NULL);
    if (!query->has_fuel)
        return;

    vni_route_terms_set(&query->cells.fuel_terms, &query->request, &query->space->occupancy,
                        (double)query->space->resolution, query->zones, query->has_limits ? &limits : NULL);
    vni_route_terms_burn(&query->cells.fuel_terms, &query->fuel);
}

vn_status vni_cells_engine_begin(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    const vn_path_request* request = &query->request;
    vni_cells_engine_set_terms(query);
    query->result.weight = request->weight > 0 ? request->weight : vni_efforts[request->quality].weight;
    e->round = 0;
    e->other_count = 0;
    e->corridor_count = 0;
    e->expanded = 0;
    e->is_plain = is_nearly_plain(query) && e->terms.costs.clearance == NULL;

    // Once for both rounds; the second one may follow a search with terms.
    vni_lattice_voxels(query->result.start, e->ends[0]);
    vni_lattice_voxels(query->result.goal, e->ends[1]);
    if (e->is_plain)
        return begin_round(query);

    const vni_goal goal = goal_of(query);
    return vni_cells_engine_begin_terms(query, &goal, HUGE_VAL);
}

// ---------- laying

/// The route that the corridor in work becomes: from no points on.
static vni_route route_of(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    return (vni_route){
        .cells = &query->space->cells,
        .occupancy = &query->space->occupancy,
        .terms = e->round == VNI_FUEL_ROUND ? &e->fuel_terms : &e->terms,
        .effort = &vni_efforts[query->request.quality],
        .refine = query->request.refine,
        .corridor = e->corridor,
        .corridor_count = e->corridor_count,
        .crossings = e->crossings,
        .portals = e->portals,
        .points = query->points,
        .max_points = query->max_points,
    };
}

/// The point of a closed cell that is nearest to `goal`.
static vn_point nearest_in_cell(const vn_query* query, vni_cell_ref ref, vn_point goal) {
    vni_lattice_box box = vni_cell_box(&query->space->cells, ref, NULL);
    const double at[3] = {goal.x, goal.y, goal.z};
    return vni_lattice_box_nearest(&box, at);
}

/// Lays and refines the route of the fast search that has just ended. A partial one continues to the point of
/// its last cell that is nearest to the goal. False if it has too many points.
static bool make_polyline(vn_query* query, bool reached) {
    vni_cells_engine* e = &query->cells;
    bool swapped = e->round == 1;
    vn_point start = query->result.start, goal = query->result.goal;
    uint32_t count = vni_cells_search_corridor(&e->search, e->corridor, e->crossings, query->max_points - 1);
    e->corridor_count = count;
    query->point_count = 0;

    if (count == 0)
        return true;
    if (count > query->max_points - 1) {
        e->corridor_count = 0;
        query->result.needed_points = count + 1;
        return false;
    }

    vn_point end = swapped ? start : goal;
    const vni_leg leg = {
        .first = 0,
        .last = count - 1,
        .start = swapped ? goal : start,
        .end = reached ? end : nearest_in_cell(query, e->corridor[count - 1], end),
        .taut = reached,
    };

    vni_route route = route_of(query);
    bool fits = vni_route_add_leg(&route, &leg);
    query->point_count = route.point_count;
    return fits;
}

/// Notes the connection that follows the leg just laid: it leads on from the last of the points.
static void use_connection(vn_query* query, uint32_t point_count, const vni_hop* hop) {
    VNI_ASSERT(query->connection_use_count < VNI_MAX_HOPS && point_count > 0);
    vn_connection_use* use = &query->connection_uses[query->connection_use_count++];
    use->point = point_count - 1;
    use->connection = hop->connection;
    use->reversed = hop->reversed;
}

/// One leg between each two of the connections that the chain takes; the last one leads to `end`.
static bool add_legs(vn_query* query, vni_route* route, vni_leg leg, const vni_hop_use* hops,
                     uint32_t hop_count, vn_point end, bool ends) {
    for (uint32_t i = 0; i < hop_count; ++i) {
        const vni_hop* hop = &query->cells.hops[hops[i].hop];
        leg.last = hops[i].at - 1;
        leg.end = hop->from;
        if (!vni_route_add_leg(route, &leg))
            return false;

        use_connection(query, route->point_count, hop);
        leg.first = hops[i].at;
        leg.start = hop->to;
    }

    leg.last = route->corridor_count - 1;
    leg.end = end;
    leg.ends = ends;
    return vni_route_add_leg(route, &leg);
}

bool vni_cells_engine_lay(vn_query* query, uint32_t node, const vni_entry* entry, vn_point end, bool taut,
                          bool ends) {
    vni_cells_engine* e = &query->cells;
    vni_hop_use hops[VNI_MAX_HOPS];
    uint32_t hop_count = 0, most = query->max_points - 1;
    uint32_t count =
        vni_terms_search_chain(&e->wide, node, entry, e->corridor, e->crossings, most, hops, &hop_count);
    e->corridor_count = count <= most ? count : 0;
    query->point_count = query->connection_use_count = 0;
    // A leg has one point more than cells.
    bool fits = count <= most;
    if (fits) {
        const vni_leg first = {.start = query->result.start, .taut = taut};
        vni_route route = route_of(query);
        fits = add_legs(query, &route, first, hops, hop_count, end, ends);
        query->point_count = route.point_count;
    }

    query->result.needed_points = fits ? 0 : count + hop_count + 1;
    return fits;
}

/// Where a partial path ends: at the point of the last cell that is nearest to the goal.
static vn_point partial_end(const vn_query* query, uint32_t node, const vni_entry* entry) {
    const vni_terms_search* s = &query->cells.wide;
    vni_lattice_box box =
        vni_cell_box(s->def.cells, vni_terms_search_cell(s, node), &query->cells.terms.limits);
    float to[3];
    vni_goal_aim(&s->def.goal, entry->point, to);
    const double at[3] = {vni_voxels_to_steps((double)to[0]), vni_voxels_to_steps((double)to[1]),
                          vni_voxels_to_steps((double)to[2])};

    return vni_lattice_box_nearest(&box, at);
}

static bool make_legs(vn_query* query, bool reached) {
    const vni_terms_search* s = &query->cells.wide;
    uint32_t node = reached ? s->arrival : s->nearest;
    const vni_entry* entry = vni_terms_search_entry(s, node);
    vn_point end = reached ? s->arrived : partial_end(query, node, entry);
    bool moves = reached && query->request.goal_kind != VN_GOAL_POINT;

    if (!vni_cells_engine_lay(query, node, entry, end, reached, moves))
        return false;
    if (reached)
        query->result.goal = query->points[query->point_count - 1];

    return true;
}

// --------------------------------------------------------------------------------------------------- rounds

static void reverse(vn_point* points, uint32_t count) {
    for (uint32_t i = 0, k = count; i + 1 < k; ++i) {
        vn_point swap = points[i];
        points[i] = points[--k];
        points[k] = swap;
    }
}

/// Keeps the cheaper of the path that was set aside and the one just made, which runs from goal to start.
static void keep_shorter(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    if (query->point_count > 0 && vni_route_cost(&query->cells.terms, query->points, query->point_count) <
                                      vni_route_cost(&query->cells.terms, e->other, e->other_count)) {
        reverse(query->points, query->point_count);
        return;
    }

    memcpy(query->points, e->other, e->other_count * sizeof *e->other);
    query->point_count = e->other_count;
}

/// Sets the path of the first search aside and starts the second search, which is always the fast one.
static vn_status next_round(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    VNI_ASSERT(e->round == 0);

    if (e->is_plain ? !make_polyline(query, true) : !make_legs(query, true))
        return VN_CAPACITY;
    memcpy(e->other, query->points, query->point_count * sizeof *e->other);
    e->other_count = query->point_count;
    e->expanded += e->is_plain ? e->search.expanded : e->wide.expanded;
    e->is_plain = true;
    e->round = 1;
    vn_status status = begin_round(query);

    return status == VN_OK ? VN_RUNNING : status;
}

/// Near walls the search with terms samples the clearance at single points, and may choose the wrong side of
/// an obstacle. The shortest path, led away from the walls afterwards, is often the better one, and cheap to
/// find.
static bool wants_second_opinion(const vn_query* query) {
    return is_nearly_plain(query) && query->request.quality != VN_QUALITY_FAST;
}

static vn_status step_rounds(vn_query* query, uint64_t max_expansions) {
    vni_cells_engine* e = &query->cells;
    if (!e->is_plain) {
        vn_status status = vni_terms_search_step(&e->wide, max_expansions);
        return status == VN_OK && wants_second_opinion(query) ? next_round(query) : status;
    }

    vn_status status = vni_cells_search_step(&e->search, max_expansions);
    if (e->round > 0 && (status == VN_NO_PATH || status == VN_BUDGET_SPENT))
        return VN_OK; // the path of the rounds before stays
    if (status == VN_OK && e->round + 1 < vni_efforts[query->request.quality].rounds)
        return next_round(query);

    return status;
}

/// The path of the second round, or what the first one left, if that is shorter.
static void take_second(vn_query* query) {
    query->point_count = 0;
    if (query->cells.search.status == VN_OK && !make_polyline(query, true))
        query->point_count = 0; // too many points: the first path stays
    query->result.needed_points = 0;
    keep_shorter(query);
}

/// Refines the path for fuel. Splitting moves points to the lattice, which may cost a little more than later
/// passes gain: then the path stays as it was.
static void refine_for_fuel(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    vni_route route = route_of(query);
    const uint32_t count = query->point_count;
    const double before = vni_route_cost(&e->fuel_terms, query->points, count);
    if (count < 2)
        return;

    memcpy(e->other, query->points, count * sizeof *e->other);
    route.terms = &e->fuel_terms;
    route.point_count = count;
    vni_route_refine_again(&route);
    query->point_count = route.point_count;
    if (vni_route_cost(&e->fuel_terms, query->points, query->point_count) < before)
        return;

    memcpy(query->points, e->other, count * sizeof *e->other);
    query->point_count = count;
}

/// Refines the path of the rounds without fuel, sets it aside and starts the search by fuel.
static vn_status next_fuel_round(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    VNI_ASSERT(e->round < VNI_FUEL_ROUND && e->is_plain);

    if (e->round == 1)
        take_second(query);
    else if (!make_polyline(query, true))
        return VN_CAPACITY;

    refine_for_fuel(query);
    memcpy(e->other, query->points, query->point_count * sizeof *e->other);
    e->other_count = query->point_count;
    e->expanded += e->search.expanded;
    e->round = VNI_FUEL_ROUND;
    vn_status status = begin_round(query);
    return status == VN_OK ? VN_RUNNING : status;
}

vn_status vni_cells_engine_step(vn_query* query, uint64_t max_expansions) {
    const vni_cells_engine* e = &query->cells;
    vn_status status = step_rounds(query, max_expansions);
    const bool burns = query->has_fuel && e->is_plain && e->round != VNI_FUEL_ROUND;
    return status == VN_OK && burns ? next_fuel_round(query) : status;
}

// ------------------------------------------------------------------------------------------------- finishing

/// Cost of the path, metres: its legs and its connections.
static double cost_of_path(const vn_query* query) {
    const vni_route_terms* terms = query->has_fuel ? &query->cells.fuel_terms : &query->cells.terms;
    double sum = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < query->connection_use_count; ++i) {
        const vn_connection_use* use = &query->connection_uses[i];
        sum += vni_route_cost(terms, query->points + first, use->point + 1 - first);
        for (uint32_t k = 0; k < query->connection_count; ++k)
            if (query->connections[k].index == use->connection)
                sum += query->connections[k].cost * (double)query->space->resolution;
        first = use->point + 1;
    }

    return sum + vni_route_cost(terms, query->points + first, query->point_count - first);
}

/// The first search has a path, whatever became of the second. If the caller cancelled the second, the reason
/// says so: left to itself it might have found a shorter path.
static void finish_second(vn_query* query) {
    query->result.reason = query->result.status == VN_CANCELLED ? VN_CANCELLED : VN_OK;
    query->result.status = VN_OK;
    take_second(query);
}

/// The path without fuel has been set aside. Keeps it unless the one by fuel burns less.
static void finish_fuel(vn_query* query) {
    vni_cells_engine* e = &query->cells;
    query->result.reason = query->result.status == VN_CANCELLED ? VN_CANCELLED : VN_OK;
    query->result.status = VN_OK;
    query->point_count = 0;
    if (e->search.status == VN_OK && !make_polyline(query, true))
        query->point_count = 0;

    query->result.needed_points = 0;
    if (query->point_count > 0 && vni_route_cost(&e->fuel_terms, query->points, query->point_count) <
                                      vni_route_cost(&e->fuel_terms, e->other, e->other_count))
        return;

    memcpy(query->points, e->other, e->other_count * sizeof *e->other);
    query->point_count = e->other_count;
}

static void finish_first(vn_query* query) {
    vn_path_result* result = &query->result;
    bool reached = result->status == VN_OK;
    if (!reached && !query->request.allow_partial)
        return;

    if (query->cells.is_plain ? make_polyline(query, reached) : make_legs(query, reached)) {
        if (query->point_count > 0) // none: it was cancelled before its first expansion
            result->status = reached ? VN_OK : VN_PARTIAL;
        return;
    }

    query->point_count = query->connection_use_count = 0;
    result->status = result->reason = VN_CAPACITY;
}

void vni_cells_engine_finish(vn_query* query) {
    const vni_cells_engine* e = &query->cells;
    query->result.expanded = e->expanded + (e->is_plain ? e->search.expanded : e->wide.expanded);
    if (e->round == VNI_FUEL_ROUND)
        finish_fuel(query);
    else if (e->round == 1)
        finish_second(query);
    else
        finish_first(query);

    // Without the round by fuel: the request has terms, or it was cancelled before.
    if (query->has_fuel && e->round != VNI_FUEL_ROUND)
        refine_for_fuel(query);

    query->result.cost = cost_of_path(query);
}

// ------------------------------------------------------------------------------------------------- footprint

static bool is_in_corridor(const vni_cells_engine* e, vni_cell_ref ref) {
    for (uint32_t i = 0; i < e->corridor_count; ++i)
        if (e->corridor[i].block == ref.block && e->corridor[i].cell == ref.cell)
            return true;
    return false;
}

void vni_cells_engine_visit(const vn_query* query, vn_visit_box* visit, void* user) {
    const vni_cells_engine* e = &query->cells;
    const vni_cells* cells = &query->space->cells;
    for (uint32_t block = 0; block < vni_cells_block_count(cells); ++block) {
        const vni_block_view* view = &cells->views[block];
        for (uint32_t i = 0; i < cells->table[block]->cell_count; ++i) {
            const vni_entry* entry = e->search.entries[view->base + i];
            vni_cell_ref ref = {block, i};
            bool closed = vni_is_closed(&e->search, &entry[0]) || vni_is_closed(&e->search, &entry[1]);
            bool in_corridor = is_in_corridor(e, ref); // the cell where the two sides met may still be open
            if (!closed && !in_corridor)
                continue;

            const vn_voxel_box box = vni_cell_voxels(view, &view->cells[i]);
            if (!visit(user, box.low, box.high, in_corridor))
                return;
        }
    }
}
