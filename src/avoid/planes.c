/// avoid/planes.c: the planes of an agent's linear programme: walls, moving obstacles, other agents.
///
/// Those of agents and balls are the planes of optimal reciprocal collision avoidance (van den Berg, Guy, Lin
/// and Manocha 2011), in 3D: the velocities of i relative to j that lead to a collision within the horizon
/// form a cone with a rounded tip. The least change that leads out of it is shared between the two.
#include "avoid/avoid_inside.h"

#define NO_WALLS 1e30

/// Two bodies in velocity space.
typedef struct pair {
    vni_vec to;       ///< from one to the other, metres
    vni_vec velocity; ///< of the one relative to the other
    double reach;     ///< sum of the radii
} pair;

/// Seconds, each with -1 / seconds.
typedef struct times {
    double horizon, contact;
    double horizon_rate, contact_rate;
} times;

void vni_add_walls(const vn_avoid* avoid, vni_moment* m) {
    const vni_free_box* box = m->box;
    const double seconds =
        (double)(avoid->dt > avoid->def.wall_horizon ? avoid->dt : avoid->def.wall_horizon);
    for (int k = 0; k < 3; ++k) {
        double at = vni_axis(m->body->position, k), low = vni_axis(box->low, k),
               high = vni_axis(box->high, k);
        vni_vec normal = {0, 0, 0};
        VNI_AXIS(normal, k) = 1;
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

/// The way out of the velocities that collide, not scaled: its direction is the plane's normal. `*edge`: how
/// far along it they reach. Outside the cone's tip, a ball of radius reach / seconds around to / seconds, or
/// sideways out of the cone.
static inline vni_vec way_out(const pair* p, const times* t, double* edge) {
    const double distance2 = vni_length2(p->to), reach2 = p->reach * p->reach;
    if (distance2 <= reach2 * (1 + 1e-9)) {
        *edge = p->reach / t->contact;
        return vni_add_scaled(p->velocity, p->to, t->contact_rate);
    }

    const vni_vec w = vni_add_scaled(p->velocity, p->to, t->horizon_rate);
    const double ahead = vni_dot(w, p->to);
    if (ahead < 0 && ahead * ahead > reach2 * vni_length2(w)) {
        *edge = p->reach / t->horizon;
        return w;
    }

    const double b = vni_dot(p->to, p->velocity), across2 = vni_length2(vni_cross(p->to, p->velocity));
    const double c = vni_length2(p->velocity) - across2 / (distance2 - reach2);
    const double room = b * b - distance2 * c, scale = (b + sqrt(room > 0 ? room : 0)) / distance2;
    *edge = p->reach * scale;
    return vni_add_scaled(p->velocity, p->to, -scale);
}

/// Between walls that leave too little across, two agents can only give way along them: what separates them
/// across does not count. Returns the number of axes that are too narrow.
static int flatten(const vni_moment* m, pair* p) {
    int narrow = 0;
    for (int k = 0; k < 3; ++k) {
        double at = vni_axis(m->body->position, k) + vni_axis(p->to, k);
        if (m->room[k] < VNI_THIN * p->reach && at >= vni_axis(m->box->low, k) &&
            at <= vni_axis(m->box->high, k)) {
            VNI_AXIS(p->to, k) = VNI_AXIS(p->velocity, k) = 0;
            ++narrow;
        }
    }

    return narrow;
}

/// A unit vector for two agents that meet exactly, or are at the same place: across the line between them,
/// where walls leave most, for one of them the opposite of what it is for the other.
static vni_vec fallback_of(const vni_moment* m, const pair* p, uint32_t other) {
    const double distance2 = vni_length2(p->to);
    double most = -1;
    int axis = 0;
    for (int k = 0; k < 3; ++k) {
        const double along = vni_axis(p->to, k);
        const double across = distance2 > 0 ? 1 - along * along / distance2 : 1;
        if (m->room[k] * across > most) {
            most = m->room[k] * across;
            axis = k;
        }
    }

    vni_vec side = {0, 0, 0};
    VNI_AXIS(side, axis) = m->slot < other ? 1 : -1;
    if (distance2 > 0)
        side = vni_add_scaled(side, p->to, -vni_dot(side, p->to) / distance2);
    return vni_scale(side, 1 / vni_length(side));
}

/// In a tube there is no way past each other: the two may not close up faster than the gap allows. The cone
/// has no sides there, and the way out through its far end would lead them into each other.
static void add_in_line(vni_moment* m, const pair* p, const times* t, double share) {
    const double distance = vni_length(p->to), gap = distance - p->reach;
    const vni_vec normal = vni_scale(p->to, -1 / distance);
    const double closing = -vni_dot(normal, p->velocity), most = gap / (gap > 0 ? t->horizon : t->contact);
    vni_add_plane(&m->lp, normal, vni_dot(normal, vni_wide(m->body->velocity)) + share * (closing - most));
}

static inline void add_pair(vni_moment* m, pair* p, const times* t, double share, uint32_t other) {
    const int narrow = m->box != NULL ? flatten(m, p) : 0;
    if (narrow == 2 && vni_length2(p->to) > 0) {
        add_in_line(m, p, t, share);
        return;
    }

    double edge;
    const vni_vec way = way_out(p, t, &edge), own = vni_wide(m->body->velocity);
    const double length = vni_length(way);
    const vni_vec normal = length > 1e-12 ? vni_scale(way, 1 / length) : fallback_of(m, p, other);
    vni_add_plane(&m->lp, normal, vni_dot(normal, own) + share * (edge - length));
}

static times times_of(const vn_avoid* avoid, double horizon) {
    const double contact =
        (double)(avoid->dt > avoid->def.contact_time ? avoid->dt : avoid->def.contact_time);
    return (times){horizon, contact, -1 / horizon, -1 / contact};
}

void vni_add_neighbours(const vn_avoid* avoid, vni_moment* m) {
    const times t = times_of(avoid, (double)avoid->def.horizon);
    const vni_seen* body = m->body;
    for (uint32_t i = 0; i < m->near_count; ++i) {
        const vni_seen* other = &avoid->bodies[m->near[i].slot];
        pair p = {vni_sub(other->position, body->position),
                  vni_sub(vni_wide(body->velocity), vni_wide(other->velocity)),
                  (double)(body->radius + other->radius)};
        add_pair(m, &p, &t, (double)other->weight / (double)(body->weight + other->weight), m->near[i].slot);
    }
}

// ---------- moving obstacles

static bool is_box(const vni_mover* mover) {
    return mover->def.half.x > 0 || mover->def.half.y > 0 || mover->def.half.z > 0;
}

static void add_ball(const vn_avoid* avoid, vni_moment* m, const vni_mover* mover, vni_vec center,
                     double horizon) {
    const times t = times_of(avoid, horizon);
    pair p = {vni_sub(center, m->body->position), vni_sub(vni_wide(m->body->velocity), mover->velocity),
              (double)(m->body->radius + mover->def.radius)};
    add_pair(m, &p, &t, 1, UINT32_MAX);
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
            vni_add_box(m, mover, vni_mover_center(mover), horizon, times_of(avoid, horizon).contact, true);
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
            vni_add_box(m, &mover, center, seconds, times_of(avoid, seconds).contact, false);
        else
            add_ball(avoid, m, &mover, center, seconds);
    }
}
