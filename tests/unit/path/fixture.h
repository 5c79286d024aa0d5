/// tests/unit/path/fixture.h: small voxel maps as spaces, without a world.
#ifndef VNT_PATH_FIXTURE_H
#define VNT_PATH_FIXTURE_H

#include "space/space.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/// Blocks one block's worth of voxels from a dense map, x fastest, 1 = blocked. Dimensions up to 64.
static inline void fixture_fill(vn_space* space, const uint8_t* blocked) {
    const int32_t* dims = space->occupancy.dims;
    uint64_t* dense = calloc(VNI_BLOCK_BRICKS, sizeof *dense);
    assert_non_null(dense);
    for (int32_t z = 0; z < dims[2]; ++z)
        for (int32_t y = 0; y < dims[1]; ++y)
            for (int32_t x = 0; x < dims[0]; ++x) {
                uint64_t bit = blocked[x + dims[0] * (y + dims[1] * z)];
                dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)] |= bit << vni_bit_of(x, y, z);
            }
    vni_block* block = NULL;
    assert_true(vni_block_pack(&space->allocator, dense, &block));
    vni_occupancy_set_block(&space->occupancy, 0, block);
    free(dense);
}

/// `blocked` may be null: all free. Low corner at zero.
static inline vn_space fixture_make(int32_t x, int32_t y, int32_t z, float resolution,
                                    const uint8_t* blocked) {
    vn_space space = {0};
    space.allocator = vn_default_allocator();
    space.resolution = resolution;
    vn_voxel dims = {x, y, z};
    assert_int_equal(vni_occupancy_make(&space.allocator, dims, &space.occupancy, NULL), VN_OK);
    if (blocked)
        fixture_fill(&space, blocked);
    return space;
}

static inline void fixture_free(vn_space* space) {
    vni_occupancy_free(&space->occupancy);
}

#endif
