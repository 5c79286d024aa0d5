/// store/sensed.h: the voxels of sensed sets as sections, so that a nav goes on with the map that it had.
#ifndef VNI_STORE_SENSED_H
#define VNI_STORE_SENSED_H

#include "space/layers.h"
#include "store/store_inside.h"

/// Nothing if there are no sets.
void vni_put_sensed(vni_writer* writer, const vni_saved_set* sets, uint32_t count);

/// None if the file has none. VN_BAD_FORMAT: sets or bricks that are not in order, or empty bricks.
vn_status vni_take_sensed(vni_loader* loader, vni_saved_set** sets, uint32_t* count, vn_detail* detail);

#endif
