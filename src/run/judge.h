/// run/judge.h: least distances within a step, for the judges of runs. They share no code with what flies.
#ifndef VNI_RUN_JUDGE_H
#define VNI_RUN_JUDGE_H

#include "volnav/world.h"

/// Least distance of two points while each moves straight: from p to q, and from a to b.
double vni_judge_points(vn_dvec3 p, vn_dvec3 q, vn_dvec3 a, vn_dvec3 b);

/// Least distance of a point that moves from p to q, from a box that stands. To 1e-12 of the segment.
double vni_judge_box(vn_dvec3 p, vn_dvec3 q, const vn_box* box);

/// Signed distance of a point from a shape in its place, a box or a sphere: below 0 inside, there the
/// distance to the nearest face.
double vni_judge_depth(vn_dvec3 p, const vn_shape* shape, const vn_transform* transform);

/// A rigid box or ball in motion: `at` gives its transform at a part s of the step, 0 to 1, and no point of
/// it moves farther than `reach` metres in the step, nor faster at any time of it than `reach` a step.
typedef struct vni_judge_mover {
    const vn_shape* shape; ///< a box or a sphere
    vn_transform (*at)(const void* user, double s);
    const void* user;
    double reach;
} vni_judge_mover;

/// Least distance of a point that moves from p to q, from the mover, if that is below `enough`; otherwise
/// something not below `enough`. To 1e-6 metres; 0 inside the shape. Motions that go straight, as far as
/// `reach`, by one segment; others by steps that are safe: no pair of points comes closer faster than both
/// move.
double vni_judge_mover_distance(vn_dvec3 p, vn_dvec3 q, const vni_judge_mover* mover, double enough);

#endif
