/// geom/tree.h: a dynamic tree of boxes: insert and remove in O(log n), balanced by rotations. For obstacles
/// that come and go.
#ifndef VNI_GEOM_TREE_H
#define VNI_GEOM_TREE_H

#include "volnav/math.h"

typedef struct vni_tree_node {
    vn_box box;
    uint32_t parent, left, right; ///< VNI_TREE_NULL where there is none; a leaf has no children
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

/// Room for one more leaf, so that the next insert cannot fail; false if there is no memory.
bool vni_tree_reserve(vni_tree* tree);

/// Returns the leaf's handle in `*leaf`; false if there is no memory.
bool vni_tree_insert(vni_tree* tree, const vn_box* box, uint32_t item, uint32_t* leaf);
void vni_tree_remove(vni_tree* tree, uint32_t leaf);

/// Box of everything; false if empty. O(1).
bool vni_tree_bounds(const vni_tree* tree, vn_box* out);

/// Visits the items whose box touches `box`, in no fixed order; stops when `visit` returns false. No
/// allocation, no recursion.
typedef bool vni_tree_visit(void* user, uint32_t item);
void vni_tree_query(const vni_tree* tree, const vn_box* box, vni_tree_visit* visit, void* user);

/// Parents, heights, boxes and balance are right; for tests and debug builds. O(n).
bool vni_tree_is_valid(const vni_tree* tree);
size_t vni_tree_bytes(const vni_tree* tree);

#endif
