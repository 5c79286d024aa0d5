/// cells/relink.c: makes the lists of links that differ after some chunks of a block have changed.
///
/// Only touched lists are rebuilt; all others are copied by assemble.c, without any geometry. A list is
/// touched if it belongs to a new cell, or if a neighbour through that face is gone or new:
///
///     before              after               rebuilt lists
///     +---+---+---+       +---+-+-+---+
///     | A | G | B |       | A |n|m| B |       n, m: all faces (new)
///     +---+---+---+       +---+-+-+---+       A, B, C: the face towards G only
///     | C     | D |       | C     | D |       D: none
///     +---+---+---+       +---+---+---+
///
/// New cells search for their neighbours, by geometry. Kept cells do not search at all: a link of a new cell
/// to a kept one is written back to the kept one (link_back), and a cell that is gone names its former
/// neighbours (forget). So the list of a kept cell is the old one, minus the cells that are gone, plus the
/// back links, merged in order: one pass over the list, and no search.
#include "base/alloc.h"
#include "base/sets.h"
#include "base/simd.h"
#include "cells/work.h"
#include "geom/vec.h"

#include <stddef.h>

/// Makes the cell a patch: gives it six slots for lists, which all start as `lists`.
static void add_patch(vni_work* w, uint32_t cell, vni_link_list lists) {
    vni_cut* cut = w->cut;
    VNI_ASSERT(w->patches.of[cell] == 0 && w->patches.count < w->now.cell_count);

    const uint64_t need = VNI_FACES * ((uint64_t)w->patches.count + 1);
    if (need > cut->list_capacity &&
        !vni_grow(&cut->allocator, &cut->lists, &cut->list_capacity, need, sizeof *cut->lists)) {
        cut->failed = true;
        return;
    }

    for (uint32_t face = 0; face < VNI_FACES; ++face)
        cut->lists[VNI_FACES * w->patches.count + face] = lists;

    w->patches.cells[w->patches.count] = cell;
    w->patches.sets[w->patches.count] = w->patches.count;
    w->patches.of[cell] = ++w->patches.count;
}

static uint32_t slot_of(const vni_work* w, uint32_t cell, uint32_t face) {
    VNI_ASSERT(w->patches.of[cell] > 0 && face < VNI_FACES);
    return VNI_FACES * (w->patches.of[cell] - 1) + face;
}

/// New cells become the first patches, in ascending order: a report lists them, and all code below tells new
/// patches from kept ones by their number.
static void patch_new_cells(vni_work* w) {
    for (uint32_t i = 0; i < w->now.first[0] && !w->cut->failed; ++i)
        if (vni_work_is_new(w, i))
            add_patch(w, i, (vni_link_list){0, 0});

    for (uint64_t left = w->chunks.with_new; left != 0; left &= left - 1) {
        const uint32_t chunk = vni_lowest_bit(left);
        for (uint32_t i = w->now.first[chunk]; i < w->now.first[chunk + 1] && !w->cut->failed; ++i)
            if (vni_work_is_new(w, i))
                add_patch(w, i, (vni_link_list){0, 0});
    }

    w->patches.new_count = w->patches.count;
}

/// Where a face of a chunk lies along its axis, in voxels of the block.
static uint32_t chunk_face(uint32_t chunk, uint32_t face) {
    return VNI_CHUNK_SIZE * (vni_chunk_at(chunk, (int)(face >> 1)) + (face & 1));
}

// -------------------------------------------------------------------------------------- inside a chunk

/// Bins of a counting sort by the coordinate where cells begin or end along an axis: the new ones in bin
/// 2 * coordinate, the kept ones in the next.
#define BINS (2 * (VNI_CHUNK_SIZE + 1))

typedef struct bins {
    uint32_t first[BINS + 1];
} bins;

/// Turns the counts of the bins into where each begins.
static void fill_bins(bins* b, const uint32_t counts[BINS]) {
    b->first[0] = 0;
    for (int i = 0; i < BINS; ++i)
        b->first[i + 1] = b->first[i] + counts[i];
}

/// Lists from the new cells that end (or begin) at a coordinate to all cells that begin (or end) there.
static void link_bins(vni_work* w, const vni_face_cell* from, const bins* from_bins, const vni_face_cell* to,
                      const bins* to_bins, uint32_t at) {
    const uint32_t begin = from_bins->first[2 * at], count = from_bins->first[2 * at + 1] - begin;
    const uint32_t other = to_bins->first[2 * at], others = to_bins->first[2 * at + 2] - other;
    if (count > 0 && others > 0 && !w->cut->failed)
        vni_cut_link(w->cut, from + begin, count, to + other, others);
}

/// Two cells of a chunk can meet only where one ends and the other begins. So cells are sorted by both ends,
/// and only those at the same coordinate are compared: for chunks with many new cells.
static void link_inside_along(vni_work* w, uint32_t chunk, int axis) {
    const vni_cell* cells = w->now.cells[chunk];
    const uint32_t count = vni_work_count(w, chunk), first = w->now.first[chunk];
    const uint32_t low_face = 2 * (uint32_t)axis, origin = chunk_face(chunk, low_face);
    vni_face_cell *ends = w->cut->sides[0], *begins = w->cut->sides[1];
    uint32_t counts[2][BINS] = {{0}, {0}};

    // count, then distribute from the back: each bin keeps the order of the cells
    bins high, low;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t kept = !vni_work_is_new(w, first + i);
        ++counts[0][2 * (cells[i].high[axis] - origin) + kept];
        ++counts[1][2 * (cells[i].low[axis] - origin) + kept];
    }

    fill_bins(&high, counts[0]);
    fill_bins(&low, counts[1]);
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t kept = !vni_work_is_new(w, first + i);
        const uint32_t end = 2 * (cells[i].high[axis] - origin) + kept;
        const uint32_t begin = 2 * (cells[i].low[axis] - origin) + kept;
        vni_face_cell face =
            vni_cut_face(&cells[i], axis, first + i, kept ? 0 : slot_of(w, first + i, low_face));
        begins[low.first[begin] + --counts[1][begin]] = face;
        ++face.slot;
        ends[high.first[end] + --counts[0][end]] = face;
    }

    // the planes inside the chunk; those at its faces are for link_around
    for (uint32_t at = 1; at < VNI_CHUNK_SIZE; ++at) {
        link_bins(w, ends, &high, begins, &low, at);
        link_bins(w, begins, &low, ends, &high, at);
    }
}

/// Up to this many new cells, comparing each with all cells of the chunk is faster than sorting.
#define FEW 32

/// A corner in one word, a byte for each coordinate, 0 to 64. Bit 7 of each byte is free: (a | TOPS) - b does
/// not borrow across bytes, and leaves bit 7 set in the bytes where a >= b.
///
///     bit  31 .. 24   23   22 .. 16   15   14 ... 8    7    6 ... 0
///             0      top      z      top      y       top      x
#define TOPS 0x00808080u

static uint32_t pack(const uint8_t at[3]) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
}

/// Which of the next four boxes overlap or touch one box, as bits: on each axis, neither begins after the
/// other ends.
static inline uint32_t touching(const uint32_t lows[4], const uint32_t highs[4], uint32_t low,
                                uint32_t high) {
#if VOLNAV_SIMD && defined(__SSE2__)
    const __m128i tops = _mm_set1_epi32((int32_t)TOPS);
    const __m128i l = _mm_loadu_si128((const __m128i*)(const void*)lows);
    const __m128i h = _mm_loadu_si128((const __m128i*)(const void*)highs);
    const __m128i begins = _mm_sub_epi32(_mm_set1_epi32((int32_t)(high | TOPS)), l);
    const __m128i ends = _mm_sub_epi32(_mm_or_si128(h, tops), _mm_set1_epi32((int32_t)low));
    const __m128i both = _mm_and_si128(_mm_and_si128(begins, ends), tops);
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(both, tops)));
#else
    uint32_t found = 0;
    for (uint32_t i = 0; i < 4; ++i)
        found |= (uint32_t)((((high | TOPS) - lows[i]) & ((highs[i] | TOPS) - low) & TOPS) == TOPS) << i;
    return found;
#endif
}

/// The face through which a box meets another that touches but does not overlap it: the one axis on which one
/// begins where the other ends. VNI_FACES if there are more such axes, because then they share only an edge
/// or a corner, or none, because then they are the same box.
static uint32_t face_between(uint32_t low, uint32_t high, uint32_t other_low, uint32_t other_high) {
    // TOPS - x keeps bit 7 only of bytes where x is 0, that is where the two coordinates are equal
    const uint32_t below = (TOPS - (other_high ^ low)) & TOPS, above = (TOPS - (high ^ other_low)) & TOPS;
    const uint32_t meet = below | above;
    if (meet == 0 || (meet & (meet - 1)) != 0)
        return VNI_FACES;
    return 2 * (vni_lowest_bit(meet) >> 3) + (above != 0);
}

/// The rectangle that two cells share in the plane between them, as a link to `cell`.
static vni_face_cell share(const vni_cell* a, const vni_cell* b, uint32_t face, uint32_t cell) {
    const int p = vni_other_axes[face >> 1][0], q = vni_other_axes[face >> 1][1];
    const uint32_t low_p = a->low[p] > b->low[p] ? a->low[p] : b->low[p];
    const uint32_t low_q = a->low[q] > b->low[q] ? a->low[q] : b->low[q];
    const uint32_t high_p = a->high[p] < b->high[p] ? a->high[p] : b->high[p];
    const uint32_t high_q = a->high[q] < b->high[q] ? a->high[q] : b->high[q];
    VNI_ASSERT(low_p < high_p && low_q < high_q);
    return (vni_face_cell){low_p | low_q << 16, high_p | high_q << 16, cell, 0};
}

/// The lists of one new cell to the cells of its own chunk. Uses cut->links, a part for each face.
static void link_inside_one(vni_work* w, uint32_t chunk, uint32_t index) {
    const uint32_t most = VNI_CHUNK_SIZE * VNI_CHUNK_SIZE, first = w->now.first[chunk];
    const vni_cell* cells = w->now.cells[chunk];
    const vni_work_corners c = w->corners;
    const uint32_t low = c.low[index], high = c.high[index];
    uint32_t counts[VNI_FACES] = {0};
    for (uint32_t i = 0; i < vni_work_count(w, chunk); i += 4)
        for (uint32_t found = touching(c.low + i, c.high + i, low, high); found != 0; found &= found - 1) {
            const uint32_t other = i + vni_lowest_bit(found);
            const uint32_t face = face_between(low, high, c.low[other], c.high[other]);
            if (face == VNI_FACES)
                continue;

            VNI_ASSERT(counts[face] < most);
            w->cut->links[most * face + counts[face]++] =
                share(&cells[index], &cells[other], face, first + other);
        }

    for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face)
        if (counts[face] > 0)
            vni_cut_list(w->cut, slot_of(w, first + index, face), w->cut->links + most * face, counts[face]);
}

static void link_inside_few(vni_work* w, uint32_t chunk) {
    const uint32_t count = vni_work_count(w, chunk), first = w->now.first[chunk];
    const vni_work_corners c = w->corners;
    for (uint32_t i = 0; i < count; ++i) {
        c.low[i] = pack(w->now.cells[chunk][i].low);
        c.high[i] = pack(w->now.cells[chunk][i].high);
    }

    // fill up the last four with boxes that touch nothing: all low coordinates 127
    for (uint32_t i = count; i & 3; ++i) {
        c.low[i] = TOPS - 0x00010101u;
        c.high[i] = 0;
    }

    for (uint32_t i = 0; i < count && !w->cut->failed; ++i)
        if (vni_work_is_new(w, first + i))
            link_inside_one(w, chunk, i);
}

static void link_inside(vni_work* w, uint32_t chunk) {
    uint32_t new_count = 0;
    for (uint32_t i = w->now.first[chunk]; i < w->now.first[chunk + 1]; ++i)
        new_count += vni_work_is_new(w, i);

    if (new_count <= FEW) {
        link_inside_few(w, chunk);
        return;
    }

    for (int axis = 0; axis < 3; ++axis)
        link_inside_along(w, chunk, axis);
}

// -------------------------------------------------------------------------------------- between chunks

/// Collects the cells of a mixed chunk that lie on one of its faces, the new ones first, or only these.
/// Returns their number, and that of the new ones in `*new_count`. Uses cut->links.
static uint32_t gather(const vni_work* w, uint32_t chunk, uint32_t face, bool only_new, vni_face_cell* out,
                       uint32_t* new_count) {
    const int axis = (int)(face >> 1);
    const uint32_t at = chunk_face(chunk, face), first = w->now.first[chunk],
                   count = vni_work_count(w, chunk);
    const vni_cell* cells = w->now.cells[chunk];

    // the byte of a cell to compare, so that the loop has no branch on the side of the face
    const size_t offset = (face & 1 ? offsetof(vni_cell, high) : offsetof(vni_cell, low)) + (size_t)axis;
    const bool any_new = w->now.new_faces[chunk] >> face & 1;
    vni_face_cell* kept = any_new ? w->cut->links : out;
    uint32_t kept_count = 0;
    VNI_ASSERT(!(w->chunks.free >> chunk & 1));

    *new_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_cell* cell = &cells[i];
        if (((const uint8_t*)cell)[offset] != at)
            continue;

        if (any_new && vni_work_is_new(w, first + i))
            out[(*new_count)++] = vni_cut_face(cell, axis, first + i, slot_of(w, first + i, face));
        else if (!only_new)
            kept[kept_count++] = vni_cut_face(cell, axis, first + i, 0);
    }

    // kept cells went aside only if new ones could come between them
    for (uint32_t i = 0; any_new && i < kept_count; ++i)
        out[*new_count + i] = kept[i];

    VNI_ASSERT(*new_count + kept_count <= VNI_CHUNK_SIZE * VNI_CHUNK_SIZE);

    return *new_count + kept_count;
}

/// Links the new cells of two neighbouring chunks, the lower first, to all cells of the other. At least one
/// chunk is mixed.
static void link_chunks(vni_work* w, uint32_t lower, uint32_t upper, int axis) {
    vni_face_cell* const* sides = w->cut->sides;
    const uint32_t chunks[2] = {lower, upper}, faces[2] = {2 * (uint32_t)axis + 1, 2 * (uint32_t)axis};
    uint32_t counts[2], new_counts[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        // a whole cell is only a target here: its own lists are made by link_whole, for it may meet more
        // chunks
        if (w->chunks.free >> chunks[i] & 1) {
            const uint32_t whole = w->now.whole_at[chunks[i]];
            sides[i][0] = vni_cut_face(&w->now.whole[whole], axis, whole, 0);
            counts[i] = 1;
        } else {
            const bool only_new = !(w->now.new_faces[chunks[1 - i]] >> faces[1 - i] & 1);
            counts[i] = gather(w, chunks[i], faces[i], only_new, sides[i], &new_counts[i]);
        }
    }

    for (int i = 0; i < 2; ++i)
        if (new_counts[i] > 0 && !w->cut->failed)
            vni_cut_link(w->cut, sides[i], new_counts[i], sides[1 - i], counts[1 - i]);
}

/// Links a chunk with its neighbours where it has a new cell on the face between them. If both have, the
/// lower chunk does it, so that each pair comes once.
static void link_around(vni_work* w, uint32_t chunk) {
    for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face) {
        const int axis = (int)(face >> 1);
        const uint32_t step = 1u << 2 * axis, at = vni_chunk_at(chunk, axis);
        if (!(w->now.new_faces[chunk] >> face & 1) || at == (face & 1 ? VNI_CHUNKS - 1 : 0))
            continue;

        const uint32_t beyond = face & 1 ? chunk + step : chunk - step;
        if (face & 1 || !(w->now.new_faces[beyond] >> (face ^ 1) & 1))
            link_chunks(w, face & 1 ? chunk : beyond, face & 1 ? beyond : chunk, axis);
    }
}

// ---------------------------------------------------------------------------------------- whole cells

/// The chunks beyond a face of a whole cell; none at the rim of the block.
static uint64_t chunks_beyond(const vni_cell* cell, uint32_t face) {
    const uint32_t axis = face >> 1;
    uint32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = cell->low[i] / VNI_CHUNK_SIZE;
        high[i] = (cell->high[i] + VNI_CHUNK_SIZE - 1u) / VNI_CHUNK_SIZE;
    }

    if (face & 1 ? high[axis] == VNI_CHUNKS : low[axis] == 0)
        return 0;
    low[axis] = face & 1 ? high[axis] : low[axis] - 1;
    high[axis] = low[axis] + 1;
    return vni_chunks_in(low, high);
}

/// The list of a new whole cell through one face, to the cells of the chunks beyond.
static void link_whole(vni_work* w, uint32_t cell, uint32_t face, uint64_t beyond) {
    vni_face_cell *from = w->cut->sides[0], *to = w->cut->sides[1];
    const int axis = (int)(face >> 1);
    uint64_t met = 0; // whole cells, as bits: one may own several of the chunks, and is linked once
    uint32_t count = 0, new_count;
    VNI_ASSERT(cell < w->now.first[0] && !vni_cell_is_on_rim(&w->now.whole[cell], face));

    for (; beyond != 0; beyond &= beyond - 1) {
        const uint32_t chunk = vni_lowest_bit(beyond), whole = w->now.whole_at[chunk];
        if (!(w->chunks.free >> chunk & 1)) {
            count += gather(w, chunk, face ^ 1, false, to + count, &new_count);
        } else if (!(met >> whole & 1)) {
            met |= (uint64_t)1 << whole;
            to[count++] = vni_cut_face(&w->now.whole[whole], axis, whole, 0);
        }
    }

    from[0] = vni_cut_face(&w->now.whole[cell], axis, cell, slot_of(w, cell, face));
    vni_cut_link(w->cut, from, 1, to, count);
}

static void link_new_wholes(vni_work* w) {
    for (uint32_t i = 0; i < w->now.first[0]; ++i)
        for (uint32_t face = 0; vni_work_is_new(w, i) && face < VNI_FACES && !w->cut->failed; ++face) {
            const uint64_t beyond = chunks_beyond(&w->now.whole[i], face);
            if (beyond != 0)
                link_whole(w, i, face, beyond);
        }
}

// ---------------------------------------------------------------------------------------- kept cells

/// Marks the list of a kept cell through a face as touched: it is merged later. Null if memory runs out.
static inline vni_link_list* touch(vni_work* w, uint32_t cell, uint32_t face) {
    VNI_ASSERT(!vni_work_is_new(w, cell));

    if (w->patches.of[cell] == 0)
        add_patch(w, cell, (vni_link_list){0, VNI_KEPT});

    if (w->cut->failed)
        return NULL;
    vni_link_list* list = &w->cut->lists[slot_of(w, cell, face)];
    // the first touch starts an empty chain of back links, and takes the old groups out of the copy
    if (list->groups == VNI_KEPT) {
        *list = (vni_link_list){VNI_NO_CELL, VNI_MERGED};
        w->old.dropped_groups += w->old.block->cells[w->now.origin[cell]].faces[face];
    }

    return list;
}

/// Touches the lists of kept cells that have a link to an old cell that is gone. Links are symmetric, so its
/// own lists name them all.
static void forget(vni_work* w, uint32_t old_cell) {
    const vni_cell* cell = &w->old.block->cells[old_cell];
    const vni_link_group* group = w->old.block->groups + cell->first_group;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const vni_link_group* end = group + (vni_cell_is_on_rim(cell, face) ? 0 : cell->faces[face]);
        for (; group < end; ++group)
            for (uint32_t k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k) {
                const uint32_t kept = w->old.remap[group->to[k]];
                ++w->old.dropped_links;
                if (kept != VNI_NO_CELL && touch(w, kept, face ^ 1) == NULL)
                    return;
            }
    }
}

static vni_face_cell link_of(const vni_link_group* group, uint32_t lane, uint32_t cell, uint32_t slot) {
    return (vni_face_cell){group->low_a[lane] | (uint32_t)group->low_b[lane] << 16,
                           group->high_a[lane] | (uint32_t)group->high_b[lane] << 16, cell, slot};
}

/// Memory for one more back link.
static inline bool reserve_back(vni_cut* cut, uint32_t count) {
    if (count >= cut->back_capacity &&
        !vni_grow(&cut->allocator, &cut->backs, &cut->back_capacity, (uint64_t)count + 1, sizeof *cut->backs))
        cut->failed = true;
    return !cut->failed;
}

/// For each link of a new cell through a face: prepends the reverse link to the chain of the kept cell
/// beyond, and joins the sets of the two patches, for label.c. New cells have found each other already: both
/// directions exist. `count`: of vni_cut.backs.
///
///     lists[slot].first -> backs[7] -> backs[2] -> VNI_NO_CELL      by .slot of each back link
static void link_back(vni_work* w, uint32_t patch, uint32_t face, uint32_t* count) {
    vni_cut* cut = w->cut;
    const vni_link_list list = cut->lists[VNI_FACES * patch + face];
    for (uint32_t g = list.first; g < list.first + list.groups; ++g)
        for (uint32_t k = 0; k < 4 && cut->groups[g].to[k] != VNI_NO_CELL; ++k) {
            const uint32_t to = cut->groups[g].to[k];
            if (vni_work_is_new(w, to)) {
                if (w->patches.of[to] <= patch) // once for each pair: the later patch does it
                    vni_sets_join(w->patches.sets, patch, w->patches.of[to] - 1);
                continue;
            }

            vni_link_list* back = touch(w, to, face ^ 1);
            if (back == NULL || !reserve_back(cut, *count))
                return;

            cut->backs[*count] = link_of(&cut->groups[g], k, w->patches.cells[patch], back->first);
            back->first = (*count)++;
            vni_sets_join(w->patches.sets, patch, w->patches.of[to] - 1);
        }
}

/// Inserts a link into a sorted list. Chains are short, so that this beats sorting again.
static void insert(vni_face_cell* links, uint32_t count, vni_face_cell link) {
    for (; count > 0 && links[count - 1].low > link.low; --count)
        links[count] = links[count - 1];
    links[count] = link;
}

/// The list of a kept cell: from its old one, `groups` groups from `group` on, and its back links.
static void merge(vni_work* w, uint32_t slot, const vni_link_group* group, uint32_t groups) {
    vni_cut* cut = w->cut;
    uint32_t count = 0;
    for (const vni_link_group* end = group + groups; group < end; ++group)
        for (uint32_t k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k) {
            const uint32_t kept = w->old.remap[group->to[k]];
            ++w->old.dropped_links; // vni_cut_sorted counts those that stay again
            if (kept != VNI_NO_CELL)
                cut->links[count++] = link_of(group, k, kept, slot);
        }

    for (uint32_t i = cut->lists[slot].first; i != VNI_NO_CELL; i = cut->backs[i].slot)
        insert(cut->links, count++, cut->backs[i]);

    vni_cut_sorted(cut, slot, cut->links, count);
}

/// Merges the touched lists of a kept cell.
static void merge_lists(vni_work* w, uint32_t patch) {
    const vni_cell* old = &w->old.block->cells[w->now.origin[w->patches.cells[patch]]];
    const vni_link_group* group = w->old.block->groups + old->first_group;
    for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face) {
        const uint32_t slot = VNI_FACES * patch + face, count = old->faces[face];
        if (vni_cell_is_on_rim(old, face))
            continue;
        if (w->cut->lists[slot].groups == VNI_MERGED)
            merge(w, slot, group, count);
        group += count;
    }
}

// ------------------------------------------------------------------------------------------------- relink

void vni_work_relink(vni_work* w) {
    uint32_t backs = 0;
    w->cut->group_count = w->cut->link_count = 0;

    // all new cells need their slots before the first of them is linked
    patch_new_cells(w);
    for (uint64_t left = w->chunks.with_new; left != 0 && !w->cut->failed; left &= left - 1) {
        const uint32_t chunk = vni_lowest_bit(left);
        link_inside(w, chunk);
        link_around(w, chunk);
    }

    if (!w->cut->failed)
        link_new_wholes(w);

    for (uint32_t i = 0; i < w->old.gone_count && !w->cut->failed; ++i)
        forget(w, w->old.gone[i]);

    // back links read the finished lists of the new cells, and merging reads all back links
    for (uint32_t i = 0; i < w->patches.new_count; ++i)
        for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face)
            link_back(w, i, face, &backs);

    for (uint32_t i = w->patches.new_count; i < w->patches.count && !w->cut->failed; ++i)
        merge_lists(w, i);
}
