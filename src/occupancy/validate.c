/// occupancy/validate.c: checks that flags, bricks and counts of all blocks agree.
#include "base/fail.h"
#include "occupancy/limit.h"

/// vni_axis_bits, computed by the compiler. A set n of coordinates becomes a set of voxels: along x it is
/// repeated in all 16 rows; along y each of its bits becomes a row of 4, in all 4 planes; along z each
/// becomes a plane of 16.
///
///     n = 0101   X_BITS  0101 0101 0101 0101 ... (all rows)
///                Y_BITS  0000 1111 0000 1111 ... (all planes)
///                Z_BITS  planes 0 and 2
#define X_BITS(n) ((n)*UINT64_C(0x1111111111111111))
#define SPREAD(n, bits, step)                                                                                \
    (((n)&1) * (bits) | ((n) >> 1 & 1) * ((bits) << (step)) | ((n) >> 2 & 1) * ((bits) << 2 * (step)) |      \
     ((n) >> 3) * ((bits) << 3 * (step)))
#define Y_BITS(n) (SPREAD(n, UINT64_C(0xf), 4) * UINT64_C(0x0001000100010001))
#define Z_BITS(n) SPREAD(n, UINT64_C(0xffff), 16)
#define ALL_16(f)                                                                                            \
    { f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15) }

const uint64_t vni_axis_bits[3][16] = {ALL_16(X_BITS), ALL_16(Y_BITS), ALL_16(Z_BITS)};

/// Checks one chunk: what is wrong, or null. `*bricks` is the number of bricks stored for the chunks before
/// it; its own are added, and its blocked voxels to `*blocked`.
static const char* check_chunk(const vni_block* block, uint32_t chunk, uint32_t* bricks, uint32_t* blocked) {
    const uint64_t some = block->some[chunk], full = block->full[chunk];
    const uint32_t first = *bricks, mixed = vni_popcount(some & ~full);
    VNI_ASSERT(first <= block->mixed_count);

    if (full & ~some)
        return "bricks are full but hold nothing";
    if (block->first[chunk] != first)
        return "its bricks do not follow those of the chunk before it";
    if (mixed > block->mixed_count - first)
        return "it has more bricks than the block";

    uint32_t count = 64 * vni_popcount(full);
    bool is_flag = false; // a stored brick that flags would describe: packing is canonical
    for (uint32_t i = first; i < first + mixed; ++i) {
        is_flag = is_flag || block->bricks[i] + 1 <= 1;
        count += vni_popcount(block->bricks[i]);
    }

    *bricks = first + mixed;
    *blocked += count;
    return is_flag ? "a stored brick is all free or all blocked" : NULL;
}

/// Checks that no voxel outside the limit is blocked, in a chunk that is right otherwise.
static const char* check_limit(const vni_block* block, uint32_t chunk, const int32_t limit[3]) {
    for (uint64_t left = block->some[chunk]; left; left &= left - 1) {
        const uint32_t brick = vni_lowest_bit(left);
        if (vni_block_brick(block, chunk, brick) & ~vni_brick_inside(chunk, brick, limit))
            return "a voxel outside the space is blocked";
    }
    return NULL;
}

static vn_status check_block(const vni_occupancy* o, uint32_t index, vn_detail* detail) {
    const vni_block* block = o->table[index];
    uint32_t bricks = 0, blocked = 0;
    int32_t limit[3];
    vni_block_limit(o->dims, o->blocks, index, limit);

    const bool is_whole = vni_limit_is_whole(limit);
    for (uint32_t chunk = 0; chunk < VNI_CHUNK_COUNT; ++chunk) {
        const char* what = check_chunk(block, chunk, &bricks, &blocked);
        if (what == NULL && !is_whole)
            what = check_limit(block, chunk, limit);
        if (what != NULL)
            return vni_fail_index(detail, VN_BAD_DATA, index, "block %u, chunk %u: %s", index, chunk, what);
    }

    if (bricks != block->mixed_count)
        return vni_fail_index(detail, VN_BAD_DATA, index, "block %u: %u bricks are used, but %u are stored",
                              index, bricks, block->mixed_count);

    if (blocked != block->blocked_voxels || blocked == 0)
        return vni_fail_index(detail, VN_BAD_DATA, index, "block %u: %u voxels are blocked, but it says %u%s",
                              index, blocked, block->blocked_voxels,
                              blocked ? "" : "; a free block is not stored");

    return VN_OK;
}

vn_status vni_occupancy_validate(const vni_occupancy* occupancy, vn_detail* detail) {
    VNI_ASSERT(occupancy->table != NULL);

    uint64_t blocked = 0;
    const uint32_t count = vni_occupancy_block_count(occupancy);
    for (uint32_t i = 0; i < count; ++i) {
        if (occupancy->table[i] == NULL)
            continue;
        vn_status status = check_block(occupancy, i, detail);
        if (status != VN_OK)
            return status;
        blocked += occupancy->table[i]->blocked_voxels;
    }

    if (blocked != occupancy->blocked_voxels)
        return vni_fail(detail, VN_BAD_DATA, "%llu voxels are blocked, but the space says %llu",
                        (unsigned long long)blocked, (unsigned long long)occupancy->blocked_voxels);

    return VN_OK;
}
