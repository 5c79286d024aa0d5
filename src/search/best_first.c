/// search/best_first.c: the one loop, its heap and its list.
#include "search/best_first.h"

#include <string.h>

/// Nodes that an expansion reached for the first time: they wait for their lower bounds, which come in one
/// call.
typedef struct fresh {
    uint32_t count;
    uint32_t ids[VNI_EDGE_BATCH];
    uint32_t slots[VNI_EDGE_BATCH];
    vn_point points[VNI_EDGE_BATCH];
    double h[VNI_EDGE_BATCH];
} fresh;

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

static bool open_push(vni_best_first* s, uint32_t id, uint32_t slot, double g, double h) {
    vni_heap_entry entry = {s->def.g_weight * g + s->def.h_weight * h, h, id, slot};
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

/// Lower bounds of all fresh nodes, then into the open set. False if that is full.
static bool push_fresh(vni_best_first* s, fresh* f) {
    if (s->def.h_weight != 0 || s->def.track_nearest) {
        s->graph->points(s->graph->self, f->ids, f->count, f->points);
        s->cost->lower_bounds(s->cost->self, f->points, f->count, s->goal_point, f->h);
        for (uint32_t i = 0; i < f->count; ++i)
            f->h[i] *= s->cost->least;
    } else {
        memset(f->h, 0, f->count * sizeof f->h[0]);
    }
    for (uint32_t i = 0; i < f->count; ++i)
        if (!open_push(s, f->ids[i], f->slots[i], s->scratch->nodes[f->slots[i]].g, f->h[i]))
            return false;
    s->touched += f->count;
    return true;
}

/// Relaxes a batch of edges that leave the node. False if the capacity is used up.
static bool relax(vni_best_first* s, uint32_t id, double g, const uint32_t* to, const double* cost,
                  uint32_t count) {
    fresh f;
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
            f.ids[f.count] = to[i];
            f.slots[f.count++] = slot;
        } else if (new_g < node->g) {
            node->g = new_g;
            node->parent = id;
            if (node->position != VNI_NODE_FRESH)
                open_improve(s, node->position, new_g);
        }
    }
    return f.count == 0 || push_fresh(s, &f);
}

/// What the edges really cost, when that is not their length.
static void price(const vni_best_first* s, uint32_t id, const uint32_t* to, double* cost, uint32_t count) {
    vn_point from, points[VNI_EDGE_BATCH];
    s->graph->points(s->graph->self, &id, 1, &from);
    s->graph->points(s->graph->self, to, count, points);
    for (uint32_t i = 0; i < count; ++i)
        cost[i] = s->cost->segment(s->cost->self, from, points[i]);
}

/// Relaxes all edges that leave the node, batch by batch.
static bool expand(vni_best_first* s, uint32_t id, double g) {
    uint32_t to[VNI_EDGE_BATCH], cursor = 0;
    double cost[VNI_EDGE_BATCH];
    const vni_edges edges = {to, cost};
    do {
        uint32_t count = s->graph->expand(s->graph->self, id, &cursor, &edges);
        VNI_ASSERT(count <= VNI_EDGE_BATCH);
        if (!s->cost->is_length)
            price(s, id, to, cost, count);
        if (!relax(s, id, g, to, cost, count))
            return false;
    } while (cursor != 0);
    return true;
}

vn_status vni_best_first_begin(vni_best_first* s, const vni_best_first_def* def, const vni_graph* graph,
                               const vni_cost* cost, vni_scratch* scratch, uint32_t start, uint32_t goal) {
    VNI_ASSERT(start < graph->node_limit && goal < graph->node_limit);
    VNI_ASSERT(def->g_weight >= 0 && def->h_weight >= 0);
    memset(s, 0, sizeof *s);
    s->status = VN_BAD_ORDER;
    if (((uint64_t)graph->node_limit + 63) >> 6 > scratch->table_count)
        return VN_CAPACITY;
    vni_scratch_reset(scratch);
    s->def = *def;
    s->graph = graph;
    s->cost = cost;
    s->scratch = scratch;
    s->start = start;
    s->goal = goal;
    s->nearest = start;
    s->open.entries = scratch->entries;
    s->open.capacity = scratch->page_capacity << 6;
    s->open.positions = (unsigned char*)&scratch->nodes[0].position;
    s->open.stride = sizeof(vni_node);
    graph->points(graph->self, &goal, 1, &s->goal_point);

    fresh f;
    f.count = 1;
    f.ids[0] = start;
    f.slots[0] = vni_scratch_slot(scratch, start);
    if (f.slots[0] == UINT32_MAX)
        return VN_CAPACITY;
    scratch->nodes[f.slots[0]].g = 0;
    scratch->nodes[f.slots[0]].parent = VNI_NO_NODE;
    if (!push_fresh(s, &f))
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
    ++s->expanded;
    if (s->def.track_nearest && entry.tie < s->nearest_h) {
        s->nearest_h = entry.tie;
        s->nearest = entry.id;
    }
    if (entry.id == s->goal)
        return VN_OK;
    return expand(s, entry.id, node->g) ? VN_RUNNING : VN_CAPACITY;
}

vn_status vni_best_first_step(vni_best_first* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}
