/// dynamic/dynamic.h: keeps one layer of free space up to date with a changing world, as a sequence of
/// versions.
///
/// A version is a vn_space: immutable, complete, read by any number of threads without locks. An update makes
/// the next one: it copies the tables, replaces the blocks, cells and seams that the changes touch, and
/// publishes it. All other objects are shared between versions:
///
///     tables of version 7    [ A | B | C | D ]         versions: newest -> 8 -> 7 -> 5
///                              |   |   |   |           (the newest, and those that are pinned)
///     objects                  A   B   C   D   B'
///                              |       |   |   |       B is retired: versions [3, 8) use it, and it is
///     tables of version 8    [ A | B'| C | D ]         freed when none of these is left
///
/// This is multi-version concurrency control as databases use it (Bernstein and Goodman 1983). One thread at
/// a time updates; any thread pins and unpins. A reader that never unpins costs memory, but does not stop
/// updates.
#ifndef VNI_DYNAMIC_DYNAMIC_H
#define VNI_DYNAMIC_DYNAMIC_H

#include "cells/stages.h"
#include "space/space.h"
#include "world/journal.h"

typedef struct vni_dynamic vni_dynamic;

typedef struct vni_dynamic_def {
    vn_allocator
        allocator;      ///< thread-safe if threads other than the updating one pin, or the jobs have workers
    vn_jobs jobs;       ///< for the first version and for changes of static obstacles
    vn_space_def space; ///< of the layer; its allocator and jobs are ignored
    uint32_t history;   ///< deltas kept; 0: 64
    bool without_cells; ///< deltas do not list cells, which saves memory
    uint32_t lanes;     ///< threads that may take part in an update at the same time; 0: 1
} vni_dynamic_def;

/// A cell that was removed, or is new.
typedef struct vni_delta_cell {
    vn_voxel_box box;
    bool is_new;
} vni_delta_cell;

/// The changes of a version against the one before.
typedef struct vni_delta {
    uint64_t version;
    const vn_voxel_box* blocked; ///< boxes around the voxels that became blocked, one a touched chunk
    const vn_voxel_box* freed;   ///< and around those that became free
    const vni_delta_cell* cells; ///< by block; removed ones first, then new ones
    uint32_t blocked_count, freed_count, cell_count;
} vni_delta;

/// Bakes the first version from the current world: the same content as vn_space_bake. A seed is
/// VN_UNSUPPORTED, because enclosed space would have to be searched again at each change. Other statuses as
/// vn_space_bake.
vn_status vni_dynamic_make(const vn_world* world, const vni_dynamic_def* def, vni_dynamic** out,
                           vn_detail* detail);

/// Makes the first version from a baked space with cells, whose blocks, cells and seams it shares;
/// `def->space` is not read. The allocator leads to the same memory as that of the space. Everything that is
/// blocked counts as static: if part of it belongs to moving obstacles, pass these to vni_dynamic_update as
/// changes from static to moving. That changes no voxel, and voxelises the blocks around them again. `world`
/// is the one that was baked: if it has sensed voxel sets, or unknown space that is refused, together with
/// other obstacles, static obstacles are voxelised again here, because they must be told apart.
/// VN_OUT_OF_MEMORY, VN_TOO_LARGE.
vn_status vni_dynamic_make_baked(const vn_world* world, const vn_space* baked, const vni_dynamic_def* def,
                                 vni_dynamic** out, vn_detail* detail);

/// Null is allowed. Nothing may be pinned.
void vni_dynamic_free(vni_dynamic* dynamic);

/// Applies changes (world/journal.h) and publishes a new version, unless no voxel changes. `world` is the
/// world after the changes. The version has the same content as a fresh bake of that world within the same
/// bounds. On failure (VN_OUT_OF_MEMORY) the last version stays; pass the same changes again, alone or with
/// later ones. One thread at a time.
vn_status vni_dynamic_update(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                             uint32_t count, vn_detail* detail);

/// The same in pieces, for several threads: the version and its delta are those of vni_dynamic_update,
/// whatever thread runs which piece.
///
///     begin; while (claim) { run; end; }      until is_done
///
/// Begin, claim, end and is_done: under a lock of the caller. Run: outside of it, on any thread, with a lane
/// that no other thread uses at the same time. Claim is false when the update is done, or while others hold
/// all that can be done now. The changes must stay as they are until it is done; no piece may be kept.
typedef struct vni_update_piece {
    uint32_t phase; ///< private
    uint32_t first, end;
    vn_status status; ///< of the run
    uint64_t units;   ///< of work that the run took: one is about as long as an expansion of a search
} vni_update_piece;

void vni_dynamic_begin(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes, uint32_t count,
                       vn_detail* detail);
bool vni_dynamic_claim(vni_dynamic* dynamic, vni_update_piece* out);

/// Stops after about `most` units; a block, the static obstacles and the tables of a version are each one
/// step that does not stop.
void vni_dynamic_run(vni_dynamic* dynamic, vni_update_piece* piece, uint32_t lane_index, uint64_t most);
void vni_dynamic_end(vni_dynamic* dynamic, const vni_update_piece* piece);

/// True when the update has ended, or none has begun. `*status` as of vni_dynamic_update.
bool vni_dynamic_is_done(const vni_dynamic* dynamic, vn_status* status);

/// Returns the newest version, which stays valid until it is unpinned as often as it was pinned. Any thread.
const vn_space* vni_dynamic_pin(vni_dynamic* dynamic, uint64_t* version);
void vni_dynamic_unpin(vni_dynamic* dynamic, uint64_t version);

/// Number of the newest version. Any thread.
uint64_t vni_dynamic_version(vni_dynamic* dynamic);

/// The delta of a version; valid for the next `history` - 1 versions. VN_STALE after that; VN_BAD_ARGUMENT
/// for a version that does not exist yet, and for version 1. On the updating thread.
vn_status vni_dynamic_delta(const vni_dynamic* dynamic, uint64_t version, vni_delta* out);

/// Counts of vni_own_brick: how many bits they have, and the number that stands for itself and all above.
#define VNI_OWN_PLANES 4
#define VNI_OWN_MANY   15u

/// A brick that a moving obstacle covers.
typedef struct vni_own_brick {
    uint64_t key;                    ///< vni_own_key of its voxels
    uint64_t bits;                   ///< the voxels covered
    uint64_t counts[VNI_OWN_PLANES]; ///< bit i of how many obstacles block each of them; static: VNI_OWN_MANY
} vni_own_brick;

static inline uint64_t vni_own_key(const vni_occupancy* o, vn_voxel v) {
    return (uint64_t)vni_block_of(o->blocks, v.x, v.y, v.z) << 12 | vni_chunk_of(v.x, v.y, v.z) << 6 |
           vni_brick_of(v.x, v.y, v.z);
}

/// The bricks that the moving obstacle in a slot of the world covers, by ascending keys: writes up to
/// `capacity` of them and returns the number of all. 0: it covers nothing in this layer, or does not move. On
/// the updating thread, between updates or after the last phase of one.
uint32_t vni_dynamic_own(const vni_dynamic* dynamic, uint32_t slot, vni_own_brick* out, uint32_t capacity);

/// Statistics of the last update.
typedef struct vni_dynamic_stats {
    uint32_t bricks, chunks, blocks, seams; ///< touched
    bool components_rebuilt;
    uint32_t versions; ///< the newest, and pinned ones
    size_t retired;    ///< replaced objects that a pinned version still uses
} vni_dynamic_stats;

/// Bytes of the blocks, cells and seams of the newest version, without its tables, and without the cells and
/// seams of all-free blocks. On the updating thread.
size_t vni_dynamic_object_bytes(const vni_dynamic* dynamic);

/// On the updating thread.
void vni_dynamic_get_stats(const vni_dynamic* dynamic, vni_dynamic_stats* out);

/// Measures the stages of all following updates, with a clock that is called about twenty times for each
/// touched block; null ends it. Resets earlier results. On the updating thread.
void vni_dynamic_measure(vni_dynamic* dynamic, uint64_t (*clock)(void* user), void* user);

/// The time of each stage, summed over all updates since vni_dynamic_measure. On the updating thread.
void vni_dynamic_get_stages(const vni_dynamic* dynamic, vni_stages* out);

#endif
