/// space/nearest.h: the free voxel nearest to any position.
#ifndef VNI_SPACE_NEAREST_H
#define VNI_SPACE_NEAREST_H

#include "geom/vec.h"
#include "space/occupancy.h"

/// The free voxel whose closed cube is nearest to `position` (voxel units, anywhere), no farther than
/// `max_distance`; among equals the least in z, y, x order. False if there is none. Goes outwards ring by
/// ring over the blocks, and down only into branches that may hold something nearer. Allocates nothing.
bool vni_nearest_free(const vni_occupancy* occupancy, vni_vec position, double max_distance, vn_voxel* out,
                      double* distance);

#endif
