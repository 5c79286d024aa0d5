/// query/query.c: from a request to a path: ends, search, polyline.
#include "volnav/query.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "search/best_first.h"
#include "space/grid.h"
#include "space/space.h"

#include <math.h>
#include <string.h>

#define QUERY_COOKIE   0x71b40001u
#define REQUEST_COOKIE 0x71b40002u

#define DEFAULT_MAX_NODES  (1u << 24)
#define DEFAULT_MAX_POINTS 65536u

typedef enum query_phase {
    PHASE_IDLE,   ///< nothing asked yet, or the result has been fetched
    PHASE_SEARCH, ///< the search runs
    PHASE_ENDED   ///< its status is known, the result has not been fetched
} query_phase;

struct vn_query {
    vn_allocator allocator;
    const vn_space* space;
    vni_grid grid6, grid26;
    vni_scratch scratch;
    vn_point* points;
    uint32_t max_points, point_count;

    query_phase phase;
    bool has_search; ///< the search of the last request touched the scratch: its footprint can be visited
    vn_path_request request;
    vn_path_result result;
    vn_voxel start_voxel, goal_voxel;
    vni_graph graph;
    vni_cost cost;
    vni_best_first search;
};

// ------------------------------------------------------------------------------------------------ names

static const char* const algo_names[VN_ALGO_COUNT] = {"astar", "dijkstra", "greedy", "astar-list"};
static const char* const heuristic_names[VN_HEURISTIC_COUNT] = {"default", "octile", "euclidean", "manhattan",
                                                                "r16"};

static bool find_name(const char* name, const char* const* names, int count, int* out) {
    for (int i = 0; i < count; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = i;
            return true;
        }
    return false;
}

const char* vn_algo_name(vn_algo algo) {
    return (unsigned)algo < VN_ALGO_COUNT ? algo_names[algo] : NULL;
}

bool vn_algo_from_name(const char* name, vn_algo* out) {
    int index;
    if (!find_name(name, algo_names, VN_ALGO_COUNT, &index))
        return false;
    *out = (vn_algo)index;
    return true;
}

const char* vn_heuristic_name(vn_heuristic heuristic) {
    return (unsigned)heuristic < VN_HEURISTIC_COUNT ? heuristic_names[heuristic] : NULL;
}

bool vn_heuristic_from_name(const char* name, vn_heuristic* out) {
    int index;
    if (!find_name(name, heuristic_names, VN_HEURISTIC_COUNT, &index))
        return false;
    *out = (vn_heuristic)index;
    return true;
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
    request.weight = 1;
    request.cookie = REQUEST_COOKIE;
    return request;
}

vn_status vn_query_create(const vn_space* space, const vn_query_def* def, vn_query** out, vn_detail* detail) {
    *out = NULL;
    if (def->cookie != QUERY_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the query's def with vn_default_query_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    vn_query* query = VNI_NEW(&def->allocator, vn_query);
    if (!query)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a query");
    query->allocator = def->allocator;
    query->space = space;
    query->max_points = def->max_points ? def->max_points : DEFAULT_MAX_POINTS;
    vn_status status = vni_grid_make(&space->occupancy, 6, &query->grid6, detail);
    if (status == VN_OK)
        status = vni_grid_make(&space->occupancy, 26, &query->grid26, detail);
    if (status == VN_OK) {
        uint32_t node_limit = vni_grid_graph(&query->grid26).node_limit;
        uint32_t max_nodes = def->max_nodes ? def->max_nodes : DEFAULT_MAX_NODES;
        status = vni_scratch_make(&def->allocator, node_limit, max_nodes, &query->scratch);
        query->points = VNI_NEW_ARRAY(&def->allocator, vn_point, query->max_points);
        if (status != VN_OK || !query->points)
            status = vni_fail(detail, VN_OUT_OF_MEMORY,
                              "no memory for a search of %u nodes; set max_nodes lower", max_nodes);
    }
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
    vni_scratch_free(&query->scratch);
    VNI_DELETE_ARRAY(&allocator, query->points, query->max_points);
    VNI_DELETE(&allocator, query);
}

void vn_query_memory(const vn_query* query, vn_memory* out) {
    vni_scratch_memory(&query->scratch, out);
    out->parts[out->count].name = "points and query";
    out->parts[out->count].bytes = query->max_points * sizeof(vn_point) + sizeof *query;
    out->total += out->parts[out->count].bytes;
    ++out->count;
}

// ---------------------------------------------------------------------------------------------- beginning

static vn_status check_request(const vn_path_request* r, vn_detail* detail) {
    if (r->cookie != REQUEST_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_path_request, then change what you mean");
    if ((unsigned)r->algo >= VN_ALGO_COUNT)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no algorithm number %d", (int)r->algo);
    if ((unsigned)r->heuristic >= VN_HEURISTIC_COUNT)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no heuristic number %d", (int)r->heuristic);
    if (r->neighbours != 6 && r->neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "a grid has 6 or 26 neighbours, not %u", r->neighbours);
    if (!(r->weight >= 1) || !vni_is_finite(r->weight))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the weight is %g; it must be at least 1", r->weight);
    if (!(r->snap_distance >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the snap distance is %g; it must not be negative",
                        r->snap_distance);
    return VN_OK;
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

static vni_cost cost_of(const vn_path_request* request) {
    static const vni_metric metrics[VN_HEURISTIC_COUNT] = {
        VNI_METRIC_OCTILE, VNI_METRIC_OCTILE, VNI_METRIC_EUCLIDEAN, VNI_METRIC_MANHATTAN, VNI_METRIC_R16};
    vni_metric metric = metrics[request->heuristic];
    if (request->heuristic == VN_HEURISTIC_DEFAULT && request->neighbours == 6)
        metric = VNI_METRIC_MANHATTAN;
    return vni_cost_length(metric, request->neighbours);
}

static vn_status begin_search(vn_query* query) {
    const vn_path_request* request = &query->request;
    vni_best_first_def def = {1, request->weight, request->algo == VN_ALGO_ASTAR_LIST, request->allow_partial,
                              request->budget};
    if (request->algo == VN_ALGO_DIJKSTRA)
        def.h_weight = 0;
    if (request->algo == VN_ALGO_GREEDY) {
        def.g_weight = 0;
        def.h_weight = 1;
    }
    const vni_grid* grid = request->neighbours == 6 ? &query->grid6 : &query->grid26;
    query->graph = vni_grid_graph(grid);
    query->cost = cost_of(request);
    return vni_best_first_begin(&query->search, &def, &query->graph, &query->cost, &query->scratch,
                                vni_grid_node(grid, query->start_voxel),
                                vni_grid_node(grid, query->goal_voxel));
}

vn_status vn_query_begin(vn_query* query, const vn_path_request* request, vn_detail* detail) {
    if (query->phase != PHASE_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_query_finish first");
    vn_status status = check_request(request, detail);
    if (status != VN_OK)
        return status;
    query->request = *request;
    query->point_count = 0;
    query->has_search = false;
    memset(&query->result, 0, sizeof query->result);
    query->result.start = request->start;
    query->result.goal = request->goal;
    status = place_end(query, &query->result.start, &query->start_voxel, VN_START_BLOCKED);
    if (status == VN_OK)
        status = place_end(query, &query->result.goal, &query->goal_voxel, VN_GOAL_BLOCKED);
    if (status == VN_OK) {
        status = begin_search(query);
        query->has_search = status == VN_OK;
    }
    query->result.status = status == VN_OK ? VN_RUNNING : status;
    query->phase = status == VN_OK ? PHASE_SEARCH : PHASE_ENDED;
    return VN_OK;
}

vn_status vn_query_step(vn_query* query, uint64_t max_expansions) {
    if (query->phase == PHASE_IDLE)
        return VN_BAD_ORDER;
    if (query->phase == PHASE_SEARCH) {
        query->result.status = vni_best_first_step(&query->search, max_expansions);
        if (query->result.status != VN_RUNNING)
            query->phase = PHASE_ENDED;
    }
    return query->result.status;
}

// ---------------------------------------------------------------------------------------------- finishing

/// Metres between two lattice points.
static double distance(const vn_query* query, vn_point a, vn_point b) {
    return query->cost.segment(query->cost.self, a, b) * (double)query->space->resolution;
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Is b on the way from a to c, all three in line and in order?
static bool is_between(vn_point a, vn_point b, vn_point c) {
    int64_t ux = (int64_t)b.x - a.x, uy = (int64_t)b.y - a.y, uz = (int64_t)b.z - a.z;
    int64_t vx = (int64_t)c.x - b.x, vy = (int64_t)c.y - b.y, vz = (int64_t)c.z - b.z;
    return uy * vz == uz * vy && uz * vx == ux * vz && ux * vy == uy * vx && ux * vx + uy * vy + uz * vz >= 0;
}

/// Adds a point in front; points are written from the end of the array backwards. Points in line are joined.
static bool prepend(vn_query* query, vn_point point) {
    vn_point* first = query->points + (query->max_points - query->point_count);
    if (query->point_count >= 1 && is_same(point, *first))
        return true;
    if (query->point_count >= 2 && is_between(point, first[0], first[1])) {
        first[0] = point;
        return true;
    }
    if (query->point_count == query->max_points)
        return false;
    first[-1] = point;
    ++query->point_count;
    return true;
}

/// Follows the parents from `node` to the start. Centres come between the ends unless both ends share a
/// voxel.
static bool build_points(vn_query* query, uint32_t node, vn_point last) {
    const vni_grid* grid = query->graph.grid;
    bool fits = prepend(query, last);
    if (node != query->search.start)
        for (uint32_t at = node; fits && at != VNI_NO_NODE; at = vni_best_first_parent(&query->search, at))
            fits = prepend(query, vn_voxel_center(vni_grid_voxel(grid, at)));
    fits = fits && prepend(query, query->result.start);
    memmove(query->points, query->points + (query->max_points - query->point_count),
            query->point_count * sizeof(vn_point));
    return fits;
}

static void measure(vn_query* query, uint32_t node) {
    vn_path_result* result = &query->result;
    const vn_point* points = query->points;
    result->point_count = query->point_count;
    for (uint32_t i = 1; i < query->point_count; ++i)
        result->length += distance(query, points[i - 1], points[i]);
    result->cost = result->length;
    if (node !=
        query->search.start) { // the grid's own sum, and the ways from the ends to their voxels' centres
        result->cost = vni_best_first_g(&query->search, node) * (double)query->space->resolution;
        result->cost += distance(query, result->start, vn_voxel_center(query->start_voxel));
        if (node == query->search.goal)
            result->cost += distance(query, vn_voxel_center(query->goal_voxel), result->goal);
    }
}

static double proven_bound(const vn_query* query) {
    if (query->request.algo == VN_ALGO_DIJKSTRA)
        return 1;
    if (query->request.algo == VN_ALGO_GREEDY || !query->cost.admissible)
        return 0;
    return query->request.weight;
}

/// Turns the search's end into a path: to the goal, or as near to it as the request allows.
static void extract(vn_query* query) {
    vn_path_result* result = &query->result;
    bool reached = result->status == VN_OK;
    uint32_t node = reached ? query->search.goal : query->search.nearest;
    vn_point last = reached ? result->goal : result->start;
    if (!reached && node != query->search.start)
        last = vn_voxel_center(vni_grid_voxel(query->graph.grid, node));
    if (!build_points(query, node, last)) {
        query->point_count = 0;
        result->status = result->reason = VN_CAPACITY;
        return;
    }
    measure(query, node);
    result->bound = reached ? proven_bound(query) : 0;
    result->status = reached ? VN_OK : VN_PARTIAL;
}

vn_status vn_query_finish(vn_query* query, vn_path_result* result) {
    if (query->phase == PHASE_IDLE)
        return VN_BAD_ORDER;
    if (query->phase == PHASE_SEARCH)
        query->result.status = VN_CANCELLED;
    query->phase = PHASE_IDLE;
    query->result.reason = query->result.status;
    if (query->has_search) {
        query->result.expanded = query->search.expanded;
        query->result.touched = query->search.touched;
        if (query->result.status == VN_OK || query->request.allow_partial)
            extract(query);
    }
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

void vn_query_visit_expanded(const vn_query* query, vn_visit_voxel* visit, void* user) {
    if (!query->has_search)
        return;
    for (uint32_t page = 0; page < query->scratch.pages_used; ++page)
        for (uint32_t i = 0; i < 64; ++i) {
            uint32_t node = query->scratch.owners[page] << 6 | i;
            if (query->scratch.nodes[page << 6 | i].position == VNI_NODE_CLOSED &&
                !visit(user, vni_grid_voxel(query->graph.grid, node)))
                return;
        }
}
