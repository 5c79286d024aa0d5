/// classic/classic_many.c: one source, many targets.
#include "base/fail.h"
#include "classic/parts.h"

#include <string.h>

/// A run over many targets.
typedef struct run {
    vn_classic_query* query;
    vn_classic_target* out; ///< the caller's
    uint32_t count;         ///< targets that could be placed
} run;

static bool has_many(vn_algo algo) {
    return vni_is_theta(algo) || (vni_is_best_first(algo) && algo != VN_ALGO_ASTAR_LIST);
}

/// Targets that can be placed are put together; the others get their answer.
static void place_targets(run* r, const vn_point* targets, uint32_t count) {
    vn_classic_query* query = r->query;
    VNI_ASSERT(count <= query->max_targets);
    r->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        memset(&r->out[i], 0, sizeof r->out[i]);
        vni_place* place = &query->places[r->count];
        vn_status status = vni_classic_place(query->classic, targets[i], query->request.snap_distance, place);
        r->out[i].status = status == VN_START_BLOCKED ? VN_GOAL_BLOCKED : status;
        if (status == VN_OK)
            query->indices[r->count++] = i;
    }
}

static void aim(void* user, uint32_t target) {
    vn_classic_query* query = ((run*)user)->query;
    VNI_ASSERT(target < ((run*)user)->count);
    vni_view_aim(&query->view, query->places[target].point, query->places[target].voxel);
}

/// Targets as the search wants them: of the grid's centres they are nodes, else the goal is moved.
static void name_targets(run* r) {
    vn_classic_query* query = r->query;
    bool is_grid = query->graph.capabilities & VNI_IS_GRID;
    for (uint32_t i = 0; i < r->count; ++i) {
        const vni_place* place = &query->places[i];
        vni_many_target* target = &query->targets[i];
        memset(target, 0, sizeof *target);
        target->node = is_grid ? vni_grid_node(query->view.grid, place->voxel) : vni_view_goal(&query->view);
        target->point = is_grid ? vn_voxel_center(place->voxel) : place->point;
    }
}

static vn_status begin(run* r, bool exact) {
    vn_classic_query* query = r->query;
    vn_algo algo = query->request.algo;
    bool is_grid = query->graph.capabilities & VNI_IS_GRID;
    vni_many_def def = {.algo = algo == VN_ALGO_THETA        ? VNI_MANY_THETA
                                : algo == VN_ALGO_LAZY_THETA ? VNI_MANY_LAZY_THETA
                                                             : VNI_MANY_BEST_FIRST,
                        .exact = exact,
                        .budget = query->request.budget,
                        .aim = is_grid ? NULL : aim,
                        .user = r};
    vni_classic_weights(&query->request, &def.g_weight, &def.h_weight);
    query->result.path.weight = def.h_weight;
    name_targets(r);
    return vni_many_begin(&query->search.many, &def, &query->graph, &query->cost, &query->scratch,
                          vni_view_start(&query->view), query->targets, r->count);
}

/// The path to a target that has just been reached, behind those that are there.
static vn_status lay(run* r, uint32_t target) {
    vn_classic_query* query = r->query;
    vn_classic_target* out = &r->out[query->indices[target]];
    vn_point* points = query->points + query->point_count;
    vni_view_aim(&query->view, query->places[target].point, query->places[target].voxel);
    uint32_t count = vni_classic_lay(query, points, query->max_points - query->point_count, true);
    if (count == 0)
        return VN_CAPACITY;
    if (!vni_classic_judge(query, points, count))
        return VN_BAD_DATA;
    out->first_point = query->point_count;
    out->point_count = count;
    out->length = vni_classic_length(query, points, count);
    out->cost = vni_classic_cost(query);
    out->optimal = query->targets[target].optimal;
    query->point_count += count;
    query->result.path.length += out->length;
    query->result.search_cost += out->cost;
    return VN_OK;
}

static void search_all(run* r) {
    vn_classic_query* query = r->query;
    vni_many* many = &query->search.many;
    for (vn_status status = VN_RUNNING; status == VN_RUNNING && r->count > 0;) {
        uint32_t target;
        status = vni_many_step(many, UINT64_MAX, &target);
        if (target == UINT32_MAX)
            continue;
        vn_status answer = query->targets[target].status;
        r->out[query->indices[target]].status = answer == VN_OK ? lay(r, target) : answer;
    }
    vn_classic_result* result = &query->result;
    result->path.expanded = result->closed = vni_many_expanded(many);
    result->path.touched = vni_many_touched(many);
    result->sight_checks += vni_many_sight_checks(many);
}

/// Everything after the request has been found right.
static vn_status find(run* r, const vn_point* targets, uint32_t count, bool exact) {
    vn_classic_query* query = r->query;
    vn_path_result* path = &query->result.path;
    vni_place start;
    vn_status status =
        vni_classic_place(query->classic, query->request.start, query->request.snap_distance, &start);
    if (status != VN_OK) {
        path->end = VN_END_START;
        path->has_nearest = start.has_nearest;
        path->nearest = start.nearest;
        path->nearest_distance = start.nearest_distance;
        for (uint32_t i = 0; i < count; ++i)
            r->out[i] = (vn_classic_target){.status = status};
        return status;
    }
    path->start = start.point;
    place_targets(r, targets, count);
    vni_classic_view(query, &start, &start);
    status = begin(r, exact);
    if (status != VN_OK)
        return status;
    search_all(r);
    path->point_count = query->point_count;
    path->cost = path->length;
    for (uint32_t i = 0; i < count && status == VN_OK; ++i)
        status = r->out[i].status;
    return status;
}

vn_status vn_classic_find_many(vn_classic_query* query, const vn_classic_request* request,
                               const vn_point* targets, uint32_t count, bool exact, vn_classic_target* out,
                               vn_classic_result* total, vn_detail* detail) {
    VNI_ASSERT(query && request && (count == 0 || (targets && out)));
    vn_classic_request resolved;
    vn_status status = vni_classic_resolve(query->classic, request, &resolved, detail);
    if (status == VN_OK && !has_many(resolved.algo))
        status = vni_fail(detail, VN_UNSUPPORTED,
                          "%s has no search for many targets; there are dijkstra, greedy, astar, theta and "
                          "lazy-theta",
                          vn_algo_name(resolved.algo));
    if (status == VN_OK && count > query->max_targets)
        status = vni_fail(detail, VN_CAPACITY,
                          "%u targets are more than the query has room for (%u): make it "
                          "with more max_targets",
                          count, query->max_targets);
    if (status == VN_OK) {
        run r = {query, out, 0};
        vni_classic_forget(query, &resolved);
        status = find(&r, targets, count, exact);
        query->result.path.status = query->result.path.reason = status;
        if (total)
            *total = query->result;
        return status;
    }
    if (total) {
        memset(total, 0, sizeof *total);
        total->path.status = total->path.reason = status;
    }
    return status;
}
