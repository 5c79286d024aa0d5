/// dynamic/dynamic.c: makes, updates and frees a dynamic layer.
#include "base/alloc.h"
#include "base/fail.h"
#include "dynamic/dynamic_inside.h"
#include "occupancy/limit.h"
#include "space/bake.h"

#include <string.h>

#define DEFAULT_HISTORY 64

// ---------- freeing

static void free_deltas(vni_dynamic* dynamic) {
    for (uint32_t i = 0; dynamic->deltas != NULL && i < dynamic->history; ++i) {
        vni_delta_buffer* d = &dynamic->deltas[i];
        VNI_DELETE_ARRAY(&dynamic->allocator, d->blocked, d->blocked_capacity);
        VNI_DELETE_ARRAY(&dynamic->allocator, d->freed, d->freed_capacity);
        VNI_DELETE_ARRAY(&dynamic->allocator, d->cells, d->cell_capacity);
    }

    VNI_DELETE_ARRAY(&dynamic->allocator, dynamic->deltas, dynamic->history);
}

/// Releases the objects of the newest version. Each object that is not retired is in its tables, and has one
/// reference for that; the open ones have their own.
static void free_newest(vni_dynamic* dynamic) {
    const vn_allocator* allocator = &dynamic->allocator;
    vni_version* v = dynamic->newest;
    for (uint32_t i = 0; v != NULL && i < vni_dynamic_blocks(dynamic); ++i) {
        if (v->space.occupancy.table[i] != NULL)
            vni_block_release(allocator, v->space.occupancy.table[i]);
        if (v->unknown.table != NULL)
            vni_block_release(allocator, v->unknown.table[i]);

        if (v->space.cells.table[i] != dynamic->open_block)
            vni_cell_block_release(allocator, v->space.cells.table[i]);

        for (int axis = 0; axis < 3; ++axis)
            if (v->space.cells.seams[axis][i] != dynamic->open_seams[axis])
                vni_seam_release(allocator, v->space.cells.seams[axis][i]);
    }

    vni_version_free(dynamic, v);
    dynamic->newest = NULL;
}

static void free_versions(vni_dynamic* dynamic) {
    if (dynamic->newest != NULL) {
        // an update that the owner has given up in the middle; without pins only the newest version then
        // remains, and so no retired object
        vni_dynamic_abandon(dynamic);
        vni_dynamic_release_unused(dynamic);
        VNI_ASSERT(dynamic->newest->next == NULL && dynamic->newest->pins == 0 &&
                   dynamic->retired_count == 0);
    }

    free_newest(dynamic);
    while (dynamic->spare != NULL) {
        vni_version* v = dynamic->spare;
        dynamic->spare = v->next;
        vni_version_free(dynamic, v);
    }

    vni_cell_block_release(&dynamic->allocator, dynamic->open_block);
    for (int axis = 0; axis < 3; ++axis)
        vni_seam_release(&dynamic->allocator, dynamic->open_seams[axis]);
}

static void free_scratch(vni_dynamic* dynamic) {
    const vn_allocator* allocator = &dynamic->allocator;
    for (uint64_t i = 0; i < dynamic->print_capacity; ++i)
        vni_footprint_free(allocator, &dynamic->prints[i].bricks);

    VNI_DELETE_ARRAY(allocator, dynamic->prints, dynamic->print_capacity);
    vni_footprint_free(allocator, &dynamic->fresh);
    vni_footprint_scratch_free(allocator, dynamic->print_scratch);
    VNI_DELETE_ARRAY(allocator, dynamic->dirty, dynamic->dirty_capacity);
    VNI_DELETE_ARRAY(allocator, dynamic->sorted, dynamic->sorted_capacity);
    VNI_DELETE_ARRAY(allocator, dynamic->touched, dynamic->touched_capacity);
    VNI_DELETE_ARRAY(allocator, dynamic->unknowns, dynamic->unknown_capacity);
    VNI_DELETE(allocator, dynamic->sense_scratch);
    for (int i = 0; i < 2; ++i)
        VNI_DELETE_ARRAY(allocator, dynamic->sensed_chunks[i], vni_dynamic_blocks(dynamic));
    VNI_DELETE_ARRAY(allocator, dynamic->seams, dynamic->seam_capacity);
    VNI_DELETE_ARRAY(allocator, dynamic->retired, dynamic->retired_capacity);
    for (uint32_t i = 0; dynamic->lanes != NULL && i < dynamic->lane_count; ++i)
        vni_lane_free(allocator, &dynamic->lanes[i]);

    VNI_DELETE_ARRAY(allocator, dynamic->lanes, dynamic->lane_count);
}

void vni_dynamic_free(vni_dynamic* dynamic) {
    if (dynamic == NULL)
        return;
    vn_allocator allocator = dynamic->allocator;
    uint32_t blocks = vni_dynamic_blocks(dynamic);
    free_versions(dynamic);
    free_scratch(dynamic);
    free_deltas(dynamic);

    VNI_DELETE_ARRAY(&allocator, dynamic->block_from, blocks);
    VNI_DELETE_ARRAY(&allocator, dynamic->unknown_from, blocks);
    VNI_DELETE_ARRAY(&allocator, dynamic->cells_from, blocks);
    for (int axis = 0; axis < 3; ++axis) {
        VNI_DELETE_ARRAY(&allocator, dynamic->seam_from[axis], blocks);
        for (uint32_t i = 0; dynamic->pairs[axis] != NULL && i < blocks; ++i)
            vni_pairs_free(dynamic, &dynamic->pairs[axis][i]);
        VNI_DELETE_ARRAY(&allocator, dynamic->pairs[axis], blocks);
    }

    for (int i = 0; i < 2; ++i)
        vni_cover_free(&dynamic->covers[i]);
    for (int i = 0; i < VNI_STATICS; ++i)
        vni_occupancy_free(&dynamic->statics[i]);
#if VOLNAV_THREADS
    if (dynamic->monitor != NULL)
        vni_monitor_destroy(&allocator, dynamic->monitor);
#endif
    VNI_DELETE(&allocator, dynamic);
}

// ---------- making

static bool make_scratch(vni_dynamic* dynamic) {
    const vn_allocator* allocator = &dynamic->allocator;
    uint32_t blocks = vni_dynamic_blocks(dynamic);

    // Failures are collected: vni_dynamic_free releases whatever was made.
    dynamic->covers[0] = vni_cover_make(allocator);
    dynamic->covers[1] = vni_cover_make(allocator);
    dynamic->print_scratch = vni_footprint_scratch_make(allocator);
    dynamic->lanes = vni_alloc_zero(allocator, dynamic->lane_count, sizeof *dynamic->lanes);
    dynamic->deltas = vni_alloc_zero(allocator, dynamic->history, sizeof *dynamic->deltas);
    dynamic->block_from = vni_alloc_zero(allocator, blocks, sizeof *dynamic->block_from);
    dynamic->unknown_from = vni_alloc_zero(allocator, blocks, sizeof *dynamic->unknown_from);
    dynamic->cells_from = vni_alloc_zero(allocator, blocks, sizeof *dynamic->cells_from);
    bool ok = dynamic->print_scratch != NULL && dynamic->lanes != NULL &&
              vni_dynamic_lane(dynamic, 0) != NULL && dynamic->deltas != NULL &&
              dynamic->block_from != NULL && dynamic->unknown_from != NULL && dynamic->cells_from != NULL;

    for (int axis = 0; axis < 3; ++axis) {
        dynamic->seam_from[axis] = vni_alloc_zero(allocator, blocks, sizeof *dynamic->seam_from[axis]);
        dynamic->pairs[axis] = vni_alloc_zero(allocator, blocks, sizeof *dynamic->pairs[axis]);
        ok = ok && dynamic->seam_from[axis] != NULL && dynamic->pairs[axis] != NULL;
    }

#if VOLNAV_THREADS
    dynamic->monitor = vni_monitor_create(allocator);
    ok = ok && dynamic->monitor != NULL;
#endif
    return ok;
}

/// The cells and seams that all-free blocks share.
static bool make_open(vni_dynamic* dynamic) {
    static const int32_t whole[3] = {VNI_BLOCK_SIZE, VNI_BLOCK_SIZE, VNI_BLOCK_SIZE};
    vni_cut* cut = &dynamic->lanes[0].cut;
    dynamic->open_block = vni_cut_block(cut, &dynamic->allocator, NULL, whole);
    bool ok = dynamic->open_block != NULL;
    for (int axis = 0; axis < 3 && ok; ++axis) {
        dynamic->open_seams[axis] =
            vni_cut_seam(cut, &dynamic->allocator, dynamic->open_block, dynamic->open_block, axis);
        ok = dynamic->open_seams[axis] != NULL;
    }

    return ok;
}

/// Is the block whole and all free? Then its cells are the open ones.
static bool is_open(const vn_space* space, uint32_t block) {
    int32_t limit[3];
    vni_block_limit_at(space->cells.dims, space->cells.views[block].low, limit);
    return space->occupancy.table[block] == NULL && vni_limit_is_whole(limit);
}

/// Makes version 1 from a bake of the static obstacles, whose objects and tables it takes over. Open space is
/// shared in the bake too; its cells and seams are replaced by those of the dynamic layer, so that they are
/// told by pointer.
static void adopt(vni_dynamic* dynamic, vn_space* baked, vni_version* v) {
    const vn_allocator* allocator = &dynamic->allocator;
    vni_cells* cells = &baked->cells;
    uint32_t count = vni_dynamic_blocks(dynamic);
    for (uint32_t i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            if (cells->seams[axis][i] == NULL || !is_open(baked, i) ||
                !is_open(baked, i + cells->stride[axis]))
                continue;
            vni_seam_release(allocator, cells->seams[axis][i]);
            cells->seams[axis][i] = dynamic->open_seams[axis];
        }

    for (uint32_t i = 0; i < count; ++i) {
        if (!is_open(baked, i))
            continue;
        vni_cell_block_release(allocator, cells->table[i]);
        cells->table[i] = dynamic->open_block;
        cells->views[i].cells = dynamic->open_block->cells;
        cells->views[i].groups = dynamic->open_block->groups;
    }

    // by value: the version has the tables now, and only the shell of `baked` is freed
    v->space = *baked;
    v->unknown = baked->unknown;
    vni_version_show_unknown(v);
    v->component_capacity = cells->component_base[count];
    v->number = 1;
    dynamic->newest = v;
    for (uint32_t i = 0; i < count; ++i)
        dynamic->block_from[i] = dynamic->unknown_from[i] = dynamic->cells_from[i] =
            dynamic->seam_from[0][i] = dynamic->seam_from[1][i] = dynamic->seam_from[2][i] = 1;
}

/// The statics that the obstacles of the layer belong to, as bits; moving ones count if `with_moving`.
static uint32_t statics_in_use(const vni_dynamic* dynamic, const vn_world* world, bool with_moving) {
    uint32_t used = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle != NULL && !(obstacle->info.flags & dynamic->without) &&
            (with_moving || !vni_obstacle_moves(obstacle)))
            used |= 1u << vni_dynamic_static_of(dynamic, obstacle);
    }

    return used;
}

static void share_blocks(const vni_occupancy* from, vni_occupancy* to) {
    for (uint32_t i = 0; i < vni_occupancy_block_count(to); ++i) {
        vni_block_retain(from->table[i]);
        vni_occupancy_set_block(to, i, from->table[i]);
    }
}

/// Fills `statics`. The baked space has all of them in one: if there is only one kind, it is that one, else
/// each is voxelised.
static vn_status make_statics(vni_dynamic* dynamic, const vn_world* world, const vn_space* baked,
                              bool with_moving, vn_detail* detail) {
    const vn_voxel dims = {baked->occupancy.dims[0], baked->occupancy.dims[1], baked->occupancy.dims[2]};
    const uint32_t used = statics_in_use(dynamic, world, with_moving);
    const bool only_one = (used & (used - 1)) == 0;
    vn_status status = vni_occupancy_make(&dynamic->allocator, dims, &dynamic->statics[VNI_FIXED], detail);
    for (uint32_t i = 0; i < VNI_STATICS && status == VN_OK; ++i) {
        if (!(used >> i & 1))
            continue;
        if (!vni_dynamic_make_static(dynamic, i))
            return VN_OUT_OF_MEMORY;

        const vni_shape_filter filter = vni_dynamic_static_filter(dynamic, i);
        if (only_one)
            share_blocks(&baked->occupancy, &dynamic->statics[i]);
        else
            status = vni_voxelise(world, &filter, &dynamic->frame, dynamic->radius, &dynamic->jobs, NULL,
                                  NULL, &dynamic->statics[i], detail);
    }

    return status;
}

static vn_status check_def(const vni_dynamic_def* def, vn_detail* detail) {
    if (def->space.has_seed)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a space that changes cannot have a seed: leave has_seed false");

    if (!def->space.cells)
        return vni_fail(detail, VN_UNSUPPORTED, "a space that changes needs cells");
    return VN_OK;
}

/// Takes all moving obstacles, as if they had just been added.
static vn_status add_moving(vni_dynamic* dynamic, const vn_world* world) {
    vn_status status = VN_OK;
    for (uint32_t slot = 0; slot < vni_world_slots(world) && status == VN_OK; ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || !vni_obstacle_moves(obstacle))
            continue;

        const vni_change change = {.slot = slot,
                                   .moving = true,
                                   .is = true,
                                   .before = {{0, 0, 0}, {0, 0, 0}},
                                   .after = obstacle->info.bounds};
        status = vni_dynamic_take_moving(dynamic, world, &change);
    }

    return status;
}

/// Takes over `baked`, also on failure.
static vn_status fill(vni_dynamic* dynamic, const vn_world* world, vn_space* baked, bool with_moving,
                      vn_detail* detail) {
    const vn_voxel dims = {baked->occupancy.dims[0], baked->occupancy.dims[1], baked->occupancy.dims[2]};
    vni_version* v = VNI_NEW(&dynamic->allocator, vni_version);
    vn_status status =
        v != NULL ? make_statics(dynamic, world, baked, with_moving, detail) : VN_OUT_OF_MEMORY;

    // a version that refuses unknown space has a table of it, also while there is none
    if (status == VN_OK && dynamic->refuses && baked->unknown.table == NULL)
        status = vni_occupancy_make(&dynamic->allocator, dims, &baked->unknown, detail);

    if (status != VN_OK || !make_scratch(dynamic) || !make_open(dynamic)) {
        VNI_DELETE(&dynamic->allocator, v);
        vn_space_destroy(baked);
        return status == VN_OK ? VN_OUT_OF_MEMORY : status;
    }

    adopt(dynamic, baked, v);
    VNI_DELETE(&dynamic->allocator, baked);
    return vni_dynamic_make_pairs(dynamic) ? VN_OK : VN_OUT_OF_MEMORY;
}

/// Version 1 from a space in which everything that is blocked counts as static. Takes over `baked`, also on
/// failure.
static vn_status make_from(const vn_world* world, const vni_dynamic_def* def, vn_space* baked,
                           bool with_moving, vni_dynamic** out, vn_detail* detail) {
    vni_dynamic* dynamic = VNI_NEW(&def->allocator, vni_dynamic);
    if (dynamic == NULL) {
        vn_space_destroy(baked);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a space that changes");
    }

    baked->region = 0;
    dynamic->allocator = def->allocator;
    dynamic->jobs = def->jobs;
    dynamic->history = def->history ? def->history : DEFAULT_HISTORY;
    dynamic->without_cells = def->without_cells;
    dynamic->lane_count = def->lanes ? def->lanes : 1;
    dynamic->frame = (vni_frame){baked->low, (double)baked->resolution};
    dynamic->radius = (double)baked->radius;
    dynamic->without = vni_space_without(baked);
    dynamic->refuses = baked->unknown_policy == VN_UNKNOWN_REFUSED;

    vn_status status = fill(dynamic, world, baked, with_moving, detail);
    if (status != VN_OK) {
        vni_dynamic_free(dynamic);
        return vni_fail(detail, status, "no memory left for a space that changes");
    }

    *out = dynamic;
    return VN_OK;
}

vn_status vni_dynamic_make_baked(const vn_world* world, const vn_space* baked, const vni_dynamic_def* def,
                                 vni_dynamic** out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && baked != NULL && def != NULL && out != NULL && vni_space_has_cells(baked));

    *out = NULL;
    vn_space* shared = vni_space_share(baked, &def->allocator);
    if (shared == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a space that changes");
    return make_from(world, def, shared, true, out, detail);
}

vn_status vni_dynamic_make(const vn_world* world, const vni_dynamic_def* def, vni_dynamic** out,
                           vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL && out != NULL);

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

    if (status == VN_OK)
        status = make_from(world, def, baked, false, out, detail);
    if (status != VN_OK)
        return status;

    // The moving obstacles come as the first update: no change, but dirty bricks.
    status = add_moving(*out, world);
    if (status == VN_OK)
        status = vni_dynamic_update(*out, world, NULL, 0, detail);
    if (status == VN_OK)
        return VN_OK;

    vni_dynamic_free(*out);
    *out = NULL;
    return vni_fail(detail, status, "no memory left for a space that changes");
}

// ---------- updating

vn_status vni_dynamic_update(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                             uint32_t count, vn_detail* detail) {
    vni_update_piece piece;
    vni_dynamic_begin(dynamic, world, changes, count, detail);
    while (vni_dynamic_claim(dynamic, &piece)) {
        vni_dynamic_run(dynamic, &piece, 0, UINT64_MAX);
        vni_dynamic_end(dynamic, &piece);
    }

    vn_status status = VN_OK;
    const bool done = vni_dynamic_is_done(dynamic, &status);
    VNI_ASSERT(done);
    (void)done;
    return status;
}

vn_status vni_dynamic_delta(const vni_dynamic* dynamic, uint64_t version, vni_delta* out) {
    if (version <= 1 || version > dynamic->newest->number)
        return VN_BAD_ARGUMENT;
    const vni_delta_buffer* d = &dynamic->deltas[version % dynamic->history];
    if (d->version != version)
        return VN_STALE;

    *out =
        (vni_delta){version, d->blocked, d->freed, d->cells, d->blocked_count, d->freed_count, d->cell_count};
    return VN_OK;
}

void vni_dynamic_get_stats(const vni_dynamic* dynamic, vni_dynamic_stats* out) {
    *out = dynamic->stats;
}

void vni_dynamic_measure(vni_dynamic* dynamic, uint64_t (*clock)(void* user), void* user) {
    for (uint32_t i = 0; i < dynamic->lane_count; ++i)
        dynamic->lanes[i].stages = (vni_stages){.clock = clock, .user = user};
}

void vni_dynamic_get_stages(const vni_dynamic* dynamic, vni_stages* out) {
    *out = (vni_stages){0};
    for (uint32_t i = 0; i < dynamic->lane_count; ++i)
        for (uint32_t k = 0; k < VNI_STAGES; ++k)
            out->spent[k] += dynamic->lanes[i].stages.spent[k];
}
