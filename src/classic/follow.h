/// classic/follow.h: an octree or a merged octree that follows changes, with its two graphs (live/boxes.h):
/// stable nodes, versions, and what changed by node.
///
/// One thread at a time updates; see live/boxes.h for what others may do meanwhile.
#ifndef VNI_CLASSIC_FOLLOW_H
#define VNI_CLASSIC_FOLLOW_H

#include "classic/live_greedy.h"
#include "classic/live_merged.h"
#include "live/boxes.h"
#include "space/space.h"
#include "volnav/changes.h"

/// Nanoseconds; `read` may be null: then nothing is measured.
typedef struct vni_follow_clock {
    uint64_t (*read)(void* user);
    void* user;
} vni_follow_clock;

typedef struct vni_follow_times {
    uint64_t updates, tree_ns, graph_ns;
} vni_follow_times;

typedef struct vni_follow {
    vn_allocator allocator;
    bool merges;          ///< merged, not octree
    vn_space* saved;      ///< merged: the space of the beginning, shared
    vni_live_octree tree; ///< one of these two
    vni_live_merged merged;
    vni_live_boxes* boxes; ///< the graphs
    vni_box_lists lists;   ///< of the last update
    vni_box* changes;      ///< scratch
    uint64_t change_capacity;
    uint64_t version; ///< of the graphs
    bool is_behind;   ///< an update has failed: the next looks at everything
    bool greedy;      ///< merged, by greedy merging alone: `drift` instead of `merged`
    vni_live_greedy drift;
    uint32_t history;
    vni_follow_clock clock;
    vni_follow_times times; ///< of all updates that did not fail
} vni_follow;

typedef struct vni_follow_def {
    vn_allocator allocator;
    bool merges;
    vni_octree_def tree; ///< merged: without a greatest depth
    uint32_t history;    ///< deltas kept
    uint64_t version;    ///< the first
    vni_octree* adopts; ///< null, or a tree of the space, with its merged boxes if it merges: taken over, and
                        ///< freed on failure
    vni_boxes* boxes;
    bool greedy; ///< with `merges`, and nothing to adopt: see classic/live_greedy.h
    vni_follow_clock clock;
} vni_follow_def;

/// `space` must live until the next update. VN_TOO_LARGE, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY: then zeroed.
vn_status vni_follow_make(const vn_space* space, const vni_follow_def* def, vni_follow* out,
                          vn_detail* detail);

/// A zeroed one is allowed. Nothing may be pinned or held.
void vni_follow_free(vni_follow* follow);

/// Follows to `space`, which has the same dimensions, as version `version`, above all before. `bricks` are
/// what changed since the last update; null: unknown, everything is looked at. On failure the graphs stay at
/// the last version, and the next call makes up for it; until one succeeds, the spaces of the last success
/// and of all calls since must live.
vn_status vni_follow_update(vni_follow* follow, const vn_space* space, uint64_t version,
                            const vn_brick_change* bricks, uint32_t brick_count, vn_detail* detail);

/// Makes the graphs anew from the boxes as they are, as version `version`, above all before: all nodes get
/// other ids, and there are no changes of this version and of those before. Nothing may be pinned or held. On
/// failure everything stays as it is.
vn_status vni_follow_rebuild(vni_follow* follow, const vn_space* space, uint64_t version, vn_detail* detail);

/// The decomposition as it is now, as a source of boxes. Points to `follow`.
vni_boxes_source vni_follow_source(const vni_follow* follow);

uint32_t vni_follow_count(const vni_follow* follow);

/// The box that holds a voxel now; false if none does.
bool vni_follow_at(const vni_follow* follow, vn_voxel voxel, vni_box* out);

/// Visits the boxes with voxels in a region; false if a visit ended it.
bool vni_follow_visit_in(const vni_follow* follow, const vni_box* region, vni_visit_box* visit, void* user);

#endif
