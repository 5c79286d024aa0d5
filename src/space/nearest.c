/// space/nearest.c: the search for the nearest free voxel, outwards over blocks and down into them.
#include "space/nearest.h"

typedef struct nearest {
    const vni_occupancy* occupancy;
    double at[3];
    double best2; ///< squared; only what is no farther counts
    int32_t voxel[3];
    bool found;
} nearest;

/// Squared distance along one axis to [low, high], which are voxel coordinates.
static double gap2(double at, int32_t low, int32_t high) {
    double gap = at < low ? low - at : at > high ? at - high : 0.0;
    return gap * gap;
}

static double box_distance2(const nearest* n, const int32_t low[3], const int32_t high[3]) {
    return gap2(n->at[0], low[0], high[0]) + gap2(n->at[1], low[1], high[1]) +
           gap2(n->at[2], low[2], high[2]);
}

static bool comes_before(const int32_t a[3], const int32_t b[3]) {
    for (int i = 2; i >= 0; --i)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

/// The box [low, high) is free throughout: its nearest voxel is a candidate. Where the position is as near to
/// two voxels, the lower one.
static void offer_box(nearest* n, const int32_t low[3], const int32_t high[3]) {
    VNI_ASSERT(low[0] < high[0] && low[1] < high[1] && low[2] < high[2]);
    int32_t voxel[3], end[3];
    for (int i = 0; i < 3; ++i) {
        double at = vni_clamp(n->at[i], low[i], high[i]);
        double floored = floor(at);
        voxel[i] = (int32_t)floored - (floored == at && (int32_t)floored > low[i]);
        end[i] = voxel[i] + 1;
    }
    double distance2 = box_distance2(n, voxel, end);
    if (distance2 > n->best2 || (n->found && distance2 == n->best2 && !comes_before(voxel, n->voxel)))
        return;
    n->best2 = distance2;
    n->found = true;
    for (int i = 0; i < 3; ++i)
        n->voxel[i] = voxel[i];
}

/// Cuts the cube at `low` to the dimensions; false if nothing is left of it, or it is too far away.
static bool cut_cube(const nearest* n, const int32_t low[3], int32_t size, int32_t high[3]) {
    for (int i = 0; i < 3; ++i) {
        high[i] = low[i] + size < n->occupancy->dims[i] ? low[i] + size : n->occupancy->dims[i];
        if (low[i] >= high[i])
            return false;
    }
    return box_distance2(n, low, high) <= n->best2;
}

static void visit_brick(nearest* n, uint64_t blocked, const int32_t low[3], const int32_t high[3]) {
    VNI_ASSERT(~blocked != 0);
    if (blocked == 0) {
        offer_box(n, low, high);
        return;
    }
    for (uint64_t free = ~blocked; free; free &= free - 1) {
        int32_t bit = (int32_t)vni_lowest_bit(free);
        int32_t voxel[3] = {low[0] + (bit & 3), low[1] + (bit >> 2 & 3), low[2] + (bit >> 4)}, end[3];
        if (cut_cube(n, voxel, 1, end))
            offer_box(n, voxel, end);
    }
}

static void visit_chunk(nearest* n, const vni_block* block, uint32_t chunk, const int32_t low[3],
                        const int32_t high[3]) {
    if (block->some[chunk] == 0) {
        offer_box(n, low, high);
        return;
    }
    for (int32_t brick = 0; brick < 64; ++brick) {
        int32_t at[3] = {low[0] + 4 * (brick & 3), low[1] + 4 * (brick >> 2 & 3), low[2] + 4 * (brick >> 4)},
                end[3];
        if (!(block->full[chunk] >> brick & 1) && cut_cube(n, at, 4, end))
            visit_brick(n, vni_block_brick(block, chunk, (uint32_t)brick), at, end);
    }
}

static void visit_block(nearest* n, const int32_t block_at[3]) {
    const int32_t* blocks = n->occupancy->blocks;
    int32_t low[3] = {block_at[0] * VNI_BLOCK_SIZE, block_at[1] * VNI_BLOCK_SIZE,
                      block_at[2] * VNI_BLOCK_SIZE},
            high[3];
    if (!cut_cube(n, low, VNI_BLOCK_SIZE, high))
        return;
    const vni_block* block =
        n->occupancy->table[block_at[0] + blocks[0] * (block_at[1] + blocks[1] * block_at[2])];
    if (!block) {
        offer_box(n, low, high);
        return;
    }
    for (int32_t chunk = 0; chunk < 64; ++chunk) {
        int32_t at[3] = {low[0] + 16 * (chunk & 3), low[1] + 16 * (chunk >> 2 & 3),
                         low[2] + 16 * (chunk >> 4)},
                end[3];
        if (cut_cube(n, at, 16, end))
            visit_chunk(n, block, (uint32_t)chunk, at, end);
    }
}

/// The blocks at exactly `ring` from the centre by the largest coordinate difference. Costs no more than the
/// blocks of the table that it passes: a ring around a long space is mostly air.
static void visit_ring(nearest* n, const int32_t center[3], int32_t ring) {
    VNI_ASSERT(ring >= 0);
    int32_t first[3], last[3];
    for (int i = 0; i < 3; ++i) {
        first[i] = center[i] > ring ? center[i] - ring : 0;
        last[i] =
            n->occupancy->blocks[i] - 1 - center[i] > ring ? center[i] + ring : n->occupancy->blocks[i] - 1;
    }
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y) {
            bool on_shell = z == center[2] - ring || z == center[2] + ring || y == center[1] - ring ||
                            y == center[1] + ring;
            for (int32_t x = first[0]; on_shell && x <= last[0]; ++x)
                visit_block(n, (int32_t[]){x, y, z});
            if (!on_shell && first[0] == center[0] - ring)
                visit_block(n, (int32_t[]){first[0], y, z});
            if (!on_shell && last[0] == center[0] + ring)
                visit_block(n, (int32_t[]){last[0], y, z});
        }
}

bool vni_nearest_free(const vni_occupancy* occupancy, vni_vec position, double max_distance, vn_voxel* out,
                      double* distance) {
    VNI_ASSERT(vni_is_finite(position.x) && vni_is_finite(position.y) && vni_is_finite(position.z));
    VNI_ASSERT(max_distance >= 0 && out && distance);
    nearest n = {
        occupancy, {position.x, position.y, position.z}, max_distance * max_distance, {0, 0, 0}, false};
    int32_t center[3], rings = 0;
    double outside2 = 0; // from the position to the nearest point of the space
    for (int i = 0; i < 3; ++i) {
        double clamped = vni_clamp(n.at[i], 0, occupancy->dims[i] - 0.5);
        center[i] = (int32_t)clamped >> VNI_BLOCK_SHIFT;
        outside2 += gap2(n.at[i], 0, occupancy->dims[i]);
        if (occupancy->blocks[i] > rings)
            rings = occupancy->blocks[i];
    }
    // A block of this ring is at least ring - 1 whole blocks away from the centre block, which holds the
    // point of the space that is nearest to the position; beyond it the squares of both ways add up, or more.
    // The factor is more than rounding can take away.
    for (int32_t ring = 0; ring < rings; ++ring) {
        double least = ring > 1 ? (ring - 1) * (double)VNI_BLOCK_SIZE : 0;
        if ((least * least + outside2) * (1 - 1e-12) > n.best2)
            break;
        visit_ring(&n, center, ring);
    }
    if (!n.found)
        return false;
    out->x = n.voxel[0];
    out->y = n.voxel[1];
    out->z = n.voxel[2];
    *distance = sqrt(n.best2);
    return true;
}
