/// search/scratch.c: pages of node records.
#include "search/scratch.h"
#include "base/alloc.h"

#include <string.h>

vn_status vni_scratch_make(const vn_allocator* allocator, uint32_t node_limit, uint32_t max_nodes,
                           vni_scratch* out) {
    VNI_ASSERT(node_limit > 0 && max_nodes > 0);

    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->table_count = (uint32_t)(((uint64_t)node_limit + 63) >> 6);
    out->page_capacity = ((max_nodes < VNI_MAX_NODES ? max_nodes : VNI_MAX_NODES) + 63) >> 6;
    if (out->page_capacity > out->table_count)
        out->page_capacity = out->table_count;

    uint64_t slots = (uint64_t)out->page_capacity << 6;
    VNI_ASSERT(slots > 0 && slots <= VNI_MAX_NODES);

    // Only the table is cleared, so that reading it is defined; what it says counts after a check against
    // `owners`.
    out->table = (uint32_t*)vni_alloc_zero(allocator, out->table_count, sizeof *out->table);
    out->owners = (uint32_t*)vni_alloc(allocator, out->page_capacity, sizeof *out->owners);
    out->nodes = (vni_node*)vni_alloc(allocator, slots, sizeof *out->nodes);
    out->entries = (vni_heap_entry*)vni_alloc(allocator, slots, sizeof *out->entries);
    if (out->table == NULL || out->owners == NULL || out->nodes == NULL || out->entries == NULL) {
        vni_scratch_free(out);
        return VN_OUT_OF_MEMORY;
    }

    return VN_OK;
}

void vni_scratch_free(vni_scratch* scratch) {
    if (scratch->table_count == 0)
        return;
    const vn_allocator* allocator = &scratch->allocator;
    uint64_t slots = (uint64_t)scratch->page_capacity << 6;
    vni_free(allocator, scratch->table, scratch->table_count, sizeof *scratch->table);
    vni_free(allocator, scratch->owners, scratch->page_capacity, sizeof *scratch->owners);
    vni_free(allocator, scratch->nodes, slots, sizeof *scratch->nodes);
    vni_free(allocator, scratch->entries, slots, sizeof *scratch->entries);
    memset(scratch, 0, sizeof *scratch);
}

void vni_scratch_memory(const vni_scratch* scratch, vn_memory* out) {
    size_t slots = (size_t)scratch->page_capacity << 6;
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "page table",
                   scratch->table_count * sizeof *scratch->table +
                       scratch->page_capacity * sizeof *scratch->owners);
    vni_memory_add(out, "nodes", slots * sizeof *scratch->nodes);
    vni_memory_add(out, "open set", slots * sizeof *scratch->entries);
}

uint32_t vni_scratch_take_page(vni_scratch* scratch, uint32_t page) {
    if (scratch->pages_used == scratch->page_capacity)
        return UINT32_MAX;
    uint32_t at = scratch->pages_used++;
    vni_node* nodes = scratch->nodes + ((size_t)at << 6);

    // Both directions must agree for an entry to count (search/scratch.h). Only the 64 nodes of this page are
    // cleared: a search pays for what it touches.
    scratch->table[page] = at;
    scratch->owners[at] = page;
    for (uint32_t i = 0; i < 64; ++i)
        nodes[i].position = VNI_NODE_UNSEEN;

    return at;
}
