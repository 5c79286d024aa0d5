/// classic/live_merged.h: a merged octree that follows a changing occupancy (Massonnat 2023, 5.2): boxes that
/// something enters are split, and restored as they were when they are free again.
///
/// The merged boxes of the beginning are saved and never change. What is there now is a function of them and
/// of what is blocked now, whatever happened in between:
///
/// - a saved box that is free is there as it is;
/// - of any other, the cubes that classic/split.h splits it into, down to those that are free;
/// - where static geometry has gone there was no saved box: the leaves of an octree over the voxels that are
///   free now and were blocked in the beginning (vni_live_octree_make_opened). They are not merged with their
///   neighbours: restoring those would not be possible.
///
/// An update looks at the saved boxes that overlap a change: O(changed cubes and parts of these boxes), for a
/// box that is hit or restored O(its parts). Once the arrays are large enough it allocates nothing. One
/// thread at a time.
#ifndef VNI_CLASSIC_LIVE_MERGED_H
#define VNI_CLASSIC_LIVE_MERGED_H

#include "base/hash.h"
#include "classic/boxes.h"
#include "classic/live_octree.h"

/// What a list of the update says beside the box: the edge of its cube, cut or not; 0: a saved box.
typedef struct vni_edge_list {
    uint32_t* at;
    uint64_t capacity;
} vni_edge_list;

typedef struct vni_live_merged {
    vn_allocator allocator;
    vni_octree saved_tree; ///< of the beginning
    vni_boxes saved; ///< its merged boxes, without portals; its pointer to the tree is not used, so that
                     ///< this struct may be moved
    uint64_t* whole; ///< by saved box: is it there as it is?
    uint32_t whole_count;
    vni_map parts;                  ///< by Morton code of the low corner: the edge of a cube that is there
    vni_live_octree opened;         ///< leaves where everything was blocked in the beginning
    const vni_occupancy* occupancy; ///< of now

    // Scratch of an update.
    uint32_t* stamps; ///< by saved box: the last update that looked at it
    uint32_t stamp;
    uint32_t* hit; ///< saved boxes that overlap a change
    uint64_t hit_capacity;
    uint32_t hit_count;
    vni_box* changes;
    uint64_t change_capacity;
    vni_edge_list went, came;
} vni_live_merged;

/// Merges the octree of `occupancy`, which must outlive it. The tree has no greatest depth (a cube with a
/// blocked voxel is split down to the voxel); def->max_depth is ignored. Statuses as vni_octree_make.
vn_status vni_live_merged_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_merged* out, vn_detail* detail);

/// Takes over a tree of `occupancy` and its merged boxes, without portals, as they are in the beginning; on
/// failure they are freed.
vn_status vni_live_merged_adopt(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, vni_octree* tree, vni_boxes* boxes,
                                vni_live_merged* out, vn_detail* detail);

/// Zeroed is allowed.
void vni_live_merged_free(vni_live_merged* live);
size_t vni_live_merged_bytes(const vni_live_merged* live);

/// As vni_live_octree_update.
vn_status vni_live_merged_update(vni_live_merged* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail);

/// Boxes that are there.
static inline uint32_t vni_live_merged_count(const vni_live_merged* live) {
    return live->whole_count + live->parts.count + vni_live_octree_count(&live->opened);
}

/// The saved box that holds a voxel, whole or not; UINT32_MAX if none does.
static inline uint32_t vni_live_merged_saved_at(const vni_live_merged* live, vn_voxel voxel) {
    const uint32_t leaf = vni_octree_leaf_at(&live->saved_tree, voxel);
    return leaf == VNI_NO_LEAF ? UINT32_MAX : live->saved.of_leaf[leaf];
}

/// The box that holds a voxel; false if it is blocked or outside. O(depth).
bool vni_live_merged_at(const vni_live_merged* live, vn_voxel voxel, vni_box* out);

/// Visits the boxes that have voxels in the region, each once. Stops when `visit` returns false, and returns
/// false then.
bool vni_live_merged_visit_in(const vni_live_merged* live, const vni_box* region, vni_visit_box* visit,
                              void* user);

/// Visits the boxes that share a part of a face with the box, wherever it is, each once. Stops when `visit`
/// returns false, and returns false then. O(boxes and saved leaves at its faces * depth).
bool vni_live_merged_neighbours(const vni_live_merged* live, const vni_box* box, vni_visit_box* visit,
                                void* user);

#endif
