/// occupancy/occupancy.c: makes tables of blocks, and packs, shares and counts blocks.
#include "occupancy/occupancy.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"

#include <string.h>

static uint64_t block_size(uint32_t mixed_count) {
    return sizeof(vni_block) + (uint64_t)mixed_count * sizeof(uint64_t);
}

vn_status vni_occupancy_make(const vn_allocator* allocator, vn_voxel dims, vni_occupancy* out,
                             vn_detail* detail) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && out != NULL);

    const int32_t size[3] = {dims.x, dims.y, dims.z};
    uint64_t count = 1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; ++i) {
        if (size[i] < 1)
            return vni_fail(detail, VN_BAD_ARGUMENT, "the space is %d voxels along %c; it needs at least 1",
                            size[i], "xyz"[i]);

        if (size[i] > VNI_MAX_DIM)
            return vni_fail(
                detail, VN_TOO_LARGE,
                "the space is %d voxels along %c, at most %d are possible; choose a coarser resolution",
                size[i], "xyz"[i], VNI_MAX_DIM);

        out->dims[i] = size[i];
        out->blocks[i] = vni_blocks_along(size[i]);
        count *= (uint64_t)out->blocks[i];
    }

    if (count > VNI_MAX_BLOCKS)
        return vni_fail(detail, VN_TOO_LARGE,
                        "%d x %d x %d voxels are %llu blocks of 64^3, at most %u are possible; choose a "
                        "coarser resolution or smaller bounds",
                        size[0], size[1], size[2], (unsigned long long)count, VNI_MAX_BLOCKS);

    out->allocator = *allocator;
    out->table = (vni_block**)vni_alloc_zero(allocator, count, sizeof(vni_block*));
    if (out->table == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the table of %llu blocks",
                        (unsigned long long)count);

    return VN_OK;
}

void vni_occupancy_free(vni_occupancy* occupancy) {
    if (occupancy->table == NULL)
        return;
    uint32_t count = vni_occupancy_block_count(occupancy);
    for (uint32_t i = 0; i < count; ++i)
        vni_block_release(&occupancy->allocator, occupancy->table[i]);

    vni_free(&occupancy->allocator, occupancy->table, count, sizeof(vni_block*));
    memset(occupancy, 0, sizeof *occupancy);
}

// ---------------------------------------------------------------------------------------------- blocks

/// How many of the brick words must be stored: those that are neither empty nor full.
static uint32_t count_mixed(const uint64_t* dense) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i)
        count += dense[i] + 1 > 1; // neither 0 nor all ones
    return count;
}

static bool is_all_zero(const uint64_t* dense) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i)
        any |= dense[i];
    return any == 0;
}

/// Writes the flags of one chunk, and appends its mixed bricks to those of the chunks before it.
static void pack_chunk(vni_block* block, uint32_t chunk, const uint64_t* words) {
    uint64_t some = 0, full = 0;
    block->first[chunk] = (uint16_t)block->mixed_count;
    for (uint32_t brick = 0; brick < 64; ++brick) {
        uint64_t word = words[brick], bit = (uint64_t)1 << brick;
        if (word == 0)
            continue;

        some |= bit;
        if (word == ~(uint64_t)0)
            full |= bit;
        else
            block->bricks[block->mixed_count++] = word;

        block->blocked_voxels += vni_popcount(word);
    }

    block->some[chunk] = some;
    block->full[chunk] = full;
}

bool vni_block_pack(const vn_allocator* allocator, const uint64_t* dense, vni_block** out) {
    VNI_ASSERT(dense != NULL && out != NULL);

    *out = NULL;
    if (is_all_zero(dense))
        return true;

    // count first: a block is one allocation of the exact size
    uint32_t mixed = count_mixed(dense);
    vni_block* block = (vni_block*)vni_alloc(allocator, 1, (size_t)block_size(mixed));
    if (block == NULL)
        return false;

    vni_atomic_store(&block->references, 1);
    block->mixed_count = 0;
    block->blocked_voxels = 0;
    for (uint32_t chunk = 0; chunk < 64; ++chunk)
        pack_chunk(block, chunk, dense + 64 * chunk);

    VNI_ASSERT(block->mixed_count == mixed);

    *out = block;
    return true;
}

void vni_block_unpack(const vni_block* block, uint64_t* dense) {
    if (block == NULL) {
        memset(dense, 0, VNI_BLOCK_BRICKS * sizeof(uint64_t));
        return;
    }

    // stored bricks are in the order of chunk and brick, as the dense words are
    const uint64_t* next = block->bricks;
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i) {
        bool some = block->some[i >> 6] >> (i & 63) & 1, full = block->full[i >> 6] >> (i & 63) & 1;
        dense[i] = full ? ~(uint64_t)0 : some ? *next++ : 0;
    }

    VNI_ASSERT(next == block->bricks + block->mixed_count);
}

void vni_block_retain(vni_block* block) {
    if (block != NULL)
        vni_atomic_add(&block->references, 1);
}

void vni_block_release(const vn_allocator* allocator, vni_block* block) {
    if (block == NULL)
        return;
    VNI_ASSERT(vni_atomic_load(&block->references) > 0);
    if (vni_atomic_add(&block->references, UINT32_MAX) == 1)
        vni_free(allocator, block, 1, (size_t)block_size(block->mixed_count));
}

size_t vni_block_bytes(const vni_block* block) {
    return block != NULL ? (size_t)block_size(block->mixed_count) : 0;
}

void vni_occupancy_set_block(vni_occupancy* occupancy, uint32_t index, vni_block* block) {
    VNI_ASSERT(index < vni_occupancy_block_count(occupancy));
    vni_block* old = occupancy->table[index];
    VNI_ASSERT(old == NULL || occupancy->blocked_voxels >= old->blocked_voxels);
    occupancy->blocked_voxels -= old != NULL ? old->blocked_voxels : 0;
    occupancy->blocked_voxels += block != NULL ? block->blocked_voxels : 0;
    occupancy->table[index] = block;
    vni_block_release(&occupancy->allocator, old);
}

void vni_occupancy_memory(const vni_occupancy* occupancy, vn_memory* out) {
    uint32_t count = vni_occupancy_block_count(occupancy);
    size_t headers = 0, bricks = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_block* block = occupancy->table[i];
        if (block != NULL) {
            headers += sizeof *block;
            bricks += block->mixed_count * sizeof(uint64_t);
        }
    }

    memset(out, 0, sizeof *out);
    vni_memory_add(out, "block table", count * sizeof(vni_block*));
    vni_memory_add(out, "block flags", headers);
    vni_memory_add(out, "bricks", bricks);
}

uint64_t vni_occupancy_hash(const vni_occupancy* occupancy) {
    uint64_t hash = 0;
    uint32_t count = vni_occupancy_block_count(occupancy);
    for (int i = 0; i < 3; ++i)
        hash = vni_hash_mix(hash ^ (uint64_t)occupancy->dims[i]);

    for (uint32_t i = 0; i < count; ++i) {
        const vni_block* block = occupancy->table[i];
        if (block == NULL)
            continue;

        hash = vni_hash_mix(hash ^ i);
        for (uint32_t k = 0; k < 64; ++k)
            hash = vni_hash_mix(vni_hash_mix(hash ^ block->some[k]) + block->full[k]);

        for (uint32_t k = 0; k < block->mixed_count; ++k)
            hash = vni_hash_mix(hash ^ block->bricks[k]);
    }

    return hash;
}
