/// path/check.h: what the two halves of the checker share: writing down a verdict.
#ifndef VNI_PATH_CHECK_H
#define VNI_PATH_CHECK_H

#include "geom/vec.h"
#include "space/space.h"
#include "volnav/path.h"

/// The verdict of a free path: no position, no voxel, no obstacle, infinite clearance.
vn_check_result vni_check_result_make(void);

/// The place between two lattice points, `at` from 0 to 1, in world coordinates.
vn_dvec3 vni_check_position(const vn_space* space, vn_point a, vn_point b, double at);

/// As vn_space_check_path, without the part of the first segment before the fraction `skip` (0 <= skip < 1).
/// The voxels of `body` (null: none) count as free.
bool vni_check_path_from(const vn_space* space, const vni_body* body, const vn_point* points, uint32_t count,
                         double skip, vn_check_result* out);

#endif
