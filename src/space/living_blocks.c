/// space/living_blocks.c: new blocks, cells and seams where bricks have changed.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/queue.h"
#include "space/living_parts.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- in order

/// The dirty keys in order, in living->sorted; false if there is no memory.
static bool sort_dirty(vni_living* living) {
    uint32_t count = living->dirty_count;
    if (!vni_grow(&living->allocator, &living->sorted, &living->sorted_capacity, (uint64_t)2 * count + 1,
                  sizeof *living->sorted))
        return false;
    vni_queue queue = {.keys = living->sorted + count, .count = 0, .capacity = count + 1};
    for (uint32_t i = 0; i < count; ++i)
        vni_queue_push(&queue, living->dirty[i]);
    for (uint32_t i = 0; i < count; ++i)
        living->sorted[i] = vni_queue_pop(&queue);
    return true;
}

// --------------------------------------------------------------------------------------------------- deltas

static vni_delta_room* delta_in_work(vni_living* living) {
    return &living->deltas[(living->newest->number + 1) % living->history];
}

/// The low voxel of a brick.
static vn_voxel brick_low(const vni_living* living, uint32_t block, uint32_t brick) {
    const int32_t* low = living->newest->space.cells.views[block].low;
    uint32_t chunk = brick >> 6;
    vn_voxel v = {low[0] + (int32_t)(16 * (chunk & 3) + 4 * (brick & 3)),
                  low[1] + (int32_t)(16 * (chunk >> 2 & 3) + 4 * (brick >> 2 & 3)),
                  low[2] + (int32_t)(16 * (chunk >> 4) + 4 * (brick >> 4 & 3))};
    return v;
}

static int32_t lesser(int32_t a, int32_t b) {
    return a < b ? a : b;
}
static int32_t greater(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/// Grows a box by the voxels of a brick; an empty box has low above high.
static void grow_box(vn_voxel_box* box, vn_voxel low, uint64_t bits) {
    for (; bits; bits &= bits - 1) {
        int32_t bit = (int32_t)vni_lowest_bit(bits);
        int32_t x = low.x + (bit & 3), y = low.y + (bit >> 2 & 3), z = low.z + (bit >> 4);
        box->low = (vn_voxel){lesser(box->low.x, x), lesser(box->low.y, y), lesser(box->low.z, z)};
        box->high =
            (vn_voxel){greater(box->high.x, x + 1), greater(box->high.y, y + 1), greater(box->high.z, z + 1)};
    }
}

static bool add_box(vni_living* living, vn_voxel_box** list, uint64_t* capacity, uint32_t* count,
                    const vn_voxel_box* box) {
    if (box->low.x >= box->high.x)
        return true;
    if (!vni_grow(&living->allocator, list, capacity, (uint64_t)*count + 1, sizeof **list))
        return false;
    (*list)[(*count)++] = *box;
    return true;
}

/// The boxes of what became blocked and free in the chunk in work.
typedef struct chunk_change {
    uint32_t chunk; ///< of the block; UINT32_MAX: none yet
    vn_voxel_box blocked, freed;
} chunk_change;

static const vn_voxel_box nothing = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};

static bool end_chunk(vni_living* living, chunk_change* change) {
    vni_delta_room* delta = delta_in_work(living);
    bool ok = change->chunk == UINT32_MAX ||
              (add_box(living, &delta->blocked, &delta->blocked_capacity, &delta->blocked_count,
                       &change->blocked) &&
               add_box(living, &delta->freed, &delta->freed_capacity, &delta->freed_count, &change->freed));
    change->blocked = change->freed = nothing;
    return ok;
}

static vn_voxel_box box_of_cell(const vni_living* living, uint32_t block, const vni_cell* cell) {
    const int32_t* low = living->newest->space.cells.views[block].low;
    vn_voxel_box box = {{low[0] + cell->low[0], low[1] + cell->low[1], low[2] + cell->low[2]},
                        {low[0] + cell->high[0], low[1] + cell->high[1], low[2] + cell->high[2]}};
    return box;
}

static bool add_cell(vni_living* living, uint32_t block, const vni_cell* cell, bool is_new) {
    vni_delta_room* delta = delta_in_work(living);
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

/// Brings living->dense, which holds a block as it was, up to date from its dirty keys [first, end). Returns
/// the chunks in which anything changed; `ok` is false if there is no memory.
static uint64_t patch(vni_living* living, uint32_t block, uint32_t first, uint32_t end, bool* ok) {
    const vni_block* fixed = living->fixed.table[block];
    chunk_change change = {UINT32_MAX, nothing, nothing};
    uint64_t chunks = 0;
    for (uint32_t i = first; i < end && *ok; ++i) {
        uint32_t brick = (uint32_t)living->sorted[i] & (VNI_BLOCK_BRICKS - 1);
        uint64_t bits = vni_cover_bits(&living->cover, living->sorted[i]);
        bits |= fixed ? vni_block_brick(fixed, brick >> 6, brick & 63) : 0;
        uint64_t was = living->dense[brick];
        if (bits == was)
            continue;
        if (change.chunk != brick >> 6)
            *ok = end_chunk(living, &change);
        change.chunk = brick >> 6;
        chunks |= (uint64_t)1 << change.chunk;
        grow_box(&change.blocked, brick_low(living, block, brick), bits & ~was);
        grow_box(&change.freed, brick_low(living, block, brick), was & ~bits);
        living->dense[brick] = bits;
        ++living->stats.bricks;
    }
    *ok = *ok && end_chunk(living, &change);
    return chunks;
}

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
    t->cells = vni_recut_block(&living->cut, &living->allocator, old, t->voxels, limit, t->chunks, &report);
    if (t->cells && !t->voxels && is_whole(limit)) {
        vni_cell_block_release(&living->allocator, t->cells);
        t->cells = living->open_block;
    }
    return t->cells && note_cells(living, t, old, &report);
}

static bool rebuild_block(vni_living* living, uint32_t block, uint32_t first, uint32_t end) {
    bool ok = true;
    vni_block_unpack(living->newest->space.occupancy.table[block], living->dense);
    uint64_t chunks = patch(living, block, first, end, &ok);
    if (!ok || chunks == 0)
        return ok;
    if (!vni_grow(&living->allocator, &living->touched, &living->touched_capacity,
                  (uint64_t)living->touched_count + 1, sizeof *living->touched))
        return false;
    vni_touched* t = &living->touched[living->touched_count++];
    *t = (vni_touched){.block = block, .chunks = chunks};
    living->stats.chunks += vni_popcount(chunks);
    return vni_block_pack(&living->allocator, living->dense, &t->voxels) && recut(living, t);
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

static bool rebuild_seam(vni_living* living, uint32_t lower, uint32_t axis) {
    const vni_cells* cells = &living->newest->space.cells;
    uint32_t upper = lower + cells->stride[axis];
    const vni_touched *ta = find_touched(living, lower), *tb = find_touched(living, upper);
    const vni_cell_block *a = ta ? ta->cells : cells->table[lower], *b = tb ? tb->cells : cells->table[upper];
    if (!vni_grow(&living->allocator, &living->seams, &living->seam_capacity,
                  (uint64_t)living->seam_count + 1, sizeof *living->seams))
        return false;
    vni_touched_seam* s = &living->seams[living->seam_count++];
    *s = (vni_touched_seam){lower, axis, living->open_seams[axis]};
    if (a == living->open_block && b == living->open_block)
        return true;
    vni_seam* old = cells->seams[axis][lower];
    s->seam = vni_recut_seam(&living->cut, &living->allocator, old, cells->table[lower], a,
                             cells->table[upper], b, (int)axis);
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
    }
    living->touched_count = living->seam_count = 0;
}

static bool rebuild_all(vni_living* living) {
    for (uint32_t first = 0; first < living->dirty_count;) {
        uint32_t block = (uint32_t)(living->sorted[first] >> 12), end = first + 1;
        while (end < living->dirty_count && living->sorted[end] >> 12 == block)
            ++end;
        if (!rebuild_block(living, block, first, end))
            return false;
        first = end;
    }
    for (uint32_t i = 0; i < living->touched_count; ++i)
        if (!rebuild_seams(living, living->touched[i].block))
            return false;
    return true;
}

vn_status vni_living_rebuild(vni_living* living) {
    vni_delta_room* delta = delta_in_work(living);
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
