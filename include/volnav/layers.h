/// volnav/layers.h: one bake for agents of several sizes.
///
/// A layer is a space (volnav/space.h): the same shapes and the same grid of voxels for another radius, or
/// with other doors open. Lattice points mean the same place in all layers. Layers are immutable once made:
/// any number of threads may read them.
#ifndef VOLNAV_LAYERS_H
#define VOLNAV_LAYERS_H

#include "volnav/space.h"

typedef struct vn_layers vn_layers;

#define VN_MAX_LAYERS 32

/// Who a layer is for.
typedef struct vn_layer_def {
    float radius;        ///< metres, >= 0
    uint32_t open_flags; ///< obstacles with one of these flags are not there
} vn_layer_def;

/// Bakes the world once for each layer, in parallel by the def's jobs. `def` says the rest; its own radius
/// and open_flags are not used. Layers are kept in order of radius, then open_flags; two equal ones are
/// VN_BAD_ARGUMENT, as is a count of 0 or above VN_MAX_LAYERS. Everything else as vn_space_bake;
/// detail->index is the layer at fault, as given. A seed that lies in a wall of a wider layer leaves that
/// layer without any free space, with a warning in the log; only if it lies in a wall of every layer the bake
/// fails (VN_START_BLOCKED).
VN_API vn_status vn_layers_bake(const vn_world* world, const vn_space_def* def, const vn_layer_def* layers,
                                uint32_t count, vn_layers** out, vn_detail* detail);

/// Null is allowed. No query on the layers may be running.
VN_API void vn_layers_destroy(vn_layers* layers);
VN_API uint32_t vn_layers_count(const vn_layers* layers);

/// index < count. The space belongs to the layers.
VN_API const vn_space* vn_layers_space(const vn_layers* layers, uint32_t index);

/// The layer for an agent of `radius` metres that may pass what `open_flags` names: of those whose radius is
/// at least as large and that open nothing else, the one that opens most flags, of these the one with the
/// least radius, and of these the first. Null if no layer fits.
VN_API const vn_space* vn_layers_find(const vn_layers* layers, double radius, uint32_t open_flags);

/// The hash of the world that they were baked from (vn_world_hash).
VN_API uint64_t vn_layers_source(const vn_layers* layers);
VN_API void vn_layers_get_memory(const vn_layers* layers, vn_memory* out);

#endif
