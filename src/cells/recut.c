/// cells/recut.c: decides which chunks of a block are cut again, and matches the new cells with the old ones.
///
/// Cutting is canonical: a chunk's cells follow from its voxels alone, and the whole cells from the set of
/// free chunks alone. So chunks that were not touched have the same cells as before, whole cells change only
/// if that set does, and the result equals a fresh cut byte for byte. A fresh cut is a recut of an empty
/// block.
#include "cells/recut.h"
#include "base/alloc.h"
#include "cells/work.h"
#include "geom/vec.h"

#include <string.h>

static bool same_box(const vni_cell* a, const vni_cell* b) {
    return vni_work_box(a) == vni_work_box(b);
}

// --------------------------------------------------------------------------------------------- cutting

/// The chunks that a whole cell is made of, as bits.
static uint64_t chunks_of(const vni_cell* cell) {
    uint32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = cell->low[i] / VNI_CHUNK_SIZE;
        high[i] = (cell->high[i] + VNI_CHUNK_SIZE - 1u) / VNI_CHUNK_SIZE;
    }
    return vni_chunks_in(low, high);
}

static uint64_t free_chunks(const vni_block* block) {
    uint64_t free = 0;
    if (block == NULL)
        return ~free;

    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        free |= (uint64_t)(block->some[c] == 0) << c;
    return free;
}

/// Compares the chunks that were free with those that are, and derives what must be cut.
static void plan(vni_work* w, uint64_t touched) {
    static const uint32_t zero[3] = {0, 0, 0};
    uint32_t end[3];
    uint64_t was_free = 0;
    for (int i = 0; i < 3; ++i) {
        VNI_ASSERT(w->limit[i] > 0 && w->limit[i] <= VNI_BLOCK_SIZE);
        end[i] = ((uint32_t)w->limit[i] + VNI_CHUNK_SIZE - 1) / VNI_CHUNK_SIZE;
    }

    for (uint32_t i = 0; i < w->old.block->first_of_chunk[0]; ++i)
        was_free |= chunks_of(&w->old.block->cells[i]);

    // a chunk that was free and still is has no cells of its own to cut, even if it was touched
    w->chunks.inside = vni_chunks_in(zero, end);
    w->chunks.free = free_chunks(w->voxels) & w->chunks.inside;
    w->chunks.whole_changed = w->chunks.free != was_free;
    w->chunks.fresh = touched & w->chunks.inside & ~(w->chunks.free & was_free);
    VNI_ASSERT(((w->chunks.free ^ was_free) & ~touched) == 0);
}

/// Cuts what the plan says, and numbers all cells: whole ones first, then chunk by chunk.
static void cut_boxes(vni_work* w) {
    vni_cut* cut = w->cut;
    const vni_cell_block* old = w->old.block;
    uint32_t offsets[VNI_CHUNK_COUNT];
    cut->cell_count = 0;
    if (w->chunks.whole_changed)
        vni_cut_whole(cut, w->chunks.free | ~w->chunks.inside, w->limit);

    uint32_t count = w->chunks.whole_changed ? cut->cell_count : old->first_of_chunk[0];
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT && !cut->failed; ++c) {
        w->now.first[c] = count;
        offsets[c] = cut->cell_count;
        if (!(w->chunks.fresh >> c & 1)) {
            count += old->first_of_chunk[c + 1] - old->first_of_chunk[c];
            continue;
        }

        // a fresh chunk that became free has none
        if (!(w->chunks.free >> c & 1))
            vni_cut_chunk(cut, w->voxels, c, w->limit);

        count += cut->cell_count - offsets[c];
    }

    // pointers only now: cut->cells moves while it grows
    w->now.first[VNI_CHUNK_COUNT] = w->now.cell_count = count;
    w->now.whole = w->chunks.whole_changed ? cut->cells : old->cells;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT && !cut->failed; ++c)
        if (vni_work_count(w, c) > 0) // else the array may be null
            w->now.cells[c] =
                w->chunks.fresh >> c & 1 ? cut->cells + offsets[c] : old->cells + old->first_of_chunk[c];
}

/// Free voxels of the block inside the limit: the sum of the volumes of its cells.
static uint32_t free_voxels(const vni_work* w) {
    return (uint32_t)(w->limit[0] * w->limit[1] * w->limit[2]) -
           (w->voxels != NULL ? w->voxels->blocked_voxels : 0);
}

static uint32_t volume_of(const vni_cell* cells, uint32_t count) {
    uint32_t volume = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_cell* c = &cells[i];
        volume += (uint32_t)((c->high[0] - c->low[0]) * (c->high[1] - c->low[1]) * (c->high[2] - c->low[2]));
    }
    return volume;
}

/// Do the volumes add up? A cheap check that nothing is missing or doubled.
static bool is_cover(const vni_work* w) {
    uint32_t volume = volume_of(w->now.whole, w->now.first[0]);
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        volume += volume_of(w->now.cells[c], vni_work_count(w, c));
    return volume == free_voxels(w);
}

// ------------------------------------------------------------------------------------------- numbering

/// Part of cut->numbers.
typedef struct part {
    uint32_t** at;
    uint64_t count;
} part;

/// Shares out one array among the parts; it grows if it is too small.
static bool make_parts(vni_cut* cut, const part* parts, int part_count) {
    uint64_t need = 0;
    for (int i = 0; i < part_count; ++i)
        need += parts[i].count;

    if (need > cut->number_capacity &&
        !vni_grow(&cut->allocator, &cut->numbers, &cut->number_capacity, need, sizeof *cut->numbers))
        return false;

    uint32_t* next = cut->numbers;
    for (int i = 0; i < part_count; ++i) {
        *parts[i].at = next;
        next += parts[i].count;
    }

    return true;
}

/// Points all arrays of the work into the scratch, now that the counts of cells are known.
static bool make_arrays(vni_work* w) {
    vni_work_components* c = &w->components;
    const uint64_t old = w->old.block->cell_count, now = w->now.cell_count;
    const uint64_t components = w->old.block->component_count, nodes = components + now;
    const uint64_t fours = now + 3; // a chunk's cells, up to a multiple of four
    const part parts[] = {
        {&w->old.remap_or_none, old + 1},
        {&w->now.origin, now},
        {&w->old.gone, old},
        {&w->patches.of, now},
        {&w->patches.cells, now},
        {&c->first_kept, components},
        {&c->old_roots, old},
        {&c->old_sets, old},
        {&c->pending, now},
        {&c->joint, nodes},
        {&c->labels, nodes},
        {&w->patches.sets, now},
        {&w->corners.low, fours},
        {&w->corners.high, fours},
        {&c->set_of, components},
        {&c->seen, components},
    };

    if (!make_parts(w->cut, parts, (int)(sizeof parts / sizeof *parts)))
        return false;

    w->old.remap_or_none[0] = VNI_NO_CELL;
    w->old.remap = w->old.remap_or_none + 1;
    memset(w->patches.of, 0, (size_t)now * sizeof *w->patches.of);
    return true;
}

/// Counts a cell on the faces of the block, and marks these faces as changed: `by` is 1, or UINT32_MAX for
/// -1.
static void count_ranks(vni_work* w, const vni_cell* cell, uint32_t by) {
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (vni_cell_is_on_rim(cell, face)) {
            w->now.rank_count[face] += by;
            w->now.rim_changed |= 1u << face;
        }
}

/// Notes that an old cell is gone; its groups are not copied.
static void lose(vni_work* w, uint32_t old_cell) {
    w->old.gone[w->old.gone_count++] = old_cell;
    w->old.dropped_groups += vni_work_old_group(w, old_cell + 1) - vni_work_old_group(w, old_cell);
}

/// Whole cells with the same box are the same; there are at most 64, so that all are compared. The chunks of
/// new whole cells have changed. Those of whole cells that are gone are then marked too: each of their chunks
/// is now part of a new whole cell, or is fresh.
static void match_whole(vni_work* w) {
    const uint32_t old_count = w->old.block->first_of_chunk[0];
    memset(w->old.remap, 0xff, old_count * sizeof *w->old.remap); // VNI_NO_CELL
    for (uint32_t i = 0; i < w->now.first[0]; ++i) {
        uint32_t k = w->chunks.whole_changed ? 0 : i;
        while (k < old_count && !same_box(&w->now.whole[i], &w->old.block->cells[k]))
            ++k;

        w->now.origin[i] = k < old_count ? k : VNI_NO_CELL;
        uint64_t chunks = chunks_of(&w->now.whole[i]) & w->chunks.inside;
        if (k < old_count)
            w->old.remap[k] = i;
        else
            w->chunks.changed |= chunks;

        // and note by chunk which cell it is part of, for relink.c
        for (; chunks != 0; chunks &= chunks - 1)
            w->now.whole_at[vni_lowest_bit(chunks)] = (uint8_t)i;

        if (w->chunks.whole_changed)
            count_ranks(w, &w->now.whole[i], 1);
    }

    for (uint32_t i = 0; i < old_count; ++i) {
        if (w->old.remap[i] == VNI_NO_CELL)
            lose(w, i);
        if (w->chunks.whole_changed)
            count_ranks(w, &w->old.block->cells[i], UINT32_MAX);
    }
}

/// The low corner of a cell within its chunk, x + 16 y + 256 z: distinct among the cells of a chunk.
static uint32_t corner_of(const vni_cell* cell) {
    const uint32_t mask = VNI_CHUNK_SIZE - 1;
    return (cell->low[0] & mask) | (cell->low[1] & mask) << 4 | (cell->low[2] & mask) << 8;
}

/// The faces of its chunk, as bits, that a cell lies on.
static uint32_t chunk_faces(const vni_cell* cell) {
    uint32_t faces = 0;
    for (int i = 0; i < 3; ++i)
        faces |= ((uint32_t)(cell->low[i] % VNI_CHUNK_SIZE == 0) |
                  (uint32_t)(cell->high[i] % VNI_CHUNK_SIZE == 0) << 1)
                 << 2 * i;
    return faces;
}

/// Matches the cells of a fresh chunk with its old ones: a table by low corner gives the only candidate, and
/// the boxes decide. Kept cells come in the old order, because the order follows from the boxes alone: from
/// the first of the largest aligned cubes in each (boxes.c).
static void match_chunk(vni_work* w, uint32_t chunk) {
    const uint32_t was = w->old.block->first_of_chunk[chunk], is = w->now.first[chunk];
    const uint32_t was_count = w->old.block->first_of_chunk[chunk + 1] - was,
                   is_count = vni_work_count(w, chunk);
    const vni_cell* old = was_count ? w->old.block->cells + was : NULL;
    uint16_t* corners = w->cut->corners;

    // the table is not cleared: a stale entry fails the comparison below
    uint32_t next = 0;
    for (uint32_t i = 0; i < was_count; ++i) {
        corners[corner_of(&old[i])] = (uint16_t)i;
        w->old.remap[was + i] = VNI_NO_CELL;
    }

    for (uint32_t i = 0; i < is_count; ++i) {
        const vni_cell* cell = &w->now.cells[chunk][i];
        const uint32_t at = corners[corner_of(cell)];
        if (at < was_count && same_box(cell, &old[at])) {
            w->now.origin[is + i] = was + at;
            w->old.remap[was + at] = is + i;
            VNI_ASSERT(at >= next);
            next = at + 1;
            continue;
        }

        w->now.origin[is + i] = VNI_NO_CELL;
        w->now.new_faces[chunk] |= (uint8_t)chunk_faces(cell);
        w->chunks.with_new |= (uint64_t)1 << chunk;
        count_ranks(w, cell, 1);
    }

    for (uint32_t i = 0; i < was_count; ++i)
        if (w->old.remap[was + i] == VNI_NO_CELL) {
            lose(w, was + i);
            count_ranks(w, &old[i], UINT32_MAX);
        }
}

/// Fills remap and origin, chunk by chunk: a chunk that is not fresh moves as a whole.
static void number_cells(vni_work* w) {
    const vni_cell_block* old = w->old.block;
    w->chunks.changed = w->chunks.fresh;
    memcpy(w->now.rank_count, old->rank_count, sizeof w->now.rank_count);
    match_whole(w);
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t begin = old->first_of_chunk[c], end = old->first_of_chunk[c + 1];
        if (w->chunks.fresh >> c & 1) {
            match_chunk(w, c);
            continue;
        }

        vni_count_up(w->old.remap + begin, end - begin, w->now.first[c]);
        vni_count_up(w->now.origin + w->now.first[c], end - begin, begin);
    }
}

// ----------------------------------------------------------------------------------------------- block

vni_cell_block* vni_recut_block(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* old,
                                const vni_block* block, const int32_t limit[3], uint64_t touched,
                                vni_recut_report* report, vni_stages* stages) {
    vni_work w;
    vni_recut_report ignored;
    memset(&w, 0, sizeof w);
    w.cut = cut;
    w.old.block = old;
    w.voxels = block;
    w.limit = limit;
    report = report != NULL ? report : &ignored;
    memset(report, 0, sizeof *report);
    cut->failed = false;

    plan(&w, touched);
    cut_boxes(&w);

    if (cut->failed || !make_arrays(&w))
        return NULL;
    VNI_ASSERT(is_cover(&w));

    number_cells(&w);
    vni_stage_end(stages, VNI_STAGE_CELLS);
    vni_work_relink(&w);
    if (cut->failed)
        return NULL;

    VNI_ASSERT(w.old.dropped_groups <= old->group_count);

    // all counts are known now: the block is one allocation of the exact size
    vni_cell_block* out =
        vni_cell_block_alloc(allocator, w.now.cell_count,
                             old->group_count - w.old.dropped_groups + cut->group_count, w.now.rank_count);
    if (out == NULL)
        return NULL;

    vni_work_assemble(&w, out);
    vni_stage_end(stages, VNI_STAGE_LINKS);
    report->same_components = vni_work_label(&w, out);
    vni_stage_end(stages, VNI_STAGE_COMPONENTS);

    report->remap = w.old.remap;
    report->gone = w.old.gone;
    report->made = w.patches.cells;
    report->gone_count = w.old.gone_count;
    report->made_count = w.patches.new_count;
    report->rim_changed = w.now.rim_changed;
    report->link_change = (int64_t)cut->link_count - (int64_t)w.old.dropped_links;

    return out;
}

vni_cell_block* vni_cut_block(vni_cut* cut, const vn_allocator* allocator, const vni_block* block,
                              const int32_t limit[3]) {
    static const vni_cell_block nothing;
    return vni_recut_block(cut, allocator, &nothing, block, limit, ~(uint64_t)0, NULL, NULL);
}
