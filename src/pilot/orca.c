/// pilot/orca.c: the velocity nearest to the preferred one that avoids all obstacles for a while, after the
/// half-spaces of van den Berg, Guy, Lin and Manocha 2011 (ORCA), with all of the avoiding done by the ship;
/// solved by Hildreth's method (1957) of one half-space after the other.
///
/// It is a proposal only: manoeuvre.c judges it.
#include "pilot/pilot_inside.h"

enum { MOST_PLANES = 48, SWEEPS = 24 };

/// Allowed velocities: normal . v >= offset.
typedef struct plane {
    vni_vec normal;
    double offset, weight; ///< the multiplier of Hildreth's method
} plane;

static vni_vec normalised(vni_vec v, vni_vec otherwise) {
    const double length = vni_length(v);
    return length > 1e-9 ? vni_scale(v, 1 / length) : otherwise;
}

/// Velocities that lead to a meeting within the horizon fill a cone with a round end. The plane touches it
/// where it is nearest to the present velocity.
static plane plane_of(const vn_pilot* pilot, const vni_seen* seen) {
    const vni_vec x = vni_sub(seen->at, pilot->at), w = vni_sub(pilot->velocity, seen->velocity);
    const double reach = seen->reach + seen->growth, far2 = vni_dot(x, x);
    const double horizon = far2 > reach * reach ? pilot->def.horizon : pilot->def.step;
    const vni_vec from_end = vni_add_scaled(w, x, -1 / horizon);
    const vni_vec away = normalised(vni_scale(x, -1), vni_v(0, 1, 0));
    const double side = vni_dot(from_end, x);
    vni_vec normal = normalised(from_end, away);
    double change = reach / horizon - vni_length(from_end);

    const bool beside = side >= 0 || side * side <= reach * reach * vni_dot(from_end, from_end);
    if (far2 > reach * reach && beside) {
        const vni_vec cross = vni_cross(x, w);
        const double b = vni_dot(x, w), c = vni_dot(w, w) - vni_dot(cross, cross) / (far2 - reach * reach);
        const double root = b * b - far2 * c;
        const double t = (b + sqrt(root > 0 ? root : 0)) / far2;
        const vni_vec from_axis = vni_add_scaled(w, x, -t);
        normal = normalised(from_axis, away);
        change = reach * t - vni_length(from_axis);
    }

    plane p = {.normal = normal};
    p.offset = vni_dot(normal, vni_add_scaled(pilot->velocity, normal, change));
    return p;
}

/// Moves `v` back and forth between the planes; the multipliers let go of those that are no longer touched.
static vni_vec settle(plane* planes, uint32_t count, vni_vec v) {
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
        for (uint32_t i = 0; i < count; ++i) {
            plane* p = &planes[i];
            const double missing = p->offset - vni_dot(p->normal, v);
            const double weight = p->weight + missing > 0 ? p->weight + missing : 0;
            v = vni_add_scaled(v, p->normal, weight - p->weight);
            p->weight = weight;
        }

    return v;
}

vni_vec vni_pilot_propose(const vn_pilot* pilot, vni_vec preferred) {
    plane planes[MOST_PLANES];
    const uint32_t count = pilot->seen_count < MOST_PLANES ? pilot->seen_count : MOST_PLANES;
    for (uint32_t i = 0; i < count; ++i)
        planes[i] = plane_of(pilot, &pilot->seen[i]);

    const vni_vec v = settle(planes, count, preferred);
    const double speed = vni_length(v);
    return speed > pilot->def.max_speed ? vni_scale(v, pilot->def.max_speed / speed) : v;
}
