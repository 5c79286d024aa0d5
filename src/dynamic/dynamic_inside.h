/// dynamic/dynamic_inside.h: what a dynamic layer is made of. Inside space/dynamic*.c only.
#ifndef VNI_DYNAMIC_DYNAMIC_INSIDE_H
#define VNI_DYNAMIC_DYNAMIC_INSIDE_H

#include "base/hash.h"
#include "cells/recut.h"
#include "dynamic/dynamic.h"
#include "voxelise/footprint.h"
#include "voxelise/voxelise.h"

/// A brick of the space by one number, in order of block, then brick.
static inline uint64_t vni_brick_key(uint32_t block, uint32_t brick) {
    return (uint64_t)block << 12 | brick;
}

// --------------------------------------------------------------------------------------------------- cover

/// How many moving obstacles cover each voxel of one brick.
typedef struct vni_cover_brick {
    uint64_t bits; ///< voxels whose count is not 0; of a free slot: the next one
    uint32_t counts[64];
} vni_cover_brick;

typedef struct vni_cover {
    vn_allocator allocator;
    vni_map slots; ///< by vni_brick_key
    vni_cover_brick* bricks;
    uint64_t capacity;
    uint32_t used, free_slot; ///< UINT32_MAX: no free one below `used`
} vni_cover;

vni_cover vni_cover_make(const vn_allocator* allocator);
void vni_cover_free(vni_cover* cover);

/// Room for `more` bricks that are not there yet; false if there is no memory.
bool vni_cover_reserve(vni_cover* cover, uint32_t more);

/// One obstacle less over `removed`, one more over `added`, which do not overlap. Bricks that are new must
/// have been reserved.
void vni_cover_change(vni_cover* cover, uint64_t key, uint64_t removed, uint64_t added);

/// The voxels of a brick that something covers.
uint64_t vni_cover_bits(const vni_cover* cover, uint64_t key);

// ------------------------------------------------------------------------------------------------ versions

typedef struct vni_version {
    vn_space space; ///< its tables belong to the version, what they point to does not
    uint64_t number;
    uint32_t pins;
    uint64_t component_capacity;
    struct vni_version* next; ///< older, or the next free one
} vni_version;

/// An object that newer versions do without: it was in those from `from` to `until` - 1.
typedef enum vni_retired_kind { VNI_RETIRED_BLOCK, VNI_RETIRED_CELLS, VNI_RETIRED_SEAM } vni_retired_kind;
typedef struct vni_retired {
    vni_retired_kind kind;
    void* object;
    uint64_t from, until;
} vni_retired;

/// A block in work.
typedef struct vni_touched {
    uint32_t block;
    uint64_t chunks; ///< those that changed
    vni_block* voxels;
    vni_cell_block* cells;
    int64_t link_change;  ///< inner links more than before
    uint32_t rim_changed; ///< as in vni_recut_report
    bool same_components; ///< the same
} vni_touched;

/// Components of the lower block of a seam (high half) and of the upper one that it joins; ascending.
typedef struct vni_pairs {
    uint64_t* pairs;
    uint32_t count;
} vni_pairs;

/// A seam in work: between `lower` and its neighbour along `axis`.
typedef struct vni_touched_seam {
    uint32_t lower, axis;
    vni_seam* seam;    ///< may be the one that was there
    bool same_lists;   ///< but for indices
    bool same_labels;  ///< surely, of the components on both sides
    bool joins_others; ///< `pairs` differ from those before
    vni_pairs pairs;
} vni_touched_seam;

/// The lists of one delta; their room is used again.
typedef struct vni_delta_buffer {
    uint64_t version; ///< 0: none
    vn_voxel_box *blocked, *freed;
    vni_delta_cell* cells;
    uint64_t blocked_capacity, freed_capacity, cell_capacity;
    uint32_t blocked_count, freed_count, cell_count;
} vni_delta_buffer;

/// What an obstacle that moves covers.
typedef struct vni_print {
    vni_footprint bricks;
    bool moves; ///< there is one
} vni_print;

struct vni_dynamic {
    vn_allocator allocator;
    vn_jobs jobs;
    vni_frame frame;
    double radius; ///< metres
    uint32_t without;

    vni_occupancy fixed; ///< what stands still
    vni_cover cover;     ///< what moves
    vni_print* prints;   ///< by slot of the world
    uint64_t print_capacity;
    vni_footprint fresh; ///< of the obstacle in work
    vni_footprint_scratch* print_scratch;

    uint64_t* dirty; ///< keys of bricks that may have changed since the newest version, in any order
    uint64_t* sorted;
    uint64_t dirty_capacity, sorted_capacity;
    uint32_t dirty_count;

    uint64_t* dense; ///< of the block in work
    vni_cut cut;
    vni_touched* touched;
    vni_touched_seam* seams;
    uint64_t touched_capacity, seam_capacity;
    uint32_t touched_count, seam_count;

    vni_pairs* pairs[3]; ///< by lower block, of the newest version
    uint64_t* pair_buffer;
    uint64_t pair_capacity;

    vni_cell_block* open_block; ///< an all-free block is always this one
    vni_seam* open_seams[3];

#if VOLNAV_THREADS
    vni_monitor* monitor; ///< around `newest`, pins and the rows of versions
#endif
    vni_version* newest;
    vni_version* spare;
    uint64_t *block_from, *cells_from, *seam_from[3]; ///< by block: the first version with what is there now
    vni_retired* retired;
    uint64_t retired_capacity;
    uint32_t retired_count;

    vni_delta_buffer* deltas; ///< a ring
    uint32_t history;
    vni_dynamic_stats stats;
    vni_stages stages;
};

static inline uint32_t vni_dynamic_blocks(const vni_dynamic* dynamic) {
    return vni_occupancy_block_count(&dynamic->fixed);
}

/// living_take.c: bring `fixed` and `cover` up to date and note the bricks that may have changed.
vn_status vni_dynamic_take_fixed(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                 uint32_t count, vn_detail* detail);
vn_status vni_dynamic_take_moving(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                  uint32_t count);

/// Notes a brick. The caller has seen to the room (vni_dynamic_reserve_dirty).
static inline void vni_dynamic_note(vni_dynamic* dynamic, uint64_t key) {
    dynamic->dirty[dynamic->dirty_count++] = key;
}
bool vni_dynamic_reserve_dirty(vni_dynamic* dynamic, uint32_t more);

static inline bool vni_obstacle_moves(const vni_obstacle* obstacle) {
    return obstacle->motion != NULL;
}

/// The seam that the newest version has at this place.
static inline vni_seam* vni_dynamic_seam(const vni_dynamic* dynamic, const vni_touched_seam* s) {
    return dynamic->newest->space.cells.seams[s->axis][s->lower];
}

/// The delta of the version in work.
static inline vni_delta_buffer* vni_dynamic_delta_buffer(vni_dynamic* dynamic) {
    return &dynamic->deltas[(dynamic->newest->number + 1) % dynamic->history];
}

/// living_voxels.c: the voxels of a block that has these dirty keys, ascending; no chunks if nothing changes.
/// False if there is no memory. Notes boxes in the delta; uses dynamic->dense.
bool vni_dynamic_patch(vni_dynamic* dynamic, const uint64_t* keys, uint32_t count, vni_touched* out);

/// living_blocks.c: new blocks, cells and seams for what is dirty: `touched` and `seams`. VN_OUT_OF_MEMORY
/// leaves none.
vn_status vni_dynamic_rebuild(vni_dynamic* dynamic);
void vni_dynamic_drop_work(vni_dynamic* dynamic);

/// Sorts keys; `room` for as many more.
void vni_sort_keys(uint64_t* keys, uint32_t count, uint64_t* room);

/// living_components.c: the pairs of all seams of the first version; false if there is no memory.
bool vni_dynamic_make_pairs(vni_dynamic* dynamic);
void vni_pairs_free(const vni_dynamic* dynamic, vni_pairs* pairs);

/// Fills the components of a version that has all else. False if there is no memory; else the pairs of
/// touched seams are those of that version, and it must be published.
bool vni_dynamic_label(vni_dynamic* dynamic, vni_version* version);

/// living_version.c: a version with what was rebuilt, published; the delta; what is retired.
vn_status vni_dynamic_publish(vni_dynamic* dynamic);
vni_version* vni_version_make(vni_dynamic* dynamic);
void vni_version_free(vni_dynamic* dynamic, vni_version* version);
bool vni_version_reserve_components(vni_dynamic* dynamic, vni_version* version, uint64_t count);
void vni_dynamic_release_unused(vni_dynamic* dynamic);

#endif
