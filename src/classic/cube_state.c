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

// ------------------------------------------------------------------------------------------------ any box

/// What has been seen of a box so far.
typedef struct seen {
    bool some_free, some_blocked;
} seen;

static bool is_mixed(const seen* s) {
    return s->some_free && s->some_blocked;
}

/// Cuts a box to the aligned cube around a corner of it.
static vni_box cut_to_cube(const vni_box* box, int32_t x, int32_t y, int32_t z, int32_t edge) {
    const int32_t at[3] = {x & -edge, y & -edge, z & -edge};
    vni_box cut;
    for (int i = 0; i < 3; ++i) {
        cut.low[i] = box->low[i] > at[i] ? box->low[i] : at[i];
        cut.high[i] = box->high[i] < at[i] + edge ? box->high[i] : at[i] + edge;
    }

    return cut;
}

/// The bits of a brick that lie in a box inside it: rows along x, planes across z (occupancy.h).
static uint64_t bits_of(const vni_box* box) {
    uint32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = (uint32_t)box->low[i] & 3;
        high[i] = low[i] + (uint32_t)(box->high[i] - box->low[i]);
    }

    const uint64_t row = (UINT64_C(1) << high[0]) - (UINT64_C(1) << low[0]);
    const uint64_t plane = (UINT64_C(1) << 4 * high[1]) - (UINT64_C(1) << 4 * low[1]);
    const uint64_t below = high[2] == 4 ? ~UINT64_C(0) : (UINT64_C(1) << 16 * high[2]) - 1;
    return row * 0x1111111111111111u & plane * 0x0001000100010001u &
           (below & ~((UINT64_C(1) << 16 * low[2]) - 1));
}

static void look_at_brick(const vni_block* block, const vni_box* box, seen* s) {
    const int32_t* at = box->low;
    const uint64_t mask = bits_of(box);
    const uint64_t word =
        vni_block_brick(block, vni_chunk_of(at[0], at[1], at[2]), vni_brick_of(at[0], at[1], at[2]));
    s->some_blocked |= (word & mask) != 0;
    s->some_free |= (word & mask) != mask;
}

/// Walks the aligned cubes of one size that a box meets; each is asked as a whole if its words allow it, else
/// cut into the next smaller ones.
static void look(const vni_occupancy* o, const vni_box* box, int32_t edge, seen* s);

static void look_at_cube(const vni_occupancy* o, const vni_box* box, int32_t edge, seen* s) {
    const int32_t* at = box->low;
    const vni_block* block = vni_occupancy_block(o, at[0], at[1], at[2]);
    const uint32_t chunk = vni_chunk_of(at[0], at[1], at[2]);
    const bool is_free = block == NULL || (edge == 16 && block->some[chunk] == 0);
    const bool is_full = block != NULL && (edge == 16 ? block->full[chunk] == ~UINT64_C(0)
                                                      : block->blocked_voxels == 64u * 64 * 64);
    if (is_free || is_full) {
        s->some_free |= is_free;
        s->some_blocked |= is_full;
    } else if (edge == 4) {
        look_at_brick(block, box, s);
    } else {
        look(o, box, edge / 4, s);
    }
}

static void look(const vni_occupancy* o, const vni_box* box, int32_t edge, seen* s) {
    for (int32_t z = box->low[2]; z < box->high[2]; z = (z & -edge) + edge)
        for (int32_t y = box->low[1]; y < box->high[1]; y = (y & -edge) + edge)
            for (int32_t x = box->low[0]; x < box->high[0]; x = (x & -edge) + edge) {
                const vni_box part = cut_to_cube(box, x, y, z, edge);
                look_at_cube(o, &part, edge, s);
                if (is_mixed(s))
                    return;
            }
}

vni_cube_state vni_box_state_of(const vni_occupancy* occupancy, const vni_box* box) {
    VNI_ASSERT(box->low[0] < box->high[0] && box->low[1] < box->high[1] && box->low[2] < box->high[2]);
    seen s = {false, false};
    look(occupancy, box, VNI_BLOCK_SIZE, &s);
    return is_mixed(&s) ? VNI_CUBE_MIXED : s.some_blocked ? VNI_CUBE_BLOCKED : VNI_CUBE_FREE;
}
