/// path/segment.c: a segment against boxes, balls and triangles.
///
/// The distance of a point on the segment to a convex shape is a convex function of its place t. Each shape
/// gets the method that loses the least accuracy, not the fastest: the checker is the last line of defence.
#include "path/segment.h"
#include "base/assert.h"

vni_segment vni_segment_make(vni_vec a, vni_vec b) {
    vni_segment segment = {a, vni_sub(b, a), vni_min(a, b), vni_max(a, b), 0.0};
    segment.length2 = vni_length2(segment.along);
    return segment;
}

vni_vec vni_segment_point(const vni_segment* segment, double at) {
    return vni_add_scaled(segment->from, segment->along, at);
}

vni_nearest vni_nearer(vni_nearest a, vni_nearest b) {
    if (a.distance != b.distance)
        return a.distance < b.distance ? a : b;
    return a.at <= b.at ? a : b;
}

/// The place on the segment that is nearest to a point.
static double place_near(const vni_segment* segment, vni_vec point) {
    if (segment->length2 == 0.0)
        return 0.0;
    return vni_clamp(vni_dot(vni_sub(point, segment->from), segment->along) / segment->length2, 0.0, 1.0);
}

static vni_nearest measure(const vni_segment* segment, double at, vni_vec point) {
    VNI_ASSERT(at >= 0.0 && at <= 1.0);
    vni_nearest result = {vni_length(vni_sub(vni_segment_point(segment, at), point)), at};
    return result;
}

// ------------------------------------------------------------------------------------------------ boxes

/// How far x lies outside [low, high].
static double outside(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0.0;
}

static vni_nearest measure_box(const vni_segment* segment, double at, vni_vec min, vni_vec max) {
    vni_vec p = vni_segment_point(segment, at);
    vni_vec gap = vni_v(outside(p.x, min.x, max.x), outside(p.y, min.y, max.y), outside(p.z, min.z, max.z));
    vni_nearest result = {vni_length(gap), at};
    return result;
}

/// Adds the places in (0, 1) where x passes `low` and `high` to the sorted list.
static int add_breaks(double from, double along, double low, double high, double* breaks, int count) {
    if (along == 0.0)
        return count;
    const double places[2] = {(low - from) / along, (high - from) / along};
    for (int k = 0; k < 2; ++k) {
        if (!(places[k] > 0.0 && places[k] < 1.0))
            continue;
        int i = count++;
        for (; i > 0 && breaks[i - 1] > places[k]; --i)
            breaks[i] = breaks[i - 1];
        breaks[i] = places[k];
    }

    return count;
}

/// Adds the terms of one axis to the slope of the squared distance, slope(t) / 2 = a t + b, valid around
/// `middle`.
static void add_slope(double from, double along, double low, double high, double middle, double* a,
                      double* b) {
    double x = from + along * middle;
    if (x >= low && x <= high)
        return;
    *a += along * along;
    *b += along * (from - (x < low ? low : high));
}

/// The nearest place between two neighbouring breaks, within which the squared distance is one parabola, or
/// constant.
static double lowest_between(const vni_segment* segment, vni_vec min, vni_vec max, double begin, double end) {
    double a = 0.0, b = 0.0, middle = 0.5 * (begin + end);
    add_slope(segment->from.x, segment->along.x, min.x, max.x, middle, &a, &b);
    add_slope(segment->from.y, segment->along.y, min.y, max.y, middle, &a, &b);
    add_slope(segment->from.z, segment->along.z, min.z, max.z, middle, &a, &b);
    return a > 0.0 ? vni_clamp(-b / a, begin, end) : begin;
}

vni_nearest vni_segment_box(const vni_segment* segment, vni_vec min, vni_vec max) {
    VNI_ASSERT(min.x <= max.x && min.y <= max.y && min.z <= max.z);

    // The squared distance to a box is a sum of squares, one for each axis on which the point lies outside.
    // Which axes count changes where the segment crosses one of the six planes of the box: between those
    // breaks the sum is one parabola, whose lowest place is known.
    double breaks[8] = {0.0};
    int count = 1;
    count = add_breaks(segment->from.x, segment->along.x, min.x, max.x, breaks, count);
    count = add_breaks(segment->from.y, segment->along.y, min.y, max.y, breaks, count);
    count = add_breaks(segment->from.z, segment->along.z, min.z, max.z, breaks, count);
    breaks[count] = 1.0;
    VNI_ASSERT(count < 8);

    vni_nearest best = measure_box(segment, 0.0, min, max);
    for (int i = 0; i < count; ++i) {
        double at = lowest_between(segment, min, max, breaks[i], breaks[i + 1]);
        best = vni_nearer(best, measure_box(segment, at, min, max));
        best = vni_nearer(best, measure_box(segment, breaks[i + 1], min, max));
    }

    return best;
}

double vni_segment_box_at_least(const vni_segment* segment, vni_vec min, vni_vec max, double limit) {
    vni_vec below = vni_sub(min, segment->max), above = vni_sub(segment->min, max);
    vni_vec gap = vni_max(vni_max(below, above), vni_v(0.0, 0.0, 0.0));
    double least = vni_length(gap);
    return least > limit ? least : vni_segment_box(segment, min, max).distance;
}

/// Narrows [begin, end] to where x lies in [low, high]; false if nothing is left.
static bool clip_axis(double from, double along, double low, double high, double* begin, double* end) {
    if (low > high)
        return false;
    if (along == 0.0)
        return from >= low && from <= high;

    double in = ((along > 0.0 ? low : high) - from) / along;
    double out = ((along > 0.0 ? high : low) - from) / along;
    *begin = in > *begin ? in : *begin;
    *end = out < *end ? out : *end;
    return *begin <= *end;
}

bool vni_segment_meets_box(const vni_segment* segment, vni_vec min, vni_vec max, double* at) {
    double begin = 0.0, end = 1.0;
    bool met = clip_axis(segment->from.x, segment->along.x, min.x, max.x, &begin, &end) &&
               clip_axis(segment->from.y, segment->along.y, min.y, max.y, &begin, &end) &&
               clip_axis(segment->from.z, segment->along.z, min.z, max.z, &begin, &end);
    if (met)
        *at = begin;

    return met;
}

// ------------------------------------------------------------------------------------------------ balls

vni_nearest vni_segment_ball(const vni_segment* segment, vni_vec center, double radius) {
    VNI_ASSERT(radius >= 0.0);

    vni_nearest result = measure(segment, place_near(segment, center), center);
    if (result.distance > radius) {
        result.distance -= radius;
        return result;
    }

    // Inside: back from the nearest place to where the segment enters, by Pythagoras. The product of sum and
    // difference keeps the accuracy that the difference of squares would lose.
    if (segment->length2 > 0.0) {
        double back = sqrt((radius - result.distance) * (radius + result.distance) / segment->length2);
        result.at = vni_clamp(result.at - back, 0.0, 1.0);
    }

    result.distance = 0.0;
    return result;
}

// -------------------------------------------------------------------------------------------- triangles

/// The point of the segment from p along e that is nearest to x.
static vni_vec on_edge(vni_vec p, vni_vec e, vni_vec x) {
    double length2 = vni_length2(e);
    if (length2 == 0.0)
        return p;
    return vni_add_scaled(p, e, vni_clamp(vni_dot(vni_sub(x, p), e) / length2, 0.0, 1.0));
}

/// From a place on the segment to the nearest point of the edge, and back: each step comes nearer.
static vni_nearest settle(const vni_segment* segment, vni_vec p, vni_vec e, double at) {
    vni_vec q = on_edge(p, e, vni_segment_point(segment, at));
    return vni_nearer(measure(segment, at, q), measure(segment, place_near(segment, q), q));
}

/// Distance to the edge from p along e. The place where the two lines come nearest is taken from cross
/// products: they keep their accuracy when the lines are nearly parallel, where the usual determinant of dot
/// products loses all of it.
vni_nearest vni_segment_edge(const vni_segment* segment, vni_vec p, vni_vec e) {
    vni_nearest best = vni_nearer(settle(segment, p, e, 0.0), settle(segment, p, e, 1.0));
    vni_vec q = vni_add(p, e);
    best = vni_nearer(best, measure(segment, place_near(segment, p), p));
    best = vni_nearer(best, measure(segment, place_near(segment, q), q));
    vni_vec normal = vni_cross(segment->along, e);

    double normal2 = vni_length2(normal);
    if (normal2 > 0.0) {
        double at = vni_dot(vni_cross(vni_sub(p, segment->from), e), normal) / normal2;
        best = vni_nearer(best, settle(segment, p, e, vni_clamp(at, 0.0, 1.0)));
    }

    return best;
}

/// A triangle a, a + e, a + f with its normal e x f, not zero.
typedef struct face {
    vni_vec a, e, f, normal;
    double normal2;
} face;

/// Distance of one place on the segment to its foot on the face; infinity if the foot lies outside. Each
/// round removes from the rest what still lies in the plane, so that thin triangles get an accurate foot too.
static vni_nearest segment_foot(const vni_segment* segment, const face* t, double at) {
    vni_vec p = vni_segment_point(segment, at), foot = t->a;
    double u = 0.0, v = 0.0;
    for (int round = 0; round < 3; ++round) {
        vni_vec rest = vni_sub(p, foot);
        u += vni_dot(vni_cross(rest, t->f), t->normal) / t->normal2;
        v += vni_dot(vni_cross(t->e, rest), t->normal) / t->normal2;
        foot = vni_add_scaled(vni_add_scaled(t->a, t->e, u), t->f, v);
    }

    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0)
        return measure(segment, at, foot);
    vni_nearest none = {(double)INFINITY, at};
    return none;
}

/// The pair of nearest points of a segment and a triangle is one of: a point of an edge; an end of the
/// segment over the face; the place where the segment goes through the face.
vni_nearest vni_segment_triangle(const vni_segment* segment, vni_vec a, vni_vec b, vni_vec c) {
    face t = {a, vni_sub(b, a), vni_sub(c, a), vni_v(0.0, 0.0, 0.0), 0.0};
    vni_nearest best = vni_nearer(vni_segment_edge(segment, a, t.e), vni_segment_edge(segment, a, t.f));
    best = vni_nearer(best, vni_segment_edge(segment, b, vni_sub(c, b)));
    t.normal = vni_cross(t.e, t.f);
    t.normal2 = vni_length2(t.normal);

    if (t.normal2 == 0.0)
        return best;
    best = vni_nearer(best, vni_nearer(segment_foot(segment, &t, 0.0), segment_foot(segment, &t, 1.0)));
    double height0 = vni_dot(vni_sub(segment->from, a), t.normal);

    double height1 = vni_dot(vni_sub(vni_segment_point(segment, 1.0), a), t.normal);
    if ((height0 < 0.0) != (height1 < 0.0))
        best =
            vni_nearer(best, segment_foot(segment, &t, vni_clamp(height0 / (height0 - height1), 0.0, 1.0)));

    return best;
}
