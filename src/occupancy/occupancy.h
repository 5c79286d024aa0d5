/// occupancy/occupancy.h: stores which voxels of a space are blocked; looking up a voxel, brick, chunk or
/// block takes constant time. All visibility tests and all cells are derived from it.
///
/// A tree of fixed depth with bit masks in its nodes, as in VDB (Museth 2013), but with 4^3 children a node:
/// a set of children is one 64-bit word.
///
///     space   table of blocks, x fastest; null = all free
///     block   64^3 voxels = 64 chunks; immutable, reference-counted, shared between versions of a space
///     chunk   16^3 voxels = 64 bricks: word `some`: has a blocked voxel; word `full`: blocked throughout
///     brick    4^3 voxels = one word, stored only if it is in `some` and not in `full`
///
/// At every level, child (x, y, z) has the index and bit x + 4 y + 16 z. The word of a brick:
///
///     bit  63 ........ 48 | 47 ........ 32 | 31 ........ 16 | 15 ......... 0
///              z = 3           z = 2            z = 1            z = 0
///
///     one z:                 x = 3  2  1  0
///                     y = 3     15 14 13 12
///                     y = 2     11 10  9  8
///                     y = 1      7  6  5  4
///                     y = 0      3  2  1  0
///
/// So a row along x is 4 bits in sequence, a plane across z is 16, and a step along x, y, z is a shift by 1,
/// 4, 16.
///
/// The stored bricks of a block lie in one array, ordered by chunk, then brick. The place of a brick is the
/// number of stored ones before it: first[chunk] + popcount(some & ~full & (bit - 1)).
///
/// Voxels outside the dimensions are neither free nor blocked: their bits are 0, and code that could reach
/// them checks the bounds first.
#ifndef VNI_OCCUPANCY_OCCUPANCY_H
#define VNI_OCCUPANCY_OCCUPANCY_H

#include "base/assert.h"
#include "base/bits.h"
#include "base/threads.h"
#include "volnav/math.h"

#define VNI_BLOCK_SHIFT  6
#define VNI_BLOCK_SIZE   64
#define VNI_BLOCK_BRICKS 4096

/// Side of a chunk. Cells are cut by chunk: free chunks are joined to large cells, mixed ones are cut
/// separately (cells/cells.h).
#define VNI_CHUNK_SIZE  16
#define VNI_CHUNK_COUNT ((64 / VNI_CHUNK_SIZE) * (64 / VNI_CHUNK_SIZE) * (64 / VNI_CHUNK_SIZE))

/// Limits of each dimension, in voxels, and of the table.
#define VNI_MAX_DIM    (1 << 20)
#define VNI_MAX_BLOCKS (1u << 22)

typedef struct vni_block {
    vni_atomic references;
    uint32_t mixed_count;    ///< bricks stored
    uint32_t blocked_voxels; ///< in the block
    uint16_t first[64];      ///< by chunk: index in `bricks` of its first mixed brick
    uint64_t some[64];       ///< by chunk: bricks with a blocked voxel
    uint64_t full[64];       ///< by chunk: bricks with 64 of them (a subset of `some`)
    uint64_t bricks[];       ///< the others, in order of chunk and brick
} vni_block;

typedef struct vni_occupancy {
    vn_allocator allocator;
    int32_t dims[3];   ///< voxels, each 1 to VNI_MAX_DIM
    int32_t blocks[3]; ///< ceil(dims / 64)
    vni_block** table; ///< blocks[0] * blocks[1] * blocks[2], x fastest; null = all free
    uint64_t blocked_voxels;
} vni_occupancy;

/// An all-free occupancy. VN_BAD_ARGUMENT for a dimension below 1, VN_TOO_LARGE above the limits,
/// VN_OUT_OF_MEMORY.
vn_status vni_occupancy_make(const vn_allocator* allocator, vn_voxel dims, vni_occupancy* out,
                             vn_detail* detail);
void vni_occupancy_free(vni_occupancy* occupancy);

/// Packs 4096 dense brick words, index chunk * 64 + brick, into a new block with one reference. `*out` is
/// null if all are 0 (all free). False if memory runs out. Any thread.
bool vni_block_pack(const vn_allocator* allocator, const uint64_t* dense, vni_block** out);

/// The reverse; a null block gives zeros.
void vni_block_unpack(const vni_block* block, uint64_t* dense);

/// References are atomic: any thread. Null is allowed.
void vni_block_retain(vni_block* block);
void vni_block_release(const vn_allocator* allocator, vni_block* block);
size_t vni_block_bytes(const vni_block* block);

/// Replaces a block of the table, takes over the caller's reference, releases the old block, and updates the
/// count of blocked voxels. One thread at a time.
void vni_occupancy_set_block(vni_occupancy* occupancy, uint32_t index, vni_block* block);
void vni_occupancy_memory(const vni_occupancy* occupancy, vn_memory* out);
uint64_t vni_occupancy_hash(const vni_occupancy* occupancy);

// ---------- blocks of a table

/// Blocks along an axis of `dim` voxels: rounded up.
static inline int32_t vni_blocks_along(int32_t dim) {
    return (dim + VNI_BLOCK_SIZE - 1) >> VNI_BLOCK_SHIFT;
}

static inline uint32_t vni_block_count(const int32_t blocks[3]) {
    return (uint32_t)blocks[0] * (uint32_t)blocks[1] * (uint32_t)blocks[2];
}

/// From a block to its upper neighbour along each axis, in the table.
static inline void vni_block_strides(const int32_t blocks[3], uint32_t strides[3]) {
    strides[0] = 1;
    strides[1] = (uint32_t)blocks[0];
    strides[2] = (uint32_t)blocks[0] * (uint32_t)blocks[1];
}

/// Place in the table of the block (x, y, z), counted in blocks.
static inline uint32_t vni_block_index(const int32_t blocks[3], int32_t x, int32_t y, int32_t z) {
    return (uint32_t)x + (uint32_t)blocks[0] * ((uint32_t)y + (uint32_t)blocks[1] * (uint32_t)z);
}

/// Place in the table of the block that holds the voxel (x, y, z), which lies inside.
static inline uint32_t vni_block_of(const int32_t blocks[3], int32_t x, int32_t y, int32_t z) {
    return vni_block_index(blocks, x >> VNI_BLOCK_SHIFT, y >> VNI_BLOCK_SHIFT, z >> VNI_BLOCK_SHIFT);
}

/// Low corner of a block, in voxels. Two divisions.
static inline void vni_block_low(const int32_t blocks[3], uint32_t index, int32_t low[3]) {
    const uint32_t x = (uint32_t)blocks[0], y = (uint32_t)blocks[1];
    low[0] = (int32_t)(index % x << VNI_BLOCK_SHIFT);
    low[1] = (int32_t)(index / x % y << VNI_BLOCK_SHIFT);
    low[2] = (int32_t)(index / x / y << VNI_BLOCK_SHIFT);
}

static inline uint32_t vni_occupancy_block_count(const vni_occupancy* o) {
    return vni_block_count(o->blocks);
}

// ---------- voxels

/// Index of a voxel's chunk in its block, brick in its chunk, bit in its brick.
static inline uint32_t vni_chunk_of(int32_t x, int32_t y, int32_t z) {
    return ((uint32_t)x >> 4 & 3) | ((uint32_t)y >> 4 & 3) << 2 | ((uint32_t)z >> 4 & 3) << 4;
}
static inline uint32_t vni_brick_of(int32_t x, int32_t y, int32_t z) {
    return ((uint32_t)x >> 2 & 3) | ((uint32_t)y >> 2 & 3) << 2 | ((uint32_t)z >> 2 & 3) << 4;
}
static inline uint32_t vni_bit_of(int32_t x, int32_t y, int32_t z) {
    return ((uint32_t)x & 3) | ((uint32_t)y & 3) << 2 | ((uint32_t)z & 3) << 4;
}

/// The word of a brick: 0 if it is free, all ones if it is full, else the stored one.
static inline uint64_t vni_block_brick(const vni_block* block, uint32_t chunk, uint32_t brick) {
    uint64_t bit = (uint64_t)1 << brick;
    if (!(block->some[chunk] & bit))
        return 0;
    if (block->full[chunk] & bit)
        return ~(uint64_t)0;

    // only mixed bricks are stored: the rank of this one among them is its place
    uint64_t mixed = block->some[chunk] & ~block->full[chunk];
    return block->bricks[block->first[chunk] + vni_popcount(mixed & (bit - 1))];
}

static inline bool vni_occupancy_inside(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    return (uint32_t)x < (uint32_t)o->dims[0] && (uint32_t)y < (uint32_t)o->dims[1] &&
           (uint32_t)z < (uint32_t)o->dims[2];
}

/// The block that holds an inside voxel.
static inline const vni_block* vni_occupancy_block(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    VNI_ASSERT(vni_occupancy_inside(o, x, y, z));
    return o->table[vni_block_of(o->blocks, x, y, z)];
}

/// The word of the brick that holds an inside voxel.
static inline uint64_t vni_occupancy_brick(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    return block != NULL ? vni_block_brick(block, vni_chunk_of(x, y, z), vni_brick_of(x, y, z)) : 0;
}

/// Inside and not blocked.
static inline bool vni_occupancy_free_at(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    return vni_occupancy_inside(o, x, y, z) && !(vni_occupancy_brick(o, x, y, z) >> vni_bit_of(x, y, z) & 1);
}

/// Checks that the blocks are what vni_block_pack makes: flags, counts and bricks agree, no voxel outside the
/// dimensions is blocked, an all-free block is null, and the counts of blocked voxels are right.
/// Precondition: dims and blocks are consistent, and each block has memory for its `mixed_count` bricks.
/// VN_OK, or VN_BAD_DATA with what is wrong and in which block. O(stored bricks); does not allocate.
vn_status vni_occupancy_validate(const vni_occupancy* occupancy, vn_detail* detail);

#endif
