/// classic/hybrid.c: which voxels are nodes, and the life of a hybrid graph.
#include "classic/hybrid.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/hybrid_inside.h"
#include "geom/lattice.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------- node kinds

/// Bit of a direction in the 3x3x3 around a voxel, as in vni_grid_free_around.
static uint32_t around_bit(int32_t dx, int32_t dy, int32_t dz) {
    return 1u << ((dx + 1) + 3 * (dy + 1) + 9 * (dz + 1));
}

/// Is a voxel with these free voxels around it at a convex edge or corner of something blocked? At an edge
/// the voxel across is blocked and the two between are free; at a corner all seven others of the 2x2x2 are.
/// The rim of the space is no such edge: there one of those between lies outside, too.
static bool is_at_edge(const vni_grid* grid, uint32_t free) {
    for (uint32_t d = 6; d < VNI_GRID_DIRECTIONS; ++d) {
        const int32_t* s = grid->step[d];
        const uint32_t across = around_bit(s[0], s[1], s[2]);
        if (!(free & across) && (free & grid->needs[d]) == (grid->needs[d] & ~across))
            return true;
    }

    return false;
}

/// Voxels of a brick that are inside the space and free of static obstacles.
static uint64_t free_word(const vni_occupancy* fixed, vn_voxel low) {
    uint64_t word = ~vni_occupancy_brick(fixed, low.x, low.y, low.z);
    for (int32_t bit = 0; bit < 64; ++bit)
        if (!vni_occupancy_inside(fixed, low.x + (bit & 3), low.y + (bit >> 2 & 3), low.z + (bit >> 4)))
            word &= ~((uint64_t)1 << bit);
    return word;
}

/// Marks the free voxels around a dynamic one.
static void mark_neighbours(vni_hybrid* h, const vni_occupancy* fixed, vn_voxel v) {
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        const int32_t* s = h->grid.step[d];
        const vn_voxel beside = {v.x + s[0], v.y + s[1], v.z + s[2]};
        if (vni_occupancy_free_at(fixed, beside.x, beside.y, beside.z))
            vni_bits_set(h->neighbour, vni_grid_node(&h->grid, beside));
    }
}

static uint64_t static_word(const vni_hybrid* h, const vni_occupancy* fixed, uint64_t brick, uint64_t free) {
    uint64_t word = 0;
    for (uint64_t rest = free; rest != 0; rest &= rest - 1) {
        const uint32_t bit = vni_lowest_bit(rest);
        const vn_voxel v = vni_grid_voxel(&h->grid, (uint32_t)(brick << 6 | bit));
        if (is_at_edge(&h->grid, vni_grid_free_around(fixed, v)))
            word |= (uint64_t)1 << bit;
    }

    return word;
}

/// A voxel that fits several kinds is dynamic before dynamic neighbour before static.
static void mark_nodes(vni_hybrid* h, const vni_occupancy* fixed, const vni_area* area) {
    for (uint64_t i = 0; i < h->brick_count; ++i) {
        h->dynamic[i] = area->words[i] & free_word(fixed, vni_area_brick_low(area, i));
        for (uint64_t rest = h->dynamic[i]; rest != 0; rest &= rest - 1)
            mark_neighbours(h, fixed, vni_grid_voxel(&h->grid, (uint32_t)(i << 6 | vni_lowest_bit(rest))));
    }

    for (uint64_t i = 0; i < h->brick_count; ++i) {
        h->neighbour[i] &= ~h->dynamic[i];
        h->used[i] = h->dynamic[i] | h->neighbour[i];
        const uint64_t free = free_word(fixed, vni_area_brick_low(area, i)) & ~h->used[i];
        h->used[i] |= static_word(h, fixed, i, free);

        h->first[i] = h->node_count;
        h->node_count += vni_popcount(h->used[i]);
        h->dynamic_count += vni_popcount(h->dynamic[i]);
        h->neighbour_count += vni_popcount(h->neighbour[i]);
    }
}

static bool list_voxels(vni_hybrid* h) {
    h->voxels = VNI_NEW_ARRAY(&h->allocator, uint32_t, h->node_count);
    if (h->node_count > 0 && h->voxels == NULL)
        return false;

    uint32_t node = 0;
    for (uint64_t i = 0; i < h->brick_count; ++i)
        for (uint64_t rest = h->used[i]; rest != 0; rest &= rest - 1)
            h->voxels[node++] = (uint32_t)(i << 6 | vni_lowest_bit(rest));
    return true;
}

static bool make_words(vni_hybrid* h) {
    uint64_t** words[3] = {&h->used, &h->dynamic, &h->neighbour};
    for (int i = 0; i < 3; ++i) {
        *words[i] = (uint64_t*)vni_alloc_zero(&h->allocator, h->brick_count, sizeof(uint64_t));
        if (*words[i] == NULL)
            return false;
    }

    h->first = VNI_NEW_ARRAY(&h->allocator, uint32_t, h->brick_count);
    return h->first != NULL;
}

vn_node_kind vni_hybrid_kind(const vni_hybrid* hybrid, uint32_t node) {
    const uint32_t id = hybrid->voxels[node];
    if (vni_bits_get(hybrid->dynamic, id))
        return VN_NODE_DYNAMIC;
    return vni_bits_get(hybrid->neighbour, id) ? VN_NODE_DYNAMIC_NEIGHBOUR : VN_NODE_STATIC;
}

// ---------------------------------------------------------------------------------------------------- lines

bool vni_hybrid_line_is_open(const vni_occupancy* occupancy, vn_voxel a, vn_voxel b) {
    vni_lattice_walk walk = vni_lattice_begin(vn_voxel_center(a), vn_voxel_center(b));
    vni_lattice_piece piece;
    while (vni_lattice_next(&walk, &piece))
        for (int32_t z = piece.low[2]; z <= piece.high[2]; ++z)
            for (int32_t y = piece.low[1]; y <= piece.high[1]; ++y)
                for (int32_t x = piece.low[0]; x <= piece.high[0]; ++x)
                    if (!vni_occupancy_free_at(occupancy, x, y, z))
                        return false;
    return true;
}

// --------------------------------------------------------------------------------------------- life and size

static vn_status check_size(const vni_occupancy* fixed, vn_detail* detail) {
    const uint64_t voxels = (uint64_t)fixed->dims[0] * (uint64_t)fixed->dims[1] * (uint64_t)fixed->dims[2];
    if (voxels > VNI_HYBRID_MAX_VOXELS)
        return vni_fail(detail, VN_TOO_LARGE,
                        "a hybrid graph takes spaces of up to 2^26 voxels, because it finds neighbours by "
                        "stepping through planes of them; this one has %d x %d x %d: choose a coarser "
                        "resolution, or another space such as cells",
                        fixed->dims[0], fixed->dims[1], fixed->dims[2]);
    return VN_OK;
}

vn_status vni_hybrid_make_from(const vn_allocator* allocator, const vni_occupancy* fixed,
                               const vni_area* area, vni_hybrid_saved* saved, vn_progress* progress,
                               void* progress_user, vni_hybrid* out, vn_detail* detail) {
    VNI_ASSERT(memcmp(fixed->dims, area->dims, sizeof area->dims) == 0);

    vni_hybrid h = {.allocator = *allocator, .brick_count = vni_area_bricks(area)};
    *out = (vni_hybrid){0};
    vn_status status = check_size(fixed, detail);
    if (status == VN_OK)
        status = vni_grid_make(fixed, 26, &h.grid, detail);
    if (status != VN_OK)
        return status;

    h.grid.occupancy = NULL;
    if (make_words(&h)) {
        mark_nodes(&h, fixed, area);
        status = list_voxels(&h) ? vni_hybrid_join(&h, fixed, saved, progress, progress_user, detail)
                                 : VN_OUT_OF_MEMORY;
    } else {
        status = VN_OUT_OF_MEMORY;
    }

    if (status == VN_OUT_OF_MEMORY)
        vni_fail(detail, status, "no memory for a hybrid graph of %u nodes", h.node_count);
    if (status == VN_OK)
        *out = h;
    else
        vni_hybrid_free(&h);

    return status;
}

vn_status vni_hybrid_make(const vn_allocator* allocator, const vni_occupancy* fixed, const vni_area* area,
                          vn_progress* progress, void* progress_user, vni_hybrid* out, vn_detail* detail) {
    return vni_hybrid_make_from(allocator, fixed, area, NULL, progress, progress_user, out, detail);
}

void vni_hybrid_free(vni_hybrid* h) {
    const vn_allocator* a = &h->allocator;
    const uint64_t firsts = (uint64_t)h->node_count + 1;
    uint64_t* words[3] = {h->used, h->dynamic, h->neighbour};
    uint32_t* by_node[3] = {h->edge_first, h->back_first, h->cross_first};
    for (int i = 0; i < 3; ++i) {
        if (words[i] != NULL)
            VNI_DELETE_ARRAY(a, words[i], h->brick_count);
        if (by_node[i] != NULL)
            VNI_DELETE_ARRAY(a, by_node[i], firsts);
    }

    if (h->first != NULL)
        VNI_DELETE_ARRAY(a, h->first, h->brick_count);
    if (h->voxels != NULL)
        VNI_DELETE_ARRAY(a, h->voxels, h->node_count);
    if (h->edges != NULL)
        VNI_DELETE_ARRAY(a, h->edges, h->edge_count);
    if (h->back != NULL)
        VNI_DELETE_ARRAY(a, h->back, h->edge_count);
    if (h->cross != NULL)
        VNI_DELETE_ARRAY(a, h->cross, h->cross_count);

    vni_stepper_free(&h->stepper);
    *h = (vni_hybrid){0};
}

size_t vni_hybrid_bytes(const vni_hybrid* h) {
    const uint64_t bytes = h->brick_count * (3 * sizeof(uint64_t) + sizeof(uint32_t)) +
                           (4 * (uint64_t)h->node_count + 3) * sizeof(uint32_t) +
                           h->edge_count * (sizeof(vni_hybrid_edge) + sizeof(uint32_t)) +
                           h->cross_count * sizeof(uint32_t);
    return (size_t)bytes + vni_stepper_bytes(&h->stepper);
}
