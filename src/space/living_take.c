/// space/living_take.c: changes of the world become bricks that may have changed.
#include "base/alloc.h"
#include "space/living_parts.h"

#include <string.h>

bool vni_living_reserve_dirty(vni_living* living, uint32_t more) {
    return vni_grow(&living->allocator, &living->dirty, &living->dirty_capacity,
                    (uint64_t)living->dirty_count + more, sizeof *living->dirty);
}

/// The obstacle that a change left in its slot, if it counts for this layer; else null.
static const vni_obstacle* obstacle_of(const vni_living* living, const vn_world* world,
                                       const vni_change* change) {
    const vni_obstacle* obstacle = change->is ? vni_world_obstacle(world, change->slot) : NULL;
    return obstacle && !(obstacle->info.flags & living->without) ? obstacle : NULL;
}

static bool tracks(const vni_living* living, uint32_t slot) {
    return slot < living->print_capacity && living->prints[slot].moves;
}

// ------------------------------------------------------------------------------------------------ what moves

/// Moves the cover from the bricks of `old` to those of `fresh`, both in order, and notes those that differ.
static void change_cover(vni_living* living, const vni_footprint* old, const vni_footprint* fresh) {
    uint32_t i = 0, k = 0;
    while (i < old->count || k < fresh->count) {
        uint64_t a = i < old->count ? vni_brick_key(old->bricks[i].block, old->bricks[i].brick) : UINT64_MAX;
        uint64_t b =
            k < fresh->count ? vni_brick_key(fresh->bricks[k].block, fresh->bricks[k].brick) : UINT64_MAX;
        uint64_t key = a < b ? a : b;
        uint64_t was = a == key ? old->bricks[i++].bits : 0, is = b == key ? fresh->bricks[k++].bits : 0;
        if (was == is)
            continue;
        vni_cover_change(&living->cover, key, was & ~is, is & ~was);
        vni_living_note(living, key);
    }
}

static bool reserve_prints(vni_living* living, uint32_t slot) {
    uint64_t before = living->print_capacity;
    if (slot < before)
        return true;
    if (!vni_grow(&living->allocator, &living->prints, &living->print_capacity, (uint64_t)slot + 1,
                  sizeof *living->prints))
        return false;
    memset(living->prints + before, 0, (living->print_capacity - before) * sizeof *living->prints);
    return true;
}

static vn_status take_one(vni_living* living, const vn_world* world, const vni_change* change) {
    const vni_obstacle* obstacle = obstacle_of(living, world, change);
    bool moves = obstacle && vni_obstacle_moves(obstacle);
    if (!moves && !tracks(living, change->slot))
        return VN_OK;
    if (!reserve_prints(living, change->slot))
        return VN_OUT_OF_MEMORY;
    vni_print* print = &living->prints[change->slot];
    living->fresh.count = 0;
    if (moves) {
        vn_status status = vni_footprint_of(obstacle, &living->frame, living->radius, living->fixed.dims,
                                            &living->allocator, living->print_scratch, &living->fresh);
        if (status != VN_OK)
            return status;
    }
    if (!vni_cover_reserve(&living->cover, living->fresh.count) ||
        !vni_living_reserve_dirty(living, living->fresh.count + print->bricks.count))
        return VN_OUT_OF_MEMORY;
    change_cover(living, &print->bricks, &living->fresh);
    vni_footprint swap = print->bricks;
    print->bricks = living->fresh;
    living->fresh = swap;
    print->moves = moves;
    return VN_OK;
}

vn_status vni_living_take_moving(vni_living* living, const vn_world* world, const vni_change* changes,
                                 uint32_t count) {
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < count && status == VN_OK; ++i)
        status = take_one(living, world, &changes[i]);
    return status;
}

// -------------------------------------------------------------------------------------------- what stands
// still

/// Blocks along one axis that [low, high] (local metres) may reach, with room for the radius and for
/// rounding.
static void block_range(const vni_living* living, double low, double high, int axis, int32_t* first,
                        int32_t* last) {
    const double corner[3] = {living->frame.low.x, living->frame.low.y, living->frame.low.z};
    double size = living->frame.size, grow = living->radius / size + 1;
    double end = (double)living->fixed.blocks[axis] * VNI_BLOCK_SIZE - 1;
    double from = vni_clamp((low - corner[axis]) / size - grow, -1, end + 1);
    double to = vni_clamp((high - corner[axis]) / size + grow, -1, end + 1);
    *first = (int32_t)(vni_clamp(from, 0, end)) >> VNI_BLOCK_SHIFT;
    *last = (int32_t)(vni_clamp(to, 0, end)) >> VNI_BLOCK_SHIFT;
    if (to < 0 || from > end)
        *last = *first - 1; // all of it lies outside
}

static void want_box(const vni_living* living, const vn_box* box, uint8_t* wanted) {
    int32_t first[3], last[3];
    block_range(living, (double)box->min.x, (double)box->max.x, 0, &first[0], &last[0]);
    block_range(living, (double)box->min.y, (double)box->max.y, 1, &first[1], &last[1]);
    block_range(living, (double)box->min.z, (double)box->max.z, 2, &first[2], &last[2]);
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                wanted[x + living->fixed.blocks[0] * (y + living->fixed.blocks[1] * z)] = 1;
}

/// Marks the blocks near obstacles that stand still and have changed. False if there are none.
static bool want_blocks(const vni_living* living, const vn_world* world, const vni_change* changes,
                        uint32_t count, uint8_t* wanted) {
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_change* c = &changes[i];
        const vni_obstacle* obstacle = c->is ? vni_world_obstacle(world, c->slot) : NULL;
        bool before = c->was && !tracks(living, c->slot), after = obstacle && !vni_obstacle_moves(obstacle);
        any = any || before || after;
        if (before && wanted)
            want_box(living, &c->before, wanted);
        if (after && wanted)
            want_box(living, &c->after, wanted);
    }
    return any;
}

/// Notes the bricks in which two blocks (null: all free) differ.
static bool note_differences(vni_living* living, uint32_t index, const vni_block* a, const vni_block* b) {
    for (uint32_t brick = 0; brick < VNI_BLOCK_BRICKS; ++brick) {
        uint64_t was = a ? vni_block_brick(a, brick >> 6, brick & 63) : 0;
        uint64_t is = b ? vni_block_brick(b, brick >> 6, brick & 63) : 0;
        if (was == is)
            continue;
        if (!vni_living_reserve_dirty(living, 1))
            return false;
        vni_living_note(living, vni_brick_key(index, brick));
    }
    return true;
}

/// Puts the wanted blocks of `now` into `fixed`. False if memory ran out in between: a block that was not
/// taken over differs still when it is tried again.
static bool take_blocks(vni_living* living, vni_occupancy* now, const uint8_t* wanted) {
    for (uint32_t i = 0; i < vni_living_blocks(living); ++i) {
        vni_block* block = now->table[i];
        if (!wanted[i])
            continue;
        if (!note_differences(living, i, living->fixed.table[i], block))
            return false;
        if (block)
            vni_block_retain(block);
        vni_occupancy_set_block(&living->fixed, i, block);
    }
    return true;
}

vn_status vni_living_take_fixed(vni_living* living, const vn_world* world, const vni_change* changes,
                                uint32_t count, vn_detail* detail) {
    if (!want_blocks(living, world, changes, count, NULL))
        return VN_OK;
    uint8_t* wanted = vni_alloc_zero(&living->allocator, vni_living_blocks(living), 1);
    if (!wanted)
        return VN_OUT_OF_MEMORY;
    want_blocks(living, world, changes, count, wanted);
    vni_occupancy now;
    const vn_voxel dims = {living->fixed.dims[0], living->fixed.dims[1], living->fixed.dims[2]};
    const vni_shape_filter filter = {.without = living->without, .fixed = true, .blocks = wanted};
    vn_status status = vni_occupancy_make(&living->allocator, dims, &now, detail);
    if (status == VN_OK) {
        status = vni_voxelise(world, &filter, &living->frame, living->radius, &living->jobs, NULL, NULL, &now,
                              detail);
        if (status == VN_OK && !take_blocks(living, &now, wanted))
            status = VN_OUT_OF_MEMORY;
        vni_occupancy_free(&now);
    }
    vni_free(&living->allocator, wanted, vni_living_blocks(living), 1);
    return status;
}
