/// live/cells.c: the neighbours of a cell, from its links.
#include "live/cells.h"
#include "base/fail.h"
#include "live/compare.h"

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

vn_status vni_live_cells_make(const vni_live_boxes_def* def, const vn_space* space, vni_live_boxes** out,
                              vn_detail* detail) {
    *out = NULL;
    vni_difference all = {0};
    if (!vni_list_cells(&def->allocator, space, &all)) {
        vni_difference_free(&def->allocator, &all);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a graph over cells");
    }

    vn_status status = vni_live_boxes_make(def, out, detail);
    if (status == VN_OK) {
        const vni_box_changes changes = {.came = all.came, .came_count = all.came_count};
        const vni_boxes_source source = vni_cells_source(&space->cells);
        status = vni_live_boxes_advance(*out, 1, &changes, &source, detail);
    }

    if (status != VN_OK) {
        vni_live_boxes_free(*out);
        *out = NULL;
    }
    vni_difference_free(&def->allocator, &all);
    return status;
}

bool vni_cells_low_at(const vni_cells* cells, vn_voxel voxel, vn_voxel* out) {
    vni_cell_ref ref;
    if (!vni_cells_find(cells, voxel, &ref))
        return false;
    *out = vni_cell_voxels(&cells->views[ref.block], &cells->table[ref.block]->cells[ref.cell]).low;
    return true;
}
