/// probe/random.c: draws random free points, uniformly.
///
/// vn_random_next (SplitMix64) drives it. Rejection sampling over all voxels first; in nearly full spaces, a
/// random rank among the free voxels instead. Within a component likewise, with a rank among its cells.
#include "geom/units.h"
#include "probe/components.h"
#include "probe/endpoint.h"
#include "space/frame.h"
#include "voxelise/stamp.h"

/// Draws before ranking: where one voxel in four is free, fewer than one point in 10^7 needs it.
#define TRIES 64

/// Uniform in [0, limit), without bias: draws as many bits as limit - 1 has until the number is below limit.
static uint64_t below(uint64_t* random, uint64_t limit) {
    VNI_ASSERT(limit > 0);
    uint32_t drop = limit > 1 ? 63 - vni_highest_bit(limit - 1) : 63;
    uint64_t number = vn_random_next(random) >> drop;
    while (number >= limit)
        number = vn_random_next(random) >> drop;
    return number;
}

/// Uniform in the voxel: three groups of 10 bits from one draw.
static vn_point point_in(uint64_t* random, vn_voxel voxel) {
    const uint32_t mask = VN_LATTICE - 1;
    const vn_point low = vni_voxel_corner(voxel);
    uint64_t bits = vn_random_next(random);
    vn_point p = {low.x + (int32_t)(bits & mask), low.y + (int32_t)(bits >> 20 & mask),
                  low.z + (int32_t)(bits >> 40 & mask)};
    return p;
}

static vn_voxel low_of_block(const vni_occupancy* o, uint32_t index) {
    int32_t low[3];
    vni_block_low(o->blocks, index, low);
    return (vn_voxel){low[0], low[1], low[2]};
}

static uint64_t extent(int32_t low, int32_t dim) {
    int32_t rest = dim - low;
    VNI_ASSERT(rest > 0);
    return (uint64_t)(rest < VNI_BLOCK_SIZE ? rest : VNI_BLOCK_SIZE);
}

static uint64_t free_in_block(const vni_occupancy* o, uint32_t index, vn_voxel low) {
    const vni_block* block = o->table[index];
    uint64_t all = extent(low.x, o->dims[0]) * extent(low.y, o->dims[1]) * extent(low.z, o->dims[2]);
    return all - (block != NULL ? block->blocked_voxels : 0);
}

static vn_voxel voxel_of_bit(vn_voxel brick, uint32_t bit) {
    vn_voxel v = {brick.x + (int32_t)(bit & 3), brick.y + (int32_t)(bit >> 2 & 3),
                  brick.z + (int32_t)(bit >> 4)};
    return v;
}

/// The free voxel of rank `number` in a block that has more than that many.
static vn_voxel find_in_block(const vni_occupancy* o, uint32_t index, vn_voxel low, uint64_t number) {
    const vni_block* block = o->table[index];
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i) {
        uint32_t chunk = i >> 6, brick = i & 63;
        vn_voxel at = {low.x + (int32_t)(16 * (chunk & 3) + 4 * (brick & 3)),
                       low.y + (int32_t)(16 * (chunk >> 2 & 3) + 4 * (brick >> 2 & 3)),
                       low.z + (int32_t)(16 * (chunk >> 4) + 4 * (brick >> 4))};
        uint64_t blocked = block != NULL ? vni_block_brick(block, chunk, brick) : 0;
        uint64_t free = ~blocked & vni_brick_within(o->dims, at.x, at.y, at.z);

        uint32_t count = vni_popcount(free);
        if (number >= count) {
            number -= count;
            continue;
        }

        for (; number > 0; --number)
            free &= free - 1;

        return voxel_of_bit(at, vni_lowest_bit(free));
    }

    VNI_ASSERT(false);

    return low;
}

/// The free voxel of rank `number` in the space; blocks know their counts.
static vn_voxel find_free(const vni_occupancy* o, uint64_t number) {
    for (uint32_t index = 0; index < vni_occupancy_block_count(o); ++index) {
        vn_voxel low = low_of_block(o, index);
        uint64_t count = free_in_block(o, index, low);
        if (number < count)
            return find_in_block(o, index, low, number);
        number -= count;
    }

    VNI_ASSERT(false);

    return (vn_voxel){0, 0, 0};
}

/// Both forms of a call that draws a point.
static vn_status position_of(const vn_space* space, vn_status status, vn_point point, vn_dvec3* out) {
    VNI_ASSERT(out != NULL);
    if (status == VN_OK)
        *out = vn_space_point_to_world(space, point);
    return status;
}

vn_status vn_space_random_position(const vn_space* space, uint64_t* random, vn_dvec3* out) {
    vn_point point = vn_point_outside();
    vn_status status = vn_space_random_point(space, random, &point);
    return position_of(space, status, point, out);
}

static uint64_t voxels_of(const vni_occupancy* o) {
    return (uint64_t)o->dims[0] * (uint64_t)o->dims[1] * (uint64_t)o->dims[2];
}

/// Uniform over all voxels, free or not.
static vn_voxel any_voxel(const vni_occupancy* o, uint64_t* random) {
    const uint64_t nx = (uint64_t)o->dims[0], ny = (uint64_t)o->dims[1], at = below(random, voxels_of(o));
    return (vn_voxel){(int32_t)(at % nx), (int32_t)(at / nx % ny), (int32_t)(at / nx / ny)};
}

/// By rank among the voxels of the components.
static vn_status draw_by_rank(const vn_space* space, const vni_components* components, uint64_t* random,
                              vn_voxel* out) {
    const uint64_t count = vni_components_voxels(space, components);
    if (count == 0)
        return VN_NOT_FOUND;
    *out = vni_components_voxel(space, components, below(random, count));
    return VN_OK;
}

static vn_status draw_in_region(const vn_space* space, uint64_t* random, vn_point* out) {
    const vni_components region = vni_space_region_components(space);
    vn_voxel voxel;
    vn_status status = draw_by_rank(space, &region, random, &voxel);
    if (status == VN_OK)
        *out = point_in(random, voxel);
    return status;
}

vn_status vn_space_random_point(const vn_space* space, uint64_t* random, vn_point* out) {
    VNI_ASSERT(space != NULL && random != NULL && out != NULL);

    const vni_occupancy* o = &space->occupancy;
    const uint64_t all = voxels_of(o);
    if (all == o->blocked_voxels)
        return VN_NOT_FOUND;

    for (int i = 0; i < TRIES; ++i) {
        vn_voxel voxel = any_voxel(o, random);
        if (vni_occupancy_free_at(o, voxel.x, voxel.y, voxel.z) && vni_space_in_region(space, voxel)) {
            *out = point_in(random, voxel);
            return VN_OK;
        }
    }

    if (space->region != 0)
        return draw_in_region(space, random, out);

    *out = point_in(random, find_free(o, below(random, all - o->blocked_voxels)));
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------- reachable

static bool is_wanted(const vn_space* space, const vni_components* wanted, vn_voxel voxel) {
    vni_cell_ref ref;
    return vni_cells_find(&space->cells, voxel, &ref) &&
           vni_components_have(wanted, vni_cells_component(&space->cells, ref));
}

vn_status vn_space_random_reachable(const vn_space* space, vn_point from, uint64_t* random, vn_point* out) {
    VNI_ASSERT(space != NULL && random != NULL && out != NULL);
    if (!vni_space_has_cells(space))
        return VN_UNSUPPORTED;

    const vni_components wanted = vni_space_components_at(space, from);
    if (wanted.count == 0)
        return vni_space_fault_at(space, from);

    vn_voxel voxel = {0, 0, 0};
    bool found = false;
    for (int i = 0; i < TRIES && !found; ++i) {
        voxel = any_voxel(&space->occupancy, random);
        found = is_wanted(space, &wanted, voxel);
    }

    // A small component: it has a voxel at least, which touches `from`.
    if (!found) {
        vn_status status = draw_by_rank(space, &wanted, random, &voxel);
        VNI_ASSERT(status == VN_OK);
        (void)status;
    }

    *out = point_in(random, voxel);
    return VN_OK;
}

vn_status vn_space_random_reachable_position(const vn_space* space, vn_dvec3 from, uint64_t* random,
                                             vn_dvec3* out) {
    vn_point point = vn_point_outside();
    vn_status status = vn_space_random_reachable(space, vni_point_at(space, from), random, &point);
    return position_of(space, status, point, out);
}
