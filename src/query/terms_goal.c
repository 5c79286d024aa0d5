/// query/terms_goal.c: boxes, balls and places in sight.
#include "query/terms_goal.h"
#include "geom/units.h"
#include "geom/vec.h"
#include "probe/sight.h"

vni_lattice_box vni_lattice_box_cut(const vni_lattice_box* a, const vni_lattice_box* b) {
    vni_lattice_box out;
    for (int i = 0; i < 3; ++i) {
        out.low[i] = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        out.high[i] = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
    }
    return out;
}

bool vni_lattice_box_is_empty(const vni_lattice_box* box) {
    return box->low[0] > box->high[0] || box->low[1] > box->high[1] || box->low[2] > box->high[2];
}

bool vni_lattice_box_holds(const vni_lattice_box* box, vn_point p) {
    return p.x >= box->low[0] && p.y >= box->low[1] && p.z >= box->low[2] && p.x <= box->high[0] &&
           p.y <= box->high[1] && p.z <= box->high[2];
}

vn_point vni_lattice_box_nearest(const vni_lattice_box* box, const double at[3]) {
    int32_t out[3];
    VNI_ASSERT(!vni_lattice_box_is_empty(box));
    for (int i = 0; i < 3; ++i)
        out[i] = (int32_t)vni_clamp(floor(at[i] + 0.5), box->low[i], box->high[i]);
    vn_point p = {out[0], out[1], out[2]};
    return p;
}

// ----------------------------------------------------------------------------------------- far from the goal

/// The point of the goal's region that is nearest to p; what shall be seen, for a goal in sight. Lattice
/// steps.
static void nearest_of(const vni_goal* goal, const float p[3], double out[3]) {
    const double center[3] = {goal->center.x, goal->center.y, goal->center.z};
    double away = 0;
    for (int i = 0; i < 3; ++i) {
        out[i] = vni_voxels_to_steps((double)p[i]);
        away += (out[i] - center[i]) * (out[i] - center[i]);
    }

    if (goal->kind == VNI_GOAL_BALL && away <= goal->distance * goal->distance)
        return;
    double share = goal->kind == VNI_GOAL_BALL ? goal->distance / sqrt(away) : 0;
    for (int i = 0; i < 3; ++i)
        out[i] = goal->kind == VNI_GOAL_BOX ? vni_clamp(out[i], goal->box.low[i], goal->box.high[i])
                                            : center[i] + (out[i] - center[i]) * share;
}

float vni_goal_away(const vni_goal* goal, const float p[3]) {
    VNI_ASSERT(goal->kind != VNI_GOAL_NONE);
    double at[3], sum = 0;
    nearest_of(goal, p, at);
    for (int i = 0; i < 3; ++i) {
        double d = vni_voxels_to_steps((double)p[i]) - at[i];
        sum += d * d;
    }

    return (float)(vni_steps_to_voxels(sqrt(sum)));
}

float vni_goal_least(const vni_goal* goal, const float p[3]) {
    if (goal->kind == VNI_GOAL_NONE)
        return 0;
    float away = vni_goal_away(goal, p);
    if (goal->kind != VNI_GOAL_SIGHT)
        return away;

    float range = (float)vni_steps_to_voxels(goal->distance);
    return away > range ? away - range : 0;
}

void vni_goal_aim(const vni_goal* goal, const float p[3], float out[3]) {
    VNI_ASSERT(goal->kind != VNI_GOAL_NONE);
    double at[3];
    nearest_of(goal, p, at);
    for (int i = 0; i < 3; ++i)
        out[i] = (float)vni_steps_to_voxels(at[i]);
}

// ----------------------------------------------------------------------------------------------------- at it

static bool is_near(const vni_goal* goal, vn_point p) {
    return vni_length2(vni_sub(vni_v_of_point(p), vni_v_of_point(goal->center))) <=
           goal->distance * goal->distance;
}

bool vni_goal_holds(const vni_goal* goal, const vni_occupancy* occupancy, vn_point p) {
    switch (goal->kind) {
    case VNI_GOAL_BOX: return vni_lattice_box_holds(&goal->box, p);
    case VNI_GOAL_BALL: return is_near(goal, p);
    case VNI_GOAL_SIGHT: // plain: a point on the edge between two regions would see into the other one
        return is_near(goal, p) && vni_sight(occupancy, p, goal->center) && vni_point_is_plain(occupancy, p);
    case VNI_GOAL_NONE: break;
    }
    return false;
}

static vn_point between(vn_point a, vn_point b, double t) {
    VNI_ASSERT(t >= 0 && t <= 1);
    vn_point p = {(int32_t)floor(a.x + ((double)b.x - a.x) * t + 0.5),
                  (int32_t)floor(a.y + ((double)b.y - a.y) * t + 0.5),
                  (int32_t)floor(a.z + ((double)b.z - a.z) * t + 0.5)};
    return p;
}

vn_point vni_goal_first(const vni_goal* goal, const vni_occupancy* occupancy, vn_point from, vn_point to) {
    VNI_ASSERT(vni_goal_holds(goal, occupancy, to));

    if (vni_goal_holds(goal, occupancy, from))
        return from;
    // Sight is not monotonic along a segment: what halving finds is an arrival, if not always the first.
    vn_point best = to;
    double before = 0, after = 1, length = vni_steps_between(from, to);
    while ((after - before) * length > 1) {
        double middle = 0.5 * (before + after);
        vn_point p = between(from, to, middle);
        bool arrived = vni_goal_holds(goal, occupancy, p);
        best = arrived ? p : best;
        *(arrived ? &after : &before) = middle;
    }

    return best;
}

/// The point of box and ball that is nearest to `from`. By Lagrange it minimises |x - from|^2 + k |x -
/// centre|^2 over the box for some k >= 0, and for each k that is a point of the segment from `from` to the
/// centre, clamped to the box. Along this curve the distance to the centre falls: halving finds where it
/// enters the ball.
static bool reach_ball(const vni_goal* goal, const vni_lattice_box* box, vn_point from, vn_point* out) {
    const double a[3] = {from.x, from.y, from.z}, b[3] = {goal->center.x, goal->center.y, goal->center.z};
    double before = 0, after = 1, length = vni_steps_between(from, goal->center);
    *out = vni_lattice_box_nearest(box, b);
    if (!is_near(goal, *out))
        return false;

    if (is_near(goal, from)) {
        *out = from;
        return true;
    }

    while ((after - before) * length > 0.5) {
        double t = 0.5 * (before + after);
        const double at[3] = {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t};
        vn_point p = vni_lattice_box_nearest(box, at);
        bool arrived = is_near(goal, p);
        *out = arrived ? p : *out;
        *(arrived ? &after : &before) = t;
    }

    return true;
}

/// Boxes that extend so far, in lattice steps, are tried at more than one place.
#define LARGE (8 * VN_LATTICE)

/// Tries the centres of a large box's octants: takes the nearest to `from` of those inside the goal.
static bool look_around(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                        vn_point from, vn_point* out) {
    double best = HUGE_VAL, size[3];
    bool is_large = false;
    for (int i = 0; i < 3; ++i) {
        size[i] = (double)box->high[i] - box->low[i];
        is_large = is_large || size[i] >= LARGE;
    }

    for (int k = 0; is_large && k < 8; ++k) {
        const double at[3] = {box->low[0] + size[0] * (k & 1 ? 0.75 : 0.25),
                              box->low[1] + size[1] * (k & 2 ? 0.75 : 0.25),
                              box->low[2] + size[2] * (k & 4 ? 0.75 : 0.25)};
        vn_point p = vni_lattice_box_nearest(box, at);
        if (vni_steps_between(from, p) < best && vni_goal_holds(goal, occupancy, p)) {
            best = vni_steps_between(from, p);
            *out = p;
        }
    }

    return best < HUGE_VAL;
}

static bool reach_sight(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                        vn_point from, vn_point* out) {
    const double center[3] = {goal->center.x, goal->center.y, goal->center.z};
    const double middle[3] = {0.5 * ((double)box->low[0] + box->high[0]),
                              0.5 * ((double)box->low[1] + box->high[1]),
                              0.5 * ((double)box->low[2] + box->high[2])};
    // Arriving at once is best; the point nearest to what shall be seen has the shortest line to it; the
    // centre sees most of the surroundings.
    const vn_point tries[3] = {from, vni_lattice_box_nearest(box, center),
                               vni_lattice_box_nearest(box, middle)};

    if (!is_near(goal, tries[1]))
        return false;
    bool arrived = false;
    for (int i = 0; i < 3 && !arrived; ++i) {
        arrived = vni_goal_holds(goal, occupancy, tries[i]);
        *out = tries[i];
    }

    if (!arrived && !look_around(goal, occupancy, box, from, out))
        return false;
    *out = vni_goal_first(goal, occupancy, from, *out);
    return true;
}

bool vni_goal_reach(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                    vn_point from, vn_point* out) {
    VNI_ASSERT(vni_lattice_box_holds(box, from));
    const double at[3] = {from.x, from.y, from.z};
    vni_lattice_box shared;
    switch (goal->kind) {
    case VNI_GOAL_BOX:
        shared = vni_lattice_box_cut(&goal->box, box);
        if (vni_lattice_box_is_empty(&shared))
            return false;
        *out = vni_lattice_box_nearest(&shared, at);
        return true;
    case VNI_GOAL_BALL: return reach_ball(goal, box, from, out);
    case VNI_GOAL_SIGHT: return reach_sight(goal, occupancy, box, from, out);
    case VNI_GOAL_NONE: break;
    }
    return false;
}

/// The voxels of an axis whose centres lie within [low, high].
static int32_t first_centre(int32_t low) {
    return vni_step_to_voxel(low + VN_LATTICE / 2 - 1);
}
static int32_t last_centre(int32_t high) {
    return vni_step_to_voxel(high - VN_LATTICE / 2);
}

bool vni_goal_sweep(const vni_goal* goal, const vni_occupancy* occupancy, const vni_lattice_box* box,
                    vn_point from, double limit, vn_point* out) {
    VNI_ASSERT(goal->kind != VNI_GOAL_NONE && vni_lattice_box_holds(box, from));

    bool found = false;
    for (int32_t z = first_centre(box->low[2]); z <= last_centre(box->high[2]); ++z)
        for (int32_t y = first_centre(box->low[1]); y <= last_centre(box->high[1]); ++y)
            for (int32_t x = first_centre(box->low[0]); x <= last_centre(box->high[0]); ++x) {
                const vn_voxel voxel = {x, y, z};
                vn_point p = vn_voxel_center(voxel);
                double away = vni_steps_between(from, p);
                if (away < limit && vni_goal_holds(goal, occupancy, p)) {
                    *out = p;
                    limit = away;
                    found = true;
                }
            }

    return found;
}
