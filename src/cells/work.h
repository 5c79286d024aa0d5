/// cells/work.h: a block on its way from one cut to the next; shared by the files that do it.
#ifndef VNI_CELLS_WORK_H
#define VNI_CELLS_WORK_H

#include "base/simd.h"
#include "cells/recut.h"

#include <string.h>

/// In vni_link_list.groups: the old list stays.
#define VNI_KEPT UINT32_MAX

/// In vni_link_list.groups, for a while: the old list, but for cells that are gone, and the links from
/// `first` on in vni_cut.backs.
#define VNI_MERGED (UINT32_MAX - 1)

/// Indices of cells are those of the new block, unless called old.
///
/// A cell is kept if an old one has the same box and comes from the same chunk, or if both are made of whole
/// chunks; else it is new. An old cell that is not kept is gone. A kept cell is patched if some of its lists
/// must be made anew, because what lies beyond that face has changed; new cells are patched throughout.
typedef struct vni_work {
    vni_cut* cut;
    const vni_cell_block* old;
    const vni_block* block; ///< null: all free
    const int32_t* limit;
    uint64_t inside;    ///< chunks that reach into the limit
    uint64_t free;      ///< chunks inside that are free: parts of whole cells
    uint64_t fresh;     ///< chunks whose own cells are cut anew
    uint64_t changed;   ///< those, and the chunks of whole cells that are gone or new
    bool whole_changed; ///< whole cells were cut anew (some may be the same)
    uint32_t cell_count, rank_count[VNI_FACES];
    uint32_t
        rim_changed; ///< faces of the block, as bits, with a cell on them that is new or gone, or a whole one
    uint32_t first[VNI_CHUNK_COUNT + 1];    ///< as first_of_chunk
    const vni_cell* cells[VNI_CHUNK_COUNT]; ///< by chunk: its own cells, the old ones if it is not fresh
    const vni_cell* whole;
    uint8_t whole_at[VNI_CHUNK_COUNT];  ///< by free chunk: the whole cell that it is part of
    uint8_t new_faces[VNI_CHUNK_COUNT]; ///< by chunk: its faces, as bits, with a new cell of its own on them
    uint64_t with_new;                  ///< chunks that have new cells of their own
    uint32_t* remap;                    ///< by old cell: where it is now, or VNI_NO_CELL; so is entry -1
    uint32_t* origin;                   ///< by cell: the old one, or VNI_NO_CELL
    uint32_t* gone;                     ///< old cells, ascending
    uint32_t* patch_of;                 ///< by cell: patch + 1, or 0
    uint32_t* patched;                  ///< by patch: the cell; first the new ones, ascending
    uint32_t* old_sets;                 ///< by old cell
    uint32_t* roots;                    ///< by old cell
    uint32_t* sets;                     ///< by patch, or by cell: joined by links of new cells, at first
    uint32_t* firsts;                   ///< by old component, below component_count: its first kept cell
    uint32_t component_count;           ///< old ones that are left; UINT32_MAX if they do not come in order
    uint32_t* pending;                  ///< by set of patches: cells whose links were not looked at yet
    uint32_t* joint;                    ///< by old component, then by patch
    uint32_t* labels;                   ///< the same, or by cell
    uint32_t gone_count, new_count, patch_count;
    uint32_t dropped;       ///< groups of the old block that are not copied
    uint32_t dropped_links; ///< in them
} vni_work;

/// The chunks in [low, high) on each axis.
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
    return w->first[chunk + 1] - w->first[chunk];
}

static inline bool vni_work_is_new(const vni_work* w, uint32_t cell) {
    return w->origin[cell] == VNI_NO_CELL;
}

/// The six numbers of a cell's box, low ones first, as the bytes of one; the two others are 0.
static inline uint64_t vni_work_box(const vni_cell* cell) {
    static const uint8_t used[8] = {255, 255, 255, 255, 255, 255, 0, 0};
    uint64_t box, mask;
    memcpy(&box, cell, sizeof box); // they come first; all at once is much faster than six bytes
    memcpy(&mask, used, sizeof mask);
    return box & mask;
}

/// Where an old cell is now; of none: none.
static inline uint32_t vni_work_now(const vni_work* w, uint32_t old_cell) {
    VNI_ASSERT(old_cell == VNI_NO_CELL || old_cell < w->old->cell_count);
    return w->remap[(int32_t)old_cell]; // VNI_NO_CELL is -1
}

/// The first group of an old cell, or the end of all.
static inline uint32_t vni_work_old_group(const vni_work* w, uint32_t old_cell) {
    VNI_ASSERT(old_cell <= w->old->cell_count);
    return old_cell < w->old->cell_count ? w->old->cells[old_cell].first_group : w->old->group_count;
}

/// Numbers in a row, from `first` on.
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

/// Makes a list of these links, with their rectangles and cells, in order of their low corners
/// (cells_link.c).
void vni_cut_sorted(vni_cut* cut, uint32_t slot, const vni_face_cell* links, uint32_t count);

/// The same in any order; sorts them. Both set cut->failed if there is no memory. Uses the second half of
/// cut->links.
void vni_cut_list(vni_cut* cut, uint32_t slot, vni_face_cell* links, uint32_t count);

/// Makes all lists that must be made anew (cells_relink.c). Sets cut->failed if there is no memory.
void vni_work_relink(vni_work* w);

/// Writes cells, groups and ranks of the new block, but for components of new cells (cells_assemble.c).
void vni_work_assemble(vni_work* w, vni_cell_block* out);

/// Labels the components of the new block (cells_label.c). True if they are the same as before, see
/// vni_recut_report.
bool vni_work_label(const vni_work* w, vni_cell_block* out);

#endif
