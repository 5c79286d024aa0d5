/// sim/mover_check.c: what a mover may be.
#include <assert.h>

#include "sim/mover_inside.h"
#include "sim/refuse.h"
#include "sim/vec.h"

static const double far = 1e6; ///< what a world takes, metres; also the greatest speed

// NaN fails each of these comparisons.

static bool is_between(double value, double low, double high) {
    return value >= low && value <= high;
}

static bool is_near(vn_vec3 v) {
    return is_between((double)v.x, -far, far) && is_between((double)v.y, -far, far) &&
           is_between((double)v.z, -far, far);
}

static bool is_inside(const vn_box* b, vn_dvec3 p) {
    return is_between(p.x, (double)b->min.x, (double)b->max.x) &&
           is_between(p.y, (double)b->min.y, (double)b->max.y) &&
           is_between(p.z, (double)b->min.z, (double)b->max.z);
}

/// Null if all is well, otherwise what is wrong.
typedef const char* check(const vn_mover_def* def, const vn_box* bounds);

static const char* check_shape(const vn_mover_def* def, const vn_box* bounds) {
    (void)bounds;
    const vn_shape* s = &def->shape;
    if (s->kind == VN_SHAPE_SPHERE) {
        const vn_vec3 c = s->as.sphere.center;
        return c.x != 0 || c.y != 0 || c.z != 0
                   ? "the centre of a mover's sphere is (0, 0, 0) in its own frame"
               : s->as.sphere.radius > 0 && (double)s->as.sphere.radius <= far
                   ? NULL
                   : "the radius of a mover's sphere is above 0 and at most 1e6";
    }

    const vn_vec3 a = s->as.box.min, b = s->as.box.max;
    if (!is_near(b) || !(b.x > 0) || !(b.y > 0) || !(b.z > 0)) {
        return "the box of a mover has a positive extent on each axis, at most 1e6";
    }

    return a.x == -b.x && a.y == -b.y && a.z == -b.z
               ? NULL
               : "the box of a mover lies around the origin of its own frame: min is -max";
}

static const char* check_common(const vn_mover_def* def, const vn_box* bounds) {
    (void)bounds;
    if (!is_between(def->motion.offset, 0, VN_MAX_SCENE_SECONDS)) {
        return "the offset of a motion is 0 to VN_MAX_SCENE_SECONDS";
    }

    if (!(def->appears >= 0) || !(def->vanishes >= def->appears)) {
        return "a mover appears at 0 or later, and vanishes after that";
    }

    if (!is_between((double)def->influence, 0, far) ||
        !is_between((double)def->influence_factor, 1e-6, 1e6)) {
        return "the influence is 0 to 1e6 metres, its factor 1e-6 to 1e6";
    }

    return NULL;
}

static const char* check_place(const vn_mover_def* def, const vn_box* bounds) {
    return is_inside(bounds, vni_exact(def->motion.position))
               ? NULL
               : "the position lies outside the scene's bounds";
}

static const char* check_turn(const vn_mover_def* def, const vn_box* bounds) {
    const vn_motion* m = &def->motion;
    if (m->axis < 0 || m->axis > 2 || !is_between(m->turns_per_second, -1000, 1000)) {
        return "a turning mover has an axis of 0 to 2 and at most 1000 turns per second";
    }

    return check_place(def, bounds);
}

static const char* check_blink(const vn_mover_def* def, const vn_box* bounds) {
    const vn_motion* m = &def->motion;
    if (!is_between(m->on, 0.001, VN_MAX_SCENE_SECONDS) || !is_between(m->off, 0.001, VN_MAX_SCENE_SECONDS)) {
        return "a blinker is on and off for 0.001 seconds or more, at most VN_MAX_SCENE_SECONDS";
    }

    return check_place(def, bounds);
}

static const char* check_drift(const vn_mover_def* def, const vn_box* bounds) {
    const vn_motion* m = &def->motion;
    if (!is_near(m->velocity)) {
        return "the velocity of a drifting mover is finite, at most 1e6 metres per second";
    }

    if ((unsigned)m->edge > VN_EDGE_RETURN) {
        return "a drifting mover bounces, vanishes or returns at the bounds";
    }

    if (m->edge != VN_EDGE_BOUNCE) {
        return check_place(def, bounds);
    }

    // The centre keeps the half extents from the bounds; where that leaves nothing it cannot move.
    const bool ball = def->shape.kind == VN_SHAPE_SPHERE;
    const float r = ball ? def->shape.as.sphere.radius : 0;
    const vn_vec3 h = ball ? (vn_vec3){r, r, r} : def->shape.as.box.max;
    const vn_dvec3 low = vni_sum(vni_exact(bounds->min), vni_exact(h)),
                   high = vni_difference(vni_exact(bounds->max), vni_exact(h)), p = vni_exact(m->position);
    if (!is_between(p.x, low.x, high.x) || !is_between(p.y, low.y, high.y) ||
        !is_between(p.z, low.z, high.z)) {
        return "a mover that bounces does not lie inside the scene's bounds";
    }

    return (low.x >= high.x && m->velocity.x != 0) || (low.y >= high.y && m->velocity.y != 0) ||
                   (low.z >= high.z && m->velocity.z != 0)
               ? "a mover that bounces has no room to move along one axis of the scene's bounds"
               : NULL;
}

static const char* check_tour(const vn_mover_def* def, const vn_box* bounds) {
    const vn_motion* m = &def->motion;
    const bool orbit = m->kind == VN_MOTION_ORBIT;
    if (m->points == NULL || m->point_count < (orbit ? 1u : 2u) || m->point_count > VN_MAX_MOTION_POINTS) {
        return "a patrol has 2 or more points, an orbit 1 or more; at most VN_MAX_MOTION_POINTS";
    }

    if (!is_between(m->speed, 1e-6, far)) {
        return "the speed of a patrol or an orbit is 1e-6 to 1e6 metres per second";
    }

    if (orbit && (!is_between(m->radius, 1e-3, far) || m->turns < 1 || m->turns > 1000)) {
        return "an orbit has a radius of 0.001 to 1e6 metres and 1 to 1000 turns";
    }

    const double r = orbit ? m->radius : 0;
    for (uint32_t i = 0; i < m->point_count; ++i) {
        const vn_dvec3 p = vni_exact(m->points[i]);
        if (!is_inside(bounds, (vn_dvec3){p.x - r, p.y, p.z - r}) ||
            !is_inside(bounds, (vn_dvec3){p.x + r, p.y, p.z + r})) {
            return "a point of a patrol, or a circle of an orbit, lies outside the scene's bounds";
        }
    }

    return NULL;
}

vn_status vni_mover_check(const vn_mover_def* def, const vn_box* bounds, uint64_t index, vn_detail* detail) {
    static check* const by_kind[] = {check_place, check_tour,  check_turn,
                                     check_blink, check_drift, check_tour};
    static_assert(sizeof by_kind / sizeof *by_kind == VN_MOTION_KIND_COUNT, "each kind has a check");
    if (def->cookie != VNI_MOVER_COOKIE) {
        return vni_refuse(detail, VN_BAD_DEF, index, "a mover def was not made by vn_default_mover_def");
    }

    if (def->shape.kind != VN_SHAPE_BOX && def->shape.kind != VN_SHAPE_SPHERE) {
        return vni_refuse(detail, VN_UNSUPPORTED, index,
                          "a mover is a box or a sphere; move other shapes with vn_nav_move");
    }

    if ((unsigned)def->motion.kind >= VN_MOTION_KIND_COUNT) {
        return vni_refuse(detail, VN_BAD_ARGUMENT, index, "there is no motion of this kind");
    }

    check* const checks[] = {check_shape, check_common, by_kind[def->motion.kind]};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        const char* wrong = checks[i](def, bounds);
        if (wrong != NULL) {
            return vni_refuse(detail, VN_BAD_ARGUMENT, index, wrong);
        }
    }

    return VN_OK;
}
