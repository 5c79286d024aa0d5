/// voxelise/footprint.h: the voxels that one obstacle blocks, as bricks.
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
    uint32_t count, capacity; ///< the capacity stays when it is filled again: no allocation in steady state
} vni_footprint;

/// All zero: empty, and nothing is held.
void vni_footprint_free(const vn_allocator* allocator, vni_footprint* footprint);

/// Room to work in, for one thread: about 70 KB, and as much as the largest footprint so far.
typedef struct vni_footprint_scratch vni_footprint_scratch;

/// Null if there is no memory.
vni_footprint_scratch* vni_footprint_scratch_make(const vn_allocator* allocator);

/// Null is allowed.
void vni_footprint_scratch_free(const vn_allocator* allocator, vni_footprint_scratch* scratch);

/// Exactly the voxels that vni_voxelise would block for this obstacle alone (its flags do not matter), within
/// the dimensions; `radius` in metres. VN_OUT_OF_MEMORY leaves `out` as it was; so does VN_TOO_LARGE (a solid
/// mesh, see voxelise/fill.h). The allocator must always be the same for one `out` and one scratch. Cost: the
/// bricks within its grown bounds, and for solid meshes what vni_inside_make costs.
vn_status vni_footprint_of(const vni_obstacle* obstacle, const vni_frame* frame, double radius,
                           const int32_t dims[3], const vn_allocator* allocator,
                           vni_footprint_scratch* scratch, vni_footprint* out);

#endif
