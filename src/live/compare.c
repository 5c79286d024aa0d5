/// live/compare.c: differences of two versions, block by block.
#include "live/compare.h"
#include "base/alloc.h"
#include "live/boxes.h"

#include <string.h>

static bool add_box(const vn_allocator* allocator, vn_voxel_box** list, uint64_t* capacity, uint32_t* count,
                    vn_voxel_box box) {
    if (*count == *capacity && !vni_grow(allocator, list, capacity, (uint64_t)*count + 1, sizeof **list))
        return false;
    (*list)[(*count)++] = box;
    return true;
}

static bool add_went(const vn_allocator* allocator, vni_difference* out, vn_voxel_box box) {
    return add_box(allocator, &out->went, &out->went_capacity, &out->went_count, box);
}

static bool add_came(const vn_allocator* allocator, vni_difference* out, vn_voxel_box box) {
    return add_box(allocator, &out->came, &out->came_capacity, &out->came_count, box);
}

// ---------- voxels

/// A block, and what it is in both versions.
typedef struct pair {
    const vn_allocator* allocator;
    const vni_block *before, *after; ///< null: all free
    const vni_cell_block *cells_before, *cells_after;
    const vni_block_view* view; ///< for its low corner
    vni_difference* out;
} pair;

static uint64_t brick_of(const vni_block* block, uint32_t chunk, uint32_t brick) {
    return block != NULL ? vni_block_brick(block, chunk, brick) : 0;
}

/// The bricks with a blocked voxel.
static uint64_t some_of(const vni_block* block, uint32_t chunk) {
    return block != NULL ? block->some[chunk] : 0;
}

/// Lists the bricks of a chunk that differ; `*changed` is set if there is one. False if memory runs out.
static bool compare_chunk(const pair* p, uint32_t chunk, bool* changed) {
    vni_difference* out = p->out;
    const int32_t* low = p->view->low;
    for (uint64_t left = some_of(p->before, chunk) | some_of(p->after, chunk); left != 0; left &= left - 1) {
        const uint32_t brick = vni_lowest_bit(left);
        const uint64_t before = brick_of(p->before, chunk, brick), after = brick_of(p->after, chunk, brick);
        if (before == after)
            continue;
        if (out->brick_count == out->brick_capacity &&
            !vni_grow(p->allocator, &out->bricks, &out->brick_capacity, (uint64_t)out->brick_count + 1,
                      sizeof *out->bricks))
            return false;

        *changed = true;
        out->bricks[out->brick_count++] =
            (vn_brick_change){{low[0] + (int32_t)(16 * (chunk & 3) + 4 * (brick & 3)),
                               low[1] + (int32_t)(16 * (chunk >> 2 & 3) + 4 * (brick >> 2 & 3)),
                               low[2] + (int32_t)(16 * (chunk >> 4) + 4 * (brick >> 4))},
                              before,
                              after};
    }

    return true;
}

/// Are the words of a chunk the same, without looking at each brick?
static bool is_same_chunk(const vni_block* a, const vni_block* b, uint32_t chunk) {
    if (some_of(a, chunk) != some_of(b, chunk))
        return false;
    if (some_of(a, chunk) == 0)
        return true;

    const uint64_t mixed = a->some[chunk] & ~a->full[chunk];
    return a->full[chunk] == b->full[chunk] &&
           memcmp(a->bricks + a->first[chunk], b->bricks + b->first[chunk],
                  vni_popcount(mixed) * sizeof *a->bricks) == 0;
}

// ---------- cells

static bool is_same_box(const vni_cell* a, const vni_cell* b) {
    return memcmp(a->low, b->low, sizeof a->low) == 0 && memcmp(a->high, b->high, sizeof a->high) == 0;
}

static bool is_same_run(const vni_cell* a, uint32_t a_count, const vni_cell* b, uint32_t b_count) {
    if (a_count != b_count)
        return false;
    for (uint32_t i = 0; i < a_count; ++i)
        if (!is_same_box(&a[i], &b[i]))
            return false;
    return true;
}

/// Finds a cell of a run with the same box. Cells of a chunk that stay keep their order as a rule: the search
/// begins where the last one ended.
static bool find_cell(const vni_cell* run, uint32_t count, const vni_cell* cell, uint32_t* from) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = *from + i < count ? *from + i : *from + i - count;
        if (is_same_box(&run[at], cell)) {
            *from = at + 1 < count ? at + 1 : 0;
            return true;
        }
    }

    return false;
}

static bool compare_runs(const pair* p, const vni_cell* before, uint32_t before_count, const vni_cell* after,
                         uint32_t after_count) {
    uint32_t from = 0;
    if (is_same_run(before, before_count, after, after_count))
        return true;

    for (uint32_t i = 0; i < before_count; ++i)
        if (!find_cell(after, after_count, &before[i], &from) &&
            !add_went(p->allocator, p->out, vni_cell_voxels(p->view, &before[i])))
            return false;

    from = 0;
    for (uint32_t i = 0; i < after_count; ++i)
        if (!find_cell(before, before_count, &after[i], &from) &&
            !add_came(p->allocator, p->out, vni_cell_voxels(p->view, &after[i])))
            return false;

    return true;
}

/// The cells of a mixed chunk.
static bool compare_cells(const pair* p, uint32_t chunk) {
    const vni_cell_block *a = p->cells_before, *b = p->cells_after;
    const uint32_t a_first = a->first_of_chunk[chunk], b_first = b->first_of_chunk[chunk];
    return compare_runs(p, a->cells + a_first, a->first_of_chunk[chunk + 1] - a_first, b->cells + b_first,
                        b->first_of_chunk[chunk + 1] - b_first);
}

// ---------- blocks

static bool compare_block(const pair* p) {
    // whole cells first: they span chunks
    const vni_cell_block *a = p->cells_before, *b = p->cells_after;
    if (!compare_runs(p, a->cells, a->first_of_chunk[0], b->cells, b->first_of_chunk[0]))
        return false;

    for (uint32_t chunk = 0; chunk < VNI_CHUNK_COUNT; ++chunk) {
        bool changed = false;
        if (is_same_chunk(p->before, p->after, chunk))
            continue;
        if (!compare_chunk(p, chunk, &changed) || (changed && !compare_cells(p, chunk)))
            return false;
    }

    return true;
}

bool vni_compare_spaces(const vn_allocator* allocator, const vn_space* before, const vn_space* after,
                        vni_difference* out) {
    VNI_ASSERT(vni_space_has_cells(before) && vni_space_has_cells(after));
    VNI_ASSERT(memcmp(before->occupancy.dims, after->occupancy.dims, sizeof after->occupancy.dims) == 0);

    out->brick_count = out->went_count = out->came_count = 0;
    const uint32_t count = vni_occupancy_block_count(&after->occupancy);
    for (uint32_t i = 0; before != after && i < count; ++i) {
        if (before->occupancy.table[i] == after->occupancy.table[i])
            continue; // cells are cut from the voxels alone
        const pair p = {allocator,
                        before->occupancy.table[i],
                        after->occupancy.table[i],
                        before->cells.table[i],
                        after->cells.table[i],
                        &after->cells.views[i],
                        out};
        if (!compare_block(&p))
            return false;
    }

    return true;
}

bool vni_list_cells(const vn_allocator* allocator, const vn_space* space, vni_difference* out) {
    out->brick_count = out->went_count = out->came_count = 0;
    for (uint32_t i = 0; i < vni_cells_block_count(&space->cells); ++i)
        for (uint32_t k = 0; k < space->cells.table[i]->cell_count; ++k)
            if (!add_came(allocator, out,
                          vni_cell_voxels(&space->cells.views[i], &space->cells.table[i]->cells[k])))
                return false;
    return true;
}

// ---------- a graph and a space

static bool has_cell(const vn_space* space, const vni_box* box) {
    vni_cell_ref ref;
    if (!vni_cells_find(&space->cells, vni_box_low(box), &ref))
        return false;
    vni_box found;
    vni_cell_bounds(&space->cells.views[ref.block], &space->cells.table[ref.block]->cells[ref.cell],
                    found.low, found.high);
    return vni_box_equals(&found, box);
}

static bool has_box(const vni_slot_version* graph, vn_voxel_box cell) {
    const vni_box box = vni_box_of(cell);
    const uint32_t slot = vni_live_find(graph, cell.low);
    return slot != VNI_NO_SLOT && vni_box_equals(&vni_live_box_at(graph, slot)->box, &box);
}

static vn_voxel_box voxels_of(const vni_box* box) {
    return (vn_voxel_box){{box->low[0], box->low[1], box->low[2]},
                          {box->high[0], box->high[1], box->high[2]}};
}

bool vni_compare_boxes(const vn_allocator* allocator, const vni_slot_version* before, const vn_space* after,
                       vni_difference* out) {
    if (!vni_list_cells(allocator, after, out))
        return false;

    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->came_count; ++i)
        if (!has_box(before, out->came[i]))
            out->came[kept++] = out->came[i];
    out->came_count = kept;

    for (uint32_t slot = 0; slot < before->arrays[VNI_LIVE_BOXES].limit; ++slot) {
        if (!vni_live_has_box(before, slot))
            continue;
        const vni_box* box = &vni_live_box_at(before, slot)->box;
        if (!has_cell(after, box) && !add_went(allocator, out, voxels_of(box)))
            return false;
    }

    return true;
}

void vni_difference_free(const vn_allocator* allocator, vni_difference* difference) {
    VNI_DELETE_ARRAY(allocator, difference->bricks, difference->brick_capacity);
    VNI_DELETE_ARRAY(allocator, difference->went, difference->went_capacity);
    VNI_DELETE_ARRAY(allocator, difference->came, difference->came_capacity);
    *difference = (vni_difference){0};
}
