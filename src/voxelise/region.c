/// voxelise/region.c: flood fill from a seed, by bricks: bit-parallel inside a brick, and in one step through
/// a block that is all free.
///
/// A brick is 64 bits, voxel (x, y, z) at bit x + 4 y + 16 z. Neighbours along x, y, z are 1, 4, 16 bits
/// away; masks keep shifts from wrapping into the next row or plane:
///
///     one z plane:   y=3  c d e f        bits << 1 & ~LOW_X     to x + 1, not from 3 to 4
///                    y=2  8 9 a b        bits << 4 & ~LOW_Y     to y + 1, not from c .. f to the next plane
///                    y=1  4 5 6 7        bits << 16             to z + 1, drops out at the top
///                    y=0  0 1 2 3
#include "voxelise/fill.h"

#include "base/alloc.h"
#include "occupancy/limit.h"
#include "voxelise/stamp.h"
#include <string.h>

#define BRICKS        VNI_BLOCK_BRICKS
#define BETWEEN_CALLS 16384 /* bricks from one progress call to the next */

/// A brick by its coordinates: voxel >> 2.
typedef struct position {
    int32_t at[3];
} position;

typedef struct wave {
    position* positions;
    uint64_t count, capacity;
} wave;

/// What has been reached of a block that is not all free.
typedef struct page {
    uint64_t reached[BRICKS];
    uint64_t waiting[BRICKS / 64]; ///< bricks that are queued
} page;

typedef struct flood {
    const vni_occupancy* occupancy;
    const vn_allocator* allocator;
    uint32_t block_count;
    int32_t bricks[3];
    page** pages;    ///< by block; null: not reached, or all free
    uint64_t* whole; ///< bit by block: all free and reached
    wave now, next;
    uint64_t done, total; ///< bricks
} flood;

static uint32_t block_of(const vni_occupancy* o, const position* p) {
    return vni_block_index(o->blocks, p->at[0] >> 4, p->at[1] >> 4, p->at[2] >> 4);
}

static uint32_t brick_of(const position* p) {
    return vni_dense_index(p->at[0] * 4, p->at[1] * 4, p->at[2] * 4);
}

/// Free voxels of a brick, within the dimensions.
static uint64_t free_bits(const vni_occupancy* o, const position* p) {
    int32_t x = p->at[0] * 4, y = p->at[1] * 4, z = p->at[2] * 4;
    return ~vni_occupancy_brick(o, x, y, z) & vni_brick_within(o->dims, x, y, z);
}

static bool push(flood* f, const position* p) {
    VNI_ASSERT(f->next.count <= f->next.capacity);
    if (f->next.count == f->next.capacity &&
        !vni_grow(f->allocator, &f->next.positions, &f->next.capacity, f->next.count + 1, sizeof *p))
        return false;
    f->next.positions[f->next.count++] = *p;
    return true;
}

/// Voxels `bits` of a brick have reached neighbours: marks those that are free and new, and queues the brick.
/// False if memory runs out.
static bool reach(flood* f, const position* p, uint64_t bits) {
    VNI_ASSERT(bits != 0);

    for (int i = 0; i < 3; ++i)
        if (p->at[i] < 0 || p->at[i] >= f->bricks[i])
            return true;

    // An all-free block is reached by its first voxel: one bit, and one entry in the queue.
    uint32_t block = block_of(f->occupancy, p);
    if (f->occupancy->table[block] == NULL) {
        if (vni_bits_get(f->whole, block))
            return true;
        vni_bits_set(f->whole, block);
        return push(f, p);
    }

    // Marked now, so that the brick is queued once however many neighbours reach it before its turn.
    uint64_t fresh = bits & free_bits(f->occupancy, p);
    if (!fresh)
        return true;
    if (f->pages[block] == NULL)
        f->pages[block] = VNI_NEW(f->allocator, page);
    page* to = f->pages[block];
    if (to == NULL)
        return false;

    uint32_t brick = brick_of(p);
    if (!(fresh & ~to->reached[brick]))
        return true;

    to->reached[brick] |= fresh;
    if (vni_bits_get(to->waiting, brick))
        return true;

    vni_bits_set(to->waiting, brick);
    return push(f, p);
}

#define LOW_X  0x1111111111111111u
#define HIGH_X 0x8888888888888888u
#define LOW_Y  0x000f000f000f000fu
#define HIGH_Y 0xf000f000f000f000u

/// All voxels of `free` that are connected with `bits` within the brick.
static uint64_t flood_brick(uint64_t bits, uint64_t free) {
    uint64_t before;
    VNI_ASSERT(bits != 0 && (bits & ~free) == 0);

    if (free == ~(uint64_t)0)
        return free;
    do {
        before = bits;
        bits |= (bits << 1 & ~LOW_X) | (bits >> 1 & ~HIGH_X) | (bits << 4 & ~LOW_Y) | (bits >> 4 & ~HIGH_Y) |
                bits << 16 | bits >> 16;
        bits &= free;
    } while (bits != before);

    return bits;
}

/// The voxels of the next brick in direction 0 .. 5 (-x, +x, -y, +y, -z, +z) that share a face with `bits`.
static uint64_t across(uint64_t bits, int direction) {
    VNI_ASSERT(direction >= 0 && direction < 6);
    switch (direction) {
    case 0: return (bits & LOW_X) << 3;
    case 1: return (bits & HIGH_X) >> 3;
    case 2: return (bits & LOW_Y) << 12;
    case 3: return (bits & HIGH_Y) >> 12;
    case 4: return bits << 48;
    default: return bits >> 48;
    }
}

static bool spread_brick(flood* f, const position* p, page* from) {
    uint32_t brick = brick_of(p);
    VNI_ASSERT(vni_bits_get(from->waiting, brick));

    vni_bits_clear(from->waiting, brick);
    uint64_t bits = flood_brick(from->reached[brick], free_bits(f->occupancy, p));
    from->reached[brick] = bits;
    ++f->done;
    for (int direction = 0; direction < 6; ++direction) {
        position to = *p;
        to.at[direction / 2] += direction % 2 ? 1 : -1;
        uint64_t face = across(bits, direction);
        if (face && !reach(f, &to, face))
            return false;
    }

    return true;
}

/// An all-free block reaches all bricks next to its faces. `reach` ignores those beyond the dimensions.
static bool spread_block(flood* f, const position* p) {
    VNI_ASSERT(vni_bits_get(f->whole, block_of(f->occupancy, p)));

    f->done += BRICKS;
    for (int direction = 0; direction < 6; ++direction) {
        int axis = direction / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int32_t i = 0; i < 256; ++i) {
            position to;
            to.at[axis] = (p->at[axis] & -16) + (direction % 2 ? 16 : -1);
            to.at[u] = (p->at[u] & -16) + i % 16;
            to.at[v] = (p->at[v] & -16) + i / 16;
            if (!reach(f, &to, across(~(uint64_t)0, direction)))
                return false;
        }
    }

    return true;
}

static bool spread(flood* f, const position* p) {
    uint32_t block = block_of(f->occupancy, p);
    return f->pages[block] != NULL ? spread_brick(f, p, f->pages[block]) : spread_block(f, p);
}

/// The flood counts as 0.8 of the stage.
static bool report(const flood* f, vn_progress* progress, void* user) {
    double part = (double)f->done / (double)f->total;
    return progress == NULL || progress(user, "region", 0.8 * (part < 1 ? part : 1));
}

static vn_status run(flood* f, const position* seed, uint64_t seed_bit, vn_progress* progress, void* user) {
    if (!reach(f, seed, seed_bit))
        return VN_OUT_OF_MEMORY;
    // Two queues, one wave after the other: the order of bricks does not affect the result.
    uint64_t until = 0;
    while (f->next.count > 0) {
        wave swap = f->now;
        f->now = f->next;
        f->next = swap;
        f->next.count = 0;
        for (uint64_t i = 0; i < f->now.count; ++i)
            if (!spread(f, &f->now.positions[i]))
                return VN_OUT_OF_MEMORY;

        if (f->done >= until && !report(f, progress, user))
            return VN_CANCELLED;
        if (f->done >= until)
            until = f->done + BETWEEN_CALLS;
    }

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- result

/// Makes the dense words of a block with all but the reached voxels blocked.
static void invert(const flood* f, uint32_t index, const page* p, uint64_t* dense) {
    const vni_occupancy* o = f->occupancy;
    int32_t low[3];
    vni_block_low(o->blocks, index, low);
    for (int32_t z = 0; z < 64; z += 4)
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 0; x < 64; x += 4) {
                uint32_t brick = vni_dense_index(x, y, z);
                uint64_t within = vni_brick_within(o->dims, low[0] + x, low[1] + y, low[2] + z);
                dense[brick] = within & ~(p != NULL ? p->reached[brick] : 0);
            }
}

static bool is_inner(const vni_occupancy* o, uint32_t index) {
    int32_t limit[3];
    vni_block_limit(o->dims, o->blocks, index, limit);
    return vni_limit_is_whole(limit);
}

/// Makes new blocks where something changes; null where not. Blocks that become fully blocked share one.
static bool make_blocks(const flood* f, uint64_t* dense, vni_block** out) {
    vni_block* solid = NULL;
    for (uint32_t index = 0; index < f->block_count; ++index) {
        if (vni_bits_get(f->whole, index))
            continue;
        VNI_ASSERT(out[index] == NULL);

        bool shared = f->pages[index] == NULL && is_inner(f->occupancy, index);
        if (shared && solid != NULL) {
            vni_block_retain(solid);
            out[index] = solid;
            continue;
        }

        invert(f, index, f->pages[index], dense);
        if (!vni_block_pack(f->allocator, dense, &out[index]))
            return false;

        if (shared)
            solid = out[index];
    }

    return true;
}

static vn_status finish(const flood* f, vni_occupancy* occupancy, vn_progress* progress, void* user) {
    uint64_t* dense = VNI_NEW_ARRAY(f->allocator, uint64_t, BRICKS);
    vni_block** blocks = vni_alloc_zero(f->allocator, f->block_count, sizeof(vni_block*));
    vn_status status =
        dense != NULL && blocks != NULL && make_blocks(f, dense, blocks) ? VN_OK : VN_OUT_OF_MEMORY;
    if (status == VN_OK && progress != NULL && !progress(user, "region", 1.0))
        status = VN_CANCELLED;

    // All blocks are ready before the first is exchanged: a failure leaves the occupancy untouched.
    for (uint32_t index = 0; blocks != NULL && index < f->block_count; ++index) {
        if (blocks[index] != NULL && status == VN_OK)
            vni_occupancy_set_block(occupancy, index, blocks[index]);
        else if (blocks[index] != NULL)
            vni_block_release(f->allocator, blocks[index]);
    }

    VNI_DELETE_ARRAY(f->allocator, blocks, f->block_count);
    VNI_DELETE_ARRAY(f->allocator, dense, BRICKS);
    return status;
}

static void free_flood(const flood* f, uint64_t words) {
    for (uint32_t index = 0; f->pages != NULL && index < f->block_count; ++index)
        VNI_DELETE(f->allocator, f->pages[index]);
    VNI_DELETE_ARRAY(f->allocator, f->pages, f->block_count);
    VNI_DELETE_ARRAY(f->allocator, f->whole, words);
    VNI_DELETE_ARRAY(f->allocator, f->now.positions, f->now.capacity);
    VNI_DELETE_ARRAY(f->allocator, f->next.positions, f->next.capacity);
}

vn_status vni_keep_region(vni_occupancy* occupancy, vn_voxel seed, vn_progress* progress,
                          void* progress_user) {
    VNI_ASSERT(vni_occupancy_free_at(occupancy, seed.x, seed.y, seed.z));

    flood f = {.occupancy = occupancy, .allocator = &occupancy->allocator, .total = 1};
    f.block_count = vni_occupancy_block_count(occupancy);
    uint64_t words = vni_bits_words(f.block_count);
    for (int i = 0; i < 3; ++i) {
        f.bricks[i] = (occupancy->dims[i] + 3) / 4;
        f.total *= (uint64_t)f.bricks[i];
    }

    f.pages = vni_alloc_zero(f.allocator, f.block_count, sizeof *f.pages);
    f.whole = vni_alloc_zero(f.allocator, words, sizeof *f.whole);
    position start = {{seed.x >> 2, seed.y >> 2, seed.z >> 2}};
    vn_status status = VN_OUT_OF_MEMORY;
    if (f.pages != NULL && f.whole != NULL)
        status = run(&f, &start, (uint64_t)1 << vni_bit_of(seed.x, seed.y, seed.z), progress, progress_user);

    if (status == VN_OK)
        status = finish(&f, occupancy, progress, progress_user);

    free_flood(&f, words);
    return status;
}
