/// replan/adaptive.c: the loop of the Adaptive A* family, and what becomes of its bounds when the graph or an
/// end changes.
#include "replan/adaptive.h"

#include <math.h>
#include <string.h>

/// Marks of a node: it has learnt a bound; and above that the number of the search that has reached it.
enum { LEARNT = VNI_PLAN_FIRST_MARK, FIRST_SERIAL = 2 * VNI_PLAN_FIRST_MARK };

#define LAST_SERIAL (UINT32_MAX / FIRST_SERIAL)

/// Position of a node that waits for its bound.
#define FRESH (VNI_PLAN_OUT - 1)

/// What bounds are lowered by, in all, before sums are no longer exact (graph/fixed.h): begin anew.
#define FALL_LIMIT 8388608.0 // 2^23

// ---------- bounds

bool vni_adaptive_has_learnt(const vni_plan_node* node) {
    return (node->marks & LEARNT) != 0;
}

double vni_adaptive_learnt(const vni_replan* r, const vni_plan_node* node) {
    VNI_ASSERT(vni_adaptive_has_learnt(node));
    return node->rhs - r->adaptive.fallen;
}

/// The bounds of the pending nodes, as the cost has them, or better ones that they have learnt.
static void measure(vni_replan* r) {
    vni_fresh* f = &r->core.pending;
    vni_fresh_measure(f, r->core.graph, &r->core.cost, r->adaptive.goal);
    for (uint32_t i = 0; i < f->count; ++i) {
        const vni_plan_node* node = vni_plan_find(&r->core.nodes, f->ids[i]);
        const bool has_learnt = node != NULL && vni_adaptive_has_learnt(node);
        const double learnt = has_learnt ? vni_adaptive_learnt(r, node) : 0;
        f->h[i] = vni_cost_down(f->h[i]);
        f->h[i] = f->h[i] < learnt ? learnt : f->h[i];
    }
}

double vni_adaptive_bound(vni_replan* r, uint32_t id) {
    VNI_ASSERT(r->core.pending.count == 0);
    if (id == VN_GOAL_NODE)
        return 0;
    vni_fresh_add(&r->core.pending, id, 0);
    measure(r);
    r->core.pending.count = 0;
    return r->core.pending.h[0];
}

/// All nodes that the search has expanded learn from it. The start does not: it is another node next time.
static void learn(vni_replan* r) {
    vni_lifelong* l = &r->core;
    vni_adaptive* a = &r->adaptive;
    const double key = l->open.count > 0 ? l->open.entries[0].key : HUGE_VAL;
    const double f = key < a->least ? key : a->least;
    for (uint32_t i = 0; i < a->closed; ++i) {
        vni_plan_node* node = vni_plan_at(&l->nodes, l->nodes.list[i]);
        if (l->nodes.list[i] == VN_START_NODE)
            continue;
        node->rhs = f - node->g + a->fallen;
        node->marks |= LEARNT;
    }
    a->closed = 0;
}

// ---------- the ways to the goal

static void link(vni_replan* r, uint32_t id, uint32_t parent) {
    if (r->adaptive.rules->link != NULL)
        r->adaptive.rules->link(r, id, parent);
    else
        vni_plan_at(&r->core.nodes, id)->parent = parent;
}

static void cut(vni_replan* r, uint32_t id) {
    if (r->adaptive.rules->cut != NULL)
        r->adaptive.rules->cut(r, id);
    else
        vni_plan_at(&r->core.nodes, id)->parent = VN_NO_NODE;
}

/// Edges that leave a node: against the core's direction.
static uint32_t read_edges(const vni_replan* r, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    return vni_lifelong_edges(&r->core, true, id, cursor, out);
}

bool vni_adaptive_fits(vni_replan* r, uint32_t id) {
    const vni_plan_node *node = vni_plan_at(&r->core.nodes, id),
                        *parent = vni_plan_find(&r->core.nodes, node->parent);
    const bool is_last = node->parent == VN_GOAL_NODE;
    if (!vni_adaptive_has_learnt(node) || (!is_last && !vni_adaptive_has_learnt(parent)))
        return false;

    const double edge = vni_adaptive_learnt(r, node) - (is_last ? 0 : vni_adaptive_learnt(r, parent));
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = read_edges(r, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            if (to[i] == node->parent && cost[i] == edge)
                return true;
    } while (cursor != 0);
    return false;
}

/// Lays the path that the search has found: to the node that knows the rest.
static void link_path(vni_replan* r) {
    vni_plan_nodes* nodes = &r->core.nodes;
    for (uint32_t to = r->adaptive.met, id = r->adaptive.met_from; to != VN_START_NODE;) {
        const uint32_t before = vni_plan_at(nodes, id)->previous;
        link(r, id, to);
        to = id;
        id = before;
    }
    vni_plan_at(nodes, VN_START_NODE)->g = r->adaptive.least; // the frame reads the path's cost there
}

// ---------- the search

static bool is_seen(const vni_replan* r, const vni_plan_node* node) {
    return node->marks / FIRST_SERIAL == r->adaptive.serial;
}

static void set_serial(vni_plan_node* node, uint32_t serial) {
    node->marks = node->marks % FIRST_SERIAL + serial * FIRST_SERIAL;
}

/// Opens the pending nodes, if a path over them could be better than the one that is known.
static void flush(vni_replan* r) {
    vni_lifelong* l = &r->core;
    if (l->pending.count == 0)
        return;

    uint32_t order[VN_EDGE_BATCH];
    measure(r);
    vni_fresh_order(&l->pending, l->graph, order);
    for (uint32_t i = 0; i < l->pending.count; ++i) {
        vni_plan_node* node = &l->nodes.nodes[l->pending.slots[i]];
        const double h = l->pending.h[i], f = node->g + h;
        if (!(f < r->adaptive.least))
            set_serial(node, 0); // as if unseen: it may be reached again at less
        else if (!vni_heap_push(&l->open, (vni_heap_entry){f, h, order[i], l->pending.slots[i]}))
            l->is_full = true; // as many entries as nodes: cannot be
    }
    l->pending.count = 0;
}

/// Is it the goal, or a node that knows the rest of the way? Then the path over it is the answer, unless
/// there is a better one.
static bool meet(vni_replan* r, uint32_t id, const vni_plan_node* node, uint32_t from, double g) {
    vni_adaptive* a = &r->adaptive;
    const bool is_goal = id == VN_GOAL_NODE;
    if (!is_goal && (a->rules->knows == NULL || node->parent == VN_NO_NODE || is_seen(r, node) ||
                     !vni_adaptive_has_learnt(node)))
        return false;

    const double f = g + (is_goal ? 0 : vni_adaptive_learnt(r, node));
    if (!(f < a->least))
        return true;
    if (!is_goal && !a->rules->knows(r, id))
        return false;
    a->least = f;
    a->met = id;
    a->met_from = from;
    return true;
}

static void reach(vni_replan* r, uint32_t id, uint32_t from, double g) {
    vni_lifelong* l = &r->core;
    const uint32_t slot = id == VN_START_NODE ? UINT32_MAX : vni_plan_slot(&l->nodes, id);
    if (slot == UINT32_MAX) {
        l->is_full = l->is_full || id != VN_START_NODE;
        return;
    }

    vni_plan_node* node = &l->nodes.nodes[slot];
    if (meet(r, id, node, from, g))
        return;
    const bool is_new = !is_seen(r, node);
    if (!is_new && (node->position == VNI_PLAN_OUT || !(g < node->g)))
        return;

    node->g = g;
    node->previous = from;
    if (is_new) {
        set_serial(node, r->adaptive.serial);
        node->position = FRESH;
        vni_fresh_add(&l->pending, id, slot);
    } else if (node->position != FRESH) {
        const double h = l->open.entries[node->position].tie;
        vni_heap_update(&l->open, node->position, g + h, h);
    }
}

static void expand(vni_replan* r) {
    vni_lifelong* l = &r->core;
    vni_heap_entry entry = vni_heap_pop(&l->open);
    vni_plan_node* node = &l->nodes.nodes[entry.slot];
    entry.id = vni_plan_id(&l->nodes, entry.slot);
    node->position = VNI_PLAN_OUT;
    l->nodes.list[r->adaptive.closed++] = entry.id;
    ++l->expanded;
    if (l->observer != NULL)
        vni_observe_expansion(l->observer, l->graph, &entry, node->previous, node->g);

    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = read_edges(r, entry.id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            reach(r, to[i], entry.id, node->g + cost[i]);
        flush(r);
    } while (cursor != 0);
}

static void begin_search(vni_replan* r) {
    vni_lifelong* l = &r->core;
    vni_adaptive* a = &r->adaptive;
    ++a->serial;
    a->closed = 0;
    a->least = HUGE_VAL;
    a->state = VNI_ADAPTIVE_SEARCHES;
    l->open.count = 0;
    if (l->is_full)
        return;

    vni_plan_node* start = vni_plan_at(&l->nodes, VN_START_NODE);
    cut(r, VN_START_NODE);
    set_serial(start, a->serial);
    start->g = 0;
    start->previous = VN_NO_NODE;
    vni_fresh_add(&l->pending, VN_START_NODE, (uint32_t)(start - l->nodes.nodes));
    flush(r);
}

vn_status vni_adaptive_step(vni_replan* r, uint64_t max_expansions) {
    vni_lifelong* l = &r->core;
    vni_adaptive* a = &r->adaptive;
    VNI_ASSERT(a->state != VNI_ADAPTIVE_STALE);
    for (; a->state == VNI_ADAPTIVE_SEARCHES && !l->is_full; --max_expansions) {
        if (l->open.count == 0 || l->open.entries[0].key >= a->least) {
            learn(r);
            a->state = VNI_ADAPTIVE_OVER;
            if (a->least < HUGE_VAL)
                link_path(r);
            break;
        }
        if (max_expansions == 0)
            return VN_RUNNING;
        expand(r);
    }

    if (l->is_full)
        return VN_CAPACITY;
    return a->least < HUGE_VAL ? VN_OK : VN_NO_PATH;
}

// ---------- changes

void vni_adaptive_begin(vni_replan* r, const vni_adaptive_rules* rules) {
    vni_family_begin(r);
    r->adaptive = (vni_adaptive){.rules = rules, .goal = vni_replan_end(r, VN_GOAL_NODE)};
    begin_search(r);
}

/// Something is no longer as the search has found it: what it has learnt until now is kept.
static void stop(vni_replan* r) {
    if (r->adaptive.state == VNI_ADAPTIVE_SEARCHES)
        learn(r);
    r->adaptive.state = VNI_ADAPTIVE_STALE;
}

/// What learnt bounds exceed the edges to the goal by.
static double excess(const vni_replan* r) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH], most = 0;
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(&r->core, false, VN_GOAL_NODE, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const vni_plan_node* node = vni_plan_find(&r->core.nodes, to[i]);
            if (node == NULL || !vni_adaptive_has_learnt(node))
                continue;
            const double by = vni_adaptive_learnt(r, node) - cost[i];
            most = by > most ? by : most;
        }
    } while (cursor != 0);
    return most;
}

/// Lowers what has been learnt, for the goal of now.
static bool turn(vni_replan* r) {
    vni_adaptive* a = &r->adaptive;
    if (r->core.graph->predecessors == NULL)
        return false;

    // The bound of a node that has learnt nothing falls by at most the bound between the two places, and a
    // unit for rounding: its neighbours' bounds must fall as much.
    const vn_point goal = vni_replan_end(r, VN_GOAL_NODE);
    double fall = excess(r);
    if (memcmp(&goal, &a->goal, sizeof goal) != 0) {
        const vni_cost* cost = &r->core.cost;
        double between;
        cost->lower_bounds(cost->self, &goal, 1, a->goal, &between);
        between = vni_cost_up(between * cost->least) + VNI_COST_UNIT;
        fall = fall < between ? between : fall;
    }

    a->goal = goal;
    a->fallen += fall;
    return a->fallen < FALL_LIMIT;
}

bool vni_adaptive_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    (void)is_elsewhere; // the goal's edges may be others where it stays, too
    stop(r);
    if (r->adaptive.serial == LAST_SERIAL || (node == VN_GOAL_NODE && !turn(r)))
        return false;
    if (node == VN_GOAL_NODE && r->adaptive.rules->goal_changed != NULL)
        r->adaptive.rules->goal_changed(r);
    return true;
}

void vni_adaptive_node_went(vni_replan* r, uint32_t id) {
    stop(r);
    vni_plan_node* node = vni_plan_find(&r->core.nodes, id);
    if (node == NULL)
        return;
    cut(r, id);
    node->marks &= VNI_PLAN_LISTED;
}

/// Only what has been learnt can be wrong now.
void vni_adaptive_node_changed(vni_replan* r, uint32_t id) {
    stop(r);
    vni_plan_node* node = vni_plan_find(&r->core.nodes, id);
    if (node == NULL || !vni_adaptive_has_learnt(node) || (node->marks & VNI_PLAN_LISTED))
        return;
    node->marks |= VNI_PLAN_LISTED;
    r->core.nodes.list[r->core.listed++] = id;
}

/// Is no edge that leaves the node too cheap for what it has learnt?
static bool is_consistent(vni_replan* r, uint32_t id, double learnt) {
    vni_fresh* f = &r->core.pending;
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    bool is_right = true;
    do {
        const uint32_t count = read_edges(r, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            if (to[i] == VN_GOAL_NODE)
                is_right = is_right && learnt <= cost[i];
            if (to[i] < VN_FIRST_NODE)
                continue;
            cost[f->count] = cost[i];
            vni_fresh_add(f, to[i], 0);
        }

        measure(r);
        for (uint32_t i = 0; i < f->count; ++i)
            is_right = is_right && learnt <= cost[i] + f->h[i];
        f->count = 0;
    } while (cursor != 0 && is_right);
    return is_right;
}

bool vni_adaptive_graph_changed(vni_replan* r, uint32_t nodes) {
    (void)nodes;
    vni_lifelong* l = &r->core;
    const vni_cost bounds = vni_replan_bounds(r);
    if (bounds.least < l->cost.least)
        return false;
    l->cost = bounds;

    for (uint32_t i = 0; i < l->listed; ++i) {
        const uint32_t id = l->nodes.list[i];
        vni_plan_node* node = vni_plan_at(&l->nodes, id);
        node->marks &= ~(uint32_t)VNI_PLAN_LISTED;
        if (!vni_adaptive_has_learnt(node))
            continue; // it went, and another came
        if (!is_consistent(r, id, vni_adaptive_learnt(r, node)))
            return false;
        if (r->adaptive.rules->knows != NULL && node->parent != VN_NO_NODE && !vni_adaptive_fits(r, id))
            cut(r, id);
    }
    l->listed = 0;
    return true;
}

void vni_adaptive_apply(vni_replan* r) {
    if (r->adaptive.state == VNI_ADAPTIVE_STALE)
        begin_search(r);
}
