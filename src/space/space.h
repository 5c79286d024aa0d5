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

#endif
