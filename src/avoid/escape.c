/// avoid/escape.c: a last look at the velocity that the linear programme has chosen.
///
/// Planes know nothing of acceleration, and where many boxes meet they contradict each other. So the next
/// second of the agent is flown in steps, within its acceleration, past the obstacles as they move. If it
/// meets one, other velocities are flown too, now also past its neighbours as they move: the one that meets
/// least is taken, of equal ones the nearest to what the agent wants.
#include "avoid/avoid_inside.h"

#define STEPS   12
#define SECONDS 0.1

/// How much it counts to meet an obstacle that turns round now.
#define REVERSED 0.2

/// How much it counts to meet a neighbour: that one gives way too, an obstacle does not.
#define NEIGHBOUR 0.2

/// An obstacle as the agent meets it.
typedef struct threat {
    const vni_mover* mover;
    vni_vec center;
    double reach; ///< rounding of the obstacle and radius of the agent
} threat;

typedef struct flight {
    const vn_avoid* avoid;
    const vni_moment* m;
    threat threats[VNI_LISTED_OBSTACLES];
    uint32_t count;
    bool is_careful; ///< obstacles that may turn round count for that too
    bool is_social;  ///< neighbours count too
} flight;

static flight begin_flight(const vn_avoid* avoid, const vni_moment* m) {
    const uint16_t* list = avoid->obstacle_lists + (size_t)m->slot * VNI_LISTED_OBSTACLES;
    flight f = {.avoid = avoid, .m = m};
    for (uint32_t i = 0; i < avoid->obstacle_counts[m->slot]; ++i) {
        const vni_mover* mover = &avoid->movers[list[i]];
        if (avoid->obstacle_ids.generations[list[i]] & 1)
            f.threats[f.count++] =
                (threat){mover, vni_mover_center(mover), (double)(mover->def.radius + m->body->radius)};
    }

    return f;
}

/// Metres between agent and obstacle after `seconds` of its motion; negative: they overlap.
static double clearance(const threat* t, vni_vec at, double seconds) {
    const vni_vec from = vni_sub(at, vni_add_scaled(t->center, t->mover->velocity, seconds));
    double out2 = 0, inside = -VNI_FAR_AWAY;
    for (int k = 0; k < 3; ++k) {
        const double beyond =
            vni_abs(vni_dot(from, t->mover->axis[k])) - (double)VNI_AXIS(t->mover->def.half, k);
        out2 += beyond > 0 ? beyond * beyond : 0;
        inside = beyond > inside ? beyond : inside;
    }

    return (out2 > 0 ? sqrt(out2) : inside) - t->reach;
}

/// Metres by which the agent overlaps with its neighbours after `seconds`, if these go on as they do now.
static double overlap(const flight* f, vni_vec at, double seconds) {
    const vni_moment* m = f->m;
    double sum = 0;
    for (uint32_t i = 0; i < m->near_count; ++i) {
        const vni_seen* other = &f->avoid->bodies[m->near[i].slot];
        const vni_vec there = vni_add_scaled(other->position, vni_wide(other->velocity), seconds);
        const double reach = (double)(m->body->radius + other->radius);
        const double distance2 = vni_length2(vni_sub(at, there));
        sum += distance2 < reach * reach ? reach - sqrt(distance2) : 0;
    }

    return sum;
}

static vni_vec stay_in_box(const vni_free_box* box, vni_vec at) {
    if (box == NULL)
        return at;
    return vni_max(box->low, vni_min(box->high, at));
}

/// How much the agent overlaps with others if it heads for a velocity from now on: metres, summed over the
/// steps.
static double fly(const flight* f, vni_vec velocity) {
    const double most = (double)f->avoid->limits[f->m->slot].acceleration * SECONDS;
    vni_vec at = f->m->body->position, now = vni_wide(f->m->body->velocity);
    double sum = 0;
    for (int step = 1; step <= STEPS; ++step) {
        const vni_vec change = vni_sub(velocity, now);
        const double length = vni_length(change);
        now = length <= most ? velocity : vni_add_scaled(now, change, most / length);
        at = stay_in_box(f->m->box, vni_add_scaled(at, now, SECONDS));
        sum += f->is_social ? NEIGHBOUR * overlap(f, at, step * SECONDS) : 0;
        for (uint32_t i = 0; i < f->count; ++i) {
            const threat* t = &f->threats[i];
            const double gap = clearance(t, at, step * SECONDS);
            sum -= gap < 0 ? gap : 0;
            if (!f->is_careful || !t->mover->def.may_reverse)
                continue;
            const double back = clearance(t, at, -step * SECONDS);
            sum -= back < 0 ? REVERSED * back : 0;
        }
    }

    return sum;
}

/// One of the 26 directions to faces, edges and corners of a cube, not normalised.
static vni_vec direction(int i) {
    return vni_v(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
}

void vni_escape(const vn_avoid* avoid, const vni_moment* m, bool is_careful, vni_vec* velocity) {
    flight f = begin_flight(avoid, m);
    f.is_careful = is_careful;
    const double speed = m->lp.speed;
    if (f.count == 0 || fly(&f, *velocity) == 0)
        return;

    f.is_social = true;
    double least = fly(&f, *velocity), nearest = 0;
    for (int i = 0; i < 27; ++i) {
        const vni_vec way = direction(i);
        const double length = vni_length(way);
        const vni_vec other = length > 0 ? vni_scale(way, speed / length) : way;
        const double sum = fly(&f, other), far = vni_length2(vni_sub(other, m->wish));
        if (sum > least || (sum == least && far >= nearest))
            continue;
        least = sum;
        nearest = far;
        *velocity = other;
    }
}
