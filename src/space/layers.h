/// space/layers.h: holds spaces on one grid for agents of several sizes.
#ifndef VNI_SPACE_LAYERS_H
#define VNI_SPACE_LAYERS_H

#include "volnav/layers.h"

struct vn_layers {
    vn_allocator allocator;
    vn_space* spaces[VN_MAX_LAYERS]; ///< by radius, then open_flags, ascending
    uint32_t count;
    uint64_t source; ///< vn_world_hash of the world
};

/// Makes layers of finished spaces; takes ownership of them on VN_OK only. VN_BAD_DATA: none or too many, not
/// in order, two for the same agents, or different grids (origin, low corner, resolution, dimensions).
/// VN_OUT_OF_MEMORY.
vn_status vni_layers_adopt(const vn_allocator* allocator, vn_space** spaces, uint32_t count, uint64_t source,
                           vn_layers** out);

/// The radius of an agent: as given, or that of the layers if it is VN_RADIUS_NOT_GIVEN and all have the
/// same. Otherwise VN_BAD_ARGUMENT, with a detail that lists the radii.
vn_status vni_layers_agent_radius(const vn_layers* layers, float* radius, vn_detail* detail);

#endif
