/// space/space.h: what a vn_space is made of.
#ifndef VNI_SPACE_SPACE_H
#define VNI_SPACE_SPACE_H

#include "space/occupancy.h"
#include "volnav/space.h"

struct vn_space {
    vn_allocator allocator;
    vni_occupancy occupancy;
    vn_dvec3 origin; ///< the world's
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0) relative to origin
    float resolution, radius;
};

/// A free voxel that touches the point; where there are several, the one that vn_space_voxel names if it is
/// free. False if there is none.
bool vni_space_free_voxel_at(const vn_space* space, vn_point point, vn_voxel* out);

#endif
