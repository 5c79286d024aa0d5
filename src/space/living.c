/// space/living.c: a living layer as a whole: made, updated, freed.
#include "base/alloc.h"
#include "base/fail.h"
#include "space/bake.h"
#include "space/living_parts.h"

#include <string.h>

#define DEFAULT_HISTORY 64

// ----------------------------------------------------------------------------------------------------
// freeing

static void free_deltas(vni_living* living) {
    for (uint32_t i = 0; living->deltas && i < living->history; ++i) {
        vni_delta_room* d = &living->deltas[i];
        VNI_DELETE_ARRAY(&living->allocator, d->blocked, d->blocked_capacity);
        VNI_DELETE_ARRAY(&living->allocator, d->freed, d->freed_capacity);
        VNI_DELETE_ARRAY(&living->allocator, d->cells, d->cell_capacity);
    }
    VNI_DELETE_ARRAY(&living->allocator, living->deltas, living->history);
}

/// The newest version owns what its tables point to, but for the open ones.
static void free_newest(vni_living* living) {
    const vn_allocator* allocator = &living->allocator;
    vni_version* v = living->newest;
    for (uint32_t i = 0; v && i < vni_living_blocks(living); ++i) {
        if (v->space.occupancy.table[i])
            vni_block_release(allocator, v->space.occupancy.table[i]);
        if (v->space.cells.table[i] != living->open_block)
            vni_cell_block_release(allocator, v->space.cells.table[i]);
        for (int axis = 0; axis < 3; ++axis)
            if (v->space.cells.seams[axis][i] != living->open_seams[axis])
                vni_seam_release(allocator, v->space.cells.seams[axis][i]);
    }
    vni_version_free(living, v);
    living->newest = NULL;
}

static void free_versions(vni_living* living) {
    if (living->newest) {
        vni_living_release_unused(living);
        VNI_ASSERT(!living->newest->next && living->newest->pins == 0 && living->retired_count == 0);
    }
    free_newest(living);
    while (living->spare) {
        vni_version* v = living->spare;
        living->spare = v->next;
        vni_version_free(living, v);
    }
    vni_cell_block_release(&living->allocator, living->open_block);
    for (int axis = 0; axis < 3; ++axis)
        vni_seam_release(&living->allocator, living->open_seams[axis]);
}

static void free_scratch(vni_living* living) {
    const vn_allocator* allocator = &living->allocator;
    for (uint64_t i = 0; i < living->print_capacity; ++i)
        vni_footprint_free(allocator, &living->prints[i].bricks);
    VNI_DELETE_ARRAY(allocator, living->prints, living->print_capacity);
    vni_footprint_free(allocator, &living->fresh);
    vni_footprint_scratch_free(allocator, living->print_scratch);
    VNI_DELETE_ARRAY(allocator, living->dirty, living->dirty_capacity);
    VNI_DELETE_ARRAY(allocator, living->sorted, living->sorted_capacity);
    VNI_DELETE_ARRAY(allocator, living->dense, VNI_BLOCK_BRICKS);
    VNI_DELETE_ARRAY(allocator, living->touched, living->touched_capacity);
    VNI_DELETE_ARRAY(allocator, living->seams, living->seam_capacity);
    VNI_DELETE_ARRAY(allocator, living->retired, living->retired_capacity);
    VNI_DELETE_ARRAY(allocator, living->pair_room, living->pair_capacity);
    vni_cut_free(&living->cut);
}

void vni_living_free(vni_living* living) {
    if (!living)
        return;
    vn_allocator allocator = living->allocator;
    uint32_t blocks = vni_living_blocks(living);
    free_versions(living);
    free_scratch(living);
    free_deltas(living);
    VNI_DELETE_ARRAY(&allocator, living->block_from, blocks);
    VNI_DELETE_ARRAY(&allocator, living->cells_from, blocks);
    for (int axis = 0; axis < 3; ++axis) {
        VNI_DELETE_ARRAY(&allocator, living->seam_from[axis], blocks);
        for (uint32_t i = 0; living->pairs[axis] && i < blocks; ++i)
            vni_pairs_free(living, &living->pairs[axis][i]);
        VNI_DELETE_ARRAY(&allocator, living->pairs[axis], blocks);
    }
    vni_cover_free(&living->cover);
    vni_occupancy_free(&living->fixed);
#if VOLNAV_THREADS
    if (living->monitor)
        vni_monitor_destroy(&allocator, living->monitor);
#endif
    VNI_DELETE(&allocator, living);
}

// -----------------------------------------------------------------------------------------------------
// making

static bool make_scratch(vni_living* living) {
    const vn_allocator* allocator = &living->allocator;
    uint32_t blocks = vni_living_blocks(living);
    living->cover = vni_cover_make(allocator);
    living->print_scratch = vni_footprint_scratch_make(allocator);
    living->dense = VNI_NEW_ARRAY(allocator, uint64_t, VNI_BLOCK_BRICKS);
    living->deltas = vni_alloc_zero(allocator, living->history, sizeof *living->deltas);
    living->block_from = vni_alloc_zero(allocator, blocks, sizeof *living->block_from);
    living->cells_from = vni_alloc_zero(allocator, blocks, sizeof *living->cells_from);
    bool ok = living->print_scratch && living->dense && vni_cut_make(allocator, &living->cut) &&
              living->deltas && living->block_from && living->cells_from;
    for (int axis = 0; axis < 3; ++axis) {
        living->seam_from[axis] = vni_alloc_zero(allocator, blocks, sizeof *living->seam_from[axis]);
        living->pairs[axis] = vni_alloc_zero(allocator, blocks, sizeof *living->pairs[axis]);
        ok = ok && living->seam_from[axis] && living->pairs[axis];
    }
#if VOLNAV_THREADS
    living->monitor = vni_monitor_create(allocator);
    ok = ok && living->monitor;
#endif
    return ok;
}

/// The block and the seams that all-free blocks share.
static bool make_open(vni_living* living) {
    static const int32_t whole[3] = {VNI_BLOCK_SIZE, VNI_BLOCK_SIZE, VNI_BLOCK_SIZE};
    living->open_block = vni_cut_block(&living->cut, &living->allocator, NULL, whole);
    bool ok = living->open_block != NULL;
    for (int axis = 0; axis < 3 && ok; ++axis) {
        living->open_seams[axis] =
            vni_cut_seam(&living->cut, &living->allocator, living->open_block, living->open_block, axis);
        ok = living->open_seams[axis] != NULL;
    }
    return ok;
}

/// Is the block all free, and whole? Then its cells are the open ones.
static bool is_open(const vn_space* space, uint32_t block) {
    if (space->occupancy.table[block])
        return false;
    for (int i = 0; i < 3; ++i)
        if (space->cells.dims[i] - space->cells.views[block].low[i] < VNI_BLOCK_SIZE)
            return false;
    return true;
}

/// Version 1: takes over what a bake of what stands still has made. Blocks that are shared become the open
/// ones.
static void adopt(vni_living* living, vn_space* baked, vni_version* v) {
    const vn_allocator* allocator = &living->allocator;
    vni_cells* cells = &baked->cells;
    uint32_t count = vni_living_blocks(living);
    for (uint32_t i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            if (!cells->seams[axis][i] || !is_open(baked, i) || !is_open(baked, i + cells->stride[axis]))
                continue;
            vni_seam_release(allocator, cells->seams[axis][i]);
            cells->seams[axis][i] = living->open_seams[axis];
        }
    for (uint32_t i = 0; i < count; ++i) {
        if (baked->occupancy.table[i])
            vni_block_retain(baked->occupancy.table[i]); // `fixed` has one too
        if (!is_open(baked, i))
            continue;
        vni_cell_block_release(allocator, cells->table[i]);
        cells->table[i] = living->open_block;
        cells->views[i].cells = living->open_block->cells;
        cells->views[i].groups = living->open_block->groups;
    }
    v->space = *baked;
    v->component_capacity = cells->component_base[count];
    v->number = 1;
    living->newest = v;
    for (uint32_t i = 0; i < count; ++i)
        living->block_from[i] = living->cells_from[i] = living->seam_from[0][i] = living->seam_from[1][i] =
            living->seam_from[2][i] = 1;
}

/// `fixed` gets the same blocks as the space, which has them too.
static vn_status share_fixed(vni_living* living, const vn_space* baked, vn_detail* detail) {
    const vn_voxel dims = {baked->occupancy.dims[0], baked->occupancy.dims[1], baked->occupancy.dims[2]};
    vn_status status = vni_occupancy_make(&living->allocator, dims, &living->fixed, detail);
    for (uint32_t i = 0; status == VN_OK && i < vni_living_blocks(living); ++i)
        if (baked->occupancy.table[i])
            vni_occupancy_set_block(&living->fixed, i, baked->occupancy.table[i]);
    return status;
}

static vn_status check_def(const vni_living_def* def, vn_detail* detail) {
    if (def->space.has_seed)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a space that changes cannot have a seed: leave has_seed false");
    if (def->space.unknown == VN_UNKNOWN_REFUSED)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a space that changes cannot refuse unseen space: let it be blocked, or free");
    if (!def->space.cells)
        return vni_fail(detail, VN_UNSUPPORTED, "a space that changes needs cells");
    return VN_OK;
}

/// All obstacles that move, as if they had just been added.
static vn_status add_moving(vni_living* living, const vn_world* world) {
    vn_status status = VN_OK;
    for (uint32_t slot = 0; slot < vni_world_slots(world) && status == VN_OK; ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (!obstacle || !vni_obstacle_moves(obstacle))
            continue;
        const vni_change change = {.slot = slot,
                                   .moving = true,
                                   .is = true,
                                   .before = {{0, 0, 0}, {0, 0, 0}},
                                   .after = obstacle->info.bounds};
        status = vni_living_take_moving(living, world, &change, 1);
    }
    return status;
}

static vn_status apply(vni_living* living) {
    vn_status status = vni_living_rebuild(living);
    if (status != VN_OK)
        return status;
    if (living->touched_count == 0) {
        living->dirty_count = 0;
        return VN_OK;
    }
    status = vni_living_publish(living);
    if (status != VN_OK)
        vni_living_drop_work(living);
    return status;
}

static vn_status fill(vni_living* living, const vn_world* world, vn_space* baked, vn_detail* detail) {
    vni_version* v = VNI_NEW(&living->allocator, vni_version);
    vn_status status = v ? share_fixed(living, baked, detail) : VN_OUT_OF_MEMORY;
    if (status != VN_OK || !make_scratch(living) || !make_open(living)) {
        for (uint32_t i = 0; living->fixed.table && i < vni_living_blocks(living); ++i)
            living->fixed.table[i] = NULL; // they are still the space's alone
        VNI_DELETE(&living->allocator, v);
        vn_space_destroy(baked);
        return status == VN_OK ? VN_OUT_OF_MEMORY : status;
    }
    adopt(living, baked, v);
    VNI_DELETE(&living->allocator, baked);
    status = vni_living_make_pairs(living) ? add_moving(living, world) : VN_OUT_OF_MEMORY;
    return status == VN_OK ? apply(living) : status;
}

vn_status vni_living_make(const vn_world* world, const vni_living_def* def, vni_living** out,
                          vn_detail* detail) {
    VNI_ASSERT(world && def && out);
    *out = NULL;
    vni_extent extent;
    vn_space_def space_def = def->space;
    vn_space* baked = NULL;
    space_def.allocator = def->allocator;
    space_def.jobs = def->jobs;
    vn_status status = check_def(def, detail);
    if (status == VN_OK)
        status = vni_bake_extent(world, &space_def, &extent, detail);
    if (status == VN_OK)
        status = vni_bake(world, &space_def, &extent, true, NULL, &baked, detail);
    if (status != VN_OK)
        return status;
    vni_living* living = VNI_NEW(&def->allocator, vni_living);
    if (!living) {
        vn_space_destroy(baked);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a space that changes");
    }
    living->allocator = def->allocator;
    living->jobs = def->jobs;
    living->history = def->history ? def->history : DEFAULT_HISTORY;
    living->frame = (vni_frame){extent.low, (double)space_def.resolution};
    living->radius = (double)space_def.radius;
    living->without = vni_space_without(baked);
    status = fill(living, world, baked, detail);
    if (status != VN_OK) {
        vni_living_free(living);
        return vni_fail(detail, status, "no memory left for a space that changes");
    }
    *out = living;
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------
// updating

vn_status vni_living_update(vni_living* living, const vn_world* world, const vni_change* changes,
                            uint32_t count, vn_detail* detail) {
    vni_stages_begin(&living->stages);
    vn_status status = vni_living_take_fixed(living, world, changes, count, detail);
    if (status == VN_OK)
        status = vni_living_take_moving(living, world, changes, count);
    vni_stage_end(&living->stages, VNI_STAGE_FOOTPRINT);
    if (status == VN_OK)
        status = apply(living);
    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status,
                        "no memory left for the next version of the space; the last one stays");
    return status;
}

vn_status vni_living_delta(const vni_living* living, uint64_t version, vni_delta* out) {
    if (version <= 1 || version > living->newest->number)
        return VN_BAD_ARGUMENT;
    const vni_delta_room* d = &living->deltas[version % living->history];
    if (d->version != version)
        return VN_STALE;
    *out =
        (vni_delta){version, d->blocked, d->freed, d->cells, d->blocked_count, d->freed_count, d->cell_count};
    return VN_OK;
}

void vni_living_get_stats(const vni_living* living, vni_living_stats* out) {
    *out = living->stats;
}

void vni_living_measure(vni_living* living, uint64_t (*clock)(void* user), void* user) {
    living->stages = (vni_stages){.clock = clock, .user = user};
}

void vni_living_get_stages(const vni_living* living, vni_stages* out) {
    *out = living->stages;
}
