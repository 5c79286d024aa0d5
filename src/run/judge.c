/// run/judge.c: least distances within a step.
#include "run/run_inside.h"

static double dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vn_dvec3 along(vn_dvec3 a, vn_dvec3 b, double s) {
    return vni_sum(a, vni_scaled(vni_difference(b, a), s));
}

double vni_judge_points(vn_dvec3 p, vn_dvec3 q, vn_dvec3 a, vn_dvec3 b) {
    const vn_dvec3 from = vni_difference(p, a), to = vni_difference(q, b), way = vni_difference(to, from);
    const double square = dot(way, way);
    double s = square > 0 ? -dot(from, way) / square : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return vni_length(along(from, to, s));
}

static double beyond(double x, float low, float high) {
    return x < (double)low ? (double)low - x : x > (double)high ? x - (double)high : 0;
}

static double from_box(vn_dvec3 p, const vn_box* b) {
    return vni_length((vn_dvec3){beyond(p.x, b->min.x, b->max.x), beyond(p.y, b->min.y, b->max.y),
                                 beyond(p.z, b->min.z, b->max.z)});
}

double vni_judge_box(vn_dvec3 p, vn_dvec3 q, const vn_box* box) {
    // The distance from a convex shape is convex along a segment: thirds close in on its least.
    double low = 0, high = 1;
    const int rounds = vni_length(vni_difference(q, p)) > 0 ? 70 : 0;
    for (int i = 0; i < rounds; ++i) {
        const double first = low + (high - low) / 3, second = high - (high - low) / 3;
        if (from_box(along(p, q, first), box) <= from_box(along(p, q, second), box))
            high = second;
        else
            low = first;
    }
    return from_box(along(p, q, 0.5 * (low + high)), box);
}

/// A point in the frame of a transform with scale 1.
static vn_dvec3 in_frame(const vn_transform* t, vn_dvec3 p) {
    const vn_dvec3 v = vni_difference(p, vni_exact(t->position));
    const double x = -(double)t->rotation.x, y = -(double)t->rotation.y, z = -(double)t->rotation.z,
                 w = (double)t->rotation.w;
    const vn_dvec3 c = {2 * (y * v.z - z * v.y), 2 * (z * v.x - x * v.z), 2 * (x * v.y - y * v.x)};
    return (vn_dvec3){v.x + w * c.x + y * c.z - z * c.y, v.y + w * c.y + z * c.x - x * c.z,
                      v.z + w * c.z + x * c.y - y * c.x};
}

static double from_shape(vn_dvec3 p, const vn_shape* shape) {
    if (shape->kind == VN_SHAPE_BOX)
        return from_box(p, &shape->as.box);
    const double d =
        vni_length(vni_difference(p, vni_exact(shape->as.sphere.center))) - (double)shape->as.sphere.radius;
    return d > 0 ? d : 0;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

double vni_judge_depth(vn_dvec3 p, const vn_shape* shape, const vn_transform* transform) {
    const vn_dvec3 own = in_frame(transform, p);
    if (shape->kind != VN_SHAPE_BOX)
        return vni_length(vni_difference(own, vni_exact(shape->as.sphere.center))) -
               (double)shape->as.sphere.radius;

    const vn_dvec3 below = vni_difference(vni_exact(shape->as.box.min), own),
                   above = vni_difference(own, vni_exact(shape->as.box.max));
    const double face =
        larger(larger(larger(below.x, above.x), larger(below.y, above.y)), larger(below.z, above.z));
    return face > 0 ? from_box(own, &shape->as.box) : face;
}

static double distance_at(vn_dvec3 p, vn_dvec3 q, const vni_judge_mover* mover, double s) {
    const vn_transform t = mover->at(mover->user, s);
    return from_shape(in_frame(&t, along(p, q, s)), mover->shape);
}

/// Something not below the least distance, and as a rule close to it: around the nearest of a few moments the
/// interval is divided again and again.
static double guess_least(vn_dvec3 p, vn_dvec3 q, const vni_judge_mover* mover) {
    double least = HUGE_VAL, low = 0, high = 1;
    for (int round = 0; round < 12; ++round) {
        const double width = high - low;
        double best = low;
        for (int i = 0; i <= 4; ++i) {
            const double s = low + 0.25 * i * width, d = distance_at(p, q, mover, s);
            if (d < least) {
                least = d;
                best = s;
            }
        }
        low = best - 0.25 * width > 0 ? best - 0.25 * width : 0;
        high = best + 0.25 * width < 1 ? best + 0.25 * width : 1;
    }
    return least;
}

/// Neither turns nor turns back: it has gone as far as it can in a straight line. `*from` and `*to` are the
/// ends of the point's way as the shape sees it.
static bool is_straight(vn_dvec3 p, vn_dvec3 q, const vni_judge_mover* mover, vn_dvec3* from, vn_dvec3* to) {
    const vn_transform a = mover->at(mover->user, 0), b = mover->at(mover->user, 0.5),
                       c = mover->at(mover->user, 1);
    const vn_quat r = a.rotation, s = b.rotation, t = c.rotation;
    const bool turns = r.x != s.x || r.y != s.y || r.z != s.z || r.w != s.w || r.x != t.x || r.y != t.y ||
                       r.z != t.z || r.w != t.w;
    *from = in_frame(&a, p);
    *to = in_frame(&c, q);
    return !turns &&
           vni_length(vni_difference(vni_exact(c.position), vni_exact(a.position))) >= mover->reach - 1e-4;
}

double vni_judge_mover_distance(vn_dvec3 p, vn_dvec3 q, const vni_judge_mover* mover, double enough) {
    const double fastest = mover->reach + vni_length(vni_difference(q, p));
    const double first = distance_at(p, q, mover, 0);
    vn_dvec3 from, to;
    if (first - fastest >= enough)
        return first;
    if (mover->shape->kind == VN_SHAPE_BOX && is_straight(p, q, mover, &from, &to))
        return vni_judge_box(from, to, &mover->shape->as.box);

    // Leaps are short while the distance falls to a new least: a good guess of that makes them long.
    double least = guess_least(p, q, mover), s = 0;
    for (;;) {
        const double d = distance_at(p, q, mover, s);
        least = d < least ? d : least;
        if (s >= 1 || least == 0)
            return least;

        // Until then the distance cannot fall below what is of interest: `enough`, or the least so far.
        const double spare = d - (least < enough ? least : enough);
        const double leap = ((spare > 0 ? spare : 0) + 1e-6) / (fastest > 1e-6 ? fastest : 1e-6);
        s = s + leap < 1 ? s + leap : 1;
    }
}
