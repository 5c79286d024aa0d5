/// dynamic/blocks.c: makes new blocks, cells and seams where bricks have changed.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/queue.h"
#include "dynamic/dynamic_inside.h"
#include "occupancy/limit.h"

#include <string.h>

/// Of the radix sort; fewer keys than FEW_KEYS are cheaper to sort in a heap.
#define DIGIT_BITS 8u
#define DIGITS     (1u << DIGIT_BITS)
#define FEW_KEYS   128u

// ------------------------------------------------------------------------------------------------- in order

/// Few keys: a heap sort.
static void sort_few(uint64_t* keys, uint32_t count, uint64_t* scratch) {
    vni_queue queue = {.keys = scratch, .count = 0, .capacity = count};
    for (uint32_t i = 0; i < count; ++i)
        vni_queue_push(&queue, keys[i]);

    for (uint32_t i = 0; i < count; ++i)
        keys[i] = vni_queue_pop(&queue);
}

/// One pass of a radix sort, by the digit at `shift`; false if all keys have the same digit.
static bool sort_by_digit(const uint64_t* from, uint64_t* to, uint32_t count, uint32_t shift) {
    uint32_t places[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        ++places[from[i] >> shift & (DIGITS - 1)];

    if (places[from[0] >> shift & (DIGITS - 1)] == count)
        return false;

    for (uint32_t i = 0; i < DIGITS; ++i) {
        const uint32_t here = places[i];
        places[i] = sum;
        sum += here;
    }

    for (uint32_t i = 0; i < count; ++i)
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

void vni_sort_keys(uint64_t* keys, uint32_t count, uint64_t* scratch) {
    uint32_t sorted = 1;
    while (sorted < count && keys[sorted - 1] <= keys[sorted])
        ++sorted;

    // in order, which is frequent: one pass
    if (sorted >= count)
        return;
    if (count < FEW_KEYS) {
        sort_few(keys, count, scratch);
        return;
    }

    uint64_t *from = keys, *to = scratch;
    for (uint32_t shift = 0; shift < 64; shift += DIGIT_BITS)
        if (sort_by_digit(from, to, count, shift)) {
            uint64_t* swap = from;
            from = to;
            to = swap;
        }

    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
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

static bool add_cell(const vni_dynamic* dynamic, vni_lane* lane, uint32_t block, const vni_cell* cell,
                     bool is_new) {
    vni_delta_buffer* delta = &lane->delta;
    if (!vni_grow(&dynamic->allocator, &delta->cells, &delta->cell_capacity, (uint64_t)delta->cell_count + 1,
                  sizeof *delta->cells))
        return false;
    delta->cells[delta->cell_count++] = (vni_delta_cell){box_of_cell(dynamic, block, cell), is_new};
    return true;
}

/// Adds the cells of a block to the delta: those that were removed, then those that are new.
static bool note_cells(const vni_dynamic* dynamic, vni_lane* lane, const vni_touched* t,
                       const vni_cell_block* old, const vni_recut_report* report) {
    bool ok = true;
    if (dynamic->without_cells)
        return true;
    for (uint32_t i = 0; i < report->gone_count && ok; ++i)
        ok = add_cell(dynamic, lane, t->block, &old->cells[report->gone[i]], false);
    for (uint32_t i = 0; i < report->made_count && ok; ++i)
        ok = add_cell(dynamic, lane, t->block, &t->cells->cells[report->made[i]], true);
    return ok;
}

// --------------------------------------------------------------------------------------------------- blocks

/// The part of a block that lies inside the space.
static void limit_of(const vni_dynamic* dynamic, uint32_t block, int32_t limit[3]) {
    vni_block_limit_at(dynamic->statics[VNI_FIXED].dims, dynamic->newest->space.cells.views[block].low,
                       limit);
}

/// Makes the cells of a block from its new voxels.
static bool recut(const vni_dynamic* dynamic, vni_lane* lane, vni_touched* t) {
    const vni_cell_block* old = dynamic->newest->space.cells.table[t->block];
    vni_recut_report report;
    int32_t limit[3];
    limit_of(dynamic, t->block, limit);
    t->cells = vni_recut_block(&lane->cut, &dynamic->allocator, old, t->voxels, limit, t->chunks, &report,
                               &lane->stages);
    t->link_change = report.link_change;
    t->rim_changed = report.rim_changed;
    t->same_components = report.same_components;

    // a block that became all free takes the shared cells, which are the same
    if (t->cells != NULL && t->voxels == NULL && vni_limit_is_whole(limit)) {
        vni_cell_block_release(&dynamic->allocator, t->cells);
        t->cells = dynamic->open_block;
    }

    const bool ok = t->cells != NULL && note_cells(dynamic, lane, t, old, &report);
    vni_stage_end(&lane->stages, VNI_STAGE_DELTA);
    return ok;
}

bool vni_dynamic_rebuild_block(vni_dynamic* dynamic, vni_lane* lane, vni_touched* t) {
    const vni_delta_part begin = vni_delta_end(&lane->delta);
    t->lane = (uint32_t)(lane - dynamic->lanes);
    const bool patched = vni_dynamic_patch(dynamic, lane, t);
    vni_stage_end(&lane->stages, VNI_STAGE_OCCUPANCY);
    if (!patched || (t->chunks != 0 && !recut(dynamic, lane, t)))
        return false;

    const vni_delta_part end = vni_delta_end(&lane->delta);
    t->delta = begin;
    t->delta.blocked_count = end.blocked - begin.blocked;
    t->delta.freed_count = end.freed - begin.freed;
    t->delta.cell_count = end.cells - begin.cells;
    return true;
}

/// The keys of a block from `first` on; returns the first that is not.
static uint32_t end_of_block(const vni_dynamic* dynamic, uint32_t first) {
    const uint64_t block = dynamic->sorted[first] >> 12;
    uint32_t end = first + 1;
    while (end < dynamic->dirty_count && dynamic->sorted[end] >> 12 == block)
        ++end;
    return end;
}

bool vni_dynamic_plan_blocks(vni_dynamic* dynamic) {
    dynamic->touched_count = dynamic->seam_count = dynamic->unknown_count = 0;
    if (!sort_dirty(dynamic))
        return false;

    for (uint32_t first = 0; first < dynamic->dirty_count;) {
        if (!vni_grow(&dynamic->allocator, &dynamic->touched, &dynamic->touched_capacity,
                      (uint64_t)dynamic->touched_count + 1, sizeof *dynamic->touched))
            return false;
        const uint32_t end = end_of_block(dynamic, first);
        dynamic->touched[dynamic->touched_count++] =
            (vni_touched){.block = (uint32_t)(dynamic->sorted[first] >> 12), .first = first, .end = end};
        first = end;
    }

    return !dynamic->refuses || vni_grow(&dynamic->allocator, &dynamic->unknowns, &dynamic->unknown_capacity,
                                         dynamic->touched_count, sizeof *dynamic->unknowns);
}

// --------------------------------------------------------------------------------------------------- gather

/// Moves the unknown voxels of touched blocks to a list of their own: they change in blocks whose voxels and
/// cells do not, where something unknown turns out to be an obstacle.
static void list_unknowns(vni_dynamic* dynamic) {
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        vni_touched* t = &dynamic->touched[i];
        if (!t->unknown_changed)
            continue;
        dynamic->unknowns[dynamic->unknown_count++] = (vni_unknown_block){t->block, t->unknown};
        t->unknown = NULL;
    }
}

static void keep_changed(vni_dynamic* dynamic) {
    uint32_t kept = 0;
    list_unknowns(dynamic);
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        if (dynamic->touched[i].chunks == 0)
            continue;
        dynamic->stats.chunks += vni_popcount(dynamic->touched[i].chunks);
        dynamic->touched[kept++] = dynamic->touched[i];
    }

    dynamic->touched_count = dynamic->stats.blocks = kept;
}

/// Reserves capacity for the lists of all lanes.
static bool reserve_delta(const vni_dynamic* dynamic, vni_delta_buffer* delta) {
    uint64_t blocked = 0, freed = 0, cells = 0;
    for (uint32_t i = 0; i < dynamic->lane_count; ++i) {
        blocked += dynamic->lanes[i].delta.blocked_count;
        freed += dynamic->lanes[i].delta.freed_count;
        cells += dynamic->lanes[i].delta.cell_count;
    }

    const vn_allocator* allocator = &dynamic->allocator;
    return vni_grow(allocator, &delta->blocked, &delta->blocked_capacity, blocked, sizeof *delta->blocked) &&
           vni_grow(allocator, &delta->freed, &delta->freed_capacity, freed, sizeof *delta->freed) &&
           vni_grow(allocator, &delta->cells, &delta->cell_capacity, cells, sizeof *delta->cells);
}

static void add_part(vni_delta_buffer* to, const vni_delta_buffer* from, const vni_delta_part* part) {
    if (part->blocked_count > 0)
        memcpy(to->blocked + to->blocked_count, from->blocked + part->blocked,
               part->blocked_count * sizeof *to->blocked);

    if (part->freed_count > 0)
        memcpy(to->freed + to->freed_count, from->freed + part->freed, part->freed_count * sizeof *to->freed);

    if (part->cell_count > 0)
        memcpy(to->cells + to->cell_count, from->cells + part->cells, part->cell_count * sizeof *to->cells);

    to->blocked_count += part->blocked_count;
    to->freed_count += part->freed_count;
    to->cell_count += part->cell_count;
}

/// The one lane that has made all blocks; null if there are several.
static vni_lane* only_lane(const vni_dynamic* dynamic) {
    for (uint32_t i = 1; i < dynamic->touched_count; ++i)
        if (dynamic->touched[i].lane != dynamic->touched[0].lane)
            return NULL;
    return dynamic->touched_count > 0 ? &dynamic->lanes[dynamic->touched[0].lane] : NULL;
}

/// By block, whichever thread made it: the delta is the same for any number of them.
static bool put_together(const vni_dynamic* dynamic, vni_delta_buffer* delta) {
    delta->blocked_count = delta->freed_count = delta->cell_count = 0;
    if (!reserve_delta(dynamic, delta))
        return false;

    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        const vni_touched* t = &dynamic->touched[i];
        add_part(delta, &dynamic->lanes[t->lane].delta, &t->delta);
    }

    return true;
}

bool vni_dynamic_gather(vni_dynamic* dynamic) {
    vni_delta_buffer* delta = vni_dynamic_delta_buffer(dynamic);
    delta->version = 0; // the delta that the ring overwrites is gone from here on
    keep_changed(dynamic);
    for (uint32_t i = 0; i < dynamic->lane_count; ++i)
        dynamic->stats.bricks += dynamic->lanes[i].bricks;

    // one thread has made the blocks in order: its lists are the delta, and nothing is copied
    vni_lane* lane = only_lane(dynamic);
    if (lane == NULL)
        return put_together(dynamic, delta);

    const vni_delta_buffer swap = *delta;
    *delta = lane->delta;
    delta->version = 0;
    lane->delta = swap;
    return true;
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

const vni_cell_block* vni_dynamic_cells_now(const vni_dynamic* dynamic, uint32_t block) {
    const vni_touched* t = find_touched(dynamic, block);
    return t != NULL ? t->cells : dynamic->newest->space.cells.table[block];
}

/// Makes the seam between a block and its upper neighbour again.
static bool recut_seam(const vni_dynamic* dynamic, vni_lane* lane, vni_touched_seam* s) {
    const vni_cells* cells = &dynamic->newest->space.cells;
    vni_seam* old = cells->seams[s->axis][s->lower];
    s->same_labels = true;
    const vni_seam_side a = side_of(dynamic, s->lower, 2 * s->axis + 1, &s->same_labels);
    const vni_seam_side b = side_of(dynamic, s->lower + cells->stride[s->axis], 2 * s->axis, &s->same_labels);

    // between two open blocks lies the open seam; vni_recut_seam is not needed
    if (a.now == dynamic->open_block && b.now == dynamic->open_block) {
        s->seam = dynamic->open_seams[s->axis];
    } else {
        s->seam = vni_recut_seam(&lane->cut, &dynamic->allocator, old, &a, &b, (int)s->axis, &s->same_lists);
        if (s->seam == NULL)
            return false;
        if (s->seam == old)
            vni_seam_release(&dynamic->allocator, old); // the tables share one reference for each object
    }

    // the same lists have the same number of links
    if (!s->same_lists)
        s->link_change = (int64_t)vni_count_links(s->seam->groups, s->seam->group_count) -
                         (int64_t)vni_count_links(old->groups, old->group_count);
    return true;
}

bool vni_dynamic_rebuild_seam(vni_dynamic* dynamic, vni_lane* lane, vni_touched_seam* s) {
    const bool ok = recut_seam(dynamic, lane, s);
    vni_stage_end(&lane->stages, VNI_STAGE_SEAMS);
    const bool paired = ok && vni_dynamic_find_pairs(dynamic, lane, s);
    vni_stage_end(&lane->stages, VNI_STAGE_COMPONENTS);
    return paired;
}

static bool plan_seam(vni_dynamic* dynamic, uint32_t lower, uint32_t axis) {
    if (!vni_grow(&dynamic->allocator, &dynamic->seams, &dynamic->seam_capacity,
                  (uint64_t)dynamic->seam_count + 1, sizeof *dynamic->seams))
        return false;
    dynamic->seams[dynamic->seam_count++] = (vni_touched_seam){.lower = lower, .axis = axis};
    return true;
}

/// Lists the seams of a touched block: those above it, and those below it unless the lower block is touched
/// too and has listed them.
static bool plan_seams_of(vni_dynamic* dynamic, uint32_t block) {
    const vni_cells* cells = &dynamic->newest->space.cells;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (cells->seams[axis][block] != NULL && !plan_seam(dynamic, block, axis))
            return false;
        if (cells->views[block].low[axis] == 0)
            continue;

        uint32_t lower = block - cells->stride[axis];
        if (find_touched(dynamic, lower) == NULL && !plan_seam(dynamic, lower, axis))
            return false;
    }

    return true;
}

bool vni_dynamic_plan_seams(vni_dynamic* dynamic) {
    for (uint32_t i = 0; i < dynamic->touched_count; ++i)
        if (!plan_seams_of(dynamic, dynamic->touched[i].block))
            return false;
    dynamic->stats.seams = dynamic->seam_count;
    return true;
}

// ---------------------------------------------------------------------------------------------------- whole

void vni_dynamic_drop_work(vni_dynamic* dynamic) {
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        vni_touched* t = &dynamic->touched[i];
        if (t->voxels != NULL)
            vni_block_release(&dynamic->allocator, t->voxels);
        vni_block_release(&dynamic->allocator, t->unknown);
        if (t->cells != NULL && t->cells != dynamic->open_block)
            vni_cell_block_release(&dynamic->allocator, t->cells);
    }

    for (uint32_t i = 0; i < dynamic->unknown_count; ++i)
        vni_block_release(&dynamic->allocator, dynamic->unknowns[i].voxels);

    for (uint32_t i = 0; i < dynamic->seam_count; ++i) {
        vni_touched_seam* s = &dynamic->seams[i];
        if (s->seam != NULL && s->seam != dynamic->open_seams[s->axis] &&
            s->seam != vni_dynamic_seam(dynamic, s))
            vni_seam_release(&dynamic->allocator, s->seam);
        vni_pairs_free(dynamic, &s->pairs);
    }

    dynamic->touched_count = dynamic->seam_count = dynamic->unknown_count = 0;
}
