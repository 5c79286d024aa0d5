/// classic/classic_query.c: the life of a query, and one path.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/classic_inside.h"
#include "space/frame.h"

#include <string.h>

#define QUERY_COOKIE 0x71b40062u

#define DEFAULT_MAX_NODES   (1u << 24)
#define DEFAULT_MAX_POINTS  65536u
#define DEFAULT_MAX_TARGETS 256u

vn_classic_query_def vn_default_classic_query_def(void) {
    vn_classic_query_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.cookie = QUERY_COOKIE;
    return def;
}

/// Ids of the largest graph that a request can name.
static uint32_t node_limit(const vn_classic* classic) {
    uint64_t limit = 0;
    if (classic->follows)
        return vni_classic_live_limit(classic);
    for (int kind = VNI_VIEW_CENTRES; kind <= VNI_VIEW_TRANSITIONS; ++kind) {
        uint64_t ids = classic->kind == VN_CLASSIC_GRID
                           ? vni_view_limit_of_voxels(&classic->grid26, (vni_view_kind)kind)
                           : vni_view_limit_of_boxes(&classic->boxes, (vni_view_kind)kind);
        if (ids <= UINT32_MAX && ids > limit)
            limit = ids;
    }

    VNI_ASSERT(limit > 0);

    return (uint32_t)limit;
}

static vn_status make_parts(vn_classic_query* query, uint32_t max_nodes, vn_detail* detail) {
    const vn_allocator* allocator = &query->allocator;
    query->points = VNI_NEW_ARRAY(allocator, vn_point, query->max_points);
    query->nodes = VNI_NEW_ARRAY(allocator, uint32_t, query->max_points);
    query->portals = VNI_NEW_ARRAY(allocator, vni_portal, query->max_points);

    query->crossings = (float(*)[3])vni_alloc(allocator, query->max_points, sizeof *query->crossings);
    if (query->points == NULL || query->nodes == NULL || query->portals == NULL || query->crossings == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points; set max_points lower",
                        query->max_points);

    query->zone_buffer = VNI_NEW_ARRAY(allocator, vni_zone_buffer, 1);
    if (query->zone_buffer == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the zones of a query");

    query->targets = VNI_NEW_ARRAY(allocator, vni_many_target, query->max_targets);
    query->places = VNI_NEW_ARRAY(allocator, vni_endpoint, query->max_targets);
    query->starts = VNI_NEW_ARRAY(allocator, vn_voxel, query->max_targets);
    query->indices = VNI_NEW_ARRAY(allocator, uint32_t, query->max_targets);
    if (query->targets == NULL || query->places == NULL || query->starts == NULL || query->indices == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u targets; set max_targets lower",
                        query->max_targets);

    vn_status status = vni_scratch_make(allocator, node_limit(query->classic), max_nodes, &query->scratch);
    if (status != VN_OK)
        return vni_fail(detail, status, "no memory for a search of %u nodes: set max_nodes lower", max_nodes);

    return VN_OK;
}

vn_status vn_classic_query_create(const vn_classic* classic, const vn_classic_query_def* def,
                                  vn_classic_query** out, vn_detail* detail) {
    VNI_ASSERT(classic != NULL && def != NULL && out != NULL);

    *out = NULL;
    if (def->cookie != QUERY_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the query's def with vn_default_classic_query_def, then change what you mean");

    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    vn_classic_query* query = VNI_NEW(&def->allocator, vn_classic_query);
    if (query == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a query");

    query->allocator = def->allocator;
    query->classic = classic;
    query->max_points = def->max_points ? def->max_points : DEFAULT_MAX_POINTS;
    query->max_targets = def->max_targets ? def->max_targets : DEFAULT_MAX_TARGETS;

    uint32_t max_nodes = def->max_nodes;
    if (max_nodes == 0)
        max_nodes = classic->follows ? vni_classic_live_nodes(classic) : DEFAULT_MAX_NODES;
    vn_status status = make_parts(query, max_nodes, detail);
    if (status != VN_OK) {
        vn_classic_query_destroy(query);
        return status;
    }

    *out = query;
    return VN_OK;
}

static void unpin(vn_classic_query* query) {
    if (query->pinned != NULL)
        vni_live_boxes_unpin(query->classic->follow.boxes, query->pinned);
    query->pinned = NULL;
}

void vn_classic_query_destroy(vn_classic_query* query) {
    if (query == NULL)
        return;
    vn_allocator allocator = query->allocator;
    vni_scratch_free(&query->scratch);
    VNI_DELETE_ARRAY(&allocator, query->points, query->max_points);
    VNI_DELETE_ARRAY(&allocator, query->nodes, query->max_points);
    VNI_DELETE_ARRAY(&allocator, query->portals, query->max_points);
    VNI_DELETE_ARRAY(&allocator, query->crossings, query->max_points);
    VNI_DELETE_ARRAY(&allocator, query->zone_buffer, 1);
    VNI_DELETE_ARRAY(&allocator, query->targets, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->places, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->starts, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->indices, query->max_targets);
    unpin(query);
    VNI_DELETE(&allocator, query);
}

void vn_classic_query_forget(vn_classic_query* query) {
    VNI_ASSERT(query != NULL);
    vni_classic_forget(query);
}

void vn_classic_query_get_memory(const vn_classic_query* query, vn_memory* out) {
    vni_scratch_memory(&query->scratch, out);
    size_t point =
        sizeof *query->points + sizeof *query->nodes + sizeof *query->portals + sizeof *query->crossings;
    size_t target =
        sizeof *query->targets + sizeof *query->places + sizeof *query->starts + sizeof *query->indices;
    vni_memory_add(out, "points and corridor", query->max_points * point);
    vni_memory_add(out, "targets and query",
                   query->max_targets * target + sizeof *query->zone_buffer + sizeof *query);
}

// -------------------------------------------------------------------------------------------------- one path

/// Places an end; what is wrong with it goes to the result.
static vn_status place(vn_classic_query* query, vn_path_end end, vn_point point, vni_endpoint* out) {
    vn_path_result* path = &query->result.path;
    vn_status status = vni_classic_place(query->classic, point, query->request.snap_distance, out);
    if (status == VN_OK)
        return VN_OK;

    path->end = end;
    path->has_nearest = out->has_nearest;
    path->nearest = out->nearest;
    path->nearest_distance = out->nearest_distance;
    if (status != VN_BLOCKED)
        return status;

    return end == VN_END_START ? VN_START_BLOCKED : VN_GOAL_BLOCKED;
}

/// Begins the search for the next pair of sides; VN_RUNNING, or why there is none.
static vn_status begin_pair(vn_classic_query* query) {
    const uint64_t budget = query->request.budget, spent = query->result.path.expanded;
    if (!vni_classic_pair(query->classic, query->pair, &query->start, &query->goal))
        return VN_NO_PATH;

    vni_classic_view(query, &query->start, &query->goal);
    if (budget && spent >= budget)
        return query->result.path.reason = VN_BUDGET_SPENT;

    query->budget = budget ? budget - spent : 0;
    vn_status status = vni_classic_search_begin(query);
    query->phase = status == VN_OK ? VNI_CLASSIC_SEARCH : VNI_CLASSIC_ENDED;
    return status == VN_OK ? VN_RUNNING : status;
}

static vn_status start_search(vn_classic_query* query) {
    vn_path_result* path = &query->result.path;
    vn_status status = place(query, VN_END_START, query->request.start, &query->start);
    if (status == VN_OK)
        status = place(query, VN_END_GOAL, query->request.goal, &query->goal);
    if (status != VN_OK)
        return status;

    path->start = query->start.point;
    path->goal = query->goal.point;
    query->pair = 0;
    return begin_pair(query);
}

vn_status vn_classic_query_begin(vn_classic_query* query, const vn_classic_request* request,
                                 vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL);

    if (query->phase != VNI_CLASSIC_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_classic_query_finish first");

    vni_classic_forget(query);
    vn_classic_request resolved;
    vn_status status = vni_classic_resolve(query->classic, request, &resolved, detail);
    if (status != VN_OK)
        return status;

    vni_classic_take(query, &resolved);
    query->phase = VNI_CLASSIC_ENDED;
    query->status = start_search(query);
    query->result.path.reason = query->status;
    return VN_OK;
}

vn_status vn_classic_query_step(vn_classic_query* query, uint64_t max_expansions) {
    VNI_ASSERT(query != NULL);

    if (query->phase == VNI_CLASSIC_IDLE)
        return VN_BAD_ORDER;
    while (query->phase == VNI_CLASSIC_SEARCH) {
        const uint64_t before = vni_classic_search_expanded(query);
        vn_status status = vni_classic_search_step(query, max_expansions);
        max_expansions -= vni_classic_search_expanded(query) - before;
        if (status == VN_RUNNING)
            return VN_RUNNING;

        // No path between these sides of the ends: perhaps between others.
        query->phase = VNI_CLASSIC_ENDED;
        query->status = vni_classic_search_end(query, status);
        if (query->status == VN_NO_PATH) {
            ++query->pair;
            query->status = begin_pair(query);
        }
    }

    return query->status;
}

vn_status vn_classic_query_cancel(vn_classic_query* query) {
    VNI_ASSERT(query != NULL);

    if (query->phase == VNI_CLASSIC_IDLE)
        return VN_BAD_ORDER;
    if (query->phase == VNI_CLASSIC_SEARCH)
        query->status = vni_classic_search_end(query, VN_CANCELLED);

    query->phase = VNI_CLASSIC_ENDED;
    return query->status;
}

/// From the end of a search to the points and what there is to say of them.
static vn_status lay_path(vn_classic_query* query, vn_detail* detail) {
    vn_path_result* path = &query->result.path;
    query->result.search_cost = vni_classic_cost(query);
    query->point_count = vni_classic_lay(query, query->points, query->max_points, true);
    if (query->point_count == 0)
        return path->reason = vni_fail(detail, VN_CAPACITY,
                                       "the path has more than %u points, or its corridor more portals: make "
                                       "the query with more max_points",
                                       query->max_points);

    if (!vni_classic_judge(query, query->points, query->point_count)) {
        query->point_count = 0;
        return path->reason = VN_BAD_DATA;
    }

    path->checked = query->request.check;
    path->point_count = query->point_count;
    path->turns = query->point_count > 2 ? query->point_count - 2 : 0;
    path->length = path->cost = vni_classic_length(query, query->points, query->point_count);
    if (query->has_zones)
        path->cost = query->result.search_cost;

    return VN_OK;
}

vn_status vn_classic_query_finish(vn_classic_query* query, vn_classic_result* result, vn_detail* detail) {
    VNI_ASSERT(query != NULL && result != NULL);

    memset(result, 0, sizeof *result);
    result->path.status = result->path.reason = VN_BAD_ORDER;
    if (query->phase == VNI_CLASSIC_IDLE)
        return VN_BAD_ORDER;

    vn_status status = vn_classic_query_cancel(query);
    query->phase = VNI_CLASSIC_IDLE;
    if (status == VN_CAPACITY)
        vni_fail(detail, VN_CAPACITY,
                 "the search touches more than %u nodes: make the query with more max_nodes",
                 query->scratch.page_capacity << 6);

    if (status == VN_OK)
        status = lay_path(query, detail);

    query->result.path.status = status;
    *result = query->result;
    return status;
}

vn_status vn_classic_query_find_path(vn_classic_query* query, const vn_classic_request* request,
                                     vn_classic_result* result, vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL && result != NULL);

    vn_status status = vn_classic_query_begin(query, request, detail);
    if (status != VN_OK) {
        memset(result, 0, sizeof *result);
        return result->path.status = result->path.reason = status;
    }

    vn_classic_query_step(query, UINT64_MAX);
    return vn_classic_query_finish(query, result, detail);
}

void vni_classic_forget(vn_classic_query* query) {
    unpin(query);
    vni_scratch_reset(&query->scratch);
    query->point_count = 0;
    memset(&query->result, 0, sizeof query->result);
}

/// The zones in voxels; what they add is a length too.
static void take_zones(vn_classic_query* query, const vn_classic_request* r) {
    vni_zone_buffer* buffer = query->zone_buffer;
    const vn_space* space = query->classic->space;
    const vni_frame grid = {space->low, (double)space->resolution};
    query->has_zones = false;
    if (r->zone_count == 0)
        return;

    vni_zone_buffer_clear(buffer);
    vni_zone_buffer_add(buffer, r->zones, r->zone_count, r->zone_flags, &grid);
    query->has_zones = buffer->box_count + buffer->ball_count + buffer->hull_count > 0;
    if (r->zone_mode != VN_ZONES_ADD)
        return;

    for (uint32_t i = 0; i < buffer->box_count; ++i)
        buffer->boxes[i].factor /= grid.size;
    for (uint32_t i = 0; i < buffer->ball_count; ++i)
        buffer->balls[i].factor /= grid.size;
    for (uint32_t i = 0; i < buffer->hull_count; ++i)
        buffer->hulls[i].factor /= grid.size;
}

void vni_classic_take(vn_classic_query* query, const vn_classic_request* resolved) {
    vn_path_result* path = &query->result.path;
    VNI_ASSERT(query->point_count == 0); // the last search has been forgotten
    query->request = *resolved;
    query->watcher = (vni_observer){resolved->observe, resolved->observe_user,
                                    vni_voxels_to_metres(query->classic->space, 1)};
    query->observer = resolved->observe != NULL ? &query->watcher : NULL;
    take_zones(query, resolved);
    path->start = resolved->start;
    path->goal = resolved->goal;
    path->layer_radius = query->classic->space->radius;
    path->passing_radius = -1;
}

const vn_point* vn_classic_query_points(const vn_classic_query* query, uint32_t* count) {
    *count = query->point_count;
    return query->points;
}

static void visit_nodes(const vn_classic_query* query, bool (*wanted)(const vni_node*), vn_visit_box* visit,
                        void* user) {
    const vni_scratch* scratch = &query->scratch;
    for (uint32_t slot = 0; slot < scratch->pages_used << 6; ++slot) {
        if (!wanted(&scratch->nodes[slot]))
            continue;
        vni_box box = vni_view_box(&query->view, scratch->owners[slot >> 6] << 6 | (slot & 63));
        if (!visit(user, (vn_voxel){box.low[0], box.low[1], box.low[2]},
                   (vn_voxel){box.high[0], box.high[1], box.high[2]}, false))
            return;
    }
}

static bool is_expanded(const vni_node* node) {
    return vni_is_expanded(node);
}

static bool is_open(const vni_node* node) {
    return node->position <= VNI_MAX_NODES;
}

void vn_classic_query_visit_expanded(const vn_classic_query* query, vn_visit_box* visit, void* user) {
    VNI_ASSERT(query != NULL && visit != NULL);
    visit_nodes(query, is_expanded, visit, user);
}

void vn_classic_query_visit_open(const vn_classic_query* query, vn_visit_box* visit, void* user) {
    VNI_ASSERT(query != NULL && visit != NULL);
    visit_nodes(query, is_open, visit, user);
}
