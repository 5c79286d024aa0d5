/// world/voxels_edit.c: changes the voxels of a sensed set in place, and notes which bricks differ.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/fail.h"
#include "world/sense.h"
#include <string.h>

/// Longest list of changed bricks that a set keeps for the readers of the journal. Beyond it, all of the set
/// counts as changed: without a reader the list would grow for ever.
#define MAX_EDITED (1u << 20)

/// First brick of [first, count) with a key of at least `key`. Gallops: edits ascend and lie close.
static uint32_t seek(const vni_voxels* set, uint32_t first, uint64_t key) {
    uint64_t step = 1, low = first;
    while (low + step < set->brick_count && set->bricks[low + step].key < key) {
        low += step;
        step *= 2;
    }

    uint64_t high = low + step < set->brick_count ? low + step : set->brick_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (set->bricks[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }

    return (uint32_t)low;
}

static bool holds(const vni_voxels* set, uint32_t at, uint64_t key) {
    return at < set->brick_count && set->bricks[at].key == key;
}

/// Bricks that the edits add.
static uint32_t count_new(const vni_voxels* set, const vni_edits* edits) {
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < edits->count; ++i) {
        at = seek(set, at, edits->items[i].key);
        count += edits->items[i].set != 0 && !holds(set, at, edits->items[i].key);
    }

    return count;
}

bool vni_world_reserve_edit(vn_world* world, uint32_t slot, const vni_edits* edits) {
    vni_voxels* set = &world->obstacles[slot].as.voxels;
    const uint64_t edited = (uint64_t)set->edited_count + edits->count;
    const uint64_t bricks = (uint64_t)set->brick_count + count_new(set, edits);
    if (edited <= MAX_EDITED &&
        !vni_grow(&world->allocator, &set->edited, &set->edited_capacity, edited, sizeof *set->edited))
        return false;

    // a grown array is moved: only if it must be
    return bricks <= set->brick_capacity ||
           (bricks <= UINT32_MAX &&
            vni_grow(&world->allocator, &set->bricks, &set->brick_capacity, bricks, sizeof *set->bricks));
}

/// Changes the bricks that exist and lists all keys that differ; returns how many bricks become empty.
static uint32_t change_bricks(vni_voxels* set, const vni_edits* edits, uint64_t* voxels, bool listed) {
    uint32_t empty = 0, at = 0;
    for (uint32_t i = 0; i < edits->count; ++i) {
        const vni_voxel_edit* e = &edits->items[i];
        at = seek(set, at, e->key);
        const bool exists = holds(set, at, e->key);
        const uint64_t was = exists ? set->bricks[at].bits : 0, is = (was & ~e->clear) | e->set;
        if (is == was)
            continue;

        *voxels += vni_popcount(is);
        *voxels -= vni_popcount(was);
        if (listed)
            set->edited[set->edited_count++] = e->key;
        if (!exists)
            continue;
        set->bricks[at].bits = is;
        empty += is == 0;
    }

    return empty;
}

/// Adds the bricks that are new, from the last one down: each run of others between them moves once.
static void insert_bricks(vni_voxels* set, const vni_edits* edits, uint32_t more) {
    uint32_t end = set->brick_count;
    set->brick_count += more;
    for (uint32_t i = edits->count; i-- > 0 && more > 0;) {
        const vni_voxel_edit* e = &edits->items[i];
        uint32_t low = 0, high = end;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (set->bricks[middle].key < e->key)
                low = middle + 1;
            else
                high = middle;
        }

        if (e->set == 0 || (low < end && set->bricks[low].key == e->key))
            continue;
        memmove(set->bricks + low + more, set->bricks + low, (end - low) * sizeof *set->bricks);
        set->bricks[low + --more] = (vni_voxel_brick){e->key, e->set};
        end = low;
    }

    VNI_ASSERT(more == 0);
}

static void drop_empty(vni_voxels* set) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->brick_count; ++i)
        if (set->bricks[i].bits != 0)
            set->bricks[kept++] = set->bricks[i];
    set->brick_count = kept;
}

void vni_world_edit(vn_world* world, uint32_t slot, const vni_edits* edits) {
    vni_obstacle* obstacle = &world->obstacles[slot];
    vni_voxels* set = &obstacle->as.voxels;
    VNI_ASSERT(obstacle->alive && set->sensed);

    const bool listed = (uint64_t)set->edited_count + edits->count <= MAX_EDITED;
    if (listed)
        vni_journal_note_edit(&world->journal, slot, &obstacle->info.bounds);
    else
        vni_journal_note(&world->journal, slot, &obstacle->info.bounds, false);

    const uint32_t more = count_new(set, edits);
    const uint32_t empty = change_bricks(set, edits, &obstacle->info.voxels, listed);
    if (more > 0)
        insert_bricks(set, edits, more);
    if (empty > 0)
        drop_empty(set);

    const double size = (double)set->size;
    obstacle->info.volume = (double)obstacle->info.voxels * size * size * size;
    ++world->revision;
}

// ------------------------------------------------------------------------------------------------ the world

vn_status vn_world_sense(vn_world* world, const vn_sense_batch* batch, uint32_t* outside, vn_detail* detail) {
    VNI_ASSERT(world != NULL && batch != NULL);

    const bool has_unknown = batch->unknown.index1 != 0;
    if (!vn_world_has(world, batch->occupied) || (has_unknown && !vn_world_has(world, batch->unknown)))
        return vni_fail(detail, VN_STALE_ID, "there is no such obstacle any more");

    const uint32_t slots[2] = {batch->occupied.index1 - 1, has_unknown ? batch->unknown.index1 - 1 : 0};
    const vni_map_grid grid = vni_sensed_grid(&world->obstacles[slots[0]]);
    const vni_map_grid other = vni_sensed_grid(&world->obstacles[slots[1]]);
    vn_status status = vni_sense_check(batch, &grid, has_unknown ? &other : NULL, detail);
    if (status != VN_OK)
        return status;

    vni_edits occupied, unknown;
    uint32_t skipped = 0;
    status =
        vni_sense_read(&world->allocator, batch, &grid, world->origin, &occupied, &unknown, &skipped, detail);
    if (status != VN_OK)
        return status;

    if (vni_world_reserve_edit(world, slots[0], &occupied) &&
        (!has_unknown || vni_world_reserve_edit(world, slots[1], &unknown))) {
        vni_world_edit(world, slots[0], &occupied);
        if (has_unknown)
            vni_world_edit(world, slots[1], &unknown);
        if (outside != NULL)
            *outside = skipped;
    } else {
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u more voxels", (unsigned)batch->count);
    }

    vni_edits_free(&world->allocator, &occupied);
    vni_edits_free(&world->allocator, &unknown);
    return status;
}
