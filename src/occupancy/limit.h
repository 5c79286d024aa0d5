/// occupancy/limit.h: the part of a block, and of its bricks, that lies inside the space: blocks at the upper
/// faces may stick out.
#ifndef VNI_OCCUPANCY_LIMIT_H
#define VNI_OCCUPANCY_LIMIT_H

#include "occupancy/occupancy.h"

/// [axis][set of coordinates 0 to 3, as bits]: the voxels of a brick (bricks of a chunk, chunks of a block)
/// whose coordinate along the axis is in the set.
extern const uint64_t vni_axis_bits[3][16];

/// The limit of a block with this low corner: its voxels [0, limit) lie inside the space.
static inline void vni_block_limit_at(const int32_t dims[3], const int32_t low[3], int32_t limit[3]) {
    for (int i = 0; i < 3; ++i) {
        const int32_t left = dims[i] - low[i];
        limit[i] = left < VNI_BLOCK_SIZE ? left : VNI_BLOCK_SIZE;
        VNI_ASSERT(limit[i] > 0);
    }
}

/// The same by its place in the table.
static inline void vni_block_limit(const int32_t dims[3], const int32_t blocks[3], uint32_t block,
                                   int32_t limit[3]) {
    int32_t low[3];
    vni_block_low(blocks, block, low);
    vni_block_limit_at(dims, low, limit);
}

/// Does all of the block lie inside?
static inline bool vni_limit_is_whole(const int32_t limit[3]) {
    return limit[0] == VNI_BLOCK_SIZE && limit[1] == VNI_BLOCK_SIZE && limit[2] == VNI_BLOCK_SIZE;
}

/// Which of the four coordinates from `first` on lie below `end`, as bits.
static inline uint32_t vni_places_below(int32_t first, int32_t end) {
    int32_t count = end - first;
    return count <= 0 ? 0u : count >= 4 ? 15u : (1u << count) - 1;
}

/// The voxels of a brick that lie inside the limit.
static inline uint64_t vni_brick_inside(uint32_t chunk, uint32_t brick, const int32_t limit[3]) {
    uint64_t inside = ~(uint64_t)0;
    VNI_ASSERT(chunk < 64 && brick < 64);
    for (int i = 0; i < 3; ++i) {
        int32_t low = (int32_t)(16 * (chunk >> 2 * i & 3) + 4 * (brick >> 2 * i & 3));
        inside &= vni_axis_bits[i][vni_places_below(low, limit[i])];
    }

    return inside;
}

#endif
