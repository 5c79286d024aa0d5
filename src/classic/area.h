/// classic/area.h: a set of voxels, one word a brick, in the numbering of the grid (view/grid.h).
///
/// Says where moving obstacles can be: from volumes, or from what is seen to be blocked over a run.
#ifndef VNI_CLASSIC_AREA_H
#define VNI_CLASSIC_AREA_H

#include "view/grid.h"

typedef struct vni_area {
    vn_allocator allocator;
    int32_t dims[3];   ///< voxels
    int32_t bricks[3]; ///< ceil(dims / 4)
    uint64_t* words;   ///< by brick, x fastest; bits as in an occupancy. No bit is set outside the dimensions
} vni_area;

/// An empty set over the voxels of an occupancy. VN_OUT_OF_MEMORY leaves it zeroed.
vn_status vni_area_make(const vn_allocator* allocator, const vni_occupancy* occupancy, vni_area* out,
                        vn_detail* detail);

/// A zeroed area is allowed.
void vni_area_free(vni_area* area);

static inline uint64_t vni_area_bricks(const vni_area* area) {
    return (uint64_t)area->bricks[0] * (uint64_t)area->bricks[1] * (uint64_t)area->bricks[2];
}

/// Low corner of a brick, in voxels.
vn_voxel vni_area_brick_low(const vni_area* area, uint64_t brick);

/// Adds the voxels of [low, high), as far as they lie inside.
void vni_area_add_box(vni_area* area, vn_voxel low, vn_voxel high);

/// Adds the voxels that are blocked in `now`, but not in `fixed`. All three have the same dimensions.
void vni_area_add_blocked(vni_area* area, const vni_occupancy* fixed, const vni_occupancy* now);

#endif
