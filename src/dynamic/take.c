/// dynamic/take.c: turns changes of the world into dirty bricks.
///
/// Moving obstacles are cheap to move: each has a footprint, and the difference of two footprints updates the
/// counts in `cover`. Static ones are cheap to keep: they are voxelised together, block by block, and a
/// change voxelises all blocks near it again. Both ways, a brick is noted as dirty before or with its change,
/// and taking the same change twice does no harm: after a failure the update is repeated.
#include "base/alloc.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

bool vni_dynamic_reserve_dirty(vni_dynamic* dynamic, uint32_t more) {
    return vni_grow(&dynamic->allocator, &dynamic->dirty, &dynamic->dirty_capacity,
                    (uint64_t)dynamic->dirty_count + more, sizeof *dynamic->dirty);
}

const vni_obstacle* vni_dynamic_obstacle_of(const vni_dynamic* dynamic, const vn_world* world,
                                            const vni_change* change) {
    const vni_obstacle* obstacle = change->is ? vni_world_obstacle(world, change->slot) : NULL;
    return obstacle != NULL && !(obstacle->info.flags & dynamic->without) ? obstacle : NULL;
}

static bool is_unknown(const vni_dynamic* dynamic, const vni_obstacle* obstacle) {
    return dynamic->refuses && (obstacle->info.flags & VN_FLAG_UNKNOWN);
}

uint32_t vni_dynamic_static_of(const vni_dynamic* dynamic, const vni_obstacle* obstacle) {
    return (vni_obstacle_is_sensed(obstacle) ? 1u : 0u) + (is_unknown(dynamic, obstacle) ? 2u : 0u);
}

vni_shape_filter vni_dynamic_static_filter(const vni_dynamic* dynamic, uint32_t index) {
    const bool unknown = index >= VNI_UNKNOWN_FIXED;
    return (vni_shape_filter){.without =
                                  dynamic->without | (dynamic->refuses && !unknown ? VN_FLAG_UNKNOWN : 0),
                              .only = unknown ? VN_FLAG_UNKNOWN : 0,
                              .fixed = true,
                              .sensed = index & VNI_SENSED ? VNI_SENSED_ONLY : VNI_WITHOUT_SENSED};
}

bool vni_dynamic_make_static(vni_dynamic* dynamic, uint32_t index) {
    const int32_t* dims = dynamic->statics[VNI_FIXED].dims;
    return dynamic->statics[index].table != NULL ||
           vni_occupancy_make(&dynamic->allocator, (vn_voxel){dims[0], dims[1], dims[2]},
                              &dynamic->statics[index], NULL) == VN_OK;
}

/// Does a cover hold a moving obstacle of this slot?
static bool tracks(const vni_dynamic* dynamic, uint32_t slot) {
    return slot < dynamic->print_capacity && dynamic->prints[slot].moves;
}

// ---------- moving obstacles

static const vni_footprint no_bricks = {NULL, 0, 0};

/// Moves the cover from the bricks of `old` to those of `fresh`, and notes those that differ: a merge of two
/// lists in order. Memory has been reserved.
static void change_cover(vni_dynamic* dynamic, vni_cover* cover, const vni_footprint* old,
                         const vni_footprint* fresh) {
    uint32_t i = 0, k = 0;
    while (i < old->count || k < fresh->count) {
        uint64_t a = i < old->count ? vni_brick_key(old->bricks[i].block, old->bricks[i].brick) : UINT64_MAX;
        uint64_t b =
            k < fresh->count ? vni_brick_key(fresh->bricks[k].block, fresh->bricks[k].brick) : UINT64_MAX;
        // the lower key is next; where both lists have it, both advance
        uint64_t key = a < b ? a : b;
        uint64_t was = a == key ? old->bricks[i++].bits : 0, is = b == key ? fresh->bricks[k++].bits : 0;

        if (was == is)
            continue;
        vni_cover_change(cover, key, was & ~is, is & ~was);
        vni_dynamic_note(dynamic, key);
    }
}

static bool reserve_prints(vni_dynamic* dynamic, uint32_t slot) {
    uint64_t before = dynamic->print_capacity;
    if (slot < before)
        return true;
    if (!vni_grow(&dynamic->allocator, &dynamic->prints, &dynamic->print_capacity, (uint64_t)slot + 1,
                  sizeof *dynamic->prints))
        return false;

    memset(dynamic->prints + before, 0, (size_t)(dynamic->print_capacity - before) * sizeof *dynamic->prints);
    return true;
}

/// Brings cover and footprint of one slot up to date.
vn_status vni_dynamic_take_moving(vni_dynamic* dynamic, const vn_world* world, const vni_change* change) {
    const vni_obstacle* obstacle = vni_dynamic_obstacle_of(dynamic, world, change);
    bool moves = obstacle != NULL && vni_obstacle_moves(obstacle);
    if (!moves && !tracks(dynamic, change->slot))
        return VN_OK;
    if (!reserve_prints(dynamic, change->slot))
        return VN_OUT_OF_MEMORY;

    vni_print* print = &dynamic->prints[change->slot];
    dynamic->fresh.count = 0;
    if (moves) {
        vn_status status =
            vni_footprint_of(obstacle, &dynamic->frame, dynamic->radius, dynamic->statics[VNI_FIXED].dims,
                             &dynamic->allocator, dynamic->print_scratch, &dynamic->fresh);
        if (status != VN_OK)
            return status;
    }

    // all allocations come before the first change, so that a failure leaves the old state
    const bool unknown = moves && is_unknown(dynamic, obstacle);
    vni_cover *from = &dynamic->covers[print->unknown], *to = &dynamic->covers[unknown];
    if (!vni_cover_reserve(to, dynamic->fresh.count) ||
        !vni_dynamic_reserve_dirty(dynamic, dynamic->fresh.count + print->bricks.count))
        return VN_OUT_OF_MEMORY;

    // the footprints change roles: the old one is the buffer of the next obstacle
    if (from != to)
        change_cover(dynamic, from, &print->bricks, &no_bricks);
    change_cover(dynamic, to, from == to ? &print->bricks : &no_bricks, &dynamic->fresh);
    vni_footprint swap = print->bricks;
    print->bricks = dynamic->fresh;
    dynamic->fresh = swap;
    print->moves = moves;
    print->unknown = unknown;

    return VN_OK;
}

// ---------- static obstacles

/// Blocks along one axis that an obstacle at [low, high] (local metres) may reach, grown by the radius and a
/// voxel for rounding. Last below first: none.
static void block_range(const vni_dynamic* dynamic, double low, double high, int axis, int32_t* first,
                        int32_t* last) {
    const double corner[3] = {dynamic->frame.low.x, dynamic->frame.low.y, dynamic->frame.low.z};
    double size = dynamic->frame.size, grow = dynamic->radius / size + 1;
    double end = (double)dynamic->statics[VNI_FIXED].blocks[axis] * VNI_BLOCK_SIZE - 1;
    double from = vni_clamp((low - corner[axis]) / size - grow, -1, end + 1);
    double to = vni_clamp((high - corner[axis]) / size + grow, -1, end + 1);
    *first = (int32_t)(vni_clamp(from, 0, end)) >> VNI_BLOCK_SHIFT;
    *last = (int32_t)(vni_clamp(to, 0, end)) >> VNI_BLOCK_SHIFT;

    if (to < 0 || from > end)
        *last = *first - 1; // all of it lies outside
}

/// Marks the blocks that a box may reach.
static void want_box(const vni_dynamic* dynamic, const vn_box* box, uint8_t* wanted) {
    int32_t first[3], last[3];
    block_range(dynamic, (double)box->min.x, (double)box->max.x, 0, &first[0], &last[0]);
    block_range(dynamic, (double)box->min.y, (double)box->max.y, 1, &first[1], &last[1]);
    block_range(dynamic, (double)box->min.z, (double)box->max.z, 2, &first[2], &last[2]);
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                wanted[vni_block_index(dynamic->statics[VNI_FIXED].blocks, x, y, z)] = 1;
}

/// Marks the blocks of statics[index] near static obstacles that have changed, before and after; `wanted` may
/// be null. False if there are none. A slot that a cover tracks was moving before. What it was else is not
/// known: it may be in any of the statics. Sets of which only some voxels changed are for sensed.c.
static bool want_blocks(const vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                        uint32_t count, uint32_t index, uint8_t* wanted) {
    const bool has_any = dynamic->statics[index].blocked_voxels > 0;
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_change* c = &changes[i];
        const vni_obstacle* obstacle = c->is ? vni_world_obstacle(world, c->slot) : NULL;
        bool before = has_any && !c->edited && c->was && !tracks(dynamic, c->slot),
             after = !c->edited && obstacle != NULL && !vni_obstacle_moves(obstacle) &&
                     vni_dynamic_static_of(dynamic, obstacle) == index;
        any = any || before || after;
        if (before && wanted != NULL)
            want_box(dynamic, &c->before, wanted);

        if (after && wanted != NULL)
            want_box(dynamic, &c->after, wanted);
    }

    return any;
}

/// Notes the bricks in which two blocks (null: all free) differ.
static bool note_differences(vni_dynamic* dynamic, uint32_t index, const vni_block* a, const vni_block* b) {
    for (uint32_t brick = 0; brick < VNI_BLOCK_BRICKS; ++brick) {
        uint64_t was = a != NULL ? vni_block_brick(a, brick >> 6, brick & 63) : 0;
        uint64_t is = b != NULL ? vni_block_brick(b, brick >> 6, brick & 63) : 0;
        if (was == is)
            continue;
        if (!vni_dynamic_reserve_dirty(dynamic, 1))
            return false;

        vni_dynamic_note(dynamic, vni_brick_key(index, brick));
    }

    return true;
}

/// Puts the wanted blocks of `now` into `to`. False if memory runs out: blocks that were not replaced yet
/// still differ when the update is tried again.
static bool take_blocks(vni_dynamic* dynamic, vni_occupancy* to, vni_occupancy* now, const uint8_t* wanted) {
    for (uint32_t i = 0; i < vni_dynamic_blocks(dynamic); ++i) {
        vni_block* block = now->table[i];
        if (!wanted[i])
            continue;
        if (!note_differences(dynamic, i, to->table[i], block))
            return false;

        if (block != NULL)
            vni_block_retain(block);

        vni_occupancy_set_block(to, i, block);
    }

    return true;
}

/// Voxelises the wanted blocks of statics[index] again.
static vn_status take_wanted(vni_dynamic* dynamic, const vn_world* world, uint32_t index,
                             const uint8_t* wanted, vn_detail* detail) {
    // from all obstacles of this kind, into an occupancy that is empty elsewhere
    vni_occupancy now;
    const int32_t* dims = dynamic->statics[VNI_FIXED].dims;
    vni_shape_filter filter = vni_dynamic_static_filter(dynamic, index);
    filter.blocks = wanted;

    vn_status status =
        vni_occupancy_make(&dynamic->allocator, (vn_voxel){dims[0], dims[1], dims[2]}, &now, detail);
    if (status != VN_OK)
        return status;

    status = vni_voxelise(world, &filter, &dynamic->frame, dynamic->radius, &dynamic->jobs, NULL, NULL, &now,
                          detail);
    if (status == VN_OK && !take_blocks(dynamic, &dynamic->statics[index], &now, wanted))
        status = VN_OUT_OF_MEMORY;

    vni_occupancy_free(&now);
    return status;
}

vn_status vni_dynamic_take_fixed(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                 uint32_t count, vn_detail* detail) {
    vn_status status = VN_OK;
    for (uint32_t index = 0; index < VNI_STATICS && status == VN_OK; ++index) {
        if (!want_blocks(dynamic, world, changes, count, index, NULL))
            continue;
        uint8_t* wanted = vni_alloc_zero(&dynamic->allocator, vni_dynamic_blocks(dynamic), 1);
        status = VN_OUT_OF_MEMORY;
        if (wanted != NULL && vni_dynamic_make_static(dynamic, index)) {
            want_blocks(dynamic, world, changes, count, index, wanted);
            status = take_wanted(dynamic, world, index, wanted, detail);
        }

        vni_free(&dynamic->allocator, wanted, vni_dynamic_blocks(dynamic), 1);
    }

    return status;
}
