/// path/funnel.c: from portal to portal: narrow the view, or turn.
///
/// The 3D funnel of Massonnat 2023 (4.3). In the plane, the funnel algorithm (Lee and Preparata 1984; "simple
/// stupid funnel" in games) keeps a left and a right bound of the view; in space the view through a row of
/// rectangles is a convex cone. Two additions make the result exact: anchors are rounded to the lattice, and
/// every segment is checked against the portals in integers (`go`), because rounding may push it out of one.
#include "path/funnel.h"
#include "base/assert.h"
#include "path/funnel_inside.h"
#include "path/refine.h"

/// The route so far. A vertex has `passed` some portals when the route up to it has crossed them.
typedef struct trail {
    const vni_portal* portals;
    vn_point* points;
    uint32_t count, capacity;
    uint32_t passed;        ///< at the last point
    uint32_t passed_before; ///< at the one before it
    bool overflows;
} trail;

static vn_point last_of(const trail* t) {
    VNI_ASSERT(t->count > 0);
    return t->points[t->count - 1];
}

// ---------------------------------------------------------------------------------------------------- laying

/// Adds a vertex that the last one reaches straight: it crosses the portals up to `until`, and has
/// then passed `passed`. The last one goes if the one before it reaches the new one as well: along a rim,
/// from which anchors keep away, or because the view was lost to a portal that could be passed elsewhere.
static void add(trail* t, vn_point p, uint32_t until, uint32_t passed) {
    VNI_ASSERT(vni_portals_missed(t->portals, t->passed, until, last_of(t), p) == until);

    vn_point before = t->points[t->count > 1 ? t->count - 2 : 0];
    if (t->count > 1 && !vni_is_same_point(before, p) &&
        vni_portals_missed(t->portals, t->passed_before, until, before, p) == until) {
        --t->count;
    } else if (vni_is_same_point(last_of(t), p)) {
        t->passed = passed;
        return;
    } else {
        t->passed_before = t->passed;
    }

    t->passed = passed;
    t->overflows = t->overflows || t->count == t->capacity;
    if (!t->overflows)
        t->points[t->count++] = p;
}

/// A point in a portal, off its rim, as near as possible to the segment from a to b.
static vn_point point_between(const vni_portal* portal, vn_point a, vn_point b) {
    vni_lattice_portal rect = vni_lattice_portal_inside(portal);
    vni_vec from = vni_v_of_point(a), along = vni_sub(vni_v_of_point(b), from);
    double all = vni_v_get(along, rect.axis), rise = rect.plane - vni_v_get(from, rect.axis);
    if (all == 0) { // beside the plane or in it
        vn_point middle = vni_lattice_portal_nearest(&rect, a, vni_scale(along, 0.5));
        all = vni_length2(along);
        rise = vni_dot(vni_sub(vni_v_of_point(middle), from), along);
    }

    return vni_lattice_portal_nearest(&rect, a, vni_scale(along, all != 0 ? vni_clamp(rise / all, 0, 1) : 0));
}

/// Goes to p over the portals before `until`: straight, or where rounding has moved p so that this misses one
/// of them, over a point in that one; if that cannot be reached straight either, over one in the next portal,
/// which always can.
static void go(trail* t, vn_point p, uint32_t until, uint32_t passed) {
    uint32_t missed;
    while (!t->overflows &&
           (missed = vni_portals_missed(t->portals, t->passed, until, last_of(t), p)) < until) {
        vn_point between = point_between(&t->portals[missed], last_of(t), p);
        if (vni_portals_missed(t->portals, t->passed, missed, last_of(t), between) < missed) {
            missed = t->passed;
            between = point_between(&t->portals[missed], last_of(t), p);
        }
        add(t, between, missed, missed + 1);
    }

    if (!t->overflows)
        add(t, p, until, passed);
}

// --------------------------------------------------------------------------------------------------- turning

/// A portal relative to the anchor.
static vni_turn_box box_of(const vni_lattice_portal* portal, vni_vec anchor) {
    vni_turn_box box = {{0, 0, 0}, {0, 0, 0}};
    vni_v_set(&box.low, portal->axis, portal->plane);
    vni_v_set(&box.high, portal->axis, portal->plane);
    for (int i = 0; i < 2; ++i) {
        vni_v_set(&box.low, vni_other_axes[portal->axis][i], portal->low[i]);
        vni_v_set(&box.high, vni_other_axes[portal->axis][i], portal->high[i]);
    }

    box.low = vni_sub(box.low, anchor);
    box.high = vni_sub(box.high, anchor);
    return box;
}

/// Goes to the best anchor on portal `on`, which is in view, on the route to `next`.
static void turn(trail* t, const vni_cone* view, uint32_t on, const vni_turn_box* next) {
    vni_lattice_portal portal = vni_lattice_portal_inside(&t->portals[on]);
    const vni_cone polygon = vni_cone_on(view, last_of(t), &portal);
    vni_vec x = vni_best_turn(&polygon, portal.axis, next);
    go(t, vni_lattice_portal_nearest(&portal, last_of(t), x), on, on + 1);
}

/// Is the anchor already in the portal?
static bool stands_in(const trail* t, uint32_t portal) {
    vni_lattice_portal rect = vni_lattice_portal_of(&t->portals[portal]);
    return vni_lattice_portal_holds(&rect, last_of(t));
}

static void find_anchors(trail* t, uint32_t count, vn_point goal) {
    // Portal by portal: either the view through all portals since the anchor narrows, or it closes, and the
    // route turns on the portal before. The portal that closed it begins the view of the new anchor, unless
    // the anchor already lies in it.
    vni_cone view = {.count = 0}; // 0: everything is in view
    bool is_straight = vni_portals_missed(t->portals, 0, count, last_of(t), goal) == count;
    for (uint32_t i = 0; i < count && !is_straight && !t->overflows; ++i) {
        vni_lattice_portal portal = vni_lattice_portal_inside(&t->portals[i]);
        if (view.count > 0 && !vni_cone_narrow(&view, last_of(t), &portal)) {
            const vni_turn_box next = box_of(&portal, vni_v_of_point(last_of(t)));
            turn(t, &view, i - 1, &next);
            view.count = 0;
        }

        if (view.count > 0 || t->overflows)
            continue;
        if (stands_in(t, i))
            t->passed = i + 1;
        else
            view = vni_cone_through(last_of(t), &portal);
    }

    if (t->overflows)
        return;

    // The goal may lie outside the view through the last portal: then one more turn there.
    if (view.count > 0 && vni_portals_missed(t->portals, t->passed, count, last_of(t), goal) < count) {
        vni_vec end = vni_sub(vni_v_of_point(goal), vni_v_of_point(last_of(t)));
        const vni_turn_box next = {end, end};
        turn(t, &view, count - 1, &next);
    }

    go(t, goal, count, count);
}

// ----------------------------------------------------------------------------------------------------- input

static vn_point crossing_of(const vni_portal* portals, const float* crossings, uint32_t i) {
    const vn_point zero = {0, 0, 0};
    const float* at = crossings != NULL ? crossings + (size_t)3 * i : NULL;
    vni_lattice_portal portal = vni_lattice_portal_inside(&portals[i]);
    vni_turn_box whole = box_of(&portal, vni_v(0, 0, 0));

    vni_vec middle = vni_scale(vni_add(whole.low, whole.high), 0.5);
    if (at != NULL)
        middle = vni_scale(vni_v((double)at[0], (double)at[1], (double)at[2]), VN_LATTICE);

    return vni_lattice_portal_nearest(&portal, zero, middle);
}

static double length_over(const vni_portal* portals, const float* crossings, uint32_t count, vn_point start,
                          vn_point goal) {
    double sum = 0;
    vn_point leg[2] = {start, start};
    for (uint32_t i = 0; i <= count; ++i) {
        leg[1] = i < count ? crossing_of(portals, crossings, i) : goal;
        sum += vni_polyline_length(leg, 2);
        leg[0] = leg[1];
    }

    return sum;
}

static void lay_over(trail* t, const float* crossings, uint32_t count, vn_point goal) {
    t->count = 1;
    for (uint32_t i = 0; i <= count && !t->overflows; ++i) {
        vn_point next = i < count ? crossing_of(t->portals, crossings, i) : goal;
        if (vni_is_same_point(next, last_of(t)))
            continue;
        t->overflows = t->count == t->capacity;
        if (!t->overflows)
            t->points[t->count++] = next;
    }
}

uint32_t vni_funnel_over(const vni_portal* portals, const float* crossings, uint32_t count, vn_point start,
                         vn_point goal, vn_point* points, uint32_t capacity) {
    VNI_ASSERT(count == 0 || portals != NULL);

    if (capacity == 0)
        return 0;
    points[0] = start;
    trail t = {portals, points, 1, capacity, 0, 0, false};

    find_anchors(&t, count, goal);
    if (!t.overflows && t.count > 2 &&
        vni_polyline_length(points, t.count) > length_over(portals, crossings, count, start, goal))
        lay_over(&t, crossings, count, goal);

    return t.overflows ? 0 : t.count;
}

uint32_t vni_funnel(const vni_portal* portals, uint32_t count, vn_point start, vn_point goal,
                    vn_point* points, uint32_t capacity) {
    return vni_funnel_over(portals, NULL, count, start, goal, points, capacity);
}
