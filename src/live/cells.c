/// live/cells.c: the neighbours of a cell, from its links.
#include "live/cells.h"

/// Visits the cells beyond one face.
static bool visit_face(const vni_cells* cells, vni_cell_ref ref, uint32_t face, vni_visit_box* visit,
                       void* user) {
    const vni_link_group* groups = NULL;
    uint32_t beyond = 0, count = vni_cells_face(cells, ref, face, &groups, &beyond);
    for (uint32_t i = 0; i < 4 * count; ++i) {
        const uint32_t to = groups[i >> 2].to[i & 3];
        if (to == VNI_NO_CELL)
            continue;

        vni_box box;
        vni_cell_bounds(&cells->views[beyond], &cells->table[beyond]->cells[to], box.low, box.high);
        if (!visit(user, &box))
            return false;
    }

    return true;
}

static bool visit_neighbours(const void* self, const vni_box* box, vni_visit_box* visit, void* user) {
    const vni_cells* cells = (const vni_cells*)self;
    vni_cell_ref ref;
    const bool found = vni_cells_find(cells, vni_box_low(box), &ref);
    VNI_ASSERT(found);
    (void)found;

    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (!visit_face(cells, ref, face, visit, user))
            return false;
    return true;
}

vni_boxes_source vni_cells_source(const vni_cells* cells) {
    return (vni_boxes_source){cells, visit_neighbours};
}

bool vni_cells_low_at(const vni_cells* cells, vn_voxel voxel, vn_voxel* out) {
    vni_cell_ref ref;
    if (!vni_cells_find(cells, voxel, &ref))
        return false;
    *out = vni_cell_voxels(&cells->views[ref.block], &cells->table[ref.block]->cells[ref.cell]).low;
    return true;
}
