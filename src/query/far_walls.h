/// query/far_walls.h: the nearest wall of voxel after voxel where walls are far away.
///
/// A search for walls in a large ball passes all of its blocks. Neighbouring voxels have nearly the same
/// walls, so one search serves many of them.
#ifndef VNI_QUERY_FAR_WALLS_H
#define VNI_QUERY_FAR_WALLS_H

#include "occupancy/occupancy.h"

/// Voxels. Nearer walls are found sooner by vni_nearest_blocked.
#define VNI_FAR 64

/// Nothing blocked is nearer to the voxel than this.
typedef struct vni_opening {
    vn_voxel at;
    double reach; ///< below 0: nothing is known
} vni_opening;

typedef struct vni_far_walls {
    const vni_occupancy* occupancy;
    vni_opening openings[2]; ///< one near each end of a search from both ends
    uint64_t looks;          ///< work so far: blocks passed, and parts of blocks opened
} vni_far_walls;

/// Forgets what is known. `looks` stays.
void vni_far_walls_begin(vni_far_walls* far, const vni_occupancy* occupancy);

/// Is there a blocked voxel no farther than `most` (above VNI_FAR; may be infinite) from a voxel's cube? Then
/// `*distance` is that of the nearest.
bool vni_far_walls_find(vni_far_walls* far, vn_voxel voxel, double most, double* distance);

#endif
