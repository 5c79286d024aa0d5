/// pilot/tree.c: the last resort: a tree of accelerations, each for a few steps, grown where it has come
/// farthest in time, until a branch outlives the horizon.
#include "pilot/pilot_inside.h"

enum { NODES = 600, BRANCHES = 27, BRANCH_STEPS = 3 };

/// A state of the ship, and how it came there.
typedef struct vni_escape_node {
    vni_vec at, velocity;
    vni_vec target;   ///< velocity that the branch turned to
    double time;      ///< seconds from now
    double clearance; ///< distance from what is nearest, metres
    int32_t parent;   ///< -1: the root
    bool grown;
} node;

typedef struct tree {
    const vn_pilot* pilot;
    node* nodes;
    int32_t count;
} tree;

size_t vni_pilot_escape_bytes(void) {
    return NODES * sizeof(node);
}

/// Distance to the obstacle that is nearest after some time.
static double clearance_at(const vn_pilot* pilot, vni_vec at, double time) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < pilot->seen_count; ++i) {
        const vni_seen* s = &pilot->seen[i];
        const double d =
            vni_length(vni_sub(vni_add_scaled(s->at, s->velocity, time), at)) - s->reach - s->growth * time;
        least = d < least ? d : least;
    }

    return least;
}

static bool is_met(const vn_pilot* pilot, const node* n) {
    for (uint32_t i = 0; i < pilot->seen_count; ++i)
        if (vni_time_to_meet(&pilot->seen[i], n->at, n->velocity, n->time, pilot->def.step) <=
            pilot->def.step)
            return true;
    return false;
}

/// Steps of one branch; false if it meets something, or can no longer stop before a wall.
static bool grow_branch(const vn_pilot* pilot, node* n) {
    const double most = pilot->def.acceleration * pilot->def.step;
    for (int k = 0; k < BRANCH_STEPS; ++k) {
        const vni_vec from = n->at;
        n->velocity = vni_turn_velocity(n->velocity, n->target, most);
        if (is_met(pilot, n))
            return false;

        n->at = vni_add_scaled(n->at, n->velocity, pilot->def.step);
        n->time += pilot->def.step;
        if (!vni_pilot_sees(pilot->space, from, n->at))
            return false;
    }

    return vni_pilot_sees(pilot->space, n->at, vni_rest_place(pilot, n->at, n->velocity));
}

/// Direction 0 to 26 of the cube, of length 1; 13 is none.
static vni_vec direction(int i) {
    static const double lengths[4] = {1, 1, 0.70710678118654752, 0.57735026918962576};
    const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
    const double s = lengths[x * x + y * y + z * z];
    return vni_v(x * s, y * s, z * s);
}

static void grow(tree* t, int32_t index) {
    const vn_pilot_def* def = &t->pilot->def;
    t->nodes[index].grown = true;
    for (int i = 0; i < BRANCHES && t->count < NODES; ++i) {
        node n = t->nodes[index];
        const double change = def->acceleration * def->step * BRANCH_STEPS;
        n.target = vni_add_scaled(n.velocity, direction(i), change);
        const double speed = vni_length(n.target);
        if (speed > def->max_speed)
            n.target = vni_scale(n.target, def->max_speed / speed);

        n.parent = index;
        n.grown = false;
        if (grow_branch(t->pilot, &n)) {
            n.clearance = clearance_at(t->pilot, n.at, n.time);
            t->nodes[t->count++] = n;
        }
    }
}

/// The node farthest in time, of these the one with the most clearance, that has not grown yet; -1: none.
static int32_t choose(const tree* t) {
    int32_t best = -1;
    for (int32_t i = 0; i < t->count; ++i) {
        const node* n = &t->nodes[i];
        const bool better = best < 0 || n->time > t->nodes[best].time ||
                            (n->time == t->nodes[best].time && n->clearance > t->nodes[best].clearance);
        if (!n->grown && better)
            best = i;
    }

    return best;
}

/// The branches from the root to a node.
static vni_manoeuvre plan_to(const tree* t, int32_t index) {
    int32_t way[VNI_MANOEUVRE_PIECES];
    uint32_t depth = 0;
    vni_manoeuvre plan = {.count = 0};
    for (int32_t i = index; t->nodes[i].parent >= 0; i = t->nodes[i].parent)
        way[depth++ % VNI_MANOEUVRE_PIECES] = i;

    // A long way keeps its first branches: the ring holds those.
    while (depth > 0 && plan.count < VNI_MANOEUVRE_PIECES) {
        plan.velocity[plan.count] = t->nodes[way[--depth % VNI_MANOEUVRE_PIECES]].target;
        plan.steps[plan.count++] = BRANCH_STEPS;
    }

    return plan;
}

bool vni_pilot_escape(const vn_pilot* pilot, vni_manoeuvre* plan, double* seconds) {
    tree t = {.pilot = pilot, .nodes = pilot->escape, .count = 1};
    int32_t best = 0;
    t.nodes[0] = (node){.at = pilot->at, .velocity = pilot->velocity, .parent = -1};
    for (int32_t next = 0; next >= 0 && t.count < NODES; next = choose(&t)) {
        if (t.nodes[next].time > t.nodes[best].time)
            best = next;
        if (t.nodes[best].time >= pilot->def.horizon)
            break;
        grow(&t, next);
    }

    // The pool may have run out before the last ones were chosen.
    for (int32_t i = 0; i < t.count; ++i)
        if (t.nodes[i].time > t.nodes[best].time)
            best = i;

    if (t.nodes[best].time > *seconds) {
        *plan = plan_to(&t, best);
        *seconds = t.nodes[best].time < pilot->def.horizon ? t.nodes[best].time : pilot->def.horizon;
    }

    return *seconds >= pilot->def.horizon;
}
