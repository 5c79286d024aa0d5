/// space/space.c: coordinates, occupancy, reachability, validation and visitors of a space.
#include "space/space.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "space/frame.h"

#include <math.h>
#include <string.h>

void vn_space_get_info(const vn_space* space, vn_space_info* out) {
    VNI_ASSERT(space != NULL && out != NULL);

    const vni_occupancy* o = &space->occupancy;
    uint64_t voxels = (uint64_t)o->dims[0] * (uint64_t)o->dims[1] * (uint64_t)o->dims[2];
    out->dims.x = o->dims[0];
    out->dims.y = o->dims[1];
    out->dims.z = o->dims[2];
    out->resolution = space->resolution;
    out->radius = space->radius;
    out->open_flags = space->open_flags;
    out->unknown = space->unknown_policy;
    out->origin = space->origin;
    out->low = space->low;
    out->blocked_voxels = o->blocked_voxels;
    out->free_voxels = voxels - o->blocked_voxels;
    out->unknown_voxels = space->unknown.blocked_voxels;
    bool has_cells = vni_space_has_cells(space);
    out->cells = has_cells ? vni_cells_count(&space->cells) : 0;
    out->links = space->cells.link_count;
    out->components = space->cells.component_count;
}

/// Without blocks that the occupancy shares: they are counted there.
static size_t unknown_bytes(const vn_space* space) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < vni_occupancy_block_count(&space->unknown); ++i) {
        const vni_block* block = space->unknown.table[i];
        bytes += sizeof(vni_block*) + (block != space->occupancy.table[i] ? vni_block_bytes(block) : 0);
    }
    return bytes;
}

static bool same_voxels(const vni_block* a, const vni_block* b) {
    return a != NULL && b != NULL && a->mixed_count == b->mixed_count &&
           memcmp(a->some, b->some, sizeof a->some) == 0 && memcmp(a->full, b->full, sizeof a->full) == 0 &&
           memcmp(a->bricks, b->bricks, a->mixed_count * sizeof a->bricks[0]) == 0;
}

void vni_space_share_unknown(vn_space* space) {
    vni_occupancy *all = &space->occupancy, *unknown = &space->unknown;
    for (uint32_t i = 0; unknown->table != NULL && i < vni_occupancy_block_count(unknown); ++i) {
        if (unknown->table[i] == all->table[i] || !same_voxels(unknown->table[i], all->table[i]))
            continue;
        vni_block_retain(all->table[i]);
        vni_occupancy_set_block(unknown, i, all->table[i]);
    }
}

void vn_space_get_memory(const vn_space* space, vn_memory* out) {
    vni_occupancy_memory(&space->occupancy, out);
    if (vni_space_has_cells(space))
        vni_cells_memory(&space->cells, out);
    if (vni_space_has_unknown(space))
        vni_memory_add(out, "unknown", unknown_bytes(space));
    vni_memory_add(out, "space", sizeof *space);
}

uint64_t vn_space_content_hash(const vn_space* space) {
    uint64_t hash = vni_occupancy_hash(&space->occupancy);
    if (vni_space_has_cells(space))
        hash = vni_hash_mix(hash ^ vni_cells_hash(&space->cells));
    return vni_space_has_unknown(space) ? vni_hash_mix(hash + vni_occupancy_hash(&space->unknown)) : hash;
}

/// Are the blocked voxels of `part` a subset of those of `all`? Null means none.
static bool block_holds(const vni_block* all, const vni_block* part) {
    for (uint32_t chunk = 0; part != NULL && part != all && chunk < 64; ++chunk) {
        uint64_t open = part->some[chunk] & ~(all != NULL ? all->full[chunk] : 0);
        for (; open; open &= open - 1) {
            uint32_t brick = vni_lowest_bit(open);
            uint64_t blocked = all != NULL ? vni_block_brick(all, chunk, brick) : 0;
            if (vni_block_brick(part, chunk, brick) & ~blocked)
                return false;
        }
    }

    return true;
}

vn_status vni_space_validate_unknown(const vn_space* space, vn_detail* detail) {
    const vni_occupancy *all = &space->occupancy, *unknown = &space->unknown;
    for (int i = 0; i < 3; ++i)
        if (all->dims[i] != unknown->dims[i])
            return vni_fail(detail, VN_BAD_DATA, "the unknown voxels have another grid than the space");

    for (uint32_t i = 0; i < vni_occupancy_block_count(unknown); ++i)
        if (!block_holds(all->table[i], unknown->table[i]))
            return vni_fail_index(detail, VN_BAD_DATA, i, "block %u has an unknown voxel that is not blocked",
                                  (unsigned)i);

    return VN_OK;
}

vn_status vn_space_validate(const vn_space* space, vn_detail* detail) {
    vn_status status = vni_occupancy_validate(&space->occupancy, detail);
    if (status == VN_OK && vni_space_has_unknown(space))
        status = vni_occupancy_validate(&space->unknown, detail);
    if (status == VN_OK && vni_space_has_unknown(space))
        status = vni_space_validate_unknown(space, detail);
    if (status == VN_OK && vni_space_has_cells(space))
        status = vni_cells_validate(&space->cells, &space->occupancy, detail);

    return status;
}

// ------------------------------------------------------------------------------------------ coordinates

/// The nearest lattice coordinate; false if there is none, also for NaN. Leaves out INT32_MIN.
static bool to_lattice(double voxels, int32_t* out) {
    double rounded = floor(vni_voxels_to_steps(voxels) + 0.5);
    bool fits = rounded > INT32_MIN && rounded <= INT32_MAX;
    *out = fits ? (int32_t)rounded : 0;
    return fits;
}

vn_point vni_nearest_point(vni_vec v) {
    vn_point p;
    bool x = to_lattice(v.x, &p.x), y = to_lattice(v.y, &p.y), z = to_lattice(v.z, &p.z);
    return x && y && z ? p : vn_point_outside();
}

static vn_status lattice_point(const vn_space* space, vni_vec v, vn_point* out) {
    vn_point p = vni_nearest_point(v);
    bool inside = vni_point_is_within(p, space->occupancy.dims);
    *out = inside ? p : vn_point_outside();
    return inside ? VN_OK : VN_OUTSIDE;
}

vn_status vn_space_point_from_world(const vn_space* space, vn_dvec3 position, vn_point* out) {
    return lattice_point(space, vni_world_to_voxels(space, position), out);
}

vn_status vn_space_point_from_local(const vn_space* space, vn_vec3 position, vn_point* out) {
    return lattice_point(space, vni_local_to_voxels(space, position), out);
}

vn_dvec3 vn_space_point_to_world(const vn_space* space, vn_point point) {
    return vni_voxels_to_world(space, vni_point_in_voxels(point));
}

vn_status vn_space_points_from_world(const vn_space* space, const vn_dvec3* positions, uint32_t count,
                                     vn_point* out) {
    VNI_ASSERT(space != NULL && (count == 0 || (positions != NULL && out != NULL)));
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < count; ++i)
        if (vn_space_point_from_world(space, positions[i], &out[i]) != VN_OK)
            status = VN_OUTSIDE;
    return status;
}

void vn_space_points_to_world(const vn_space* space, const vn_point* points, uint32_t count, vn_dvec3* out) {
    VNI_ASSERT(space != NULL && (count == 0 || (points != NULL && out != NULL)));
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vn_space_point_to_world(space, points[i]);
}

/// The upper bound belongs to the last voxel.
static int32_t voxel_of(int32_t coordinate, int32_t dim) {
    VNI_ASSERT(dim > 0);
    return vni_step_to_voxel(coordinate) - (coordinate == vni_voxel_to_steps(dim));
}

vn_voxel vn_space_voxel_at(const vn_space* space, vn_point point) {
    const int32_t* dims = space->occupancy.dims;
    vn_voxel v = {voxel_of(point.x, dims[0]), voxel_of(point.y, dims[1]), voxel_of(point.z, dims[2])};
    return v;
}

// ---------------------------------------------------------------------------------------------- occupancy

bool vn_space_voxel_free(const vn_space* space, vn_voxel voxel) {
    return vni_occupancy_free_at(&space->occupancy, voxel.x, voxel.y, voxel.z);
}

uint32_t vni_voxels_around(vn_point point, vn_voxel out[8]) {
    const int32_t at[3] = {point.x, point.y, point.z};
    int32_t choice[3][2], choices[3];
    for (int i = 0; i < 3; ++i) {
        choice[i][0] = vni_step_to_voxel(at[i]);
        choice[i][1] = choice[i][0] - 1;
        choices[i] = vni_step_is_on_plane(at[i]) ? 2 : 1;
    }

    uint32_t count = 0;
    for (int z = 0; z < choices[2]; ++z)
        for (int y = 0; y < choices[1]; ++y)
            for (int x = 0; x < choices[0]; ++x)
                out[count++] = (vn_voxel){choice[0][x], choice[1][y], choice[2][z]};

    VNI_ASSERT(count >= 1 && count <= 8);

    return count;
}

bool vni_space_region_holds(const vn_space* space, vn_voxel voxel) {
    vni_cell_ref ref;
    return vni_cells_find(&space->cells, voxel, &ref) &&
           vni_cells_component(&space->cells, ref) + 1 == space->region;
}

bool vni_space_free_voxel_at(const vn_space* space, vn_point point, vn_voxel* out) {
    vn_voxel around[8];
    uint32_t count = vni_voxels_around(point, around);
    for (uint32_t i = 0; i < count; ++i)
        if (vn_space_voxel_free(space, around[i]) && vni_space_in_region(space, around[i])) {
            *out = around[i];
            return true;
        }

    return false;
}

bool vn_space_point_free(const vn_space* space, vn_point point) {
    vn_voxel voxel;
    return vni_space_free_voxel_at(space, point, &voxel);
}

bool vn_space_point_unknown(const vn_space* space, vn_point point) {
    vn_voxel around[8];
    if (!vni_space_has_unknown(space) || vn_space_point_free(space, point))
        return false;

    uint32_t count = vni_voxels_around(point, around);
    for (uint32_t i = 0; i < count; ++i) {
        vn_voxel v = around[i];
        if (vni_occupancy_inside(&space->unknown, v.x, v.y, v.z) &&
            !vni_occupancy_free_at(&space->unknown, v.x, v.y, v.z))
            return true;
    }

    return false;
}

/// A free voxel around a point, and its region.
typedef struct foothold {
    vn_voxel voxel;
    uint32_t region;
} foothold;

/// The footholds of a point: a point on a face, an edge or a corner may belong to several regions. Returns
/// their number.
static uint32_t footholds_at(const vn_space* space, vn_point point, foothold out[8]) {
    vn_voxel around[8];
    uint32_t count = vni_voxels_around(point, around), found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vni_cell_ref ref;
        if (vni_cells_find(&space->cells, around[i], &ref) && vni_space_in_region(space, around[i]))
            out[found++] = (foothold){around[i], vni_cells_component(&space->cells, ref)};
    }

    return found;
}

vni_components vni_space_components_at(const vn_space* space, vn_point point) {
    VNI_ASSERT(vni_space_has_cells(space));
    foothold footholds[8];
    vni_components components = {.count = 0};
    const uint32_t found = footholds_at(space, point, footholds);
    for (uint32_t i = 0; i < found; ++i)
        if (!vni_components_have(&components, footholds[i].region))
            components.labels[components.count++] = footholds[i].region;
    return components;
}

bool vni_space_join(const vn_space* space, vn_point a, vn_point b, vn_voxel* voxel_a, vn_voxel* voxel_b) {
    foothold of_a[8], of_b[8];
    VNI_ASSERT(vni_space_has_cells(space));

    uint32_t count_a = footholds_at(space, a, of_a), count_b = footholds_at(space, b, of_b);
    for (uint32_t i = 0; i < count_a; ++i)
        for (uint32_t k = 0; k < count_b; ++k)
            if (of_a[i].region == of_b[k].region) {
                *voxel_a = of_a[i].voxel;
                *voxel_b = of_b[k].voxel;
                return true;
            }

    return false;
}

bool vn_space_reachable(const vn_space* space, vn_point a, vn_point b) {
    vn_voxel voxel_a, voxel_b;
    return vni_space_has_cells(space) && vni_space_join(space, a, b, &voxel_a, &voxel_b);
}

// -------------------------------------------------------------------------------------- visiting blocked

/// The blocked voxels of the four voxels from x on (a multiple of 4), as bits.
static uint32_t row_bits(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    VNI_ASSERT((x & 3) == 0);
    return (uint32_t)(vni_occupancy_brick(o, x, y, z) >> vni_bit_of(0, y, z)) & 15u;
}

/// End, along x, of the aligned free cube of 64, 16 or 4 voxels around the voxel; x itself if its brick is
/// not all free.
static int32_t end_of_free(const vni_occupancy* o, int32_t x, int32_t y, int32_t z) {
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    if (block == NULL)
        return (x & ~63) + 64;
    if (!block->some[vni_chunk_of(x, y, z)])
        return (x & ~15) + 16;
    return vni_occupancy_brick(o, x, y, z) ? x : (x & ~3) + 4;
}

/// Visits the runs of one row; a run may continue across bricks.
static bool visit_row(const vni_occupancy* o, vn_voxel low, vn_voxel high, vn_visit_run* visit, void* user) {
    vn_voxel first = low;
    int32_t length = 0;
    for (int32_t x = low.x; x < high.x;) {
        // Skips free cubes as a whole; reads four bits of a brick otherwise.
        int32_t free_end = end_of_free(o, x, low.y, low.z);
        int32_t end = free_end > x ? free_end : (x & ~3) + 4;
        uint32_t bits = free_end > x ? 0 : row_bits(o, x & ~3, low.y, low.z);
        end = end < high.x ? end : high.x;
        while (x < end) {
            bool blocked = bits >> (x & 3) & 1;
            if (blocked && length++ == 0)
                first.x = x;

            if (!blocked && length > 0) {
                if (!visit(user, first, length))
                    return false;
                length = 0;
            }

            x = bits ? x + 1 : end;
        }
    }

    return length == 0 || visit(user, first, length);
}

/// Are all blocks along the row at (y, z) free?
static bool blocks_are_free(const vni_occupancy* o, int32_t y, int32_t z) {
    vni_block** row = o->table + vni_block_of(o->blocks, 0, y, z);
    for (int32_t i = 0; i < o->blocks[0]; ++i)
        if (row[i] != NULL)
            return false;
    return true;
}

static int32_t clamp_index(int32_t at, int32_t dim) {
    return at < 0 ? 0 : at > dim ? dim : at;
}

void vn_space_visit_blocked(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_run* visit,
                            void* user) {
    VNI_ASSERT(space != NULL && visit != NULL);

    const vni_occupancy* o = &space->occupancy;
    int32_t x0 = clamp_index(low.x, o->dims[0]), x1 = clamp_index(high.x, o->dims[0]);
    int32_t y0 = clamp_index(low.y, o->dims[1]), y1 = clamp_index(high.y, o->dims[1]);
    int32_t z0 = clamp_index(low.z, o->dims[2]), z1 = clamp_index(high.z, o->dims[2]);
    for (int32_t z = z0; z < z1; ++z)
        for (int32_t y = y0; y < y1; ++y) {
            if (blocks_are_free(o, y, z)) { // no row of these blocks has anything
                y |= 63;
                continue;
            }

            vn_voxel row_low = {x0, y, z}, row_high = {x1, y + 1, z + 1};
            if (!visit_row(o, row_low, row_high, visit, user))
                return;
        }
}

// ---------------------------------------------------------------------------------------- visiting cells

/// Visits the cells of one block that meet the box; false if the visitor stops.
static bool visit_block_cells(const vni_cells* cells, uint32_t block, vn_voxel low, vn_voxel high,
                              vn_visit_cell* visit, void* user) {
    const vni_block_view* view = &cells->views[block];
    for (uint32_t i = 0; i < cells->table[block]->cell_count; ++i) {
        const vn_voxel_box box = vni_cell_voxels(view, &view->cells[i]);
        bool touches = box.low.x < high.x && box.high.x > low.x && box.low.y < high.y && box.high.y > low.y &&
                       box.low.z < high.z && box.high.z > low.z;

        if (touches && !visit(user, box.low, box.high))
            return false;
    }

    return true;
}

void vn_space_visit_cells(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                          void* user) {
    const vni_occupancy* o = &space->occupancy;
    if (!vni_space_has_cells(space))
        return;

    int32_t x0 = clamp_index(low.x, o->dims[0]) >> 6, x1 = clamp_index(high.x, o->dims[0]);
    int32_t y0 = clamp_index(low.y, o->dims[1]) >> 6, y1 = clamp_index(high.y, o->dims[1]);
    int32_t z0 = clamp_index(low.z, o->dims[2]) >> 6, z1 = clamp_index(high.z, o->dims[2]);
    for (int32_t z = z0; z * VNI_BLOCK_SIZE < z1; ++z)
        for (int32_t y = y0; y * VNI_BLOCK_SIZE < y1; ++y)
            for (int32_t x = x0; x * VNI_BLOCK_SIZE < x1; ++x) {
                uint32_t block = vni_block_index(o->blocks, x, y, z);
                if (!visit_block_cells(&space->cells, block, low, high, visit, user))
                    return;
            }
}
