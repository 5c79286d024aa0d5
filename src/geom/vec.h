/// geom/vec.h: three-vectors in double, the type in which all geometry is decided.
///
/// Only + - * / and sqrt, which IEEE 754 rounds correctly: results are the same on every platform.
#ifndef VNI_GEOM_VEC_H
#define VNI_GEOM_VEC_H

#include "volnav/math.h"
#include <math.h>

/// By axis: the other two axes, the lower one first.
static const int vni_other_axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};

typedef struct vni_vec {
    double x, y, z;
} vni_vec;

static inline vni_vec vni_v(double x, double y, double z) {
    vni_vec v = {x, y, z};
    return v;
}
static inline vni_vec vni_v_from(vn_vec3 a) {
    return vni_v((double)a.x, (double)a.y, (double)a.z);
}
static inline vni_vec vni_v_of_point(vn_point p) {
    return vni_v(p.x, p.y, p.z);
}
static inline vni_vec vni_add(vni_vec a, vni_vec b) {
    return vni_v(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vni_vec vni_sub(vni_vec a, vni_vec b) {
    return vni_v(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vni_vec vni_scale(vni_vec a, double s) {
    return vni_v(a.x * s, a.y * s, a.z * s);
}
/// a + b * s
static inline vni_vec vni_add_scaled(vni_vec a, vni_vec b, double s) {
    return vni_v(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline double vni_dot(vni_vec a, vni_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vni_vec vni_cross(vni_vec a, vni_vec b) {
    return vni_v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vni_length2(vni_vec a) {
    return vni_dot(a, a);
}
static inline double vni_length(vni_vec a) {
    return sqrt(vni_dot(a, a));
}
static inline vni_vec vni_min(vni_vec a, vni_vec b) {
    return vni_v(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline vni_vec vni_max(vni_vec a, vni_vec b) {
    return vni_v(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
static inline double vni_clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}
static inline double vni_abs(double x) {
    return x < 0 ? -x : x;
}
static inline vni_vec vni_abs_each(vni_vec a) {
    return vni_v(vni_abs(a.x), vni_abs(a.y), vni_abs(a.z));
}
/// Not NaN, not infinite.
static inline bool vni_is_finite(double x) {
    return x - x == 0.0;
}
static inline bool vni_v_is_finite(vni_vec a) {
    return vni_is_finite(a.x) && vni_is_finite(a.y) && vni_is_finite(a.z);
}

static inline bool vni_is_same_point(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
/// Distance of two points, in lattice steps.
static inline double vni_steps_between(vn_point a, vn_point b) {
    return vni_length(vni_sub(vni_v_of_point(b), vni_v_of_point(a)));
}

#endif
