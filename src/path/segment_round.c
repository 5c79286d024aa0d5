/// path/segment_round.c: a segment against capsules and cylinders.
#include "base/assert.h"
#include "path/segment.h"

/// Halvings of a segment: below the rounding of a place on it.
#define HALVINGS 60

// ----------------------------------------------------------------------------------------------- capsules

/// Distance of a place on the segment from the axis, the segment from a along `axis`.
static double from_axis(const vni_segment* segment, double at, vni_vec a, vni_vec axis) {
    vni_vec from = vni_sub(vni_segment_point(segment, at), a);
    double length2 = vni_length2(axis);
    double t = length2 > 0.0 ? vni_clamp(vni_dot(from, axis) / length2, 0.0, 1.0) : 0.0;
    return vni_length(vni_add_scaled(from, axis, -t));
}

vni_nearest vni_segment_capsule(const vni_segment* segment, const vni_capsule* capsule, double radius) {
    VNI_ASSERT(radius >= 0.0);

    vni_vec axis = vni_sub(capsule->b, capsule->a);
    vni_nearest result = vni_segment_edge(segment, capsule->a, axis);
    if (result.distance > radius) {
        result.distance -= radius;
        return result;
    }

    // Inside at result.at, and the distance is convex: between 0 and there it enters once.
    double outside = 0.0, inside = result.at;
    for (int i = 0; i < HALVINGS && from_axis(segment, outside, capsule->a, axis) > radius; ++i) {
        double middle = 0.5 * (outside + inside);
        if (from_axis(segment, middle, capsule->a, axis) > radius)
            outside = middle;
        else
            inside = middle;
    }

    result.at = from_axis(segment, outside, capsule->a, axis) > radius ? inside : outside;
    result.distance = 0.0;
    return result;
}

// ---------------------------------------------------------------------------------------------- cylinders

/// The segment relative to a cylinder: its height above the centre, and the rest, square to the axis; each as
/// a value at 0 and what it gains up to 1.
typedef struct course {
    double height, climb;
    vni_vec across, drift;
} course;

static course course_of(const vni_segment* segment, const vni_cylinder* cylinder) {
    vni_vec from = vni_sub(segment->from, cylinder->center), axis = cylinder->axis;
    course c = {.height = vni_dot(from, axis), .climb = vni_dot(segment->along, axis)};
    c.across = vni_add_scaled(from, axis, -c.height);
    c.drift = vni_add_scaled(segment->along, axis, -c.climb);
    return c;
}

/// The place that is nearest to the line of the axis.
static double nearest_to_axis(const course* c) {
    double drift2 = vni_length2(c->drift);
    return drift2 > 0.0 ? vni_clamp(-vni_dot(c->across, c->drift) / drift2, 0.0, 1.0) : 0.0;
}

/// Narrows [begin, end] to the places within `radius` of the axis' line; false if there are none.
static bool clip_round(const course* c, double radius, double* begin, double* end) {
    double nearest = nearest_to_axis(c), drift = vni_length(c->drift);
    double width = vni_length(vni_add_scaled(c->across, c->drift, nearest));
    if (!(width <= radius))
        return false;
    if (drift == 0.0)
        return true;

    // By Pythagoras from the foot of the perpendicular, which may lie beyond the ends of the segment.
    double foot = -vni_dot(c->across, c->drift) / (drift * drift);
    double least = vni_length(vni_add_scaled(c->across, c->drift, foot));
    least = least < radius ? least : radius;
    double reach = sqrt((radius - least) * (radius + least)) / drift;

    // The nearest place is within the radius, whatever rounding makes of the two ends.
    double in = foot - reach < nearest ? foot - reach : nearest;
    double out = foot + reach > nearest ? foot + reach : nearest;
    *begin = in > *begin ? in : *begin;
    *end = out < *end ? out : *end;
    return *begin <= *end;
}

/// Narrows [begin, end] to the places not higher than `half` above or below the centre.
static bool clip_caps(const course* c, double half, double* begin, double* end) {
    if (c->climb == 0.0)
        return c->height >= -half && c->height <= half;
    double low = (-half - c->height) / c->climb, high = (half - c->height) / c->climb;
    double in = low < high ? low : high, out = low < high ? high : low;
    *begin = in > *begin ? in : *begin;
    *end = out < *end ? out : *end;
    return *begin <= *end;
}

bool vni_segment_meets_cylinder(const vni_segment* segment, const vni_cylinder* cylinder, double grow,
                                double* at) {
    double half = cylinder->half + grow, radius = cylinder->radius + grow, begin = 0.0, end = 1.0;
    if (half < 0.0 || radius < 0.0)
        return false;
    course c = course_of(segment, cylinder);
    if (!clip_caps(&c, half, &begin, &end) || !clip_round(&c, radius, &begin, &end))
        return false;

    *at = begin;
    return true;
}

/// How far a place lies above or below the caps, and beyond the radius; and the slope, up to a factor above
/// 0, of the distance there.
static vni_nearest measure_round(const course* c, const vni_cylinder* cylinder, double at, double* slope) {
    double height = c->height + c->climb * at;
    vni_vec across = vni_add_scaled(c->across, c->drift, at);
    double width = vni_length(across), wide = width > cylinder->radius ? width - cylinder->radius : 0.0;
    double over = height - vni_clamp(height, -cylinder->half, cylinder->half);

    *slope = over * c->climb + (wide > 0.0 ? wide / width * vni_dot(across, c->drift) : 0.0);
    return (vni_nearest){sqrt(over * over + wide * wide), at};
}

/// The nearest of the places where a closed form may have its least value: the ends, the crossings of both
/// caps' planes, and the place nearest to the axis.
static vni_nearest nearest_simple(const course* c, const vni_cylinder* cylinder) {
    double slope, places[5] = {0.0, 1.0, nearest_to_axis(c), 0.0, 0.0};
    if (c->climb != 0.0) {
        places[3] = vni_clamp((-cylinder->half - c->height) / c->climb, 0.0, 1.0);
        places[4] = vni_clamp((cylinder->half - c->height) / c->climb, 0.0, 1.0);
    }

    vni_nearest best = measure_round(c, cylinder, 0.0, &slope);
    for (int i = 1; i < 5; ++i)
        best = vni_nearer(best, measure_round(c, cylinder, places[i], &slope));
    return best;
}

vni_nearest vni_segment_cylinder(const vni_segment* segment, const vni_cylinder* cylinder) {
    vni_nearest met = {0.0, 0.0};
    if (vni_segment_meets_cylinder(segment, cylinder, 0.0, &met.at))
        return met;

    // Nearest to a rim there is no closed form; the distance is convex, so halving by its slope finds it.
    course c = course_of(segment, cylinder);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i) {
        double slope, middle = 0.5 * (low + high);
        measure_round(&c, cylinder, middle, &slope);
        if (slope < 0.0)
            low = middle;
        else
            high = middle;
    }

    double slope;
    return vni_nearer(nearest_simple(&c, cylinder), measure_round(&c, cylinder, low, &slope));
}
