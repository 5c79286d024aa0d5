/// space/space.h: what a vn_space is made of.
#ifndef VNI_SPACE_SPACE_H
#define VNI_SPACE_SPACE_H

#include "cells/cells.h"
#include "occupancy/occupancy.h"
#include "volnav/space.h"

struct vn_space {
    vn_allocator allocator;
    vni_occupancy occupancy;
    vni_cells cells; ///< all zero if the space was baked without
    vn_dvec3 origin; ///< the world's
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0) relative to origin
    float resolution, radius;
    uint32_t open_flags; ///< obstacles with one of these were left out
    vn_unknown_policy unknown_policy;

    /// VN_UNKNOWN_REFUSED: as *blocked* the voxels that only unseen space blocks, a part of those that are
    /// blocked in `occupancy`. All zero if there are none.
    vni_occupancy unknown;
};

static inline bool vni_space_has_cells(const vn_space* space) {
    return space->cells.table != NULL;
}

static inline bool vni_space_has_unknown(const vn_space* space) {
    return space->unknown.table != NULL;
}

/// Obstacles with one of these flags were left out of the bake.
static inline uint32_t vni_space_without(const vn_space* space) {
    return space->open_flags | (space->unknown_policy == VN_UNKNOWN_FREE ? VN_FLAG_UNKNOWN : 0);
}

/// The voxels that touch a point, one to eight of them, the one that vn_space_voxel_at would name first; some
/// may lie outside. Returns how many.
uint32_t vni_voxels_around(vn_point point, vn_voxel out[8]);

/// Where all that is blocked in a block is unknown, lets both occupancies have the same block: the memory of
/// a space follows from its voxels then, whether it was baked, cut to a region or loaded.
void vni_space_share_unknown(vn_space* space);

/// A free voxel that touches the point; where there are several, the one that vn_space_voxel_at names if it
/// is free. False if there is none.
bool vni_space_free_voxel_at(const vn_space* space, vn_point point, vn_voxel* out);

/// Free voxels that touch a and b and lie in one region, the first such pair; false, and nothing changed, if
/// there is none. The space has cells.
bool vni_space_join(const vn_space* space, vn_point a, vn_point b, vn_voxel* voxel_a, vn_voxel* voxel_b);

#endif
