/// replan/moving_target.c: Basic Moving Target D* Lite and Moving Target D* Lite (Sun, Yeoh and Koenig 2010;
/// Krafft 2021, 2.3 and 5.1.4): the family, with a root that moves.
///
/// What the tree of paths says of a node N next to the new root stays true below N, up to a constant, if the
/// root's value becomes g(N) minus the cost of the way there: the tree below N is kept as it is. The rest of
/// the tree is wrong. The basic form lets the search find that out, beginning at the children of the old
/// root; the other one forgets it at once, and offers it to what is kept.
#include "replan/family.h"

#include <math.h>

/// Values of the root beyond this lose exact sums (graph/fixed.h): begin anew.
#define BASE_LIMIT 8388608.0 // 2^23

enum { ON_PATH = VNI_PLAN_FIRST_MARK };

/// Marks the nodes between leaf and root, or takes the marks away. Before a repair is finished, parents may
/// run in a circle of under-consistent nodes.
static void mark_path(vni_replan* r, bool set) {
    uint32_t id = r->core.leaf;
    while (id != VN_NO_NODE) {
        vni_plan_node* node = vni_plan_find(&r->core.nodes, id);
        if (node == NULL || ((node->marks & ON_PATH) != 0) == set)
            return;
        node->marks ^= ON_PATH;
        id = node->parent;
    }
}

/// Is `a` better to keep than `b`? On the path the one nearest to the leaf, else the one nearest to the root.
static bool is_better(const vni_plan_node* a, const vni_plan_node* b) {
    if (b == NULL)
        return true;
    const bool a_on = (a->marks & ON_PATH) != 0, b_on = (b->marks & ON_PATH) != 0;
    if (a_on != b_on)
        return a_on;
    return a_on ? a->g > b->g : a->g < b->g;
}

/// The neighbour of the new root whose subtree is kept, and the cost of the way to it; VN_NO_NODE: none has a
/// settled path.
static uint32_t find_kept(vni_replan* r, double* cost_out) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0, best = VN_NO_NODE;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    const vni_plan_node* best_node = NULL;
    mark_path(r, true);
    do {
        const uint32_t count = vni_lifelong_edges(&r->core, false, r->core.root, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const vni_plan_node* node = vni_plan_find(&r->core.nodes, to[i]);
            if (node == NULL || to[i] == r->core.leaf || !(node->g < HUGE_VAL) || node->g != node->rhs ||
                !is_better(node, best_node))
                continue;
            best = to[i];
            best_node = node;
            *cost_out = cost[i];
        }
    } while (cursor != 0);
    mark_path(r, false);
    return best;
}

/// Gives the root the value with which the subtree of `kept` stays right.
static bool set_base(vni_replan* r, uint32_t kept, double cost) {
    vni_lifelong* l = &r->core;
    vni_plan_node* root = vni_plan_at(&l->nodes, l->root);
    l->base = vni_plan_at(&l->nodes, kept)->g - cost;
    root->g = root->rhs = l->base;
    vni_lifelong_close(l, root);
    return fabs(l->base) < BASE_LIMIT;
}

static bool end_changed_basic(vni_replan* r, uint32_t node, bool is_elsewhere) {
    if (node != r->core.root || !is_elsewhere)
        return vni_family_end_changed(r, node, is_elsewhere);

    double cost = 0;
    const uint32_t kept = find_kept(r, &cost);
    if (kept == VN_NO_NODE || !set_base(r, kept, cost))
        return false;
    vni_lifelong_touch_root(&r->core);
    return true;
}

// ---------- the deleted list

/// Collects what hangs on the root, but not over `kept`.
static uint32_t collect(vni_lifelong* l, uint32_t kept) {
    uint32_t* list = l->nodes.list;
    uint32_t count = 0;
    for (uint32_t child = vni_plan_at(&l->nodes, l->root)->child; child != VN_NO_NODE;
         child = vni_plan_at(&l->nodes, child)->next)
        if (child != kept)
            list[count++] = child;

    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t child = vni_plan_at(&l->nodes, list[i])->child; child != VN_NO_NODE;
             child = vni_plan_at(&l->nodes, child)->next)
            list[count++] = child;
    return count;
}

static void forget_all(vni_lifelong* l, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        vni_plan_node* node = vni_plan_at(&l->nodes, l->nodes.list[i]);
        vni_lifelong_close(l, node);
        vni_plan_set_parent(&l->nodes, l->nodes.list[i], VN_NO_NODE);
        node->g = node->rhs = HUGE_VAL;
    }
    for (uint32_t i = 0; i < count; ++i) {
        vni_lifelong_recompute(l, l->nodes.list[i]);
        vni_lifelong_queue(l, l->nodes.list[i]);
    }
    vni_lifelong_flush(l);
}

static bool end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    vni_lifelong* l = &r->core;
    if (node != l->root || !is_elsewhere)
        return vni_family_end_changed(r, node, is_elsewhere);

    vni_lifelong_apply(l); // its list is needed here
    double cost = 0;
    const uint32_t kept = find_kept(r, &cost);
    if (kept == VN_NO_NODE || !set_base(r, kept, cost))
        return false;
    vni_plan_set_parent(&l->nodes, kept, l->root);
    forget_all(l, collect(l, kept));
    vni_lifelong_touch_root(l);
    return true;
}

const vni_planner_kind vni_plan_mt_basic = {
    .name = "mtdstar-basic",
    .turns = true,
    .needs = VN_GRAPH_REVERSES,
    .begin = vni_family_begin,
    .end_changed = end_changed_basic,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_family_graph_changed,
    .apply = vni_family_apply,
    .step = vni_family_step,
};

const vni_planner_kind vni_plan_mt = {
    .name = "mtdstar",
    .turns = true,
    .needs = VN_GRAPH_REVERSES,
    .begin = vni_family_begin,
    .end_changed = end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_family_graph_changed,
    .apply = vni_family_apply,
    .step = vni_family_step,
};
