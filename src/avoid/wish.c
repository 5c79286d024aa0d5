/// avoid/wish.c: what an agent wants once it sees the others: it keeps to its lane between walls, turns to
/// the right for oncoming agents, and leaves exact symmetry by a small offset.
///
/// Agents that come the other way are noticed within reach only. In a stream those in front say it to those
/// behind: an alert, handed on from neighbour to neighbour, keeps the whole stream in its lane; it dies out
/// when none comes any more, and a stream that meets none uses the full width.
#include "avoid/avoid_inside.h"
#include "base/hash.h"

#define ALERT_SECONDS 8.0f
#define OFFSET        0.02 // of the wish
#define LANE_PULL     0.7  // share of the speed with which an agent goes to its lane, at most

vni_vec vni_right_of(const vn_avoid* avoid, vni_vec direction) {
    vni_vec up = vni_wide(avoid->def.up), right = vni_cross(direction, up);
    double length2 = vni_length2(right), all2 = vni_length2(direction);
    if (length2 < 0.01 * all2) {
        up = vni_v(up.y, up.z, up.x);
        right = vni_cross(direction, up);
        length2 = vni_length2(right);
    }

    return length2 > 0 ? vni_scale(right, 1 / sqrt(length2)) : vni_v(0, 0, 0);
}

/// How directly, 0 to 1, an oncoming agent comes: both look at each other. Negative: it goes the same way.
static double oncoming(const vni_moment* m, const vni_seen* other, double speed) {
    vni_vec wish = vni_wide(other->wish);
    double length = vni_length(wish);
    if (length < 1e-6)
        return 0;
    double turn = -vni_dot(m->wish, wish) / (length * speed);
    vni_vec to = vni_sub(other->position, m->body->position);
    return turn > 0 && vni_dot(to, m->wish) < 0 ? 0 : turn;
}

/// Sums up the neighbours: the alert, and the strength of the bias.
static float listen(const vn_avoid* avoid, const vni_moment* m, double speed, double* strength) {
    float alert = vni_alert_left(avoid, m->body);
    *strength = 0;
    for (uint32_t i = 0; i < m->near_count; ++i) {
        const vni_seen* other = &avoid->bodies[m->near[i].slot];
        if (vni_says_nothing(m, other, alert))
            continue;
        double turn = oncoming(m, other, speed);
        double close = 1 - (double)(m->near[i].gap / avoid->def.reach);
        if (turn > 0.5) {
            alert = ALERT_SECONDS;
            *strength = turn * close > *strength ? turn * close : *strength;
        } else if (turn < -0.5 && other->alert - VNI_ALERT_STEP > alert)
            alert = other->alert - VNI_ALERT_STEP;
    }

    return alert;
}

/// The axis across which a lane is half of the free box, and on which side (+1 or -1) the agent's own lane
/// lies; -1 if there is no such axis.
static int lane_axis(const vn_avoid* avoid, const vni_moment* m, double* side) {
    const vni_vec wish = vni_abs_each(m->wish), right = vni_right_of(avoid, m->wish);
    const int ahead = wish.x >= wish.y && wish.x >= wish.z ? 0 : wish.y >= wish.z ? 1 : 2;
    int across = vni_other_axes[ahead][0], above = vni_other_axes[ahead][1];
    if (vni_abs(vni_axis(right, above)) > vni_abs(vni_axis(right, across))) {
        const int other = across;
        across = above;
        above = other;
    }

    // beside each other first; if that is too narrow, above each other
    for (int turn = 0; turn < 2; ++turn) {
        const int k = turn == 0 ? across : above;
        double width = vni_axis(m->box->high, k) - vni_axis(m->box->low, k);
        if ((m->box->walls >> 2 * k & 3) != 3 || width > (double)avoid->def.lane_width)
            return -1;
        *side = turn == 0 ? vni_axis(right, k) : vni_axis(m->wish, ahead);
        if (width >= 2 * (double)m->body->radius)
            return k;
    }

    return -1;
}

/// An agent in its lane does not leave it; another one goes there.
static bool keep_lane(const vn_avoid* avoid, vni_moment* m, double speed) {
    double side = 0;
    const int k = m->box != NULL ? lane_axis(avoid, m, &side) : -1;
    if (k < 0)
        return false;

    side = side > 0 ? 1 : -1;
    double middle = 0.5 * (vni_axis(m->box->low, k) + vni_axis(m->box->high, k));
    double inside = side * (vni_axis(m->body->position, k) - middle) - (double)m->body->radius;
    vni_vec normal = {0, 0, 0};
    VNI_AXIS(normal, k) = side;
    if (inside >= 0) {
        vni_add_plane(&m->lp, normal, -inside / (double)avoid->def.wall_horizon);
        return true;
    }

    double pull = vni_clamp(-inside / (double)avoid->def.wall_horizon, 0, LANE_PULL * speed);
    m->wish = vni_add_scaled(m->wish, normal, pull);
    m->wish = vni_scale(m->wish, speed / vni_length(m->wish));
    return true;
}

/// A vector that depends on the id alone, each coordinate in [-1, 1].
static vni_vec vector_of_id(uint32_t slot) {
    uint64_t bits = vni_hash_mix((slot + UINT64_C(1)) * VNI_HASH_STEP);
    vni_vec v = {(double)(bits & 0xffff), (double)(bits >> 16 & 0xffff), (double)(bits >> 32 & 0xffff)};
    return vni_add_scaled(vni_v(-1, -1, -1), v, 2.0 / 0xffff);
}

float vni_turn_wish(const vn_avoid* avoid, vni_moment* m) {
    double speed = vni_length(m->wish), strength;
    if (speed < 1e-6)
        return 0;

    float alert = listen(avoid, m, speed, &strength);
    bool in_lane = alert > 0 && avoid->def.lane_width > 0 && keep_lane(avoid, m, speed);
    vni_vec turned = vni_add_scaled(m->wish, vector_of_id(m->slot), OFFSET * speed);
    if (!in_lane && strength > 0)
        turned =
            vni_add_scaled(turned, vni_right_of(avoid, m->wish), (double)avoid->def.bias * strength * speed);
    m->wish = vni_scale(turned, speed / vni_length(turned));
    return alert;
}
