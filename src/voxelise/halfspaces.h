/// voxelise/halfspaces.h: computes the distance of a point from an intersection of half-spaces.
#ifndef VNI_VOXELISE_HALFSPACES_H
#define VNI_VOXELISE_HALFSPACES_H

#include "geom/vec.h"

/// The points p with a . p <= bound, |a| = 1.
typedef struct vni_halfspace {
    vni_vec a;
    double bound;
} vni_halfspace;

/// Most half-spaces of one intersection.
#define VNI_HALFSPACES 480

/// The point of the intersection nearest to `point`, and its distance. Beyond `limit` the search stops early:
/// the distance is a lower bound then, and the point is the nearest one of some of the half-spaces. The point
/// may violate a half-space by up to `tolerance`. False if none was found, because faces are nearly parallel
/// or rounding is too coarse for the tolerance. Costs a few rounds over all half-spaces.
bool vni_halfspaces_nearest(const vni_halfspace* halfspaces, uint32_t count, vni_vec point, double limit,
                            double tolerance, vni_vec* nearest, double* distance);

#endif
