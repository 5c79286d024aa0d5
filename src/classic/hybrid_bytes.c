/// classic/hybrid_bytes.c: a hybrid graph as bytes, little-endian:
///
///     u32 bricks, joined nodes, edges
///     for each brick that is not empty: u32 number, u64 static obstacles, u64 dynamic voxels
///     u32 directions of the edges of each node that is not dynamic
///     u32 target of each edge
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/hybrid_inside.h"

// ------------------------------------------------------------------------------------------------- writing

/// Low corner of a brick, in voxels.
static void brick_low(const int32_t bricks[2], uint64_t brick, int32_t out[3]) {
    const uint64_t x = (uint64_t)bricks[0], y = (uint64_t)bricks[1];
    out[0] = (int32_t)(brick % x) * 4;
    out[1] = (int32_t)(brick / x % y) * 4;
    out[2] = (int32_t)(brick / x / y) * 4;
}

static void put_bricks(vni_number_writer* w, const vni_hybrid* h) {
    for (uint64_t i = 0; i < h->brick_count; ++i) {
        int32_t low[3];
        brick_low(h->stepper.bricks, i, low);
        const uint64_t walls = vni_stepper_walls(&h->stepper, low);
        if ((walls | h->dynamic[i]) == 0)
            continue;
        vni_put_number(w, i, 4);
        vni_put_number(w, walls, 8);
        vni_put_number(w, h->dynamic[i], 8);
    }
}

static uint32_t count_bricks(const vni_hybrid* h) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < h->brick_count; ++i) {
        int32_t low[3];
        brick_low(h->stepper.bricks, i, low);
        count += (vni_stepper_walls(&h->stepper, low) | h->dynamic[i]) != 0;
    }

    return count;
}

/// The direction of an edge; each node has at most one edge in each.
static uint32_t direction_of(const vni_hybrid* h, const vni_hybrid_edge* edge) {
    const vn_voxel a = vni_hybrid_voxel(h, edge->from), b = vni_hybrid_voxel(h, edge->to);
    const int32_t way[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        const int32_t* s = h->grid.step[d];
        if ((way[0] > 0) - (way[0] < 0) == s[0] && (way[1] > 0) - (way[1] < 0) == s[1] &&
            (way[2] > 0) - (way[2] < 0) == s[2])
            return d;
    }

    VNI_ASSERT(false); // an edge has a length
    return 0;
}

void vni_hybrid_write(const vni_hybrid* h, vni_number_writer* w) {
    vni_put_number(w, count_bricks(h), 4);
    vni_put_number(w, h->node_count - h->dynamic_count, 4);
    vni_put_number(w, h->edge_count, 4);
    put_bricks(w, h);

    for (uint32_t node = 0; node < h->node_count; ++node) {
        uint32_t mask = 0;
        for (uint32_t i = h->edge_first[node]; i < h->edge_first[node + 1]; ++i)
            mask |= 1u << direction_of(h, &h->edges[i]);
        if (!vni_hybrid_is_dynamic(h, node))
            vni_put_number(w, mask, 4);
    }

    for (uint32_t i = 0; i < h->edge_count; ++i)
        vni_put_number(w, h->edges[i].to, 4);
}

// ------------------------------------------------------------------------------------------------- reading

/// Voxels of a brick that lie inside.
static uint64_t inside_word(const int32_t dims[3], vn_voxel low) {
    uint64_t word = 0;
    for (int32_t bit = 0; bit < 64; ++bit)
        if (low.x + (bit & 3) < dims[0] && low.y + (bit >> 2 & 3) < dims[1] && low.z + (bit >> 4) < dims[2])
            word |= (uint64_t)1 << bit;
    return word;
}

/// The bricks: obstacles into `walls`, by brick of the grid, dynamic voxels into the area.
static vn_status take_bricks(vni_number_reader* in, uint32_t count, vni_area* area, vni_area* walls,
                             vn_detail* detail) {
    uint64_t next = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t brick = vni_take_u32(in), wall = vni_take_number(in, 8),
                       dynamic = vni_take_number(in, 8);
        if (in->failed || brick < next || brick >= vni_area_bricks(area) || (wall & dynamic) != 0 ||
            (wall | dynamic) == 0 ||
            ((wall | dynamic) & ~inside_word(area->dims, vni_area_brick_low(area, brick))) != 0)
            return vni_fail_index(detail, VN_BAD_FORMAT, i, "brick %u of the saved hybrid graph is wrong", i);

        next = brick + 1;
        walls->words[brick] = wall;
        area->words[brick] = dynamic;
    }

    return VN_OK;
}

/// The words of one block, in its own order.
static void gather_block(const vni_area* walls, const int32_t low[3], uint64_t dense[VNI_BLOCK_BRICKS]) {
    memset(dense, 0, VNI_BLOCK_BRICKS * sizeof *dense);
    for (int32_t z = low[2]; z < low[2] + VNI_BLOCK_SIZE && z < walls->dims[2]; z += 4)
        for (int32_t y = low[1]; y < low[1] + VNI_BLOCK_SIZE && y < walls->dims[1]; y += 4)
            for (int32_t x = low[0]; x < low[0] + VNI_BLOCK_SIZE && x < walls->dims[0]; x += 4) {
                const uint64_t row = (uint64_t)(y >> 2) + (uint64_t)walls->bricks[1] * (uint64_t)(z >> 2);
                dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)] =
                    walls->words[(uint64_t)(x >> 2) + (uint64_t)walls->bricks[0] * row];
            }
}

/// Fills an occupancy that is all free. False if memory runs out.
static bool fill_occupancy(const vni_area* walls, vni_occupancy* out) {
    uint64_t* dense = VNI_NEW_ARRAY(&walls->allocator, uint64_t, VNI_BLOCK_BRICKS);
    bool done = dense != NULL;
    for (uint32_t i = 0; done && i < vni_occupancy_block_count(out); ++i) {
        int32_t low[3];
        vni_block* block;
        vni_block_low(out->blocks, i, low);
        gather_block(walls, low, dense);
        done = vni_block_pack(&walls->allocator, dense, &block);
        if (done)
            vni_occupancy_set_block(out, i, block);
    }

    if (dense != NULL)
        VNI_DELETE_ARRAY(&walls->allocator, dense, VNI_BLOCK_BRICKS);
    return done;
}

/// What is made and thrown away while reading.
typedef struct reading {
    vni_area area, walls;
    vni_occupancy fixed;
} reading;

static vn_status read_graph(const vn_allocator* allocator, vni_number_reader* in, reading* r, vni_hybrid* out,
                            vn_detail* detail) {
    const uint32_t bricks = vni_take_u32(in), nodes = vni_take_u32(in), edges = vni_take_u32(in);
    if (in->failed || in->left != (uint64_t)bricks * 20 + (uint64_t)nodes * 4 + (uint64_t)edges * 4)
        return vni_fail(detail, VN_BAD_FORMAT, "the saved hybrid graph is truncated");

    vn_status status = take_bricks(in, bricks, &r->area, &r->walls, detail);
    if (status != VN_OK)
        return status;
    if (!fill_occupancy(&r->walls, &r->fixed))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the static obstacles of a hybrid graph");

    const uint64_t mask_bytes = (uint64_t)nodes * 4;
    vni_hybrid_saved saved = {{in->at, mask_bytes, false}, {in->at + mask_bytes, (uint64_t)edges * 4, false}};
    return vni_hybrid_make_from(allocator, &r->fixed, &r->area, &saved, NULL, NULL, out, detail);
}

vn_status vni_hybrid_read(const vn_allocator* allocator, const int32_t dims[3], vni_number_reader* in,
                          vni_hybrid* out, vn_detail* detail) {
    reading r = {0};
    *out = (vni_hybrid){0};
    vn_status status = vni_occupancy_make(allocator, (vn_voxel){dims[0], dims[1], dims[2]}, &r.fixed, detail);
    if (status != VN_OK)
        return status;

    status = vni_area_make(allocator, &r.fixed, &r.area, detail);
    if (status == VN_OK)
        status = vni_area_make(allocator, &r.fixed, &r.walls, detail);
    if (status == VN_OK)
        status = read_graph(allocator, in, &r, out, detail);

    vni_area_free(&r.area);
    vni_area_free(&r.walls);
    vni_occupancy_free(&r.fixed);
    return status;
}
