/// space/layers.h: spaces on one grid for agents of several sizes.
#ifndef VNI_SPACE_LAYERS_H
#define VNI_SPACE_LAYERS_H

#include "volnav/layers.h"

struct vn_layers {
    vn_allocator allocator;
    vn_space* spaces[VN_MAX_LAYERS]; ///< in order of radius, then open_flags
    uint32_t count;
    uint64_t source; ///< vn_world_hash of the world
};

/// Makes layers of finished spaces, which it takes over on VN_OK and leaves alone otherwise. VN_BAD_DATA:
/// they are none or too many, not in order, two are for the same agents, or their grids differ (origin, low
/// corner, resolution, dimensions). VN_OUT_OF_MEMORY.
vn_status vni_layers_adopt(const vn_allocator* allocator, vn_space** spaces, uint32_t count, uint64_t source,
                           vn_layers** out);

#endif
