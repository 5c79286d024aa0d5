/// path/funnel_turn.c: where a route that cannot go straight should turn: the minimum of a convex function
/// over a convex polygon. Either the unfolded route is straight inside the polygon, or the minimum lies on an
/// edge.
#include "base/assert.h"
#include "path/funnel_inside.h"

static vni_vec nearest(const vni_turn_box* box, vni_vec x) {
    return vni_max(vni_min(x, box->high), box->low);
}

/// Length from the anchor over x to the box.
static double length_over(const vni_turn_box* box, vni_vec x) {
    return vni_length(x) + vni_length(vni_sub(x, nearest(box, x)));
}

// -------------------------------------------------------------------------------------------------- unfolded

/// Is a point of its plane inside the polygon, or on its rim?
static bool holds(const vni_cone* polygon, int axis, vni_vec x) {
    bool has_left = false, has_right = false;
    for (uint32_t i = 0; i < polygon->count; ++i) {
        vni_vec a = polygon->corners[i], b = polygon->corners[i + 1 < polygon->count ? i + 1 : 0];
        double side = vni_v_get(vni_cross(vni_sub(b, a), vni_sub(x, a)), axis);
        has_left = has_left || side > 0;
        has_right = has_right || side < 0;
    }

    return polygon->count > 2 && !(has_left && has_right);
}

/// Where the straight segment to the box meets the plane at `height`; if both lie on one side, the segment
/// from the anchor's mirror image. False if the anchor lies in the plane.
static bool unfold(const vni_turn_box* box, int axis, double height, vni_vec* out) {
    vni_vec from = {0, 0, 0};
    double beyond = 0.5 * (vni_v_get(box->low, axis) + vni_v_get(box->high, axis)) - height;
    if (beyond * height < 0)
        vni_v_set(&from, axis, 2 * height);

    vni_vec along = vni_sub(nearest(box, from), from);
    double rise = height - vni_v_get(from, axis), all = vni_v_get(along, axis);
    if (height == 0 || all == 0)
        return false;

    *out = vni_add_scaled(from, along, rise / all);
    return true;
}

// ----------------------------------------------------------------------------------------------------- edges

/// The slope of the length as x moves along an edge: it rises along the edge, since the length is convex.
static double slope(const vni_turn_box* box, vni_vec x, vni_vec along) {
    vni_vec rest = vni_sub(x, nearest(box, x));
    double before = vni_length(x), after = vni_length(rest);
    return (before > 0 ? vni_dot(x, along) / before : 0) + (after > 0 ? vni_dot(rest, along) / after : 0);
}

/// The best point between a and b.
static vni_vec best_on_edge(const vni_turn_box* box, vni_vec a, vni_vec b) {
    vni_vec along = vni_sub(b, a);
    if (slope(box, a, along) >= 0)
        return a;
    if (slope(box, b, along) <= 0)
        return b;

    // The slope changes its sign once between a and b: bisection to an eighth of a lattice step.
    double low = 0, high = 1;
    for (double width = vni_length(along); width > 0.25; width *= 0.5) {
        double middle = 0.5 * (low + high);
        if (slope(box, vni_add_scaled(a, along, middle), along) < 0)
            low = middle;
        else
            high = middle;
    }

    return vni_add_scaled(a, along, 0.5 * (low + high));
}

vni_vec vni_best_turn(const vni_cone* polygon, int axis, const vni_turn_box* box) {
    VNI_ASSERT(polygon->count > 0 && polygon->count <= VNI_CONE_CORNERS);

    vni_vec best = polygon->corners[0], x;
    if (unfold(box, axis, vni_v_get(best, axis), &x) && holds(polygon, axis, x))
        return x;

    double least = length_over(box, best);
    for (uint32_t i = 0; i < polygon->count; ++i) {
        x = best_on_edge(box, polygon->corners[i], polygon->corners[i + 1 < polygon->count ? i + 1 : 0]);
        double length = length_over(box, x);
        if (length < least) {
            least = length;
            best = x;
        }
    }

    return best;
}
