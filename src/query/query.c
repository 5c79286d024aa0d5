/// query/query.c: from a request to a result: names, checks, ends, and the order of calls. The engines do the
/// rest.
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "path/refine.h"
#include "query/parts.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

#define QUERY_COOKIE   0x71b40001u
#define REQUEST_COOKIE 0x71b40002u

_Static_assert(VN_MAX_ZONES <= VNI_MAX_ZONES, "the cost object holds what a request may have");

#define DEFAULT_MAX_NODES  (1u << 24)
#define DEFAULT_MAX_POINTS 65536u

// ------------------------------------------------------------------------------------------------ names

static const char* const algo_names[VN_ALGO_COUNT] = {"cells", "astar", "dijkstra", "greedy", "astar-list"};
static const char* const heuristic_names[VN_HEURISTIC_COUNT] = {"default", "octile", "euclidean", "manhattan",
                                                                "r16"};
static const char* const quality_names[VN_QUALITY_COUNT] = {"standard", "fast", "best"};
static const char* const refine_names[VN_REFINE_COUNT] = {"default", "none", "prune", "taut"};

static const char* name_of(unsigned index, const char* const* names, unsigned count) {
    return index < count ? names[index] : NULL;
}

static bool find_name(const char* name, const char* const* names, int count, int* out) {
    for (int i = 0; i < count; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = i;
            return true;
        }
    return false;
}

const char* vn_algo_name(vn_algo algo) {
    return name_of((unsigned)algo, algo_names, VN_ALGO_COUNT);
}

bool vn_algo_from_name(const char* name, vn_algo* out) {
    int index;
    bool found = find_name(name, algo_names, VN_ALGO_COUNT, &index);
    if (found)
        *out = (vn_algo)index;
    return found;
}

const char* vn_heuristic_name(vn_heuristic heuristic) {
    return name_of((unsigned)heuristic, heuristic_names, VN_HEURISTIC_COUNT);
}

bool vn_heuristic_from_name(const char* name, vn_heuristic* out) {
    int index;
    bool found = find_name(name, heuristic_names, VN_HEURISTIC_COUNT, &index);
    if (found)
        *out = (vn_heuristic)index;
    return found;
}

const char* vn_quality_name(vn_quality quality) {
    return name_of((unsigned)quality, quality_names, VN_QUALITY_COUNT);
}

bool vn_quality_from_name(const char* name, vn_quality* out) {
    int index;
    bool found = find_name(name, quality_names, VN_QUALITY_COUNT, &index);
    if (found)
        *out = (vn_quality)index;
    return found;
}

const char* vn_refine_name(vn_refine refine) {
    return name_of((unsigned)refine, refine_names, VN_REFINE_COUNT);
}

bool vn_refine_from_name(const char* name, vn_refine* out) {
    int index;
    bool found = find_name(name, refine_names, VN_REFINE_COUNT, &index);
    if (found)
        *out = (vn_refine)index;
    return found;
}

// ----------------------------------------------------------------------------------------- life of a query

vn_query_def vn_default_query_def(void) {
    vn_query_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.cookie = QUERY_COOKIE;
    return def;
}

vn_path_request vn_default_path_request(void) {
    vn_path_request request;
    memset(&request, 0, sizeof request);
    request.neighbours = 26;
    request.cookie = REQUEST_COOKIE;
    return request;
}

static vn_status check_def(const vn_space* space, const vn_query_def* def, vn_detail* detail) {
    if (def->cookie != QUERY_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the query's def with vn_default_query_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if ((unsigned)def->room > VN_ROOM_ALL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no room number %d for a query", (int)def->room);
    if ((def->room & VN_ROOM_CELLS) && !vni_space_has_cells(space))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "room for the cells search was asked for, but the space was baked without cells");
    return VN_OK;
}

static vn_status make_parts(vn_query* query, const vn_query_def* def, vn_detail* detail) {
    query->points = VNI_NEW_ARRAY(&def->allocator, vn_point, query->max_points);
    if (!query->points)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points; set max_points lower",
                        query->max_points);
    vn_status status = VN_OK;
    if (query->room & VN_ROOM_CELLS)
        status = vni_cells_engine_make(query, detail);
    if (status == VN_OK && (query->room & VN_ROOM_GRID))
        status = vni_grid_engine_make(query, def->max_nodes ? def->max_nodes : DEFAULT_MAX_NODES, detail);
    return status;
}

vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out, vn_detail* detail) {
    VNI_ASSERT(space && def && out);
    *out = NULL;
    vn_status status = check_def(space, def, detail);
    if (status != VN_OK)
        return status;
    vn_query* query = VNI_NEW(&def->allocator, vn_query);
    if (!query)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a query");
    query->allocator = def->allocator;
    query->space = space;
    query->room = (uint32_t)def->room;
    if (query->room == VN_ROOM_DEFAULT)
        query->room = vni_space_has_cells(space) ? VN_ROOM_CELLS : VN_ROOM_GRID;
    query->max_points = def->max_points ? def->max_points : DEFAULT_MAX_POINTS;
    status = make_parts(query, def, detail);
    if (status != VN_OK) {
        vn_query_destroy(query);
        return status;
    }
    *out = query;
    return VN_OK;
}

void vn_query_destroy(vn_query* query) {
    if (!query)
        return;
    vn_allocator allocator = query->allocator;
    vni_grid_engine_free(query);
    vni_cells_engine_free(query);
    VNI_DELETE_ARRAY(&allocator, query->points, query->max_points);
    VNI_DELETE(&allocator, query);
}

static void add_part(vn_memory* out, const char* name, size_t bytes) {
    VNI_ASSERT(out->count < VN_MEMORY_PARTS);
    out->parts[out->count].name = name;
    out->parts[out->count++].bytes = bytes;
    out->total += bytes;
}

void vn_query_memory(const vn_query* query, vn_memory* out) {
    vni_scratch_memory(&query->grid.scratch, out);
    add_part(out, "cells search", vni_cells_engine_bytes(query));
    add_part(out, "points and query", query->max_points * sizeof(vn_point) + sizeof *query);
}

// ---------------------------------------------------------------------------------------------- beginning

static vn_status check_support(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    bool cells = r->algo == VN_ALGO_CELLS;
    if (cells && !(query->room & VN_ROOM_CELLS))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            vni_space_has_cells(query->space)
                ? "this query has no room for the cells search: make it with VN_ROOM_CELLS"
                : "the space was baked without cells: search it with astar, or bake it with cells");
    if (!cells && !(query->room & VN_ROOM_GRID))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "this query has no room for grid searches: make it with VN_ROOM_GRID or VN_ROOM_ALL");
    if (!cells && r->refine == VN_REFINE_TAUT)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a taut string needs the corridor of a cells search; the grid has none");
    return VN_OK;
}

static vn_status check_zones(const vn_path_request* r, vn_detail* detail) {
    if (r->zone_count > VN_MAX_ZONES)
        return vni_fail(detail, VN_CAPACITY, "the request has %u zones; %d are possible", r->zone_count,
                        VN_MAX_ZONES);
    for (uint32_t i = 0; i < r->zone_count; ++i) {
        const vn_zone* z = &r->zones[i];
        bool finite = vni_v_is_finite(vni_v_from(z->box.min)) && vni_v_is_finite(vni_v_from(z->box.max)) &&
                      vni_is_finite((double)z->factor);
        bool ordered =
            z->box.min.x <= z->box.max.x && z->box.min.y <= z->box.max.y && z->box.min.z <= z->box.max.z;
        if (!finite || !ordered || !(z->factor >= 1e-6f && z->factor <= 1e6f))
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "zone %u needs a finite box with min <= max and a factor from 1e-6 to 1e6",
                                  i);
    }
    return VN_OK;
}

/// From local metres to voxels.
static void take_zones(vn_query* query, const vn_path_request* request) {
    const vn_dvec3 low = query->space->low;
    const double size = (double)query->space->resolution;
    for (uint32_t i = 0; i < request->zone_count; ++i) {
        const vn_box* box = &request->zones[i].box;
        const vni_zone zone = {{((double)box->min.x - low.x) / size, ((double)box->min.y - low.y) / size,
                                ((double)box->min.z - low.z) / size},
                               {((double)box->max.x - low.x) / size, ((double)box->max.y - low.y) / size,
                                ((double)box->max.z - low.z) / size},
                               (double)request->zones[i].factor};
        query->zone_items[i] = zone;
    }
    query->zone_set = vni_zones_make(query->zone_items, request->zone_count);
    query->zones = request->zone_count ? &query->zone_set : NULL;
}

static vn_status check_request(const vn_query* query, const vn_path_request* r, vn_detail* detail) {
    if (r->cookie != REQUEST_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_path_request, then change what you mean");
    if (!vn_algo_name(r->algo))
        return vni_fail(detail, VN_UNSUPPORTED, "there is no algorithm number %d", (int)r->algo);
    if (!vn_heuristic_name(r->heuristic))
        return vni_fail(detail, VN_UNSUPPORTED, "there is no heuristic number %d", (int)r->heuristic);
    if (!vn_quality_name(r->quality))
        return vni_fail(detail, VN_UNSUPPORTED, "there is no quality number %d", (int)r->quality);
    if (!vn_refine_name(r->refine))
        return vni_fail(detail, VN_UNSUPPORTED, "there is no refinement number %d", (int)r->refine);
    if (r->neighbours != 6 && r->neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "a grid has 6 or 26 neighbours, not %u", r->neighbours);
    if (r->weight != 0 && (!(r->weight >= 1) || !vni_is_finite(r->weight)))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the weight is %g; it must be at least 1", r->weight);
    if (!(r->snap_distance >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the snap distance is %g; it must not be negative",
                        r->snap_distance);
    vn_status status = check_zones(r, detail);
    return status == VN_OK ? check_support(query, r, detail) : status;
}

/// Finds the voxel where an end of the path lies, moving the end to the nearest free point if the request
/// allows it. VN_OUTSIDE, or `blocked` with the nearest free point in the result.
static vn_status place_end(vn_query* query, vn_point* point, vn_voxel* voxel, vn_status blocked) {
    const vn_space* space = query->space;
    vn_path_result* result = &query->result;
    if (vni_space_free_voxel_at(space, *point, voxel))
        return VN_OK;
    vn_dvec3 position = vn_space_position(space, *point);
    vn_point nearest, inside;
    double distance;
    if (vn_space_nearest_free(space, position, HUGE_VAL, &nearest, &distance) == VN_OK) {
        if (distance <= query->request.snap_distance) {
            *point = nearest;
            bool is_free = vni_space_free_voxel_at(space, nearest, voxel);
            VNI_ASSERT(is_free);
            return is_free ? VN_OK : blocked;
        }
        result->has_nearest = true;
        result->nearest = nearest;
        result->nearest_distance = distance;
    }
    return vn_space_point(space, position, &inside) == VN_OK ? blocked : VN_OUTSIDE;
}

vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail) {
    VNI_ASSERT(query && request);
    if (query->phase != VNI_PHASE_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_query_finish first");
    vn_status status = check_request(query, request, detail);
    if (status != VN_OK)
        return status;
    query->request = *request;
    take_zones(query, request);
    query->point_count = 0;
    query->has_search = false;
    memset(&query->result, 0, sizeof query->result);
    query->result.start = request->start;
    query->result.goal = request->goal;
    status = place_end(query, &query->result.start, &query->start_voxel, VN_START_BLOCKED);
    if (status == VN_OK)
        status = place_end(query, &query->result.goal, &query->goal_voxel, VN_GOAL_BLOCKED);
    if (status == VN_OK) {
        status =
            request->algo == VN_ALGO_CELLS ? vni_cells_engine_begin(query) : vni_grid_engine_begin(query);
        query->has_search = status == VN_OK;
    }
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

static void measure(vn_query* query) {
    vn_path_result* result = &query->result;
    result->point_count = query->point_count;
    result->turns = query->point_count > 2 ? query->point_count - 2 : 0;
    result->length = vni_polyline_length(query->points, query->point_count) / VN_LATTICE *
                     (double)query->space->resolution;
}

/// The last word. A path that is not free would be a fault of ours: debug builds stop there, others refuse to
/// hand it out.
static void judge(vn_query* query) {
#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
    bool wanted = true;
#else
    bool wanted = query->request.check;
#endif
    if (!wanted || query->point_count == 0)
        return;
    bool is_free = vn_check_path_space(query->space, query->points, query->point_count, NULL);
    VNI_ASSERT(is_free);
    query->result.checked = is_free && query->request.check;
    if (!is_free) {
        query->point_count = 0;
        query->result.status = query->result.reason = VN_BAD_DATA;
    }
}

vn_status vn_query_finish(vn_query* query, vn_path_result* result) {
    VNI_ASSERT(query && result);
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
    judge(query);
    measure(query);
    *result = query->result;
    return result->status;
}

vn_status vn_find_path(vn_query* query, const vn_path_request* request, vn_path_result* result,
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

const vn_point* vn_query_points(const vn_query* query, uint32_t* count) {
    *count = query->point_count;
    return query->points;
}

void vn_query_visit_expanded(const vn_query* query, vn_visit_box* visit, void* user) {
    if (!query->has_search)
        return;
    if (query->request.algo == VN_ALGO_CELLS)
        vni_cells_engine_visit(query, visit, user);
    else
        vni_grid_engine_visit(query, visit, user);
}
