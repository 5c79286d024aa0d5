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
    VNI_DELETE_ARRAY(&allocator, query->targets, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->places, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->starts, query->max_targets);
    VNI_DELETE_ARRAY(&allocator, query->indices, query->max_targets);
    unpin(query);
    VNI_DELETE(&allocator, query);
}

void vn_classic_query_get_memory(const vn_classic_query* query, vn_memory* out) {
    vni_scratch_memory(&query->scratch, out);
    size_t point =
        sizeof *query->points + sizeof *query->nodes + sizeof *query->portals + sizeof *query->crossings;
    size_t target =
        sizeof *query->targets + sizeof *query->places + sizeof *query->starts + sizeof *query->indices;
    vni_memory_add(out, "points and corridor", query->max_points * point);
    vni_memory_add(out, "targets and query", query->max_targets * target + sizeof *query);
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

/// What a search takes.
typedef struct counts {
    uint64_t expanded, touched, closed, scanned, sight_checks;
} counts;

/// Takes the counts out of the result.
static counts take_counts(vn_classic_result* result) {
    const counts c = {result->path.expanded, result->path.touched, result->closed, result->scanned,
                      result->sight_checks};
    result->path.expanded = result->path.touched = result->closed = result->scanned = 0;
    result->sight_checks = 0;
    return c;
}

static void add_counts(vn_classic_result* result, const counts* c) {
    result->path.expanded += c->expanded;
    result->path.touched += c->touched;
    result->closed += c->closed;
    result->scanned += c->scanned;
    result->sight_checks += c->sight_checks;
}

/// One search for each pair of sides that the ends have, until a path is found.
static vn_status search_sides(vn_classic_query* query, vni_endpoint* start, vni_endpoint* goal) {
    const uint64_t budget = query->request.budget;
    vn_status status = VN_NO_PATH;
    for (uint32_t i = 0; status == VN_NO_PATH && vni_classic_pair(query->classic, i, start, goal); ++i) {
        const counts before = take_counts(&query->result);
        query->request.budget = budget ? budget - before.expanded : 0;
        vni_classic_view(query, start, goal);
        if (budget && before.expanded >= budget)
            status = query->result.path.reason = VN_BUDGET_SPENT;
        else
            status = vni_classic_search(query);

        add_counts(&query->result, &before);
    }

    query->request.budget = budget;
    return status;
}

static vn_status search(vn_classic_query* query, vn_detail* detail) {
    vn_path_result* path = &query->result.path;
    vni_endpoint start, goal;
    vn_status status = place(query, VN_END_START, query->request.start, &start);
    if (status == VN_OK)
        status = place(query, VN_END_GOAL, query->request.goal, &goal);

    if (status != VN_OK)
        return path->reason = status;
    path->start = start.point;
    path->goal = goal.point;

    status = search_sides(query, &start, &goal);
    if (status == VN_CAPACITY)
        vni_fail(detail, VN_CAPACITY,
                 "the search touches more than %u nodes: make the query with more max_nodes",
                 query->scratch.page_capacity << 6);

    return status;
}

/// From the end of a search to the points and what there is to say of them.
static vn_status finish(vn_classic_query* query, vn_detail* detail) {
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
    return VN_OK;
}

vn_status vn_classic_query_find_path(vn_classic_query* query, const vn_classic_request* request,
                                     vn_classic_result* result, vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL && result != NULL);

    memset(result, 0, sizeof *result);
    vni_classic_forget(query);
    vn_classic_request resolved;
    vn_status status = vni_classic_resolve(query->classic, request, &resolved, detail);
    result->path.status = result->path.reason = status;

    if (status != VN_OK)
        return status;
    vni_classic_take(query, &resolved);
    status = search(query, detail);
    if (status == VN_OK)
        status = finish(query, detail);

    query->result.path.status = status;
    *result = query->result;
    return status;
}

void vni_classic_forget(vn_classic_query* query) {
    unpin(query);
    vni_scratch_reset(&query->scratch);
    query->point_count = 0;
    memset(&query->result, 0, sizeof query->result);
}

void vni_classic_take(vn_classic_query* query, const vn_classic_request* resolved) {
    vn_path_result* path = &query->result.path;
    VNI_ASSERT(query->point_count == 0); // the last search has been forgotten
    query->request = *resolved;
    query->watcher = (vni_observer){resolved->observe, resolved->observe_user,
                                    vni_voxels_to_metres(query->classic->space, 1)};
    query->observer = resolved->observe != NULL ? &query->watcher : NULL;
    path->start = resolved->start;
    path->goal = resolved->goal;
    path->layer_radius = query->classic->space->radius;
    path->passing_radius = -1;
}

const vn_point* vn_classic_query_points(const vn_classic_query* query, uint32_t* count) {
    *count = query->point_count;
    return query->points;
}

void vn_classic_query_visit_expanded(const vn_classic_query* query, vn_visit_box* visit, void* user) {
    VNI_ASSERT(query != NULL && visit != NULL);

    const vni_scratch* scratch = &query->scratch;
    for (uint32_t slot = 0; slot < scratch->pages_used << 6; ++slot) {
        if (!vni_is_expanded(&scratch->nodes[slot]))
            continue;
        vni_box box = vni_view_box(&query->view, scratch->owners[slot >> 6] << 6 | (slot & 63));
        if (!visit(user, (vn_voxel){box.low[0], box.low[1], box.low[2]},
                   (vn_voxel){box.high[0], box.high[1], box.high[2]}, false))
            return;
    }
}
