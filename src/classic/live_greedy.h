/// classic/live_greedy.h: merged boxes that follow a changing occupancy by greedy merging alone (Massonnat
/// 2023, 5.1): the comparison that drifts. Boxes that something enters are split as in classic/split.h,
/// voxels that become free are boxes of one voxel, and all of these are merged with what is around them, as
/// classic/merge.c does it in the beginning. What is there depends on history: boxes that were split are not
/// found again.
///
/// For experiments: 4 bytes a voxel and more, an update takes O(voxels of the boxes that it splits and
/// merges). One thread at a time.
#ifndef VNI_CLASSIC_LIVE_GREEDY_H
#define VNI_CLASSIC_LIVE_GREEDY_H

#include "classic/box_lists.h"
#include "classic/octree.h"
#include "live/boxes.h"

/// More voxels are VN_TOO_LARGE.
#define VNI_GREEDY_MAX_VOXELS (1u << 24)

typedef struct vni_greedy_box {
    vni_box box;
    uint32_t born;   ///< the update that made or changed it; 0: the beginning
    uint32_t listed; ///< the last update that has it in `fresh`
    bool exists;
} vni_greedy_box;

typedef struct vni_live_greedy {
    vn_allocator allocator;
    int32_t dims[3];
    uint32_t voxel_count;
    uint32_t* of_voxel; ///< x fastest: its box, or UINT32_MAX. The next four have one element a voxel
    vni_greedy_box* boxes;
    uint32_t *free, *fresh; ///< a stack of free boxes; those that the update made or changed
    uint32_t box_limit, free_count, fresh_count;
    uint32_t update;
    uint32_t leaves, deepest; ///< of the octree of the beginning, like the next two
    int32_t root_edge, roots[3];
} vni_live_greedy;

/// The merged boxes of an octree of `occupancy`, which is not needed afterwards. Statuses as vni_octree_make.
vn_status vni_live_greedy_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_greedy* out, vn_detail* detail);

/// Zeroed is allowed.
void vni_live_greedy_free(vni_live_greedy* live);

/// As vni_live_octree_update; `changes` must hold all voxels that changed since the last update.
vn_status vni_live_greedy_update(vni_live_greedy* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail);

static inline uint32_t vni_live_greedy_count(const vni_live_greedy* live) {
    return live->box_limit - live->free_count;
}

/// The box that holds a voxel; false if it is blocked or outside. O(1).
bool vni_live_greedy_at(const vni_live_greedy* live, vn_voxel voxel, vni_box* out);

/// Visits the boxes that have voxels in the region, each once. Stops when `visit` returns false, and returns
/// false then. O(voxels of the region).
bool vni_live_greedy_visit_in(const vni_live_greedy* live, const vni_box* region, vni_visit_box* visit,
                              void* user);

/// Visits the boxes that share a part of a face with the box, which is one of them, each once. Stops when
/// `visit` returns false, and returns false then. O(voxels at its faces).
bool vni_live_greedy_neighbours(const vni_live_greedy* live, const vni_box* box, vni_visit_box* visit,
                                void* user);
size_t vni_live_greedy_bytes(const vni_live_greedy* live);

#endif
