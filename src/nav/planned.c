/// nav/planned.c: requests that a planner of the host answers (volnav/planner.h) instead of cells. Everything
/// else about them is as in nav/requests.c; one worker at a time has the planner, as it has the request.
#include "base/fail.h"
#include "graph/cost.h"
#include "nav/planned_inside.h"
#include "space/frame.h"
#include "volnav/path.h"

#include <string.h>

static bool is_under_way(const vni_request* request) {
    return request->state == VNI_REQUEST_SUBMITTED || request->state == VNI_REQUEST_WAITING ||
           request->state == VNI_REQUEST_RUNNING;
}

/// Has another request the same planner, and no result yet?
static bool is_in_use(vn_nav* nav, const vn_planner* planner) {
    bool found = false;
    vni_nav_enter(nav);
    for (uint32_t i = 0; i < nav->fixed.def.max_requests && !found; ++i) {
        const vni_request* request = &nav->fixed.requests[i];
        found = is_under_way(request) && request->input.planner != NULL &&
                request->input.planner->self == planner->self;
    }
    vni_nav_leave(nav);
    return found;
}

vn_status vni_nav_check_planner(vn_nav* nav, const vn_nav_request* request, vn_detail* detail) {
    const vn_planner* p = request->planner;
    if (p == NULL)
        return VN_OK;
    if (p->begin == NULL || p->move == NULL || p->advance == NULL || p->step == NULL || p->path == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the planner lacks a function");

    const vn_path_request* path = &request->path;
    if (path->goal_kind != VN_GOAL_POINT || path->snap_distance != 0 || path->zone_count > 0 ||
        path->connection_count > 0 || path->has_limits || path->preferred_clearance != 0 ||
        path->jitter != 0 || path->inside_count > 0 || path->allow_partial || path->budget > 0 ||
        path->fuel.kind != VN_FUEL_NONE)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "a planner takes start, goal, radius and open_flags; leave the rest of the request as "
            "vn_default_nav_request makes it");
    if (is_in_use(nav, p))
        return vni_fail(detail, VN_BAD_ORDER,
                        "this planner has a request without a result: wait, or cancel it");
    return VN_OK;
}

vn_status vni_nav_plan_begin(vni_request* request) {
    const vn_planner* p = request->input.planner;
    vn_path_request* path = &request->input.path;
    if (path->use_positions) {
        path->start = vni_point_at(request->space, path->start_position);
        path->goal = vni_point_at(request->space, path->goal_position);
    }

    vn_status status = p->move(p->self, path->start, path->goal);
    if (status == VN_BAD_ORDER)
        return p->begin(p->self, request->version->number, path->start, path->goal, NULL);
    return status == VN_OK ? p->advance(p->self, request->version->number, NULL) : status;
}

static double length_of(const vni_request* request) {
    double voxels = 0;
    for (uint32_t i = 0; i + 1 < request->point_count; ++i)
        voxels += vni_distance(request->points.items[i], request->points.items[i + 1]);
    return voxels * (double)request->space->resolution;
}

/// Copies the points, if they fit.
static vn_status copy_points(vni_request* request, const vn_plan* plan) {
    if (plan->point_count > request->points.capacity) {
        request->result.needed_points = plan->point_count;
        return VN_CAPACITY;
    }
    if (plan->point_count > 0)
        memcpy(request->points.items, plan->points, plan->point_count * sizeof *plan->points);
    request->point_count = plan->point_count;
    return plan->status;
}

void vni_nav_plan_end(vni_request* request, bool is_cancelled) {
    const vn_planner* p = request->input.planner;
    vn_path_result* result = &request->result;
    vn_plan plan = {.status = VN_CANCELLED};
    if (!is_cancelled)
        (void)p->path(p->self, &plan);

    // A path of another version may lead through what is blocked in this one.
    const bool is_stale = plan.status == VN_OK && plan.version != request->version->number;
    result->status = is_stale ? VN_STALE : plan.status == VN_OK ? copy_points(request, &plan) : plan.status;
    if (result->status == VN_OK && request->input.path.check) {
        result->checked =
            vn_space_check_path(request->space, request->points.items, request->point_count, NULL);
        result->status = result->checked ? VN_OK : VN_BAD_DATA;
    }
    if (result->status != VN_OK)
        request->point_count = 0;

    result->reason = result->status;
    result->point_count = request->point_count;
    result->length = length_of(request);
    result->cost = plan.cost * (double)request->space->resolution;
    result->bound = plan.bound;
    result->expanded = plan.expanded;
    result->start = request->input.path.start;
    result->goal = request->input.path.goal;
    result->end = result->status == VN_GOAL_BLOCKED    ? VN_END_GOAL
                  : result->status == VN_START_BLOCKED ? VN_END_START
                                                       : VN_END_NONE;
    result->start_position = vn_space_point_to_world(request->space, result->start);
    result->goal_position = vn_space_point_to_world(request->space, result->goal);
    result->layer_radius = request->space->radius;
}
