/// probe/nearest.h: the free voxel nearest to any position, and the blocked one nearest to any box.
#ifndef VNI_PROBE_NEAREST_H
#define VNI_PROBE_NEAREST_H

#include "geom/vec.h"
#include "occupancy/occupancy.h"

/// The order of voxels that breaks ties: by z, then y, then x.
static inline bool vni_comes_before(const int32_t a[3], const int32_t b[3]) {
    for (int i = 2; i >= 0; --i)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

/// The free voxel whose closed cube is nearest to `position` (voxel units, anywhere), no farther than
/// `max_distance`; among equals the least in z, y, x order. False if there is none. Goes outwards ring by
/// ring over the blocks, and down only into branches that may hold something nearer. Allocates nothing.
bool vni_nearest_free(const vni_occupancy* occupancy, vni_vec position, double max_distance, vn_voxel* out,
                      double* distance);

/// The blocked voxel whose closed cube is nearest to the closed box [low, high] (voxel units, anywhere; low =
/// high is a point), no farther than `max_distance`; among equals the least in z, y, x order. False if there
/// is none. Voxels outside the dimensions are not blocked. Leaps over all-free blocks, chunks and bricks;
/// costs the blocks that lie no farther, at most all of them. Allocates nothing.
bool vni_nearest_blocked(const vni_occupancy* occupancy, vni_vec low, vni_vec high, double max_distance,
                         vn_voxel* out, double* distance);

/// The same, and adds to `*looks` what it took: the blocks that it passed and the parts of blocks that it
/// opened.
bool vni_nearest_blocked_counted(const vni_occupancy* occupancy, vni_vec low, vni_vec high,
                                 double max_distance, vn_voxel* out, double* distance, uint64_t* looks);

#endif
