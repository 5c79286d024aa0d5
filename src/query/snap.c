/// query/snap.c: ends that were moved to a free point: to one from which the other end can be reached, and
/// the leg that the path then lacks.
#include "probe/endpoint.h"
#include "query/query_inside.h"
#include "space/frame.h"

float vni_query_widest_other(const vn_query* query, vni_layer_holds* holds) {
    float widest = -1;
    for (uint32_t i = 0; query->layers != NULL && i < vn_layers_count(query->layers); ++i) {
        const vn_space* space = vn_layers_space(query->layers, i);
        bool fits =
            space->radius < query->space->radius && (space->open_flags & ~query->request.open_flags) == 0;
        if (fits && space->radius > widest && holds(query, space))
            widest = space->radius;
    }

    return widest;
}

// ------------------------------------------------------------------------------------------------- moving

/// Moves an end on to the nearest free point that is connected with the other end. False if there is none.
static bool move_to_join(vn_query* query, vn_point requested, vn_point other, vn_point* end,
                         vn_voxel* voxel) {
    vn_point joined;
    if (!vni_endpoint_nearest_joined(query->space, requested, query->request.snap_distance, other, &joined) ||
        !vni_is_in_limits(query, joined))
        return false;

    *end = joined;
    bool is_free = vni_space_free_voxel_at(query->space, joined, voxel);
    VNI_ASSERT(is_free);
    (void)is_free;
    return true;
}

/// The nearest free point may lie behind a wall. Connections could lead through it: then it stays.
static void join_ends(vn_query* query, bool start_moved, bool goal_moved) {
    vn_path_result* result = &query->result;
    const vn_path_request* request = &query->request;
    if (request->goal_kind != VN_GOAL_POINT || query->connection_count > 0 ||
        !vni_space_has_cells(query->space) || vn_space_reachable(query->space, result->start, result->goal))
        return;

    if (goal_moved && move_to_join(query, request->goal, result->start, &result->goal, &query->goal_voxel))
        return;
    if (start_moved)
        move_to_join(query, request->start, result->goal, &result->start, &query->start_voxel);
}

// --------------------------------------------------------------------------------------------------- legs

bool vni_start_is_free(const vn_query* query, const vn_space* space) {
    return vn_space_point_free(space, query->request.start);
}

bool vni_goal_is_free(const vn_query* query, const vn_space* space) {
    return vn_space_point_free(space, query->request.goal);
}

static bool is_start_leg_free(const vn_query* query, const vn_space* space) {
    return vn_space_visible(space, query->request.start, query->result.start);
}

static bool is_goal_leg_free(const vn_query* query, const vn_space* space) {
    return vn_space_visible(space, query->request.goal, query->result.goal);
}

/// Whether the leg is free, in the layers that the query has.
static void judge_leg(const vn_query* query, vni_layer_holds* end_is_free, vni_layer_holds* leg_is_free,
                      vn_snap_leg* leg) {
    leg->radius = vni_query_widest_other(query, leg_is_free);
    if (leg->radius >= 0)
        leg->state = VN_LEG_FREE;
    else
        leg->state = vni_query_widest_other(query, end_is_free) >= 0 ? VN_LEG_BLOCKED : VN_LEG_UNCHECKED;
    leg->radius = leg->state == VN_LEG_FREE ? leg->radius : 0;
}

static vn_snap_leg make_leg(const vn_query* query, vn_point from, vn_point to) {
    vn_snap_leg leg = {.from = vn_space_point_to_world(query->space, from),
                       .to = vn_space_point_to_world(query->space, to)};
    vni_vec way = vni_sub(vni_point_in_voxels(to), vni_point_in_voxels(from));
    leg.distance = vni_voxels_to_metres(query->space, vni_length(way));
    return leg;
}

void vni_query_settle_snapped(vn_query* query) {
    vn_path_result* result = &query->result;
    const vn_path_request* request = &query->request;
    bool start_moved = query->leg_count == 0 && !vni_is_same_point(result->start, request->start),
         goal_moved = !vni_is_same_point(result->goal, request->goal);
    if (!start_moved && !goal_moved)
        return;

    join_ends(query, start_moved, goal_moved);
    if (start_moved) {
        result->start_leg = make_leg(query, request->start, result->start);
        if (request->use_positions)
            result->start_leg.from = request->start_position;
        judge_leg(query, vni_start_is_free, is_start_leg_free, &result->start_leg);
    }

    if (goal_moved) {
        result->goal_leg = make_leg(query, result->goal, request->goal);
        if (request->use_positions)
            result->goal_leg.to = request->goal_position;
        judge_leg(query, vni_goal_is_free, is_goal_leg_free, &result->goal_leg);
    }
}
