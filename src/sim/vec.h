/// sim/vec.h: vectors of doubles.
#ifndef VNI_SIM_VEC_H
#define VNI_SIM_VEC_H

#include <math.h>

#include "volnav/math.h"

static inline vn_dvec3 vni_exact(vn_vec3 v) {
    return (vn_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

static inline vn_vec3 vni_rounded(vn_dvec3 v) {
    return (vn_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline vn_dvec3 vni_scaled(vn_dvec3 v, double f) {
    return (vn_dvec3){f * v.x, f * v.y, f * v.z};
}

static inline vn_dvec3 vni_sum(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vn_dvec3 vni_difference(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double vni_length(vn_dvec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

#endif
