/// probe/region.c: goes through the cells of a region. A region is asked for only where a point lies outside
/// of it, or by rank, so that a walk over all cells is quick enough, and nothing has to be kept up to date.
#include "probe/region.h"
#include "probe/nearest.h"

/// Calls `visit` with each cell of the region until it returns false.
typedef bool visit_cell(void* user, const vn_voxel_box* box);

static void visit_region(const vn_space* space, visit_cell* visit, void* user) {
    const vni_cells* cells = &space->cells;
    for (uint32_t block = 0; block < vni_cells_block_count(cells); ++block) {
        const vni_block_view* view = &cells->views[block];
        for (uint32_t i = 0; i < cells->table[block]->cell_count; ++i) {
            const vn_voxel_box box = vni_cell_voxels(view, &view->cells[i]);
            if (vni_cells_component(cells, (vni_cell_ref){block, i}) + 1 == space->region &&
                !visit(user, &box))
                return;
        }
    }
}

// -------------------------------------------------------------------------------------------------- nearest

typedef struct nearest {
    double at[3];
    double best2; ///< squared distance of the best so far, or the limit
    bool found;
    int32_t voxel[3];
} nearest;

/// The voxel of [low, high) nearest to `at`; of two that are as near, the lower one.
static int32_t nearest_along(double at, int32_t low, int32_t high) {
    const double inside = vni_clamp(at, low, high), floored = floor(inside);
    return (int32_t)floored - (floored == inside && (int32_t)floored > low);
}

static double gap_along(double at, int32_t voxel) {
    return at < voxel ? voxel - at : at > voxel + 1 ? at - (voxel + 1) : 0;
}

static bool offer(void* user, const vn_voxel_box* box) {
    nearest* n = user;
    const int32_t low[3] = {box->low.x, box->low.y, box->low.z},
                  high[3] = {box->high.x, box->high.y, box->high.z};
    int32_t voxel[3];
    double distance2 = 0;
    for (int i = 0; i < 3; ++i) {
        voxel[i] = nearest_along(n->at[i], low[i], high[i]);
        const double gap = gap_along(n->at[i], voxel[i]);
        distance2 += gap * gap;
    }

    if (distance2 > n->best2 || (n->found && distance2 == n->best2 && !vni_comes_before(voxel, n->voxel)))
        return true;

    n->best2 = distance2;
    n->found = true;
    for (int i = 0; i < 3; ++i)
        n->voxel[i] = voxel[i];
    return true;
}

bool vni_region_nearest(const vn_space* space, vni_vec position, double max_distance, vn_voxel* out,
                        double* distance) {
    VNI_ASSERT(space->region != 0 && vni_v_is_finite(position) && max_distance >= 0);

    nearest n = {.at = {position.x, position.y, position.z}, .best2 = max_distance * max_distance};
    visit_region(space, offer, &n);
    *out = (vn_voxel){n.voxel[0], n.voxel[1], n.voxel[2]};
    *distance = sqrt(n.best2);
    return n.found;
}

// --------------------------------------------------------------------------------------------------- ranks

typedef struct rank {
    uint64_t left; ///< voxels before the one that is wanted; counts down
    vn_voxel voxel;
} rank;

static uint64_t volume_of(const vn_voxel_box* box) {
    return (uint64_t)(box->high.x - box->low.x) * (uint64_t)(box->high.y - box->low.y) *
           (uint64_t)(box->high.z - box->low.z);
}

static bool add_volume(void* user, const vn_voxel_box* box) {
    *(uint64_t*)user += volume_of(box);
    return true;
}

uint64_t vni_region_voxels(const vn_space* space) {
    uint64_t count = 0;
    visit_region(space, add_volume, &count);
    return count;
}

static bool find_rank(void* user, const vn_voxel_box* box) {
    rank* r = user;
    const uint64_t volume = volume_of(box), nx = (uint64_t)(box->high.x - box->low.x),
                   ny = (uint64_t)(box->high.y - box->low.y);
    if (r->left >= volume) {
        r->left -= volume;
        return true;
    }

    r->voxel = (vn_voxel){box->low.x + (int32_t)(r->left % nx), box->low.y + (int32_t)(r->left / nx % ny),
                          box->low.z + (int32_t)(r->left / nx / ny)};
    return false;
}

vn_voxel vni_region_voxel(const vn_space* space, uint64_t number) {
    rank r = {number, {0, 0, 0}};
    visit_region(space, find_rank, &r);
    return r.voxel;
}
