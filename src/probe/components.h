/// probe/components.h: the voxels of some components of a space (cells/cells.h): how many, and each by rank.
/// O(cells), no allocation.
#ifndef VNI_PROBE_COMPONENTS_H
#define VNI_PROBE_COMPONENTS_H

#include "space/space.h"

/// Number of voxels in the components.
uint64_t vni_components_voxels(const vn_space* space, const vni_components* components);

/// The voxel of rank `number` in the components, which have more than that many.
vn_voxel vni_components_voxel(const vn_space* space, const vni_components* components, uint64_t number);

#endif
