/// sim/mover.c: where a mover is at a time. Nothing here decides or fails: mover_check.c has refused all
/// that could.
#include "sim/mover.h"

#include <assert.h>
#include <math.h>

#include "sim/turn.h"
#include "sim/vec.h"

uint64_t vni_random_of(uint64_t seed, uint64_t a) {
    uint64_t state = seed;
    state = vn_random_next(&state) ^ a;
    return vn_random_next(&state);
}

double vni_random_real(uint64_t* random, double low, double high) {
    return low + (high - low) * ((double)(vn_random_next(random) >> 11) / 9007199254740992.0);
}

// ------------------------------------------------------------------------------------------------- drift

/// On one axis: a triangle wave.
static double bounce(double low, double high, double position, double* velocity, double seconds) {
    const double room = high - low;
    if (room <= 0) {
        return position;
    }

    const double way = vni_wrap(position - low + *velocity * seconds, 2 * room);
    if (way >= room) {
        *velocity = -*velocity;
        return high - (way - room);
    }

    return low + way;
}

vn_dvec3 vni_bounce(vn_dvec3 low, vn_dvec3 high, vn_dvec3 position, vn_dvec3* velocity, double seconds) {
    return (vn_dvec3){bounce(low.x, high.x, position.x, &velocity->x, seconds),
                      bounce(low.y, high.y, position.y, &velocity->y, seconds),
                      bounce(low.z, high.z, position.z, &velocity->z, seconds)};
}

/// Seconds until a coordinate leaves [low, high]; infinity if it never does.
static double seconds_inside(double low, double high, double position, double velocity) {
    return velocity > 0 ? (high - position) / velocity
                        : (velocity < 0 ? (low - position) / velocity : (double)INFINITY);
}

/// Straight on from a point until the bounds end; false once it has left.
static bool drift_out(const vn_box* bounds, vn_dvec3* position, vn_dvec3* velocity, double seconds) {
    const vn_dvec3 low = vni_exact(bounds->min), high = vni_exact(bounds->max);
    double inside = seconds_inside(low.x, high.x, position->x, velocity->x);
    const double y = seconds_inside(low.y, high.y, position->y, velocity->y),
                 z = seconds_inside(low.z, high.z, position->z, velocity->z);
    inside = y < inside ? y : inside;
    inside = z < inside ? z : inside;

    // What has left waits where it left: far away is no place for a float.
    const double t = seconds < inside ? seconds : inside;
    *position = vni_sum(*position, vni_scaled(*velocity, t));
    if (seconds >= inside) {
        *velocity = (vn_dvec3){0, 0, 0};
    }

    return seconds < inside;
}

/// A point of a random face, and the velocity from there towards a random point inside.
static void enter(const vni_mover* m, uint64_t life, double speed, vn_dvec3* position, vn_dvec3* velocity) {
    uint64_t random = vni_random_of(m->seed, life);
    const vn_dvec3 low = vni_exact(m->bounds.min), high = vni_exact(m->bounds.max);
    const uint64_t face = vn_random_next(&random) % 6;
    double from[3], to[3];
    const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    for (int i = 0; i < 3; ++i) {
        from[i] = vni_random_real(&random, lows[i], highs[i]);
        to[i] = vni_random_real(&random, 0.75 * lows[i] + 0.25 * highs[i], 0.25 * lows[i] + 0.75 * highs[i]);
    }

    from[face / 2] = face % 2 == 0 ? lows[face / 2] : highs[face / 2];
    *position = (vn_dvec3){from[0], from[1], from[2]};
    const vn_dvec3 d = vni_difference((vn_dvec3){to[0], to[1], to[2]}, *position);
    *velocity = vni_scaled(d, speed / vni_length(d));
}

/// No life is longer than the diagonal takes, so they can be counted without knowing how long each was.
static bool drift_return(const vni_mover* m, vn_dvec3* position, vn_dvec3* velocity, double seconds) {
    const vn_dvec3 low = vni_exact(m->bounds.min), high = vni_exact(m->bounds.max);
    const double speed = vni_length(*velocity);
    const double life_seconds = vni_length(vni_difference(high, low)) / speed;
    double t = seconds;
    if (speed > 0) {
        const double life = floor(seconds / life_seconds);
        t = vni_wrap(seconds, life_seconds);
        if (life >= 1) {
            enter(m, (uint64_t)life, speed, position, velocity);
        }
    }

    return drift_out(&m->bounds, position, velocity, t);
}

static bool drift(const vni_mover* m, double seconds, vn_dvec3* position, vn_dvec3* velocity) {
    *position = vni_exact(m->motion.position);
    *velocity = vni_exact(m->motion.velocity);
    if (m->motion.edge == VN_EDGE_VANISH) {
        return drift_out(&m->bounds, position, velocity, seconds);
    }

    if (m->motion.edge == VN_EDGE_RETURN) {
        return drift_return(m, position, velocity, seconds);
    }

    const vn_dvec3 low = vni_exact(m->bounds.min), high = vni_exact(m->bounds.max), half = m->half;
    *position = vni_bounce(vni_sum(low, half), vni_difference(high, half), *position, velocity, seconds);
    return true;
}

// ---------------------------------------------------------------------------------------------- the rest

static void turn(const vni_mover* m, double seconds, vn_mover_state* out) {
    const double rate = m->motion.turns_per_second;
    const double part = rate * seconds - floor(rate * seconds);
    double cosine, sine;
    vni_turn(0.5 * part, &cosine, &sine);

    const float s = (float)sine, w = (float)(VNI_TAU * rate);
    const int axis = m->motion.axis;
    out->transform.rotation =
        (vn_quat){axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0, (float)cosine};
    out->spin = (vn_vec3){axis == 0 ? w : 0, axis == 1 ? w : 0, axis == 2 ? w : 0};
}

static bool is_on(const vn_motion* motion, double seconds) {
    return vni_wrap(seconds, motion->on + motion->off) < motion->on;
}

void vni_mover_at(const vni_mover* m, double seconds, vn_mover_state* out) {
    const double t = seconds + m->motion.offset;
    vn_dvec3 position = vni_exact(m->motion.position), velocity = {0, 0, 0};
    *out = (vn_mover_state){.transform = vn_transform_identity(), .present = true};

    switch (m->motion.kind) {
    case VN_MOTION_PATROL:
    case VN_MOTION_ORBIT: {
        const double speed = m->motion.speed;
        vni_rail_at(&m->rail, speed * t, &position, &velocity);
        velocity = vni_scaled(velocity, speed);
        break;
    }
    case VN_MOTION_TURN: turn(m, t, out); break;
    case VN_MOTION_BLINK: out->present = is_on(&m->motion, t); break;
    case VN_MOTION_DRIFT: out->present = drift(m, t, &position, &velocity); break;
    default: assert(m->motion.kind == VN_MOTION_STILL); break;
    }

    out->transform.position = vni_rounded(position);
    out->velocity = vni_rounded(velocity);
    out->present = out->present && seconds >= m->appears && seconds < m->vanishes;
}
