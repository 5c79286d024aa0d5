/// dynamic/dynamic.h: one layer of free space that follows a changing world, as a row of versions.
///
/// A version is a vn_space: immutable, complete, shared by any number of readers. An update makes the next
/// one: it copies the tables, replaces the blocks and seams that were touched, and publishes. One thread at a
/// time updates; any thread pins and unpins. What was replaced is freed when no pinned version holds it any
/// more (each replaced object knows in which versions it was used), so that a reader that never lets go costs
/// memory, not progress.
#ifndef VNI_DYNAMIC_DYNAMIC_H
#define VNI_DYNAMIC_DYNAMIC_H

#include "cells/stages.h"
#include "space/space.h"
#include "world/journal.h"

typedef struct vni_dynamic vni_dynamic;

typedef struct vni_dynamic_def {
    vn_allocator allocator; ///< thread-safe if others than the updating thread pin, or the jobs have workers
    vn_jobs jobs;           ///< for the first version and for changes of what stands still
    vn_space_def space;     ///< of the layer; its allocator and jobs are not used
    uint32_t history;       ///< deltas kept; 0: 64
} vni_dynamic_def;

/// A cell that is gone, or new.
typedef struct vni_delta_cell {
    vn_voxel_box box;
    bool is_new;
} vni_delta_cell;

/// What a version changed against the one before.
typedef struct vni_delta {
    uint64_t version;
    const vn_voxel_box* blocked; ///< boxes around the voxels that became blocked, one a touched chunk
    const vn_voxel_box* freed;   ///< and around those that became free
    const vni_delta_cell* cells; ///< by block; gone first, then new
    uint32_t blocked_count, freed_count, cell_count;
} vni_delta;

/// Bakes the first version from the world as it is: the same content as vn_space_bake. A seed and
/// VN_UNKNOWN_REFUSED are VN_UNSUPPORTED: what is closed or unseen would have to be found out again at each
/// change. Else as vn_space_bake.
vn_status vni_dynamic_make(const vn_world* world, const vni_dynamic_def* def, vni_dynamic** out,
                           vn_detail* detail);

/// Null is allowed. Nothing may be pinned.
void vni_dynamic_free(vni_dynamic* dynamic);

/// Applies changes (world/journal.h) and publishes a new version; if nothing of the space changes, there is
/// none. The world is as it is after them. The same content as a fresh bake of that world within the same
/// bounds. On failure (VN_OUT_OF_MEMORY) the last version stays, and the same changes may be given again,
/// with others.
vn_status vni_dynamic_update(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                             uint32_t count, vn_detail* detail);

/// The newest version, which then stays until it is unpinned as often as it was pinned. Any thread.
const vn_space* vni_dynamic_pin(vni_dynamic* dynamic, uint64_t* version);
void vni_dynamic_unpin(vni_dynamic* dynamic, uint64_t version);

/// Number of the newest version. Any thread.
uint64_t vni_dynamic_version(vni_dynamic* dynamic);

/// The delta of a version; valid until the ring has turned around. VN_STALE if it has; VN_BAD_ARGUMENT for a
/// version that there is not (yet). On the updating thread.
vn_status vni_dynamic_delta(const vni_dynamic* dynamic, uint64_t version, vni_delta* out);

/// How the last update went.
typedef struct vni_dynamic_stats {
    uint32_t bricks, chunks, blocks, seams; ///< touched
    bool components_rebuilt;
    uint32_t versions; ///< held
    size_t retired;    ///< objects that wait for a reader
} vni_dynamic_stats;

/// On the updating thread.
void vni_dynamic_get_stats(const vni_dynamic* dynamic, vni_dynamic_stats* out);

/// From now on updates are measured, with a clock that is called some twenty times a touched block; null ends
/// it. What was measured before is forgotten. On the updating thread.
void vni_dynamic_measure(vni_dynamic* dynamic, uint64_t (*clock)(void* user), void* user);

/// Where the time of all updates since then went. On the updating thread.
void vni_dynamic_get_stages(const vni_dynamic* dynamic, vni_stages* out);

#endif
