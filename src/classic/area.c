/// classic/area.c: sets of voxels by brick.
#include "classic/area.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>

vn_status vni_area_make(const vn_allocator* allocator, const vni_occupancy* occupancy, vni_area* out,
                        vn_detail* detail) {
    vni_area area = {.allocator = *allocator};
    for (int i = 0; i < 3; ++i) {
        area.dims[i] = occupancy->dims[i];
        area.bricks[i] = (occupancy->dims[i] + 3) >> 2;
    }

    *out = (vni_area){0};
    area.words = (uint64_t*)vni_alloc_zero(allocator, vni_area_bricks(&area), sizeof(uint64_t));
    if (area.words == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a set of %d x %d x %d voxels", area.dims[0],
                        area.dims[1], area.dims[2]);

    *out = area;
    return VN_OK;
}

void vni_area_free(vni_area* area) {
    if (area->words != NULL)
        VNI_DELETE_ARRAY(&area->allocator, area->words, vni_area_bricks(area));
    *area = (vni_area){0};
}

vn_voxel vni_area_brick_low(const vni_area* area, uint64_t brick) {
    const uint64_t x = (uint64_t)area->bricks[0], y = (uint64_t)area->bricks[1];
    return (vn_voxel){(int32_t)(brick % x << 2), (int32_t)(brick / x % y << 2),
                      (int32_t)(brick / x / y << 2)};
}

static int32_t clamp(int32_t value, int32_t high) {
    return value < 0 ? 0 : value > high ? high : value;
}

void vni_area_add_box(vni_area* area, vn_voxel low, vn_voxel high) {
    const int32_t from[3] = {clamp(low.x, area->dims[0]), clamp(low.y, area->dims[1]),
                             clamp(low.z, area->dims[2])};
    const int32_t to[3] = {clamp(high.x, area->dims[0]), clamp(high.y, area->dims[1]),
                           clamp(high.z, area->dims[2])};

    for (int32_t z = from[2]; z < to[2]; ++z)
        for (int32_t y = from[1]; y < to[1]; ++y)
            for (int32_t x = from[0]; x < to[0]; ++x) {
                const uint64_t row = (uint64_t)(y >> 2) + (uint64_t)area->bricks[1] * (uint64_t)(z >> 2);
                area->words[(uint64_t)(x >> 2) + (uint64_t)area->bricks[0] * row] |= (uint64_t)1
                                                                                     << vni_bit_of(x, y, z);
            }
}

void vni_area_add_blocked(vni_area* area, const vni_occupancy* fixed, const vni_occupancy* now) {
    VNI_ASSERT(memcmp(area->dims, now->dims, sizeof area->dims) == 0);
    VNI_ASSERT(memcmp(area->dims, fixed->dims, sizeof area->dims) == 0);

    const uint64_t count = vni_area_bricks(area);
    for (uint64_t i = 0; i < count; ++i) {
        const vn_voxel low = vni_area_brick_low(area, i);
        area->words[i] |=
            vni_occupancy_brick(now, low.x, low.y, low.z) & ~vni_occupancy_brick(fixed, low.x, low.y, low.z);
    }
}
