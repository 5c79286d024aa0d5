/// view/grid.c: neighbourhoods of voxels as bits, and the graph over them.
///
/// The 3x3x3 around a voxel is a word of 27 bits, (dx + 1) + 3 (dy + 1) + 9 (dz + 1). A step in a direction
/// is allowed if `free & needs[direction] == needs[direction]`: one comparison covers all voxels that it
/// spans.
#include "view/grid.h"
#include "base/fail.h"
#include "probe/sight.h"

#include <math.h>

#define ALL_27 0x7ffffffu

// ------------------------------------------------------------------------------------------ neighbourhood

/// Bits of the 3x3x3 on the low (0) or high (1) side of each axis.
static const uint32_t side_bits[3][2] = {
    {0x1249249u, 0x4924924u}, {0x01c0e07u, 0x70381c0u}, {0x00001ffu, 0x7fc0000u}};

/// Clears the bits beyond the bounds.
static inline uint32_t cut_to_bounds(const vni_occupancy* o, vn_voxel v, uint32_t mask) {
    const int32_t at[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        if (at[i] == 0)
            mask &= ~side_bits[i][0];
        if (at[i] == o->dims[i] - 1)
            mask &= ~side_bits[i][1];
    }

    return mask;
}

/// Does an all-free block or chunk contain the whole 3x3x3? at - 1 < size - 2, unsigned, excludes both ends.
static inline bool is_all_free(const vni_occupancy* o, vn_voxel v) {
    const vni_block* block = vni_occupancy_block(o, v.x, v.y, v.z);
    uint32_t size = block != NULL ? 16 : 64;
    if (block != NULL && block->some[vni_chunk_of(v.x, v.y, v.z)])
        return false;

    uint32_t inner = size - 2, mask = size - 1;
    return (((uint32_t)v.x & mask) - 1 < inner) & (((uint32_t)v.y & mask) - 1 < inner) &
           (((uint32_t)v.z & mask) - 1 < inner);
}

/// The one or two bricks that the 3x3x3 touches along one axis, and for each of its three slices the brick
/// and the row in it.
typedef struct slices {
    int32_t first[2]; ///< a voxel coordinate in each brick
    uint32_t brick[3], row[3];
    uint32_t bricks;
} slices;

/// Slices outside the bounds get the row of the voxel itself; cut_to_bounds clears them afterwards.
static inline slices slices_at(int32_t at, int32_t dim) {
    slices l;
    int32_t low = at > 0 ? at - 1 : at, high = at + 1 < dim ? at + 1 : at;
    const int32_t coordinate[3] = {low, at, high};
    l.first[0] = low;
    l.first[1] = high;

    l.bricks = (low >> 2) == (high >> 2) ? 1 : 2;
    for (int i = 0; i < 3; ++i) {
        l.brick[i] = (coordinate[i] >> 2) != (low >> 2);
        l.row[i] = (uint32_t)coordinate[i] & 3;
    }

    return l;
}

uint32_t vni_grid_free_around(const vni_occupancy* o, vn_voxel v) {
    VNI_ASSERT(vni_occupancy_inside(o, v.x, v.y, v.z));

    if (is_all_free(o, v))
        return cut_to_bounds(o, v, ALL_27);
    slices lx = slices_at(v.x, o->dims[0]), ly = slices_at(v.y, o->dims[1]), lz = slices_at(v.z, o->dims[2]);
    // One to eight bricks cover the 3x3x3; if none has a blocked voxel, all of it is free.
    uint64_t words[2][2][2], any = 0;
    for (uint32_t z = 0; z < lz.bricks; ++z)
        for (uint32_t y = 0; y < ly.bricks; ++y)
            for (uint32_t x = 0; x < lx.bricks; ++x) {
                words[z][y][x] = vni_occupancy_brick(o, lx.first[x], ly.first[y], lz.first[z]);
                any |= words[z][y][x];
            }

    if (!any)
        return cut_to_bounds(o, v, ALL_27);
    // Gathers bit by bit: slice -> brick and row.
    uint32_t blocked = 0;
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y) {
            const uint64_t* pair = words[lz.brick[z]][ly.brick[y]];
            uint32_t shift = 4 * ly.row[y] + 16 * lz.row[z];
            for (int x = 0; x < 3; ++x)
                blocked |= (uint32_t)(pair[lx.brick[x]] >> (shift + lx.row[x]) & 1) << (x + 3 * y + 9 * z);
        }

    return cut_to_bounds(o, v, ALL_27 & ~blocked);
}

// ------------------------------------------------------------------------------------------- the graph

vn_voxel vni_grid_voxel(const vni_grid* grid, uint32_t node) {
    VNI_ASSERT(grid->bricks[0] > 0 && grid->bricks[1] > 0);
    uint32_t brick = node >> 6, bit = node & 63;
    uint32_t row = brick / (uint32_t)grid->bricks[0], bx = brick - row * (uint32_t)grid->bricks[0];
    uint32_t bz = row / (uint32_t)grid->bricks[1], by = row - bz * (uint32_t)grid->bricks[1];
    vn_voxel v = {(int32_t)(bx << 2 | (bit & 3)), (int32_t)(by << 2 | (bit >> 2 & 3)),
                  (int32_t)(bz << 2 | bit >> 4)};

    return v;
}

static uint32_t grid_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    VNI_ASSERT(*cursor == 0); // all neighbours fit in one batch

    (void)cursor;
    const vni_grid* grid = (const vni_grid*)self;
    VNI_ASSERT(out->to != NULL && out->cost != NULL);

    const uint32_t* offset = grid->offset[node & 63];
    uint32_t free = vni_grid_free_around(grid->occupancy, vni_grid_voxel(grid, node)), count = 0;
    if (free == ALL_27) {
        for (uint32_t d = 0; d < grid->neighbours; ++d) {
            out->to[d] = node + offset[d];
            out->cost[d] = grid->cost[d];
        }
        return grid->neighbours;
    }

    // Written always, counted if allowed: no branch that depends on the map.
    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        out->to[count] = node + offset[d];
        out->cost[count] = grid->cost[d];
        count += (free & grid->needs[d]) == grid->needs[d];
    }

    return count;
}

static void grid_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_grid* grid = (const vni_grid*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vn_voxel_center(vni_grid_voxel(grid, nodes[i]));
}

static bool grid_visible(const void* self, uint32_t a, uint32_t b) {
    const vni_grid* grid = (const vni_grid*)self;
    return vni_sight(grid->occupancy, vn_voxel_center(vni_grid_voxel(grid, a)),
                     vn_voxel_center(vni_grid_voxel(grid, b)));
}

vn_graph vni_grid_graph(const vni_grid* grid) {
    VNI_ASSERT(grid->occupancy != NULL && (grid->neighbours == 6 || grid->neighbours == 26));

    vn_graph graph = {0};
    graph.self = grid;
    graph.node_limit = (uint32_t)grid->bricks[0] * (uint32_t)grid->bricks[1] * (uint32_t)grid->bricks[2] << 6;
    graph.capabilities = VN_GRAPH_SEES | VN_GRAPH_IS_GRID;
    graph.expand = grid_expand;
    vni_graph_set_symmetric(&graph);
    graph.points = grid_points;
    graph.visible = grid_visible;
    graph.grid = grid;

    return graph;
}

// ---------------------------------------------------------------------------------------------- lengths

static uint32_t apart(int32_t a, int32_t b) {
    return a < b ? (uint32_t)(b - a) : (uint32_t)(a - b);
}

void vni_grid_add_steps(const vni_grid* grid, uint32_t a, uint32_t b, vni_step_counts* counts) {
    vn_voxel from = vni_grid_voxel(grid, a), to = vni_grid_voxel(grid, b);
    uint32_t x = apart(from.x, to.x), y = apart(from.y, to.y), z = apart(from.z, to.z);
    uint32_t most = x > y ? x : y;
    most = most > z ? most : z;
    VNI_ASSERT((x == 0 || x == most) && (y == 0 || y == most) && (z == 0 || z == most));

    const int axes = (x != 0) + (y != 0) + (z != 0);
    counts->straight += axes == 1 ? most : 0;
    counts->edge += axes == 2 ? most : 0;
    counts->corner += axes == 3 ? most : 0;
}

double vni_grid_length(const vni_step_counts* counts) {
    return (double)counts->straight + sqrt(2.0) * (double)counts->edge + sqrt(3.0) * (double)counts->corner;
}

// ---------------------------------------------------------------------------------------------- tables

/// Bits of the box of voxels that a step spans, both ends included.
static uint32_t spanned_bits(const int32_t step[3]) {
    uint32_t bits = 0;
    for (int i = 0; i < 8; ++i) {
        int32_t dx = i & 1 ? step[0] : 0, dy = i & 2 ? step[1] : 0, dz = i & 4 ? step[2] : 0;
        bits |= 1u << ((dx + 1) + 3 * (dy + 1) + 9 * (dz + 1));
    }
    return bits;
}

static void make_directions(vni_grid* grid) {
    static const double costs[4] = {0, 1, VNI_EDGE_STEP, VNI_CORNER_STEP};
    uint32_t d = 0;
    for (int32_t axes = 1; axes <= 3; ++axes)
        for (int32_t i = 0; i < 27; ++i) {
            int32_t step[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            int32_t moved = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
            if (moved != axes)
                continue;

            for (int k = 0; k < 3; ++k)
                grid->step[d][k] = step[k];

            grid->cost[d] = costs[moved];
            grid->needs[d] = spanned_bits(step);
            ++d;
        }

    VNI_ASSERT(d == VNI_GRID_DIRECTIONS);
}

/// Unsigned, since a step out of a thin grid may lead beyond 2^31; such a step is never taken.
static uint32_t offset_of(const vni_grid* grid, int32_t bit, const int32_t step[3]) {
    int32_t x = (bit & 3) + step[0], y = (bit >> 2 & 3) + step[1], z = (bit >> 4) + step[2];
    uint32_t rows = (uint32_t)(y >> 2) + (uint32_t)grid->bricks[1] * (uint32_t)(z >> 2);
    uint32_t brick = (uint32_t)(x >> 2) + (uint32_t)grid->bricks[0] * rows;
    return brick * 64 + vni_bit_of(x, y, z) - (uint32_t)bit;
}

vn_status vni_grid_make(const vni_occupancy* occupancy, uint32_t neighbours, vni_grid* out,
                        vn_detail* detail) {
    if (neighbours != 6 && neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "a grid has 6 or 26 neighbours, not %u", neighbours);
    uint64_t count = 1;
    for (int i = 0; i < 3; ++i) {
        out->bricks[i] = (occupancy->dims[i] + 3) >> 2;
        count *= (uint64_t)out->bricks[i];
    }

    if (count >= (uint64_t)1 << 25)
        return vni_fail(
            detail, VN_TOO_LARGE,
            "%d x %d x %d voxels are more than a grid search can number (2^31); choose a coarser resolution",
            occupancy->dims[0], occupancy->dims[1], occupancy->dims[2]);

    out->occupancy = occupancy;
    out->neighbours = neighbours;
    make_directions(out);
    for (int32_t bit = 0; bit < 64; ++bit)
        for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d)
            out->offset[bit][d] = offset_of(out, bit, out->step[d]);

    return VN_OK;
}
