/// store/space_bytes.h: the parts of a space as lists of records.
#ifndef VNI_STORE_SPACE_BYTES_H
#define VNI_STORE_SPACE_BYTES_H

#include "cells/cells.h"
#include "occupancy/occupancy.h"
#include "store/store_inside.h"

void vni_put_occupancy(vni_writer* writer, uint32_t layer, vni_tag tag, const vni_occupancy* occupancy);

/// Fills an occupancy that is all free. What was read stays in it on failure too. The arrays are as long as
/// their counts say; nothing else has been checked (vni_occupancy_validate).
vn_status vni_take_occupancy(vni_loader* loader, uint32_t layer, vni_tag tag, vni_occupancy* occupancy,
                             vn_detail* detail);

void vni_put_cells(vni_writer* writer, uint32_t layer, const vni_cells* cells);

/// Makes cells for a space of these dimensions, and validates them against the occupancy unless the file is
/// trusted. Of a trusted one the arrays are as long as their counts say; component_count, link_count and what
/// vni_cells_validate checks are what the file says. On failure `out` is empty.
vn_status vni_take_cells(vni_loader* loader, uint32_t layer, const vni_file_params* params,
                         const vni_occupancy* occupancy, vni_cells* out, vn_detail* detail);

#endif
