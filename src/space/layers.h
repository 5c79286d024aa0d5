/// space/layers.h: holds spaces on one grid for agents of several sizes.
#ifndef VNI_SPACE_LAYERS_H
#define VNI_SPACE_LAYERS_H

#include "volnav/layers.h"
#include "world/world.h"

/// The voxels of a sensed set (vni_voxels) when its nav was saved.
typedef struct vni_saved_set {
    uint32_t slot; ///< of the world
    uint32_t count;
    vni_voxel_brick* bricks;
} vni_saved_set;

struct vn_layers {
    vn_allocator allocator;
    vn_space* spaces[VN_MAX_LAYERS]; ///< by radius, then open_flags, ascending
    uint32_t count;
    uint64_t source;       ///< vn_world_hash of the world
    vni_saved_set* sensed; ///< by slot, of layers read from the file of a nav; else none
    uint32_t sensed_count;
};

/// Frees saved sets and their bricks.
void vni_saved_sets_free(const vn_allocator* allocator, vni_saved_set* sets, uint32_t count);

/// Makes layers of finished spaces; takes ownership of them on VN_OK only. VN_BAD_DATA: none or too many, not
/// in order, two for the same agents, or different grids (origin, low corner, resolution, dimensions).
/// VN_OUT_OF_MEMORY.
vn_status vni_layers_adopt(const vn_allocator* allocator, vn_space** spaces, uint32_t count, uint64_t source,
                           vn_layers** out);

/// The radius of an agent: as given, or that of the layers if it is VN_RADIUS_NOT_GIVEN and all have the
/// same. Otherwise VN_BAD_ARGUMENT, with a detail that lists the radii.
vn_status vni_layers_agent_radius(const vn_layers* layers, float* radius, vn_detail* detail);

#endif
