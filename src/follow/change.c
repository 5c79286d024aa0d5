/// follow/change.c: a path that changes under way: another path joins ahead of the agent, the target moves.
#include "follow/follow_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/frame.h"

#include <string.h>

/// How near a new path begins to the old one to begin on it, in steps: places are rounded.
#define ON_PATH 2

/// Part of braking straight ahead that a turn to a near point costs, and how near that is, as a multiple of
/// the way to brake.
#define TURN_SHARE 0.5
#define NEAR       2

/// First corners of two paths that are as near as this are the same, in steps.
#define SAME_CORNER 16

/// Corners that a target may be moved past.
#define LAST_CORNERS 16

// ----------------------------------------------------------------------------------------------------- join

/// The place of the old path, ahead of the agent, at which a new one begins. False if it does not.
static bool begins_on(const vn_corridor* c, vn_point point, vni_place* out) {
    const vni_vec at = vni_v_of_point(point);
    for (uint32_t i = c->segment; i + 1 < c->count; ++i) {
        const vni_vec a = vni_v_of_point(c->points[i]), way = vni_sub(vni_v_of_point(c->points[i + 1]), a);
        const double length = vni_length(way), begin = i == c->segment ? c->along : 0;
        const double t = vni_clamp(vni_dot(vni_sub(at, a), way) / length, begin, length);
        const vni_vec near = vni_follow_along(c->points, c->count, i, t);
        if (vni_length(vni_sub(near, at)) <= ON_PATH) {
            *out = (vni_place){.segment = i, .along = t};
            return true;
        }
    }

    return false;
}

/// Writes what leads to the new path and the path itself to `next`, from the agent on. `lead`: points before
/// those of the new path. 0: there are too many.
static uint32_t list_new(vn_corridor* c, const vn_space* space, const vn_point* points, uint32_t count,
                         uint32_t* lead) {
    vni_place place;
    uint32_t kept = 1;
    c->next[0] = c->point;
    if (c->count > 0 && begins_on(c, points[0], &place)) {
        const uint32_t all = vni_follow_list(c, space, c->next);
        const uint32_t behind = c->count - 1 - place.segment; // corners that the new path replaces
        kept = all > behind ? all - behind : 1;
    }

    c->needed = kept + count;
    if (c->needed > c->capacity)
        return 0;
    memcpy(c->next + kept, points, count * sizeof *points);
    *lead = kept;
    return vni_follow_tidy(c->next, c->next, kept + count);
}

/// Takes out the points between the agent and the one that it flies to first.
static uint32_t drop_until(vn_point* points, uint32_t count, uint32_t first) {
    memmove(points + 1, points + first, (count - first) * sizeof *points);
    return count - first + 1;
}

/// With keep_corners: the agent flies to the nearest visible place. 0: there is none.
static uint32_t enter_nearest(vn_corridor* c, const vn_space* space, uint32_t count) {
    vni_place place;
    if (count < 2)
        return count;
    if (!vni_follow_nearest(space, c->next + 1, count - 1, 0, 0, vni_v_of_point(c->point), c->point, &place))
        return 0;

    // the place takes the place of the corner before it
    c->next[place.segment + 1] = place.point;
    const uint32_t kept = drop_until(c->next, count, place.segment + 1);
    return vni_follow_tidy(c->next, c->next, kept);
}

/// The agent flies to the farthest visible corner of `next`, or to the nearest visible place. 0: it sees
/// none.
static uint32_t enter(vn_corridor* c, const vn_space* space, uint32_t count) {
    if (c->keep_corners)
        return enter_nearest(c, space, count);
    const uint32_t seen = vni_follow_farthest(space, c->next + 1, count - 1, c->point);
    if (seen == UINT32_MAX)
        return count > 1 ? enter_nearest(c, space, count) : count;

    const uint32_t kept = drop_until(c->next, count, seen + 1);
    return vni_follow_taut(space, c->next, kept, 0, kept < 4 ? kept - 1 : 3);
}

/// The length of a path ahead if the agent brakes straight ahead first, and then flies to the farther of the
/// next two points that it sees from where it stands. Infinity if it sees none.
static double braked_length(const vn_corridor* c, const vn_space* space, const vn_point* points,
                            uint32_t count) {
    const vn_point stand = vni_point_of_v(vni_add(vni_v_of_point(c->point), c->way_on));
    for (uint32_t i = count > 2 ? 2 : count - 1; i > 0; --i)
        if (vni_sight(&space->occupancy, stand, points[i]))
            return vni_length(c->way_on) + vni_steps_between(stand, points[i]) +
                   vni_polyline_length(points + i, count - i);
    return HUGE_VAL;
}

/// Does the agent still see the way into the new path when it has braked? It cannot turn at once.
static bool can_turn_into(const vn_corridor* c, const vn_space* space, uint32_t count) {
    return count < 2 || braked_length(c, space, c->next, count) < HUGE_VAL;
}

/// What the turn to a point costs, in steps, if the agent turns and brakes at once (as steering does): its
/// speed squared / acceleration, which is twice the way to brake, times about 0.45 (1 - cos) of the angle,
/// less for small angles.
static double turn_cost(const vn_corridor* c, vn_point to) {
    const vni_vec way = vni_sub(vni_v_of_point(to), vni_v_of_point(c->point));
    const double brake = vni_length(c->way_on), distance = vni_length(way);
    if (!(brake > 0 && distance > 0))
        return 0;
    const double bend = 1 - vni_dot(way, c->way_on) / (brake * distance);
    return bend > 0 ? 2 * brake * 0.45 * bend * (bend < 1 ? sqrt(bend) : 1) : 0;
}

/// The length of a path ahead with the turn into it.
static double length_ahead(const vn_corridor* c, const vn_point* points, uint32_t count) {
    return count < 2 ? 0 : vni_polyline_length(points, count) + turn_cost(c, points[1]);
}

/// The same for a new path: if its first point is nearer than a turn is wide, the agent brakes first. For the
/// next corner of the old path, `known`, it slows down anyway.
static double length_of_new(const vn_corridor* c, const vn_space* space, uint32_t count, vn_point known) {
    const double near = vni_length(c->way_on) * NEAR;
    if (count < 2 || vni_steps_between(c->next[0], c->next[1]) >= near ||
        vni_steps_between(c->next[1], known) <= SAME_CORNER)
        return length_ahead(c, c->next, count);
    const double length = vni_polyline_length(c->next, count);
    const double braked = braked_length(c, space, c->next, count);
    return length + (braked > length ? TURN_SHARE * (braked - length) : 0);
}

/// Is the path ahead free, as listed in `splice`? A place within a segment is rounded, which may hide an edge
/// that the segment grazes: then the segment itself counts.
static bool is_old_free(const vn_corridor* c, const vn_space* space, uint32_t count) {
    if (vni_follow_is_free(space, c->splice, count))
        return true;
    return c->on_path && vni_sight(&space->occupancy, c->point, vni_follow_ahead(c, 0).point) &&
           vni_follow_is_free(space, c->points + c->segment, c->count - c->segment);
}

/// Lists the old path from the agent on, as it is flown: straight to the place that the agent flies to, or to
/// the farthest visible corner.
static uint32_t list_flown(vn_corridor* c, const vn_space* space) {
    uint32_t count = vni_follow_list(c, space, c->splice);
    if (c->keep_corners || count < 2)
        return count;
    const uint32_t seen = vni_follow_farthest(space, c->splice + 1, count - 1, c->point);
    if (seen != UINT32_MAX && seen > 0)
        return drop_until(c->splice, count, seen + 1);

    const vni_place* to = &c->line_to;
    if (!c->has_line || !(c->rest[to->segment] - to->along < vni_follow_remaining(c)))
        return count;
    c->splice[1] = to->point;
    count = 2;
    for (uint32_t i = to->segment + 1; i < c->count; ++i)
        c->splice[count++] = c->points[i];
    return vni_follow_tidy(c->splice, c->splice, count);
}

/// Is the old path free, and not longer than the `count` points of `next`, with the same end? It also stays
/// if the agent is too fast for the new one.
static bool keeps_old(vn_corridor* c, const vn_space* space, uint32_t count) {
    if (c->count == 0 || !vni_is_same_point(c->points[c->count - 1], c->next[count - 1]))
        return false;
    if (!is_old_free(c, space, vni_follow_list(c, space, c->splice)))
        return false;
    const uint32_t old = list_flown(c, space);
    const vn_point corner = c->splice[old > 1 ? 1 : 0];
    return !can_turn_into(c, space, count) ||
           length_ahead(c, c->splice, old) <= length_of_new(c, space, count, corner);
}

vn_status vn_corridor_join(vn_corridor* corridor, const vn_space* space, const vn_point* points,
                           uint32_t count, vn_join rule, bool* joined) {
    uint32_t lead = 0;
    vn_status status = vni_follow_accept(corridor, space, points, count);
    if (joined != NULL)
        *joined = false;
    if (status != VN_OK)
        return status;
    if (corridor->size == 0) { // no path yet, and no agent
        status = vn_corridor_set(corridor, space, points, count);
        if (joined != NULL)
            *joined = status == VN_OK;
        return status;
    }

    uint32_t next = list_new(corridor, space, points, count, &lead);
    if (next == 0)
        return VN_CAPACITY;
    next = enter(corridor, space, next);

    // the part that leads to the new path, and where both meet; the rest is free as given
    const uint32_t check = lead + 3 < next ? lead + 3 : next;
    if (next == 0 || !vni_follow_is_free(space, corridor->next, check))
        return VN_NOT_FOUND;
    if (rule == VN_JOIN_IF_SHORTER && keeps_old(corridor, space, next))
        return VN_OK;

    vni_follow_commit(corridor, next);
    if (joined != NULL)
        *joined = true;
    return VN_OK;
}

// --------------------------------------------------------------------------------------------------- target

/// The earliest of the last points from which the target is visible, and which may be a corner; UINT32_MAX if
/// there is none.
static uint32_t leave_at(const vn_corridor* c, const vn_space* space, uint32_t count, vn_point target) {
    const uint32_t most = c->keep_corners ? 2 : LAST_CORNERS;
    for (uint32_t i = count > most ? count - most : 0; i < count; ++i) {
        const bool may_turn = i == 0 || vni_point_is_plain(&space->occupancy, c->next[i]);
        if (may_turn && vni_sight(&space->occupancy, c->next[i], target))
            return i;
    }

    return UINT32_MAX;
}

vn_status vn_corridor_move_target(vn_corridor* corridor, const vn_space* space, vn_point target) {
    VNI_ASSERT(corridor != NULL && space != NULL);
    if (!vni_point_is_inside(&space->occupancy, target))
        return VN_OUTSIDE;
    if (!vn_space_point_free(space, target))
        return VN_BLOCKED;
    if (corridor->count == 0)
        return VN_NOT_FOUND;

    const uint32_t last = leave_at(corridor, space, vni_follow_list(corridor, space, corridor->next), target);
    if (last == UINT32_MAX)
        return VN_NOT_FOUND;
    uint32_t count = last + 2;
    corridor->needed = count;
    if (count > corridor->capacity)
        return VN_CAPACITY;

    corridor->next[last + 1] = target;
    if (!corridor->keep_corners)
        count = vni_follow_taut(space, corridor->next, count, count > 4 ? count - 4 : 0, count - 1);
    vni_follow_commit(corridor, count);
    return VN_OK;
}

vn_status vn_corridor_move_target_position(vn_corridor* corridor, const vn_space* space, vn_dvec3 target) {
    vn_point point;
    if (vn_space_point_from_world(space, target, &point) != VN_OK)
        return VN_OUTSIDE;
    return vn_corridor_move_target(corridor, space, point);
}
