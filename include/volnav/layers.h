/// volnav/layers.h: spaces of one world for agents of several sizes, baked together.
///
/// A layer is a space (volnav/space.h): the same shapes on the same voxel grid, for another radius or with
/// other doors open. A lattice point is the same position in all layers. Layers are immutable: any number of
/// threads may read them.
#ifndef VOLNAV_LAYERS_H
#define VOLNAV_LAYERS_H

#include "volnav/space.h"

typedef struct vn_layers vn_layers;

#define VN_MAX_LAYERS 32

/// The agents that a layer is for.
typedef struct vn_layer_def {
    float radius;        ///< metres, >= 0
    uint32_t open_flags; ///< obstacles with one of these flags are omitted
} vn_layer_def;

/// The default radius of requests and watches: that of the space, or of the layers. If these have several
/// radii, a request must give one, 0 included; otherwise it is VN_BAD_ARGUMENT.
#define VN_RADIUS_NOT_GIVEN (-1.0f)

/// Bakes the world once for each layer, in parallel on the def's jobs. `def` gives the other parameters; its
/// radius and open_flags are ignored. Layers are sorted by radius, then open_flags. VN_BAD_ARGUMENT: two
/// equal layers, a count of 0 or above VN_MAX_LAYERS. Everything else as in vn_space_bake; detail->index is
/// the layer at fault, in the order given. If the seed is blocked in some layers, these have no free space,
/// and the log has a warning; if it is blocked in all layers, the bake fails (VN_BLOCKED).
VN_NODISCARD vn_status vn_layers_bake(const vn_world* world, const vn_space_def* def,
                                      const vn_layer_def* layers, uint32_t count, vn_layers** out,
                                      vn_detail* detail);

/// Null is allowed. No query on the layers may be in progress.
VN_API void vn_layers_destroy(vn_layers* layers);
VN_API uint32_t vn_layers_count(const vn_layers* layers);

/// The space of a layer, index < count. It belongs to the layers.
VN_API const vn_space* vn_layers_space(const vn_layers* layers, uint32_t index);

/// The layer for an agent of `radius` metres that may pass obstacles with `open_flags`: among the layers with
/// at least that radius that open nothing else, the one that opens the most flags; of these, the one with the
/// smallest radius; of these, the first. Null if there is none.
VN_API const vn_space* vn_layers_find(const vn_layers* layers, double radius, uint32_t open_flags);

/// Hash of the world baked from (vn_world_hash).
VN_API uint64_t vn_layers_world_hash(const vn_layers* layers);
VN_API void vn_layers_get_memory(const vn_layers* layers, vn_memory* out);

#endif
