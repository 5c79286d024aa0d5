/// avoid/planes.c: the planes of an agent's linear programme: walls, moving obstacles, other agents.
///
/// Those of agents and balls are the planes of optimal reciprocal collision avoidance (van den Berg, Guy, Lin
/// and Manocha 2011), in 3D: the velocities of i relative to j that lead to a collision within the horizon
/// form a cone with a rounded tip. The least change that leads out of it is shared between the two.
#include "avoid/avoid_inside.h"

#define NO_WALLS 1e30

/// Agents cannot pass each other across walls that leave less than this share of their radii's sum.
#define THIN 0.75

/// Two bodies in velocity space.
typedef struct pair {
    vni_vec to;       ///< from one to the other, metres
    vni_vec velocity; ///< of the one relative to the other
    double reach;     ///< sum of the radii
    double horizon, contact;
} pair;

void vni_add_walls(const vn_avoid* avoid, vni_moment* m) {
    const vni_free_box* box = m->box;
    const double seconds =
        (double)(avoid->dt > avoid->def.wall_horizon ? avoid->dt : avoid->def.wall_horizon);
    for (int k = 0; k < 3; ++k) {
        double at = vni_axis(m->body->position, k), low = vni_axis(box->low, k),
               high = vni_axis(box->high, k);
        vni_vec normal = {0, 0, 0};
        (&normal.x)[k] = 1;
        m->room[k] = (box->walls >> 2 * k & 3) == 3 ? high - low : NO_WALLS;

        // v = 0 stays allowed, also for an agent that a new box does not quite hold
        double down = vni_clamp((at - low) / seconds, 0, m->lp.speed);
        double up = vni_clamp((high - at) / seconds, 0, m->lp.speed);
        if (down < m->lp.speed)
            vni_add_plane(&m->lp, normal, -down);
        if (up < m->lp.speed)
            vni_add_plane(&m->lp, vni_scale(normal, -1), -up);
    }
}

/// Leaves the tip of the cone, a ball of radius reach / seconds around to / seconds. Returns how far, signed.
static double leave_ball(const pair* p, double seconds, vni_vec* normal) {
    vni_vec w = vni_add_scaled(p->velocity, p->to, -1 / seconds);
    double length = vni_length(w);
    if (length > 1e-12)
        *normal = vni_scale(w, 1 / length);
    return p->reach / seconds - length;
}

/// Leaves the cone sideways.
static double leave_cone(const pair* p, double distance2, vni_vec* normal) {
    double b = vni_dot(p->to, p->velocity);
    double across2 = vni_length2(vni_cross(p->to, p->velocity));
    double c = vni_length2(p->velocity) - across2 / (distance2 - p->reach * p->reach);
    double room = b * b - distance2 * c;
    double t = (b + sqrt(room > 0 ? room : 0)) / distance2;
    vni_vec w = vni_add_scaled(p->velocity, p->to, -t);
    double length = vni_length(w);
    if (length > 1e-12)
        *normal = vni_scale(w, 1 / length);
    return p->reach * t - length;
}

/// The way out of the velocities that collide: unit `normal`; left alone if all ways are equal. The result is
/// the distance to go, negative if the velocity is outside already.
static double leave(const pair* p, vni_vec* normal) {
    double distance2 = vni_length2(p->to), reach2 = p->reach * p->reach;
    if (distance2 <= reach2 * (1 + 1e-9))
        return leave_ball(p, p->contact, normal);

    vni_vec w = vni_add_scaled(p->velocity, p->to, -1 / p->horizon);
    double ahead = vni_dot(w, p->to);
    if (ahead < 0 && ahead * ahead > reach2 * vni_length2(w))
        return leave_ball(p, p->horizon, normal);
    return leave_cone(p, distance2, normal);
}

/// Between walls that leave too little across, two agents can only give way along them: what separates them
/// across does not count.
static void flatten(const vni_moment* m, pair* p) {
    for (int k = 0; k < 3; ++k) {
        double at = vni_axis(m->body->position, k) + vni_axis(p->to, k);
        if (m->room[k] < THIN * p->reach && at >= vni_axis(m->box->low, k) && at <= vni_axis(m->box->high, k))
            (&p->to.x)[k] = (&p->velocity.x)[k] = 0;
    }
}

/// A unit vector that two agents at the same place do not share.
static vni_vec fallback_of(const vni_moment* m, uint32_t other) {
    vni_vec side = {0, 0, 0};
    const int axis = m->room[0] >= m->room[1] && m->room[0] >= m->room[2] ? 0
                     : m->room[2] >= m->room[1]                           ? 2
                                                                          : 1;
    (&side.x)[axis] = m->slot < other ? 1 : -1;
    return side;
}

static void add_pair(vni_moment* m, pair* p, double share, uint32_t other) {
    vni_vec normal = {0, 0, 0}, own = vni_wide(m->body->velocity);
    flatten(m, p);
    double distance = leave(p, &normal);
    if (vni_length2(normal) == 0)
        normal = fallback_of(m, other);
    vni_add_plane(&m->lp, normal, vni_dot(normal, own) + share * distance);
}

static double contact_time(const vn_avoid* avoid) {
    return (double)(avoid->dt > avoid->def.contact_time ? avoid->dt : avoid->def.contact_time);
}

void vni_add_neighbours(const vn_avoid* avoid, vni_moment* m) {
    for (uint32_t i = 0; i < m->near_count; ++i) {
        const vni_seen* other = &avoid->bodies[m->near[i].slot];
        pair p = {vni_sub(other->position, m->body->position),
                  vni_sub(vni_wide(m->body->velocity), vni_wide(other->velocity)),
                  (double)(m->body->radius + other->radius), (double)avoid->def.horizon, contact_time(avoid)};
        double share = (double)other->weight / (double)(m->body->weight + other->weight);
        add_pair(m, &p, share, m->near[i].slot);
    }
}

// ---------- moving obstacles

static bool is_box(const vni_mover* mover) {
    return mover->def.half.x > 0 || mover->def.half.y > 0 || mover->def.half.z > 0;
}

static void add_ball(const vn_avoid* avoid, vni_moment* m, const vni_mover* mover, vni_vec center,
                     double horizon) {
    pair p = {vni_sub(center, m->body->position), vni_sub(vni_wide(m->body->velocity), mover->velocity),
              (double)(m->body->radius + mover->def.radius), horizon, contact_time(avoid)};
    add_pair(m, &p, 1, UINT32_MAX);
}

/// The obstacles that an agent lists, as they move.
void vni_add_obstacles(const vn_avoid* avoid, vni_moment* m) {
    const uint16_t* list = avoid->obstacle_lists + (size_t)m->slot * VNI_LISTED_OBSTACLES;
    const double horizon = (double)avoid->def.horizon;
    for (uint32_t i = 0; i < avoid->obstacle_counts[m->slot]; ++i) {
        const vni_mover* mover = &avoid->movers[list[i]];
        if (!(avoid->obstacle_ids.generations[list[i]] & 1))
            continue;
        if (is_box(mover))
            vni_add_box(m, mover, vni_mover_center(mover), horizon, contact_time(avoid), true);
        else
            add_ball(avoid, m, mover, vni_mover_center(mover), horizon);
    }
}

void vni_add_reversals(const vn_avoid* avoid, vni_moment* m) {
    const uint16_t* list = avoid->obstacle_lists + (size_t)m->slot * VNI_LISTED_OBSTACLES;
    const vni_limits* limits = &avoid->limits[m->slot];
    for (uint32_t i = 0; i < avoid->obstacle_counts[m->slot]; ++i) {
        vni_mover mover = avoid->movers[list[i]];
        const double speed = vni_length(mover.velocity);
        if (!(avoid->obstacle_ids.generations[list[i]] & 1) || !mover.def.may_reverse || speed == 0)
            continue;

        // To change its velocity by d, an agent needs d / a seconds, in which it loses d^2 / 2a metres.
        const double seconds = (speed + (double)limits->speed) / (2 * (double)limits->acceleration);
        const vni_vec center = vni_mover_center(&mover);
        mover.velocity = vni_scale(mover.velocity, -1);
        if (is_box(&mover))
            vni_add_box(m, &mover, center, seconds, contact_time(avoid), false);
        else
            add_ball(avoid, m, &mover, center, seconds);
    }
}
