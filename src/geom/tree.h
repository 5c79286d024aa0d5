/// geom/tree.h: a dynamic bounding volume hierarchy, for obstacles that come and go: insert and remove in
/// O(log n).
#ifndef VNI_GEOM_TREE_H
#define VNI_GEOM_TREE_H

#include "volnav/math.h"

typedef struct vni_tree_node {
    vn_box box;
    uint32_t parent, left, right; ///< VNI_TREE_NULL if none; a leaf has no children
    uint32_t item;                ///< of a leaf
    uint32_t height;              ///< 0 for leaves
} vni_tree_node;

#define VNI_TREE_NULL UINT32_MAX

typedef struct vni_tree {
    vn_allocator allocator;
    vni_tree_node* nodes;
    uint64_t capacity;
    uint32_t used, free_list, root, leaf_count;
} vni_tree;

vni_tree vni_tree_make(const vn_allocator* allocator);
void vni_tree_destroy(vni_tree* tree);

/// Makes capacity for one more leaf, so that the next insert cannot fail. False if memory runs out.
bool vni_tree_reserve(vni_tree* tree);

/// Writes the leaf's handle to `*leaf`. False if memory runs out.
bool vni_tree_insert(vni_tree* tree, const vn_box* box, uint32_t item, uint32_t* leaf);
void vni_tree_remove(vni_tree* tree, uint32_t leaf);

/// Bounds of all items; false if there are none. O(1).
bool vni_tree_bounds(const vni_tree* tree, vn_box* out);

/// Visits the items whose box touches `box`, in no fixed order; stops when `visit` returns false. No
/// allocation, no recursion.
typedef bool vni_tree_visit(void* user, uint32_t item);
void vni_tree_query(const vni_tree* tree, const vn_box* box, vni_tree_visit* visit, void* user);

/// Are parents, heights, boxes and balance consistent? For tests and debug builds. O(n).
bool vni_tree_is_valid(const vni_tree* tree);
size_t vni_tree_bytes(const vni_tree* tree);

#endif
