/// voxelise/halfspaces.h: the distance of a point to a polytope that is given by half-spaces.
#ifndef VNI_VOXELISE_HALFSPACES_H
#define VNI_VOXELISE_HALFSPACES_H

#include "geom/vec.h"

/// The points p with a . p <= bound, |a| = 1.
typedef struct vni_halfspace {
    vni_vec a;
    double bound;
} vni_halfspace;

/// Most half-spaces that there may be.
#define VNI_HALFSPACES 480

/// The point nearest to `point` that all half-spaces have in common, and how far that is. If it is above
/// `limit`, only a lower bound of the distance is found: the nearest point of some of the half-spaces. The
/// point may be outside a half-space by up to `tolerance`. False if it was not found, because faces are
/// nearly parallel or rounding is too coarse for the tolerance. Active sets (the dual method for quadratic
/// programs): a few rounds over all half-spaces.
bool vni_halfspaces_nearest(const vni_halfspace* halfspaces, uint32_t count, vni_vec point, double limit,
                            double tolerance, vni_vec* nearest, double* distance);

#endif
