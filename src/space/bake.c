/// space/bake.c: bakes a space: extent, voxels, unknown voxels, region of the seed, cells.
#include "space/bake.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "occupancy/limit.h"
#include "space/space.h"
#include "voxelise/fill.h"
#include "voxelise/stamp.h"

#define COOKIE 0x73706163u

vn_space_def vn_default_space_def(void) {
    vn_space_def def = {.allocator = vn_default_allocator(),
                        .jobs = vn_serial_jobs(),
                        .resolution = 1,
                        .cells = true,
                        .cookie = COOKIE};
    return def;
}

static bool is_finite_vec(vn_vec3 v) {
    return vni_is_finite((double)v.x) && vni_is_finite((double)v.y) && vni_is_finite((double)v.z);
}

static vn_status check_bounds(const vn_box* box, vn_detail* detail) {
    if (!is_finite_vec(box->min) || !is_finite_vec(box->max))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the bounds of the space are not finite");
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the bounds of the space are upside down: min must not exceed max");
    return VN_OK;
}

static vn_status check_def(const vn_space_def* def, vn_detail* detail) {
    if (def->cookie != COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "the space def was not made by vn_default_space_def()");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (!vni_jobs_are_valid(&def->jobs))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the jobs lack a function or have no worker");

    if (!(def->resolution >= VNI_MIN_RESOLUTION && def->resolution <= VNI_MAX_RESOLUTION))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the resolution is %g: it must be from 1e-9 to 1e9 metres",
                        (double)def->resolution);

    if (!vni_is_finite((double)def->radius) || !(def->radius >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the radius is %g: it must be 0 metres or more",
                        (double)def->radius);

    if (!vni_is_finite((double)def->margin) || !(def->margin >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the margin is %g: it must be 0 metres or more",
                        (double)def->margin);

    if ((int)def->unknown < VN_UNKNOWN_BLOCKED || (int)def->unknown > VN_UNKNOWN_REFUSED)
        return vni_fail(detail, VN_BAD_ARGUMENT, "unknown is %d: use one of VN_UNKNOWN_...",
                        (int)def->unknown);

    if (def->has_seed && !is_finite_vec(def->seed))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the seed is not finite");
    return def->has_bounds ? check_bounds(&def->bounds, detail) : VN_OK;
}

// -------------------------------------------------------------------------------------------------- extent

/// The grid before its size is checked: low corner in local metres, voxels along each axis.
typedef struct wanted {
    vn_dvec3 low;
    double voxels[3];
} wanted;

/// Number of voxels that cover `length`, at least 1. A float resolution is accurate to 2^-24 only: an excess
/// below the error that this makes over the whole length (and below 2^-12 voxel) does not need another voxel.
static double voxels_for(double length, double size) {
    VNI_ASSERT(length >= 0 && size > 0);
    double exact = length / size, slack = exact * 0x1p-23;
    double count = -floor(-(exact - (slack < 0x1p-12 ? slack : 0x1p-12)));
    return count < 1 ? 1 : count;
}

static wanted extent_of_box(const vn_box* box, double margin, double size) {
    VNI_ASSERT(margin >= 0);
    wanted e = {{(double)box->min.x - margin, (double)box->min.y - margin, (double)box->min.z - margin},
                {0, 0, 0}};
    e.voxels[0] = voxels_for((double)box->max.x + margin - e.low.x, size);
    e.voxels[1] = voxels_for((double)box->max.y + margin - e.low.y, size);
    e.voxels[2] = voxels_for((double)box->max.z + margin - e.low.z, size);

    return e;
}

/// The grid of a voxel set, with a margin of whole voxels on each side.
static wanted extent_of_set(const vni_voxels* set, double margin) {
    VNI_ASSERT(set->size > 0 && margin >= 0);
    double size = (double)set->size, more = margin > 0 ? voxels_for(margin, size) : 0;
    wanted e = {{(double)set->low.x - more * size, (double)set->low.y - more * size,
                 (double)set->low.z - more * size},
                {set->dims.x + 2 * more, set->dims.y + 2 * more, set->dims.z + 2 * more}};
    return e;
}

static bool same_grid(const vni_voxels* a, const vni_voxels* b) {
    return a->size == b->size && a->low.x == b->low.x && a->low.y == b->low.y && a->low.z == b->low.z &&
           a->dims.x == b->dims.x && a->dims.y == b->dims.y && a->dims.z == b->dims.z;
}

/// One of the voxel sets if the world consists of voxel sets on one grid, else null: then that grid is used.
static const vni_voxels* common_set(const vn_world* world) {
    const vni_voxels* set = NULL;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL)
            continue;
        if (obstacle->info.kind != VN_SHAPE_VOXELS || (set != NULL && !same_grid(set, &obstacle->as.voxels)))
            return NULL;
        set = &obstacle->as.voxels;
    }

    return set;
}

static vn_status find_extent(const vn_world* world, const vn_space_def* def, wanted* out, vn_detail* detail) {
    double size = (double)def->resolution;
    if (def->has_bounds) {
        *out = extent_of_box(&def->bounds, 0, size);
        return VN_OK;
    }

    const vni_voxels* set = common_set(world);
    if (set != NULL && set->size == def->resolution) {
        *out = extent_of_set(set, (double)def->margin);
        return VN_OK;
    }

    vn_box box;
    if (!vn_world_get_bounds(world, &box))
        return vni_fail(detail, VN_BAD_DATA, "the world is empty: add an obstacle, or give the space bounds");

    *out = extent_of_box(&box, (double)def->margin, size);
    return VN_OK;
}

static vn_status check_extent(const wanted* e, double size, vn_voxel* dims, vn_detail* detail) {
    static const char* const names[3] = {"x", "y", "z"};
    double blocks = 1;
    VNI_ASSERT(size > 0);

    for (int i = 0; i < 3; ++i) {
        if (!(e->voxels[i] <= VNI_MAX_DIM))
            return vni_fail(detail, VN_TOO_LARGE,
                            "the space would be %g voxels along %s, and the limit is %d: use a resolution of "
                            "%g metres or "
                            "coarser, or smaller bounds",
                            e->voxels[i], names[i], VNI_MAX_DIM, 1.001 * size * e->voxels[i] / VNI_MAX_DIM);

        blocks *= floor((e->voxels[i] + (VNI_BLOCK_SIZE - 1)) / VNI_BLOCK_SIZE);
    }

    if (blocks > VNI_MAX_BLOCKS)
        return vni_fail(
            detail, VN_TOO_LARGE,
            "the space would be %g x %g x %g voxels, %g blocks of 64^3, and the limit is %u: use a coarser "
            "resolution (twice as coarse needs an eighth) or smaller bounds",
            e->voxels[0], e->voxels[1], e->voxels[2], blocks, VNI_MAX_BLOCKS);

    VNI_ASSERT(e->voxels[0] >= 1 && e->voxels[1] >= 1 && e->voxels[2] >= 1);

    *dims = (vn_voxel){(int32_t)e->voxels[0], (int32_t)e->voxels[1], (int32_t)e->voxels[2]};
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------- seed

/// The voxel of a coordinate in voxel units: the upper one on a face, the last one at the upper bound, -1
/// outside.
static int32_t voxel_along(double at, int32_t dims) {
    if (!(at >= 0 && at <= dims))
        return -1;
    return at == dims ? dims - 1 : (int32_t)floor(at);
}

static vn_status find_seed(const vn_space_def* def, const vni_frame* frame, vn_voxel dims, vn_voxel* out,
                           vn_detail* detail) {
    if (!def->has_seed)
        return VN_OK;
    vni_vec at = vni_to_frame(frame, vni_v_from(def->seed));
    *out = (vn_voxel){voxel_along(at.x, dims.x), voxel_along(at.y, dims.y), voxel_along(at.z, dims.z)};
    if (out->x < 0 || out->y < 0 || out->z < 0)
        return vni_fail(detail, VN_OUTSIDE,
                        "the seed (%g, %g, %g) lies outside the space: move it inside, or enlarge the bounds",
                        (double)def->seed.x, (double)def->seed.y, (double)def->seed.z);

    return VN_OK;
}

/// Blocks all voxels. Blocks that lie fully inside the dimensions share one.
static vn_status close_all(vni_occupancy* o, vn_detail* detail) {
    uint64_t* dense = VNI_NEW_ARRAY(&o->allocator, uint64_t, VNI_BLOCK_BRICKS);
    vni_block* whole = NULL;
    bool ok = dense != NULL;
    for (uint32_t i = 0; ok && i < vni_occupancy_block_count(o); ++i) {
        int32_t low[3], limit[3];
        vni_block_low(o->blocks, i, low);
        vni_block_limit_at(o->dims, low, limit);
        const bool is_whole = vni_limit_is_whole(limit);
        vni_block* block = is_whole ? whole : NULL;

        vni_block_retain(block);
        for (int32_t k = 0; block == NULL && k < VNI_BLOCK_BRICKS; ++k) {
            int32_t x = k % 16 * 4, y = k / 16 % 16 * 4, z = k / 256 * 4;
            dense[vni_dense_index(x, y, z)] = vni_brick_within(o->dims, low[0] + x, low[1] + y, low[2] + z);
        }

        ok = block != NULL || vni_block_pack(&o->allocator, dense, &block);
        if (ok)
            vni_occupancy_set_block(o, i, block);

        whole = is_whole ? block : whole;
    }

    VNI_DELETE_ARRAY(&o->allocator, dense, VNI_BLOCK_BRICKS);
    return ok ? VN_OK : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left to close a space without a seed");
}

static vn_status keep_region(const vn_space_def* def, vn_voxel seed, bool* seed_blocked, vn_space* space,
                             vn_detail* detail) {
    if (!def->has_seed)
        return VN_OK;
    vni_occupancy* occupancy = &space->occupancy;
    bool blocked = !vni_occupancy_free_at(occupancy, seed.x, seed.y, seed.z);
    if (blocked && seed_blocked != NULL) {
        *seed_blocked = true;
        return close_all(occupancy, detail);
    }

    if (blocked)
        return vni_fail(detail, VN_BLOCKED,
                        "the seed lies in the blocked voxel (%d, %d, %d)%s: move it into free space",
                        (int)seed.x, (int)seed.y, (int)seed.z,
                        vn_space_point_unknown(space, vn_voxel_center(seed)) ? ", which is unknown" : "");

    vn_status status = vni_keep_region(occupancy, seed, def->progress, def->progress_user);
    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status,
                        "no memory left while the region of the seed was filled: use a coarser resolution");

    if (status == VN_CANCELLED)
        return vni_fail(detail, status, "the bake was cancelled by the progress callback");
    return status;
}

// ----------------------------------------------------------------------------------------------- unknown

/// known |= unknown, unknown &= ~known, for one block. `dense` is scratch for two blocks.
static bool part_block(vni_occupancy* known, vni_occupancy* unknown, uint32_t index, uint64_t* dense) {
    vni_block *all = unknown->table[index], *rest = NULL;
    if (all == NULL)
        return true;

    if (known->table[index] == NULL) {
        vni_block_retain(all);
        vni_occupancy_set_block(known, index, all);
        return true;
    }

    // Known obstacles win: a voxel that is blocked anyway is not unknown.
    uint64_t *seen = dense, *unseen = dense + VNI_BLOCK_BRICKS;
    vni_block_unpack(known->table[index], seen);
    vni_block_unpack(all, unseen);
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i) {
        unseen[i] &= ~seen[i];
        seen[i] |= unseen[i];
    }

    if (!vni_block_pack(&unknown->allocator, unseen, &rest))
        return false;
    vni_occupancy_set_block(unknown, index, rest);
    if (!vni_block_pack(&known->allocator, seen, &all))
        return false;

    vni_occupancy_set_block(known, index, all);
    return true;
}

static vn_status part_all(vni_occupancy* known, vni_occupancy* unknown, vn_detail* detail) {
    uint64_t* dense = VNI_NEW_ARRAY(&known->allocator, uint64_t, 2 * VNI_BLOCK_BRICKS);
    bool ok = dense != NULL;
    for (uint32_t i = 0; ok && i < vni_occupancy_block_count(known); ++i)
        ok = part_block(known, unknown, i, dense);
    VNI_DELETE_ARRAY(&known->allocator, dense, 2 * VNI_BLOCK_BRICKS);
    return ok ? VN_OK : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the unknown voxels");
}

// ---------------------------------------------------------------------------------------------------- bake

static vn_status voxelise(const vn_world* world, const vn_space_def* def, const vni_frame* frame,
                          vni_shape_filter filter, vni_occupancy* occupancy, vn_detail* detail) {
    return vni_voxelise(world, &filter, frame, (double)def->radius, &def->jobs, def->progress,
                        def->progress_user, occupancy, detail);
}

static bool has_unknown(const vn_world* world, vni_shape_filter filter) {
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle != NULL && vni_filter_takes(&filter, obstacle))
            return true;
    }
    return false;
}

/// Voxelises unknown space into space->unknown, and adds it to the occupancy.
static vn_status add_unknown(const vn_world* world, const vn_space_def* def, const vni_frame* frame,
                             vn_space* space, vn_detail* detail) {
    const int32_t* dims = space->occupancy.dims;
    vni_shape_filter filter = {.without = def->open_flags, .only = VN_FLAG_UNKNOWN};
    if (def->unknown != VN_UNKNOWN_REFUSED || !has_unknown(world, filter))
        return VN_OK;

    vn_status status =
        vni_occupancy_make(&def->allocator, (vn_voxel){dims[0], dims[1], dims[2]}, &space->unknown, detail);
    if (status == VN_OK)
        status = voxelise(world, def, frame, filter, &space->unknown, detail);
    if (status == VN_OK)
        status = part_all(&space->occupancy, &space->unknown, detail);

    if (status != VN_OK || space->unknown.blocked_voxels == 0)
        vni_occupancy_free(&space->unknown);

    return status;
}

static vn_status fill_space(const vn_world* world, const vn_space_def* def, const vni_extent* extent,
                            bool fixed, bool* seed_blocked, vn_space* space, vn_detail* detail) {
    vni_frame frame = {extent->low, (double)def->resolution};
    vni_shape_filter filter = {.without = def->open_flags, .fixed = fixed};
    if (def->unknown != VN_UNKNOWN_BLOCKED)
        filter.without |= VN_FLAG_UNKNOWN;

    // The seed is checked before the expensive part; the region is cut after unknown space is blocked, and
    // cells are made last, of what remains.
    vn_voxel seed = {0, 0, 0};
    vn_status status = find_seed(def, &frame, extent->dims, &seed, detail);
    if (status == VN_OK)
        status = vni_occupancy_make(&def->allocator, extent->dims, &space->occupancy, detail);
    if (status == VN_OK)
        status = voxelise(world, def, &frame, filter, &space->occupancy, detail);
    if (status == VN_OK)
        status = add_unknown(world, def, &frame, space, detail);
    if (status == VN_OK)
        status = keep_region(def, seed, seed_blocked, space, detail);
    if (status == VN_OK)
        vni_space_share_unknown(space); // cutting to a region has made copies of equal blocks
    if (status == VN_OK && def->cells)
        status = vni_cells_make(&def->allocator, &space->occupancy, &def->jobs, def->progress,
                                def->progress_user, &space->cells, detail);

    return status;
}

vn_status vni_bake_extent(const vn_world* world, const vn_space_def* def, vni_extent* out,
                          vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL && out != NULL);
    wanted e = {{0, 0, 0}, {0, 0, 0}};
    vn_status status = check_def(def, detail);
    if (status == VN_OK)
        status = find_extent(world, def, &e, detail);

    out->low = e.low;
    return status == VN_OK ? check_extent(&e, (double)def->resolution, &out->dims, detail) : status;
}

vn_status vni_bake(const vn_world* world, const vn_space_def* def, const vni_extent* extent, bool fixed,
                   bool* seed_blocked, vn_space** out, vn_detail* detail) {
    VNI_ASSERT(extent->dims.x > 0 && extent->dims.y > 0 && extent->dims.z > 0);

    *out = NULL;
    vn_space* space = VNI_NEW(&def->allocator, vn_space);
    if (space == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the space");

    space->allocator = def->allocator;
    space->origin = vn_world_origin(world);
    space->low = extent->low;
    space->resolution = def->resolution;
    space->radius = def->radius;
    space->open_flags = def->open_flags;
    space->unknown_policy = def->unknown;

    vn_status status = fill_space(world, def, extent, fixed, seed_blocked, space, detail);
    if (status == VN_OK)
        *out = space;
    else
        vn_space_destroy(space);

    return status;
}

vn_status vn_space_bake(const vn_world* world, const vn_space_def* def, vn_space** out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL && out != NULL);
    *out = NULL;
    vni_extent extent;
    vn_status status = vni_bake_extent(world, def, &extent, detail);
    return status == VN_OK ? vni_bake(world, def, &extent, false, NULL, out, detail) : status;
}

void vn_space_destroy(vn_space* space) {
    if (space == NULL)
        return;
    vn_allocator allocator = space->allocator;
    vni_cells_free(&space->cells);
    vni_occupancy_free(&space->unknown);
    vni_occupancy_free(&space->occupancy);
    VNI_DELETE(&allocator, space);
}
