/// replan/mpaa.c: Multipath Adaptive A* (Hernandez, Baier and Asin 2014; Maruszczyk 2016, 3.5): Adaptive A*
/// that ends where it meets an earlier path, if the rest of that path is still known to be optimal.
///
/// Of the paths only the next nodes are kept; whether the rest holds is found out by walking along it. A
/// changed edge is cut out when it changes. One other thing spoils a path: a node of it that has been linked
/// to another path since, because it was not as near to the goal as it seemed. So nodes remember which search
/// linked them (in `child`, which has no other use here): along a path that holds, the numbers do not grow.
#include "replan/adaptive.h"

static vni_plan_node* at(const vni_replan* r, uint32_t id) {
    return vni_plan_at(&r->core.nodes, id);
}

static void link(vni_replan* r, uint32_t id, uint32_t parent) {
    at(r, id)->parent = parent;
    at(r, id)->child = r->adaptive.serial;
}

static bool holds(vni_replan* r, uint32_t id) {
    for (;;) {
        const uint32_t next = at(r, id)->parent;
        if (next == VN_GOAL_NODE)
            return vni_adaptive_fits(r, id); // the edges to the goal are in no list of changes
        if (next == VN_NO_NODE || at(r, next)->child > at(r, id)->child)
            return false;
        id = next;
    }
}

/// A path that does not hold is forgotten, so that it is not walked again.
static bool knows(vni_replan* r, uint32_t id) {
    if (holds(r, id))
        return true;
    while (at(r, id)->parent != VN_NO_NODE) {
        const uint32_t next = at(r, id)->parent;
        const bool is_later = next != VN_GOAL_NODE && at(r, next)->child > at(r, id)->child;
        at(r, id)->parent = VN_NO_NODE;
        if (is_later)
            break; // from here on it is another path
        id = next;
    }
    return false;
}

static const vni_adaptive_rules rules = {.knows = knows, .link = link};

static void begin(vni_replan* r) {
    vni_adaptive_begin(r, &rules);
}

const vni_planner_kind vni_plan_mpaa = {
    .name = "mpaa",
    .backward = true,
    .begin = begin,
    .end_changed = vni_adaptive_end_changed,
    .node_went = vni_adaptive_node_went,
    .node_changed = vni_adaptive_node_changed,
    .graph_changed = vni_adaptive_graph_changed,
    .apply = vni_adaptive_apply,
    .step = vni_adaptive_step,
};
