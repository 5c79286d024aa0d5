/// space/living_blocks.c: new blocks, cells and seams where bricks have changed.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/queue.h"
#include "space/living_parts.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- in order

void vni_sort_keys(uint64_t* keys, uint32_t count, uint64_t* room) {
    uint32_t sorted = 1;
    while (sorted < count && keys[sorted - 1] <= keys[sorted])
        ++sorted;
    if (sorted >= count)
        return;
    vni_queue queue = {.keys = room, .count = 0, .capacity = count};
    for (uint32_t i = 0; i < count; ++i)
        vni_queue_push(&queue, keys[i]);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = vni_queue_pop(&queue);
}

/// The dirty keys in order, in living->sorted; false if there is no memory.
static bool sort_dirty(vni_living* living) {
    uint32_t count = living->dirty_count;
    if (!vni_grow(&living->allocator, &living->sorted, &living->sorted_capacity, (uint64_t)2 * count + 1,
                  sizeof *living->sorted))
        return false;
    if (count > 0)
        memcpy(living->sorted, living->dirty, count * sizeof *living->sorted);
    vni_sort_keys(living->sorted, count, living->sorted + count);
    return true;
}

// --------------------------------------------------------------------------------------------------- deltas

static vn_voxel_box box_of_cell(const vni_living* living, uint32_t block, const vni_cell* cell) {
    const int32_t* low = living->newest->space.cells.views[block].low;
    vn_voxel_box box = {{low[0] + cell->low[0], low[1] + cell->low[1], low[2] + cell->low[2]},
                        {low[0] + cell->high[0], low[1] + cell->high[1], low[2] + cell->high[2]}};
    return box;
}

static bool add_cell(vni_living* living, uint32_t block, const vni_cell* cell, bool is_new) {
    vni_delta_room* delta = vni_living_delta_room(living);
    if (!vni_grow(&living->allocator, &delta->cells, &delta->cell_capacity, (uint64_t)delta->cell_count + 1,
                  sizeof *delta->cells))
        return false;
    delta->cells[delta->cell_count++] = (vni_delta_cell){box_of_cell(living, block, cell), is_new};
    return true;
}

/// The cells of a block that are gone, then those that are new.
static bool note_cells(vni_living* living, const vni_touched* t, const vni_cell_block* old,
                       const vni_recut_report* report) {
    bool ok = true;
    for (uint32_t i = 0; i < report->gone_count && ok; ++i)
        ok = add_cell(living, t->block, &old->cells[report->gone[i]], false);
    for (uint32_t i = 0; i < report->made_count && ok; ++i)
        ok = add_cell(living, t->block, &t->cells->cells[report->made[i]], true);
    return ok;
}

// --------------------------------------------------------------------------------------------------- blocks

static void limit_of(const vni_living* living, uint32_t block, int32_t limit[3]) {
    for (int i = 0; i < 3; ++i) {
        int32_t left = living->fixed.dims[i] - living->newest->space.cells.views[block].low[i];
        limit[i] = left < VNI_BLOCK_SIZE ? left : VNI_BLOCK_SIZE;
    }
}

static bool is_whole(const int32_t limit[3]) {
    return limit[0] == VNI_BLOCK_SIZE && limit[1] == VNI_BLOCK_SIZE && limit[2] == VNI_BLOCK_SIZE;
}

/// Cells for a block whose voxels are made.
static bool recut(vni_living* living, vni_touched* t) {
    const vni_cell_block* old = living->newest->space.cells.table[t->block];
    vni_recut_report report;
    int32_t limit[3];
    limit_of(living, t->block, limit);
    t->cells = vni_recut_block(&living->cut, &living->allocator, old, t->voxels, limit, t->chunks, &report,
                               &living->stages);
    t->link_change = report.link_change;
    t->rim_changed = report.rim_changed;
    t->same_components = report.same_components;
    if (t->cells && !t->voxels && is_whole(limit)) {
        vni_cell_block_release(&living->allocator, t->cells);
        t->cells = living->open_block;
    }
    const bool ok = t->cells && note_cells(living, t, old, &report);
    vni_stage_end(&living->stages, VNI_STAGE_DELTA);
    return ok;
}

static bool rebuild_block(vni_living* living, const uint64_t* keys, uint32_t count) {
    if (!vni_grow(&living->allocator, &living->touched, &living->touched_capacity,
                  (uint64_t)living->touched_count + 1, sizeof *living->touched))
        return false;
    vni_touched* t = &living->touched[living->touched_count];
    const bool ok = vni_living_patch(living, keys, count, t);
    vni_stage_end(&living->stages, VNI_STAGE_OCCUPANCY);
    if (!ok || t->chunks == 0)
        return ok;
    ++living->touched_count;
    living->stats.chunks += vni_popcount(t->chunks);
    return recut(living, t);
}

// ---------------------------------------------------------------------------------------------------- seams

/// Null if the block is not in work.
static const vni_touched* find_touched(const vni_living* living, uint32_t block) {
    uint32_t low = 0, high = living->touched_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (living->touched[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < living->touched_count && living->touched[low].block == block ? &living->touched[low] : NULL;
}

/// A block as one side of a seam. `same_labels` becomes false if components on this side may not be the same.
static vni_seam_side side_of(const vni_living* living, uint32_t block, uint32_t face, bool* same_labels) {
    const vni_cell_block* old = living->newest->space.cells.table[block];
    const vni_touched* t = find_touched(living, block);
    const vni_seam_side side = {old, t ? t->cells : old, t && (t->rim_changed >> face & 1)};
    *same_labels = *same_labels && !side.may_differ && (!t || t->same_components);
    return side;
}

static bool rebuild_seam(vni_living* living, uint32_t lower, uint32_t axis) {
    const vni_cells* cells = &living->newest->space.cells;
    bool same_labels = true;
    const vni_seam_side a = side_of(living, lower, 2 * axis + 1, &same_labels);
    const vni_seam_side b = side_of(living, lower + cells->stride[axis], 2 * axis, &same_labels);
    if (!vni_grow(&living->allocator, &living->seams, &living->seam_capacity,
                  (uint64_t)living->seam_count + 1, sizeof *living->seams))
        return false;
    vni_touched_seam* s = &living->seams[living->seam_count++];
    *s = (vni_touched_seam){
        .lower = lower, .axis = axis, .seam = living->open_seams[axis], .same_labels = same_labels};
    if (a.now == living->open_block && b.now == living->open_block)
        return true;
    vni_seam* old = cells->seams[axis][lower];
    s->seam = vni_recut_seam(&living->cut, &living->allocator, old, &a, &b, (int)axis, &s->same_lists);
    if (s->seam == old)
        vni_seam_release(&living->allocator, old); // it stays where it is: no second reference is needed
    return s->seam != NULL;
}

/// The seams of one block: above it always, below it unless the neighbour there is in work too and has done
/// it.
static bool rebuild_seams(vni_living* living, uint32_t block) {
    const vni_cells* cells = &living->newest->space.cells;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (cells->seams[axis][block] && !rebuild_seam(living, block, axis))
            return false;
        if (cells->views[block].low[axis] == 0)
            continue;
        uint32_t lower = block - cells->stride[axis];
        if (!find_touched(living, lower) && !rebuild_seam(living, lower, axis))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- whole

void vni_living_drop_work(vni_living* living) {
    for (uint32_t i = 0; i < living->touched_count; ++i) {
        vni_touched* t = &living->touched[i];
        if (t->voxels)
            vni_block_release(&living->allocator, t->voxels);
        if (t->cells && t->cells != living->open_block)
            vni_cell_block_release(&living->allocator, t->cells);
    }
    for (uint32_t i = 0; i < living->seam_count; ++i) {
        vni_touched_seam* s = &living->seams[i];
        if (s->seam && s->seam != living->open_seams[s->axis] && s->seam != vni_living_seam(living, s))
            vni_seam_release(&living->allocator, s->seam);
        vni_pairs_free(living, &s->pairs);
    }
    living->touched_count = living->seam_count = 0;
}

static bool rebuild_all(vni_living* living) {
    for (uint32_t first = 0; first < living->dirty_count;) {
        uint32_t block = (uint32_t)(living->sorted[first] >> 12), end = first + 1;
        while (end < living->dirty_count && living->sorted[end] >> 12 == block)
            ++end;
        if (!rebuild_block(living, living->sorted + first, end - first))
            return false;
        first = end;
    }
    for (uint32_t i = 0; i < living->touched_count; ++i)
        if (!rebuild_seams(living, living->touched[i].block))
            return false;
    vni_stage_end(&living->stages, VNI_STAGE_SEAMS);
    return true;
}

vn_status vni_living_rebuild(vni_living* living) {
    vni_delta_room* delta = vni_living_delta_room(living);
    delta->version = 0;
    delta->blocked_count = delta->freed_count = delta->cell_count = 0;
    memset(&living->stats, 0, sizeof living->stats);
    living->touched_count = living->seam_count = 0;
    if (sort_dirty(living) && rebuild_all(living)) {
        living->stats.blocks = living->touched_count;
        living->stats.seams = living->seam_count;
        return VN_OK;
    }
    vni_living_drop_work(living);
    return VN_OUT_OF_MEMORY;
}
