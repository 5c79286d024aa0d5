/// probe/nearest.h: finds the free voxel nearest to a position, and the blocked voxel nearest to a box.
#ifndef VNI_PROBE_NEAREST_H
#define VNI_PROBE_NEAREST_H

#include "cells/cells.h"
#include "geom/units.h"
#include "occupancy/occupancy.h"

/// Tie-breaking order of voxels: by z, then y, then x.
static inline bool vni_comes_before(const int32_t a[3], const int32_t b[3]) {
    for (int i = 2; i >= 0; --i)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

/// The free voxel whose closed cube is nearest to `position` (voxel units, anywhere), no farther than
/// `max_distance`; among equals the first in z, y, x order. False if there is none. Searches outwards, ring
/// by ring of blocks, and descends only into branches that may contain something nearer. No allocation.
bool vni_nearest_free(const vni_occupancy* occupancy, vni_vec position, double max_distance, vn_voxel* out,
                      double* distance);

/// The same for the free voxels of certain components. The cells are those of the occupancy. Looks at all
/// cells of the blocks that are no farther than the result. No allocation.
bool vni_nearest_in_components(const vni_occupancy* occupancy, const vni_cells* cells,
                               const vni_components* components, vni_vec position, double max_distance,
                               vn_voxel* out, double* distance);

/// The lattice point of a voxel's closed cube that is nearest to `at` (voxel units).
vn_point vni_nearest_point_in_voxel(vni_vec at, vn_voxel voxel);

/// The blocked voxel whose closed cube is nearest to the closed box [low, high] (voxel units, anywhere; low =
/// high is a point), no farther than `max_distance`; among equals the first in z, y, x order. False if there
/// is none. Voxels outside the dimensions are not blocked. Skips all-free blocks, chunks and bricks. O(blocks
/// that are no farther). No allocation.
bool vni_nearest_blocked(const vni_occupancy* occupancy, vni_vec low, vni_vec high, double max_distance,
                         vn_voxel* out, double* distance);

/// The same, and adds the cost to `*looks`: blocks visited plus branches opened.
bool vni_nearest_blocked_counted(const vni_occupancy* occupancy, vni_vec low, vni_vec high,
                                 double max_distance, vn_voxel* out, double* distance, uint64_t* looks);

#endif
