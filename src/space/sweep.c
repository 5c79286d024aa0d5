/// space/sweep.c: swept balls and boxes against the occupancy.
#include "geom/shapes.h"
#include "space/sight.h"

// Both walks go down the same tree: blocks of 64, chunks of 16, bricks of 4, voxels. A branch is entered only
// if it may matter.

typedef struct sweep {
    const vni_occupancy* occupancy;
    vni_vec a, b;
    double radius2;
} sweep;

/// Is the cube of edge `size` at (x, y, z) too close to the segment?
static bool is_near(const sweep* s, int32_t x, int32_t y, int32_t z, int32_t size) {
    VNI_ASSERT(size > 0 && s->radius2 >= 0);
    vni_aabb box = {vni_v(x, y, z), vni_v(x + size, y + size, z + size)};
    return vni_segment_box_distance2(s->a, s->b, &box) < s->radius2;
}

static bool brick_is_near(const sweep* s, uint64_t bits, int32_t x, int32_t y, int32_t z) {
    for (; bits; bits &= bits - 1) {
        int32_t bit = (int32_t)vni_lowest_bit(bits);
        if (is_near(s, x + (bit & 3), y + (bit >> 2 & 3), z + (bit >> 4), 1))
            return true;
    }
    return false;
}

static bool chunk_is_near(const sweep* s, const vni_block* block, uint32_t chunk, int32_t x, int32_t y,
                          int32_t z) {
    for (uint64_t some = block->some[chunk]; some; some &= some - 1) {
        int32_t brick = (int32_t)vni_lowest_bit(some);
        int32_t bx = x + 4 * (brick & 3), by = y + 4 * (brick >> 2 & 3), bz = z + 4 * (brick >> 4);
        if (is_near(s, bx, by, bz, 4) &&
            brick_is_near(s, vni_block_brick(block, chunk, (uint32_t)brick), bx, by, bz))
            return true;
    }
    return false;
}

static bool block_is_near(const sweep* s, const vni_block* block, int32_t x, int32_t y, int32_t z) {
    for (int32_t chunk = 0; chunk < 64; ++chunk) {
        int32_t cx = x + 16 * (chunk & 3), cy = y + 16 * (chunk >> 2 & 3), cz = z + 16 * (chunk >> 4);
        if (block->some[chunk] && is_near(s, cx, cy, cz, 16) &&
            chunk_is_near(s, block, (uint32_t)chunk, cx, cy, cz))
            return true;
    }
    return false;
}

/// The blocks along one axis that [low, high] meets, clamped to the table.
static void block_range(double low, double high, int32_t blocks, int32_t* first, int32_t* last) {
    VNI_ASSERT(low <= high && blocks > 0);
    *first = low > 0 ? (int32_t)(vni_clamp(low, 0, VNI_MAX_DIM)) >> VNI_BLOCK_SHIFT : 0;
    *last = (int32_t)(vni_clamp(high, 0, VNI_MAX_DIM)) >> VNI_BLOCK_SHIFT;
    if (*last >= blocks)
        *last = blocks - 1;
}

bool vni_sweep_is_free(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius) {
    VNI_ASSERT(radius > 0);
    sweep s = {occupancy, a, b, radius * radius};
    vni_vec low = vni_min(a, b), high = vni_max(a, b);
    int32_t first[3], last[3];
    block_range(low.x - radius, high.x + radius, occupancy->blocks[0], &first[0], &last[0]);
    block_range(low.y - radius, high.y + radius, occupancy->blocks[1], &first[1], &last[1]);
    block_range(low.z - radius, high.z + radius, occupancy->blocks[2], &first[2], &last[2]);
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x) {
                const vni_block* block =
                    occupancy->table[x + occupancy->blocks[0] * (y + occupancy->blocks[1] * z)];
                int32_t bx = x * VNI_BLOCK_SIZE, by = y * VNI_BLOCK_SIZE, bz = z * VNI_BLOCK_SIZE;
                if (block && is_near(&s, bx, by, bz, VNI_BLOCK_SIZE) && block_is_near(&s, block, bx, by, bz))
                    return false;
            }
    return true;
}

// ------------------------------------------------------------------------------------------------ boxes

/// The bits of a brick row that lie in [low, high), relative to the brick.
static uint64_t range_bits(int32_t low, int32_t high) {
    VNI_ASSERT(low < 4 && high > 0);
    int32_t from = low < 0 ? 0 : low, to = high > 4 ? 4 : high;
    return from < to ? ((uint64_t)1 << to) - ((uint64_t)1 << from) : 0;
}

/// The voxels of the brick at (x, y, z) that lie in the box.
static uint64_t brick_box_bits(int32_t x, int32_t y, int32_t z, vn_voxel low, vn_voxel high) {
    uint64_t row = range_bits(low.x - x, high.x - x), rows = range_bits(low.y - y, high.y - y), bits = 0;
    uint64_t layers = range_bits(low.z - z, high.z - z), layer = 0;
    for (int i = 0; i < 4; ++i)
        if (rows >> i & 1)
            layer |= row << (4 * i);
    for (int i = 0; i < 4; ++i)
        if (layers >> i & 1)
            bits |= layer << (16 * i);
    return bits;
}

/// Size of the aligned free cube around (x, y, z) that may be leapt over along x; 4 also for a brick that had
/// to be looked into.
static int32_t free_run(const vni_occupancy* o, int32_t x, int32_t y, int32_t z, vn_voxel low,
                        vn_voxel high) {
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    if (!block)
        return VNI_BLOCK_SIZE;
    uint32_t chunk = vni_chunk_of(x, y, z);
    if (!block->some[chunk])
        return 16;
    uint64_t bits = vni_block_brick(block, chunk, vni_brick_of(x, y, z));
    return bits & brick_box_bits(x & ~3, y & ~3, z & ~3, low, high) ? 0 : 4;
}

bool vni_box_is_free(const vni_occupancy* occupancy, vn_voxel low, vn_voxel high) {
    if (low.x >= high.x || low.y >= high.y || low.z >= high.z)
        return true;
    if (!vni_occupancy_inside(occupancy, low.x, low.y, low.z) ||
        !vni_occupancy_inside(occupancy, high.x - 1, high.y - 1, high.z - 1))
        return false;
    for (int32_t z = low.z; z < high.z; z = (z & ~3) + 4)
        for (int32_t y = low.y; y < high.y; y = (y & ~3) + 4)
            for (int32_t x = low.x; x < high.x;) {
                int32_t run = free_run(occupancy, x, y, z, low, high);
                if (run == 0)
                    return false;
                x = (x & ~(run - 1)) + run;
            }
    return true;
}
