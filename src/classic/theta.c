/// classic/theta.c: the two Theta* searches as one loop: they differ in when sight is checked.
#include "classic/theta.h"

#include <math.h>
#include <string.h>

/// The node that is expanded, and its parent, from which paths are tried that leave the node out.
typedef struct origin {
    uint32_t id, parent; ///< parent: VN_NO_NODE at the start
    double g, parent_g;
    vn_point point, parent_point;
} origin;

/// Edges of the node to others that may be improved.
typedef struct reach {
    uint32_t count;
    uint32_t ids[VN_EDGE_BATCH];
    uint32_t slots[VN_EDGE_BATCH];
    double costs[VN_EDGE_BATCH];
    vn_point points[VN_EDGE_BATCH];
} reach;

/// One batch of edges.
typedef struct batch {
    uint32_t count, cursor; ///< of vn_graph.expand
    uint32_t to[VN_EDGE_BATCH];
    double cost[VN_EDGE_BATCH];
} batch;

/// The cursor must be 0 before the first.
static void next_batch(const vni_theta* s, uint32_t id, batch* b) {
    const vn_edges edges = {b->to, b->cost};
    b->count = s->graph->expand(s->graph->self, id, &b->cursor, &edges);
    VNI_ASSERT(b->count <= VN_EDGE_BATCH);
}

static inline double segment(const vni_theta* s, vn_point a, vn_point b) {
    double cost = s->cost->is_length ? vni_distance(a, b) : s->cost->segment(s->cost->self, a, b);
    return s->in_units ? vni_cost_up(cost) : cost;
}

static bool can_see(vni_theta* s, uint32_t a, uint32_t b) {
    ++s->sight_checks;
    return s->see(s->see_self, a, b);
}

/// `visible` of a search that is observed.
static bool see_and_tell(const void* self, uint32_t a, uint32_t b) {
    const vni_theta* s = (const vni_theta*)self;
    return vni_observe_visible(s->observer, s->graph, a, b);
}

void vni_theta_observe(vni_theta* s, const vni_observer* observer) {
    s->observer = observer;
    s->see = observer != NULL ? see_and_tell : s->graph->visible;
    s->see_self = observer != NULL ? s : s->graph->self;
}

// ------------------------------------------------------------------------------------------- expansion

/// False if the open set is full.
static bool push_fresh(vni_theta* s, vni_fresh* f) {
    uint32_t order[VN_EDGE_BATCH];
    vni_fresh_bounds(f, s->cost, s->goal_point);
    vni_fresh_order(f, s->graph, order);
    for (uint32_t i = 0; i < f->count; ++i) {
        double g = s->scratch->nodes[f->slots[i]].g;
        vni_heap_entry entry = {s->def.g_weight * g + s->def.h_weight * f->h[i], f->h[i], order[i],
                                f->slots[i]};
        if (!vni_heap_push(&s->open, entry))
            return false;
    }

    s->touched += f->count;
    return true;
}

static origin origin_of(const vni_theta* s, uint32_t id, const vni_node* node) {
    origin o = {.id = id, .parent = node->parent, .g = node->g};

    // Both points in one call: graphs compute them in batches.
    const uint32_t both[2] = {id, node->parent};
    vn_point points[2];
    bool has_parent = node->parent != VN_NO_NODE;
    s->graph->points(s->graph->self, both, has_parent ? 2 : 1, points);

    o.point = points[0];
    if (has_parent) {
        o.parent_g = vni_scratch_g(s->scratch, node->parent);
        o.parent_point = points[1];
    }

    // Fast: a dynamic node offers paths over itself only.
    uint8_t kind = VN_NODE_STATIC;
    if (s->def.fast)
        s->graph->kinds(s->graph->self, &id, 1, &kind);
    if (kind == VN_NODE_DYNAMIC)
        o.parent = VN_NO_NODE;

    return o;
}

/// A node that cannot be improved: it is closed, or it has the parent already that it would be offered. The
/// latter only where all edges are straight and cost their length: a leg that bends may become a straight
/// one.
static inline bool is_settled(const vni_theta* s, const origin* o, const vni_node* node) {
    if (node->position == VNI_NODE_CLOSED)
        return true;
    const bool is_plain =
        (s->graph->capabilities & VN_GRAPH_IS_GRID) && s->cost->is_length && !s->def.every_sight;
    return is_plain && node->position != VNI_NODE_UNSEEN && node->parent == o->parent;
}

/// Finds the nodes that are worth an offer, and where they are. False if the capacity is used up.
static bool collect(vni_theta* s, const origin* o, const uint32_t* to, const double* cost, uint32_t count,
                    reach* out) {
    out->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t slot = vni_scratch_slot(s->scratch, to[i]);
        if (slot == UINT32_MAX)
            return false;
        if (is_settled(s, o, &s->scratch->nodes[slot]))
            continue;

        out->ids[out->count] = to[i];
        out->slots[out->count] = slot;
        out->costs[out->count++] = cost[i];
    }

    s->graph->points(s->graph->self, out->ids, out->count, out->points);
    if (!s->cost->is_length)
        vni_price_edges(s->graph, s->cost, o->id, out->ids, out->count, out->costs);

    return true;
}

/// The path that node i of the reach is offered: its cost, and over which parent. False if the path that the
/// node has is at least as good.
static bool offer(vni_theta* s, const origin* o, const reach* r, uint32_t i, double* g, uint32_t* parent) {
    VNI_ASSERT(i < r->count);

    const vni_node* node = &s->scratch->nodes[r->slots[i]];
    const bool is_new = node->position == VNI_NODE_UNSEEN;
    const bool has_parent = o->parent != VN_NO_NODE;
    *g = o->g + r->costs[i];
    *parent = o->id;

    // As printed, the check comes first, and the start is its own parent.
    const bool in_sight = s->def.every_sight && can_see(s, has_parent ? o->parent : o->id, r->ids[i]);
    if (has_parent) {
        // By the triangle inequality the segment from the parent is never longer than the path over the node,
        // so it is tried first, and if even that is no better, sight need not be checked.
        double straight = o->parent_g + segment(s, o->parent_point, r->points[i]);
        if (s->cost->is_length || straight <= *g) { // rounding may make the shorter path the longer one
            if (!is_new && straight >= node->g)
                return false;
            if (s->def.lazy || in_sight || (!s->def.every_sight && can_see(s, o->parent, r->ids[i]))) {
                *g = straight;
                *parent = o->parent;
                return true;
            }
        }
    }

    return is_new || *g < node->g;
}

/// Offers paths over the node, or its parent, to the ends of a batch of edges. False if the capacity is used
/// up.
static bool relax(vni_theta* s, const origin* o, const uint32_t* to, const double* cost, uint32_t count) {
    reach r;
    vni_fresh f;
    f.count = 0;
    if (!collect(s, o, to, cost, count, &r))
        return false;

    for (uint32_t i = 0; i < r.count; ++i) {
        vni_node* node = &s->scratch->nodes[r.slots[i]];
        double g;
        uint32_t parent;
        if (!offer(s, o, &r, i, &g, &parent))
            continue;

        node->g = g;
        node->parent = parent;
        if (node->position == VNI_NODE_UNSEEN) {
            node->position = VNI_NODE_FRESH;
            f.points[f.count] = r.points[i];
            vni_fresh_add(&f, r.ids[i], r.slots[i]);
        } else if (node->position != VNI_NODE_FRESH) {
            double h = s->open.entries[node->position].tie;
            vni_heap_update(&s->open, node->position, s->def.g_weight * g + s->def.h_weight * h, h);
        }
    }

    return f.count == 0 || push_fresh(s, &f);
}

/// Goes on from a first batch of edges that is there already.
static bool expand(vni_theta* s, uint32_t id, const vni_node* node, batch* b) {
    VNI_ASSERT(node->position == VNI_NODE_CLOSED);

    origin o = origin_of(s, id, node);
    for (;;) {
        if (!relax(s, &o, b->to, b->cost, b->count))
            return false;
        if (b->cursor == 0)
            return true;
        next_batch(s, id, b);
    }
}

/// Of a batch of the node's edges, the closed neighbour over which the path to the node is cheapest, if that
/// is less than `node->g`.
static void adopt(vni_theta* s, uint32_t id, vni_node* node, batch* b) {
    if (!s->cost->is_length)
        vni_price_edges_back(s->graph, s->cost, id, b->to, b->count, b->cost);

    for (uint32_t i = 0; i < b->count; ++i) {
        const vni_node* other = vni_scratch_find(s->scratch, b->to[i]);
        if (other == NULL || other->position != VNI_NODE_CLOSED || !(other->g + b->cost[i] < node->g))
            continue;
        node->g = other->g + b->cost[i];
        node->parent = b->to[i];
    }
}

/// The same over all edges that lead to the node.
static void adopt_predecessors(vni_theta* s, uint32_t id, vni_node* node) {
    batch p;
    const vn_edges edges = {p.to, p.cost};
    p.cursor = 0;
    do {
        p.count = s->graph->predecessors(s->graph->self, id, &p.cursor, &edges);
        adopt(s, id, node, &p);
    } while (p.cursor != 0);
    VNI_ASSERT(node->parent != VN_NO_NODE);
}

/// Lazy: the parent was not in sight; the best closed neighbour replaces it. There is one: the node was
/// reached from it. The first batch of edges is there, and is there again afterwards.
static void repair(vni_theta* s, uint32_t id, vni_node* node, batch* b) {
    node->g = HUGE_VAL;
    node->parent = VN_NO_NODE;
    if (!(s->graph->capabilities & VN_GRAPH_IS_SYMMETRIC)) {
        adopt_predecessors(s, id, node);
        return;
    }

    adopt(s, id, node, b);
    if (b->cursor != 0) {
        while (b->cursor != 0) {
            next_batch(s, id, b);
            adopt(s, id, node, b);
        }
        next_batch(s, id, b);
    }

    VNI_ASSERT(node->parent != VN_NO_NODE);
}

// -------------------------------------------------------------------------------------------- the loop

vn_status vni_theta_begin(vni_theta* s, const vni_theta_def* def, const vn_graph* graph, const vni_cost* cost,
                          vni_scratch* scratch, uint32_t start, uint32_t goal) {
    VNI_ASSERT(start < graph->node_limit && goal < graph->node_limit);
    VNI_ASSERT(def->g_weight >= 0 && def->h_weight >= 0);
    VNI_ASSERT(!def->lazy || !def->every_sight);

    memset(s, 0, sizeof *s);
    s->status = VN_BAD_ORDER;
    const uint32_t needs = VN_GRAPH_SEES | (def->fast ? VN_GRAPH_HAS_KINDS : 0);
    const uint32_t either = VN_GRAPH_IS_SYMMETRIC | VN_GRAPH_REVERSES;
    VNI_ASSERT(!def->fast || !def->lazy);
    if ((graph->capabilities & needs) != needs || (def->lazy && !(graph->capabilities & either)))
        return VN_UNSUPPORTED;
    if (!vni_open_begin(&s->open, graph, scratch))
        return VN_CAPACITY;

    s->def = *def;
    s->graph = graph;
    s->cost = cost;
    s->in_units = (graph->capabilities & VN_GRAPH_IS_GRID) || !cost->is_length;
    s->scratch = scratch;
    s->start = start;
    s->goal = goal;
    graph->points(graph->self, &goal, 1, &s->goal_point);
    vni_theta_observe(s, NULL);

    vni_fresh f;
    graph->points(graph->self, &start, 1, &f.points[0]);
    if (!vni_fresh_only(&f, scratch, start, 0, VN_NO_NODE) || !push_fresh(s, &f))
        return VN_CAPACITY;

    s->status = VN_RUNNING;
    return VN_OK;
}

/// Takes the best node and expands it. What it returns becomes the status of the search.
static vn_status advance(vni_theta* s) {
    if (s->open.count == 0)
        return VN_NO_PATH;
    if (s->def.budget && s->expanded >= s->def.budget)
        return VN_BUDGET_SPENT;

    vni_heap_entry entry = vni_heap_pop(&s->open);
    vni_node* node = &s->scratch->nodes[entry.slot];
    batch b;
    b.cursor = 0;

    entry.id = vni_scratch_node(s->scratch, entry.slot);
    next_batch(s, entry.id, &b);
    if (s->def.lazy && node->parent != VN_NO_NODE && !can_see(s, node->parent, entry.id))
        repair(s, entry.id, node, &b);

    // Only now: a node must not adopt itself.
    node->position = VNI_NODE_CLOSED;
    ++s->expanded;
    if (s->observer != NULL)
        vni_observe_expansion(s->observer, s->graph, &entry, node->parent, node->g);
    if (entry.id == s->goal) {
        s->goal_waits = true;
        return VN_OK;
    }

    return expand(s, entry.id, node, &b) ? VN_RUNNING : VN_CAPACITY;
}

vn_status vni_theta_step(vni_theta* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}

// ---------------------------------------------------------------------------------------- another goal

/// A goal that has moved is reached from the nodes that were closed before it came. False if the capacity is
/// used up.
static bool reach_goal(vni_theta* s) {
    batch b;
    b.cursor = 0;
    do {
        next_batch(s, s->goal, &b);
        for (uint32_t i = 0; i < b.count; ++i) {
            const vni_node* node = vni_scratch_find(s->scratch, b.to[i]);
            if (node == NULL || node->position != VNI_NODE_CLOSED)
                continue;
            origin o = origin_of(s, b.to[i], node);
            if (!relax(s, &o, &s->goal, &b.cost[i], 1))
                return false;
        }
    } while (b.cursor != 0);

    return true;
}

/// The goal that was reached, and did not need to be expanded then.
static bool expand_goal(vni_theta* s) {
    batch b;
    b.cursor = 0;
    next_batch(s, s->goal, &b);
    return expand(s, s->goal, vni_scratch_find(s->scratch, s->goal), &b);
}

vn_status vni_theta_turn(vni_theta* s, uint32_t goal, vni_turn how) {
    VNI_ASSERT(s->status != VN_RUNNING && s->status != VN_BAD_ORDER && goal < s->graph->node_limit);
    VNI_ASSERT(!(how & VNI_TURN_MOVED) || goal == s->goal);

    const bool moved = how & VNI_TURN_MOVED;
    s->full |= s->status == VN_CAPACITY;
    if (s->goal_waits && !moved && !s->full)
        s->full = !expand_goal(s);

    s->goal_waits = false;
    s->goal = goal;
    s->graph->points(s->graph->self, &goal, 1, &s->goal_point);
    if (moved)
        vni_open_forget(&s->open, s->scratch, goal);

    if (how & VNI_TURN_NEW_KEYS)
        vni_open_turn(&s->open, s->graph, s->cost, s->scratch, s->goal_point, s->def.g_weight,
                      s->def.h_weight);

    if (moved && !s->full)
        s->full = !reach_goal(s);

    s->status = s->full ? VN_CAPACITY : VN_RUNNING;
    if (vni_scratch_is_closed(s->scratch, goal))
        s->status = VN_OK;

    return s->status;
}
