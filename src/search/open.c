/// search/open.c: open sets over a scratch.
#include "search/open.h"

double vni_price_way(const vni_cost* cost, vn_point a, const vn_point* bend, vn_point b) {
    if (bend == NULL)
        return cost->segment(cost->self, a, b);

    // A bend is no node.
    double first = cost->at_nodes ? vni_distance(a, *bend) : cost->segment(cost->self, a, *bend);
    return first + cost->segment(cost->self, *bend, b);
}

static void price(const vn_graph* graph, const vni_cost* cost, uint32_t node, const uint32_t* to,
                  uint32_t count, bool back, double* out) {
    VNI_ASSERT(count <= VN_EDGE_BATCH);
    vn_point at, bend, points[VN_EDGE_BATCH];
    graph->points(graph->self, &node, 1, &at);
    graph->points(graph->self, to, count, points);
    for (uint32_t i = 0; i < count; ++i) {
        bool bends = graph->bend != NULL && graph->bend(graph->self, node, to[i], &bend);
        const vn_point *from = back ? &points[i] : &at, *end = back ? &at : &points[i];
        out[i] = vni_cost_up(vni_price_way(cost, *from, bends ? &bend : NULL, *end));
    }
}

void vni_price_edges(const vn_graph* graph, const vni_cost* cost, uint32_t from, const uint32_t* to,
                     uint32_t count, double* out) {
    price(graph, cost, from, to, count, false, out);
}

void vni_price_edges_back(const vn_graph* graph, const vni_cost* cost, uint32_t node, const uint32_t* to,
                          uint32_t count, double* out) {
    price(graph, cost, node, to, count, true, out);
}

bool vni_open_begin(vni_heap* open, const vn_graph* graph, vni_scratch* scratch) {
    if (((uint64_t)graph->node_limit + 63) >> 6 > scratch->table_count)
        return false;
    vni_scratch_reset(scratch);
    open->entries = scratch->entries;
    open->count = 0;
    open->capacity = scratch->page_capacity << 6;
    open->positions = (unsigned char*)&scratch->nodes[0].position;
    open->stride = sizeof(vni_node);

    return true;
}

/// Pushes one entry after another: the heap grows in front of the entries that are still to come.
void vni_open_sort(vni_heap* open) {
    uint32_t count = open->count;
    VNI_ASSERT(count <= open->capacity);
    open->count = 0;
    while (open->count < count)
        vni_heap_push(open, open->entries[open->count]);
}

void vni_open_turn(vni_heap* open, const vn_graph* graph, const vni_cost* cost, const vni_scratch* scratch,
                   vn_point goal, double g_weight, double h_weight) {
    // All keys first, then the order: a heap is rebuilt faster than updated entry by entry.
    vni_fresh batch;
    for (uint32_t first = 0; first < open->count; first += batch.count) {
        vni_heap_entry* entries = open->entries + first;
        uint32_t left = open->count - first;
        batch.count = left < VN_EDGE_BATCH ? left : VN_EDGE_BATCH;
        for (uint32_t i = 0; i < batch.count; ++i)
            batch.ids[i] = vni_scratch_node(scratch, entries[i].slot);

        vni_fresh_measure(&batch, graph, cost, goal);
        for (uint32_t i = 0; i < batch.count; ++i) {
            entries[i].tie = batch.h[i];
            entries[i].key = g_weight * scratch->nodes[entries[i].slot].g + h_weight * batch.h[i];
        }
    }

    vni_open_sort(open);
}

void vni_open_forget(vni_heap* open, vni_scratch* scratch, uint32_t node) {
    if (vni_scratch_find(scratch, node) == NULL)
        return;
    vni_node* record = &scratch->nodes[vni_scratch_slot(scratch, node)];
    if (record->position < open->count)
        vni_heap_remove(open, record->position);
    record->position = VNI_NODE_UNSEEN;
}
