/// avoid/calm.c: a short way for agents that no other agent disturbs, which most are most of the time.
///
/// It shows, for four listed agents at a time and in single precision with a margin, that they would not turn
/// an agent's wish and that their planes would allow the velocity that it takes without them: then they need
/// not be made, nor the nearest of them be chosen. Where that cannot be shown all is done as ever, so that
/// the result is the same to the bit.
#include "avoid/avoid_inside.h"
#include "base/simd.h"

#include <stddef.h>

_Static_assert(offsetof(vni_seen, radius) == offsetof(vni_seen, velocity) + 12 &&
                   offsetof(vni_seen, weight) == offsetof(vni_seen, wish) + 12,
               "four floats are read at once");

/// Bodies so near each other (distance squared to reach squared) get their plane.
#define TOUCH 1.001f

/// What rounding may change, as a share of the distance squared, while the way of one horizon is shorter than
/// FAST distances; and in square metres.
#define ROUNDING 1e-4f
#define FAST2    1e4f
#define TINY     1e-6f

/// Three coordinates and a number, each of four agents.
typedef struct four {
    vni_f4 x, y, z, w;
} four;

static inline four four_of(const vni_f4 rows[4]) {
    four f = {rows[0], rows[1], rows[2], rows[3]};
    vni_f4_transpose(&f.x, &f.y, &f.z, &f.w);
    return f;
}
static inline four four_all(vni_vec v, float w) {
    return (four){vni_f4_all((float)v.x), vni_f4_all((float)v.y), vni_f4_all((float)v.z), vni_f4_all(w)};
}
static inline vni_f4 four_dot(const four* a, const four* b) {
    return vni_f4_add(vni_f4_add(vni_f4_mul(a->x, b->x), vni_f4_mul(a->y, b->y)), vni_f4_mul(a->z, b->z));
}

/// Four floats of a body, by the offset of the first.
static inline vni_f4 floats_at(const vni_seen* body, size_t offset) {
    return vni_f4_load((const float*)((const char*)body + offset));
}

/// What an agent would do without the others.
typedef struct plan {
    vni_vec at;
    four velocity; ///< present one, and the radius
    four wish;     ///< and the weight
    vni_f4 heard;  ///< an alert above this is news
    vni_f4 change; ///< metres that the change of velocity makes in the horizon
    vni_f4 horizon;
} plan;

static plan plan_of(const vn_avoid* avoid, const vni_moment* m, vni_vec velocity) {
    const vni_seen* body = m->body;
    const vni_vec own = vni_wide(body->velocity);
    const float change = (float)vni_length(vni_sub(velocity, own)) * avoid->def.horizon;
    return (plan){body->position,
                  four_all(own, body->radius),
                  four_all(vni_wide(body->wish), body->weight),
                  vni_f4_all(vni_alert_left(avoid, body)),
                  vni_f4_all(change),
                  vni_f4_all(avoid->def.horizon)};
}

/// Do four go the same way, and have nothing to say that the agent does not know (vni_says_nothing)?
/// Rounding does not matter: those who go across have nothing to say either.
static inline bool are_quiet(const plan* p, const four* wish, vni_f4 alert) {
    const vni_f4 news = vni_f4_sub(alert, vni_f4_all(VNI_ALERT_STEP));
    return (vni_f4_not_above(vni_f4_all(0), four_dot(&p->wish, wish)) & vni_f4_not_above(news, p->heard)) ==
           15;
}

/// Do the planes of four allow the plan? The velocities that collide within the horizon T lie beyond a plane
/// across the way `to` the other, at (|to| - reach) / T. What the relative velocity has to spare before that
/// plane must be no less than the change over the agent's share of it.
static inline bool allow(const plan* p, const four* to, const four* moves, vni_f4 weight) {
    const vni_f4 reach = vni_f4_add(p->velocity.w, moves->w), distance2 = four_dot(to, to);
    const vni_f4 inverse_share = vni_f4_div(vni_f4_add(p->wish.w, weight), weight);
    const four after = {vni_f4_sub(to->x, vni_f4_mul(vni_f4_sub(p->velocity.x, moves->x), p->horizon)),
                        vni_f4_sub(to->y, vni_f4_mul(vni_f4_sub(p->velocity.y, moves->y), p->horizon)),
                        vni_f4_sub(to->z, vni_f4_mul(vni_f4_sub(p->velocity.z, moves->z), p->horizon)),
                        reach};
    const vni_f4 need =
        vni_f4_mul(vni_f4_add(reach, vni_f4_mul(p->change, inverse_share)), vni_f4_sqrt(distance2));
    const vni_f4 margin = vni_f4_add(vni_f4_mul(distance2, vni_f4_all(ROUNDING)), vni_f4_all(TINY));
    return (vni_f4_not_above(vni_f4_add(need, margin), four_dot(to, &after)) &
            vni_f4_not_above(four_dot(&after, &after), vni_f4_mul(distance2, vni_f4_all(FAST2))) &
            vni_f4_not_above(vni_f4_mul(vni_f4_mul(reach, reach), vni_f4_all(TOUCH)), distance2)) == 15;
}

/// What four agents show: the way to each, with its alert; velocity, with the radius; wish, with the weight.
typedef struct group {
    vni_f4 to[4], velocity[4], wish[4];
} group;

static inline void read_one(const vni_seen* other, vni_vec at, group* g, int i) {
    const vni_vec way = vni_sub(other->position, at);
    g->to[i] = vni_f4_of((float)way.x, (float)way.y, (float)way.z, other->alert);
    g->velocity[i] = floats_at(other, offsetof(vni_seen, velocity));
    g->wish[i] = floats_at(other, offsetof(vni_seen, wish));
}

/// Four listed agents; where there are fewer, the last one again.
static inline bool leave_alone(const vni_seen* bodies, const plan* p, const uint32_t* list, uint32_t last) {
    group g;
    read_one(&bodies[list[0]], p->at, &g, 0);
    read_one(&bodies[list[last < 1 ? last : 1]], p->at, &g, 1);
    read_one(&bodies[list[last < 2 ? last : 2]], p->at, &g, 2);
    read_one(&bodies[list[last < 3 ? last : 3]], p->at, &g, 3);
    const four to = four_of(g.to), velocity = four_of(g.velocity), wish = four_of(g.wish);
    return are_quiet(p, &wish, to.w) && allow(p, &to, &velocity, wish.w);
}

bool vni_is_left_alone(const vn_avoid* avoid, const vni_moment* m, vni_vec velocity) {
    // where walls leave agents no way past each other, what separates them counts otherwise
    if (vni_is_thin(m, (double)(m->body->radius + avoid->widest)))
        return false;

    const plan p = plan_of(avoid, m, velocity);
    const uint32_t* list = avoid->lists + (size_t)m->slot * VN_AVOID_MAX_NEIGHBOURS;
    const uint32_t listed = avoid->list_counts[m->slot];
    for (uint32_t i = 0; i < listed; i += 4)
        if (!leave_alone(avoid->bodies, &p, list + i, listed - i - 1))
            return false;
    return true;
}
