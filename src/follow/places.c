/// follow/places.c: places of a path as seen from where the agent really is.
#include "follow/follow_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/frame.h"

#include <string.h>

#define HALVINGS 7

static bool sees(const vn_space* space, vn_point a, vn_point b) {
    return vni_sight(&space->occupancy, a, b);
}

/// Is a place visible from which the path goes on? Where a rounded one is not plain, it may be seen from the
/// wrong side. The end of the path need not be plain.
static bool sees_place(const vn_space* space, const vn_point* points, uint32_t count, vn_point from,
                       vn_point to) {
    return sees(space, from, to) &&
           (vni_is_same_point(to, points[count - 1]) || vni_point_is_plain(&space->occupancy, to));
}

// -------------------------------------------------------------------------------------------------- nearest

/// How far along the segment, from `along` on, the point nearest to `at` lies.
static double nearest_along(const vn_point* points, uint32_t segment, double along, vni_vec at) {
    const vni_vec a = vni_v_of_point(points[segment]), way = vni_sub(vni_v_of_point(points[segment + 1]), a);
    const double length = vni_length(way);
    if (!(length > 0))
        return 0;
    const double t = vni_dot(vni_sub(at, a), way) / length;
    return vni_clamp(t, along < length ? along : length, length);
}

/// Takes a place if it is nearer than the best one, and visible.
static void consider(const vn_space* space, const vn_point* points, uint32_t count, uint32_t segment,
                     double along, vni_vec at, vn_point from, vni_place* best) {
    const vni_vec v = vni_follow_along(points, count, segment, along);
    const double distance = vni_length(vni_sub(v, at));
    if (!(distance < best->distance))
        return;
    const vn_point point = vni_point_of_v(v);
    if (sees_place(space, points, count, from, point))
        *best = (vni_place){segment, along, point, distance};
}

bool vni_follow_nearest(const vn_space* space, const vn_point* points, uint32_t count, uint32_t segment,
                        double along, vni_vec at, vn_point from, vni_place* out) {
    vni_place best = {.distance = HUGE_VAL};
    if (count > 0)
        consider(space, points, count, segment, along, at, from, &best);

    // a place within a step ends the search, but on its own segment the agent always goes on
    for (uint32_t i = segment; i + 1 < count && (i == segment || best.distance > 1); ++i) {
        const double begin = i == segment ? along : 0;
        consider(space, points, count, i, nearest_along(points, i, begin, at), at, from, &best);
        if (best.distance > 1)
            consider(space, points, count, i, vni_steps_between(points[i], points[i + 1]), at, from, &best);
    }

    if (!(best.distance < HUGE_VAL))
        return false;
    *out = best;
    return true;
}

vn_status vn_corridor_advance_to_position(vn_corridor* corridor, const vn_space* space, vn_dvec3 position) {
    vn_point point;
    vni_place place;
    VNI_ASSERT(corridor != NULL && space != NULL);
    if (vn_space_point_from_world(space, position, &point) != VN_OK)
        return VN_OUTSIDE;

    vni_follow_frame(corridor, space);
    corridor->position = position;
    corridor->point = point;
    const vni_vec at = vni_scale(vni_world_to_voxels(space, position), VN_LATTICE);
    corridor->on_path = vni_follow_nearest(space, corridor->points, corridor->count, corridor->segment,
                                           corridor->along, at, point, &place);
    if (!corridor->on_path)
        return VN_NOT_FOUND;

    // the end of a segment is the beginning of the next
    const bool is_end = place.segment + 2 < corridor->count &&
                        vni_is_same_point(place.point, corridor->points[place.segment + 1]);
    corridor->segment = place.segment + (is_end ? 1 : 0);
    corridor->along = is_end ? 0 : place.along;
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------- look-ahead

/// The farthest visible place of a segment between one that is visible and another.
static vni_place bisect(const vn_corridor* c, const vn_space* space, uint32_t segment, double low,
                        double high) {
    vni_place best = {.segment = segment, .along = low};
    best.point = vni_point_of_v(vni_follow_along(c->points, c->count, segment, low));
    for (int i = 0; i < HALVINGS && high - low > 1; ++i) {
        const double middle = low + (high - low) / 2;
        const vn_point point = vni_point_of_v(vni_follow_along(c->points, c->count, segment, middle));
        if (sees_place(space, c->points, c->count, c->point, point)) {
            low = middle;
            best.along = middle;
            best.point = point;
        } else {
            high = middle;
        }
    }

    return best;
}

/// Looks from `end` back to the agent's place.
static bool look_back(const vn_corridor* c, const vn_space* space, vni_place end, vni_place* out) {
    *out = end;
    if (sees_place(space, c->points, c->count, c->point, end.point))
        return true;

    double limit = end.along;
    for (uint32_t i = end.segment; i > c->segment; --i) {
        if (sees(space, c->point, c->points[i])) {
            *out = bisect(c, space, i, 0, limit);
            return true;
        }

        limit = c->rest[i - 1] - c->rest[i];
    }

    const vni_place here = vni_follow_ahead(c, 0);
    if (!sees_place(space, c->points, c->count, c->point, here.point))
        return false;
    *out = bisect(c, space, c->segment, c->along, limit);
    return true;
}

bool vni_follow_look(const vn_corridor* corridor, const vn_space* space, double metres, vni_place* out) {
    vni_place end = vni_follow_ahead(corridor, vni_follow_steps(corridor, metres));
    if (corridor->keep_corners && end.segment > corridor->segment) {
        end.segment = corridor->segment;
        end.along = corridor->rest[end.segment] - corridor->rest[end.segment + 1];
        end.point = corridor->points[end.segment + 1];
    }

    return look_back(corridor, space, end, out);
}

vn_status vn_corridor_look_ahead(const vn_corridor* corridor, const vn_space* space, double metres,
                                 vn_corridor_place* out) {
    vni_place place;
    VNI_ASSERT(corridor != NULL && space != NULL && out != NULL);
    if (corridor->count == 0 || !vni_follow_look(corridor, space, metres, &place))
        return VN_NOT_FOUND;
    *out = vni_follow_public(corridor, &place);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------- the list ahead

uint32_t vni_follow_list(const vn_corridor* corridor, const vn_space* space, vn_point* out) {
    const vn_corridor* c = corridor;
    const vni_place here = vni_follow_ahead(c, 0);
    const uint32_t first = c->segment + 1 < c->count ? c->segment + 1 : c->count - 1;
    uint32_t count = 0;
    out[count++] = c->point;
    if (c->keep_corners || !sees(space, c->point, c->points[first]))
        out[count++] = here.point;

    memcpy(out + count, c->points + first, (c->count - first) * sizeof *out);
    return vni_follow_tidy(out, out, count + c->count - first);
}

uint32_t vni_follow_farthest(const vn_space* space, const vn_point* points, uint32_t count, vn_point from) {
    for (uint32_t i = count; i > 0; --i)
        if (sees(space, from, points[i - 1]))
            return i - 1;
    return UINT32_MAX;
}

bool vni_follow_is_free(const vn_space* space, const vn_point* points, uint32_t count) {
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const bool is_plain = i == 0 || vni_point_is_plain(&space->occupancy, points[i]);
        if (!is_plain || !sees(space, points[i], points[i + 1]))
            return false;
    }

    return true;
}

uint32_t vni_follow_taut(const vn_space* space, vn_point* points, uint32_t count, uint32_t first,
                         uint32_t last) {
    const uint32_t before = last + 1 - first;
    uint32_t after = before;
    for (int pass = 0; pass < 2; ++pass) {
        after = vni_refine_prune(&space->occupancy, NULL, points + first, after);
        if (!vni_refine_pull(&space->occupancy, NULL, points + first, after, 8))
            break;
    }

    memmove(points + first + after, points + last + 1, (count - 1 - last) * sizeof *points);
    return count - before + after;
}
