/// space/space.h: what a vn_space is made of.
#ifndef VNI_SPACE_SPACE_H
#define VNI_SPACE_SPACE_H

#include "space/cells.h"
#include "space/occupancy.h"
#include "volnav/space.h"

struct vn_space {
    vn_allocator allocator;
    vni_occupancy occupancy;
    vni_cells cells; ///< all zero if the space was baked without
    vn_dvec3 origin; ///< the world's
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0) relative to origin
    float resolution, radius;
};

static inline bool vni_space_has_cells(const vn_space* space) {
    return space->cells.table != NULL;
}

/// A free voxel that touches the point; where there are several, the one that vn_space_voxel names if it is
/// free. False if there is none.
bool vni_space_free_voxel_at(const vn_space* space, vn_point point, vn_voxel* out);

#endif
