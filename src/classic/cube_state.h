/// classic/cube_state.h: is a cube of an octree, or any other box, free, blocked or mixed?
#ifndef VNI_CLASSIC_CUBE_STATE_H
#define VNI_CLASSIC_CUBE_STATE_H

#include "geom/box.h"
#include "occupancy/occupancy.h"

/// What the voxels of a cube are, as far as they lie in the space. A blocked cube that reaches out of the
/// space may be called mixed: it ends up without a leaf all the same.
typedef enum vni_cube_state { VNI_CUBE_FREE, VNI_CUBE_BLOCKED, VNI_CUBE_MIXED } vni_cube_state;

/// The low corner lies in the space and is a multiple of the edge, a power of two. O(1) below an edge of 64,
/// else O(blocks in the cube) until both kinds have been seen.
vni_cube_state vni_cube_state_of(const vni_occupancy* occupancy, const int32_t low[3], int32_t edge);

/// The same of any box in the space that is not empty; exact. O(blocks and mixed bricks in it) until both
/// kinds have been seen.
vni_cube_state vni_box_state_of(const vni_occupancy* occupancy, const vni_box* box);

#endif
