/// probe/components.c: goes through the cells of some components. Random points come here only when drawing
/// any voxel has failed often, so that a walk over all cells is quick enough, and nothing is kept up to date.
#include "probe/components.h"

static uint64_t volume_of(const vn_voxel_box* box) {
    return (uint64_t)(box->high.x - box->low.x) * (uint64_t)(box->high.y - box->low.y) *
           (uint64_t)(box->high.z - box->low.z);
}

/// The voxel of rank `number` in a box.
static vn_voxel voxel_in_box(const vn_voxel_box* box, uint64_t number) {
    const uint64_t nx = (uint64_t)(box->high.x - box->low.x), ny = (uint64_t)(box->high.y - box->low.y);
    return (vn_voxel){box->low.x + (int32_t)(number % nx), box->low.y + (int32_t)(number / nx % ny),
                      box->low.z + (int32_t)(number / nx / ny)};
}

/// Goes through the voxels of the components: writes the one of rank `number`, if there are more than that
/// many. Returns how many there are up to the last cell visited.
static uint64_t walk_cells(const vn_space* space, const vni_components* components, uint64_t number,
                           vn_voxel* out) {
    const vni_cells* cells = &space->cells;
    uint64_t before = 0;
    for (uint32_t block = 0; block < vni_cells_block_count(cells); ++block) {
        const vni_block_view* view = &cells->views[block];
        for (uint32_t i = 0; i < cells->table[block]->cell_count; ++i) {
            if (!vni_components_have(components, vni_cells_component(cells, (vni_cell_ref){block, i})))
                continue;
            const vn_voxel_box box = vni_cell_voxels(view, &view->cells[i]);
            const uint64_t volume = volume_of(&box);
            if (number - before < volume) {
                *out = voxel_in_box(&box, number - before);
                return before + volume;
            }

            before += volume;
        }
    }

    return before;
}

uint64_t vni_components_voxels(const vn_space* space, const vni_components* components) {
    vn_voxel none;
    return walk_cells(space, components, UINT64_MAX, &none);
}

vn_voxel vni_components_voxel(const vn_space* space, const vni_components* components, uint64_t number) {
    vn_voxel voxel = {0, 0, 0};
    const uint64_t seen = walk_cells(space, components, number, &voxel);
    VNI_ASSERT(number < seen);

    (void)seen;
    return voxel;
}
