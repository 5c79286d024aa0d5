/// follow/slide.c: small moves that stay in free space: to a point or the one next to it, and along walls.
#include "follow/follow_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/frame.h"

// ----------------------------------------------------------------------------------------------------- land

bool vni_follow_may_go(const vn_space* space, vn_point from, vn_point to) {
    return vni_is_same_point(from, to) ||
           (vni_sight(&space->occupancy, from, to) && vni_point_is_plain(&space->occupancy, to));
}

/// One of the 27 points around a point.
static vn_point neighbour(vn_point p, int which) {
    const vn_point n = {p.x + which % 3 - 1, p.y + which / 3 % 3 - 1, p.z + which / 9 - 1};
    return n;
}

/// Of the points around `middle` to which the agent may go, and from which it sees its aim (null: anywhere),
/// the nearest to `at`.
static bool land_beside(const vn_space* space, vn_point from, const vn_point* aim, vn_point middle,
                        vni_vec at, vn_point* out) {
    double best = HUGE_VAL;
    for (int i = 0; i < 27; ++i) {
        const vn_point point = neighbour(middle, i);
        const double distance = vni_length2(vni_sub(vni_v_of_point(point), at));
        if (distance < best && vni_follow_may_go(space, from, point) &&
            (aim == NULL || vni_sight(&space->occupancy, point, *aim))) {
            best = distance;
            *out = point;
        }
    }

    return best < HUGE_VAL;
}

/// The lattice point at a fraction of the way, rounded towards the start: it never passes a wall.
static vn_point rounded_back(vn_point a, vni_vec way, double at) {
    double from[3] = {a.x, a.y, a.z}, step[3] = {way.x, way.y, way.z};
    int32_t out[3];
    for (int k = 0; k < 3; ++k) {
        const double d = step[k] * at;
        out[k] = (int32_t)(from[k] + (d < 0 ? -floor(-d + 1e-9) : floor(d + 1e-9)));
    }

    return (vn_point){out[0], out[1], out[2]};
}

/// The line to `to` grazes an edge, by rounding: goes as far as the edge, to a point that sees `to`.
static bool land_short(const vn_space* space, vn_point from, vn_point to, vn_point* out) {
    vni_stop stop;
    if (!vni_sight_stop(&space->occupancy, from, to, &stop) || stop.inside || stop.outside)
        return false;
    const vni_vec way = vni_sub(vni_v_of_point(to), vni_v_of_point(from));
    const vn_point edge = rounded_back(from, way, (double)stop.numerator / (double)stop.denominator);
    return land_beside(space, from, &to, edge, vni_v_of_point(edge), out);
}

vni_landing vni_follow_land(const vn_space* space, vn_point from, const vn_point* aim, vn_dvec3* position,
                            vn_point* point) {
    const vni_vec voxels = vni_world_to_voxels(space, *position), at = vni_scale(voxels, VN_LATTICE);
    const vn_point to = vni_v_is_finite(voxels) ? vni_nearest_point(voxels) : vn_point_outside();
    if (vn_point_is_outside(to))
        return VNI_LAND_NOWHERE;
    const bool may_go = vni_follow_may_go(space, from, to);
    if (may_go && (aim == NULL || vni_sight(&space->occupancy, to, *aim))) {
        *point = to;
        return VNI_LAND_IN_SIGHT;
    }

    // rounding has cost the sight of the aim, or the way: the points around may do
    vni_landing landing = aim == NULL ? VNI_LAND_IN_SIGHT : VNI_LAND_FREE;
    if (aim != NULL && land_beside(space, from, aim, to, at, point))
        landing = VNI_LAND_IN_SIGHT;
    else if (may_go)
        *point = to;
    else if (!land_beside(space, from, NULL, to, at, point) && !land_short(space, from, to, point))
        return VNI_LAND_NOWHERE;
    if (!vni_is_same_point(*point, to))
        *position = vn_space_point_to_world(space, *point);
    return landing;
}

bool vni_follow_find_sight(const vn_corridor* corridor, const vn_space* space, vn_point from, vn_point* out) {
    vni_place place;
    for (int i = 0; i < 27; ++i) {
        *out = neighbour(corridor->point, i);
        if (vni_follow_may_go(space, from, *out) &&
            vni_follow_nearest(space, corridor->points, corridor->count, corridor->segment, corridor->along,
                               vni_v_of_point(*out), *out, &place))
            return true;
    }

    return false;
}

// ---------------------------------------------------------------------------------------------------- slide

/// A slide under way, in lattice steps.
typedef struct slide {
    const vn_space* space;
    vn_point at;   ///< reached so far
    vni_vec wants; ///< what is left of the move
} slide;

static double* axis_of(vni_vec* v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/// Goes as far as the first wall. True if there was one: what is left then runs along it.
static bool slide_once(slide* s) {
    vni_stop stop;
    const vn_point to = vni_point_of_v(vni_add(vni_v_of_point(s->at), s->wants));
    if (vni_follow_may_go(s->space, s->at, to)) {
        s->at = to;
        return false;
    }

    vn_point reached;
    const vni_vec way = vni_sub(vni_v_of_point(to), vni_v_of_point(s->at));
    if (!vni_sight_stop(&s->space->occupancy, s->at, to, &stop)) { // free, but it may not stay there
        if (land_beside(s->space, s->at, NULL, to, vni_v_of_point(to), &reached))
            s->at = reached;
        return false;
    }

    const double fraction = (double)stop.numerator / (double)stop.denominator;
    const vn_point end = rounded_back(s->at, way, fraction);
    if (land_beside(s->space, s->at, NULL, end, vni_v_of_point(end), &reached))
        s->at = reached;
    s->wants = vni_scale(s->wants, 1 - fraction);
    for (int k = 0; k < 3; ++k) {
        double* left = axis_of(&s->wants, k);
        if (*left * stop.normal[k] < 0)
            *left = 0;
    }

    return vni_length2(s->wants) >= 1;
}

vn_dvec3 vn_space_slide(const vn_space* space, vn_dvec3 position, vn_dvec3 wanted) {
    vn_point from, best;
    const vn_dvec3 none = {0, 0, 0};
    VNI_ASSERT(space != NULL);
    if (!vni_v_is_finite(vni_follow_v(wanted)) || !vn_space_position_free(space, position))
        return none;

    // in one straight move, without rounding, if that is free
    vn_dvec3 to = vni_follow_d(vni_add(vni_follow_v(position), vni_follow_v(wanted)));
    from = best = vni_point_at(space, position);
    const vn_point goal = vni_point_at(space, to);
    if (vni_follow_may_go(space, from, goal))
        return wanted;

    // the last of the places reached to which the straight move is free; not farther than the lattice reaches
    slide s = {.space = space, .at = from};
    const double steps = VN_LATTICE / (double)space->resolution;
    s.wants = vni_scale(vni_follow_v(wanted), steps);
    const double length = vni_length(s.wants), most = 1 << 24;
    if (length > most)
        s.wants = vni_scale(s.wants, most / length);
    for (int i = 0; i < 4; ++i) {
        const bool goes_on = slide_once(&s);
        if (vni_follow_may_go(space, from, s.at))
            best = s.at;
        if (!goes_on)
            break;
    }

    if (vni_is_same_point(best, from))
        return none;
    to = vn_space_point_to_world(space, best);
    return vni_follow_d(vni_sub(vni_follow_v(to), vni_follow_v(position)));
}
