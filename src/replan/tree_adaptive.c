/// replan/tree_adaptive.c: Tree Adaptive A* (Hernandez, Sun, Koenig and Meseguer 2011; Maruszczyk 2016, 3.5):
/// Adaptive A* that keeps the tree of all earlier paths to the goal, and ends at any node of it.
///
/// The tree holds nothing but optimal paths. When an edge of it changes, the part behind it is cut off at
/// once: a node that has a parent knows its way.
#include "replan/adaptive.h"

static bool knows(vni_replan* r, uint32_t id) {
    (void)r;
    (void)id;
    return true;
}

static void link(vni_replan* r, uint32_t id, uint32_t parent) {
    VNI_ASSERT(vni_plan_at(&r->core.nodes, id)->parent == VN_NO_NODE);
    vni_plan_set_parent(&r->core.nodes, id, parent);
}

/// Takes a node and all that is behind it out of the tree, from the leaves on.
static void cut(vni_replan* r, uint32_t id) {
    for (uint32_t at = id;;) {
        const vni_plan_node* node = vni_plan_at(&r->core.nodes, at);
        if (node->child != VN_NO_NODE) {
            at = node->child;
            continue;
        }
        const uint32_t up = node->parent;
        vni_plan_set_parent(&r->core.nodes, at, VN_NO_NODE);
        if (at == id)
            return;
        at = up;
    }
}

static void goal_changed(vni_replan* r) {
    uint32_t child = vni_plan_at(&r->core.nodes, VN_GOAL_NODE)->child;
    while (child != VN_NO_NODE) {
        const uint32_t next = vni_plan_at(&r->core.nodes, child)->next;
        if (!vni_adaptive_fits(r, child))
            cut(r, child);
        child = next;
    }
}

static const vni_adaptive_rules rules = {knows, link, cut, goal_changed};

static void begin(vni_replan* r) {
    vni_adaptive_begin(r, &rules);
}

const vni_planner_kind vni_plan_tree_adaptive = {
    .name = "tree-adaptive",
    .backward = true,
    .begin = begin,
    .end_changed = vni_adaptive_end_changed,
    .node_went = vni_adaptive_node_went,
    .node_changed = vni_adaptive_node_changed,
    .graph_changed = vni_adaptive_graph_changed,
    .apply = vni_adaptive_apply,
    .step = vni_adaptive_step,
};
