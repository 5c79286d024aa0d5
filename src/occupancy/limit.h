/// occupancy/limit.h: the part of a block at the end of the space that lies inside it.
#ifndef VNI_OCCUPANCY_LIMIT_H
#define VNI_OCCUPANCY_LIMIT_H

#include "occupancy/occupancy.h"

/// The voxels of a brick (the bricks of a chunk, the chunks of a block) whose coordinate along an axis is one
/// of a set of four.
extern const uint64_t vni_axis_bits[3][16];

/// A block of which only [0, limit) lies inside the space.
static inline void vni_block_limit(const int32_t dims[3], const int32_t blocks[3], uint32_t block,
                                   int32_t limit[3]) {
    const uint32_t x = (uint32_t)blocks[0], y = (uint32_t)blocks[1];
    const uint32_t at[3] = {block % x, block / x % y, block / x / y};
    for (int i = 0; i < 3; ++i) {
        int32_t left = dims[i] - (int32_t)(at[i] << VNI_BLOCK_SHIFT);
        limit[i] = left < VNI_BLOCK_SIZE ? left : VNI_BLOCK_SIZE;
        VNI_ASSERT(limit[i] > 0);
    }
}

static inline bool vni_limit_is_whole(const int32_t limit[3]) {
    return limit[0] == VNI_BLOCK_SIZE && limit[1] == VNI_BLOCK_SIZE && limit[2] == VNI_BLOCK_SIZE;
}

/// Those of the four places from `first` on that lie below `end`, as bits.
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
