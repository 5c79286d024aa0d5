/// replan/nodes.c: pages of node records that grow in place, and the tree over them.
#include "replan/nodes.h"
#include "base/alloc.h"
#include "search/scratch.h"

#include <math.h>
#include <string.h>

void vni_plan_nodes_make(const vn_allocator* allocator, vni_plan_nodes* out) {
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
}

void vni_plan_nodes_free(vni_plan_nodes* n) {
    const uint64_t slots = (uint64_t)n->page_capacity << 6;
    VNI_DELETE_ARRAY(&n->allocator, n->table, n->table_count);
    VNI_DELETE_ARRAY(&n->allocator, n->owners, n->page_capacity);
    VNI_DELETE_ARRAY(&n->allocator, n->nodes, slots);
    VNI_DELETE_ARRAY(&n->allocator, n->entries, slots);
    VNI_DELETE_ARRAY(&n->allocator, n->list, slots);
    vni_plan_nodes_make(&n->allocator, n);
}

void vni_plan_nodes_memory(const vni_plan_nodes* n, vn_memory* out) {
    const size_t slots = (size_t)n->page_capacity << 6;
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "page table",
                   n->table_count * sizeof *n->table + n->page_capacity * sizeof *n->owners);
    vni_memory_add(out, "nodes", slots * (sizeof *n->nodes + sizeof *n->list));
    vni_memory_add(out, "open set", slots * sizeof *n->entries);
}

// ---------- growing

static bool grow_table(vni_plan_nodes* n, uint32_t count) {
    uint32_t* table = (uint32_t*)vni_alloc_zero(&n->allocator, count, sizeof *table);
    if (table == NULL)
        return false;
    if (n->table_count > 0)
        memcpy(table, n->table, n->table_count * sizeof *table);
    VNI_DELETE_ARRAY(&n->allocator, n->table, n->table_count);
    n->table = table;
    n->table_count = count;
    return true;
}

/// All arrays of a larger pool, or none.
static bool make_pool(const vn_allocator* allocator, uint32_t pages, vni_plan_nodes* out) {
    const uint64_t slots = (uint64_t)pages << 6;
    vni_plan_nodes_make(allocator, out);
    out->page_capacity = pages;
    out->owners = VNI_NEW_ARRAY(allocator, uint32_t, pages);
    out->nodes = VNI_NEW_ARRAY(allocator, vni_plan_node, slots);
    out->entries = VNI_NEW_ARRAY(allocator, vni_heap_entry, slots);
    out->list = VNI_NEW_ARRAY(allocator, uint32_t, slots);
    if (out->owners != NULL && out->nodes != NULL && out->entries != NULL && out->list != NULL)
        return true;

    vni_plan_nodes_free(out);
    return false;
}

/// Moves into a larger pool. The table comes over as it is: pages keep their places.
static void take_pool(vni_plan_nodes* n, vni_plan_nodes* pool) {
    const size_t slots = (size_t)n->pages_used << 6;
    if (n->page_capacity > 0) {
        memcpy(pool->owners, n->owners, n->pages_used * sizeof *pool->owners);
        memcpy(pool->nodes, n->nodes, slots * sizeof *pool->nodes);
        memcpy(pool->entries, n->entries, slots * sizeof *pool->entries);
        memcpy(pool->list, n->list, slots * sizeof *pool->list);
    }
    pool->table = n->table;
    pool->table_count = n->table_count;
    pool->pages_used = n->pages_used;
    n->table = NULL;
    n->table_count = 0;
    vni_plan_nodes_free(n);
    *n = *pool;
}

bool vni_plan_nodes_grow(vni_plan_nodes* n, uint32_t node_limit, uint32_t max_nodes) {
    VNI_ASSERT(node_limit > 0 && max_nodes > 0);
    const uint32_t table = (uint32_t)(((uint64_t)node_limit + 63) >> 6);
    uint32_t pages = ((max_nodes < VNI_MAX_NODES ? max_nodes : VNI_MAX_NODES) + 63) >> 6;
    pages = pages < table ? pages : table;

    // everything that can fail comes before the nodes move
    vni_plan_nodes pool;
    const bool grows = pages > n->page_capacity;
    if (grows && !make_pool(&n->allocator, pages, &pool))
        return false;
    if (table > n->table_count && !grow_table(n, table)) {
        if (grows)
            vni_plan_nodes_free(&pool);
        return false;
    }

    if (grows)
        take_pool(n, &pool);
    return true;
}

uint32_t vni_plan_nodes_take_page(vni_plan_nodes* n, uint32_t page) {
    if (n->pages_used == n->page_capacity)
        return UINT32_MAX;
    const uint32_t at = n->pages_used++;
    n->table[page] = at;
    n->owners[at] = page;
    for (uint32_t i = 0; i < 64; ++i)
        n->nodes[at << 6 | i] = (vni_plan_node){.g = HUGE_VAL,
                                                .rhs = HUGE_VAL,
                                                .parent = VN_NO_NODE,
                                                .position = VNI_PLAN_OUT,
                                                .child = VN_NO_NODE,
                                                .next = VN_NO_NODE,
                                                .previous = VN_NO_NODE};
    return at;
}

// ---------- the tree

static void unlink_child(vni_plan_nodes* n, vni_plan_node* node) {
    if (node->previous != VN_NO_NODE)
        vni_plan_at(n, node->previous)->next = node->next;
    else
        vni_plan_at(n, node->parent)->child = node->next;
    if (node->next != VN_NO_NODE)
        vni_plan_at(n, node->next)->previous = node->previous;
}

void vni_plan_set_parent(vni_plan_nodes* n, uint32_t id, uint32_t parent) {
    vni_plan_node* node = vni_plan_at(n, id);
    if (node->parent == parent)
        return;
    if (node->parent != VN_NO_NODE)
        unlink_child(n, node);

    node->parent = parent;
    node->previous = node->next = VN_NO_NODE;
    if (parent == VN_NO_NODE)
        return;

    vni_plan_node* above = vni_plan_at(n, parent);
    node->next = above->child;
    if (above->child != VN_NO_NODE)
        vni_plan_at(n, above->child)->previous = id;
    above->child = id;
}

/// The children of a node name it as their parent, and one another.
static bool children_are_valid(const vni_plan_nodes* n, uint32_t id, uint32_t* count) {
    uint32_t before = VN_NO_NODE;
    for (uint32_t at = vni_plan_at(n, id)->child; at != VN_NO_NODE;) {
        const vni_plan_node* child = vni_plan_find(n, at);
        if (child == NULL || child->parent != id || child->previous != before)
            return false;
        ++*count;
        before = at;
        at = child->next;
    }
    return true;
}

bool vni_plan_nodes_are_valid(const vni_plan_nodes* n) {
    uint32_t children = 0, parents = 0;
    const uint32_t slots = n->pages_used << 6;
    for (uint32_t slot = 0; slot < slots; ++slot) {
        if (!children_are_valid(n, vni_plan_id(n, slot), &children))
            return false;
        parents += n->nodes[slot].parent != VN_NO_NODE;
    }
    return children == parents;
}
