/// dynamic/blocks.c: makes new blocks, cells and seams where bricks have changed.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/queue.h"
#include "dynamic/dynamic_inside.h"
#include "occupancy/limit.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- in order

/// A heap sort; keys in order, which are frequent, cost one pass.
void vni_sort_keys(uint64_t* keys, uint32_t count, uint64_t* scratch) {
    uint32_t sorted = 1;
    while (sorted < count && keys[sorted - 1] <= keys[sorted])
        ++sorted;

    if (sorted >= count)
        return;

    vni_queue queue = {.keys = scratch, .count = 0, .capacity = count};
    for (uint32_t i = 0; i < count; ++i)
        vni_queue_push(&queue, keys[i]);

    for (uint32_t i = 0; i < count; ++i)
        keys[i] = vni_queue_pop(&queue);
}

/// Copies the dirty keys to dynamic->sorted, in order; false if memory runs out. `dirty` itself stays, for
/// another try.
static bool sort_dirty(vni_dynamic* dynamic) {
    uint32_t count = dynamic->dirty_count;
    if (!vni_grow(&dynamic->allocator, &dynamic->sorted, &dynamic->sorted_capacity, (uint64_t)2 * count + 1,
                  sizeof *dynamic->sorted))
        return false;

    if (count > 0)
        memcpy(dynamic->sorted, dynamic->dirty, count * sizeof *dynamic->sorted);

    vni_sort_keys(dynamic->sorted, count, dynamic->sorted + count);
    return true;
}

// --------------------------------------------------------------------------------------------------- deltas

static vn_voxel_box box_of_cell(const vni_dynamic* dynamic, uint32_t block, const vni_cell* cell) {
    return vni_cell_voxels(&dynamic->newest->space.cells.views[block], cell);
}

static bool add_cell(vni_dynamic* dynamic, uint32_t block, const vni_cell* cell, bool is_new) {
    vni_delta_buffer* delta = vni_dynamic_delta_buffer(dynamic);
    if (!vni_grow(&dynamic->allocator, &delta->cells, &delta->cell_capacity, (uint64_t)delta->cell_count + 1,
                  sizeof *delta->cells))
        return false;
    delta->cells[delta->cell_count++] = (vni_delta_cell){box_of_cell(dynamic, block, cell), is_new};
    return true;
}

/// Adds the cells of a block to the delta: those that were removed, then those that are new.
static bool note_cells(vni_dynamic* dynamic, const vni_touched* t, const vni_cell_block* old,
                       const vni_recut_report* report) {
    bool ok = true;
    for (uint32_t i = 0; i < report->gone_count && ok; ++i)
        ok = add_cell(dynamic, t->block, &old->cells[report->gone[i]], false);
    for (uint32_t i = 0; i < report->made_count && ok; ++i)
        ok = add_cell(dynamic, t->block, &t->cells->cells[report->made[i]], true);
    return ok;
}

// --------------------------------------------------------------------------------------------------- blocks

/// The part of a block that lies inside the space.
static void limit_of(const vni_dynamic* dynamic, uint32_t block, int32_t limit[3]) {
    vni_block_limit_at(dynamic->fixed.dims, dynamic->newest->space.cells.views[block].low, limit);
}

/// Makes the cells of a block from its new voxels.
static bool recut(vni_dynamic* dynamic, vni_touched* t) {
    const vni_cell_block* old = dynamic->newest->space.cells.table[t->block];
    vni_recut_report report;
    int32_t limit[3];
    limit_of(dynamic, t->block, limit);
    t->cells = vni_recut_block(&dynamic->cut, &dynamic->allocator, old, t->voxels, limit, t->chunks, &report,
                               &dynamic->stages);
    t->link_change = report.link_change;
    t->rim_changed = report.rim_changed;
    t->same_components = report.same_components;

    // a block that became all free takes the shared cells, which are the same
    if (t->cells != NULL && t->voxels == NULL && vni_limit_is_whole(limit)) {
        vni_cell_block_release(&dynamic->allocator, t->cells);
        t->cells = dynamic->open_block;
    }

    const bool ok = t->cells != NULL && note_cells(dynamic, t, old, &report);
    vni_stage_end(&dynamic->stages, VNI_STAGE_DELTA);
    return ok;
}

/// Makes voxels and cells of the block with these dirty keys, and adds it to `touched` if a voxel has
/// changed.
static bool rebuild_block(vni_dynamic* dynamic, const uint64_t* keys, uint32_t count) {
    if (!vni_grow(&dynamic->allocator, &dynamic->touched, &dynamic->touched_capacity,
                  (uint64_t)dynamic->touched_count + 1, sizeof *dynamic->touched))
        return false;

    // the entry counts only once it holds something to free
    vni_touched* t = &dynamic->touched[dynamic->touched_count];
    const bool ok = vni_dynamic_patch(dynamic, keys, count, t);
    vni_stage_end(&dynamic->stages, VNI_STAGE_OCCUPANCY);
    if (!ok || t->chunks == 0)
        return ok;

    ++dynamic->touched_count;
    dynamic->stats.chunks += vni_popcount(t->chunks);
    return recut(dynamic, t);
}

// ---------------------------------------------------------------------------------------------------- seams

/// Null if the block is not touched. `touched` ascends, because the keys do.
static const vni_touched* find_touched(const vni_dynamic* dynamic, uint32_t block) {
    uint32_t low = 0, high = dynamic->touched_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (dynamic->touched[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }

    return low < dynamic->touched_count && dynamic->touched[low].block == block ? &dynamic->touched[low]
                                                                                : NULL;
}

/// A block as one side of a seam. Clears `*same_labels` if the components on this side may have changed.
static vni_seam_side side_of(const vni_dynamic* dynamic, uint32_t block, uint32_t face, bool* same_labels) {
    const vni_cell_block* old = dynamic->newest->space.cells.table[block];
    const vni_touched* t = find_touched(dynamic, block);
    const vni_seam_side side = {old, t != NULL ? t->cells : old, t != NULL && (t->rim_changed >> face & 1)};
    *same_labels = *same_labels && !side.may_differ && (t == NULL || t->same_components);
    return side;
}

/// Makes the seam between a block and its upper neighbour again.
static bool rebuild_seam(vni_dynamic* dynamic, uint32_t lower, uint32_t axis) {
    const vni_cells* cells = &dynamic->newest->space.cells;
    bool same_labels = true;
    const vni_seam_side a = side_of(dynamic, lower, 2 * axis + 1, &same_labels);
    const vni_seam_side b = side_of(dynamic, lower + cells->stride[axis], 2 * axis, &same_labels);
    if (!vni_grow(&dynamic->allocator, &dynamic->seams, &dynamic->seam_capacity,
                  (uint64_t)dynamic->seam_count + 1, sizeof *dynamic->seams))
        return false;

    vni_touched_seam* s = &dynamic->seams[dynamic->seam_count++];
    *s = (vni_touched_seam){
        .lower = lower, .axis = axis, .seam = dynamic->open_seams[axis], .same_labels = same_labels};
    // between two open blocks lies the open seam; vni_recut_seam is not needed
    if (a.now == dynamic->open_block && b.now == dynamic->open_block)
        return true;

    vni_seam* old = cells->seams[axis][lower];
    s->seam = vni_recut_seam(&dynamic->cut, &dynamic->allocator, old, &a, &b, (int)axis, &s->same_lists);
    if (s->seam == old)
        vni_seam_release(&dynamic->allocator, old); // versions share one reference for each object in a table

    return s->seam != NULL;
}

/// Makes the seams of a touched block: those above it, and those below it unless the lower block is touched
/// too and has made them.
static bool rebuild_seams(vni_dynamic* dynamic, uint32_t block) {
    const vni_cells* cells = &dynamic->newest->space.cells;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (cells->seams[axis][block] != NULL && !rebuild_seam(dynamic, block, axis))
            return false;
        if (cells->views[block].low[axis] == 0)
            continue;

        uint32_t lower = block - cells->stride[axis];
        if (find_touched(dynamic, lower) == NULL && !rebuild_seam(dynamic, lower, axis))
            return false;
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------- whole

void vni_dynamic_drop_work(vni_dynamic* dynamic) {
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        vni_touched* t = &dynamic->touched[i];
        if (t->voxels != NULL)
            vni_block_release(&dynamic->allocator, t->voxels);
        if (t->cells != NULL && t->cells != dynamic->open_block)
            vni_cell_block_release(&dynamic->allocator, t->cells);
    }

    for (uint32_t i = 0; i < dynamic->seam_count; ++i) {
        vni_touched_seam* s = &dynamic->seams[i];
        if (s->seam != NULL && s->seam != dynamic->open_seams[s->axis] &&
            s->seam != vni_dynamic_seam(dynamic, s))
            vni_seam_release(&dynamic->allocator, s->seam);
        vni_pairs_free(dynamic, &s->pairs);
    }

    dynamic->touched_count = dynamic->seam_count = 0;
}

/// All blocks come before the first seam: a seam may have touched blocks on both sides.
static bool rebuild_all(vni_dynamic* dynamic) {
    for (uint32_t first = 0; first < dynamic->dirty_count;) {
        // the run of keys of one block
        uint32_t block = (uint32_t)(dynamic->sorted[first] >> 12), end = first + 1;
        while (end < dynamic->dirty_count && dynamic->sorted[end] >> 12 == block)
            ++end;
        if (!rebuild_block(dynamic, dynamic->sorted + first, end - first))
            return false;
        first = end;
    }

    for (uint32_t i = 0; i < dynamic->touched_count; ++i)
        if (!rebuild_seams(dynamic, dynamic->touched[i].block))
            return false;

    vni_stage_end(&dynamic->stages, VNI_STAGE_SEAMS);
    return true;
}

vn_status vni_dynamic_rebuild(vni_dynamic* dynamic) {
    vni_delta_buffer* delta = vni_dynamic_delta_buffer(dynamic);
    delta->version = 0; // the delta that the ring overwrites is gone from here on
    delta->blocked_count = delta->freed_count = delta->cell_count = 0;
    memset(&dynamic->stats, 0, sizeof dynamic->stats);
    dynamic->touched_count = dynamic->seam_count = 0;

    if (sort_dirty(dynamic) && rebuild_all(dynamic)) {
        dynamic->stats.blocks = dynamic->touched_count;
        dynamic->stats.seams = dynamic->seam_count;
        return VN_OK;
    }

    vni_dynamic_drop_work(dynamic);
    return VN_OUT_OF_MEMORY;
}
