/// nav/restore.c: the sensed sets of a world change places with copies that have the saved voxels, and back
/// if no nav can be made.
#include "nav/restore.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/morton.h"
#include "world/sense.h"

#include <string.h>

static bool brick_fits(const vni_voxel_brick* brick, vn_voxel dims) {
    uint32_t at[3];
    vni_morton_decode(brick->key, &at[0], &at[1], &at[2]);
    const int64_t rest[3] = {dims.x - 4 * (int64_t)at[0], dims.y - 4 * (int64_t)at[1],
                             dims.z - 4 * (int64_t)at[2]};
    if (rest[0] <= 0 || rest[1] <= 0 || rest[2] <= 0)
        return false;
    const uint64_t within =
        vni_brick_span(0, rest[0] < 4 ? (int32_t)rest[0] - 1 : 3, 0, rest[1] < 4 ? (int32_t)rest[1] - 1 : 3,
                       0, rest[2] < 4 ? (int32_t)rest[2] - 1 : 3);
    return (brick->bits & ~within) == 0;
}

static vn_status check_set(const vn_world* world, const vni_saved_set* set, vn_detail* detail) {
    const vni_obstacle* obstacle =
        set->slot < vni_world_slots(world) ? vni_world_obstacle(world, set->slot) : NULL;
    const vni_map_grid grid = obstacle != NULL ? vni_sensed_grid(obstacle) : (vni_map_grid){0};
    bool fits = grid.size > 0;
    for (uint32_t i = 0; i < set->count && fits; ++i)
        fits = brick_fits(&set->bricks[i], grid.dims);

    return fits ? VN_OK
                : vni_fail(detail, VN_STALE,
                           "the file has sensed voxels for obstacle %u, which is no sensed set of that size "
                           "in this world: add the obstacles that the nav had, in the same order",
                           (unsigned)set->slot + 1);
}

/// The obstacle with the saved voxels in place of its own; its `edited` list stays with the old one. False if
/// memory runs out.
static bool copy_set(const vn_allocator* allocator, const vni_saved_set* set, vni_obstacle* out) {
    vni_voxels* voxels = &out->as.voxels;
    voxels->bricks = VNI_NEW_ARRAY(allocator, vni_voxel_brick, set->count);
    voxels->brick_count = set->count;
    voxels->brick_capacity = set->count;
    voxels->edited = NULL;
    voxels->edited_capacity = voxels->edited_count = 0;
    if (set->count > 0 && voxels->bricks == NULL)
        return false;

    if (set->count > 0)
        memcpy(voxels->bricks, set->bricks, set->count * sizeof *set->bricks);
    out->info.voxels = 0;
    for (uint32_t i = 0; i < set->count; ++i)
        out->info.voxels += vni_popcount(set->bricks[i].bits);
    const double size = (double)voxels->size;
    out->info.volume = (double)out->info.voxels * size * size * size;
    return true;
}

static void swap_sets(vn_world* world, vni_restored* restored) {
    for (uint32_t i = 0; i < restored->count; ++i) {
        vni_obstacle* now = &world->obstacles[restored->saved[i].slot];
        const vni_obstacle other = restored->before[i];
        restored->before[i] = *now;
        *now = other;
    }

    ++world->revision;
}

/// Frees the sets that are not in the world.
static void free_others(const vn_world* world, vni_restored* restored, uint32_t made) {
    for (uint32_t i = 0; i < made; ++i) {
        const vni_voxels* voxels = &restored->before[i].as.voxels;
        VNI_DELETE_ARRAY(&world->allocator, voxels->bricks, voxels->brick_capacity);
        VNI_DELETE_ARRAY(&world->allocator, voxels->edited, voxels->edited_capacity);
    }

    VNI_DELETE_ARRAY(&world->allocator, restored->before, restored->count);
    restored->count = 0;
}

vn_status vni_world_restore(vn_world* world, const vni_saved_set* saved, uint32_t count, vni_restored* out,
                            vn_detail* detail) {
    *out = (vni_restored){saved, NULL, count};
    for (uint32_t i = 0; i < count; ++i) {
        const vn_status status = check_set(world, &saved[i], detail);
        if (status != VN_OK)
            return status;
    }

    uint32_t made = 0;
    out->before = VNI_NEW_ARRAY(&world->allocator, vni_obstacle, count);
    bool ok = count == 0 || out->before != NULL;
    for (; ok && made < count; ++made) {
        out->before[made] = world->obstacles[saved[made].slot];
        ok = copy_set(&world->allocator, &saved[made], &out->before[made]);
    }

    if (!ok) {
        free_others(world, out, made);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the sensed voxels");
    }

    if (count > 0)
        swap_sets(world, out);
    return VN_OK;
}

void vni_world_end_restore(vn_world* world, vni_restored* restored, bool keep) {
    if (!keep && restored->count > 0)
        swap_sets(world, restored);
    free_others(world, restored, restored->count);
}
