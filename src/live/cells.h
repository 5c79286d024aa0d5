/// live/cells.h: the cells of a space as a source of boxes (live/boxes.h).
#ifndef VNI_LIVE_CELLS_H
#define VNI_LIVE_CELLS_H

#include "cells/cells.h"
#include "live/boxes.h"

/// Points to `cells`, which must outlive it.
vni_boxes_source vni_cells_source(const vni_cells* cells);

/// The low corner of the cell that holds a voxel; false if none does.
bool vni_cells_low_at(const vni_cells* cells, vn_voxel voxel, vn_voxel* out);

#endif
