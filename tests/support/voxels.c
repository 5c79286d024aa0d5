#include "voxels.h"
#include "base/alloc.h"
#include "space/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* must(void* block) {
    if (block == NULL) {
        fprintf(stderr, "the test ran out of memory\n");
        abort();
    }
    return block;
}

static size_t index_of(const vnt_voxels* v, int32_t x, int32_t y, int32_t z) {
    return (size_t)x + (size_t)v->dims.x * ((size_t)y + (size_t)v->dims.y * (size_t)z);
}

vnt_voxels vnt_voxels_make(vn_voxel dims) {
    vnt_voxels v = {dims, NULL};
    v.blocked = must(calloc((size_t)dims.x * (size_t)dims.y * (size_t)dims.z, 1));
    return v;
}

void vnt_voxels_free(vnt_voxels* voxels) {
    free(voxels->blocked);
    voxels->blocked = NULL;
}

bool vnt_voxels_are_free(const vnt_voxels* v, int32_t x, int32_t y, int32_t z) {
    if (x < 0 || y < 0 || z < 0 || x >= v->dims.x || y >= v->dims.y || z >= v->dims.z)
        return false;
    return !v->blocked[index_of(v, x, y, z)];
}

void vnt_voxels_block(vnt_voxels* v, int32_t x, int32_t y, int32_t z) {
    v->blocked[index_of(v, x, y, z)] = 1;
}

static void fill_dust(vnt_voxels* v, vni_rng* rng, double density) {
    size_t count = (size_t)v->dims.x * (size_t)v->dims.y * (size_t)v->dims.z;
    for (size_t i = 0; i < count; ++i)
        if (vni_rng_real(rng) < density)
            v->blocked[i] = 1;
}

static void fill_box(vnt_voxels* v, const int32_t low[3], const int32_t high[3], unsigned char value) {
    for (int32_t z = low[2]; z < high[2]; ++z)
        for (int32_t y = low[1]; y < high[1]; ++y)
            for (int32_t x = low[0]; x < high[0]; ++x)
                v->blocked[index_of(v, x, y, z)] = value;
}

static void random_range(vni_rng* rng, int32_t dim, int32_t* low, int32_t* high) {
    int32_t a = vni_rng_range(rng, 0, dim), b = vni_rng_range(rng, 0, dim);
    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

static void fill_boxes(vnt_voxels* v, vni_rng* rng, uint32_t count) {
    const int32_t dims[3] = {v->dims.x, v->dims.y, v->dims.z};
    for (uint32_t i = 0; i < count; ++i) {
        int32_t low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            random_range(rng, dims[k], &low[k], &high[k]);
            if (high[k] - low[k] > dims[k] / 3 + 1)
                high[k] = low[k] + dims[k] / 3 + 1;
        }

        fill_box(v, low, high, 1);
    }
}

/// A wall across one axis with a random window.
static void fill_wall(vnt_voxels* v, vni_rng* rng) {
    const int32_t dims[3] = {v->dims.x, v->dims.y, v->dims.z};
    uint32_t axis = vni_rng_below(rng, 3);
    int32_t low[3] = {0, 0, 0}, high[3] = {dims[0], dims[1], dims[2]};
    low[axis] = vni_rng_range(rng, 0, dims[axis] - 1);
    high[axis] = low[axis] + 1;

    fill_box(v, low, high, 1);
    for (uint32_t k = 0; k < 3; ++k)
        if (k != axis)
            random_range(rng, dims[k], &low[k], &high[k]);

    fill_box(v, low, high, 0);
}

vnt_voxels vnt_voxels_random(vni_rng* rng, vn_voxel dims) {
    vnt_voxels v = vnt_voxels_make(dims);
    uint32_t style = vni_rng_below(rng, 5);
    if (style == 0 || style == 3)
        fill_dust(&v, rng, vni_rng_real(rng) * (style == 0 ? 0.6 : 0.02));

    if (style == 1 || style == 3)
        fill_boxes(&v, rng, 1 + vni_rng_below(rng, 8));

    for (uint32_t walls = style == 2 ? 1 + vni_rng_below(rng, 5) : 0; walls > 0; --walls)
        fill_wall(&v, rng);

    if (style == 4)
        fill_dust(&v, rng, vni_rng_real(rng) * 0.005);

    return v;
}

vn_voxel vnt_random_dims(vni_rng* rng, int32_t limit) {
    vn_voxel dims;
    dims.x = vni_rng_range(rng, 1, limit);
    dims.y = vni_rng_range(rng, 1, limit);
    dims.z = vni_rng_range(rng, 1, limit);
    return dims;
}

static void gather_block(const vnt_voxels* v, int32_t x0, int32_t y0, int32_t z0, uint64_t* dense) {
    memset(dense, 0, VNI_BLOCK_BRICKS * sizeof *dense);
    for (int32_t z = z0; z < z0 + VNI_BLOCK_SIZE && z < v->dims.z; ++z)
        for (int32_t y = y0; y < y0 + VNI_BLOCK_SIZE && y < v->dims.y; ++y)
            for (int32_t x = x0; x < x0 + VNI_BLOCK_SIZE && x < v->dims.x; ++x)
                if (v->blocked[index_of(v, x, y, z)])
                    dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)] |= (uint64_t)1
                                                                                 << vni_bit_of(x, y, z);
}

vn_space* vnt_voxels_space(const vnt_voxels* voxels) {
    static uint64_t dense[VNI_BLOCK_BRICKS];
    vn_allocator allocator = vn_default_allocator();
    vn_space* space = must(VNI_NEW(&allocator, vn_space));
    space->allocator = allocator;

    space->resolution = 1;
    if (vni_occupancy_make(&allocator, voxels->dims, &space->occupancy, NULL) != VN_OK)
        must(NULL);

    const int32_t* blocks = space->occupancy.blocks;
    for (uint32_t i = 0; i < vni_occupancy_block_count(&space->occupancy); ++i) {
        int32_t at = (int32_t)i;
        vni_block* block;
        gather_block(voxels, at % blocks[0] * 64, at / blocks[0] % blocks[1] * 64,
                     at / blocks[0] / blocks[1] * 64, dense);
        if (!vni_block_pack(&allocator, dense, &block))
            must(NULL);

        vni_occupancy_set_block(&space->occupancy, i, block);
    }

    return space;
}

vn_space* vnt_voxels_cells(const vnt_voxels* voxels, const vn_jobs* jobs) {
    vn_space* space = vnt_voxels_space(voxels);
    if (vni_cells_make(&space->allocator, &space->occupancy, jobs, NULL, NULL, &space->cells, NULL) != VN_OK)
        must(NULL);
    return space;
}

bool vnt_random_free_voxel(vni_rng* rng, const vnt_voxels* voxels, vn_voxel* out) {
    for (int i = 0; i < 200; ++i) {
        out->x = vni_rng_range(rng, 0, voxels->dims.x - 1);
        out->y = vni_rng_range(rng, 0, voxels->dims.y - 1);
        out->z = vni_rng_range(rng, 0, voxels->dims.z - 1);
        if (vnt_voxels_are_free(voxels, out->x, out->y, out->z))
            return true;
    }

    return false;
}

vn_point vnt_random_point(vni_rng* rng, vn_voxel dims, int32_t step) {
    vn_point p;
    p.x = vni_rng_range(rng, 0, dims.x * VN_LATTICE / step) * step;
    p.y = vni_rng_range(rng, 0, dims.y * VN_LATTICE / step) * step;
    p.z = vni_rng_range(rng, 0, dims.z * VN_LATTICE / step) * step;
    return p;
}
