/// classic/waypoint_plan.c: places waypoints off corners and along edges, and joins them.
#include "classic/waypoint_plan.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/corners.h"
#include "geom/shapes.h"

#include <string.h>

/// Edge e has the places [first[e], first[e + 1]) between its corners, in order from the lower corner.
typedef struct planner {
    const vni_corners* corners;
    vni_waypoint_plan* plan;
    uint32_t* first; ///< by edge, plus one
    uint64_t direct_capacity;
} planner;

/// Where the waypoint of a corner is if the obstacle is scaled only.
static vni_vec corner_place(const vni_waypoint_plan* plan, uint32_t corner) {
    return vni_add_scaled(vni_scale(plan->at[corner], (double)plan->scale), plan->out[corner], plan->offset);
}

static vni_vec place_in_frame(const vni_waypoint_plan* plan, uint32_t place) {
    const vni_waypoint_place* p = &plan->places[place];
    const vni_vec a = corner_place(plan, p->a), b = corner_place(plan, p->b);
    return vni_add_scaled(a, vni_sub(b, a), p->t);
}

void vni_waypoint_positions(const vni_waypoint_plan* plan, const vn_transform* transform, vni_vec* out) {
    vni_vec axis[3];
    vni_quat_axes(transform->rotation, axis);
    for (uint32_t i = 0; i < plan->count; ++i)
        out[i] = vni_add(vni_turned(axis, place_in_frame(plan, i)), vni_v_from(transform->position));
}

// --------------------------------------------------------------------------------------------------- places

/// How many go between two corners, so that no two in a row are farther apart than `spacing`.
static uint64_t between_count(const vni_waypoint_plan* plan, const uint32_t edge[2], double spacing) {
    const double length = vni_length(vni_sub(corner_place(plan, edge[0]), corner_place(plan, edge[1])));
    const double pieces = length / spacing;
    if (!(pieces > 1))
        return 0;
    const double whole = floor(pieces);
    return pieces >= (double)VNI_WAYPOINTS_EACH ? VNI_WAYPOINTS_EACH
                                                : (uint64_t)whole - (whole == pieces ? 1 : 0);
}

static vn_status count_places(planner* p, double spacing, vn_detail* detail) {
    uint64_t count = p->corners->count;
    for (uint32_t e = 0; e < p->corners->edge_count && count <= VNI_WAYPOINTS_EACH; ++e) {
        p->first[e] = (uint32_t)count;
        count += between_count(p->plan, p->corners->edges[e], spacing);
    }

    if (count > VNI_WAYPOINTS_EACH)
        return vni_fail(
            detail, VN_TOO_LARGE,
            "an obstacle with %u corners and %u edges needs more than %u waypoints; choose a larger "
            "spacing, or give a simpler mesh for its waypoints",
            p->corners->count, p->corners->edge_count, VNI_WAYPOINTS_EACH);
    p->first[p->corners->edge_count] = (uint32_t)count;
    p->plan->count = (uint32_t)count;
    return VN_OK;
}

static bool fill_places(planner* p) {
    vni_waypoint_plan* plan = p->plan;
    plan->places = VNI_NEW_ARRAY(&plan->allocator, vni_waypoint_place, plan->count);
    if (plan->count > 0 && plan->places == NULL)
        return false;

    for (uint32_t i = 0; i < p->corners->count; ++i)
        plan->places[i] = (vni_waypoint_place){i, i, 0};
    for (uint32_t e = 0; e < p->corners->edge_count; ++e) {
        const uint32_t count = p->first[e + 1] - p->first[e];
        for (uint32_t i = 0; i < count; ++i)
            plan->places[p->first[e] + i] = (vni_waypoint_place){
                p->corners->edges[e][0], p->corners->edges[e][1], (double)(i + 1) / (count + 1)};
    }

    return true;
}

// ------------------------------------------------------------------------------------------------ neighbours

static bool add_direct(planner* p, uint32_t to) {
    vni_waypoint_plan* plan = p->plan;
    if (!vni_grow(&plan->allocator, &plan->direct, &p->direct_capacity, (uint64_t)plan->direct_count + 1,
                  sizeof *plan->direct))
        return false;
    plan->direct[plan->direct_count++] = to;
    return true;
}

/// The place next to a corner of an edge, along it.
static uint32_t beside_corner(const planner* p, uint32_t edge, uint32_t corner) {
    const uint32_t* ends = p->corners->edges[edge];
    if (p->first[edge] == p->first[edge + 1])
        return ends[0] == corner ? ends[1] : ends[0];
    return ends[0] == corner ? p->first[edge] : p->first[edge + 1] - 1;
}

static bool touches(const planner* p, uint32_t edge, uint32_t corner) {
    return p->corners->edges[edge][0] == corner || p->corners->edges[edge][1] == corner;
}

/// The nearest place on the other edges at `corner`, without the corner itself; of equally near ones the
/// first. UINT32_MAX if there is none.
static uint32_t nearest_across(const planner* p, uint32_t place, uint32_t edge, uint32_t corner) {
    const vni_vec from = place_in_frame(p->plan, place);
    uint32_t nearest = UINT32_MAX;
    double best = HUGE_VAL;
    for (uint32_t e = 0; e < p->corners->edge_count; ++e) {
        if (e == edge || !touches(p, e, corner))
            continue;

        // along the edge: the places between, then the corner at its other end
        const uint32_t* ends = p->corners->edges[e];
        for (uint32_t i = p->first[e]; i <= p->first[e + 1]; ++i) {
            const uint32_t other = i < p->first[e + 1] ? i : ends[0] == corner ? ends[1] : ends[0];
            const double d = vni_length2(vni_sub(place_in_frame(p->plan, other), from));
            if (d < best) {
                best = d;
                nearest = other;
            }
        }
    }

    return nearest;
}

static bool join_corner(planner* p, uint32_t corner) {
    for (uint32_t e = 0; e < p->corners->edge_count; ++e)
        if (touches(p, e, corner) && !add_direct(p, beside_corner(p, e, corner)))
            return false;
    return true;
}

/// The two beside it on its edge, and the nearest across a face.
static bool join_between(planner* p, uint32_t edge, uint32_t place) {
    const uint32_t* ends = p->corners->edges[edge];
    const uint32_t before = place == p->first[edge] ? ends[0] : place - 1;
    const uint32_t after = place + 1 == p->first[edge + 1] ? ends[1] : place + 1;
    const uint32_t across =
        nearest_across(p, place, edge, p->plan->places[place].t <= 0.5 ? ends[0] : ends[1]);
    return add_direct(p, before) && add_direct(p, after) && (across == UINT32_MAX || add_direct(p, across));
}

static bool join_places(planner* p) {
    vni_waypoint_plan* plan = p->plan;
    plan->first = VNI_NEW_ARRAY(&plan->allocator, uint32_t, (uint64_t)plan->count + 1);
    if (plan->first == NULL)
        return false;

    uint32_t edge = 0;
    for (uint32_t i = 0; i < plan->count; ++i) {
        plan->first[i] = plan->direct_count;
        while (i >= p->corners->count && i >= p->first[edge + 1])
            ++edge;
        if (!(i < p->corners->count ? join_corner(p, i) : join_between(p, edge, i)))
            return false;
    }

    plan->first[plan->count] = plan->direct_count;
    return true;
}

// ----------------------------------------------------------------------------------------------------- life

/// The neighbours in an array of exactly their number.
static bool trim_direct(planner* p) {
    vni_waypoint_plan* plan = p->plan;
    uint32_t* exact = VNI_NEW_ARRAY(&plan->allocator, uint32_t, plan->direct_count);
    const bool made = plan->direct_count == 0 || exact != NULL;
    if (made && plan->direct_count > 0)
        memcpy(exact, plan->direct, plan->direct_count * sizeof *exact);
    if (plan->direct != NULL)
        VNI_DELETE_ARRAY(&plan->allocator, plan->direct, p->direct_capacity);
    plan->direct = exact;
    return made;
}

/// Takes the corners over.
static void adopt_corners(vni_waypoint_plan* plan, vni_corners* corners) {
    plan->at = corners->at;
    plan->out = corners->out;
    plan->corner_count = corners->count;
    corners->at = corners->out = NULL;
}

vn_status vni_waypoint_plan_make(const vn_allocator* allocator, const vn_shape* shape, float scale,
                                 double offset, double spacing, vni_waypoint_plan** out, vn_detail* detail) {
    *out = NULL;
    vni_corners corners;
    vni_waypoint_plan* plan = VNI_NEW(allocator, vni_waypoint_plan);
    vn_status status = plan != NULL ? vni_corners_make(allocator, shape, false, &corners) : VN_OUT_OF_MEMORY;
    if (status != VN_OK) {
        if (plan != NULL)
            VNI_DELETE(allocator, plan);
        return vni_fail(detail, status, "no memory for the waypoints of an obstacle");
    }

    *plan = (vni_waypoint_plan){.allocator = *allocator, .references = 1, .offset = offset, .scale = scale};
    adopt_corners(plan, &corners);
    planner p = {&corners, plan, VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)corners.edge_count + 1), 0};
    status = p.first != NULL ? count_places(&p, spacing, detail) : VN_OUT_OF_MEMORY;
    if (status == VN_OK && !(fill_places(&p) && join_places(&p)))
        status = VN_OUT_OF_MEMORY;
    if (!trim_direct(&p) && status == VN_OK)
        status = VN_OUT_OF_MEMORY;

    if (p.first != NULL)
        VNI_DELETE_ARRAY(allocator, p.first, (uint64_t)corners.edge_count + 1);
    vni_corners_free(&corners);
    if (status == VN_OUT_OF_MEMORY)
        vni_fail(detail, status, "no memory for the waypoints of an obstacle");
    if (status == VN_OK)
        *out = plan;
    else
        vni_waypoint_plan_release(plan);
    return status;
}

void vni_waypoint_plan_release(vni_waypoint_plan* plan) {
    if (plan == NULL || --plan->references > 0)
        return;

    const vn_allocator allocator = plan->allocator;
    if (plan->at != NULL)
        VNI_DELETE_ARRAY(&allocator, plan->at, plan->corner_count);
    if (plan->out != NULL)
        VNI_DELETE_ARRAY(&allocator, plan->out, plan->corner_count);
    if (plan->places != NULL)
        VNI_DELETE_ARRAY(&allocator, plan->places, plan->count);
    if (plan->first != NULL)
        VNI_DELETE_ARRAY(&allocator, plan->first, (uint64_t)plan->count + 1);
    if (plan->direct != NULL)
        VNI_DELETE_ARRAY(&allocator, plan->direct, plan->direct_count);
    VNI_DELETE(&allocator, plan);
}
