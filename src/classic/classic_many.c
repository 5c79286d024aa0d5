/// classic/classic_many.c: one source, many targets.
#include "base/fail.h"
#include "classic/classic_inside.h"

#include <string.h>

/// A run over many targets. They are searched for in groups, each from one voxel that the start touches:
/// nearly always there is one group.
typedef struct run {
    vn_classic_query* query;
    vn_classic_sharing sharing;
    vn_classic_target* out; ///< the caller's
    vni_endpoint start;
    uint32_t count;      ///< targets that could be placed
    uint32_t first, end; ///< of them, those of the group
} run;

static bool has_many(vn_classic_algo algo) {
    return vni_is_theta(algo) || (vni_is_best_first(algo) && algo != VN_CLASSIC_ASTAR_LIST);
}

/// Targets that can be placed are put together; the others get their status.
static void place_targets(run* r, const vn_point* targets, uint32_t count) {
    vn_classic_query* query = r->query;
    VNI_ASSERT(count <= query->max_targets);

    for (uint32_t i = 0; i < count; ++i) {
        memset(&r->out[i], 0, sizeof r->out[i]);
        vni_endpoint* place = &query->places[r->count];
        vn_status status = vni_classic_place(query->classic, targets[i], query->request.snap_distance, place);
        r->out[i].status = status == VN_BLOCKED ? VN_GOAL_BLOCKED : status;
        if (status != VN_OK)
            continue;

        query->indices[r->count++] = i;
    }
}

/// Keeps the targets that have no path yet and a pair of sides with this number, each with the voxel that a
/// search of its own would begin in. False if there is none.
static bool choose_sides(run* r, uint32_t number) {
    vn_classic_query* query = r->query;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        vni_endpoint start = r->start, goal = query->places[i];
        uint32_t index = query->indices[i];
        if ((number > 0 && r->out[index].status != VN_NO_PATH) ||
            !vni_classic_pair(query->classic, number, &start, &goal))
            continue;

        query->starts[kept] = start.voxel;
        query->places[kept] = goal;
        query->indices[kept++] = index;
    }

    r->count = kept;
    r->first = 0;
    return kept > 0;
}

static void swap_targets(vn_classic_query* query, uint32_t i, uint32_t k) {
    const vni_endpoint place = query->places[i];
    const vn_voxel start = query->starts[i];
    const uint32_t index = query->indices[i];
    query->places[i] = query->places[k];
    query->starts[i] = query->starts[k];
    query->indices[i] = query->indices[k];
    query->places[k] = place;
    query->starts[k] = start;
    query->indices[k] = index;
}

/// Moves those that begin where the first of the rest does to the front of the rest.
static void gather_group(run* r) {
    vn_classic_query* query = r->query;
    const vn_voxel at = query->starts[r->first];
    r->end = r->first + 1;
    for (uint32_t i = r->end; i < r->count; ++i) {
        const vn_voxel v = query->starts[i];
        if (v.x == at.x && v.y == at.y && v.z == at.z)
            swap_targets(query, i, r->end++);
    }
}

static void aim_at(vn_classic_query* query, const vni_endpoint* place) {
    vni_view_aim(&query->view, place->point, place->voxel);
}

static void aim(void* user, uint32_t target) {
    const run* r = (const run*)user;
    VNI_ASSERT(target < r->end - r->first);
    aim_at(r->query, &r->query->places[r->first + target]);
}

/// Targets as the search wants them: of the grid's centres they are nodes, else the goal is moved.
static void name_targets(run* r) {
    vn_classic_query* query = r->query;
    bool is_grid = query->graph.capabilities & VN_GRAPH_IS_GRID;
    for (uint32_t i = r->first; i < r->end; ++i) {
        const vni_endpoint* place = &query->places[i];
        vni_many_target* target = &query->targets[i];
        memset(target, 0, sizeof *target);
        target->node = is_grid ? vni_grid_node(query->view.grid, place->voxel) : vni_view_goal(&query->view);
        target->point = is_grid ? vn_voxel_center(place->voxel) : place->point;
    }
}

static vn_status begin(run* r) {
    vn_classic_query* query = r->query;
    const vn_classic_request* request = &query->request;
    const uint64_t spent = query->result.path.expanded;
    bool is_grid = query->graph.capabilities & VN_GRAPH_IS_GRID;
    if (request->budget && spent >= request->budget)
        return VN_BUDGET_SPENT;

    vni_many_def def = {.algo = request->algo == VN_CLASSIC_THETA        ? VNI_MANY_THETA
                                : request->algo == VN_CLASSIC_LAZY_THETA ? VNI_MANY_LAZY_THETA
                                                                         : VNI_MANY_BEST_FIRST,
                        .every_sight = request->every_sight && request->algo == VN_CLASSIC_THETA,
                        .sharing = r->sharing,
                        .budget = request->budget ? request->budget - spent : 0,
                        .aim = is_grid ? NULL : aim,
                        .user = r};
    vni_classic_weights(request, &def.g_weight, &def.h_weight);
    query->result.path.weight = def.h_weight;
    name_targets(r);

    vn_status status =
        vni_many_begin(&query->search.many, &def, &query->graph, &query->cost, &query->scratch,
                       vni_view_start(&query->view), query->targets + r->first, r->end - r->first);
    query->search.many.observer = query->observer;
    return status;
}

/// The path to a target that has just been reached, behind those that are there.
static vn_status lay(run* r, uint32_t target) {
    vn_classic_query* query = r->query;
    vn_classic_target* out = &r->out[query->indices[target]];
    vn_point* points = query->points + query->point_count;
    aim_at(query, &query->places[target]);
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

/// Searches for all targets of the group.
static void search_group(run* r) {
    vn_classic_query* query = r->query;
    vn_classic_result* result = &query->result;
    vni_many* many = &query->search.many;
    r->start.voxel = query->starts[r->first];
    vni_classic_view(query, &r->start, &query->places[r->first]);

    vn_status status = begin(r);
    if (status != VN_OK) {
        for (uint32_t i = r->first; i < r->end; ++i)
            r->out[query->indices[i]].status = status;
        return;
    }

    do {
        uint32_t target;
        status = vni_many_step(many, UINT64_MAX, &target);
        VNI_ASSERT(target < r->end - r->first);
        target += r->first;
        vn_status found = query->targets[target].status;
        r->out[query->indices[target]].status = found == VN_OK ? lay(r, target) : found;
    } while (status == VN_RUNNING);

    result->closed = result->path.expanded += vni_many_expanded(many);
    result->path.touched += vni_many_touched(many);
    result->sight_checks += vni_many_sight_checks(many);
}

/// Everything after the request has been found right.
static vn_status find(run* r, const vn_point* targets, uint32_t count) {
    vn_classic_query* query = r->query;
    vn_path_result* path = &query->result.path;
    vn_status status =
        vni_classic_place(query->classic, query->request.start, query->request.snap_distance, &r->start);
    if (status != VN_OK) {
        status = status == VN_BLOCKED ? VN_START_BLOCKED : status;
        path->end = VN_END_START;
        path->has_nearest = r->start.has_nearest;
        path->nearest = r->start.nearest;
        path->nearest_distance = r->start.nearest_distance;
        for (uint32_t i = 0; i < count; ++i)
            r->out[i] = (vn_classic_target){.status = status};

        return status;
    }

    path->start = r->start.point;
    place_targets(r, targets, count);
    for (uint32_t number = 0; choose_sides(r, number); ++number)
        for (; r->first < r->count; r->first = r->end) {
            gather_group(r);
            search_group(r);
        }

    path->point_count = query->point_count;
    path->cost = query->has_zones ? query->result.search_cost : path->length;
    for (uint32_t i = 0; i < count && status == VN_OK; ++i)
        status = r->out[i].status;

    return status;
}

static vn_status check(const vn_classic_query* query, const vn_classic_request* resolved, uint32_t count,
                       vn_classic_sharing sharing, vn_detail* detail) {
    if (!has_many(resolved->algo))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s has no search for many targets; there are dijkstra, greedy, astar, theta and "
                        "lazy-theta",
                        vn_classic_algo_name(resolved->algo));

    if ((unsigned)sharing >= VN_SHARING_COUNT)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no kind of sharing number %d", (int)sharing);
    if (count > query->max_targets)
        return vni_fail(detail, VN_CAPACITY,
                        "%u targets exceed the query's capacity of %u: make it "
                        "with more max_targets",
                        count, query->max_targets);

    return VN_OK;
}

vn_status vn_classic_query_find_many(vn_classic_query* query, const vn_classic_request* request,
                                     const vn_point* targets, uint32_t count, vn_classic_sharing sharing,
                                     vn_classic_target* out, vn_classic_result* total, vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL && (count == 0 || (targets != NULL && out != NULL)));

    vn_classic_request resolved;
    if (query->phase != VNI_CLASSIC_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_classic_query_finish first");

    vni_classic_forget(query);
    vn_status status = vni_classic_resolve(query->classic, request, &resolved, detail);
    if (status == VN_OK)
        status = check(query, &resolved, count, sharing, detail);
    if (status == VN_OK) {
        run r = {.query = query, .sharing = sharing, .out = out};
        vni_classic_take(query, &resolved);
        status = find(&r, targets, count);
        query->result.path.status = query->result.path.reason = status;
        if (total != NULL)
            *total = query->result;

        return status;
    }

    if (total != NULL) {
        memset(total, 0, sizeof *total);
        total->path.status = total->path.reason = status;
    }

    return status;
}
