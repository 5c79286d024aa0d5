/// classic/ara.c: the passes of ARA*.
///
/// What a node is to the pass that runs is written in its position: below LISTED its position in the open
/// set; CLOSED and the number of the pass that expanded it last; LISTED while it waits among the
/// inconsistent. So a new pass need not clear the closed set: nodes closed in an earlier pass are simply not
/// closed in this one.
#include "classic/ara.h"
#include "search/open.h"

#include <string.h>

#define LISTED ((uint32_t)1 << 30)
#define CLOSED ((uint32_t)1 << 31)

// Weights this near to 1 are 1.
#define WEIGHT_STEP 1e-9

/// Number k of the inconsistent.
static vni_heap_entry* incons_at(const vni_ara* a, uint32_t k) {
    return &a->open.entries[a->open.capacity - 1 - k];
}

/// There is always capacity: a node is open or inconsistent or neither, and the memory has an entry for each
/// node.
static void list_incons(vni_ara* a, uint32_t id, uint32_t slot) {
    VNI_ASSERT(a->incons_count + a->open.count < a->open.capacity);
    vni_heap_entry* entry = incons_at(a, a->incons_count++);
    entry->id = id;
    if (a->graph->keys != NULL)
        a->graph->keys(a->graph->self, &id, 1, &entry->id);
    entry->slot = slot;
    a->scratch->nodes[slot].position = LISTED;
}

static double goal_cost(const vni_ara* a) {
    return vni_scratch_g(a->scratch, a->goal);
}

bool vni_ara_has_path(const vni_ara* a) {
    const vni_node* node = vni_scratch_find(a->scratch, a->goal);
    return node != NULL && node->position != VNI_NODE_UNSEEN;
}

// ------------------------------------------------------------------------------------------- expansion

static bool push_fresh(vni_ara* a, vni_fresh* f) {
    uint32_t order[VN_EDGE_BATCH];
    vni_fresh_measure(f, a->graph, a->cost, a->goal_point);
    vni_fresh_order(f, a->graph, order);
    for (uint32_t i = 0; i < f->count; ++i) {
        double g = a->scratch->nodes[f->slots[i]].g;
        vni_heap_entry entry = {g + a->next_weight * f->h[i], f->h[i], order[i], f->slots[i]};
        if (!vni_heap_push(&a->open, entry))
            return false;
    }

    return true;
}

/// A node has become cheaper, or was reached for the first time.
static void enlist(vni_ara* a, uint32_t id, uint32_t slot, vni_fresh* f) {
    vni_node* node = &a->scratch->nodes[slot];
    if (node->position == VNI_NODE_FRESH || node->position == LISTED)
        return;

    if (node->position < LISTED) {
        double h = a->open.entries[node->position].tie;
        vni_heap_update(&a->open, node->position, node->g + a->next_weight * h, h);
    } else if (node->position == (CLOSED | a->passes)) {
        list_incons(a, id, slot);
    } else {
        a->touched += node->position == VNI_NODE_UNSEEN;
        node->position = VNI_NODE_FRESH;
        vni_fresh_add(f, id, slot);
    }
}

static bool relax(vni_ara* a, uint32_t id, double g, const uint32_t* to, const double* cost, uint32_t count) {
    vni_fresh f;
    f.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t slot = vni_scratch_slot(a->scratch, to[i]);
        if (slot == UINT32_MAX)
            return false;

        vni_node* node = &a->scratch->nodes[slot];
        double new_g = g + cost[i];
        if (node->position != VNI_NODE_UNSEEN && !(new_g < node->g))
            continue;

        node->g = new_g;
        node->parent = id;
        enlist(a, to[i], slot, &f);
    }

    return f.count == 0 || push_fresh(a, &f);
}

static bool expand(vni_ara* a, uint32_t id, double g) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do {
        uint32_t count = a->graph->expand(a->graph->self, id, &cursor, &edges);
        VNI_ASSERT(count <= VN_EDGE_BATCH);
        if (!a->cost->is_length)
            vni_price_edges(a->graph, a->cost, id, to, count, cost);
        if (!relax(a, id, g, to, cost, count))
            return false;
    } while (cursor != 0);

    return true;
}

// ---------------------------------------------------------------------------------------------- passes

/// Lower bounds of the inconsistent, which so far are ids only.
static void measure_incons(vni_ara* a) {
    vni_fresh f;
    for (uint32_t first = 0; first < a->incons_count; first += f.count) {
        uint32_t left = a->incons_count - first;
        f.count = left < VN_EDGE_BATCH ? left : VN_EDGE_BATCH;
        for (uint32_t i = 0; i < f.count; ++i)
            f.ids[i] = vni_scratch_node(a->scratch, incons_at(a, first + i)->slot);

        vni_fresh_measure(&f, a->graph, a->cost, a->goal_point);
        for (uint32_t i = 0; i < f.count; ++i)
            incons_at(a, first + i)->tie = f.h[i];
    }
}

/// The least g + h of the open and the inconsistent nodes: no path to the goal costs less, but for what has
/// been found.
static double least_estimate(const vni_ara* a) {
    double least = goal_cost(a);
    for (uint32_t i = 0; i < a->open.count + a->incons_count; ++i) {
        const vni_heap_entry* entry =
            i < a->open.count ? &a->open.entries[i] : incons_at(a, i - a->open.count);
        double estimate = a->scratch->nodes[entry->slot].g + entry->tie;
        least = estimate < least ? estimate : least;
    }

    return least;
}

/// The inconsistent become open, and all get the keys of the next weight.
static void reopen(vni_ara* a) {
    vni_heap_entry* entries = a->open.entries;
    VNI_ASSERT(a->open.count + a->incons_count <= a->open.capacity);

    memmove(entries + a->open.count, entries + a->open.capacity - a->incons_count,
            a->incons_count * sizeof *entries);
    a->open.count += a->incons_count;
    a->incons_count = 0;
    for (uint32_t i = 0; i < a->open.count; ++i)
        entries[i].key = a->scratch->nodes[entries[i].slot].g + a->next_weight * entries[i].tie;

    vni_open_sort(&a->open);
}

/// The weight of pass number `pass`, from 0.
static double weight_of(const vni_ara_def* def, uint32_t pass) {
    double weight = def->first - pass * def->step;
    return weight < 1 + WEIGHT_STEP ? 1 : weight;
}

/// The goal's path cannot become cheaper with this weight.
static vn_status end_pass(vni_ara* a) {
    if (!vni_ara_has_path(a))
        return VN_NO_PATH;
    VNI_ASSERT(a->passes < VNI_ARA_MAX_PASSES);

    measure_incons(a);
    double cost = goal_cost(a), least = least_estimate(a);
    a->weight = a->next_weight;
    a->path_cost = cost;
    if (a->cost->admissible) {
        double bound = cost < a->weight * least ? cost / least : a->weight;
        bound = cost <= least ? 1 : bound;
        a->bound = a->passes == 0 || bound < a->bound ? bound : a->bound;
    }

    ++a->passes;
    if (a->weight == 1 || a->bound == 1)
        return VN_OK;

    a->next_weight = weight_of(&a->def, a->passes);
    reopen(a);
    return VN_RUNNING;
}

vn_status vni_ara_begin(vni_ara* a, const vni_ara_def* def, const vn_graph* graph, const vni_cost* cost,
                        vni_scratch* scratch, uint32_t start, uint32_t goal) {
    VNI_ASSERT(start < graph->node_limit && goal < graph->node_limit);

    memset(a, 0, sizeof *a);
    a->status = VN_BAD_ORDER;
    if (!(def->first >= 1 && def->first <= 1e6 && def->step > 0) ||
        def->first - 1 > def->step * (VNI_ARA_MAX_PASSES - 1))
        return VN_BAD_ARGUMENT;
    if (!vni_open_begin(&a->open, graph, scratch))
        return VN_CAPACITY;

    a->def = *def;
    a->graph = graph;
    a->cost = cost;
    a->scratch = scratch;
    a->start = start;
    a->goal = goal;
    a->next_weight = weight_of(def, 0);
    graph->points(graph->self, &goal, 1, &a->goal_point);
    vni_fresh f;

    if (!vni_fresh_only(&f, scratch, start, 0, VN_NO_NODE) || !push_fresh(a, &f))
        return VN_CAPACITY;
    a->touched = 1;
    a->status = VN_RUNNING;
    return VN_OK;
}

/// The pass is done when no open node promises a cheaper path to the goal.
static bool pass_is_done(const vni_ara* a) {
    return a->open.count == 0 || (vni_ara_has_path(a) && goal_cost(a) <= a->open.entries[0].key);
}

/// Takes the best node and expands it.
static vn_status advance(vni_ara* a) {
    if (a->def.budget && a->expanded >= a->def.budget)
        return VN_BUDGET_SPENT;
    vni_heap_entry entry = vni_heap_pop(&a->open);
    vni_node* node = &a->scratch->nodes[entry.slot];
    VNI_ASSERT(node->position != (CLOSED | a->passes));

    node->position = CLOSED | a->passes;
    ++a->expanded;
    ++a->expanded_by_pass;
    entry.id = vni_scratch_node(a->scratch, entry.slot);
    if (a->observer != NULL)
        vni_observe_expansion(a->observer, a->graph, &entry, node->parent, node->g);
    return expand(a, entry.id, node->g) ? VN_RUNNING : VN_CAPACITY;
}

vn_status vni_ara_step(vni_ara* a, uint64_t max_expansions) {
    if (a->status == VN_RUNNING && a->pass_ended) {
        a->pass_ended = false;
        a->expanded_by_pass = 0;
    }

    for (uint64_t i = 0; a->status == VN_RUNNING; ++i) {
        if (pass_is_done(a)) {
            a->status = end_pass(a);
            a->pass_ended = true;
            break;
        }

        if (i == max_expansions)
            break;
        a->status = advance(a);
    }

    return a->status;
}
