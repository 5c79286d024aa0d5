/// classic/hybrid_steps.h: finds the neighbours of a hybrid graph's node by stepping (Krafft 2021, 5.2.1.2).
///
/// Along an axis (*side*): the first used voxel before a blocked one. In a plane (*edge*): one step along the
/// first axis, then along the second until a used or blocked voxel; if there is none used, one step more
/// along the first, and so on. In space (*vertex*): one step along the first axis, then as in a plane along
/// the other two. The search ends without a neighbour where a step along the first axis is blocked, or where
/// the very first step along the second is: what lies behind would hardly be visible. Voxels beside the node,
/// in each direction, must be free.
///
///          . . . . U       n: the node     # blocked     U: used
///          . . # . .
///          n > > >         first axis: right, second: up
#ifndef VNI_CLASSIC_HYBRID_STEPS_H
#define VNI_CLASSIC_HYBRID_STEPS_H

#include "occupancy/occupancy.h"

/// For each axis the rows of voxels along it, one bit a voxel: where stepping stops.
typedef struct vni_stepper {
    vn_allocator allocator;
    int32_t dims[3];
    uint64_t* stops[3]; ///< by axis: rows of row_words[axis] words; the row of (u, v) is u + dims[next] * v
    uint64_t row_words[3];
    int32_t bricks[2];    ///< of the grid, along x and y
    const uint64_t* used; ///< by brick of the grid
} vni_stepper;

/// `used`: by brick of the grid, must outlive the stepper; `fixed` is not kept. VN_OUT_OF_MEMORY leaves it
/// zeroed.
vn_status vni_stepper_make(const vn_allocator* allocator, const vni_occupancy* fixed, const uint64_t* used,
                           vni_stepper* out, vn_detail* detail);

/// A zeroed stepper is allowed.
void vni_stepper_free(vni_stepper* stepper);

/// The neighbour of `from` in a direction, whose components are -1, 0 or 1 and not all 0; false if stepping
/// finds none. The straight line to it may still be blocked.
bool vni_stepper_find(const vni_stepper* stepper, vn_voxel from, const int32_t direction[3], vn_voxel* out);

/// The static obstacles of the brick with this low corner.
uint64_t vni_stepper_walls(const vni_stepper* stepper, const int32_t low[3]);

size_t vni_stepper_bytes(const vni_stepper* stepper);

#endif
