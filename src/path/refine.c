/// path/refine.c: prune, pull, bypass.
///
/// Prune is the greedy walk by line of sight that any-angle methods use as post-smoothing (compare
/// path/shorten.h), here with a cost and with steps that grow. Pull is a bisection towards the chord of the
/// neighbours. Bypass tries the other sides of an obstacle, which no continuous change of the polyline would
/// reach.
#include "path/refine.h"
#include "geom/units.h"
#include "probe/sight.h"

#include <string.h>

double vni_polyline_length(const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_steps_between(points[i - 1], points[i]);
    return sum;
}

double vni_leg_cost(const vni_cost* cost, vn_point a, vn_point b) {
    return cost != NULL ? vni_voxels_to_steps(cost->segment(cost->self, a, b)) : vni_steps_between(a, b);
}

double vni_polyline_cost(const vni_cost* cost, const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_leg_cost(cost, points[i - 1], points[i]);
    return sum;
}

/// Points that a shortcut passes over one by one. Beyond them it tries twice as many each time: a try costs
/// as much as the segment is long, so trying each of n points would cost the square of n.
#define ONE_BY_ONE 128

/// A straight segment that grows along the points: it replaces those from `first` to `last`.
typedef struct shortcut {
    const vni_occupancy* occupancy;
    const vni_cost* cost; ///< null: its length
    const vn_point* points;
    vn_point from; ///< the point `first`, which may have been overwritten in the array
    uint32_t first, last;
    uint32_t bad; ///< a point that it does not reach; 0: none is known
    double along; ///< what it costs, if there is a cost
} shortcut;

/// Begins a new shortcut at the last point of the old one.
static void begin_shortcut(shortcut* s) {
    s->from = s->points[s->last];
    s->first = s->last++;
    s->bad = 0;
    s->along = s->cost != NULL ? vni_leg_cost(s->cost, s->from, s->points[s->last]) : 0;
}

/// The point that is tried next. Once a point is out of reach, the gap to it is halved.
static uint32_t next_try(const shortcut* s, uint32_t count) {
    uint32_t passed = s->last - s->first, most = count - 1 - s->last;
    if (s->bad)
        return s->last + (s->bad - s->last) / 2;
    uint32_t step = passed < ONE_BY_ONE ? 1 : passed;
    return s->last + (step < most ? step : most);
}

/// Extends the shortcut to a point beyond the last, if that is free and costs no more than the route over the
/// points. Without a cost a straight segment is never longer.
static bool reach(shortcut* s, uint32_t to) {
    VNI_ASSERT(to > s->last);

    const vn_point target = s->points[to];
    bool repeats = to == s->last + 1 && vni_is_same_point(target, s->points[s->last]);
    double straight = s->cost != NULL ? vni_leg_cost(s->cost, s->from, target) : 0;
    if (s->cost != NULL && !repeats &&
        straight > s->along + vni_polyline_cost(s->cost, s->points + s->last, to - s->last + 1))
        return false;
    if (!repeats && !vni_sight(s->occupancy, s->from, target))
        return false;

    s->last = to;
    s->along = straight;
    return true;
}

uint32_t vni_refine_prune(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count) {
    if (count < 3)
        return count;
    shortcut s = {.occupancy = occupancy, .cost = cost, .points = points};
    uint32_t kept = 1;

    begin_shortcut(&s);
    // bad == last + 1: the neighbour is out of reach, so the shortcut ends here.
    while (s.last + 1 < count) {
        if (s.bad != s.last + 1) {
            uint32_t to = next_try(&s, count);
            s.bad = reach(&s, to) ? s.bad : to;
            continue;
        }

        points[kept++] = points[s.last];
        begin_shortcut(&s);
    }

    points[kept++] = points[s.last];
    VNI_ASSERT(kept <= count);

    return kept;
}

bool vni_is_free_corner(const vni_occupancy* occupancy, vn_point a, vn_point v, vn_point b) {
    return vni_point_is_plain(occupancy, v) && vni_sight(occupancy, a, v) && vni_sight(occupancy, v, b);
}

/// The point of the chord that divides it as the segments from v to its ends do: the shortest route over the
/// chord leaves v in its direction.
static vni_vec chord_point(vn_point a, vn_point v, vn_point b) {
    double before = vni_steps_between(a, v), after = vni_steps_between(v, b), sum = before + after;
    double t = sum > 0 ? before / sum : 0;
    return vni_add_scaled(vni_v_of_point(a), vni_sub(vni_v_of_point(b), vni_v_of_point(a)), t);
}

static bool pull_vertex(const vni_occupancy* occupancy, const vni_cost* cost, vn_point a, vn_point* v,
                        vn_point b, uint32_t halvings) {
    vni_vec from = vni_v_of_point(*v), towards = vni_sub(chord_point(a, *v, b), from);
    // Bisection: a step is kept if the corner is shorter and free, and the next one is half as long either
    // way.
    double moved = 0, step = 1;
    vn_point best = *v;
    double length = vni_leg_cost(cost, a, best) + vni_leg_cost(cost, best, b);
    for (uint32_t i = 0; i < halvings; ++i) {
        step *= 0.5;
        vn_point tried = vni_point_of_v(vni_add_scaled(from, towards, moved + step));
        double shorter = vni_leg_cost(cost, a, tried) + vni_leg_cost(cost, tried, b);
        if (shorter < length && vni_is_free_corner(occupancy, a, tried, b)) {
            moved += step;
            best = tried;
            length = shorter;
        }
    }

    bool changed = !vni_is_same_point(best, *v);
    *v = best;
    return changed;
}

bool vni_refine_pull(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points, uint32_t count,
                     uint32_t halvings) {
    VNI_ASSERT(halvings <= 32);
    bool changed = false;
    for (uint32_t i = 1; i + 1 < count; ++i)
        changed |= pull_vertex(occupancy, cost, points[i - 1], &points[i], points[i + 1], halvings);
    return changed;
}

// ----------------------------------------------------------------------------------------------- bypass

/// Two unit vectors square to the chord and to each other.
static bool across(vni_vec chord, vni_vec* u, vni_vec* w) {
    double length = vni_length(chord);
    if (length == 0)
        return false;

    vni_vec d = vni_scale(chord, 1 / length);
    vni_vec helper = vni_abs(d.x) < 0.6 ? vni_v(1, 0, 0) : vni_v(0, 1, 0);
    vni_vec side = vni_cross(d, helper);
    *u = vni_scale(side, 1 / vni_length(side));
    *w = vni_cross(d, *u);

    return true;
}

static bool is_inside(const vni_occupancy* occupancy, vn_point p) {
    return vni_point_is_within(p, occupancy->dims);
}

/// No space is wider, and a point this far from one of its points still fits in an int32.
#define FARTHEST ((double)((1 << 30) - 1))

/// A side of a chord: where vertices are tried, and between which ends.
typedef struct side {
    vn_point a, b;
    vni_vec middle, direction;
} side;

static vn_point vertex_at(const side* s, double radius) {
    return vni_point_of_v(vni_add_scaled(s->middle, s->direction, radius));
}

/// Moves a free vertex at `radius` towards the chord as long as that is cheaper, by halving. Returns the cost
/// of the best vertex found.
static double come_nearer(const vni_occupancy* occupancy, const vni_cost* cost, const side* s, double radius,
                          vn_point* vertex) {
    double in = 0, out = radius, best = vni_leg_cost(cost, s->a, *vertex) + vni_leg_cost(cost, *vertex, s->b);
    for (int halving = 0; halving < 5; ++halving) {
        double r = 0.5 * (in + out);
        vn_point tried = vertex_at(s, r);
        double nearer = vni_leg_cost(cost, s->a, tried) + vni_leg_cost(cost, tried, s->b);
        if (nearer < best && vni_is_free_corner(occupancy, s->a, tried, s->b)) {
            *vertex = tried;
            best = nearer;
            out = r;
        } else {
            in = r;
        }
    }

    return best;
}

/// The cheapest vertex found between a and b, on one of 8 sides of the chord, that costs less than `limit` in
/// all. The first try is as far out as it could still be shorter: on the ellipsoid with the foci a and b.
/// Where zones make the limit large, that may be far outside, so more tries follow nearer by.
static bool find_bypass(const vni_occupancy* occupancy, const vni_cost* cost, vn_point a, vn_point b,
                        double limit, vn_point* out) {
    static const double half_root = 0.70710678118654752440;
    static const double sides[8][2] = {{1, 0},  {half_root, half_root},   {0, 1},  {-half_root, half_root},
                                       {-1, 0}, {-half_root, -half_root}, {0, -1}, {half_root, -half_root}};
    vni_vec chord = vni_sub(vni_v_of_point(b), vni_v_of_point(a)), u, w;
    side s = {a, b, vni_add_scaled(vni_v_of_point(a), chord, 0.5), {0, 0, 0}};
    double straight = vni_length(chord), best = limit;
    bool found = false;

    if (!across(chord, &u, &w) || limit <= straight)
        return false;
    for (int i = 0; i < 8; ++i) {
        double radius = 0.5 * sqrt(limit * limit - straight * straight) * 0.98;
        radius = radius < FARTHEST ? radius : FARTHEST;
        s.direction = vni_add(vni_scale(u, sides[i][0]), vni_scale(w, sides[i][1]));
        for (int tries = cost != NULL ? 6 : 1; tries > 0; --tries, radius *= 0.5) {
            vn_point vertex = vertex_at(&s, radius);
            if (!is_inside(occupancy, vertex) || !vni_is_free_corner(occupancy, a, vertex, b))
                continue;

            double reached = come_nearer(occupancy, cost, &s, radius, &vertex);
            if (reached < best) {
                best = reached;
                *out = vertex;
                found = true;
            }
        }
    }

    return found;
}

/// One pass over the points: `span` of them at a time are replaced by one. Writes behind where it reads.
static uint32_t bypass_all(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                           uint32_t count, uint32_t span) {
    VNI_ASSERT(span == 1 || span == 2);

    uint32_t kept = 1, next = 1; // points[kept - 1] comes before points[next]
    for (; next + span < count; ++kept) {
        const vn_point a = points[kept - 1], b = points[next + span];
        vn_point vertex, chain[4] = {a, points[next], points[next + 1], b}; // the last only for two
        double limit = vni_polyline_cost(cost, chain, span + 2);
        bool found = find_bypass(occupancy, cost, a, b, limit, &vertex);
        points[kept] = found ? vertex : points[next];
        next += found ? span : 1;
    }

    memmove(points + kept, points + next, (count - next) * sizeof *points);
    return kept + (count - next);
}

uint32_t vni_refine_bypass(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                           uint32_t count) {
    if (count < 3)
        return count;
    count = bypass_all(occupancy, cost, points, count, 2);
    return bypass_all(occupancy, cost, points, count, 1);
}

uint32_t vni_refine_split(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count, uint32_t capacity) {
    VNI_ASSERT(count <= capacity);

    if (count < 2)
        return count;
    uint32_t next = capacity - count, kept = 0; // read from the end of the array: new points fit in front
    memmove(points + next, points, count * sizeof *points);

    points[kept++] = points[next++];
    for (; next < capacity; ++next) {
        vn_point a = points[kept - 1], b = points[next];
        vn_point middle = {(int32_t)(((int64_t)a.x + b.x) / 2), (int32_t)(((int64_t)a.y + b.y) / 2),
                           (int32_t)(((int64_t)a.z + b.z) / 2)};
        if (kept < next && vni_leg_cost(cost, a, b) > vni_steps_between(a, b) * (1 + 1e-9) &&
            vni_is_free_corner(occupancy, a, middle, b))
            points[kept++] = middle;

        points[kept++] = b;
    }

    return kept;
}
