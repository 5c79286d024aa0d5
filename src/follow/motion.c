/// follow/motion.c: one kinematic step: the velocity nearest to a wanted one that limits and walls allow.
///
/// The invariant: from each velocity that is taken, braking straight ahead stays in free space. So there is
/// always a next step that keeps all limits: to brake, without a turn.
#include "follow/follow_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/frame.h"

#define STEERING_COOKIE 0x73746501u
/// Share of what one step can add, below which a speed is none.
#define NO_SPEED 1e-10

#define PI 3.14159265358979323846

vn_steering_def vn_default_steering_def(void) {
    vn_steering_def def = {.speed = 3,
                           .acceleration = 6,
                           .turn_rate = PI,
                           .climb = PI / 2,
                           .arrival = 0.05,
                           .detour = 0.015,
                           .up = {0, 1, 0},
                           .cookie = STEERING_COOKIE};
    return def;
}

vn_status vni_steering_check(const vn_steering_def* def, double dt) {
    if (def->cookie != STEERING_COOKIE)
        return VN_BAD_DEF;
    const double up = vni_length2(vni_v_from(def->up));
    const bool is_valid = def->speed > 0 && vni_is_finite(def->speed) && def->acceleration > 0 &&
                          vni_is_finite(def->acceleration) && def->turn_rate > 0 && def->climb > 0 &&
                          def->arrival >= 0 && def->detour > 0 && vni_is_finite(def->detour) &&
                          def->swing >= 0 && vni_is_finite(def->swing) && def->look_ahead >= 0 &&
                          vni_abs(up - 1) < 1e-3 && dt > 0 && vni_is_finite(dt);
    return is_valid ? VN_OK : VN_BAD_ARGUMENT;
}

// -------------------------------------------------------------------------------------------------- turning

void vni_follow_angle(double radians, double* cosine, double* sine) {
    // the series for an eighth of the angle (at most 0.4), then doubled three times
    const double x = vni_clamp(radians, 0, PI) / 8, square = x * x;
    double s = 0, c = 0;
    for (int k = 8; k > 0; --k) {
        s = (1 + s) * -square / (2 * k * (2 * k + 1));
        c = (1 + c) * -square / (2 * k * (2 * k - 1));
    }

    s = x * (1 + s);
    c = 1 + c;
    for (int i = 0; i < 3; ++i) {
        const double next = 2 * s * c;
        c = 1 - 2 * s * s;
        s = next;
    }

    *cosine = c;
    *sine = s;
}

static vni_vec unit(vni_vec v) {
    return vni_scale(v, 1 / vni_length(v));
}

/// A unit vector across `v`, by the axis that it points along least.
static vni_vec across(vni_vec v) {
    const vni_vec size = vni_abs_each(v);
    const vni_vec axis = size.x <= size.y && size.x <= size.z ? vni_v(1, 0, 0)
                         : size.z <= size.y                   ? vni_v(0, 0, 1)
                                                              : vni_v(0, 1, 0);
    return unit(vni_cross(v, axis));
}

vni_vec vni_steering_turn(const vn_steering_def* def, double dt, vni_vec forward, vni_vec to) {
    double cosine, sine;
    if (def->turn_rate * dt >= PI)
        return to;
    vni_follow_angle(def->turn_rate * dt, &cosine, &sine);
    const double along = vni_dot(forward, to);
    if (along >= cosine)
        return to;

    // a little less than the limit, so that rounding does not exceed it
    vni_vec side = vni_add_scaled(to, forward, -along);
    side = vni_length2(side) > 1e-18 ? unit(side) : across(forward);
    return unit(vni_add(vni_scale(forward, cosine), vni_scale(side, sine * (1 - 1e-9))));
}

vni_vec vni_steering_level(const vn_steering_def* def, vni_vec direction, vni_vec forward) {
    double cosine, sine;
    if (def->climb >= PI / 2)
        return direction;
    vni_follow_angle(def->climb, &cosine, &sine);
    const vni_vec up = unit(vni_v_from(def->up));
    const double rise = vni_dot(direction, up);
    if (vni_abs(rise) <= sine)
        return direction;

    vni_vec level = vni_add_scaled(direction, up, -rise);
    if (vni_length2(level) < 1e-12)
        level = vni_add_scaled(forward, up, -vni_dot(forward, up));
    level = vni_length2(level) < 1e-12 ? across(up) : unit(level);
    return unit(vni_add(vni_scale(level, cosine), vni_scale(up, (rise < 0 ? -sine : sine) * (1 - 1e-9))));
}

// ---------------------------------------------------------------------------------------------- orientation

static vni_vec rotated_x(vn_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return vni_v(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
}

/// The rotation with these columns, which are orthogonal unit vectors.
static vn_quat quat_of(vni_vec x, vni_vec y, vni_vec z) {
    const double m[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    double q[4]; // x, y, z, w
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0) {
        const double s = 2 * sqrt(1 + trace);
        q[3] = s / 4;
        for (int k = 0; k < 3; ++k)
            q[k] = (m[(k + 2) % 3][(k + 1) % 3] - m[(k + 1) % 3][(k + 2) % 3]) / s;
    } else {
        const int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
        q[i] = s / 4;
        q[j] = (m[i][j] + m[j][i]) / s;
        q[k] = (m[i][k] + m[k][i]) / s;
        q[3] = (m[k][j] - m[j][k]) / s;
    }

    return (vn_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/// Straight up and down the right-hand side stays where it was.
static void orient(const vn_steering_def* def, vn_agent_motion* motion) {
    const vni_vec forward = vni_follow_v(motion->forward);
    vni_vec right = vni_cross(vni_v_from(def->up), forward);
    if (vni_length2(right) < 1e-8) {
        const vni_vec old = rotated_x(motion->orientation);
        right = vni_add_scaled(old, forward, -vni_dot(old, forward));
    }

    right = vni_length2(right) < 1e-8 ? across(forward) : unit(right);
    motion->orientation = quat_of(right, vni_cross(forward, right), forward);
}

vn_agent_motion vn_agent_motion_at(const vn_steering_def* def, vn_dvec3 position, vn_dvec3 forward) {
    vn_agent_motion motion = {.position = position, .forward = {0, 0, 1}, .orientation = {0, 0, 0, 1}};
    const vni_vec f = vni_follow_v(forward);
    VNI_ASSERT(def != NULL);
    if (vni_v_is_finite(f) && vni_length2(f) > 0)
        motion.forward = vni_follow_d(unit(f));
    orient(def, &motion);
    return motion;
}

// ------------------------------------------------------------------------------------------------ velocities

typedef struct step {
    const vn_steering_def* def;
    const vn_space* space;
    const vni_aim* aim; ///< may be null
    double dt;
    vn_point from;
    vni_vec position, velocity, forward;
    double most; ///< change of the velocity that the acceleration allows
} step;

static vni_vec braked(const step* s) {
    const double speed = vni_length(s->velocity);
    return speed > s->most ? vni_scale(s->velocity, 1 - s->most / speed) : vni_v(0, 0, 0);
}

/// The velocity nearest to the wanted one that turn rate, climb and acceleration allow, walls aside. A
/// standing agent turns on the spot first: `*forward` is where it looks then.
static vni_vec limited(const step* s, vni_vec wanted, vni_vec* forward) {
    const vn_steering_def* def = s->def;
    const double size = vni_length(wanted), speed = size < def->speed ? size : def->speed;
    *forward = s->forward;
    if (!(size > 0))
        return braked(s);

    const vni_vec to = vni_steering_level(def, vni_scale(wanted, 1 / size), s->forward);
    vni_vec turned = vni_steering_turn(def, s->dt, s->forward, to);
    if (vni_length2(s->velocity) == 0) {
        *forward = turned;
        const bool is_there = vni_dot(turned, to) >= 1 - 1e-12;
        return is_there ? vni_scale(turned, speed < s->most ? speed : s->most) : vni_v(0, 0, 0);
    }

    // the shortest turn may lead over directions that are too steep
    turned = vni_steering_turn(def, s->dt, s->forward, vni_steering_level(def, turned, s->forward));
    const vni_vec change = vni_sub(vni_scale(turned, speed), s->velocity);
    const double length = vni_length(change);
    return length > s->most ? vni_add_scaled(s->velocity, change, s->most / length)
                            : vni_scale(turned, speed);
}

static bool is_in_climb(const step* s, vni_vec v) {
    double cosine, sine;
    if (s->def->climb >= PI / 2)
        return true;
    vni_follow_angle(s->def->climb, &cosine, &sine);
    return vni_abs(vni_dot(v, unit(vni_v_from(s->def->up)))) <= (sine + 1e-10) * vni_length(v);
}

/// Does the velocity lead straight to the aim, which is visible? Then `*distance` is how far it is.
static bool leads_to_aim(const step* s, vni_vec v, double* distance) {
    if (s->aim == NULL)
        return false;
    const vni_vec way = vni_sub(vni_follow_v(s->aim->position), s->position);
    *distance = vni_length(way);
    return vni_dot(way, v) >= *distance * vni_length(v) * (1 - 1e-12);
}

/// The way to a standstill, in whole steps.
static double brake_way(const step* s, double speed) {
    const double steps = floor(speed / s->most);
    return s->dt * steps * (speed - s->most * (steps + 1) / 2);
}

/// Can the agent brake from there, straight ahead, without losing sight of its aim?
static bool can_brake(const step* s, vni_vec v, vni_vec position, vn_point point) {
    double distance;
    const double speed = vni_length(v), way = speed > 0 ? brake_way(s, speed) : 0;
    const vni_occupancy* occupancy = &s->space->occupancy;
    if (!(way > 0))
        return true;
    const vn_point end = vni_point_at(s->space, vni_follow_d(vni_add_scaled(position, v, way / speed)));
    if (!vni_sight(occupancy, point, end))
        return false;
    if (s->aim == NULL)
        return true;

    // beyond the aim it has to see what comes then
    const bool passes = leads_to_aim(s, v, &distance) && distance < speed * s->dt + way;
    return vni_sight(occupancy, end, s->aim->point) && (!passes || vni_sight(occupancy, end, s->aim->next));
}

/// Where a step with this velocity ends.
static vni_landing ends_at(const step* s, vni_vec v, vn_dvec3* position, vn_point* point) {
    double distance;
    const bool leads = leads_to_aim(s, v, &distance);
    *position = vni_follow_d(vni_add_scaled(s->position, v, s->dt));
    if (leads && vni_length(v) * s->dt >= distance)
        *position = s->aim->position;
    return vni_follow_land(s->space, s->from, s->aim != NULL ? &s->aim->point : NULL, position, point);
}

/// On the way to its aim, which is free, the agent need not see it: rounding may hide it behind an edge.
static bool may_take(const step* s, vni_vec v, vn_dvec3* position) {
    vn_point point;
    double distance;
    if (!is_in_climb(s, v))
        return false;
    const vni_landing landing = ends_at(s, v, position, &point);
    const double speed = vni_length(v);
    if (landing != VNI_LAND_NOWHERE && leads_to_aim(s, v, &distance) &&
        distance >= speed * s->dt + brake_way(s, speed))
        return true;
    return landing == VNI_LAND_IN_SIGHT && can_brake(s, v, vni_follow_v(*position), point);
}

/// The first of the velocities between the limited one and braking that is safe.
static vni_vec safest(const step* s, vni_vec v, vn_dvec3* position, bool* held) {
    vn_point point;
    const vni_vec brake = braked(s);
    for (int k = 0; k < 4; ++k) {
        const vni_vec between = vni_add_scaled(v, vni_sub(brake, v), 0.25 * k);
        if (may_take(s, between, position))
            return between;
    }

    *held = ends_at(s, brake, position, &point) == VNI_LAND_NOWHERE;
    if (*held)
        *position = vni_follow_d(s->position);
    return brake;
}

void vni_steering_move(const vn_steering_def* def, const vn_space* space, double dt, vn_dvec3 velocity,
                       const vni_aim* aim, vn_point from, vn_agent_motion* motion) {
    step s = {.def = def, .space = space, .aim = aim, .dt = dt, .from = from};
    vni_vec forward;
    s.position = vni_follow_v(motion->position);
    s.velocity = vni_follow_v(motion->velocity);
    s.forward = vni_length2(s.velocity) > 0 ? unit(s.velocity) : vni_follow_v(motion->forward);
    s.most = def->acceleration * dt;

    motion->held = false;
    const vni_vec wanted = limited(&s, vni_follow_v(velocity), &forward);
    vni_vec taken = safest(&s, wanted, &motion->position, &motion->held);
    if (vni_length(taken) < NO_SPEED * s.most) // its direction is rounding
        taken = vni_v(0, 0, 0);
    motion->velocity = vni_follow_d(taken);
    motion->forward = vni_follow_d(vni_length2(taken) > 0 ? unit(taken) : forward);
    orient(def, motion);
}

vn_status vn_steering_move(const vn_steering_def* def, const vn_space* space, double dt, vn_dvec3 velocity,
                           vn_agent_motion* motion) {
    VNI_ASSERT(def != NULL && space != NULL && motion != NULL);
    vn_point from;
    const vn_status status = vni_steering_check(def, dt);
    if (status != VN_OK)
        return status;
    if (!vni_v_is_finite(vni_follow_v(velocity)))
        return VN_BAD_ARGUMENT;
    if (vn_space_point_from_world(space, motion->position, &from) != VN_OK)
        return VN_OUTSIDE;
    vni_steering_move(def, space, dt, velocity, NULL, from, motion);
    return VN_OK;
}
