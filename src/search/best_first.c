/// search/best_first.c: the loop that all best-first searches share, its heap and its list.
#include "search/best_first.h"

#include <string.h>

// --------------------------------------------------------------------------------------- the open set

/// The unsorted list keeps its entries where the heap does; only finding the least differs.
static vni_heap_entry list_pop(vni_heap* open) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < open->count; ++i)
        if (vni_heap_less(&open->entries[i], &open->entries[least]))
            least = i;

    vni_heap_entry entry = open->entries[least];
    open->entries[least] = open->entries[--open->count];
    if (least < open->count)
        *(uint32_t*)(void*)(open->positions + open->stride * open->entries[least].slot) = least;

    return entry;
}

static bool list_push(vni_heap* open, vni_heap_entry entry) {
    if (open->count == open->capacity)
        return false;
    *(uint32_t*)(void*)(open->positions + open->stride * entry.slot) = open->count;
    open->entries[open->count++] = entry;
    return true;
}

static bool open_push(vni_best_first* s, uint32_t order, uint32_t slot, double g, double h) {
    vni_heap_entry entry = {s->def.g_weight * g + s->def.h_weight * h, h, order, slot};
    return s->def.use_list ? list_push(&s->open, entry) : vni_heap_push(&s->open, entry);
}

static void open_improve(vni_best_first* s, uint32_t position, double g) {
    double h = s->open.entries[position].tie;
    double key = s->def.g_weight * g + s->def.h_weight * h;
    if (s->def.use_list)
        s->open.entries[position].key = key;
    else
        vni_heap_update(&s->open, position, key, h);
}

// ------------------------------------------------------------------------------------------- expansion

static inline bool uses_bounds(const vni_best_first* s) {
    return s->def.h_weight != 0 || s->def.track_nearest;
}

/// Lower bounds of all fresh nodes, then into the open set. False if that is full.
static bool push_fresh(vni_best_first* s, vni_fresh* f) {
    if (uses_bounds(s))
        vni_fresh_measure(f, s->graph, s->cost, s->goal_point);
    else
        memset(f->h, 0, f->count * sizeof f->h[0]);

    uint32_t order[VN_EDGE_BATCH];
    vni_fresh_order(f, s->graph, order);
    for (uint32_t i = 0; i < f->count; ++i)
        if (!open_push(s, order[i], f->slots[i], s->scratch->nodes[f->slots[i]].g, f->h[i]))
            return false;

    s->touched += f->count;
    return true;
}

/// Relaxes a batch of edges that leave the node. False if the capacity is used up.
static bool relax(vni_best_first* s, uint32_t id, double g, const uint32_t* to, const double* cost,
                  uint32_t count) {
    // Lower bounds are computed for all new nodes in one call, which vectorises. Until then a new node is
    // `fresh`: a second edge to it in the same batch may still lower its g.
    vni_fresh f;
    f.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t slot = vni_scratch_slot(s->scratch, to[i]);
        if (slot == UINT32_MAX)
            return false;

        vni_node* node = &s->scratch->nodes[slot];
        double new_g = g + cost[i];
        if (node->position == VNI_NODE_CLOSED)
            continue;

        if (node->position == VNI_NODE_UNSEEN) {
            node->g = new_g;
            node->parent = id;
            node->position = VNI_NODE_FRESH;
            vni_fresh_add(&f, to[i], slot);
        } else if (new_g < node->g) {
            node->g = new_g;
            node->parent = id;
            if (node->position != VNI_NODE_FRESH)
                open_improve(s, node->position, new_g);
        }
    }

    return f.count == 0 || push_fresh(s, &f);
}

/// Relaxes all edges that leave the node, batch by batch.
static bool expand(vni_best_first* s, uint32_t id, double g) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        uint32_t count = s->graph->expand(s->graph->self, id, &cursor, &edges);
        VNI_ASSERT(count <= VN_EDGE_BATCH);
        if (!s->cost->is_length)
            vni_price_edges(s->graph, s->cost, id, to, count, cost);
        if (!relax(s, id, g, to, cost, count))
            return false;
    } while (cursor != 0);

    return true;
}

vn_status vni_best_first_begin(vni_best_first* s, const vni_best_first_def* def, const vn_graph* graph,
                               const vni_cost* cost, vni_scratch* scratch, uint32_t start, uint32_t goal) {
    VNI_ASSERT(start < graph->node_limit && goal < graph->node_limit);
    VNI_ASSERT(def->g_weight >= 0 && def->h_weight >= 0);

    memset(s, 0, sizeof *s);
    s->status = VN_BAD_ORDER;
    if (!vni_open_begin(&s->open, graph, scratch))
        return VN_CAPACITY;

    s->def = *def;
    s->graph = graph;
    s->cost = cost;
    s->scratch = scratch;
    s->start = start;
    s->goal = goal;
    s->nearest = start;
    graph->points(graph->self, &goal, 1, &s->goal_point);

    vni_fresh f;
    if (!vni_fresh_only(&f, scratch, start, 0, VN_NO_NODE) || !push_fresh(s, &f))
        return VN_CAPACITY;

    s->nearest_h = f.h[0];
    s->status = VN_RUNNING;
    return VN_OK;
}

/// Takes the best node and expands it. What it returns becomes the status of the search.
static vn_status advance(vni_best_first* s) {
    if (s->open.count == 0)
        return VN_NO_PATH;
    if (s->def.budget && s->expanded >= s->def.budget)
        return VN_BUDGET_SPENT;

    vni_heap_entry entry = s->def.use_list ? list_pop(&s->open) : vni_heap_pop(&s->open);
    vni_node* node = &s->scratch->nodes[entry.slot];
    node->position = VNI_NODE_CLOSED;
    entry.id = vni_scratch_node(s->scratch, entry.slot);
    ++s->expanded;
    if (s->observer != NULL)
        vni_observe_expansion(s->observer, s->graph, &entry, node->parent, node->g);
    if (s->def.track_nearest && entry.tie < s->nearest_h) {
        s->nearest_h = entry.tie;
        s->nearest = entry.id;
    }

    // The goal is closed but not expanded: a search that continues to another goal must do that first.
    if (entry.id == s->goal) {
        s->goal_waits = true;
        return VN_OK;
    }

    return expand(s, entry.id, node->g) ? VN_RUNNING : VN_CAPACITY;
}

vn_status vni_best_first_step(vni_best_first* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}

// ---------------------------------------------------------------------------------------- another goal

/// Puts a goal that has moved into the open set, if one of its neighbours was closed before it came. False if
/// the capacity is used up.
static bool reach_goal(vni_best_first* s) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0, parent = VN_NO_NODE;
    double cost[VN_EDGE_BATCH], g = 0;
    const vn_edges edges = {to, cost};
    do {
        uint32_t count = s->graph->expand(s->graph->self, s->goal, &cursor, &edges);
        if (!s->cost->is_length)
            vni_price_edges_back(s->graph, s->cost, s->goal, to, count, cost);

        for (uint32_t i = 0; i < count; ++i) {
            const vni_node* node = vni_scratch_find(s->scratch, to[i]);
            if (node == NULL || node->position != VNI_NODE_CLOSED)
                continue;

            if (parent == VN_NO_NODE || node->g + cost[i] < g) {
                g = node->g + cost[i];
                parent = to[i];
            }
        }
    } while (cursor != 0);

    if (parent == VN_NO_NODE)
        return true;
    vni_fresh f;
    return vni_fresh_only(&f, s->scratch, s->goal, g, parent) && push_fresh(s, &f);
}

vn_status vni_best_first_turn(vni_best_first* s, uint32_t goal, vni_turn how) {
    VNI_ASSERT(s->status != VN_RUNNING && s->status != VN_BAD_ORDER && goal < s->graph->node_limit);
    VNI_ASSERT(!s->def.track_nearest && (!(how & VNI_TURN_MOVED) || goal == s->goal));

    // The old goal was closed without an expansion. If it stays where it is, its neighbours must become open
    // now, or paths through it would be lost.
    const bool moved = how & VNI_TURN_MOVED;
    s->full |= s->status == VN_CAPACITY;
    if (s->goal_waits && !moved && !s->full)
        s->full = !expand(s, s->goal, vni_scratch_g(s->scratch, s->goal));

    s->goal_waits = false;
    s->goal = goal;
    s->graph->points(s->graph->self, &goal, 1, &s->goal_point);
    if (moved)
        vni_open_forget(&s->open, s->scratch, goal);

    if ((how & VNI_TURN_NEW_KEYS) && uses_bounds(s))
        vni_open_turn(&s->open, s->graph, s->cost, s->scratch, s->goal_point, s->def.g_weight,
                      s->def.h_weight);

    // The edges of a goal that has moved are new: none of its closed neighbours has offered them yet.
    if (moved && !s->full)
        s->full = !reach_goal(s);

    s->status = s->full ? VN_CAPACITY : VN_RUNNING;
    if (vni_scratch_is_closed(s->scratch, goal))
        s->status = VN_OK;

    return s->status;
}
