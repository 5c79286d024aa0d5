/// path/refine_clear.c: leads a polyline through the middle of gaps, around corners in a curve, out of dips,
/// and drops the vertices that are not worth their cost.
///
/// Candidates are found by geometry, in voxels: where a segment dips below the preferred distance, which
/// direction leads away from the wall, and how far. Whether a change is made is decided by its cost alone
/// (path/reroute.h), so a bad candidate costs time, never quality.
#include "path/refine_clear.h"
#include "geom/units.h"
#include "path/refine.h"
#include "path/reroute.h"
#include "probe/clearance.h"

#include <string.h>

#define ROUNDS 2

// In preferred distances: what new vertices must gain, and what one that is left out may cost.
#define GAIN_OF_ONE  0.05
#define GAIN_OF_TWO  0.1
#define GAIN_OF_MOVE 0.01
#define LOSS_OF_DROP 0.06

typedef struct clearing {
    vni_reroute route;
    vni_clearance walls;
    double reach; ///< the preferred distance in lattice steps
} clearing;

// -------------------------------------------------------------------------------------------------- vectors

/// A vertex in voxels.
static vni_vec vertex(const clearing* c, uint32_t i) {
    VNI_ASSERT(i < c->route.count);
    return vni_point_in_voxels(c->route.points[i]);
}

/// Rounds to the lattice. What lies far outside is moved to where it is still outside and fits in an int32.
static vn_point to_lattice(vni_vec voxels) {
    const double far = 2.0 * VNI_MAX_DIM - 1;
    const vni_vec low = vni_v(-far, -far, -far), high = vni_v(far, far, far);
    return vni_point_of_v(vni_scale(vni_max(low, vni_min(voxels, high)), VN_LATTICE));
}

/// The unit vector of v; false if it has no direction.
static bool unit(vni_vec v, vni_vec* out) {
    double length = vni_length(v);
    if (length < 1e-9)
        return false;
    *out = vni_scale(v, 1 / length);
    return true;
}

/// The part of v across a unit vector, as a unit vector.
static bool unit_across(vni_vec v, vni_vec axis, vni_vec* out) {
    return unit(vni_add_scaled(v, axis, -vni_dot(v, axis)), out);
}

// ---------------------------------------------------------------------------------------------------- walls

/// The direction from blocked to free around a point that touches a wall, where the nearest point of the wall
/// gives none: the sum over the eight voxels around it.
static vni_vec towards_free(const vni_occupancy* o, vni_vec at) {
    vni_vec sum = vni_v(0, 0, 0);
    for (int i = 0; i < 8; ++i) {
        vni_vec side = vni_v(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        vni_vec p = vni_add(at, side);
        if (vni_occupancy_free_at(o, (int32_t)floor(p.x), (int32_t)floor(p.y), (int32_t)floor(p.z)))
            sum = vni_add(sum, side);
    }

    return sum;
}

/// The point of a voxel that is nearest to `at`.
static vni_vec nearest_of(vn_voxel wall, vni_vec at) {
    vni_vec low = vni_v(wall.x, wall.y, wall.z), high = vni_v(wall.x + 1.0, wall.y + 1.0, wall.z + 1.0);
    return vni_max(low, vni_min(at, high));
}

/// The point of the wall nearest to a place, if it is nearer than the preferred distance.
static bool nearest_wall(const clearing* c, vni_vec at, vni_vec* wall) {
    vni_dip dip;
    if (!vni_clearance_dip(&c->walls, at, at, 0, &dip))
        return false;
    *wall = nearest_of(dip.wall, at);
    return true;
}

/// How far to go along a unit vector until it is as clear as it gets, by eighths of `most`; not beyond where
/// vertices may be.
static double climb(const clearing* c, vni_vec at, vni_vec out, double most) {
    VNI_ASSERT(most >= 0);

    double best = 0, least = vni_clearance_missing(&c->walls, at);
    for (int k = 1; k <= 8 && least > 0; ++k) {
        double step = most * k / 8;
        vni_vec p = vni_add_scaled(at, out, step);
        double missing =
            vni_reroute_allows(&c->route, to_lattice(p)) ? vni_clearance_missing(&c->walls, p) : 1;
        if (missing >= least)
            break;

        best = step;
        least = missing;
    }

    return best;
}

// ----------------------------------------------------------------------------------------------------- dips

/// The next dip below `part` of the preferred distance on the segment from a to b, from `*from` on; then
/// `*from` is where the one after it may begin.
static bool next_dip(clearing* c, vn_point a, vn_point b, double part, double* from, vni_dip* out) {
    VNI_ASSERT(part > 0 && part <= 1 && *from >= 0);

    // What a whole walk along the segment has shown is remembered: most segments are clear, and are visited
    // often.
    vni_known_segment* known = vni_reroute_know(&c->route, a, b);
    if (known->clear >= part)
        return false;

    vni_vec start = vni_point_in_voxels(a), end = vni_point_in_voxels(b);
    double length = vni_length(vni_sub(end, start)), least = c->walls.distance;
    bool from_the_start = *from == 0;
    while (*from <= length && vni_clearance_dip(&c->walls, start, end, *from, out)) {
        *from = out->to + 0.25 * c->walls.distance;
        if (out->least < part * c->walls.distance)
            return true;
        least = out->least < least ? out->least : least;
    }

    if (from_the_start)
        known->clear = least / c->walls.distance;

    return false;
}

/// A place in a dip, and the direction out of it.
typedef struct trough {
    vni_vec at, along, out; ///< unit vectors: along the segment, and away from the wall
    vni_vec wall;           ///< its nearest point
    double missing;         ///< voxels to the preferred distance
} trough;

/// The deepest place of a dip of the segment from the vertex i to the vertex k.
static bool look_at(const clearing* c, uint32_t i, uint32_t k, const vni_dip* dip, trough* t) {
    VNI_ASSERT(dip->least >= 0 && dip->least < c->walls.distance);
    VNI_ASSERT(dip->from <= dip->deepest && dip->deepest <= dip->to);

    vni_vec a = vertex(c, i);
    if (!unit(vni_sub(vertex(c, k), a), &t->along))
        return false;

    t->at = vni_add_scaled(a, t->along, dip->deepest);
    t->wall = nearest_of(dip->wall, t->at);
    t->missing = c->walls.distance - dip->least;
    bool touches = dip->least < 1e-3;
    return unit(touches ? towards_free(c->route.occupancy, t->at) : vni_sub(t->at, t->wall), &t->out);
}

// ---------- gaps between two walls

/// The wall on the other side: the nearest one at the place where moving on along `out` no longer gains
/// clearance.
static bool wall_beyond(const clearing* c, vni_vec at, vni_vec out, vni_vec* wall) {
    double clear = 0;
    for (int k = 1; k <= 8; ++k) {
        vni_vec p = vni_add_scaled(at, out, 0.25 * k * c->walls.distance);
        if (!nearest_wall(c, p, wall))
            return false;

        double now = vni_length(vni_sub(p, *wall));
        if (now <= clear)
            return true;

        clear = now;
    }

    return false;
}

/// Searches from a place near a wall, square to the segment and at 45 degrees to it, for another wall no
/// farther away than one and a half distances; then for the places where the two face each other.
static bool find_sides(const clearing* c, const trough* t, vni_vec sides[2]) {
    double nearest = 1.5 * c->walls.distance;
    bool found = false;
    vni_vec out;
    for (int k = -1; k <= 1 && unit_across(t->out, t->along, &out); ++k) {
        vni_vec direction, beyond;
        if (!unit(vni_add_scaled(out, t->along, k), &direction) ||
            !wall_beyond(c, t->at, direction, &beyond) || vni_length(vni_sub(beyond, t->wall)) >= nearest)
            continue;

        nearest = vni_length(vni_sub(beyond, t->wall));
        found = true;
        sides[0] = t->wall;
        sides[1] = beyond;
    }

    for (int k = 0; k < 2 && found; ++k) {
        vni_vec from = sides[0], gap = vni_sub(sides[1], from);
        found = nearest_wall(c, vni_add_scaled(from, gap, 0.25), &sides[0]) &&
                nearest_wall(c, vni_add_scaled(from, gap, 0.75), &sides[1]);
    }

    return found;
}

/// To the middle of a gap, square to its axis.
static vni_vec to_centre(const clearing* c, vni_vec at, vni_vec axis) {
    vni_vec wall, out;
    for (int k = 0; k < 4; ++k) {
        if (!nearest_wall(c, at, &wall) || !unit_across(vni_sub(at, wall), axis, &out))
            break;
        at = vni_add_scaled(at, out, climb(c, at, out, 0.5 * c->walls.distance));
    }

    return at;
}

/// From a place in a gap along its axis to where it is clear again; false if that is far.
static bool leave_gap(const clearing* c, vni_vec at, vni_vec axis, vni_vec* out) {
    for (int k = 2; k <= 10; ++k) {
        *out = vni_add_scaled(at, axis, 0.25 * k * c->walls.distance);
        if (vni_clearance_missing(&c->walls, *out) < 0.1)
            return true;
    }
    return false;
}

/// The stretch around a place on the segment to the vertex i, `radius` to either side, with up to two
/// vertices.
static vni_stretch cut_around(const clearing* c, uint32_t i, vni_vec middle, double radius) {
    VNI_ASSERT(i >= 1 && i < c->route.count && radius > 0);

    uint32_t first = i, last = i;
    while (first > 1 && last - first < 2 && vni_length(vni_sub(vertex(c, first - 1), middle)) < radius)
        --first;

    while (last + 1 < c->route.count && last - first < 2 &&
           vni_length(vni_sub(vertex(c, last), middle)) < radius)
        ++last;

    vni_vec along;
    double from = 0, to = HUGE_VAL;
    if (unit(vni_sub(vertex(c, first), vertex(c, first - 1)), &along))
        from = vni_dot(vni_sub(middle, vertex(c, first - 1)), along) - radius;

    if (unit(vni_sub(vertex(c, last), vertex(c, last - 1)), &along))
        to = vni_dot(vni_sub(middle, vertex(c, last - 1)), along) + radius;

    return vni_reroute_cut(&c->route, first, last, from, to, 0.5 * c->walls.distance);
}

/// Straight through the middle of a gap with this axis, from clear to clear:
///
///            ####
///     ...o----------o...     o: the new vertices, in the clear on either side
///            ####
static uint32_t pass_along(clearing* c, uint32_t i, vni_vec at, vni_vec axis) {
    VNI_ASSERT(vni_abs(vni_length2(axis) - 1) < 1e-6);
    vni_vec middle = to_centre(c, at, axis), ends[2];
    if (!leave_gap(c, middle, vni_scale(axis, -1), &ends[0]) || !leave_gap(c, middle, axis, &ends[1]))
        return 0;

    const vn_point pair[2] = {to_lattice(ends[0]), to_lattice(ends[1])};
    double radius = 0.5 * vni_length(vni_sub(ends[1], ends[0])) + c->walls.distance;
    vni_stretch s = cut_around(c, i, middle, radius);
    return vni_reroute_lead(&c->route, &s, pair, 2, GAIN_OF_TWO * c->reach);
}

/// The axis of the grid that a direction is nearest to.
static vni_vec main_axis(vni_vec v) {
    vni_vec size = vni_abs_each(v);
    if (size.x >= size.y && size.x >= size.z)
        return vni_v(v.x < 0 ? -1 : 1, 0, 0);
    return size.y >= size.z ? vni_v(0, v.y < 0 ? -1 : 1, 0) : vni_v(0, 0, v.z < 0 ? -1 : 1);
}

/// Where a dip of the segment to the vertex i lies between two walls: straight through the middle, instead of
/// at an angle around the edges. Gaps in walls often lie along an axis of the grid; else square to the
/// shortest segment between the two walls. Returns the vertex to go on with, 0 if nothing has changed.
static uint32_t pass_gap(clearing* c, uint32_t i, const vni_dip* dip) {
    vni_vec sides[2], across, axis;
    trough t;
    if (!look_at(c, i - 1, i, dip, &t) || !find_sides(c, &t, sides))
        return 0;

    vni_vec middle = vni_scale(vni_add(sides[0], sides[1]), 0.5);
    uint32_t next = pass_along(c, i, middle, main_axis(t.along));
    if (next == 0 && unit(vni_sub(sides[1], sides[0]), &across) && unit_across(t.along, across, &axis))
        next = pass_along(c, i, middle, axis);

    return next;
}

// ------------------------------------------------------------------------------------------------ splitting

/// A dip of the segment to the vertex i becomes one new vertex, or two if it is long. Returns the vertex to
/// go on with, 0 if nothing has changed.
static uint32_t split_dip(clearing* c, uint32_t i, const vni_dip* dip) {
    VNI_ASSERT(i >= 1 && i < c->route.count);

    trough t;
    if (!look_at(c, i - 1, i, dip, &t))
        return 0;

    double distance = c->walls.distance, move = climb(c, t.at, t.out, t.missing);
    vni_stretch s = vni_reroute_cut(&c->route, i, i, dip->from - 0.5 * distance, dip->to + 0.5 * distance,
                                    0.5 * distance);
    uint32_t next = 0;
    if (move == 0)
        return 0;

    if (dip->to - dip->from > 2 * distance) {
        vni_vec out = vni_add_scaled(vertex(c, i - 1), t.out, move);
        const vn_point pair[2] = {to_lattice(vni_add_scaled(out, t.along, dip->from + 0.5 * t.missing)),
                                  to_lattice(vni_add_scaled(out, t.along, dip->to - 0.5 * t.missing))};
        next = vni_reroute_lead(&c->route, &s, pair, 2, GAIN_OF_TWO * c->reach);
    }

    for (int k = 0; k < 2 && next == 0; ++k, move *= 0.5) {
        vn_point p = to_lattice(vni_add_scaled(t.at, t.out, move));
        next = vni_reroute_lead(&c->route, &s, &p, 1, GAIN_OF_ONE * c->reach);
    }

    return next;
}

/// Goes through the dips below `part` of the preferred distance, each of them once.
static bool visit_dips(clearing* c, double part, uint32_t (*visit)(clearing*, uint32_t, const vni_dip*)) {
    bool changed = false;
    for (uint32_t i = 1; i < c->route.count;) {
        vni_dip dip;
        double from = 0;
        uint32_t next = 0;
        while (next == 0 && next_dip(c, c->route.points[i - 1], c->route.points[i], part, &from, &dip))
            next = visit(c, i, &dip);

        changed |= next != 0;
        i = next ? next : i + 1;
    }

    return changed;
}

// ------------------------------------------------------------------------------------------------- rounding

/// A vertex at which the route bends around an edge becomes one to three on a circle around it. Returns how
/// many, 0 if nothing has changed.
static uint32_t round_corner(clearing* c, uint32_t i) {
    VNI_ASSERT(i >= 1 && i + 1 < c->route.count);

    vni_vec v = vertex(c, i), in, on, out, along;
    if (!unit(vni_sub(v, vertex(c, i - 1)), &in) || !unit(vni_sub(vertex(c, i + 1), v), &on) ||
        !unit(vni_sub(in, on), &out) || !unit(vni_add(in, on), &along))
        return 0;

    // Half of the turn lies between `in` and `along`. The outer ones of two lie a half of that off the
    // middle, so that the segments touch the circle; of three, all of it.
    double cosine = vni_clamp(vni_dot(in, along), 0.1, 1);
    uint32_t count = cosine > 0.94 ? 1 : cosine > 0.64 ? 2 : 3;
    double off = count == 1 ? 1 : count == 2 ? sqrt(0.5 * (1 + cosine)) : cosine;
    double away = count == 1 ? 1 / cosine : count == 2 ? 1 / off : 1.05;
    vni_vec middle = vni_scale(out, off), side = vni_scale(along, sqrt(1 - off * off));

    double cost = vni_reroute_corner_cost(&c->route, i);
    for (double radius = c->walls.distance; radius > 0.3 * c->walls.distance; radius *= 0.5) {
        vn_point chain[3];
        chain[0] = to_lattice(vni_add_scaled(v, vni_sub(middle, side), radius * away));
        chain[1] = to_lattice(vni_add_scaled(v, out, radius * away));
        chain[count - 1] = to_lattice(vni_add_scaled(v, vni_add(middle, side), radius * away));
        if (vni_reroute_replace(&c->route, i, i + 1, chain, count, &cost))
            return count;
    }

    return 0;
}

static void round_corners(clearing* c) {
    for (uint32_t i = 1; i + 1 < c->route.count; ++i)
        if (vni_clearance_missing(&c->walls, vertex(c, i)) > 0.1) {
            uint32_t count = round_corner(c, i);
            i += count > 1 ? count - 1 : 0;
        }
}

// --------------------------------------------------------------------------------------------------- moving

static bool move_vertex(clearing* c, uint32_t i, vni_vec move, double* cost) {
    vn_point p = to_lattice(vni_add(vertex(c, i), move));
    return vni_reroute_replace(&c->route, i, i + 1, &p, 1, cost);
}

/// The worst dip of the two segments at a vertex, if it lies in the nearer part of them; `share` is how far a
/// move of the vertex moves that place.
static bool worst_dip(clearing* c, uint32_t i, trough* t, double* share) {
    VNI_ASSERT(i >= 1 && i + 1 < c->route.count);

    bool found = false;
    double least = HUGE_VAL;
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t other = k ? i + 1 : i - 1;
        double length = vni_length(vni_sub(vertex(c, i), vertex(c, other))), from = 0;
        vni_dip dip;
        while (next_dip(c, c->route.points[other], c->route.points[i], 0.98, &from, &dip)) {
            trough here;
            if (dip.deepest < 0.3 * length || dip.least >= least || !look_at(c, other, i, &dip, &here))
                continue;

            found = true;
            least = dip.least;
            *t = here;
            *share = dip.deepest / length;
        }
    }

    return found;
}

/// Away from the wall that its segments come nearest to.
static bool move_out(clearing* c, uint32_t i) {
    trough t;
    double share;
    if (!worst_dip(c, i, &t, &share))
        return false;

    double step = climb(c, t.at, t.out, t.missing) / share;
    if (step == 0)
        return false;

    double cost = vni_reroute_corner_cost(&c->route, i) - GAIN_OF_MOVE * c->reach;
    return move_vertex(c, i, vni_scale(t.out, step), &cost) ||
           move_vertex(c, i, vni_scale(t.out, 0.5 * step), &cost);
}

static bool move_all_out(clearing* c) {
    bool changed = false;
    for (uint32_t i = 1; i + 1 < c->route.count; ++i)
        changed |= move_out(c, i);
    return changed;
}

/// Where walls make a corner expensive from more than one side: a search in three directions, step by step.
static void search_around(clearing* c, uint32_t i) {
    trough t;
    double share, length = vni_polyline_length(c->route.points + i - 1, 3) * c->route.cost->least,
                  cost = vni_reroute_corner_cost(&c->route, i);
    vni_vec across;
    if (cost < length + 0.2 * c->reach || !worst_dip(c, i, &t, &share) ||
        !unit(vni_cross(vni_sub(vertex(c, i + 1), vertex(c, i - 1)), t.out), &across))
        return;

    const vni_vec directions[3] = {t.out, vni_cross(t.out, across), across};
    for (double step = 0.5 * c->walls.distance; step > 0.1 * c->walls.distance; step *= 0.5)
        for (int k = 0; k < 3; ++k)
            if (!move_vertex(c, i, vni_scale(directions[k], step), &cost))
                move_vertex(c, i, vni_scale(directions[k], -step), &cost);
}

/// Towards the chord of its neighbours, if the vertex has been moved out too far.
static void pull_in(clearing* c, uint32_t i) {
    vni_vec a = vertex(c, i - 1), v = vertex(c, i), b = vertex(c, i + 1), chord = vni_sub(b, a);
    double before = vni_length(vni_sub(v, a)), after = vni_length(vni_sub(b, v));
    if (before + after <= vni_length(chord) + 0.05 * c->walls.distance)
        return;

    vni_vec in = vni_sub(vni_add_scaled(a, chord, before / (before + after)), v);
    double cost = vni_reroute_corner_cost(&c->route, i);
    if (!move_vertex(c, i, vni_scale(in, 0.5), &cost))
        move_vertex(c, i, vni_scale(in, 0.25), &cost);
}

// ---------------------------------------------------------------------------------------------- all of them

/// Voxels. Each try walks along a whole segment, so longer ones are cut first, and made whole again at the
/// end.
#define LONGEST_SEGMENT 4096.0

static bool is_too_long(vn_point a, vn_point b) {
    return vni_steps_between(a, b) > vni_voxels_to_steps(1.5 * LONGEST_SEGMENT);
}

/// Puts vertices into long segments, as far as the capacity allows. Returns whether it did.
static bool cut_long_segments(vni_reroute* route) {
    uint32_t before = route->count;
    for (uint32_t i = 0; i + 1 < route->count && route->count < route->capacity; ++i) {
        vn_point a = route->points[i], b = route->points[i + 1];
        if (!is_too_long(a, b))
            continue;

        vni_vec from = vni_v_of_point(a), along = vni_sub(vni_v_of_point(b), from);
        vn_point cut = vni_point_of_v(
            vni_add_scaled(from, along, vni_voxels_to_steps(LONGEST_SEGMENT) / vni_length(along)));
        if (!vni_is_free_corner(route->occupancy, a, cut, b))
            continue;

        memmove(route->points + i + 2, route->points + i + 1, (route->count - i - 1) * sizeof *route->points);
        route->points[i + 1] = cut;
        ++route->count;
    }

    return route->count > before;
}

static void thin_out(clearing* c, double loss) {
    for (uint32_t i = 1; i + 1 < c->route.count;)
        if (is_too_long(c->route.points[i - 1], c->route.points[i + 1]) ||
            !vni_reroute_drop(&c->route, i, loss))
            ++i;
}

uint32_t vni_refine_clear(const vni_occupancy* occupancy, const vni_cost* cost, double distance,
                          vn_point* points, uint32_t count, uint32_t capacity, const vn_point* low,
                          const vn_point* high) {
    VNI_ASSERT(distance > 0 && vni_is_finite(distance));

    clearing c;
    if (count < 2)
        return count;

    vni_reroute_begin(&c.route, occupancy, cost, points, count, capacity, low, high);
    c.walls = (vni_clearance){occupancy, distance, 1};
    c.reach = vni_voxels_to_steps(distance);
    bool was_cut = cut_long_segments(&c.route);

    // Coarse to fine: gaps decide where the route runs, then corners get their curves, then dips that are
    // left get vertices. Searching around every vertex is the most expensive pass and comes when few changes
    // are left.
    visit_dips(&c, 0.5, pass_gap);

    round_corners(&c);
    for (int round = 0; round < ROUNDS; ++round) {
        bool changed = visit_dips(&c, 0.9, split_dip);
        changed |= move_all_out(&c);
        if (!changed)
            break;
    }

    for (uint32_t i = 1; i + 1 < c.route.count; ++i)
        search_around(&c, i);

    // First what costs nothing to drop; pulling in may make more of them cheap enough.
    thin_out(&c, 0);
    for (uint32_t i = 1; i + 1 < c.route.count; ++i)
        pull_in(&c, i);

    thin_out(&c, LOSS_OF_DROP * c.reach);
    return was_cut ? vni_refine_prune(occupancy, cost, points, c.route.count) : c.route.count;
}
