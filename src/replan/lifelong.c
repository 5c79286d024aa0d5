/// replan/lifelong.c: the loop of the D* Lite family.
#include "replan/lifelong.h"

#include <math.h>
#include <string.h>

/// Less than any g: under-consistent nodes come first among equal keys.
#define UNDER_TIE (-1099511627776.0) // -2^40

void vni_lifelong_make(const vn_allocator* allocator, vni_lifelong* out) {
    memset(out, 0, sizeof *out);
    vni_plan_nodes_make(allocator, &out->nodes);
    out->weight = out->under_weight = 1;
    out->root = VN_START_NODE;
    out->leaf = VN_GOAL_NODE;
}

void vni_lifelong_free(vni_lifelong* l) {
    vni_plan_nodes_free(&l->nodes);
}

// ---------- edges

uint32_t vni_lifelong_edges(const vni_lifelong* l, bool in, uint32_t node, uint32_t* cursor,
                            const vn_edges* out) {
    const vn_graph* graph = l->graph;
    const uint32_t count = in != l->backward ? graph->predecessors(graph->self, node, cursor, out)
                                             : graph->expand(graph->self, node, cursor, out);
    // An end on a node costs nothing: no path goes on over it, so that no circle of such edges is possible,
    // and the nodes whose keys tie with the leaf's need not be expanded. Where parents need not be
    // neighbours, an end's line and its edge to the same node must not differ.
    for (uint32_t i = 0; i < count; ++i) {
        const bool to_end = node < VN_FIRST_NODE || out->to[i] < VN_FIRST_NODE;
        out->cost[i] =
            to_end && l->rules->stay == NULL ? vni_cost_up(out->cost[i]) : vni_lifelong_length(out->cost[i]);
    }
    return count;
}

static double offer(vni_lifelong* l, uint32_t from, const vni_plan_node* node, uint32_t to, double edge,
                    uint32_t* parent) {
    *parent = from;
    return l->rules->offer != NULL ? l->rules->offer(l, from, to, edge, parent) : node->g + edge;
}

void vni_lifelong_recompute(vni_lifelong* l, uint32_t id) {
    VNI_ASSERT(id != l->root);
    vni_plan_node* node = vni_plan_at(&l->nodes, id);
    uint32_t to[VN_EDGE_BATCH], cursor = 0, best_parent = node->parent;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    node->rhs = l->rules->stay != NULL && best_parent != VN_NO_NODE ? l->rules->stay(l, id) : HUGE_VAL;
    do {
        const uint32_t count = vni_lifelong_edges(l, true, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const vni_plan_node* from = to[i] == l->leaf ? NULL : vni_plan_find(&l->nodes, to[i]);
            if (from == NULL || !(from->g < (l->rules->offer != NULL ? HUGE_VAL : node->rhs)))
                continue; // (Krafft 2019, 4.3.3.1); a rule may offer less than the neighbour's own g

            uint32_t parent;
            const double value = offer(l, to[i], from, id, cost[i], &parent);
            if (value < node->rhs) {
                node->rhs = value;
                best_parent = parent;
            }
        }
    } while (cursor != 0);

    vni_plan_set_parent(&l->nodes, id, node->rhs < HUGE_VAL ? best_parent : VN_NO_NODE);
}

// ---------- the open set

static bool is_consistent(const vni_plan_node* node) {
    return node->g == node->rhs;
}

static double key_of(const vni_lifelong* l, const vni_plan_node* node, double h, double* tie) {
    const bool is_over = node->g > node->rhs;
    *tie = is_over ? h : node->g + UNDER_TIE;
    return (is_over ? node->rhs + l->weight * h : node->g + l->under_weight * h) + l->km;
}

void vni_lifelong_close(vni_lifelong* l, vni_plan_node* node) {
    if (node->position == VNI_PLAN_OUT)
        return;
    vni_heap_remove(&l->open, node->position);
    node->position = VNI_PLAN_OUT;
}

/// Opens the pending nodes, whose bounds are known.
static void open_pending(vni_lifelong* l) {
    uint32_t order[VN_EDGE_BATCH];
    vni_fresh_order(&l->pending, l->graph, order);
    for (uint32_t i = 0; i < l->pending.count; ++i) {
        vni_plan_node* node = &l->nodes.nodes[l->pending.slots[i]];
        double tie;
        const double key = key_of(l, node, l->pending.h[i], &tie);
        if (node->position != VNI_PLAN_OUT)
            vni_heap_update(&l->open, node->position, key, tie);
        else if (!vni_heap_push(&l->open, (vni_heap_entry){key, tie, order[i], l->pending.slots[i]}))
            l->is_full = true; // as many entries as nodes: cannot be
    }
    l->pending.count = 0;
}

/// Bounds of the pending nodes, in units of costs: the Euclidean one is not by itself.
static void measure(vni_lifelong* l) {
    vni_fresh_measure(&l->pending, l->graph, &l->cost, l->leaf_point);
    for (uint32_t i = 0; i < l->pending.count; ++i)
        l->pending.h[i] = vni_cost_down(l->pending.h[i]);
}

void vni_lifelong_flush(vni_lifelong* l) {
    if (l->pending.count == 0)
        return;
    measure(l);
    open_pending(l);
}

void vni_lifelong_queue(vni_lifelong* l, uint32_t id) {
    vni_plan_node* node = vni_plan_at(&l->nodes, id);
    const bool waits = !is_consistent(node) && l->rules->waits != NULL && l->rules->waits(l, id, node);
    if (is_consistent(node) || waits) {
        vni_lifelong_close(l, node);
        return;
    }

    // One that is pending twice gets the same key twice.
    if (l->pending.count == VN_EDGE_BATCH)
        vni_lifelong_flush(l);
    vni_fresh_add(&l->pending, id, (uint32_t)(node - l->nodes.nodes));
}

void vni_lifelong_rekey(vni_lifelong* l) {
    l->km = 0;
    for (uint32_t first = 0; first < l->open.count;) {
        const uint32_t left = l->open.count - first, count = left < VN_EDGE_BATCH ? left : VN_EDGE_BATCH;
        l->pending.count = 0;
        for (uint32_t i = 0; i < count; ++i)
            vni_fresh_add(&l->pending, vni_plan_id(&l->nodes, l->open.entries[first + i].slot),
                          l->open.entries[first + i].slot);

        measure(l);
        for (uint32_t i = 0; i < count; ++i) {
            vni_heap_entry* entry = &l->open.entries[first + i];
            entry->key = key_of(l, &l->nodes.nodes[entry->slot], l->pending.h[i], &entry->tie);
        }
        first += count;
    }

    l->pending.count = 0;
    vni_open_sort(&l->open);
}

static double bound_from(const vni_lifelong* l, vn_point point) {
    double h;
    l->cost.lower_bounds(l->cost.self, &point, 1, l->leaf_point, &h);
    return vni_cost_down(h * l->cost.least);
}

/// Is the first entry in its place? If the leaf has moved, its key may be too small: then it gets the one of
/// now.
static bool top_is_settled(vni_lifelong* l) {
    if (l->km == 0)
        return true;
    const vni_heap_entry* top = &l->open.entries[0];
    vni_plan_node* node = &l->nodes.nodes[top->slot];
    const uint32_t id = vni_plan_id(&l->nodes, top->slot);
    vn_point point;
    l->graph->points(l->graph->self, &id, 1, &point);

    double tie;
    const double key = key_of(l, node, bound_from(l, point), &tie);
    if (key <= top->key)
        return true;
    vni_heap_update(&l->open, 0, key, tie);
    return false;
}

bool vni_lifelong_is_done(vni_lifelong* l) {
    VNI_ASSERT(l->pending.count == 0);
    while (l->open.count > 0 && !top_is_settled(l))
        continue;
    if (l->open.count == 0)
        return true;

    const vni_plan_node* leaf = vni_plan_find(&l->nodes, l->leaf);
    if (leaf == NULL || !is_consistent(leaf))
        return false;
    const vni_heap_entry* top = &l->open.entries[0];
    const double key = leaf->g + l->km;
    return top->key > key || (top->key == key && top->tie >= 0);
}

// ---------- expansion

void vni_lifelong_shift_children(vni_lifelong* l, const vni_plan_node* node, double by) {
    for (uint32_t id = node->child; id != VN_NO_NODE;) {
        vni_plan_node* child = vni_plan_at(&l->nodes, id);
        child->rhs += by;
        vni_lifelong_queue(l, id);
        id = child->next;
    }
}

/// A neighbour that gets no better path is not touched.
void vni_lifelong_lower(vni_lifelong* l, uint32_t id) {
    const vni_plan_node* node = vni_plan_at(&l->nodes, id);
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(l, false, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t slot = to[i] == l->root ? UINT32_MAX : vni_plan_slot(&l->nodes, to[i]);
            if (slot == UINT32_MAX) {
                l->is_full = l->is_full || to[i] != l->root;
                continue;
            }

            vni_plan_node* neighbour = &l->nodes.nodes[slot];
            uint32_t parent;
            const double value = offer(l, id, node, to[i], cost[i], &parent);
            if (!(value < neighbour->rhs))
                continue;
            neighbour->rhs = value;
            vni_plan_set_parent(&l->nodes, to[i], parent);
            vni_lifelong_queue(l, to[i]);
        }
    } while (cursor != 0);
}

/// The same as it is printed in D* Lite: every neighbour asks all of its own.
static void recompute_neighbours(vni_lifelong* l, uint32_t id) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = vni_lifelong_edges(l, false, id, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            if (to[i] != l->root && vni_plan_slot(&l->nodes, to[i]) != UINT32_MAX) {
                vni_lifelong_recompute(l, to[i]);
                vni_lifelong_queue(l, to[i]);
            } else {
                l->is_full = l->is_full || to[i] != l->root;
            }
    } while (cursor != 0);
}

/// Only children lose by it (Koenig and Likhachev 2002, 5.1); each finds another parent, and leaves the list.
static void raise(vni_lifelong* l, uint32_t id, const vni_plan_node* node) {
    while (node->child != VN_NO_NODE) {
        const uint32_t child = node->child;
        vni_lifelong_recompute(l, child);
        VNI_ASSERT(vni_plan_at(&l->nodes, child)->parent != id);
        vni_lifelong_queue(l, child);
    }
    vni_lifelong_recompute(l, id);
    vni_lifelong_queue(l, id);
}

static void expand(vni_lifelong* l) {
    vni_heap_entry entry = vni_heap_pop(&l->open);
    const uint32_t id = vni_plan_id(&l->nodes, entry.slot);
    vni_plan_node* node = &l->nodes.nodes[entry.slot];
    node->position = VNI_PLAN_OUT;
    ++l->expanded;
    if (l->observer != NULL) {
        // the observer wants node and bound, not what orders entries
        entry.id = id;
        entry.tie = entry.tie >= 0 ? entry.tie : entry.key - l->km - node->g;
        vni_observe_expansion(l->observer, l->graph, &entry, node->parent, node->rhs);
    }
    if (l->rules->expanded != NULL)
        l->rules->expanded(l, id, node);

    if (node->g > node->rhs) {
        const double by = node->rhs - node->g;
        node->g = node->rhs;
        if (l->rules->stay != NULL && by > -HUGE_VAL)
            vni_lifelong_shift_children(l, node, by);
        if (id != l->leaf && !l->recompute_all)
            vni_lifelong_lower(l, id);
        else if (id != l->leaf)
            recompute_neighbours(l, id);
    } else {
        node->g = HUGE_VAL;
        raise(l, id, node);
    }
    vni_lifelong_flush(l);
}

void vni_lifelong_begin(vni_lifelong* l, const vn_graph* graph, const vni_cost* cost, vn_point leaf_point) {
    vni_plan_nodes_reset(&l->nodes);
    l->open = (vni_heap){.entries = l->nodes.entries,
                         .capacity = l->nodes.page_capacity << 6,
                         .positions = (unsigned char*)&l->nodes.nodes[0].position,
                         .stride = sizeof(vni_plan_node)};
    l->graph = graph;
    l->cost = *cost;
    l->leaf_point = leaf_point;
    l->root = l->backward ? VN_GOAL_NODE : VN_START_NODE;
    l->leaf = l->backward ? VN_START_NODE : VN_GOAL_NODE;
    l->base = l->km = 0;
    l->listed = l->pending.count = 0;
    l->root_changed = false;

    // both ends lie in the first page
    l->is_full = vni_plan_slot(&l->nodes, l->root) == UINT32_MAX;
    if (l->is_full)
        return;
    vni_plan_at(&l->nodes, l->root)->rhs = l->base;
    vni_lifelong_queue(l, l->root);
    vni_lifelong_flush(l);
}

vn_status vni_lifelong_step(vni_lifelong* l, uint64_t* budget) {
    while (!l->is_full && !vni_lifelong_is_done(l)) {
        if (*budget == 0)
            return VN_RUNNING;
        --*budget;
        expand(l);
    }

    if (l->is_full)
        return VN_CAPACITY;
    return vni_lifelong_cost(l) < HUGE_VAL ? VN_OK : VN_NO_PATH;
}

// ---------- changes

void vni_lifelong_touch(vni_lifelong* l, uint32_t id) {
    vni_plan_node* node = id == l->root ? NULL : vni_plan_find(&l->nodes, id);
    if (node == NULL)
        return;
    if (!(node->marks & VNI_PLAN_LISTED))
        l->nodes.list[l->listed++] = id;
    node->marks = (node->marks | VNI_PLAN_LISTED) & ~(uint32_t)VNI_PLAN_GONE;
}

void vni_lifelong_forget(vni_lifelong* l, uint32_t id) {
    vni_plan_node* node = vni_plan_find(&l->nodes, id);
    if (node == NULL)
        return;

    // Its children lose an edge, so they are among those that changed; an end is in no list of changes.
    while (node->child != VN_NO_NODE) {
        const uint32_t child = node->child;
        vni_lifelong_touch(l, child);
        vni_plan_at(&l->nodes, child)->rhs = HUGE_VAL;
        vni_plan_set_parent(&l->nodes, child, VN_NO_NODE);
    }

    vni_lifelong_close(l, node);
    vni_plan_set_parent(&l->nodes, id, VN_NO_NODE);
    node->g = node->rhs = HUGE_VAL;
    node->marks = (node->marks & VNI_PLAN_LISTED) | VNI_PLAN_GONE;
}

void vni_lifelong_touch_root(vni_lifelong* l) {
    const vni_plan_node* root = vni_plan_at(&l->nodes, l->root);
    for (uint32_t child = root->child; child != VN_NO_NODE; child = vni_plan_at(&l->nodes, child)->next)
        vni_lifelong_touch(l, child);
    l->root_changed = true;
}

/// What the nodes that were touched get from their neighbours now.
static void pull(vni_lifelong* l) {
    for (uint32_t i = 0; i < l->listed; ++i) {
        vni_plan_node* node = vni_plan_at(&l->nodes, l->nodes.list[i]);
        const bool is_gone = (node->marks & VNI_PLAN_GONE) != 0;
        node->marks &= ~(uint32_t)(VNI_PLAN_LISTED | VNI_PLAN_GONE);
        if (is_gone) {
            l->nodes.list[i] = VN_NO_NODE;
            continue;
        }
        vni_lifelong_recompute(l, l->nodes.list[i]);
        vni_lifelong_queue(l, l->nodes.list[i]);
    }
}

void vni_lifelong_apply(vni_lifelong* l) {
    pull(l);

    // And what they give. A node that is not known yet can only win by an edge that is new or cheaper; then
    // the node at its other end changed too, and is in the list if it is known. So nodes of which nothing is
    // known cost nothing, however many of them change.
    for (uint32_t i = 0; i < l->listed; ++i) {
        const uint32_t id = l->nodes.list[i];
        const vni_plan_node* node = id != VN_NO_NODE ? vni_plan_at(&l->nodes, id) : NULL;
        if (node != NULL && node->g < HUGE_VAL && id != l->leaf)
            vni_lifelong_lower(l, id);
    }
    const vni_plan_node* root = vni_plan_at(&l->nodes, l->root);
    if (l->root_changed && root->g < HUGE_VAL)
        vni_lifelong_lower(l, l->root);

    l->listed = 0;
    l->root_changed = false;
    vni_lifelong_flush(l);
}

void vni_lifelong_move_leaf(vni_lifelong* l, vn_point point) {
    // The bound of any node falls by at most the bound between the two places, and a unit for rounding.
    const vn_point before = l->leaf_point;
    l->leaf_point = point;
    l->km += bound_from(l, before) + VNI_COST_UNIT;
}
