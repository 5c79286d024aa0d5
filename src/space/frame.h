/// space/frame.h: converts between a space's lattice points, voxel units and metres.
///
///   lattice point  / VN_LATTICE ->  voxel units  * resolution + low ->  local metres  + origin ->  world
///
/// What needs no space lies in geom/units.h.
#ifndef VNI_SPACE_FRAME_H
#define VNI_SPACE_FRAME_H

#include "base/assert.h"
#include "geom/units.h"
#include "space/space.h"

/// Lengths.
static inline double vni_metres_to_voxels(const vn_space* space, double metres) {
    return metres / (double)space->resolution;
}
static inline double vni_voxels_to_metres(const vn_space* space, double voxels) {
    return voxels * (double)space->resolution;
}
static inline double vni_steps_to_metres(const vn_space* space, double steps) {
    return vni_voxels_to_metres(space, vni_steps_to_voxels(steps));
}

static inline vni_frame vni_space_frame(const vn_space* space) {
    vni_frame frame = {space->low, (double)space->resolution};
    return frame;
}

/// A local position in voxel units. Does not add the origin first, which may be so far away that the sum
/// loses the position.
static inline vni_vec vni_local_to_voxels(const vn_space* space, vn_vec3 p) {
    vni_frame frame = vni_space_frame(space);
    return vni_to_frame(&frame, vni_v_from(p));
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
    VNI_ASSERT(space != NULL && space->resolution > 0);
    double size = (double)space->resolution;
    return vni_v((p.x - space->origin.x - space->low.x) / size, (p.y - space->origin.y - space->low.y) / size,
                 (p.z - space->origin.z - space->low.z) / size);
}

/// The lattice point nearest to a world position, inside the space or not; vn_point_outside if the lattice
/// does not reach that far.
static inline vn_point vni_point_at(const vn_space* space, vn_dvec3 position) {
    return vni_nearest_point(vni_world_to_voxels(space, position));
}

#endif
