/// search/open.c: open sets over a scratch.
#include "search/open.h"

void vni_price_edges(const vni_graph* graph, const vni_cost* cost, uint32_t from, const uint32_t* to,
                     uint32_t count, double* out) {
    VNI_ASSERT(count <= VNI_EDGE_BATCH);
    vn_point at, points[VNI_EDGE_BATCH];
    graph->points(graph->self, &from, 1, &at);
    graph->points(graph->self, to, count, points);
    for (uint32_t i = 0; i < count; ++i)
        out[i] = cost->segment(cost->self, at, points[i]);
}

bool vni_open_begin(vni_heap* open, const vni_graph* graph, vni_scratch* scratch) {
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

void vni_open_turn(vni_heap* open, const vni_graph* graph, const vni_cost* cost, const vni_scratch* scratch,
                   vn_point goal, double g_weight, double h_weight) {
    // All keys first, then the order: a heap is rebuilt faster than updated entry by entry.
    vni_fresh batch;
    for (uint32_t first = 0; first < open->count; first += batch.count) {
        vni_heap_entry* entries = open->entries + first;
        uint32_t left = open->count - first;
        batch.count = left < VNI_EDGE_BATCH ? left : VNI_EDGE_BATCH;
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
