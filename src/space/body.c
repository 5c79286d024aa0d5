/// space/body.c: voxelises the blocks around named obstacles.
#include "space/body.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "space/frame.h"
#include "voxelise/voxelise.h"

#include <string.h>

/// Marks the blocks that a box may reach, grown by the radius and a voxel for rounding.
static void want_blocks(const vn_space* space, const vn_box* box, uint8_t* wanted) {
    const double size = (double)space->resolution, grow = (double)space->radius / size + 1;
    const vni_vec min = vni_local_to_voxels(space, box->min), max = vni_local_to_voxels(space, box->max);
    const double low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    int32_t first[3], last[3];
    for (int i = 0; i < 3; ++i) {
        const double end = space->occupancy.dims[i];
        if (high[i] + grow < 0 || low[i] - grow > end)
            return;
        first[i] = (int32_t)vni_clamp(low[i] - grow, 0, end - 1) >> VNI_BLOCK_SHIFT;
        last[i] = (int32_t)vni_clamp(high[i] + grow, 0, end - 1) >> VNI_BLOCK_SHIFT;
    }

    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                wanted[vni_block_index(space->occupancy.blocks, x, y, z)] = 1;
}

/// The blocks of one of the two occupancies.
static vn_status voxelise(const vn_space* space, const vn_world* world, const vni_shape_filter* filter,
                          const vn_allocator* allocator, vni_occupancy* out, vn_detail* detail) {
    const int32_t* dims = space->occupancy.dims;
    const vni_frame frame = vni_space_frame(space);
    const vn_jobs serial = vn_default_space_def().jobs;
    vn_status status = vni_occupancy_make(allocator, (vn_voxel){dims[0], dims[1], dims[2]}, out, detail);
    if (status != VN_OK)
        return status;
    return vni_voxelise(world, filter, &frame, (double)space->radius, &serial, NULL, NULL, out, detail);
}

static vn_status make(const vn_space* space, const vn_world* world, vni_shape_filter* filter,
                      const vn_allocator* allocator, uint8_t* wanted, vni_world_body* out,
                      vn_detail* detail) {
    for (uint32_t i = 0; i < filter->named_count; ++i) {
        const vn_obstacle_id id = filter->named[i];
        if (!vn_world_has(world, id))
            return vni_fail_index(detail, VN_STALE_ID, i, "obstacle %u of `inside` is not in the world",
                                  (unsigned)i);
        want_blocks(space, &vni_world_obstacle(world, id.index1 - 1)->info.bounds, wanted);
    }

    filter->blocks = wanted;
    filter->only_named = true;
    vn_status status = voxelise(space, world, filter, allocator, &out->own, detail);
    if (status != VN_OK)
        return status;

    filter->only_named = false;
    return voxelise(space, world, filter, allocator, &out->others, detail);
}

vn_status vni_world_body_make(const vn_space* space, const vn_world* world, const vn_obstacle_id* ids,
                              uint32_t count, const vn_allocator* allocator, vni_world_body* out,
                              vn_detail* detail) {
    const uint32_t blocks = vni_occupancy_block_count(&space->occupancy);
    vni_shape_filter filter = {.without = vni_space_without(space), .named = ids, .named_count = count};
    memset(out, 0, sizeof *out);
    uint8_t* wanted = vni_alloc_zero(allocator, blocks, 1);
    if (wanted == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the obstacles named in `inside`");

    const vn_status status = make(space, world, &filter, allocator, wanted, out, detail);
    vni_free(allocator, wanted, blocks, 1);
    if (status != VN_OK)
        vni_world_body_free(out);
    return status;
}

void vni_world_body_free(vni_world_body* body) {
    if (body->own.table != NULL)
        vni_occupancy_free(&body->own);
    if (body->others.table != NULL)
        vni_occupancy_free(&body->others);
    memset(body, 0, sizeof *body);
}

bool vni_world_body_holds(const void* user, vn_voxel voxel) {
    const vni_world_body* body = user;
    return vni_occupancy_inside(&body->own, voxel.x, voxel.y, voxel.z) &&
           !vni_occupancy_free_at(&body->own, voxel.x, voxel.y, voxel.z) &&
           vni_occupancy_free_at(&body->others, voxel.x, voxel.y, voxel.z);
}
