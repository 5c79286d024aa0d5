/// replan/nodes.h: what a planner remembers of the nodes that it has touched, from version to version: paged,
/// growing only when it is told to.
///
/// Pages of 64 nodes, found as in search/scratch.h. Here the pool can grow while nodes are in it: pages keep
/// their places, so that slots and the open set stay valid.
///
/// Every node knows the node that its path comes from, and its children in that tree: a ring of siblings
/// would save a word, but a list with both neighbours is unlinked without a search.
#ifndef VNI_REPLAN_NODES_H
#define VNI_REPLAN_NODES_H

#include "base/assert.h"
#include "base/heap.h"
#include "volnav/graph.h"

#define VNI_PLAN_OUT UINT32_MAX ///< position of a node that is not in the open set

typedef struct vni_plan_node {
    double g;                ///< cost as it was last settled; HUGE_VAL: unknown
    double rhs;              ///< what its neighbours promise now
    uint32_t parent;         ///< id of the node that promises it, or VN_NO_NODE
    uint32_t position;       ///< in the open set, or VNI_PLAN_OUT
    uint32_t child;          ///< its first one, id
    uint32_t next, previous; ///< children of the same parent, ids
    uint32_t marks;          ///< the planner's
} vni_plan_node;

typedef struct vni_plan_nodes {
    vn_allocator allocator;
    uint32_t* table;         ///< by page of the graph: page of the pool
    uint32_t* owners;        ///< by page of the pool: page of the graph
    vni_plan_node* nodes;    ///< 64 a page
    vni_heap_entry* entries; ///< of the open set
    uint32_t* list;          ///< ids, one for each node: for planners that collect some
    uint32_t table_count, page_capacity, pages_used;
} vni_plan_nodes;

/// An empty one takes no memory.
void vni_plan_nodes_make(const vn_allocator* allocator, vni_plan_nodes* out);
void vni_plan_nodes_free(vni_plan_nodes* nodes);
void vni_plan_nodes_memory(const vni_plan_nodes* nodes, vn_memory* out);

/// Makes capacity for graphs of `node_limit` ids and for `max_nodes` touched ones, if there is less. False if
/// memory runs out: nothing has changed.
bool vni_plan_nodes_grow(vni_plan_nodes* nodes, uint32_t node_limit, uint32_t max_nodes);

/// Forgets all nodes. O(1).
static inline void vni_plan_nodes_reset(vni_plan_nodes* nodes) {
    nodes->pages_used = 0;
}

/// Takes a page, with nodes that have no path; UINT32_MAX if the pool is used up.
uint32_t vni_plan_nodes_take_page(vni_plan_nodes* nodes, uint32_t page);

/// Slot of a node, taking a page if it has none; UINT32_MAX if the pool is used up.
static inline uint32_t vni_plan_slot(vni_plan_nodes* nodes, uint32_t id) {
    const uint32_t page = id >> 6;
    VNI_ASSERT(page < nodes->table_count);
    uint32_t at = nodes->table[page];
    if (at >= nodes->pages_used || nodes->owners[at] != page) {
        at = vni_plan_nodes_take_page(nodes, page);
        if (at == UINT32_MAX)
            return UINT32_MAX;
    }
    return at << 6 | (id & 63);
}

/// The node of a slot.
static inline uint32_t vni_plan_id(const vni_plan_nodes* nodes, uint32_t slot) {
    return nodes->owners[slot >> 6] << 6 | (slot & 63);
}

/// The node's record, or null if nothing is known of it.
static inline vni_plan_node* vni_plan_find(const vni_plan_nodes* nodes, uint32_t id) {
    const uint32_t page = id >> 6;
    VNI_ASSERT(page < nodes->table_count);
    const uint32_t at = nodes->table[page];
    if (at >= nodes->pages_used || nodes->owners[at] != page)
        return NULL;
    return &nodes->nodes[at << 6 | (id & 63)];
}

/// The record of a node that has one.
static inline vni_plan_node* vni_plan_at(const vni_plan_nodes* nodes, uint32_t id) {
    vni_plan_node* node = vni_plan_find(nodes, id);
    VNI_ASSERT(node != NULL);
    return node;
}

/// Makes `parent` (or VN_NO_NODE) the parent of `id`. Both have records.
void vni_plan_set_parent(vni_plan_nodes* nodes, uint32_t id, uint32_t parent);

/// Are the lists of children those that the parents say? For tests. O(nodes).
bool vni_plan_nodes_are_valid(const vni_plan_nodes* nodes);

#endif
