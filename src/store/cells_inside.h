/// store/cells_inside.h: what the readers of cells, of format version 1 and of later ones, have in common.
/// Inside the module only.
#ifndef VNI_STORE_CELLS_INSIDE_H
#define VNI_STORE_CELLS_INSIDE_H

#include "cells/restore.h"
#include "store/store_inside.h"

/// Cells that are being read. `same`: by index, the first index with the same object; VNI_FILE_NONE without
/// one.
typedef struct vni_cells_target {
    vni_loader* loader;
    vni_cells* cells;
    uint32_t* same;
    vni_restore restore;
} vni_cells_target;

/// Counts that no block has: there are not so many voxels in it, or on a face of it.
bool vni_cell_counts_are_sound(uint32_t cell_count, uint32_t component_count,
                               const uint32_t rank_count[VNI_FACES]);

/// The same for a seam. Each link holds a voxel of its own on either side, so that there are no more links.
bool vni_seam_counts_are_sound(uint32_t a_count, uint32_t b_count, uint32_t group_count);

/// Counts a block or a seam against the limit of the loader before it is made. False if it exceeds that.
bool vni_spend_block(const vni_cells_target* target, uint32_t cell_count, uint32_t group_count,
                     const uint32_t rank_count[VNI_FACES]);
bool vni_spend_seam(const vni_cells_target* target, uint32_t a_count, uint32_t b_count, uint32_t group_count);

/// Elements of format version 1, where groups and cells are stored as they lie in memory. As vni_take_part.
const char* vni_take_old_block(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker);
const char* vni_take_old_seam(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker);

#endif
