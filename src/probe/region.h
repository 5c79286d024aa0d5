/// probe/region.h: nearest and random points of a space that is limited to one region (space/space.h).
/// O(cells).
#ifndef VNI_PROBE_REGION_H
#define VNI_PROBE_REGION_H

#include "geom/vec.h"
#include "space/space.h"

/// As vni_nearest_free, in the region.
bool vni_region_nearest(const vn_space* space, vni_vec position, double max_distance, vn_voxel* out,
                        double* distance);

/// Number of voxels in the region.
uint64_t vni_region_voxels(const vn_space* space);

/// The voxel of rank `number` in the region, which has more than that many.
vn_voxel vni_region_voxel(const vn_space* space, uint64_t number);

#endif
