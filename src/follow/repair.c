/// follow/repair.c: a path in a new version of the space: finds what is blocked ahead of the agent, and
/// replaces it by the paths of short searches.
#include "follow/follow_inside.h"
#include "geom/units.h"
#include "path/refine.h"
#include "probe/sight.h"

#include <string.h>

/// Parts that one call replaces.
#define PARTS 4

/// A search begins this far before the block, in steps, so that the path can turn.
#define BACK_OFF (1.5 * VN_LATTICE)

typedef struct repair {
    vn_corridor* corridor; ///< the list ahead is its `next`
    const vn_space* space;
    vn_query* query;
    uint64_t budget;
    uint32_t count;       ///< of `next`
    uint32_t first, last; ///< segments of the part that is blocked
    vn_repair* out;
} repair;

static bool is_blocked(const repair* r, uint32_t segment) {
    const vni_occupancy* occupancy = &r->space->occupancy;
    const vn_point* points = r->corridor->next;
    const bool turns = segment + 2 < r->count; // the end of the path need not be plain
    return !vni_sight(occupancy, points[segment], points[segment + 1]) ||
           (turns && !vni_point_is_plain(occupancy, points[segment + 1]));
}

/// The first blocked segment from `begin` on, and those behind it that are blocked too. False if all are
/// free.
static bool find_part(repair* r, uint32_t begin) {
    uint32_t i = begin;
    while (i + 1 < r->count && !is_blocked(r, i))
        ++i;
    if (i + 1 >= r->count)
        return false;

    // a corner that is not plain blocks the segments on both sides
    r->first = r->last = i;
    while (r->last + 2 < r->count &&
           (is_blocked(r, r->last + 1) ||
            !vni_point_is_plain(&r->space->occupancy, r->corridor->next[r->last + 1])))
        ++r->last;
    return true;
}

/// The last free place from a to b, less the back-off; a itself if there is none that may be a corner.
static vn_point free_end(const vn_space* space, vn_point a, vn_point b) {
    vni_stop stop;
    if (!vni_sight_stop(&space->occupancy, a, b, &stop) || stop.inside)
        return a;
    const double whole = vni_steps_between(a, b);
    const double reach = whole * ((double)stop.numerator / (double)stop.denominator) - BACK_OFF;
    if (!(reach > 0))
        return a;

    const vn_point two[2] = {a, b};
    const vn_point point = vni_point_of_v(vni_follow_along(two, 2, 0, reach));
    return vni_follow_may_go(space, a, point) ? point : a;
}

static double distance_to_block(const repair* r) {
    const vn_point* points = r->corridor->next;
    const vn_point end = free_end(r->space, points[r->first], points[r->first + 1]);
    double steps = vni_polyline_length(points, r->first + 1) + vni_steps_between(points[r->first], end);
    steps += vni_is_same_point(end, points[r->first]) ? 0 : BACK_OFF;
    return vni_follow_metres(r->corridor, steps);
}

/// Searches from one end of the part to the other.
static vn_status search(repair* r, vn_point start, vn_point goal) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result = {0};
    request.start = start;
    request.goal = goal;
    request.radius = r->space->radius;
    request.open_flags = r->space->open_flags;
    request.algo = vni_space_has_cells(r->space) ? VN_ALGO_CELLS : VN_ALGO_ASTAR;
    request.budget = r->budget;

    const vn_status status = vn_query_find_path(r->query, &request, &result, NULL);
    ++r->out->searches;
    r->out->expanded += result.expanded;
    if (r->budget > 0)
        r->budget = result.expanded < r->budget ? r->budget - result.expanded : 1;
    return status;
}

/// Puts the query's path in the place of the part. `behind` is the first point after the part.
static vn_status put_in(repair* r, uint32_t* behind) {
    vn_corridor* c = r->corridor;
    uint32_t found = 0;
    const vn_point* points = vn_query_points(r->query, &found);
    const uint32_t before = r->first + 1, after = r->count - (r->last + 1);
    c->needed = before + found + after;
    if (c->needed > c->capacity)
        return VN_CAPACITY;

    memcpy(c->splice, c->next + r->last + 1, after * sizeof *points);
    memcpy(c->next + before, points, found * sizeof *points);
    memcpy(c->next + before + found, c->splice, after * sizeof *points);
    r->count = before + found + after;
    *behind = before + found;
    return VN_OK;
}

/// Pulls the new points taut, together with two corners on each side.
static void settle(repair* r, uint32_t behind) {
    vn_corridor* c = r->corridor;
    const uint32_t first = r->first > 1 ? r->first - 1 : 0;
    uint32_t last = behind + 1 < r->count ? behind + 1 : r->count - 1;
    const uint32_t before = r->count;
    const uint32_t kept = vni_follow_tidy(c->splice, c->next + first, last + 1 - first);
    memcpy(c->next + first, c->splice, kept * sizeof *c->splice);
    memmove(c->next + first + kept, c->next + last + 1, (r->count - 1 - last) * sizeof *c->next);
    r->count = before - (last + 1 - first) + kept;
    last = first + kept - 1;
    if (!c->keep_corners)
        r->count = vni_follow_taut(r->space, c->next, r->count, first, last);
}

static vn_status replace_part(repair* r) {
    const vn_point* points = r->corridor->next;
    uint32_t behind = 0;
    const vn_point start = free_end(r->space, points[r->first], points[r->first + 1]);
    const vn_point goal = free_end(r->space, points[r->last + 1], points[r->last]);
    vn_status status = search(r, start, goal);
    if (status == VN_OK)
        status = put_in(r, &behind);
    if (status == VN_OK)
        settle(r, behind);
    return status;
}

/// Replaces the parts that are blocked, one after the other.
static vn_status replace_parts(repair* r) {
    for (uint32_t part = 0; part < PARTS; ++part) {
        const vn_status status = replace_part(r);
        if (status != VN_OK)
            return status;
        const uint32_t first = r->first;
        if (!find_part(r, 0))
            return VN_OK;
        // what was just put in is not free here: the query knows another version
        if (r->first <= first)
            return VN_STALE;
    }

    return VN_BUDGET_SPENT;
}

vn_status vn_corridor_repair(vn_corridor* corridor, const vn_space* space, vn_query* query, uint64_t budget,
                             vn_repair* out) {
    VNI_ASSERT(corridor != NULL && space != NULL && query != NULL && out != NULL);
    repair r = {.corridor = corridor, .space = space, .query = query, .budget = budget, .out = out};
    *out = (vn_repair){.kind = VN_REPAIR_KEPT, .reason = VN_OK, .blocked = HUGE_VAL};
    if (corridor->count == 0)
        return VN_OK;

    r.count = vni_follow_list(corridor, space, corridor->next);
    const double before = vni_polyline_length(corridor->next, r.count);
    if (!vn_space_point_free(space, corridor->point))
        out->reason = VN_START_BLOCKED;
    else if (!vn_space_point_free(space, corridor->next[r.count - 1]))
        out->reason = VN_GOAL_BLOCKED;
    const bool is_blocked_ahead = find_part(&r, 0);
    if (is_blocked_ahead)
        out->blocked = distance_to_block(&r);
    if (out->reason == VN_OK && !is_blocked_ahead)
        return VN_OK;

    out->kind = VN_REPAIR_REPLAN;
    if (out->reason == VN_OK)
        out->reason = replace_parts(&r);
    if (out->reason == VN_BAD_ORDER)
        return VN_BAD_ORDER;
    if (out->reason == VN_OK && r.count > corridor->capacity) {
        corridor->needed = r.count;
        out->reason = VN_CAPACITY;
    }
    if (out->reason != VN_OK)
        return VN_OK;

    out->kind = VN_REPAIR_REPAIRED;
    out->change = vni_follow_metres(corridor, vni_polyline_length(corridor->next, r.count) - before);
    vni_follow_commit(corridor, r.count);
    return VN_OK;
}
