/// geom/units.h: converts between lattice steps, voxels, voxel units and local metres.
///
///   step         integer; VN_LATTICE of them along the edge of a voxel
///   voxel        integer index: voxel i spans the steps from i * VN_LATTICE to (i + 1) * VN_LATTICE
///   voxel unit   float or double; 1 is the edge of a voxel
///   local metre  relative to the world's origin; a vni_frame says where voxel (0, 0, 0) lies
///
///        voxel          i - 1      |       i       |     i + 1
///        step            (i * VN_LATTICE) ... ((i + 1) * VN_LATTICE)
///        voxel unit               i.0             i.0 + 1
///
/// VN_LATTICE is a power of two: scaling a float or a double by it is exact, so results do not depend on
/// where in a product a conversion stands. What needs a space lies in space/frame.h.
#ifndef VNI_GEOM_UNITS_H
#define VNI_GEOM_UNITS_H

#include "geom/vec.h"

// ---------------------------------------------------------------------------------------- voxels and steps

/// The step at the low face of a voxel. No overflow for voxels within +- 2^20.
static inline int32_t vni_voxel_to_steps(int32_t voxel) {
    return voxel * VN_LATTICE;
}
static inline int64_t vni_voxel_to_steps64(int64_t voxel) {
    return voxel * VN_LATTICE;
}
/// Twice a centre is the sum of two faces, an integer of half voxels.
static inline int32_t vni_half_voxels_to_steps(int32_t halves) {
    return halves * (VN_LATTICE / 2);
}
/// The voxel that a step lies in; on a plane between two, the upper one.
static inline int32_t vni_step_to_voxel(int32_t step) {
    return step >> VN_LATTICE_SHIFT;
}
static inline int32_t vni_step_to_voxel64(int64_t step) {
    return (int32_t)(step >> VN_LATTICE_SHIFT);
}
/// Steps from the low face of its voxel: 0 to VN_LATTICE - 1.
static inline int64_t vni_step_in_voxel(int64_t step) {
    return step & (VN_LATTICE - 1);
}
/// Does the step lie on a plane between two voxels?
static inline bool vni_step_is_on_plane(int64_t step) {
    return vni_step_in_voxel(step) == 0;
}
/// The low corner of a voxel.
static inline vn_point vni_voxel_corner(vn_voxel v) {
    vn_point p = {vni_voxel_to_steps(v.x), vni_voxel_to_steps(v.y), vni_voxel_to_steps(v.z)};
    return p;
}
/// Does the point lie in the closed box of dims[0] x dims[1] x dims[2] voxels?
static inline bool vni_point_is_within(vn_point p, const int32_t dims[3]) {
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= vni_voxel_to_steps(dims[0]) &&
           p.y <= vni_voxel_to_steps(dims[1]) && p.z <= vni_voxel_to_steps(dims[2]);
}

// ----------------------------------------------------------------------------------- steps and voxel units

static inline double vni_steps_to_voxels(double steps) {
    return steps / VN_LATTICE;
}
static inline float vni_steps_to_voxels_f(float steps) {
    return steps / VN_LATTICE;
}
static inline double vni_voxels_to_steps(double voxels) {
    return voxels * VN_LATTICE;
}
static inline vni_vec vni_point_in_voxels(vn_point p) {
    return vni_v(vni_steps_to_voxels(p.x), vni_steps_to_voxels(p.y), vni_steps_to_voxels(p.z));
}
/// The same as an array, and in float: that rounds beyond 2^14 voxels, where coordinates have over 24 bits.
static inline void vni_point_to_voxels(vn_point p, double out[3]) {
    out[0] = vni_steps_to_voxels(p.x);
    out[1] = vni_steps_to_voxels(p.y);
    out[2] = vni_steps_to_voxels(p.z);
}
static inline void vni_point_to_voxels_f(vn_point p, float out[3]) {
    out[0] = vni_steps_to_voxels_f((float)p.x);
    out[1] = vni_steps_to_voxels_f((float)p.y);
    out[2] = vni_steps_to_voxels_f((float)p.z);
}

// ---------------------------------------------------------------------------------- metres and voxel units

/// Where a grid of voxels lies: v voxel units are low + v * size local metres.
typedef struct vni_frame {
    vn_dvec3 low; ///< low corner of voxel (0, 0, 0), local metres
    double size;  ///< edge of a voxel, metres
} vni_frame;

static inline vni_vec vni_frame_low(const vni_frame* frame) {
    return vni_v(frame->low.x, frame->low.y, frame->low.z);
}
/// Local metres to voxel units.
static inline vni_vec vni_to_frame(const vni_frame* frame, vni_vec p) {
    return vni_v((p.x - frame->low.x) / frame->size, (p.y - frame->low.y) / frame->size,
                 (p.z - frame->low.z) / frame->size);
}

#endif
