/// geom/bvh.h: a static bounding volume hierarchy over the boxes of items 0 .. n-1.
///
/// Flat array, median split on the longest axis, ties by index: the tree depends on the boxes alone.
#ifndef VNI_GEOM_BVH_H
#define VNI_GEOM_BVH_H

#include "volnav/math.h"

/// Children of inner node i are i + 1 and `next`; a leaf holds items [first, first + count) of `items`.
typedef struct vni_bvh_node {
    vn_box box;
    uint32_t next_or_first; ///< inner: index of the second child; leaf: first item
    uint32_t count;         ///< 0 for inner nodes
} vni_bvh_node;

typedef struct vni_bvh {
    vni_bvh_node* nodes;
    uint32_t* items;
    uint32_t node_count, item_count;
} vni_bvh;

/// Builds the tree of `boxes`, of which there may be none. VN_OUT_OF_MEMORY leaves `out` empty. O(n log n).
vn_status vni_bvh_build(const vn_allocator* allocator, const vn_box* boxes, uint32_t count, vni_bvh* out);
void vni_bvh_free(const vn_allocator* allocator, vni_bvh* bvh);
size_t vni_bvh_bytes(const vni_bvh* bvh);

/// A copy of its own. VN_OUT_OF_MEMORY leaves `out` empty.
vn_status vni_bvh_copy(const vn_allocator* allocator, const vni_bvh* bvh, vni_bvh* out);

/// Computes the boxes of the nodes again after the items' boxes have changed. The tree keeps its shape, which
/// fits best where the items moved together.
void vni_bvh_refit(vni_bvh* bvh, const vn_box* boxes);

/// Calls `visit` for every item whose box touches `box`, in the tree's order; stops when it returns false. No
/// recursion, no allocation.
typedef bool vni_bvh_visit(void* user, uint32_t item);
void vni_bvh_query(const vni_bvh* bvh, const vn_box* boxes, const vn_box* box, vni_bvh_visit* visit,
                   void* user);

#endif
