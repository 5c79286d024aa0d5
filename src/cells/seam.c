/// cells/seam.c: makes the links across the face between two blocks: all of them, or only those that have
/// changed.
///
/// The face of a block has 4 x 4 tiles, one for each chunk on it. Ranks come in the order whole cells, then
/// tile by tile, so that each tile owns a run of ranks:
///
///     +----+----+----+----+      ranks   | whole cells | tile 0 | tile 1 | ... | tile 15 |
///     | 12 | 13 | 14 | 15 |                            ^ first[0] ^ first[1]
///     +----+----+----+----+
///     |  8 |  9 | 10 | 11 |      A cell of a mixed chunk lies inside one tile, so it can only meet cells
///     +----+----+----+----+      of the same tile beyond, or the one whole cell that covers it.
///     |  4 |  5 |  6 |  7 |
///     +----+----+----+----+      Where the rectangles of both sides of a tile are the same as before, its
///     |  0 |  1 |  2 |  3 |      lists are copied, and only the indices in them are replaced.
///     +----+----+----+----+
#include "base/alloc.h"
#include "cells/recut.h"
#include "geom/vec.h"

#include <string.h>

#define TILES (VNI_CHUNKS * VNI_CHUNKS)

/// Bits of side.same: one for each tile, one for the whole cells.
#define ALL_SAME ((1u << (TILES + 1)) - 1)
#define WHOLE    (1u << TILES)

/// One side of a seam.
typedef struct side {
    const vni_cell_block *block, *old; ///< `old` is null for a first cut
    bool may_differ;                   ///< from the old block
    uint32_t face;                     ///< of the block
    vni_face_cell* cells;              ///< by rank
    uint32_t first[TILES + 1];         ///< by tile: its first rank; whole cells are below first[0]
    uint32_t old_first[TILES + 1];     ///< the same in the old block
    uint32_t same;                     ///< bits: the same rectangles in the same order as in the old block
} side;

/// Collects the cells on a face of a block by rank, and where each tile begins.
static void gather(const vni_cell_block* block, uint32_t face, uint32_t first_slot, vni_face_cell* cells,
                   uint32_t first[TILES + 1]) {
    const int axis = (int)(face >> 1), a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    const uint32_t count = block->rank_count[face];
    uint32_t tile = 0;
    VNI_ASSERT(count <= VNI_PLANE_CELLS);

    for (uint32_t rank = 0; rank < count; ++rank) {
        const uint32_t index = block->ranked[face][rank];
        const vni_cell* cell = &block->cells[index];
        cells[rank] = vni_cut_face(cell, axis, index, first_slot + rank);
        if (index < block->first_of_chunk[0])
            continue;

        // tiles without cells begin where the next one does
        const uint32_t at =
            (uint32_t)(cell->low[a] / VNI_CHUNK_SIZE + VNI_CHUNKS * (cell->low[b] / VNI_CHUNK_SIZE));
        VNI_ASSERT(tile <= at + 1);

        for (; tile <= at; ++tile)
            first[tile] = rank;
    }

    for (; tile <= TILES; ++tile)
        first[tile] = count;
}

static bool same_faces(const vni_face_cell* a, const vni_face_cell* b, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (a[i].low != b[i].low || a[i].high != b[i].high)
            return false;
    return true;
}

/// Compares with the old block, tile by tile. Uses cut->links.
static void compare(const vni_cut* cut, side* s) {
    const vni_face_cell *now = s->cells, *was = cut->links;
    s->same = s->may_differ ? 0 : ALL_SAME;
    memcpy(s->old_first, s->first, sizeof s->first);
    if (s->old == NULL || s->same != 0)
        return;

    gather(s->old, s->face, 0, cut->links, s->old_first);
    if (s->first[0] == s->old_first[0] && same_faces(now, was, s->first[0]))
        s->same |= WHOLE;

    for (uint32_t t = 0; t < TILES; ++t) {
        const uint32_t count = s->first[t + 1] - s->first[t];
        if (count == s->old_first[t + 1] - s->old_first[t] &&
            same_faces(now + s->first[t], was + s->old_first[t], count))
            s->same |= 1u << t;
    }
}

/// Do the cells on the face have the same indices as before, too?
static bool same_indices(const side* s) {
    const uint32_t count = s->block->rank_count[s->face];
    return s->old == s->block || count == 0 ||
           memcmp(s->old->ranked[s->face], s->block->ranked[s->face], count * sizeof(uint32_t)) == 0;
}

// ----------------------------------------------------------------------------------------------- lists

/// Replaces the old indices of the cells beyond by the new ones. An old index leads to its rank on the face,
/// and the rank to the new index: ranks below `whole`, those of whole cells, are the same; ranks of the tile
/// have moved by `shift`.
static void rename(vni_link_group* groups, uint32_t count, const side* to, uint32_t whole, uint32_t shift) {
    if (to->old == to->block)
        return;
    for (vni_link_group* group = groups; group < groups + count; ++group)
        for (uint32_t k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k) {
            const uint32_t rank = to->old->cells[group->to[k]].faces[to->face];
            group->to[k] = to->block->ranked[to->face][rank < whole ? rank : rank + shift];
        }
}

/// Copies the lists of ranks [first, end) from the old seam, where their ranks were lower by `moved`.
static void copy_lists(vni_cut* cut, const vni_seam* old, const side* from, uint32_t old_side, uint32_t first,
                       uint32_t end, uint32_t moved, const side* to, uint32_t shift) {
    const uint32_t* lists = &old->first[old_side + first - moved];
    const uint32_t begin = lists[0], count = lists[end - first] - begin;
    const uint64_t need = (uint64_t)cut->group_count + count;
    if (need > cut->group_capacity &&
        !vni_grow(&cut->allocator, &cut->groups, &cut->group_capacity, need, sizeof *cut->groups)) {
        cut->failed = true;
        return;
    }

    for (uint32_t i = 0; i < end - first; ++i)
        cut->lists[from->cells[first + i].slot] =
            (vni_link_list){cut->group_count + lists[i] - begin, lists[i + 1] - lists[i]};

    vni_link_group* out = cut->groups + cut->group_count;
    cut->group_count += count;
    if (count == 0)
        return;

    memcpy(out, old->groups + begin, count * sizeof *out);
    rename(out, count, to, to->old_first[0], shift);
}

/// The lists of one side; those of the old seam begin at `old_side`.
static void link_side(vni_cut* cut, const vni_seam* old, const side* from, uint32_t old_side,
                      const side* to) {
    // a whole cell may meet cells of many tiles: its list stays only if nothing beyond has changed
    const uint32_t whole = from->first[0];
    if (from->same & WHOLE && to->same == ALL_SAME)
        copy_lists(cut, old, from, old_side, 0, whole, 0, to, 0);
    else
        vni_cut_link(cut, from->cells, whole, to->cells, to->first[TILES]);

    for (uint32_t t = 0; t < TILES && !cut->failed; ++t) {
        const uint32_t first = from->first[t], end = from->first[t + 1];
        const uint32_t other = to->first[t], others = to->first[t + 1] - other;
        if (first == end)
            continue;

        // a tile without cells of its own beyond is free or blocked there: the whole cells decide
        if (from->same & to->same & 1u << t && (others > 0 || to->same & WHOLE))
            copy_lists(cut, old, from, old_side, first, end, first - from->old_first[t], to,
                       other - to->old_first[t]);
        else if (others > 0)
            vni_cut_link(cut, from->cells + first, end - first, to->cells + other, others);
        else
            vni_cut_link(cut, from->cells + first, end - first, to->cells, to->first[0]);
    }
}

// ------------------------------------------------------------------------------------------------ seams

/// Puts the finished lists into a seam.
static vni_seam* write_seam(const vni_cut* cut, const vn_allocator* allocator, uint32_t a_count,
                            uint32_t b_count) {
    vni_seam* seam = vni_seam_alloc(allocator, a_count, b_count, cut->group_count);
    if (seam == NULL)
        return NULL;

    // lists were made tile by tile, in the order of ranks: the groups need no sorting
    uint32_t at = 0;
    for (uint32_t i = 0; i < a_count + b_count; ++i) {
        VNI_ASSERT(cut->lists[i].first == at);
        seam->first[i] = at;
        at += cut->lists[i].groups;
    }

    seam->first[a_count + b_count] = at;
    VNI_ASSERT(at == cut->group_count);

    if (at > 0)
        memcpy(seam->groups, cut->groups, at * sizeof *cut->groups);

    return seam;
}

/// Fills both sides from their blocks. False if memory runs out.
static bool look_at_sides(vni_cut* cut, side sides[2]) {
    const uint32_t a_count = sides[0].block->rank_count[sides[0].face];
    const uint32_t b_count = sides[1].block->rank_count[sides[1].face];
    if ((uint64_t)a_count + b_count > cut->list_capacity &&
        !vni_grow(&cut->allocator, &cut->lists, &cut->list_capacity, (uint64_t)a_count + b_count,
                  sizeof *cut->lists))
        return false;

    for (uint32_t i = 0; i < 2; ++i) {
        sides[i].cells = cut->sides[i];
        gather(sides[i].block, sides[i].face, i * a_count, sides[i].cells, sides[i].first);
        compare(cut, &sides[i]);
    }

    return true;
}

static vni_seam* make_seam(vni_cut* cut, const vn_allocator* allocator, const vni_seam* old,
                           const side sides[2]) {
    cut->failed = false;
    cut->group_count = 0;
    link_side(cut, old, &sides[0], 0, &sides[1]);
    if (!cut->failed)
        link_side(cut, old, &sides[1], old != NULL ? old->a_count : 0, &sides[0]);

    return cut->failed ? NULL
                       : write_seam(cut, allocator, sides[0].block->rank_count[sides[0].face],
                                    sides[1].block->rank_count[sides[1].face]);
}

/// The same lists with new indices: all ranks are as before.
static vni_seam* rename_seam(const vn_allocator* allocator, const vni_seam* old, const side sides[2]) {
    vni_seam* seam = vni_seam_alloc(allocator, old->a_count, old->b_count, old->group_count);
    if (seam == NULL)
        return NULL;

    const uint32_t of_a = old->first[old->a_count];
    memcpy(seam->first, old->first, ((size_t)old->a_count + old->b_count + 1) * sizeof *seam->first);
    if (old->group_count > 0)
        memcpy(seam->groups, old->groups, old->group_count * sizeof *seam->groups);

    rename(seam->groups, of_a, &sides[1], UINT32_MAX, 0);
    rename(seam->groups + of_a, old->group_count - of_a, &sides[0], UINT32_MAX, 0);
    return seam;
}

vni_seam* vni_cut_seam(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* a,
                       const vni_cell_block* b, int axis) {
    side sides[2] = {{.block = a, .may_differ = true, .face = 2 * (uint32_t)axis + 1},
                     {.block = b, .may_differ = true, .face = 2 * (uint32_t)axis}};
    return look_at_sides(cut, sides) ? make_seam(cut, allocator, NULL, sides) : NULL;
}

vni_seam* vni_recut_seam(vni_cut* cut, const vn_allocator* allocator, vni_seam* old, const vni_seam_side* a,
                         const vni_seam_side* b, int axis, bool* same_lists) {
    side sides[2] = {{.block = a->now, .old = a->old, .may_differ = a->may_differ},
                     {.block = b->now, .old = b->old, .may_differ = b->may_differ}};
    sides[0].face = 2 * (uint32_t)axis + 1;
    sides[1].face = 2 * (uint32_t)axis;
    VNI_ASSERT(old->a_count == a->old->rank_count[sides[0].face]);
    VNI_ASSERT(old->b_count == b->old->rank_count[sides[1].face]);

    // three outcomes, from dear to cheap: new lists, the same lists with new indices, the old seam itself
    *same_lists = !a->may_differ && !b->may_differ;
    if (!*same_lists) {
        if (!look_at_sides(cut, sides))
            return NULL;
        *same_lists = sides[0].same == ALL_SAME && sides[1].same == ALL_SAME;
    }

    if (!*same_lists)
        return make_seam(cut, allocator, old, sides);
    if (!same_indices(&sides[0]) || !same_indices(&sides[1]))
        return rename_seam(allocator, old, sides);

    vni_atomic_add(&old->references, 1);
    return old;
}
