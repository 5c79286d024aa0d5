/// tests/oracle/cells_validate.c: the cells by brute force: looks at voxels and boxes.
#include "tests/oracle/cells_validate.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"

#include <string.h>

typedef struct checker {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    vn_detail* detail;
    uint64_t* covered; ///< 64^3 bits of the block in work
} checker;

static vn_status wrong(checker* c, vni_cell_ref ref, const char* what) {
    return vni_fail_index(c->detail, VN_BAD_DATA, c->cells->base[ref.block] + ref.cell,
                          "block %u, cell %u: %s", ref.block, ref.cell, what);
}

/// Corners of a cell in voxels of the space.
static void corners(const vni_cells* cells, vni_cell_ref ref, int32_t low[3], int32_t high[3]) {
    const vni_cell* cell = &cells->table[ref.block]->cells[ref.cell];
    const int32_t* at = cells->views[ref.block].low;
    for (int i = 0; i < 3; ++i) {
        low[i] = at[i] + cell->low[i];
        high[i] = at[i] + cell->high[i];
    }
}

// --------------------------------------------------------------------------------------------- coverage

static vn_status check_cover(checker* c, vni_cell_ref ref) {
    int32_t low[3], high[3];
    corners(c->cells, ref, low, high);
    for (int i = 0; i < 3; ++i)
        if (low[i] >= high[i] || high[i] > c->cells->dims[i])
            return wrong(c, ref, "is empty or sticks out of the space");

    for (int32_t z = low[2]; z < high[2]; ++z)
        for (int32_t y = low[1]; y < high[1]; ++y)
            for (int32_t x = low[0]; x < high[0]; ++x) {
                uint64_t bit = (uint64_t)((x & 63) + 64 * (y & 63) + 4096 * (z & 63));
                if (!vni_occupancy_free_at(c->occupancy, x, y, z))
                    return wrong(c, ref, "holds a blocked voxel");
                if (vni_bits_get(c->covered, bit))
                    return wrong(c, ref, "holds a voxel of another cell");
                vni_bits_set(c->covered, bit);
            }

    vni_cell_ref first, last;
    const vn_voxel near_corner = {low[0], low[1], low[2]},
                   far_corner = {high[0] - 1, high[1] - 1, high[2] - 1};
    if (!vni_cells_find(c->cells, near_corner, &first) || !vni_cells_find(c->cells, far_corner, &last) ||
        first.block != ref.block || first.cell != ref.cell || last.block != ref.block ||
        last.cell != ref.cell)
        return wrong(c, ref, "is not found by its corners");

    return VN_OK;
}

static vn_status check_block_cover(checker* c, uint32_t block) {
    const vni_cell_block* cells = c->cells->table[block];
    vni_cell_ref ref = {block, 0};
    memset(c->covered, 0, 4096 * sizeof *c->covered);
    for (; ref.cell < cells->cell_count; ++ref.cell) {
        vn_status status = check_cover(c, ref);
        if (status != VN_OK)
            return status;
    }

    uint64_t inside = 1;
    const int32_t* low = c->cells->views[block].low;
    for (int i = 0; i < 3; ++i)
        inside *= (uint64_t)(c->cells->dims[i] - low[i] < 64 ? c->cells->dims[i] - low[i] : 64);

    const vni_block* voxels = c->occupancy->table[block];
    if (vni_bits_count(c->covered, 64 * 64 * 64) != inside - (voxels != NULL ? voxels->blocked_voxels : 0))
        return vni_fail_index(c->detail, VN_BAD_DATA, block, "block %u: a free voxel lies in no cell", block);

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ links

/// Does the cell `from` list exactly this rectangle to `to` in the opposite face?
static bool has_reverse(const vni_cells* cells, vni_cell_ref from, vni_cell_ref to, uint32_t face,
                        const uint8_t rect[4]) {
    const vni_link_group* groups = NULL;
    uint32_t beyond = 0, count = vni_cells_face(cells, from, face ^ 1u, &groups, &beyond), found = 0;
    for (uint32_t g = 0; g < count; ++g)
        for (uint32_t k = 0; k < 4; ++k)
            found += groups[g].to[k] == to.cell && beyond == to.block && groups[g].low_a[k] == rect[0] &&
                     groups[g].high_a[k] == rect[1] && groups[g].low_b[k] == rect[2] &&
                     groups[g].high_b[k] == rect[3];

    return found == 1;
}

/// The rectangle must be just what the two boxes share of the plane between them.
static vn_status check_link(checker* c, vni_cell_ref ref, uint32_t face, vni_cell_ref other,
                            const uint8_t rect[4]) {
    int axis = (int)(face >> 1);
    int32_t low[3], high[3], other_low[3], other_high[3];
    if (other.cell >= c->cells->table[other.block]->cell_count)
        return wrong(c, ref, "has a link to a cell that does not exist");

    corners(c->cells, ref, low, high);
    corners(c->cells, other, other_low, other_high);
    const int32_t* block_low = c->cells->views[ref.block].low;
    if (face & 1 ? other_low[axis] != high[axis] : other_high[axis] != low[axis])
        return wrong(c, ref, "has a link to a cell that does not touch the face");

    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[axis][i];
        int32_t from = low[k] > other_low[k] ? low[k] : other_low[k],
                to = high[k] < other_high[k] ? high[k] : other_high[k];
        if (from >= to || block_low[k] + rect[2 * i] != from || block_low[k] + rect[2 * i + 1] != to)
            return wrong(c, ref, "has a portal that is not what the two cells share");
    }

    if (vni_cells_component(c->cells, ref) != vni_cells_component(c->cells, other))
        return wrong(c, ref, "is linked with a cell of another component");
    return has_reverse(c->cells, other, ref, face, rect)
               ? VN_OK
               : wrong(c, ref, "has a link that does not lead back");
}

/// Free voxels in the layer beyond the face: the portals must cover them all, and distinct cells do not
/// overlap.
static uint64_t free_beyond(const checker* c, vni_cell_ref ref, uint32_t face) {
    int axis = (int)(face >> 1), a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    int32_t low[3], high[3], at[3];
    uint64_t count = 0;
    corners(c->cells, ref, low, high);

    at[axis] = face & 1 ? high[axis] : low[axis] - 1;
    for (at[b] = low[b]; at[b] < high[b]; ++at[b])
        for (at[a] = low[a]; at[a] < high[a]; ++at[a])
            count += vni_occupancy_free_at(c->occupancy, at[0], at[1], at[2]);

    return count;
}

static vn_status check_face(checker* c, vni_cell_ref ref, uint32_t face) {
    const vni_link_group* groups = NULL;
    uint32_t beyond = 0, count = vni_cells_face(c->cells, ref, face, &groups, &beyond);
    uint64_t area = 0;
    for (uint32_t g = 0; g < count; ++g)
        for (uint32_t k = 0; k < 4; ++k) {
            const uint8_t rect[4] = {groups[g].low_a[k], groups[g].high_a[k], groups[g].low_b[k],
                                     groups[g].high_b[k]};
            vni_cell_ref other = {beyond, groups[g].to[k]};
            if (other.cell == VNI_NO_CELL) {
                if (g + 1 < count || k == 0)
                    return wrong(c, ref, "has a gap in a list of links");
                continue;
            }

            vn_status status = check_link(c, ref, face, other, rect);
            if (status != VN_OK)
                return status;

            area += (uint64_t)(rect[1] - rect[0]) * (uint64_t)(rect[3] - rect[2]);
        }

    return area == free_beyond(c, ref, face) ? VN_OK : wrong(c, ref, "lacks a link, or has one twice");
}

// ------------------------------------------------------------------------------------------- components

/// Floods one region from a cell, marking ids; returns false if there is no memory for the stack.
static bool flood(const vni_cells* cells, vni_cell_ref seed, uint64_t* seen, vni_cell_ref** stack,
                  uint64_t* capacity) {
    uint64_t count = 1;
    (*stack)[0] = seed;
    vni_bits_set(seen, cells->base[seed.block] + seed.cell);
    while (count > 0) {
        vni_cell_ref ref = (*stack)[--count];
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const vni_link_group* groups = NULL;
            uint32_t beyond = 0, n = vni_cells_face(cells, ref, face, &groups, &beyond);
            for (uint32_t i = 0; i < 4 * n; ++i) {
                vni_cell_ref next = {beyond, groups[i >> 2].to[i & 3]};
                if (next.cell == VNI_NO_CELL || vni_bits_get(seen, cells->base[beyond] + next.cell))
                    continue;
                if (!vni_grow(&cells->allocator, stack, capacity, count + 1, sizeof **stack))
                    return false;

                vni_bits_set(seen, cells->base[beyond] + next.cell);
                (*stack)[count++] = next;
            }
        }
    }

    return true;
}

/// As many regions as labels; with links between equal labels only (check_link) the two partitions are the
/// same.
static vn_status check_components(checker* c) {
    const vni_cells* cells = c->cells;
    uint64_t words = vni_bits_words(vni_cells_count(cells)), capacity = 0;
    uint64_t* seen = (uint64_t*)vni_alloc_zero(&cells->allocator, words + 1, sizeof *seen);
    vni_cell_ref* stack = NULL;
    uint32_t regions = 0,
             blocks = (uint32_t)cells->blocks[0] * (uint32_t)cells->blocks[1] * (uint32_t)cells->blocks[2];

    bool ok = seen != NULL && vni_grow(&cells->allocator, &stack, &capacity, 64, sizeof *stack);
    for (uint32_t block = 0; ok && block < blocks; ++block)
        for (uint32_t cell = 0; ok && cell < cells->table[block]->cell_count; ++cell)
            if (!vni_bits_get(seen, cells->base[block] + cell)) {
                vni_cell_ref seed = {block, cell};
                ok = flood(cells, seed, seen, &stack, &capacity);
                ++regions;
            }

    vni_free(&cells->allocator, seen, words + 1, sizeof *seen);
    VNI_DELETE_ARRAY(&cells->allocator, stack, capacity);
    if (!ok)
        return vni_fail(c->detail, VN_OUT_OF_MEMORY, "no memory to check the components");

    if (regions != cells->component_count)
        return vni_fail(c->detail, VN_BAD_DATA, "%u connected regions, but %u labels", regions,
                        cells->component_count);

    return VN_OK;
}

static vn_status check_block(checker* c, uint32_t block) {
    vn_status status = check_block_cover(c, block);
    vni_cell_ref ref = {block, 0};
    for (; status == VN_OK && ref.cell < c->cells->table[block]->cell_count; ++ref.cell)
        for (uint32_t face = 0; status == VN_OK && face < VNI_FACES; ++face)
            status = check_face(c, ref, face);
    return status;
}

vn_status vnt_cells_validate(const vni_cells* cells, const vni_occupancy* occupancy, vn_detail* detail) {
    checker c = {cells, occupancy, detail, VNI_NEW_ARRAY(&cells->allocator, uint64_t, 4096)};
    if (c.covered == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to validate");

    vn_status status = VN_OK;
    uint32_t blocks = (uint32_t)cells->blocks[0] * (uint32_t)cells->blocks[1] * (uint32_t)cells->blocks[2];
    for (uint32_t block = 0; status == VN_OK && block < blocks; ++block)
        status = check_block(&c, block);

    VNI_DELETE_ARRAY(&cells->allocator, c.covered, 4096);
    return status == VN_OK ? check_components(&c) : status;
}
