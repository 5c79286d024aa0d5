/// voxelise/footprint.h: lists the voxels that one obstacle blocks, as bricks.
#ifndef VNI_VOXELISE_FOOTPRINT_H
#define VNI_VOXELISE_FOOTPRINT_H

#include "occupancy/occupancy.h"
#include "voxelise/voxelise.h"

/// Some voxels of one brick.
typedef struct vni_footprint_brick {
    uint32_t block; ///< of the occupancy's table
    uint32_t brick; ///< chunk * 64 + brick within the block
    uint64_t bits;  ///< never 0
} vni_footprint_brick;

typedef struct vni_footprint {
    vni_footprint_brick* bricks; ///< in order of block, then brick
    uint32_t count, capacity;    ///< reused when filled again: no allocation in steady state
} vni_footprint;

/// An all-zero footprint is empty and holds nothing.
void vni_footprint_free(const vn_allocator* allocator, vni_footprint* footprint);

/// Scratch for one thread: about 70 KB, plus the size of the largest footprint so far.
typedef struct vni_footprint_scratch vni_footprint_scratch;

/// Null if memory runs out.
vni_footprint_scratch* vni_footprint_scratch_make(const vn_allocator* allocator);

/// Null is allowed.
void vni_footprint_scratch_free(const vn_allocator* allocator, vni_footprint_scratch* scratch);

/// Exactly the voxels that vni_voxelise would block for this obstacle alone (whatever its flags), within the
/// dimensions; `radius` in metres. VN_OUT_OF_MEMORY and VN_TOO_LARGE (a solid mesh, see voxelise/fill.h)
/// leave `out` as it was. `out` and `scratch` must always be used with the same allocator. Costs O(bricks
/// within the grown bounds), and vni_inside_make for solid meshes.
vn_status vni_footprint_of(const vni_obstacle* obstacle, const vni_frame* frame, double radius,
                           const int32_t dims[3], const vn_allocator* allocator,
                           vni_footprint_scratch* scratch, vni_footprint* out);

#endif
