/// live/cells.h: the cells of a space as a source of boxes (live/boxes.h).
#ifndef VNI_LIVE_CELLS_H
#define VNI_LIVE_CELLS_H

#include "cells/cells.h"
#include "live/boxes.h"
#include "space/space.h"

/// Points to `cells`, which must outlive it.
vni_boxes_source vni_cells_source(const vni_cells* cells);

/// The cells of a space as live boxes, in version 1. VN_TOO_LARGE, VN_OUT_OF_MEMORY, as vni_live_boxes_make.
vn_status vni_live_cells_make(const vni_live_boxes_def* def, const vn_space* space, vni_live_boxes** out,
                              vn_detail* detail);

/// The low corner of the cell that holds a voxel; false if none does.
bool vni_cells_low_at(const vni_cells* cells, vn_voxel voxel, vn_voxel* out);

#endif
