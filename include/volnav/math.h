/// volnav/math.h: the plain value types that the other headers speak in.
///
/// Frames: right-handed, metres, +Y up by default. A *local* position is a float relative to the world's
/// origin, which is in double, so that a world may lie anywhere on a planet without losing millimetres. A
/// *lattice* point is exact: 1024 steps to a voxel, counted from the low corner of the space. Paths are made
/// of lattice points, and everything about them is decided in integers.
#ifndef VOLNAV_MATH_H
#define VOLNAV_MATH_H

#include "volnav/base.h"

/// A local position or direction, in metres.
typedef struct vn_vec3 {
    float x, y, z;
} vn_vec3;

/// A position in double: of an origin, or of a path point in world coordinates. Metres.
typedef struct vn_dvec3 {
    double x, y, z;
} vn_dvec3;

/// A rotation; unit length.
typedef struct vn_quat {
    float x, y, z, w;
} vn_quat;

/// A place in the world: a shape is scaled, then turned, then moved.
typedef struct vn_transform {
    vn_vec3 position; ///< metres
    vn_quat rotation; ///< of unit length within 1e-3; it is made exact
    float scale;      ///< > 0
} vn_transform;

/// At the origin, not turned, as large as it is.
static inline vn_transform vn_transform_identity(void) {
    vn_transform t = {{0, 0, 0}, {0, 0, 0, 1}, 1};
    return t;
}

/// An axis-aligned box with min <= max on each axis.
typedef struct vn_box {
    vn_vec3 min, max;
} vn_box;

/// A voxel by its integer coordinates; it is the closed cube [x, x+1] x [y, y+1] x [z, z+1] in voxel units.
typedef struct vn_voxel {
    int32_t x, y, z;
} vn_voxel;

/// The voxels [low, high); empty if high <= low on an axis.
typedef struct vn_voxel_box {
    vn_voxel low, high;
} vn_voxel_box;

/// Steps of the path lattice in one voxel.
#define VN_LATTICE       1024
#define VN_LATTICE_SHIFT 10

/// A point of the path lattice; voxel (i, j, k) spans [1024 i, 1024 (i+1)] on each axis.
typedef struct vn_point {
    int32_t x, y, z;
} vn_point;

/// The centre of a voxel whose coordinates are within +- 2^20, as those of every space are.
static inline vn_point vn_voxel_center(vn_voxel v) {
    vn_point p;
    p.x = v.x * VN_LATTICE + VN_LATTICE / 2;
    p.y = v.y * VN_LATTICE + VN_LATTICE / 2;
    p.z = v.z * VN_LATTICE + VN_LATTICE / 2;
    return p;
}

#endif
