/// probe/clearance.h: extra cost of segments near walls, for agents that prefer to keep their distance.
///
/// A point at least `distance` away from every blocked voxel lacks no clearance (0); one that touches a wall
/// lacks all of it (1); in between it is linear. The bounds of the space are no wall. Voxel units,
/// deterministic, no allocation.
#ifndef VNI_PROBE_CLEARANCE_H
#define VNI_PROBE_CLEARANCE_H

#include "geom/vec.h"
#include "graph/zones.h"
#include "occupancy/occupancy.h"

typedef struct vni_clearance {
    const vni_occupancy* occupancy;
    double distance; ///< preferred, voxels, > 0
    double weight;   ///< extra cost per voxel of length where all of the clearance is missing, > 0
} vni_clearance;

/// Shortest step along a segment, voxels, however small the distance.
#define VNI_CLEARANCE_LEAST_STEP 0.0625

/// max(0, 1 - d / distance), where d is the distance from `at` to the nearest blocked voxel's closed cube.
double vni_clearance_missing(const vni_clearance* clearance, vni_vec at);

/// The weight times the integral of the missing clearance along the segment from a to b. Bit-identical from b
/// to a.
///
/// Steps by a quarter of the distance near walls (at least VNI_CLEARANCE_LEAST_STEP) and leaps over open
/// space. Since d changes no faster than the position, the error of a step is at most weight * step^2 / (4
/// distance), and that of a leap 0. So for distances of a quarter of a voxel and more the error is at most
/// weight * length / 16, and 0 where the segment keeps 5/4 of the distance. That is the worst case; on random
/// worlds it is below 1 % of the cost. Each step searches the nearest wall once.
double vni_clearance_cost(const vni_clearance* clearance, const double a[3], const double b[3]);

/// A stretch of a segment that is nearer to walls than the preferred distance: where along the segment it
/// begins and ends, and where it is nearest, in voxels, sampled every quarter of the distance.
typedef struct vni_dip {
    double from, to, deepest;
    double least;  ///< distance from the wall at `deepest`
    vn_voxel wall; ///< the blocked voxel nearest to that point
} vni_dip;

/// The first dip of the segment from a to b that begins `from` voxels along it or later. False if there is
/// none.
bool vni_clearance_dip(const vni_clearance* clearance, vni_vec a, vni_vec b, double from, vni_dip* out);

/// The terms of a request's cost. Both may be null; the caller owns them.
typedef struct vni_terms {
    const vni_zones* zones;         ///< null: length
    const vni_clearance* clearance; ///< null: walls cost nothing
} vni_terms;

/// Cost of length or zones, plus clearance. `metric` and `neighbours` give the lower bound as in
/// graph/cost.h. Points to `terms`, which must outlive it and must not move.
vni_cost vni_cost_terms(vni_metric metric, uint32_t neighbours, const vni_terms* terms);

#endif
