/// replan/dstar.c: D* (Stentz 1994; Krafft 2019, 2.2.4), the ancestor of the family: a search from the goal
/// without bounds, whose open states *raise* or *lower* the costs of their neighbours.
///
/// Of the core it has the nodes, the tree and the open set; its loop is its own. g is a state's cost to the
/// goal, rhs the least it had since it was opened: the key. A state with rhs < g raises: it tells its
/// children that they cost more, and looks for others that lower it. States of equal key are in canonical
/// order.
#include "replan/family.h"

#include <math.h>

enum { SEEN = VNI_PLAN_FIRST_MARK }; ///< a state that has not been seen is new

static void push(vni_lifelong* l, uint32_t id, vni_plan_node* node) {
    uint32_t order = id;
    if (l->graph->keys != NULL)
        l->graph->keys(l->graph->self, &id, 1, &order);
    if (node->position != VNI_PLAN_OUT)
        vni_heap_update(&l->open, node->position, node->rhs, 0);
    else if (!vni_heap_push(&l->open,
                            (vni_heap_entry){node->rhs, 0, order, (uint32_t)(node - l->nodes.nodes)}))
        l->is_full = true;
}

/// Opens a state at a cost; its key is the least of both.
static void insert(vni_lifelong* l, uint32_t id, vni_plan_node* node, double g) {
    double key = g;
    if (node->position != VNI_PLAN_OUT)
        key = node->rhs < g ? node->rhs : g;
    else if (node->marks & SEEN)
        key = node->g < g ? node->g : g;

    node->marks |= SEEN;
    node->g = g;
    node->rhs = key;
    push(l, id, node);
}

// ---------- one state

typedef struct state {
    uint32_t id;
    vni_plan_node* node;
    double key;
} state;

/// A state that raises first looks for a neighbour that is certain, and makes it cheaper.
static void find_better(vni_lifelong* l, const state* x) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(l, true, x->id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const vni_plan_node* y = to[i] == l->leaf ? NULL : vni_plan_find(&l->nodes, to[i]);
            if (y == NULL || !(y->g <= x->key) || !(x->node->g > y->g + cost[i]))
                continue;
            x->node->g = y->g + cost[i];
            vni_plan_set_parent(&l->nodes, x->id, to[i]);
        }
    } while (cursor != 0);
}

/// Tells its neighbours: children what they cost now; if it lowers, others too that are cheaper over it. True
/// if there are such others, but the state is not certain itself.
static bool tell(vni_lifelong* l, const state* x, bool lowers) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    bool has_more = false;
    do {
        const uint32_t count = vni_lifelong_edges(l, false, x->id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t slot = to[i] == l->root ? UINT32_MAX : vni_plan_slot(&l->nodes, to[i]);
            if (slot == UINT32_MAX) {
                l->is_full = l->is_full || to[i] != l->root;
                continue;
            }

            vni_plan_node* y = &l->nodes.nodes[slot];
            const double g = x->node->g + cost[i];
            const bool is_child = y->parent == x->id, is_cheaper = y->g > g;
            const bool takes = is_child ? y->g != g : is_cheaper && (lowers || !(y->marks & SEEN));
            has_more = has_more || (is_cheaper && !takes);
            if (!takes)
                continue;
            vni_plan_set_parent(&l->nodes, to[i], x->id);
            insert(l, to[i], y, g);
        }
    } while (cursor != 0);
    return has_more;
}

/// Opens closed neighbours that would make a raised state cheaper, once they are certain.
static void call_for_help(vni_lifelong* l, const state* x) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(l, true, x->id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            vni_plan_node* y = to[i] == l->leaf ? NULL : vni_plan_find(&l->nodes, to[i]);
            const bool is_closed = y != NULL && (y->marks & SEEN) && y->position == VNI_PLAN_OUT;
            if (is_closed && y->parent != x->id && y->g > x->key && x->node->g > y->g + cost[i])
                insert(l, to[i], y, y->g);
        }
    } while (cursor != 0);
}

static void process(vni_lifelong* l) {
    vni_heap_entry entry = vni_heap_pop(&l->open);
    const state x = {vni_plan_id(&l->nodes, entry.slot), &l->nodes.nodes[entry.slot], entry.key};
    x.node->position = VNI_PLAN_OUT;
    ++l->expanded;
    if (l->observer != NULL) {
        entry.id = x.id; // it was the canonical key
        vni_observe_expansion(l->observer, l->graph, &entry, x.node->parent, x.node->g);
    }

    if (x.key < x.node->g)
        find_better(l, &x);
    const bool lowers = x.key == x.node->g;
    const bool has_more = x.id != l->leaf && tell(l, &x, lowers);
    if (lowers)
        return;
    call_for_help(l, &x);
    if (has_more && x.node->g < HUGE_VAL)
        insert(l, x.id, x.node, x.node->g);
}

static vn_status step(vni_replan* r, uint64_t max_expansions) {
    vni_lifelong* l = &r->core;
    for (; !l->is_full && l->open.count > 0; --max_expansions) {
        const vni_plan_node* leaf = vni_plan_find(&l->nodes, l->leaf);
        if (leaf != NULL && leaf->g <= l->open.entries[0].key && leaf->g < HUGE_VAL)
            break;
        if (max_expansions == 0)
            return VN_RUNNING;
        process(l);
    }

    if (l->is_full)
        return VN_CAPACITY;
    return vni_lifelong_cost(l) < HUGE_VAL ? VN_OK : VN_NO_PATH;
}

// ---------- changes

static void begin(vni_replan* r) {
    vni_family_begin(r);
    vni_plan_node* root = vni_plan_find(&r->core.nodes, r->core.root);
    if (root != NULL)
        insert(&r->core, r->core.root, root, 0);
}

/// What the edge from the parent to a state makes of its cost; HUGE_VAL: there is none.
static double cost_over_parent(vni_lifelong* l, uint32_t id, const vni_plan_node* node) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH], least = HUGE_VAL;
    const vn_edges edges = {to, cost};
    if (node->parent == VN_NO_NODE)
        return HUGE_VAL;

    const double g = vni_plan_at(&l->nodes, node->parent)->g;
    do {
        const uint32_t count = vni_lifelong_edges(l, true, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            if (to[i] == node->parent && g + cost[i] < least)
                least = g + cost[i];
    } while (cursor != 0);
    return least;
}

/// Opens every state that was touched, at what its path costs now: dearer ones raise, and all tell their
/// neighbours.
static void apply(vni_replan* r) {
    vni_lifelong* l = &r->core;
    for (uint32_t i = 0; i < l->listed; ++i) {
        const uint32_t id = l->nodes.list[i];
        vni_plan_node* node = vni_plan_at(&l->nodes, id);
        const uint32_t marks = node->marks;
        node->marks = marks & SEEN;
        if ((marks & VNI_PLAN_GONE) || !(marks & SEEN) || (node->g == HUGE_VAL && node->parent == VN_NO_NODE))
            continue;

        const double g = cost_over_parent(l, id, node);
        if (g == HUGE_VAL)
            vni_plan_set_parent(&l->nodes, id, VN_NO_NODE);
        insert(l, id, node, g);
    }
    l->listed = 0;
}

static void node_went(vni_replan* r, uint32_t node) {
    // children keep their cost, as the key at which they raise
    vni_plan_node* gone = vni_plan_find(&r->core.nodes, node);
    while (gone != NULL && gone->child != VN_NO_NODE) {
        const uint32_t child = gone->child;
        vni_lifelong_touch(&r->core, child);
        vni_plan_set_parent(&r->core.nodes, child, VN_NO_NODE);
    }
    vni_lifelong_forget(&r->core, node);
}

/// The start is the only leaf: wherever it is, it is a new state, and its neighbours tell it again.
static bool end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    vni_lifelong* l = &r->core;
    if (node == l->root) {
        insert(l, node, vni_plan_at(&l->nodes, node), 0);
        return vni_family_end_changed(r, node, is_elsewhere);
    }

    vni_lifelong_forget(l, node);
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(l, true, node, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            if (to[i] != l->root)
                vni_lifelong_touch(l, to[i]);
            else
                insert(l, to[i], vni_plan_at(&l->nodes, to[i]), 0); // the two ends see each other
    } while (cursor != 0);
    return true;
}

const vni_planner_kind vni_plan_dstar = {
    .name = "dstar",
    .backward = true,
    .needs = VN_GRAPH_REVERSES,
    .begin = begin,
    .end_changed = end_changed,
    .node_went = node_went,
    .node_changed = vni_family_node_changed,
    .apply = apply,
    .step = step,
};
