/// world/shape_copy.h: the shape of an obstacle as the public form, in memory of its own that may outlive the
/// obstacle.
#ifndef VNI_WORLD_SHAPE_COPY_H
#define VNI_WORLD_SHAPE_COPY_H

#include "world/world.h"

/// One block with all arrays. Owners count references themselves, on one thread.
typedef struct vni_shape_copy {
    vn_shape shape;
    uint32_t references;
    size_t bytes; ///< of the block
} vni_shape_copy;

/// In the obstacle's own frame if it moves. Everything as it was given, but: a rotation is normalised and may
/// differ in the last bit, as may the ends of a cylinder; a voxel set has each voxel once, full bricks as
/// boxes; a mesh is solid only if it is in fact. One reference; null if memory runs out.
vni_shape_copy* vni_shape_copy_make(const vn_allocator* allocator, const vni_obstacle* obstacle);

static inline vni_shape_copy* vni_shape_copy_retain(vni_shape_copy* copy) {
    ++copy->references;
    return copy;
}

/// Null is allowed.
void vni_shape_copy_release(const vn_allocator* allocator, vni_shape_copy* copy);

/// The transform of an obstacle; the identity if it does not move.
vn_transform vni_obstacle_transform(const vni_obstacle* obstacle);

#endif
