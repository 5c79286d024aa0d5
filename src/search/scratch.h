/// search/scratch.h: what a graph search remembers of the nodes that it has touched. Paged, of fixed
/// capacity, never cleared.
///
/// Nodes come in pages of 64. A table with one entry for each page of the graph says where a page lies in the
/// pool; an entry counts only if the pool's page names the table entry back (the sparse set of Briggs and
/// Torczon 1993). So forgetting everything is one store, and neither array needs clearing:
///
///     table[page of the graph] = i   and   owners[i] = page of the graph   and   i < pages_used
#ifndef VNI_SEARCH_SCRATCH_H
#define VNI_SEARCH_SCRATCH_H

#include "base/assert.h"
#include "base/heap.h"
#include "volnav/base.h"

#define VNI_NODE_UNSEEN UINT32_MAX       ///< not reached
#define VNI_NODE_CLOSED (UINT32_MAX - 1) ///< taken from the open set
#define VNI_NODE_FRESH  (UINT32_MAX - 2) ///< reached, about to enter the open set

/// 16 bytes, four to a cache line.
typedef struct vni_node {
    double g;          ///< cost of the best path found so far
    uint32_t parent;   ///< id of the node before it on that path
    uint32_t position; ///< in the open set, or VNI_NODE_UNSEEN, VNI_NODE_CLOSED
} vni_node;

typedef struct vni_scratch {
    vn_allocator allocator;
    uint32_t* table;         ///< by page of the graph: page of the pool
    uint32_t* owners;        ///< by page of the pool: page of the graph
    vni_node* nodes;         ///< 64 a page
    vni_heap_entry* entries; ///< of the open set
    uint32_t table_count, page_capacity;
    uint32_t pages_used;
} vni_scratch;

/// Most nodes that a search can touch: what the heap can order.
#define VNI_MAX_NODES (((uint32_t)1 << 30) - 64)

/// Allocates for graphs of up to `node_limit` nodes, of which a search touches up to `max_nodes` (rounded up
/// to pages, cut to VNI_MAX_NODES and to the graph). VN_OUT_OF_MEMORY.
vn_status vni_scratch_make(const vn_allocator* allocator, uint32_t node_limit, uint32_t max_nodes,
                           vni_scratch* out);

/// A zeroed scratch is allowed.
void vni_scratch_free(vni_scratch* scratch);
void vni_scratch_memory(const vni_scratch* scratch, vn_memory* out);

/// Forgets all nodes. O(1).
static inline void vni_scratch_reset(vni_scratch* scratch) {
    scratch->pages_used = 0;
}

/// Takes a page for the graph's page `page` and marks its nodes unseen; UINT32_MAX if the pool is used up.
uint32_t vni_scratch_take_page(vni_scratch* scratch, uint32_t page);

/// Slot of a node in `nodes`, taking a page for it if it has none; UINT32_MAX if the pool is used up.
static inline uint32_t vni_scratch_slot(vni_scratch* scratch, uint32_t node) {
    uint32_t page = node >> 6;
    VNI_ASSERT(page < scratch->table_count);

    uint32_t at = scratch->table[page];
    if (at >= scratch->pages_used || scratch->owners[at] != page) {
        at = vni_scratch_take_page(scratch, page);
        if (at == UINT32_MAX)
            return UINT32_MAX;
    }

    return at << 6 | (node & 63);
}

/// The node of a slot that is taken.
static inline uint32_t vni_scratch_node(const vni_scratch* scratch, uint32_t slot) {
    VNI_ASSERT(slot >> 6 < scratch->pages_used);
    return scratch->owners[slot >> 6] << 6 | (slot & 63);
}

/// The node's record, or null if the search has not come near it.
static inline const vni_node* vni_scratch_find(const vni_scratch* scratch, uint32_t node) {
    uint32_t page = node >> 6;
    VNI_ASSERT(page < scratch->table_count);
    uint32_t at = scratch->table[page];
    if (at >= scratch->pages_used || scratch->owners[at] != page)
        return NULL;
    return &scratch->nodes[at << 6 | (node & 63)];
}

/// The node before `node` (closed or open) on the best path found to it, of any search on this scratch; the
/// start's is what that search calls no node.
static inline uint32_t vni_scratch_parent(const vni_scratch* scratch, uint32_t node) {
    const vni_node* record = vni_scratch_find(scratch, node);
    VNI_ASSERT(record != NULL && record->position != VNI_NODE_UNSEEN);
    return record->parent;
}

/// Cost of that path.
static inline double vni_scratch_g(const vni_scratch* scratch, uint32_t node) {
    const vni_node* record = vni_scratch_find(scratch, node);
    VNI_ASSERT(record != NULL && record->position != VNI_NODE_UNSEEN);
    return record->g;
}

/// Has a search taken the node from its open set?
static inline bool vni_scratch_is_closed(const vni_scratch* scratch, uint32_t node) {
    const vni_node* record = vni_scratch_find(scratch, node);
    return record != NULL && record->position == VNI_NODE_CLOSED;
}

#endif
