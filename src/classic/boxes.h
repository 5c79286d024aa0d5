/// classic/boxes.h: free space as boxes that share faces: the leaves of an octree, or what merging made of
/// them (Massonnat 2023, 3.3). Each shared face between two boxes is one *portal*, stored once.
///
/// Both trees end here, so that the graphs over them, the corridors and the drawing exist once. Immutable
/// once made; any number of threads may read it.
#ifndef VNI_CLASSIC_BOXES_H
#define VNI_CLASSIC_BOXES_H

#include "classic/octree.h"
#include "path/taut.h"

/// More portals than this are VN_TOO_LARGE.
#define VNI_BOXES_MAX_PORTALS (1u << 30)

typedef struct vni_boxes {
    vn_allocator allocator;
    const vni_octree* tree; ///< must outlive the boxes
    vni_box* boxes;         ///< in the order of the lowest leaf in each
    uint32_t* of_leaf;      ///< by leaf of the tree: its box; null: the leaf's own number
    uint32_t (*portals)[2]; ///< the two boxes of each portal, the lower one along its axis first; in order of
                            ///< the first, then the second
    uint32_t* first;        ///< box_count + 1: where a box's portals begin in `on_box`
    uint32_t* on_box;       ///< portal numbers, two entries a portal; those of a box ascend
    uint32_t box_count, portal_count;
} vni_boxes;

/// The leaves as they are. VN_OUT_OF_MEMORY, VN_TOO_LARGE: then `out` is zeroed. O(leaves * depth + portals).
vn_status vni_boxes_from_leaves(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                                vn_detail* detail);

/// Greedy merging in the manner of Hertel and Mehlhorn: two boxes become one when the face between them is
/// the whole side of both, until no two can. Deterministic. Errors and cost as above.
vn_status vni_boxes_merged(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                           vn_detail* detail);

/// The same without portals; vni_boxes_link can make them later. VN_OUT_OF_MEMORY.
vn_status vni_boxes_merge(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                          vn_detail* detail);

/// Merged boxes, without portals, from the number of each leaf's box, which are not believed: VN_BAD_FORMAT
/// unless the leaves of each number fill a box, and numbers are in the order of their lowest leaves.
/// VN_OUT_OF_MEMORY.
vn_status vni_boxes_from_numbers(const vn_allocator* allocator, const vni_octree* tree,
                                 const uint32_t* numbers, uint32_t box_count, vni_boxes* out,
                                 vn_detail* detail);

/// Fills portals, first and on_box of boxes whose other fields are there. VN_OUT_OF_MEMORY, VN_TOO_LARGE:
/// then these are as they were.
vn_status vni_boxes_link(vni_boxes* boxes, vn_detail* detail);

/// Zeroed boxes are allowed.
void vni_boxes_free(vni_boxes* boxes);

/// Without the tree.
size_t vni_boxes_bytes(const vni_boxes* boxes);

/// The box that holds a voxel; UINT32_MAX if none does. O(depth).
static inline uint32_t vni_boxes_at(const vni_boxes* boxes, vn_voxel voxel) {
    uint32_t leaf = vni_octree_leaf_at(boxes->tree, voxel);
    return leaf == VNI_NO_LEAF || boxes->of_leaf == NULL ? leaf : boxes->of_leaf[leaf];
}

/// The rectangle that two boxes that touch share, and which axis it is across.
vni_portal vni_boxes_portal(const vni_box* lower, const vni_box* upper);

/// Centres on the lattice: halves of voxels at the finest, so always exact.
vn_point vni_box_centre(const vni_box* box);
vn_point vni_portal_centre(const vni_portal* portal);

#endif
