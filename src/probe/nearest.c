/// probe/nearest.c: branch and bound for the nearest free or blocked voxel.
///
/// One search for both: a voxel is *wanted* if it is free, or if it is blocked. Blocks are visited in rings
/// around the box; below them, block (4^3 chunks), chunk (4^3 bricks) and brick (4^3 voxels) are alike: 64
/// children as bits, nearest first. Ties are broken by the voxels themselves, so that the order of visits
/// affects the time only, not the result.
///
///     rings of blocks    2 2 2 2 2        stop once the least distance to a ring
///     around the box     2 1 1 1 2        exceeds the best voxel so far
///                        2 1[0]1 2
///                        2 1 1 1 2
#include "probe/nearest.h"

typedef struct nearest {
    const vni_occupancy* occupancy;
    double low[3], high[3]; ///< the closed box
    bool wants_free;
    const vni_cells* cells;           ///< null: any component
    const vni_components* components; ///< wanted, with cells
    bool found;
    double best2; ///< squared distance of the best voxel so far, or the limit
    int32_t voxel[3];
    uint64_t looks; ///< blocks visited plus branches opened
} nearest;

/// A cube with 4 x 4 x 4 children of edge 1 << shift: a block, a chunk or a brick.
typedef struct branch {
    const vni_block* block;
    uint32_t chunk;
    int32_t shift;
    int32_t low[3];
    uint64_t some; ///< children with a wanted voxel
    uint64_t full; ///< children with wanted voxels only
} branch;

/// Squared distance along one axis from the box to [low, high], which are voxel coordinates.
static inline double gap2(const nearest* n, int axis, int32_t low, int32_t high) {
    double below = low - n->high[axis], above = n->low[axis] - high;
    double gap = below > 0 ? below : above > 0 ? above : 0.0;
    return gap * gap;
}

/// The lowest of those voxels of [low, high) that are nearest to the box along an axis: the first whose upper
/// face reaches the box, if there is one.
static int32_t nearest_voxel(double box_low, int32_t low, int32_t high) {
    double at = vni_clamp(box_low, low, high), floored = floor(at);
    return (int32_t)floored - (floored == at && (int32_t)floored > low);
}

/// All voxels of [low, high) are wanted: compares the nearest of them with the best so far.
static void offer_box(nearest* n, const int32_t low[3], const int32_t high[3]) {
    VNI_ASSERT(low[0] < high[0] && low[1] < high[1] && low[2] < high[2]);

    int32_t voxel[3];
    double gaps2[3];
    for (int i = 0; i < 3; ++i) {
        voxel[i] = nearest_voxel(n->low[i], low[i], high[i]);
        gaps2[i] = gap2(n, i, voxel[i], voxel[i] + 1);
    }

    // Farther ones lose; equal ones only win by order. Within one box the lowest of equals was chosen
    // already.
    double distance2 = gaps2[0] + gaps2[1] + gaps2[2];
    if (distance2 > n->best2 || (n->found && distance2 == n->best2 && !vni_comes_before(voxel, n->voxel)))
        return;

    n->best2 = distance2;
    n->found = true;
    for (int i = 0; i < 3; ++i)
        n->voxel[i] = voxel[i];
}

/// The same for the cube at `low`, cut to the dimensions.
static void offer_cube(nearest* n, const int32_t low[3], int32_t size) {
    int32_t high[3];
    for (int i = 0; i < 3; ++i)
        high[i] = low[i] + size < n->occupancy->dims[i] ? low[i] + size : n->occupancy->dims[i];
    offer_box(n, low, high);
}

static uint64_t wanted_some(const nearest* n, const vni_block* block, uint32_t chunk) {
    return n->wants_free ? ~block->full[chunk] : block->some[chunk];
}

static uint64_t wanted_full(const nearest* n, const vni_block* block, uint32_t chunk) {
    return n->wants_free ? ~block->some[chunk] : block->full[chunk];
}

static branch branch_of_child(const nearest* n, const branch* parent, uint32_t child, const int32_t low[3]) {
    VNI_ASSERT(parent->shift == 4 || parent->shift == 2);

    branch b = {parent->block, parent->chunk, parent->shift - 2, {low[0], low[1], low[2]}, 0, 0};
    if (parent->shift == 4) {
        b.chunk = child;
        b.some = wanted_some(n, b.block, child);
        b.full = wanted_full(n, b.block, child);
    } else {
        uint64_t blocked = vni_block_brick(b.block, b.chunk, child);
        b.some = b.full = n->wants_free ? ~blocked : blocked;
    }

    return b;
}

/// The children along one axis within the dimensions, nearest first.
typedef struct row {
    double gap2[4];
    int32_t child[4];
    int32_t count;
} row;

static inline row row_of(const nearest* n, const branch* b, int axis) {
    row r;
    int32_t size = 1 << b->shift, rest = n->occupancy->dims[axis] - b->low[axis];
    VNI_ASSERT(rest > 0);

    // Insertion sort by gap: four entries. Ties keep ascending order.
    r.count = rest >= 4 * size ? 4 : (rest + size - 1) >> b->shift;
    for (int32_t i = 0; i < r.count; ++i) {
        int32_t low = b->low[axis] + i * size, at = i;
        double gap = gap2(n, axis, low, (i + 1) * size <= rest ? low + size : low - i * size + rest);
        for (; at > 0 && r.gap2[at - 1] > gap; --at) {
            r.gap2[at] = r.gap2[at - 1];
            r.child[at] = r.child[at - 1];
        }

        r.gap2[at] = gap;
        r.child[at] = i;
    }

    return r;
}

static void visit_branch(nearest* n, const branch* b);

/// Visits a wanted child at `distance2`, which is not above the best. At equal distance it can only win a tie
/// if its first voxel comes before the best one.
static void visit_child(nearest* n, const branch* b, int32_t x, int32_t y, int32_t z, double distance2) {
    const uint32_t child = (uint32_t)(x + 4 * y + 16 * z);
    int32_t low[3] = {b->low[0] + (x << b->shift), b->low[1] + (y << b->shift), b->low[2] + (z << b->shift)};
    if (n->found && distance2 == n->best2 && !vni_comes_before(low, n->voxel))
        return;

    if (b->full >> child & 1) {
        offer_cube(n, low, 1 << b->shift);
        return;
    }

    branch inner = branch_of_child(n, b, child, low);
    if (inner.full == ~(uint64_t)0)
        offer_cube(n, low, 1 << b->shift);
    else if (inner.some)
        visit_branch(n, &inner);
}

/// Visits the children of one row along x.
static void visit_row(nearest* n, const branch* b, const row* x, int32_t y, int32_t z, double gap_y2,
                      double gap_z2) {
    uint32_t bits = b->some >> (4 * y + 16 * z) & 15;
    for (int32_t i = 0; bits && i < x->count; ++i) {
        double distance2 = x->gap2[i] + gap_y2 + gap_z2;
        if (distance2 > n->best2)
            return;
        if (!(bits >> x->child[i] & 1))
            continue;

        visit_child(n, b, x->child[i], y, z, distance2);
        if (b->shift == 0) // voxels: the nearest of the row was it; of equals the lower one came first
            return;
    }
}

static void visit_branch(nearest* n, const branch* b) {
    ++n->looks;
    const row x = row_of(n, b, 0), y = row_of(n, b, 1), z = row_of(n, b, 2);
    // Gaps ascend in each loop: the first that exceeds the best ends it.
    for (int32_t k = 0; k < z.count && z.gap2[k] <= n->best2; ++k) {
        if (!(b->some >> 16 * z.child[k] & 0xffff))
            continue;
        for (int32_t j = 0; j < y.count && y.gap2[j] + z.gap2[k] <= n->best2; ++j)
            visit_row(n, b, &x, y.child[j], z.child[k], y.gap2[j], z.gap2[k]);
    }
}

/// The cells of a block: each is a box of voxels of one component.
static void visit_cells(nearest* n, uint32_t block) {
    const vni_block_view* view = &n->cells->views[block];
    for (uint32_t i = 0; i < n->cells->table[block]->cell_count; ++i) {
        int32_t low[3], high[3];
        if (!vni_components_have(n->components, vni_cells_component(n->cells, (vni_cell_ref){block, i})))
            continue;
        vni_cell_bounds(view, &view->cells[i], low, high);
        offer_box(n, low, high);
    }
}

static void visit_block(nearest* n, int32_t x, int32_t y, int32_t z) {
    const vni_occupancy* o = n->occupancy;
    ++n->looks;
    const vni_block* block = o->table[vni_block_index(o->blocks, x, y, z)];
    if (block == NULL && !n->wants_free)
        return;

    int32_t low[3] = {x * VNI_BLOCK_SIZE, y * VNI_BLOCK_SIZE, z * VNI_BLOCK_SIZE}, high[3];
    double gaps2[3];
    for (int i = 0; i < 3; ++i) {
        high[i] = low[i] + VNI_BLOCK_SIZE < o->dims[i] ? low[i] + VNI_BLOCK_SIZE : o->dims[i];
        gaps2[i] = gap2(n, i, low[i], high[i]);
    }

    if (gaps2[0] + gaps2[1] + gaps2[2] > n->best2)
        return;
    if (n->cells != NULL) {
        visit_cells(n, vni_block_index(o->blocks, x, y, z));
        return;
    }

    if (block == NULL) {
        offer_box(n, low, high);
        return;
    }

    const branch b = {block,        0, 4, {low[0], low[1], low[2]},
                      ~(uint64_t)0, 0}; // `some` is not known for chunks: all are visited
    visit_branch(n, &b);
}

/// Blocks, from first to last.
typedef struct range {
    int32_t first[3], last[3];
} range;

static void visit_range(nearest* n, const range* r) {
    for (int32_t z = r->first[2]; z <= r->last[2]; ++z)
        for (int32_t y = r->first[1]; y <= r->last[1]; ++y)
            for (int32_t x = r->first[0]; x <= r->last[0]; ++x)
                visit_block(n, x, y, z);
}

/// Visits the blocks at Chebyshev distance `ring` from `inner`: up to six sides of a box, each without the
/// edges that earlier ones have covered. Cut to the table, so that it costs only the blocks visited: a ring
/// around a long space lies mostly outside.
static void visit_ring(nearest* n, const range* inner, int32_t ring) {
    VNI_ASSERT(ring >= 0);

    range r;
    if (ring == 0) {
        visit_range(n, inner);
        return;
    }

    bool has_low[3], has_high[3];
    for (int i = 0; i < 3; ++i) {
        int32_t last = n->occupancy->blocks[i] - 1;
        has_low[i] = inner->first[i] >= ring;
        has_high[i] = last - inner->last[i] >= ring;
        r.first[i] = has_low[i] ? inner->first[i] - ring : 0;
        r.last[i] = has_high[i] ? inner->last[i] + ring : last;
    }

    // The low and the high side along i; then the range shrinks, so that the next axis does not repeat them.
    for (int i = 2; i >= 0; --i) {
        range side = r;
        side.last[i] = r.first[i];
        if (has_low[i])
            visit_range(n, &side);

        side.first[i] = side.last[i] = r.last[i];
        if (has_high[i])
            visit_range(n, &side);

        r.first[i] += has_low[i];
        r.last[i] -= has_high[i];
    }
}

/// Least distance from the box, clamped to the space, to a block of this ring; < 0 if the ring is empty.
static double ring_distance(const nearest* n, const range* inner, int32_t ring) {
    double least = -1;
    for (int i = 0; i < 3; ++i) {
        int32_t dim = n->occupancy->dims[i], below = inner->first[i] - ring, above = inner->last[i] + ring;
        double to_low = vni_clamp(n->low[i], 0, dim) - (double)(below + 1) * VNI_BLOCK_SIZE;
        double to_high = (double)above * VNI_BLOCK_SIZE - vni_clamp(n->high[i], 0, dim);
        if (below >= 0 && (least < 0 || to_low < least))
            least = to_low;

        if (above < n->occupancy->blocks[i] && (least < 0 || to_high < least))
            least = to_high;
    }

    return least;
}

/// Visits all rings, from the blocks that the box meets outwards.
static void visit_all(nearest* n) {
    range inner;
    double outside2 = 0; // from the box to the nearest point of the space
    for (int i = 0; i < 3; ++i) {
        int32_t dim = n->occupancy->dims[i];
        inner.first[i] = (int32_t)vni_clamp(n->low[i], 0, dim - 0.5) >> VNI_BLOCK_SHIFT;
        inner.last[i] = (int32_t)vni_clamp(n->high[i], 0, dim - 0.5) >> VNI_BLOCK_SHIFT;
        outside2 += gap2(n, i, 0, dim);
    }

    // A box outside the space is `outside` away from the nearest point of it, and a block of the ring at
    // least `least` farther along one axis: the squares add up, at least. The factor covers rounding.
    double least = 0;
    for (int32_t ring = 0; least >= 0 && (least * least + outside2) * (1 - 1e-12) <= n->best2; ++ring) {
        visit_ring(n, &inner, ring);
        least = ring_distance(n, &inner, ring + 1);
    }
}

static bool find(nearest* n, vn_voxel* out, double* distance) {
    visit_all(n);
    if (!n->found)
        return false;

    out->x = n->voxel[0];
    out->y = n->voxel[1];
    out->z = n->voxel[2];
    *distance = sqrt(n->best2);
    return true;
}

bool vni_nearest_free(const vni_occupancy* occupancy, vni_vec position, double max_distance, vn_voxel* out,
                      double* distance) {
    VNI_ASSERT(vni_v_is_finite(position) && max_distance >= 0);
    VNI_ASSERT(occupancy != NULL && out != NULL && distance != NULL);
    nearest n = {.occupancy = occupancy,
                 .low = {position.x, position.y, position.z},
                 .high = {position.x, position.y, position.z},
                 .wants_free = true,
                 .best2 = max_distance * max_distance};

    return find(&n, out, distance);
}

bool vni_nearest_in_components(const vni_occupancy* occupancy, const vni_cells* cells,
                               const vni_components* components, vni_vec position, double max_distance,
                               vn_voxel* out, double* distance) {
    VNI_ASSERT(vni_v_is_finite(position) && max_distance >= 0);
    VNI_ASSERT(occupancy != NULL && cells != NULL && components != NULL && out != NULL && distance != NULL);
    nearest n = {.occupancy = occupancy,
                 .low = {position.x, position.y, position.z},
                 .high = {position.x, position.y, position.z},
                 .wants_free = true,
                 .cells = cells,
                 .components = components,
                 .best2 = max_distance * max_distance};

    return find(&n, out, distance);
}

bool vni_nearest_blocked_counted(const vni_occupancy* occupancy, vni_vec low, vni_vec high,
                                 double max_distance, vn_voxel* out, double* distance, uint64_t* looks) {
    VNI_ASSERT(vni_v_is_finite(low) && vni_v_is_finite(high) && max_distance >= 0);
    VNI_ASSERT(low.x <= high.x && low.y <= high.y && low.z <= high.z);
    VNI_ASSERT(occupancy != NULL && out != NULL && distance != NULL && looks != NULL);

    nearest n = {.occupancy = occupancy,
                 .low = {low.x, low.y, low.z},
                 .high = {high.x, high.y, high.z},
                 .best2 = max_distance * max_distance};
    bool found = find(&n, out, distance);
    *looks += n.looks;

    return found;
}

bool vni_nearest_blocked(const vni_occupancy* occupancy, vni_vec low, vni_vec high, double max_distance,
                         vn_voxel* out, double* distance) {
    uint64_t looks = 0;
    return vni_nearest_blocked_counted(occupancy, low, high, max_distance, out, distance, &looks);
}

// ---------------------------------------------------------------------------------------------- lattice

static int32_t lattice_in_voxel(double at, int32_t voxel) {
    VNI_ASSERT(voxel >= 0 && voxel < VNI_MAX_DIM);
    double inside = vni_clamp(at, voxel, (double)voxel + 1);
    return (int32_t)floor(vni_voxels_to_steps(inside) + 0.5);
}

vn_point vni_nearest_point_in_voxel(vni_vec at, vn_voxel voxel) {
    vn_point p = {lattice_in_voxel(at.x, voxel.x), lattice_in_voxel(at.y, voxel.y),
                  lattice_in_voxel(at.z, voxel.z)};
    return p;
}
