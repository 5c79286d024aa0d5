/// probe/hit.h: makes hits: from stops and contacts in voxel units to positions and normals in the world.
#ifndef VNI_PROBE_HIT_H
#define VNI_PROBE_HIT_H

#include "geom/vec.h"
#include "probe/sight.h"
#include "space/frame.h"

/// The point of a voxel's closed cube that is nearest to `point`.
static inline vni_vec vni_nearest_in_voxel(vni_vec point, vn_voxel voxel) {
    return vni_v(vni_clamp(point.x, voxel.x, voxel.x + 1.0), vni_clamp(point.y, voxel.y, voxel.y + 1.0),
                 vni_clamp(point.z, voxel.z, voxel.z + 1.0));
}

/// The unit vector of v; zero stays zero.
vn_vec3 vni_unit(vni_vec v);

/// No hit: the segment is free up to b.
vn_hit vni_hit_none(const vn_space* space, vn_point b);

/// The stop of a ray, or of a ball's centre at the bounds, as a hit.
vn_hit vni_hit_of_stop(const vn_space* space, const vn_world* world, vn_point a, vn_point b,
                       const vni_stop* stop);

#endif
