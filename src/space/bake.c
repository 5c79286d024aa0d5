/// space/bake.c: from a world and a def to a space.
#include "space/space.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "space/fill.h"
#include "space/voxelise.h"

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
    if (!vni_is_finite((double)def->resolution) || !(def->resolution > 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the resolution is %g: it must be above 0 metres",
                        (double)def->resolution);
    if (!vni_is_finite((double)def->radius) || !(def->radius >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the radius is %g: it must be 0 metres or more",
                        (double)def->radius);
    if (!vni_is_finite((double)def->margin) || !(def->margin >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the margin is %g: it must be 0 metres or more",
                        (double)def->margin);
    if (def->has_seed && !is_finite_vec(def->seed))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the seed is not finite");
    return def->has_bounds ? check_bounds(&def->bounds, detail) : VN_OK;
}

// -------------------------------------------------------------------------------------------------- extent

/// Where the grid lies: its low corner in local metres, and its dimensions, not yet checked.
typedef struct extent {
    vn_dvec3 low;
    double voxels[3];
} extent;

/// Voxels that cover `length`, at least 1. A float resolution is only known to 2^-24 of itself: an excess
/// that is smaller than what that makes of the whole length, and than 2^-12 voxel, is none.
static double voxels_for(double length, double size) {
    VNI_ASSERT(length >= 0 && size > 0);
    double exact = length / size, slack = exact * 0x1p-23;
    double count = -floor(-(exact - (slack < 0x1p-12 ? slack : 0x1p-12)));
    return count < 1 ? 1 : count;
}

static extent extent_of_box(const vn_box* box, double margin, double size) {
    VNI_ASSERT(margin >= 0);
    extent e = {{(double)box->min.x - margin, (double)box->min.y - margin, (double)box->min.z - margin},
                {0, 0, 0}};
    e.voxels[0] = voxels_for((double)box->max.x + margin - e.low.x, size);
    e.voxels[1] = voxels_for((double)box->max.y + margin - e.low.y, size);
    e.voxels[2] = voxels_for((double)box->max.z + margin - e.low.z, size);
    return e;
}

/// The grid of a voxel set, with whole voxels of margin on each side.
static extent extent_of_set(const vni_voxels* set, double margin) {
    VNI_ASSERT(set->size > 0 && margin >= 0);
    double size = (double)set->size, more = margin > 0 ? voxels_for(margin, size) : 0;
    extent e = {{(double)set->low.x - more * size, (double)set->low.y - more * size,
                 (double)set->low.z - more * size},
                {set->dims.x + 2 * more, set->dims.y + 2 * more, set->dims.z + 2 * more}};
    return e;
}

/// The voxel set, if that is the only obstacle.
static const vni_voxels* only_set(const vn_world* world) {
    if (vn_world_count(world) != 1)
        return NULL;
    for (uint32_t slot = 0; slot < vni_world_slots(world); slot++) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle)
            return obstacle->info.kind == VN_SHAPE_VOXELS ? &obstacle->as.voxels : NULL;
    }
    return NULL;
}

static vn_status find_extent(const vn_world* world, const vn_space_def* def, extent* out, vn_detail* detail) {
    double size = (double)def->resolution;
    if (def->has_bounds) {
        *out = extent_of_box(&def->bounds, 0, size);
        return VN_OK;
    }
    const vni_voxels* set = only_set(world);
    if (set && set->size == def->resolution) {
        *out = extent_of_set(set, (double)def->margin);
        return VN_OK;
    }
    vn_box box;
    if (!vn_world_bounds(world, &box))
        return vni_fail(detail, VN_BAD_DATA, "the world is empty: add an obstacle, or give the space bounds");
    *out = extent_of_box(&box, (double)def->margin, size);
    return VN_OK;
}

static vn_status check_extent(const extent* e, double size, vn_voxel* dims, vn_detail* detail) {
    static const char* const names[3] = {"x", "y", "z"};
    double blocks = 1;
    VNI_ASSERT(size > 0);
    for (int i = 0; i < 3; i++) {
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

/// Voxel of a coordinate in voxel units: on a shared face the upper one, at the upper bound the last; -1
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

static vn_status keep_region(const vn_space_def* def, vn_voxel seed, vni_occupancy* occupancy,
                             vn_detail* detail) {
    if (!def->has_seed)
        return VN_OK;
    if (!vni_occupancy_free_at(occupancy, seed.x, seed.y, seed.z))
        return vni_fail(detail, VN_START_BLOCKED,
                        "the seed lies in the blocked voxel (%d, %d, %d): move it into free space",
                        (int)seed.x, (int)seed.y, (int)seed.z);
    vn_status status = vni_keep_region(occupancy, seed, def->progress, def->progress_user);
    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status,
                        "no memory left while the region of the seed was filled: use a coarser resolution");
    if (status == VN_CANCELLED)
        return vni_fail(detail, status, "the bake was cancelled by the progress callback");
    return status;
}

// ---------------------------------------------------------------------------------------------------- bake

static vn_status fill_space(const vn_world* world, const vn_space_def* def, const vni_frame* frame,
                            vn_voxel dims, vn_space* space, vn_detail* detail) {
    vn_voxel seed = {0, 0, 0};
    vn_status status = find_seed(def, frame, dims, &seed, detail);
    if (status == VN_OK)
        status = vni_occupancy_make(&def->allocator, dims, &space->occupancy, detail);
    if (status != VN_OK)
        return status;
    VNI_ASSERT(vni_occupancy_block_count(&space->occupancy) > 0);
    status = vni_voxelise(world, frame, (double)def->radius, &def->jobs, def->progress, def->progress_user,
                          &space->occupancy, detail);
    if (status == VN_OK)
        status = keep_region(def, seed, &space->occupancy, detail);
    if (status == VN_OK && def->cells)
        status = vni_cells_make(&def->allocator, &space->occupancy, &def->jobs, def->progress,
                                def->progress_user, &space->cells, detail);
    if (status != VN_OK)
        vni_occupancy_free(&space->occupancy);
    return status;
}

vn_status vn_space_bake(const vn_world* world, const vn_space_def* def, vn_space** out, vn_detail* detail) {
    VNI_ASSERT(world && def && out);
    *out = NULL;
    extent e = {{0, 0, 0}, {0, 0, 0}};
    vn_voxel dims = {0, 0, 0};
    vn_status status = check_def(def, detail);
    if (status == VN_OK)
        status = find_extent(world, def, &e, detail);
    if (status == VN_OK)
        status = check_extent(&e, (double)def->resolution, &dims, detail);
    if (status != VN_OK)
        return status;
    vn_space* space = VNI_NEW(&def->allocator, vn_space);
    if (!space)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the space");
    space->allocator = def->allocator;
    space->origin = vn_world_origin(world);
    space->low = e.low;
    space->resolution = def->resolution;
    space->radius = def->radius;
    vni_frame frame = {e.low, (double)def->resolution};
    status = fill_space(world, def, &frame, dims, space, detail);
    if (status == VN_OK)
        *out = space;
    else
        VNI_DELETE(&def->allocator, space);
    return status;
}

void vn_space_destroy(vn_space* space) {
    if (!space)
        return;
    vn_allocator allocator = space->allocator;
    vni_cells_free(&space->cells);
    vni_occupancy_free(&space->occupancy);
    VNI_DELETE(&allocator, space);
}
