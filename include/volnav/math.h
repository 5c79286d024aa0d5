/// volnav/math.h: plain value types used by the other headers.
///
/// Frames are right-handed, in metres, with +Y up by default. A *local* position is a float relative to the
/// world's origin, which is a double: a world can lie anywhere on a planet and keep millimetre precision. A
/// *position* without that word is a position in world coordinates, a double with the origin included. A
/// *lattice* point is exact: 1024 steps per voxel, counted from the low corner of the space. Paths consist of
/// lattice points, and every decision about them is made in integers.
#ifndef VOLNAV_MATH_H
#define VOLNAV_MATH_H

#include "volnav/base.h"

/// A local position or direction, in metres.
typedef struct vn_vec3 {
    float x, y, z;
} vn_vec3;

/// A position in double precision: an origin, or a point in world coordinates. Metres.
typedef struct vn_dvec3 {
    double x, y, z;
} vn_dvec3;

/// A rotation, as a unit quaternion.
typedef struct vn_quat {
    float x, y, z, w;
} vn_quat;

/// A pose with scale, applied in this order: scale, rotate, translate.
typedef struct vn_transform {
    vn_vec3 position; ///< metres
    vn_quat rotation; ///< unit length within 1e-3; it is normalised
    float scale;      ///< > 0
} vn_transform;

/// No translation, no rotation, scale 1.
static inline vn_transform vn_transform_identity(void) {
    vn_transform t = {{0, 0, 0}, {0, 0, 0, 1}, 1};
    return t;
}

/// At a local position (rounded to float), without rotation, scale 1.
static inline vn_transform vn_transform_at(double x, double y, double z) {
    vn_transform t = vn_transform_identity();
    t.position.x = (float)x;
    t.position.y = (float)y;
    t.position.z = (float)z;
    return t;
}

/// An axis-aligned box with min <= max on each axis.
typedef struct vn_box {
    vn_vec3 min, max;
} vn_box;

/// Integer coordinates of a voxel, which is the closed cube [x, x+1] x [y, y+1] x [z, z+1] in voxel units.
typedef struct vn_voxel {
    int32_t x, y, z;
} vn_voxel;

/// The voxels in [low, high); empty if high <= low on an axis.
typedef struct vn_voxel_box {
    vn_voxel low, high;
} vn_voxel_box;

/// Steps of the path lattice per voxel.
#define VN_LATTICE       1024
#define VN_LATTICE_SHIFT 10

/// A point of the path lattice; voxel (i, j, k) spans [1024 i, 1024 (i+1)] on each axis.
typedef struct vn_point {
    int32_t x, y, z;
} vn_point;

/// The point that no space contains: what a conversion leaves behind for a position outside the space. Every
/// call that takes a point refuses it as outside: VN_OUTSIDE, VN_CHECK_OUTSIDE, `leaves_space` or false.
static inline vn_point vn_point_outside(void) {
    vn_point p = {INT32_MIN, INT32_MIN, INT32_MIN};
    return p;
}

static inline bool vn_point_is_outside(vn_point p) {
    return p.x == INT32_MIN && p.y == INT32_MIN && p.z == INT32_MIN;
}

/// The centre of a voxel. Coordinates must lie within +- 2^20, as they do in every space.
static inline vn_point vn_voxel_center(vn_voxel v) {
    vn_point p;
    p.x = v.x * VN_LATTICE + VN_LATTICE / 2;
    p.y = v.y * VN_LATTICE + VN_LATTICE / 2;
    p.z = v.z * VN_LATTICE + VN_LATTICE / 2;
    return p;
}

#endif
