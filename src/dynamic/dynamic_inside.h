/// dynamic/dynamic_inside.h: the state of a dynamic layer, and the steps of an update. Private to
/// dynamic/*.c.
///
///     steps.c: an update in pieces, each of them one of
///       take.c         changes of the world -> `statics`, `covers` (moving), keys of dirty bricks
///       sensed.c       edits of sensed voxel sets -> `statics`, keys of dirty bricks
///       voxels.c       dirty bricks of a block -> a new block of voxels, boxes of the delta
///       blocks.c       new voxels -> new cells and seams: `touched`, `seams`
///       components.c   new seams -> labels of the space
///       version.c      all of it -> the next version, published; replaced objects -> `retired`
#ifndef VNI_DYNAMIC_DYNAMIC_INSIDE_H
#define VNI_DYNAMIC_DYNAMIC_INSIDE_H

#include "base/hash.h"
#include "cells/recut.h"
#include "dynamic/dynamic.h"
#include "voxelise/footprint.h"
#include "voxelise/stamp.h"
#include "voxelise/voxelise.h"

/// The key of a brick; keys sort by block, then chunk, then brick.
///
///     bit  43 ......... 12 | 11 .... 6 | 5 ..... 0
///               block          chunk       brick       `brick` is both: 64 * chunk + brick in the chunk
static inline uint64_t vni_brick_key(uint32_t block, uint32_t brick) {
    return (uint64_t)block << 12 | brick;
}

// --------------------------------------------------------------------------------------------------- cover

/// How many moving obstacles cover each voxel of one brick. Obstacles overlap: a count tells when the last
/// one leaves. Plane p has bit p of all 64 counts, so that all voxels are counted at once, and a brick takes
/// one cache line. Counts above 63, which are rare, go on in another brick.
#define VNI_COVER_PLANES 6
typedef struct vni_cover_brick {
    uint64_t bits; ///< voxels whose count is not 0; of a free slot: the next free slot
    uint64_t planes[VNI_COVER_PLANES];
    uint32_t more; ///< the slot with the planes above, or UINT32_MAX
} vni_cover_brick;

#define VNI_COVER_PAGE 256u

typedef struct vni_cover {
    vn_allocator allocator;
    vni_map slots; ///< by vni_brick_key
    vni_cover_brick**
        pages; ///< VNI_COVER_PAGE bricks each: more of them need no copy, and leave little unused
    uint64_t page_capacity;
    uint32_t page_count;
    uint32_t used, free_slot; ///< slots in use or in the free list; head of the free list, UINT32_MAX: empty
} vni_cover;

vni_cover vni_cover_make(const vn_allocator* allocator);
void vni_cover_free(vni_cover* cover);

/// Makes sure that `more` new bricks can be added without allocating; false if memory runs out.
bool vni_cover_reserve(vni_cover* cover, uint32_t more);

/// One obstacle less over `removed`, one more over `added`; the two sets of voxels do not overlap. New bricks
/// must have been reserved.
void vni_cover_change(vni_cover* cover, uint64_t key, uint64_t removed, uint64_t added);

/// The voxels of a brick that at least one moving obstacle covers.
uint64_t vni_cover_bits(const vni_cover* cover, uint64_t key);

/// How many moving obstacles cover one voxel of a brick.
uint32_t vni_cover_count(const vni_cover* cover, uint64_t key, uint32_t bit);

// ------------------------------------------------------------------------------------------------ versions

typedef struct vni_version {
    vn_space space;        ///< owns its tables, but not the objects that they point to
    vni_occupancy unknown; ///< VN_UNKNOWN_REFUSED: as space.unknown, which is all zero if none is
    uint64_t number;
    uint32_t pins;
    uint64_t component_capacity;
    struct vni_version* next; ///< the next older one, or the next spare one
} vni_version;

/// An object that has been replaced: versions [from, until) use it.
typedef enum vni_retired_kind { VNI_RETIRED_BLOCK, VNI_RETIRED_CELLS, VNI_RETIRED_SEAM } vni_retired_kind;
typedef struct vni_retired {
    vni_retired_kind kind;
    void* object;
    uint64_t from, until;
} vni_retired;

/// A part of the lists of a delta: where they begin, and how many there are.
typedef struct vni_delta_part {
    uint32_t blocked, freed, cells;
    uint32_t blocked_count, freed_count, cell_count;
} vni_delta_part;

/// A block that the update replaces, or looks at. Each is the work of one thread.
typedef struct vni_touched {
    uint32_t block;
    uint32_t first, end; ///< its keys in `sorted`
    uint32_t lane;       ///< that holds its part of the delta:
    vni_delta_part delta;
    uint64_t chunks; ///< that have changed, as bits
    vni_block* voxels;
    bool unknown_changed; ///< `unknown` replaces the unknown voxels of the block (null: none)
    vni_block* unknown;
    vni_cell_block* cells;
    int64_t link_change;  ///< as in vni_recut_report
    uint32_t rim_changed; ///< as in vni_recut_report
    bool same_components; ///< as in vni_recut_report
} vni_touched;

/// The unknown voxels of a block in the version to come.
typedef struct vni_unknown_block {
    uint32_t block;
    vni_block* voxels;
} vni_unknown_block;

/// The components that a seam joins: lower block << 32 | upper block; ascending, without duplicates.
typedef struct vni_pairs {
    uint64_t* pairs;
    uint32_t count;
} vni_pairs;

/// A seam beside a touched block: between `lower` and its upper neighbour along `axis`.
typedef struct vni_touched_seam {
    uint32_t lower, axis;
    vni_seam* seam;      ///< may be the same object as before
    int64_t link_change; ///< count now minus before
    bool same_lists;     ///< except for indices
    bool same_labels;    ///< the components on both sides are known to be the same; false: not known
    bool joins_others;   ///< `pairs` differ from those before
    vni_pairs pairs;     ///< if they differ; else empty
} vni_touched_seam;

/// The lists of one delta; their memory is reused when the ring comes around.
typedef struct vni_delta_buffer {
    uint64_t version; ///< 0: none
    vn_voxel_box *blocked, *freed;
    vni_delta_cell* cells;
    uint64_t blocked_capacity, freed_capacity, cell_capacity;
    uint32_t blocked_count, freed_count, cell_count;
} vni_delta_buffer;

/// Scratch of one thread that takes part in updates; made when it first does.
typedef struct vni_lane {
    bool made;
    uint64_t* dense; ///< words of the current block, then of its unknown voxels
    vni_cut cut;
    vni_delta_buffer delta; ///< of the blocks that this lane has made in this update
    uint64_t* pair_buffer;
    uint64_t pair_capacity;
    uint32_t bricks; ///< touched in this update
    vni_stages stages;
} vni_lane;

/// Where an update stands. Phases are entered in this order.
typedef enum vni_phase {
    VNI_PHASE_NONE,
    VNI_PHASE_CLEAR,   ///< as VNI_PHASE_RELEASE: what was still pinned at the end of the update before
    VNI_PHASE_FIXED,   ///< static obstacles, in one piece
    VNI_PHASE_SENSED,  ///< sensed voxel sets, block by block
    VNI_PHASE_MOVING,  ///< moving obstacles, one by one
    VNI_PHASE_PLAN,    ///< dirty keys in order; an entry of `touched` for each block
    VNI_PHASE_BLOCKS,  ///< voxels and cells, block by block, on several threads
    VNI_PHASE_GATHER,  ///< the delta in order; an entry of `seams` for each seam
    VNI_PHASE_SEAMS,   ///< links and pairs, seam by seam, on several threads
    VNI_PHASE_PUBLISH, ///< tables, labels, the new version
    VNI_PHASE_RELEASE, ///< what no version uses, object by object
    VNI_PHASE_DROP,    ///< it has failed
    VNI_PHASE_DONE
} vni_phase;

/// The update in progress. `alone` and `out` are written under the caller's lock only, the rest under it or,
/// while `alone`, by the one thread that has a piece.
typedef struct vni_progress {
    vni_phase phase;
    bool alone;           ///< a piece of a phase for one thread is out
    uint32_t out;         ///< pieces that are out
    uint32_t next, items; ///< the first item of the phase that is not out yet; how many there are
    uint32_t kept;        ///< VNI_PHASE_RELEASE: retired objects that stay
    vn_status status;     ///< the first failure
    const vn_world* world;
    const vni_change* changes;
    uint32_t change_count;
    vn_detail* detail;
} vni_progress;

/// The voxels that a moving obstacle covers in covers[unknown].
typedef struct vni_print {
    vni_footprint bricks;
    bool moves;   ///< the slot holds a moving obstacle
    bool unknown; ///< that marks refused unknown space
} vni_print;

/// Static obstacles are kept apart by how they change (in sensed sets, some bricks at a time) and, if unknown
/// space is refused, by whether they mark it: index = sensed + 2 * unknown.
enum { VNI_FIXED, VNI_SENSED, VNI_UNKNOWN_FIXED, VNI_UNKNOWN_SENSED, VNI_STATICS };

/// Scratch for stamping sensed sets.
typedef struct vni_sense_scratch {
    uint64_t dense[VNI_BLOCK_BRICKS], rows[VNI_BLOCK_BRICKS];
    vni_reach reach;
} vni_sense_scratch;

/// All fields belong to the updating thread, except for `newest`, `spare`, and pins and next of versions,
/// which are guarded by the monitor. A pinned space is read without it.
struct vni_dynamic {
    vn_allocator allocator;
    vn_jobs jobs;
    vni_frame frame;
    double radius;    ///< metres
    uint32_t without; ///< flags of obstacles that this layer ignores

    // the world as voxels: blocked is what one of them has; known obstacles win over unknown space
    vni_occupancy statics[VNI_STATICS]; ///< all but the first may have no table: then they are empty. Blocks
                                        ///< may be shared with the first version
    vni_cover covers[2];                ///< moving obstacles; [1]: that mark refused unknown space
    bool refuses;                       ///< VN_UNKNOWN_REFUSED
    uint64_t* sensed_chunks[2];         ///< by unknown and block: chunks to stamp again, as bits; or null
    vni_sense_scratch* sense_scratch;   ///< or null, if no set was sensed yet
    vni_print* prints;                  ///< by slot of the world
    uint64_t print_capacity;
    vni_footprint fresh; ///< of the current obstacle
    vni_footprint_scratch* print_scratch;

    // they survive a failed update: nothing is forgotten
    uint64_t* dirty;  ///< keys of bricks that may have changed since the newest version, in any order, with
                      ///< duplicates
    uint64_t* sorted; ///< the same in order, and scratch of the sort
    uint64_t dirty_capacity, sorted_capacity;
    uint32_t dirty_count;

    // the update in progress
    vni_progress progress;
    vni_lane* lanes;
    uint32_t lane_count;
    vni_touched* touched;
    vni_touched_seam* seams;
    uint64_t touched_capacity, seam_capacity;
    uint32_t touched_count, seam_count;
    vni_unknown_block* unknowns;
    uint64_t unknown_capacity;
    uint32_t unknown_count;

    vni_pairs* pairs[3]; ///< by axis and lower block, of the newest version

    vni_cell_block* open_block; ///< cells of every block that is whole and all free; never retired
    vni_seam* open_seams[3];

#if VOLNAV_THREADS
    vni_monitor* monitor; ///< guards `newest`, `spare`, and pins and next of versions
#endif
    vni_version* newest; ///< head of the list of versions, newest first
    vni_version* spare;  ///< versions without content, for reuse of their tables
    uint64_t *block_from, *unknown_from, *cells_from,
        *seam_from[3]; ///< by block: the first version with the current object
    vni_retired* retired;
    uint64_t retired_capacity;
    uint32_t retired_count;

    vni_delta_buffer* deltas; ///< a ring: by version % history
    uint32_t history;
    bool without_cells; ///< deltas do not list cells
    vni_dynamic_stats stats;
};

static inline uint32_t vni_dynamic_blocks(const vni_dynamic* dynamic) {
    return vni_occupancy_block_count(&dynamic->statics[VNI_FIXED]);
}

static inline uint64_t vni_static_brick(const vni_occupancy* o, uint32_t block, uint32_t brick) {
    const vni_block* b = o->table != NULL ? o->table[block] : NULL;
    return b != NULL ? vni_block_brick(b, brick >> 6, brick & 63) : 0;
}

/// take.c: bring `statics` and `covers` up to date and note the bricks that may have changed.
vn_status vni_dynamic_take_fixed(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                 uint32_t count, vn_detail* detail);
vn_status vni_dynamic_take_moving(vni_dynamic* dynamic, const vn_world* world, const vni_change* change);

/// The index of `statics` for an obstacle; the filter of an index, for static obstacles.
uint32_t vni_dynamic_static_of(const vni_dynamic* dynamic, const vni_obstacle* obstacle);
vni_shape_filter vni_dynamic_static_filter(const vni_dynamic* dynamic, uint32_t index);

/// Gives statics[index] a table if it has none; false if memory runs out.
bool vni_dynamic_make_static(vni_dynamic* dynamic, uint32_t index);

/// The obstacle in the slot after the change, if there is one and this layer does not ignore it; else null.
const vni_obstacle* vni_dynamic_obstacle_of(const vni_dynamic* dynamic, const vn_world* world,
                                            const vni_change* change);

/// sensed.c: marks the chunks near edited voxels, if there are any. VN_OUT_OF_MEMORY.
vn_status vni_dynamic_mark_sensed(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                  uint32_t count, bool* any);

/// Stamps the marked chunks of the first block from `*next` on that has any; `*next` is the block after it.
/// `*chunks` gets their number: 0 if there are none left. VN_OUT_OF_MEMORY.
vn_status vni_dynamic_take_sensed(vni_dynamic* dynamic, const vn_world* world, uint32_t* next,
                                  uint32_t* chunks);

/// Notes a brick as dirty. The caller has reserved it (vni_dynamic_reserve_dirty).
static inline void vni_dynamic_note(vni_dynamic* dynamic, uint64_t key) {
    dynamic->dirty[dynamic->dirty_count++] = key;
}
bool vni_dynamic_reserve_dirty(vni_dynamic* dynamic, uint32_t more);

static inline bool vni_obstacle_moves(const vni_obstacle* obstacle) {
    return obstacle->motion != NULL;
}

/// The seam that this one replaces, in the newest version.
static inline vni_seam* vni_dynamic_seam(const vni_dynamic* dynamic, const vni_touched_seam* s) {
    return dynamic->newest->space.cells.seams[s->axis][s->lower];
}

/// The delta of the version that the update makes.
static inline vni_delta_buffer* vni_dynamic_delta_buffer(vni_dynamic* dynamic) {
    return &dynamic->deltas[(dynamic->newest->number + 1) % dynamic->history];
}

/// The lists that a lane adds its part of the delta to.
static inline vni_delta_part vni_delta_end(const vni_delta_buffer* d) {
    return (vni_delta_part){.blocked = d->blocked_count, .freed = d->freed_count, .cells = d->cell_count};
}

/// steps.c: the scratch of a thread, made at its first use; null if memory runs out.
vni_lane* vni_dynamic_lane(vni_dynamic* dynamic, uint32_t index);
/// Drops an update that is not done; no piece is out.
void vni_dynamic_abandon(vni_dynamic* dynamic);
void vni_lane_free(const vn_allocator* allocator, vni_lane* lane);

/// voxels.c: makes the voxels of the block from its dirty keys; t->chunks is 0 if nothing changes. False if
/// memory runs out. Adds boxes to the delta of the lane.
bool vni_dynamic_patch(vni_dynamic* dynamic, vni_lane* lane, vni_touched* t);

/// Makes a block like `old` (null: all free), but with the words of `dense` in these chunks; `voxels` is the
/// count of blocked voxels then. Null in `*out` if that is 0. False if memory runs out.
bool vni_dynamic_repack(const vni_dynamic* dynamic, const uint64_t* dense, const vni_block* old,
                        uint64_t chunks, uint32_t voxels, vni_block** out);

/// blocks.c: lists the blocks with dirty bricks in `touched`, or later the seams around those that have
/// changed in `seams`. False if memory runs out.
bool vni_dynamic_plan_blocks(vni_dynamic* dynamic);
bool vni_dynamic_plan_seams(vni_dynamic* dynamic);

/// Makes voxels and cells of one entry of `touched`, or one entry of `seams`. False if memory runs out.
bool vni_dynamic_rebuild_block(vni_dynamic* dynamic, vni_lane* lane, vni_touched* t);
bool vni_dynamic_rebuild_seam(vni_dynamic* dynamic, vni_lane* lane, vni_touched_seam* s);

/// Drops the blocks that have not changed, and puts the delta together, in order. False if memory runs out.
bool vni_dynamic_gather(vni_dynamic* dynamic);

/// The cells of a block as the new version will have them.
const vni_cell_block* vni_dynamic_cells_now(const vni_dynamic* dynamic, uint32_t block);

/// Frees `touched`, `unknowns` and `seams` of an update that failed. Dirty keys stay.
void vni_dynamic_drop_work(vni_dynamic* dynamic);

/// Sorts keys; `scratch` has as many entries.
void vni_sort_keys(uint64_t* keys, uint32_t count, uint64_t* scratch);

/// components.c: makes the pairs of all seams of the first version; false if memory runs out.
bool vni_dynamic_make_pairs(vni_dynamic* dynamic);
void vni_pairs_free(const vni_dynamic* dynamic, vni_pairs* pairs);

/// Finds the pairs of a touched seam if they may have changed, and keeps them if they have. False if memory
/// runs out.
bool vni_dynamic_find_pairs(vni_dynamic* dynamic, vni_lane* lane, vni_touched_seam* s);

/// Fills the components of a version that is complete otherwise. False if memory runs out. Else
/// dynamic->pairs are those of that version, so that it must be published.
bool vni_dynamic_label(vni_dynamic* dynamic, vni_version* version);

/// version.c: makes the next version from the newest one, `touched` and `seams`, publishes it, and retires
/// what it replaces. VN_OUT_OF_MEMORY: nothing has changed. What no version uses is then to be released.
vn_status vni_dynamic_publish(vni_dynamic* dynamic, vni_stages* stages);

/// A spare version, or a new one, with uninitialised tables; null if memory runs out.
vni_version* vni_version_make(vni_dynamic* dynamic);
void vni_version_free(vni_dynamic* dynamic, vni_version* version);
bool vni_version_reserve_components(vni_dynamic* dynamic, vni_version* version, uint64_t count);

/// Shows the unknown voxels of a version in its space.
void vni_version_show_unknown(vni_version* version);

/// The same at once.
void vni_dynamic_release_unused(vni_dynamic* dynamic);

/// Frees retired objects that no version uses: `drop` sets versions without pins aside, `sweep` then looks at
/// the objects from `*next` on, up to `most` of them, and is true at the end. `*next` and `*kept` begin at 0.
void vni_dynamic_drop_unpinned(vni_dynamic* dynamic);
bool vni_dynamic_sweep(vni_dynamic* dynamic, uint32_t* next, uint32_t* kept, uint32_t most);

#endif
