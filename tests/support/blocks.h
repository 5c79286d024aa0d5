/// tests/support/blocks.h: random 64^3 blocks whose voxels can be changed, with their cells.
#ifndef VNT_BLOCKS_H
#define VNT_BLOCKS_H

#include "cells/cut.h"
#include "cmocka_all.h"
#include "voxels.h"

#include <string.h>

/// Voxels that change, and what was last made of them.
typedef struct vnt_block {
    uint64_t dense[VNI_BLOCK_BRICKS];
    int32_t limit[3];
    vni_block* block;
    vni_cell_block* cells;
} vnt_block;

static inline uint64_t* vnt_block_word(vnt_block* m, int32_t x, int32_t y, int32_t z) {
    return &m->dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)];
}

static inline void vnt_block_set(vnt_block* m, int32_t x, int32_t y, int32_t z, bool blocked) {
    const uint64_t bit = (uint64_t)1 << vni_bit_of(x, y, z);
    uint64_t* word = vnt_block_word(m, x, y, z);
    *word = blocked ? *word | bit : *word & ~bit;
}

static inline void vnt_block_pack(vnt_block* m, const vn_allocator* allocator) {
    vni_block_release(allocator, m->block);
    assert_true(vni_block_pack(allocator, m->dense, &m->block));
}

/// A random block, often one at the rim; its cells are cut.
static inline void vnt_block_make(vnt_block* m, vni_rng* rng, vni_cut* cut, const vn_allocator* allocator) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 3; ++i)
        m->limit[i] = vni_rng_below(rng, 4) ? VNI_BLOCK_SIZE : vni_rng_range(rng, 1, VNI_BLOCK_SIZE);

    vn_voxel dims = {m->limit[0], m->limit[1], m->limit[2]};
    const bool empty = vni_rng_below(rng, 5) == 0;
    vnt_voxels voxels = empty ? vnt_voxels_make(dims) : vnt_voxels_random(rng, dims);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if (!vnt_voxels_are_free(&voxels, x, y, z))
                    vnt_block_set(m, x, y, z, true);

    vnt_voxels_free(&voxels);
    vnt_block_pack(m, allocator);
    m->cells = vni_cut_block(cut, allocator, m->block, m->limit);
    assert_non_null(m->cells);
}

static inline void vnt_block_free(vnt_block* m, const vn_allocator* allocator) {
    vni_block_release(allocator, m->block);
    vni_cell_block_release(allocator, m->cells);
}

/// Sets a box, cut to the limit; returns the chunks that it lies in.
static inline uint64_t vnt_block_set_box(vnt_block* m, const int32_t low[3], const int32_t size[3],
                                         bool blocked) {
    uint64_t chunks = 0;
    for (int32_t z = low[2]; z < low[2] + size[2] && z < m->limit[2]; ++z)
        for (int32_t y = low[1]; y < low[1] + size[1] && y < m->limit[1]; ++y)
            for (int32_t x = low[0]; x < low[0] + size[0] && x < m->limit[0]; ++x) {
                vnt_block_set(m, x, y, z, blocked);
                chunks |= (uint64_t)1 << vni_chunk_of(x, y, z);
            }

    return chunks;
}

#endif
