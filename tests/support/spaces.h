/// tests/support/spaces.h: spaces without a world, from an array of bytes or all free.
#ifndef VNT_SPACES_H
#define VNT_SPACES_H

#include "cmocka_all.h"
#include "space/space.h"
#include <stdlib.h>

/// Blocks voxels by a dense map, x fastest, 1 = blocked. Dimensions up to 64.
static inline void vnt_space_fill(vn_space* space, const uint8_t* blocked) {
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

/// `blocked` may be null: all free, and then of any size. Low corner at zero.
static inline vn_space vnt_space_make(int32_t x, int32_t y, int32_t z, float resolution,
                                      const uint8_t* blocked) {
    vn_space space = {0};
    space.allocator = vn_default_allocator();
    space.resolution = resolution;
    vn_voxel dims = {x, y, z};

    assert_int_equal(vni_occupancy_make(&space.allocator, dims, &space.occupancy, NULL), VN_OK);
    if (blocked != NULL)
        vnt_space_fill(&space, blocked);

    return space;
}

static inline void vnt_space_free(vn_space* space) {
    vni_occupancy_free(&space->occupancy);
}

#endif
