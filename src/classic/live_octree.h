/// classic/live_octree.h: an octree that follows a changing occupancy (Massonnat 2023, 5.1): cubes that
/// something enters are split, cubes that are free again are joined.
///
/// After each update the leaves are those of a fresh vni_octree_make of the new occupancy: whether a cube is
/// a leaf depends on its voxels alone, so nothing drifts. A leaf
/// that an update leaves alone keeps its number; that of one that went is used again, in later updates. An
/// update looks at the changed voxels and at the nodes above them, and at nothing else; once the arrays are
/// large enough it allocates nothing.
///
/// One thread at a time.
#ifndef VNI_CLASSIC_LIVE_OCTREE_H
#define VNI_CLASSIC_LIVE_OCTREE_H

#include "classic/box_lists.h"
#include "classic/octree.h"

/// Location codes in an array that grows.
typedef struct vni_code_list {
    uint64_t* at;
    uint64_t capacity;
    uint32_t count;
} vni_code_list;

typedef struct vni_live_octree {
    vni_octree tree; ///< for the reading functions of octree.h. Its leaf_count is the limit of leaf numbers,
                     ///< with gaps of code 0; `deepest` is that of the beginning
    uint64_t node_capacity, code_capacity;
    uint32_t free_nodes;   ///< first of eight that are free; it names the next in `children`; 0: none
    uint32_t free_groups;  ///< how many times eight
    uint32_t* free_leaves; ///< a stack of leaf numbers, with capacity for all: giving back cannot fail
    uint64_t free_capacity;
    uint32_t free_count;
    uint32_t min_depth;
    const vni_occupancy* opened; ///< null, or: see vni_live_octree_make_opened
    vni_box* changes;            ///< scratch of an update, like the next two
    uint64_t change_capacity;
    vni_code_list went, came;
} vni_live_octree;

/// As vni_octree_make; the occupancy must live until the next update. Statuses of vni_octree_make.
vn_status vni_live_octree_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_octree* out, vn_detail* detail);

/// Takes over a tree that vni_octree_make has made with this def; on failure it is freed.
vn_status vni_live_octree_adopt(vni_octree* tree, const vni_octree_def* def, vni_live_octree* out,
                                vn_detail* detail);

/// An octree of the voxels that are free and were not so in `before`, which must outlive it: of the space
/// that opens when static geometry vanishes. Empty until the first update, as for occupancy = before.
vn_status vni_live_octree_make_opened(const vn_allocator* allocator, const vni_occupancy* before,
                                      const vni_octree_def* def, vni_live_octree* out, vn_detail* detail);

/// A zeroed tree is allowed.
void vni_live_octree_free(vni_live_octree* live);
size_t vni_live_octree_bytes(const vni_live_octree* live);

/// Follows to `occupancy` (same dimensions, must live until the next update), which differs from the last one
/// in voxels of the `changes` only; these may overlap, reach out of the space, and hold voxels that did not
/// change. The leaves that went and came are *added* to `out`. VN_OUT_OF_MEMORY, VN_TOO_LARGE: then tree
/// and lists are as they were. O((changed cubes + changes) * depth).
vn_status vni_live_octree_update(vni_live_octree* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail);

static inline uint32_t vni_live_octree_count(const vni_live_octree* live) {
    return live->tree.leaf_count - live->free_count;
}

/// Visits the leaves that share a part of a face with the box, wherever it is. Stops when `visit` returns
/// false, and returns false then. O(leaves around the box * depth).
bool vni_live_octree_neighbours(const vni_live_octree* live, const vni_box* box, vni_visit_box* visit,
                                void* user);

#endif
