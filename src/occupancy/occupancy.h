/// occupancy/occupancy.h: which voxels are blocked: the truth for every visibility test.
///
/// Space is a table of 64^3-voxel blocks, immutable and reference-counted; a null entry is an all-free block.
/// A block has 64 chunks of 16^3, each with one word that says which of its 64 bricks (4^3) hold a blocked
/// voxel and one that says which are blocked throughout; only the bricks in between store their 64 bits. At
/// every level the index is x + 4 y + 16 z. So "is it all free?" is one load at 64^3, 16^3 and 4^3.
///
/// Voxels outside the dimensions are neither: their bits are 0, and whoever could reach them checks the
/// bounds first.
#ifndef VNI_OCCUPANCY_OCCUPANCY_H
#define VNI_OCCUPANCY_OCCUPANCY_H

#include "base/assert.h"
#include "base/bits.h"
#include "base/threads.h"
#include "volnav/math.h"

#define VNI_BLOCK_SHIFT  6
#define VNI_BLOCK_SIZE   64
#define VNI_BLOCK_BRICKS 4096

/// A block has chunks of this size. Cutting joins free chunks to large cells, and cuts mixed ones on their
/// own.
#define VNI_CHUNK_SIZE  16
#define VNI_CHUNK_COUNT ((64 / VNI_CHUNK_SIZE) * (64 / VNI_CHUNK_SIZE) * (64 / VNI_CHUNK_SIZE))

/// Dimensions may not exceed this, nor the table 2^22 blocks.
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
/// null if all are 0 (all free). False if there is no memory. May run on any thread.
bool vni_block_pack(const vn_allocator* allocator, const uint64_t* dense, vni_block** out);

/// The reverse; null block = all zero.
void vni_block_unpack(const vni_block* block, uint64_t* dense);
void vni_block_retain(vni_block* block);
void vni_block_release(const vn_allocator* allocator, vni_block* block);
size_t vni_block_bytes(const vni_block* block);

/// Puts a block in the table (takes over the reference) and keeps the count of blocked voxels. One thread at
/// a time.
void vni_occupancy_set_block(vni_occupancy* occupancy, uint32_t index, vni_block* block);
void vni_occupancy_memory(const vni_occupancy* occupancy, vn_memory* out);
uint64_t vni_occupancy_hash(const vni_occupancy* occupancy);

static inline uint32_t vni_occupancy_block_count(const vni_occupancy* o) {
    return (uint32_t)o->blocks[0] * (uint32_t)o->blocks[1] * (uint32_t)o->blocks[2];
}

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

/// The brick's 64 bits.
static inline uint64_t vni_block_brick(const vni_block* block, uint32_t chunk, uint32_t brick) {
    uint64_t bit = (uint64_t)1 << brick;
    if (!(block->some[chunk] & bit))
        return 0;
    if (block->full[chunk] & bit)
        return ~(uint64_t)0;

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
    return o->table[(x >> 6) + o->blocks[0] * ((y >> 6) + o->blocks[1] * (z >> 6))];
}

/// The brick that holds an inside voxel, as 64 bits.
static inline uint64_t vni_occupancy_brick(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    return block ? vni_block_brick(block, vni_chunk_of(x, y, z), vni_brick_of(x, y, z)) : 0;
}

/// Inside and not blocked.
static inline bool vni_occupancy_free_at(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    return vni_occupancy_inside(o, x, y, z) && !(vni_occupancy_brick(o, x, y, z) >> vni_bit_of(x, y, z) & 1);
}

/// Checks that the blocks of an occupancy are what vni_block_pack makes: flags, counts and bricks agree, no
/// voxel outside the dimensions is blocked, a block that is all free is null, and the numbers of blocked
/// voxels are right. The caller promises only that dims and blocks are consistent and that each block has
/// room for its `mixed_count` bricks. VN_OK, or VN_BAD_DATA with what is wrong and in which block. O(stored
/// bricks); does not allocate.
vn_status vni_occupancy_validate(const vni_occupancy* occupancy, vn_detail* detail);

#endif
