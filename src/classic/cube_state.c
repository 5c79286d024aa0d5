/// classic/cube_state.c: what is blocked in an aligned cube, read from as few words as can be.
///
/// Nodes of an octree and levels of the occupancy are both cubes with edges of powers of two, on the same
/// lattice, so each node is answered by one or a few words of the occupancy:
///
///   edge   64 and more   32         16      8          4       2          1
///   read   blocks        8 chunks   chunk   8 bricks   brick   8 voxels   voxel
#include "classic/cube_state.h"

/// The end of a cube along one axis, in blocks.
static int32_t end_block(const vni_occupancy* o, int axis, int32_t low, int32_t edge) {
    int32_t end = (low + edge) >> VNI_BLOCK_SHIFT;
    return end < o->blocks[axis] ? end : o->blocks[axis];
}

/// Of a cube of whole blocks.
static vni_cube_state state_of_blocks(const vni_occupancy* o, const int32_t low[3], int32_t edge) {
    const int32_t ends[3] = {end_block(o, 0, low[0], edge), end_block(o, 1, low[1], edge),
                             end_block(o, 2, low[2], edge)};
    bool some_free = false, some_blocked = false;
    for (int32_t z = low[2] >> VNI_BLOCK_SHIFT; z < ends[2]; ++z)
        for (int32_t y = low[1] >> VNI_BLOCK_SHIFT; y < ends[1]; ++y)
            for (int32_t x = low[0] >> VNI_BLOCK_SHIFT; x < ends[0]; ++x) {
                const vni_block* block = o->table[vni_block_index(o->blocks, x, y, z)];
                // A null block is free, a full one blocked; any other decides at once.
                if (block != NULL && block->blocked_voxels < VNI_BLOCK_SIZE * VNI_BLOCK_SIZE * VNI_BLOCK_SIZE)
                    return VNI_CUBE_MIXED;

                some_blocked |= block != NULL;
                some_free |= block == NULL;
                if (some_free && some_blocked)
                    return VNI_CUBE_MIXED;
            }

    return some_blocked ? VNI_CUBE_BLOCKED : VNI_CUBE_FREE;
}

static vni_cube_state state_of_bits(uint64_t some, uint64_t full, uint64_t mask) {
    VNI_ASSERT((full & ~some) == 0);
    return !(some & mask) ? VNI_CUBE_FREE : (full & mask) == mask ? VNI_CUBE_BLOCKED : VNI_CUBE_MIXED;
}

/// Of a cube inside one block.
static vni_cube_state state_in_block(const vni_block* block, const int32_t low[3], int32_t edge) {
    VNI_ASSERT(edge >= 1 && edge < VNI_BLOCK_SIZE);

    const uint32_t chunk = vni_chunk_of(low[0], low[1], low[2]);
    const uint32_t brick = vni_brick_of(low[0], low[1], low[2]);

    // 2 x 2 x 2 of the 4 x 4 x 4 children, numbered x + 4y + 16z: bits 0, 1, 4, 5 and the same 16 higher.
    // Shifted by the number of its lowest child, it selects any aligned cube of eight children.
    const uint64_t eight = 0x330033;
    if (edge == 32) {
        uint64_t some = 0, full = ~(uint64_t)0;
        for (uint64_t left = eight << chunk; left; left &= left - 1) {
            some |= block->some[vni_lowest_bit(left)];
            full &= block->full[vni_lowest_bit(left)];
        }
        return state_of_bits(some, full, ~(uint64_t)0);
    }

    if (edge == 16)
        return state_of_bits(block->some[chunk], block->full[chunk], ~(uint64_t)0);
    if (edge >= 4)
        return state_of_bits(block->some[chunk], block->full[chunk], (edge == 8 ? eight : 1) << brick);

    // A voxel is blocked or free, never mixed: "some" and "full" are the same word.
    const uint64_t bits = vni_block_brick(block, chunk, brick);
    return state_of_bits(bits, bits, (edge == 2 ? eight : 1) << vni_bit_of(low[0], low[1], low[2]));
}

vni_cube_state vni_cube_state_of(const vni_occupancy* o, const int32_t low[3], int32_t edge) {
    if (edge >= VNI_BLOCK_SIZE)
        return state_of_blocks(o, low, edge);
    const vni_block* block = vni_occupancy_block(o, low[0], low[1], low[2]);
    return block != NULL ? state_in_block(block, low, edge) : VNI_CUBE_FREE;
}
