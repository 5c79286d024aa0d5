/// space/frame.h: one home for the frames of a space: lattice points, voxel units, metres of the world.
///
///   lattice point  / VN_LATTICE ->  voxel units  * resolution + low ->  local metres  + origin ->  world
#ifndef VNI_SPACE_FRAME_H
#define VNI_SPACE_FRAME_H

#include "base/assert.h"
#include "geom/vec.h"
#include "space/space.h"

static inline vni_vec vni_point_in_voxels(vn_point p) {
    const double step = 1.0 / VN_LATTICE;
    return vni_v(p.x * step, p.y * step, p.z * step);
}

/// World position of a point in voxel units.
static inline vn_dvec3 vni_voxels_to_world(const vn_space* space, vni_vec v) {
    double size = (double)space->resolution;
    vn_dvec3 p = {space->origin.x + (space->low.x + v.x * size),
                  space->origin.y + (space->low.y + v.y * size),
                  space->origin.z + (space->low.z + v.z * size)};
    return p;
}

/// A world position in voxel units, relative to the low corner.
static inline vni_vec vni_world_to_voxels(const vn_space* space, vn_dvec3 p) {
    VNI_ASSERT(space && space->resolution > 0);
    double size = (double)space->resolution;
    return vni_v((p.x - space->origin.x - space->low.x) / size, (p.y - space->origin.y - space->low.y) / size,
                 (p.z - space->origin.z - space->low.z) / size);
}

#endif
