/// classic/corners.h: corners and edges of a shape: where its faces meet at an angle; and the directions of
/// its faces.
#ifndef VNI_CLASSIC_CORNERS_H
#define VNI_CLASSIC_CORNERS_H

#include "geom/vec.h"
#include "volnav/world.h"

typedef struct vni_corners {
    vn_allocator allocator;
    vni_vec* at;          ///< ascending by x, then y, then z
    vni_vec* out;         ///< unit
    uint32_t (*edges)[2]; ///< corners, the lower one first; ascending
    vni_vec* normals; ///< of the faces, unit; those that are equal, or opposite, once. Null if not asked for
    uint32_t count, edge_count, normal_count, normal_capacity;
} vni_corners;

/// Empty for voxel sets. Lists the normals if `normals`: that is O(triangles * normals), the rest O(triangles
/// log triangles). VN_OUT_OF_MEMORY leaves it zeroed.
vn_status vni_corners_make(const vn_allocator* allocator, const vn_shape* shape, bool normals,
                           vni_corners* out);

/// A zeroed one is allowed.
void vni_corners_free(vni_corners* corners);

#endif
