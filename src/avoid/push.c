/// avoid/push.c: the comparison mode: agents do not avoid each other, a faster one pushes a slower one away.
///
/// After Albertini's "collision avoidance" (thesis of 2022, 8.2): on contact the slower agent gets a push
/// from the centre of the faster one towards the point of contact, which is moved a little at random. A body
/// does not enter another: what of its own motion leads into one is lost.
#include "avoid/avoid_inside.h"
#include "base/hash.h"

#define JITTER 0.2 // of the direction of a push

static vni_vec jitter(const vn_avoid* avoid, uint32_t slot, uint32_t other) {
    uint64_t bits = vni_hash_mix((avoid->step + 1) * VNI_HASH_STEP + slot);
    bits = vni_hash_mix(bits + other);
    vni_vec v = {(double)(bits & 0xffff), (double)(bits >> 16 & 0xffff), (double)(bits >> 32 & 0xffff)};
    return vni_scale(vni_add_scaled(vni_v(-1, -1, -1), v, 2.0 / 0xffff), JITTER);
}

/// Away from the other one, unit length; up to 0.02 s before they touch.
static bool contact(const vn_avoid* avoid, const vni_moment* m, uint32_t i, vni_vec* away) {
    const vni_seen* other = &avoid->bodies[m->near[i].slot];
    double distance = vni_length(vni_sub(m->body->position, other->position));
    if ((double)m->near[i].gap > 0.02 * (double)avoid->fastest || distance < 1e-9)
        return false;
    *away = vni_scale(vni_sub(m->body->position, other->position), 1 / distance);
    return true;
}

vni_vec vni_pushed(const vn_avoid* avoid, const vni_moment* m) {
    vni_vec velocity = m->wish, push = {0, 0, 0}, away;
    const float speed = avoid->limits[m->slot].speed;
    for (uint32_t i = 0; i < m->near_count; ++i) {
        if (!contact(avoid, m, i, &away))
            continue;

        double into = -vni_dot(velocity, away);
        if (into > 0)
            velocity = vni_add_scaled(velocity, away, into);
        if (avoid->limits[m->near[i].slot].speed <= speed)
            continue;

        double force = vni_dot(vni_wide(avoid->bodies[m->near[i].slot].wish), away);
        if (force > 0)
            push = vni_add_scaled(push, vni_add(away, jitter(avoid, m->slot, m->near[i].slot)), force);
    }

    return vni_add(velocity, push);
}
