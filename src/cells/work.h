/// cells/work.h: the state of one recut: the old block, the block that replaces it, and what they share.
/// Private to recut.c, relink.c, assemble.c, label.c and link.c.
///
/// The steps run in this order, each on what the ones before it have written:
///
///     recut.c      plan and cut     chunks, now.first, now.cells, now.whole
///     recut.c      match            old.remap, old.gone, now.origin, now.rank_count
///     relink.c     vni_work_relink  patches, cut->lists, cut->groups
///     assemble.c   vni_work_assemble   the new block; components.first_kept
///     label.c      vni_work_label   components of the new block
///
/// Words: a cell of the new block is *kept* if an old one has the same box and either comes from the same
/// mixed chunk, or both are whole cells; else it is *new*. An old cell that is not kept is *gone*. A *whole*
/// cell is made of whole free chunks. Indices of cells are those of the new block, unless called old.
#ifndef VNI_CELLS_WORK_H
#define VNI_CELLS_WORK_H

#include "base/simd.h"
#include "cells/recut.h"

#include <string.h>

/// In vni_link_list.groups: the old list stays.
#define VNI_KEPT UINT32_MAX

/// In vni_link_list.groups, until the lists are merged: the old list without the cells that are gone, plus
/// the chain of links that starts at vni_cut.backs[first].
#define VNI_MERGED (UINT32_MAX - 1)

/// Sets of chunks: bit x + 4 y + 16 z.
typedef struct vni_work_chunks {
    uint64_t inside;    ///< reach into the limit
    uint64_t free;      ///< inside and all free: parts of whole cells
    uint64_t fresh;     ///< have their own cells cut again
    uint64_t changed;   ///< fresh ones, and those of whole cells that are gone or new
    uint64_t with_new;  ///< have new cells of their own
    bool whole_changed; ///< whole cells were cut again (some may be the same)
} vni_work_chunks;

/// What was: the old block, and where its cells have gone.
typedef struct vni_work_old {
    const vni_cell_block* block;
    uint32_t* remap;         ///< by old cell: its index now, or VNI_NO_CELL
    uint32_t* remap_or_none; ///< the same by old cell + 1, with an entry for VNI_NO_CELL: see vni_work_moved
    uint32_t* gone;          ///< old cells, ascending
    uint32_t gone_count;
    uint32_t dropped_groups; ///< of the old block: not copied to the new one
    uint32_t dropped_links;  ///< in them
} vni_work_old;

/// What becomes: the cells of the new block, before they have links.
typedef struct vni_work_now {
    uint32_t cell_count, rank_count[VNI_FACES];
    uint32_t rim_changed; ///< faces of the block, as bits, on which a cell is new or gone, or whole cells
                          ///< were cut again
    uint32_t first[VNI_CHUNK_COUNT + 1];    ///< as first_of_chunk
    const vni_cell* cells[VNI_CHUNK_COUNT]; ///< by chunk: its own cells; in the old block if it is not fresh
    const vni_cell* whole;                  ///< cells [0, first[0])
    uint8_t whole_at[VNI_CHUNK_COUNT];      ///< by free chunk: the whole cell that it is part of
    uint8_t new_faces[VNI_CHUNK_COUNT]; ///< by chunk: its faces, as bits, with a new cell of its own on them
    uint32_t* origin;                   ///< by cell: the old one, or VNI_NO_CELL
} vni_work_now;

/// The cells with rebuilt lists: all new cells, and kept ones that have lost or gained a neighbour. Patch p
/// has the lists vni_cut.lists[VNI_FACES * p ...]. While components are labelled, a patch may take in more
/// kept cells.
typedef struct vni_work_patches {
    uint32_t* of;       ///< by cell: 1 + the patch that it is in, or 0
    uint32_t* cells;    ///< by patch: its first cell, new ones first, ascending; then the cells that patches
                        ///< have taken in. Capacity for all cells
    uint32_t* sets;     ///< by patch: parents of disjoint sets (base/sets.h); linked patches are joined
    uint32_t count;     ///< patches
    uint32_t new_count; ///< those below it are new cells, the others kept ones
} vni_work_patches;

/// Scratch of relink.c: corners of the cells of one chunk, one byte a coordinate; up to a multiple of four.
typedef struct vni_work_corners {
    uint32_t *low, *high;
} vni_work_corners;

/// Components of the old block, and of the new one while they are found. A *node* is an old component, or
/// the old component count + a patch.
typedef struct vni_work_components {
    uint32_t* first_kept; ///< by old component, below kept_count: its first kept cell (assemble.c)
    uint32_t kept_count;  ///< old components with a kept cell; UINT32_MAX if these do not come in order
    uint32_t* old_sets;   ///< by old cell: parents of sets; joined with the cells that are gone beside them
    uint32_t* old_roots;  ///< by root in old_sets: the one root in patches.sets that was found for it
    uint32_t* set_of;     ///< by old component: the one root in patches.sets that was found for it
    uint32_t* pending;    ///< by root in patches.sets: cells whose links were not followed yet
    uint32_t* joint;      ///< by node: parents of sets
    uint32_t* labels;     ///< by root in joint: its label, or none yet
    uint32_t* seen;       ///< by old component: has it a kept cell?
} vni_work_components;

/// Arrays are parts of cut->numbers, which grows to what the largest block so far needed.
typedef struct vni_work {
    vni_cut* cut;            ///< the worker's scratch
    const vni_block* voxels; ///< null: all free
    const int32_t* limit;    ///< of the block: [0, limit) lies inside the space
    vni_work_chunks chunks;
    vni_work_old old;
    vni_work_now now;
    vni_work_patches patches;
    vni_work_corners corners;
    vni_work_components components;
} vni_work;

/// The chunks in [low, high) on each axis, as bits. Each factor spreads the one before: x is a row of bits,
/// times y copies it to each of the rows, times z copies these to each of the planes.
static inline uint64_t vni_chunks_in(const uint32_t low[3], const uint32_t high[3]) {
    for (int i = 0; i < 3; ++i)
        VNI_ASSERT(low[i] < high[i] && high[i] <= VNI_CHUNKS);

    const uint64_t x = (1u << high[0]) - (1u << low[0]);
    const uint64_t y = 0x1111u & ((1u << 4 * high[1]) - (1u << 4 * low[1]));
    const uint64_t up_to = high[2] == VNI_CHUNKS ? ~(uint64_t)0 : ((uint64_t)1 << 16 * high[2]) - 1;
    const uint64_t z = 0x0001000100010001u & up_to & ~(((uint64_t)1 << 16 * low[2]) - 1);
    return x * y * z;
}

static inline uint32_t vni_work_count(const vni_work* w, uint32_t chunk) {
    return w->now.first[chunk + 1] - w->now.first[chunk];
}

static inline bool vni_work_is_new(const vni_work* w, uint32_t cell) {
    return w->now.origin[cell] == VNI_NO_CELL;
}

/// The box of a cell as one word: its six bytes, low corner first; the two other bytes are 0.
static inline uint64_t vni_work_box(const vni_cell* cell) {
    static const uint8_t used[8] = {255, 255, 255, 255, 255, 255, 0, 0};
    uint64_t box, mask;
    memcpy(&box, cell, sizeof box); // low and high are the first members: one load instead of six
    memcpy(&mask, used, sizeof mask);
    return box & mask;
}

/// The index that an old cell has now; VNI_NO_CELL of VNI_NO_CELL, without a branch: the lanes of a link
/// group are looked up four at a time, and the last ones may be empty.
static inline uint32_t vni_work_moved(const vni_work* w, uint32_t old_cell) {
    VNI_ASSERT(old_cell == VNI_NO_CELL || old_cell < w->old.block->cell_count);
    return w->old.remap_or_none[(uint32_t)(old_cell + 1)]; // VNI_NO_CELL + 1 wraps to 0
}

/// The first group of an old cell; of the cell count: the end of all groups.
static inline uint32_t vni_work_old_group(const vni_work* w, uint32_t old_cell) {
    VNI_ASSERT(old_cell <= w->old.block->cell_count);
    return old_cell < w->old.block->cell_count ? w->old.block->cells[old_cell].first_group
                                               : w->old.block->group_count;
}

/// Fills an array with consecutive numbers, from `first` on.
static inline void vni_count_up(uint32_t* out, uint32_t count, uint32_t first) {
    uint32_t i = 0;
#if VOLNAV_SIMD && defined(__SSE2__)
    __m128i next = _mm_add_epi32(_mm_set1_epi32((int32_t)first), _mm_setr_epi32(0, 1, 2, 3));
    for (; i + 4 <= count; i += 4) {
        _mm_storeu_si128((__m128i*)(void*)(out + i), next);
        next = _mm_add_epi32(next, _mm_set1_epi32(4));
    }
#endif
    for (; i < count; ++i)
        out[i] = first + i;
}

/// Makes the list of a slot from links in order of their low corners (link.c). Sets cut->failed if memory
/// runs out.
void vni_cut_sorted(vni_cut* cut, uint32_t slot, const vni_face_cell* links, uint32_t count);

/// The same from links in any order, which it sorts. Uses cut->sorted.
void vni_cut_list(vni_cut* cut, uint32_t slot, vni_face_cell* links, uint32_t count);

/// Makes all lists that differ from the old ones (relink.c). Sets cut->failed if memory runs out.
void vni_work_relink(vni_work* w);

/// Writes cells, groups and ranks of the new block, except for the components of new cells (assemble.c).
void vni_work_assemble(vni_work* w, vni_cell_block* out);

/// Labels the components of the new block (label.c). True if they are the same as before, see
/// vni_recut_report.
bool vni_work_label(const vni_work* w, vni_cell_block* out);

#endif
