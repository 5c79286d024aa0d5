/// tests/oracle/cells_validate.h: are cells right? Voxel by voxel and link by link, slow on purpose, and
/// written without a look at the library's validation.
#ifndef VNT_ORACLE_CELLS_VALIDATE_H
#define VNT_ORACLE_CELLS_VALIDATE_H

#include "cells/cells.h"

/// Free voxels covered exactly once and no blocked one, links symmetric and geometrically true and complete,
/// lookup right, components right. VN_OK, or VN_BAD_DATA with what fails and where. O(voxels). Believes the
/// tables, and every index that leads from one array into another: not for hostile data.
vn_status vnt_cells_validate(const vni_cells* cells, const vni_occupancy* occupancy, vn_detail* detail);

#endif
