/// store/cells_inside.h: what the readers of cells, of format version 1 and of later ones, have in common.
/// Inside the module only.
#ifndef VNI_STORE_CELLS_INSIDE_H
#define VNI_STORE_CELLS_INSIDE_H

#include "cells/restore.h"
#include "store/store_inside.h"

/// Cells that are being read. `same`: by index, the first index with the same object; VNI_FILE_NONE without
/// one.
typedef struct vni_cells_target {
    vni_cells* cells;
    uint32_t* same;
    vni_restore restore;
} vni_cells_target;

/// Elements of format version 1, where groups and cells are stored as they lie in memory. As vni_take_part.
const char* vni_take_old_block(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker);
const char* vni_take_old_seam(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker);

#endif
