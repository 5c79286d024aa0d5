/// path/refine.c: prune, pull, bypass.
#include "path/refine.h"
#include "space/sight.h"

double vni_polyline_length(const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_steps_between(points[i - 1], points[i]);
    return sum;
}

double vni_way_cost(const vni_cost* cost, vn_point a, vn_point b) {
    return cost ? cost->segment(cost->self, a, b) * VN_LATTICE : vni_steps_between(a, b);
}

double vni_polyline_cost(const vni_cost* cost, const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        sum += vni_way_cost(cost, points[i - 1], points[i]);
    return sum;
}

/// Is it free to go straight from a to b, and no dearer than `limit`? Without a cost the straight way is
/// never longer.
static bool may_shorten(const vni_occupancy* occupancy, const vni_cost* cost, vn_point a, vn_point b,
                        double limit) {
    return (!cost || vni_way_cost(cost, a, b) <= limit) && vni_sight(occupancy, a, b);
}

uint32_t vni_refine_prune(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count) {
    if (count < 3)
        return count;
    uint32_t kept = 1, last = 1;
    double along = cost ? vni_way_cost(cost, points[0], points[1]) : 0; // from the last kept point to `last`
    for (uint32_t i = 2; i < count; ++i) {
        double step = cost ? vni_way_cost(cost, points[i - 1], points[i]) : 0;
        if (vni_is_same_point(points[i], points[i - 1]) ||
            may_shorten(occupancy, cost, points[kept - 1], points[i], along + step)) {
            along = cost ? vni_way_cost(cost, points[kept - 1], points[i]) : 0;
        } else {
            points[kept++] = points[last];
            along = step;
        }
        last = i;
    }
    points[kept++] = points[last];
    VNI_ASSERT(kept <= count);
    return kept;
}

bool vni_is_free_corner(const vni_occupancy* occupancy, vn_point a, vn_point v, vn_point b) {
    return vni_point_is_plain(occupancy, v) && vni_sight(occupancy, a, v) && vni_sight(occupancy, v, b);
}

/// The point of the chord that divides it as the ways from v to its ends do.
static vni_vec chord_point(vn_point a, vn_point v, vn_point b) {
    double before = vni_steps_between(a, v), after = vni_steps_between(v, b), sum = before + after;
    double t = sum > 0 ? before / sum : 0;
    return vni_add_scaled(vni_v_of_point(a), vni_sub(vni_v_of_point(b), vni_v_of_point(a)), t);
}

static bool pull_vertex(const vni_occupancy* occupancy, const vni_cost* cost, vn_point a, vn_point* v,
                        vn_point b, uint32_t halvings) {
    vni_vec from = vni_v_of_point(*v), towards = vni_sub(chord_point(a, *v, b), from);
    double moved = 0, step = 1;
    vn_point best = *v;
    double length = vni_way_cost(cost, a, best) + vni_way_cost(cost, best, b);
    for (uint32_t i = 0; i < halvings; ++i) {
        step *= 0.5;
        vn_point tried = vni_point_of_v(vni_add_scaled(from, towards, moved + step));
        double shorter = vni_way_cost(cost, a, tried) + vni_way_cost(cost, tried, b);
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

/// Two unit vectors across the chord.
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
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= occupancy->dims[0] * VN_LATTICE &&
           p.y <= occupancy->dims[1] * VN_LATTICE && p.z <= occupancy->dims[2] * VN_LATTICE;
}

/// No space is wider, and what is this far from a point of it still fits in an int32.
#define FARTHEST ((double)((1 << 30) - 1))

/// A side of a chord: where vertices are tried, and between which ends.
typedef struct side {
    vn_point a, b;
    vni_vec middle, direction;
} side;

static vn_point vertex_at(const side* s, double radius) {
    return vni_point_of_v(vni_add_scaled(s->middle, s->direction, radius));
}

/// Comes nearer to the chord from a free vertex at `radius` as long as that is cheaper. Returns the cost of
/// the best vertex found.
static double come_nearer(const vni_occupancy* occupancy, const vni_cost* cost, const side* s, double radius,
                          vn_point* vertex) {
    double in = 0, out = radius, best = vni_way_cost(cost, s->a, *vertex) + vni_way_cost(cost, *vertex, s->b);
    for (int halving = 0; halving < 5; ++halving) {
        double r = 0.5 * (in + out);
        vn_point tried = vertex_at(s, r);
        double nearer = vni_way_cost(cost, s->a, tried) + vni_way_cost(cost, tried, s->b);
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

/// A vertex between a and b that costs less than `limit` in all, on one of 8 sides of the chord: the cheapest
/// found. The first try is as far out as it could still be shorter; where zones make the limit large, that
/// may be far outside, so that more tries follow nearer by.
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
        for (int tries = cost ? 6 : 1; tries > 0; --tries, radius *= 0.5) {
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

uint32_t vni_refine_bypass(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                           uint32_t count) {
    for (uint32_t span = 2; span >= 1; --span)
        for (uint32_t i = 0; i + span + 1 < count; ++i) {
            vn_point vertex;
            double limit = vni_polyline_cost(cost, points + i, span + 2);
            if (!find_bypass(occupancy, cost, points[i], points[i + span + 1], limit, &vertex))
                continue;
            points[i + 1] = vertex;
            for (uint32_t k = i + 2; span == 2 && k + 1 < count; ++k)
                points[k] = points[k + 1];
            count -= span - 1;
        }
    return count;
}

uint32_t vni_refine_split(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count, uint32_t capacity) {
    for (uint32_t i = 0; i + 1 < count && count < capacity; ++i) {
        vn_point a = points[i], b = points[i + 1];
        vn_point middle = {(int32_t)(((int64_t)a.x + b.x) / 2), (int32_t)(((int64_t)a.y + b.y) / 2),
                           (int32_t)(((int64_t)a.z + b.z) / 2)};
        if (vni_way_cost(cost, a, b) <= vni_steps_between(a, b) * (1 + 1e-9) ||
            !vni_is_free_corner(occupancy, a, middle, b))
            continue;
        for (uint32_t k = count++; k > i + 1; --k)
            points[k] = points[k - 1];
        points[++i] = middle;
    }
    return count;
}
