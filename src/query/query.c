/// query/query.c: from a request to a result: the ends, the reasons, and the order of calls. The engines do
/// the rest.
#include "base/alloc.h"
#include "base/fail.h"
#include "path/check.h"
#include "path/refine.h"
#include "probe/endpoint.h"
#include "query/last_search.h"
#include "query/query_inside.h"
#include "query/versions.h"
#include "space/frame.h"
#include "volnav/path.h"

#include <string.h>

#define QUERY_COOKIE 0x71b40005u

#define DEFAULT_MAX_NODES  (1u << 24)
#define DEFAULT_MAX_POINTS 65536u

// ----------------------------------------------------------------------------------------- life of a query

vn_query_def vn_default_query_def(void) {
    vn_query_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.cookie = QUERY_COOKIE;
    return def;
}

static vn_status check_def(const vn_space* space, const vn_query_def* def, vn_detail* detail) {
    if (def->cookie != QUERY_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the query's def with vn_default_query_def, then change what you mean");

    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if ((unsigned)def->scratch > VN_SCRATCH_ALL)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the query's scratch is %d, which is no combination of VN_SCRATCH_ bits",
                        (int)def->scratch);

    if (def->max_climbs > VN_MAX_CLIMBS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_climbs is %u; it must be 0 to %d",
                        (unsigned)def->max_climbs, VN_MAX_CLIMBS);

    if ((def->scratch & VN_SCRATCH_CELLS) && !vni_space_has_cells(space))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "scratch for the cells search was requested, but the space was baked without cells");

    return VN_OK;
}

static vn_status make_parts(vn_query* query, const vn_query_def* def, vn_detail* detail) {
    query->points = VNI_NEW_ARRAY(&def->allocator, vn_point, query->max_points);
    if (query->points == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points; set max_points lower",
                        query->max_points);

    query->zone_buffer = VNI_NEW_ARRAY(&def->allocator, vni_zone_buffer, 1);
    if (query->zone_buffer == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the zones of a query");

    vn_status status = VN_OK;
    if (query->scratch & VN_SCRATCH_CELLS)
        status = vni_cells_engine_make(query, detail);

    if (status == VN_OK && (query->scratch & VN_SCRATCH_GRID))
        status = vni_grid_engine_make(query, def->max_nodes ? def->max_nodes : DEFAULT_MAX_NODES, detail);

    return status;
}

static uint32_t cells_of(const vn_space* space) {
    return vni_space_has_cells(space) ? vni_cells_count(&space->cells) : 0;
}

static uint32_t most_cells(const vn_space* space, const vn_layers* layers) {
    uint32_t most = cells_of(space);
    for (uint32_t i = 0; layers != NULL && i < vn_layers_count(layers); ++i) {
        uint32_t cells = cells_of(vn_layers_space(layers, i));
        most = cells > most ? cells : most;
    }
    return most;
}

/// `space` is the first of the layers, or the only one (layers null).
static vn_status create(const vn_space* space, const vn_layers* layers, const vn_query_def* def,
                        uint32_t spare_cells, vn_query** out, vn_detail* detail) {
    *out = NULL;
    vn_status status = check_def(space, def, detail);
    if (status != VN_OK)
        return status;

    vn_query* query = VNI_NEW(&def->allocator, vn_query);
    if (query == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a query");

    query->allocator = def->allocator;
    query->space = space;
    query->layers = layers;
    query->inside.seen = vni_map_make(&query->allocator);
    query->max_cells = most_cells(space, layers);
    query->max_cells += spare_cells < UINT32_MAX - query->max_cells ? spare_cells : 0;

    query->scratch = (uint32_t)def->scratch;
    if (query->scratch == VN_SCRATCH_DEFAULT)
        query->scratch = vni_space_has_cells(space) ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;

    query->max_points = def->max_points ? def->max_points : DEFAULT_MAX_POINTS;
    query->max_climbs = def->max_climbs;
    status = make_parts(query, def, detail);
    if (status != VN_OK) {
        vn_query_destroy(query);
        return status;
    }

    *out = query;
    return VN_OK;
}

vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out, vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL);
    return create(space, NULL, def, 0, out, detail);
}

vn_status vn_query_create_layers(const vn_layers* layers, const vn_query_def* def, vn_query** out,
                                 vn_detail* detail) {
    VNI_ASSERT(layers != NULL && def != NULL && out != NULL);
    return create(vn_layers_space(layers, 0), layers, def, 0, out, detail);
}

vn_status vni_query_create_spare(const vn_layers* layers, const vn_query_def* def, uint32_t spare_cells,
                                 vn_query** out, vn_detail* detail) {
    VNI_ASSERT(layers != NULL && def != NULL && out != NULL);
    return create(vn_layers_space(layers, 0), layers, def, spare_cells, out, detail);
}

vn_status vni_query_use_layers(vn_query* query, const vn_layers* layers) {
    VNI_ASSERT(query != NULL && layers != NULL);

    const vn_space* space = vn_layers_space(layers, 0);
    if (query->phase != VNI_PHASE_IDLE)
        return VN_BAD_ORDER;
    if (most_cells(space, layers) > query->max_cells)
        return VN_CAPACITY;

    query->layers = layers;
    query->space = space;
    query->has_search = query->has_field = false;
    return VN_OK;
}

void vni_query_use_zones(vn_query* query, const vn_zone* zones, uint32_t count) {
    VNI_ASSERT(query != NULL && count <= VN_MAX_ZONES && (zones != NULL || count == 0));
    query->standing = zones;
    query->standing_count = count;
}

vn_status vni_query_check(const vn_layers* layers, const vn_path_request* request, vn_detail* detail) {
    VNI_ASSERT(layers != NULL && request != NULL);
    vn_query probe; // no engine: it takes the request, and never searches
    memset(&probe, 0, sizeof probe);
    probe.scratch = VN_SCRATCH_CELLS;
    probe.knows_inside = true;
    probe.layers = layers;
    probe.space = vn_layers_space(layers, 0);

    return vni_query_take(&probe, request, detail);
}

void vn_query_destroy(vn_query* query) {
    if (query == NULL)
        return;
    vn_allocator allocator = query->allocator;
    vni_grid_engine_free(query);
    vni_cells_engine_free(query);
    vni_query_inside_free(query);
    VNI_DELETE_ARRAY(&allocator, query->points, query->max_points);
    VNI_DELETE_ARRAY(&allocator, query->zone_buffer, 1);
    VNI_DELETE(&allocator, query);
}

void vn_query_get_memory(const vn_query* query, vn_memory* out) {
    vni_scratch_memory(&query->grid.scratch, out);
    vni_memory_add(out, "cells search", vni_cells_engine_bytes(query));
    vni_memory_add(out, "points and query",
                   query->max_points * sizeof(vn_point) + sizeof *query->zone_buffer + sizeof *query);
    vni_memory_add(out, "inside obstacles", vni_query_inside_bytes(query));
}

// ---------------------------------------------------------------------------------------------- beginning

static bool ends_are_joined(const vn_query* query, const vn_space* space) {
    return vn_space_reachable(space, query->result.start, query->result.goal);
}

/// Reports an end that could not be placed.
static vn_status report_fault(vn_query* query, vn_path_end end, vn_status status, const vni_endpoint* place) {
    vn_path_result* result = &query->result;
    result->end = end;
    result->has_nearest = place->has_nearest;
    result->nearest = place->nearest;
    result->nearest_distance = place->nearest_distance;

    if (status != VN_BLOCKED)
        return status;
    result->passing_radius =
        vni_query_widest_other(query, end == VN_END_START ? vni_start_is_free : vni_goal_is_free);
    return end == VN_END_START ? VN_START_BLOCKED : VN_GOAL_BLOCKED;
}

vn_status vni_query_place(vn_query* query, vn_path_end end, vn_point* point, vn_voxel* voxel) {
    VNI_ASSERT(end != VN_END_NONE);

    vni_endpoint place;
    vn_status status = vni_endpoint_place(query->space, *point, query->request.snap_distance, &place);
    if (status != VN_OK)
        return report_fault(query, end, status, &place);

    *point = place.point;
    *voxel = place.voxel;
    if (vni_is_in_limits(query, *point))
        return VN_OK;

    query->result.end = end;
    return VN_OUTSIDE;
}

static vn_status place_goal(vn_query* query) {
    vn_path_result* result = &query->result;
    if (query->request.goal_kind == VN_GOAL_BOX)
        return VN_OK;
    if (query->request.goal_kind == VN_GOAL_POINT)
        return vni_query_place(query, VN_END_GOAL, &result->goal, &query->goal_voxel);

    // The middle of a region may be anywhere, but it must be a place.
    if (vn_point_is_outside(result->goal)) {
        result->end = VN_END_GOAL;
        return VN_OUTSIDE;
    }

    return VN_OK;
}

/// Both ends. The way out of obstacles that the start is inside of depends on the goal.
static vn_status place_ends(vn_query* query, vn_detail* detail) {
    const bool is_inside = vni_query_starts_inside(query);
    vn_status status = VN_OK;
    if (!is_inside)
        status = vni_query_place(query, VN_END_START, &query->result.start, &query->start_voxel);
    if (status == VN_OK)
        status = place_goal(query);
    return status == VN_OK && is_inside ? vni_query_leave(query, detail) : status;
}

static vn_status start_search(vn_query* query, vn_detail* detail) {
    vn_path_result* result = &query->result;
    query->grid.grid6.occupancy = query->grid.grid26.occupancy = &query->space->occupancy;
    vn_status status = place_ends(query, detail);
    if (status != VN_OK)
        return status;

    vni_query_settle_snapped(query);

    // An end on a face, an edge or a corner touches several voxels, perhaps of several regions: take a pair
    // of voxels that is connected, if there is one.
    if (query->request.goal_kind == VN_GOAL_POINT && vni_space_has_cells(query->space))
        vni_space_join(query->space, result->start, result->goal, &query->start_voxel, &query->goal_voxel);

    return query->request.algo == VN_ALGO_CELLS ? vni_cells_engine_begin(query)
                                                : vni_grid_engine_begin(query);
}

vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL);

    if (query->phase != VNI_PHASE_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_query_finish first");

    vn_status status = vni_query_take(query, request, detail);
    if (status != VN_OK)
        return status;

    // Refused after it was taken: there is no last search.
    status = vni_query_open(query, detail);
    if (status != VN_OK) {
        query->request.cookie = 0;
        return status;
    }

    status = start_search(query, detail);
    query->has_search = status == VN_OK;
    query->result.status = status == VN_OK ? VN_RUNNING : status;
    query->phase = status == VN_OK ? VNI_PHASE_SEARCH : VNI_PHASE_ENDED;
    return VN_OK;
}

vn_status vn_query_step(vn_query* query, uint64_t max_expansions) {
    if (query->phase == VNI_PHASE_IDLE)
        return VN_BAD_ORDER;
    if (query->phase == VNI_PHASE_SEARCH) {
        bool cells = query->request.algo == VN_ALGO_CELLS;
        query->result.status = cells ? vni_cells_engine_step(query, max_expansions)
                                     : vni_grid_engine_step(query, max_expansions);
        if (query->result.status != VN_RUNNING)
            query->phase = VNI_PHASE_ENDED;
    }

    return query->result.status;
}

// ---------------------------------------------------------------------------------------------- finishing

/// The legs of a path between its connections: calls `visit` with each, until it returns false.
typedef bool visit_leg(vn_query* query, const vn_point* points, uint32_t count);
static bool each_leg(vn_query* query, visit_leg* visit) {
    uint32_t first = 0;
    for (uint32_t i = 0; i <= query->connection_use_count; ++i) {
        uint32_t end =
            i < query->connection_use_count ? query->connection_uses[i].point + 1 : query->point_count;
        VNI_ASSERT(first <= end && end <= query->point_count);
        if (!visit(query, query->points + first, end - first))
            return false;
        first = end;
    }

    return true;
}

static bool add_length(vn_query* query, const vn_point* points, uint32_t count) {
    query->result.length += vni_steps_to_metres(query->space, vni_polyline_length(points, count));
    query->result.fuel += vni_query_fuel(query, points, count);
    return true;
}

static void measure(vn_query* query) {
    vn_path_result* result = &query->result;
    result->point_count = query->point_count;
    result->turns = query->point_count > 2 ? query->point_count - 2 : 0;
    result->connections_used = query->connection_use_count;
    result->length = result->fuel = 0;
    each_leg(query, add_length);
}

/// The positions of the result.
static void locate(vn_query* query) {
    vn_path_result* result = &query->result;
    const vn_path_request* request = &query->request;
    result->start_position = vn_space_point_to_world(query->space, result->start);
    result->goal_position = vn_space_point_to_world(query->space, result->goal);
    if (result->has_nearest)
        result->nearest_position = vn_space_point_to_world(query->space, result->nearest);

    // A position that the lattice does not reach is returned as it came.
    if (request->use_positions && vn_point_is_outside(result->start))
        result->start_position = request->start_position;
    if (request->use_positions && vn_point_is_outside(result->goal))
        result->goal_position = request->goal_position;
}

/// The way out of named obstacles is checked without them, the rest with them.
static bool leg_is_free(vn_query* query, const vn_point* points, uint32_t count) {
    const uint32_t inside = points == query->points ? query->result.inside_points : 0;
    if (inside > 0 && !vni_check_path_from(query->space, query->body, points, inside + 1, 0, NULL))
        return false;
    return vn_space_check_path(query->space, points + inside, count - inside, NULL);
}

/// The final check. A path that is not free would be a bug of the library: builds with asserts stop here,
/// others return VN_BAD_DATA instead of the path.
static void judge(vn_query* query) {
#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
    bool wanted = true;
#else
    bool wanted = query->request.check;
#endif
    if (!wanted || query->point_count == 0)
        return;
    bool is_free = each_leg(query, leg_is_free);
    VNI_ASSERT(is_free);
    query->result.checked = is_free && query->request.check;
    if (!is_free) {
        query->point_count = query->connection_use_count = 0;
        query->result.status = query->result.reason = VN_BAD_DATA;
    }
}

/// No path in this layer: says so if a narrower agent would have one.
static void look_for_narrower(vn_query* query) {
    vn_path_result* result = &query->result;
    if (result->reason != VN_NO_PATH || query->request.goal_kind != VN_GOAL_POINT ||
        ends_are_joined(query, query->space))
        return;

    result->passing_radius = vni_query_widest_other(query, ends_are_joined);
    if (result->passing_radius < 0)
        return;

    result->reason = VN_TOO_NARROW;
    if (result->status == VN_NO_PATH)
        result->status = VN_TOO_NARROW;
}

vn_status vn_query_finish(vn_query* query, vn_path_result* result) {
    VNI_ASSERT(query != NULL && result != NULL);

    if (query->phase == VNI_PHASE_IDLE)
        return VN_BAD_ORDER;
    if (query->phase == VNI_PHASE_SEARCH)
        query->result.status = VN_CANCELLED;

    query->phase = VNI_PHASE_IDLE;
    query->result.reason = query->result.status;
    if (query->has_search && query->request.algo == VN_ALGO_CELLS)
        vni_cells_engine_finish(query);
    else if (query->has_search)
        vni_grid_engine_finish(query);

    look_for_narrower(query);
    vni_query_join_leg(query);
    judge(query);
    measure(query);
    locate(query);
    *result = query->result;
    return result->status;
}

vn_status vn_query_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result,
                             vn_detail* detail) {
    memset(result, 0, sizeof *result);
    result->status = vn_query_begin(query, request, detail);
    result->reason = result->status;
    if (result->status != VN_OK)
        return result->status;

    while (vn_query_step(query, UINT64_MAX) == VN_RUNNING) {
    }

    return vn_query_finish(query, result);
}

// While a search runs, the points may hold the path of its first round, which is not final.

const vn_point* vn_query_points(const vn_query* query, uint32_t* count) {
    *count = query->phase == VNI_PHASE_IDLE ? query->point_count : 0;
    return query->points;
}

vn_status vn_query_get_positions(const vn_query* query, vn_dvec3* out, uint32_t capacity, uint32_t* count) {
    VNI_ASSERT(query != NULL && count != NULL && (out != NULL || capacity == 0));
    const vn_point* points = vn_query_points(query, count);
    vn_space_points_to_world(query->space, points, *count < capacity ? *count : capacity, out);
    return *count > capacity ? VN_CAPACITY : VN_OK;
}

const vn_connection_use* vn_query_connections(const vn_query* query, uint32_t* count) {
    *count = query->phase == VNI_PHASE_IDLE ? query->connection_use_count : 0;
    return query->connection_uses;
}

void vn_query_visit_expanded(const vn_query* query, vn_visit_box* visit, void* user) {
    if (!query->has_search)
        return;
    if (query->request.algo == VN_ALGO_CELLS)
        vni_cells_engine_visit(query, visit, user);
    else
        vni_grid_engine_visit(query, visit, user);
}

// ---------------------------------------------------------------------------------------------- last search

vni_last_search vni_query_last_search(const vn_query* query) {
    return (vni_last_search){
        // A request that was taken over carries its cookie: without one nothing has been requested yet.
        .is_finished = query->phase == VNI_PHASE_IDLE && !query->has_field && query->request.cookie != 0,
        .layers = query->layers,
        .space = query->space,
        .request = &query->request,
        .result = &query->result,
        .points = query->points,
        .connection_uses = query->connection_uses,
        .point_count = query->point_count,
        .connection_use_count = query->connection_use_count,
        .max_points = query->max_points,
        .max_nodes = query->grid.scratch.page_capacity * 64,
    };
}

uint64_t vni_query_expanded(const vn_query* query) {
    const vni_cells_engine* e = &query->cells;
    if (query->request.algo != VN_ALGO_CELLS)
        return query->grid.expanded + query->grid.search.expanded;
    return e->expanded + (e->is_plain ? e->search.expanded : e->wide.expanded);
}

bool vni_query_is_in_second_round(const vn_query* query) {
    return query->request.algo == VN_ALGO_CELLS && query->cells.round > 0;
}
