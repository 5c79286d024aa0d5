/// probe/clearance.h: what a way near walls costs, for agents that would rather keep their distance.
///
/// A point that is `distance` or more away from every blocked voxel misses nothing; one that touches a wall
/// misses all of it; in between it goes linearly. The bounds of the space are no wall. Everything is in voxel
/// units, deterministic, and allocates nothing.
#ifndef VNI_PROBE_CLEARANCE_H
#define VNI_PROBE_CLEARANCE_H

#include "geom/vec.h"
#include "graph/zones.h"
#include "occupancy/occupancy.h"

typedef struct vni_clearance {
    const vni_occupancy* occupancy;
    double distance; ///< preferred, voxels, > 0
    double weight;   ///< what a voxel of way costs more when all of the distance is missing, > 0
} vni_clearance;

/// Voxels; no step along a way is shorter, however small the distance.
#define VNI_CLEARANCE_LEAST_STEP 0.0625

/// max(0, 1 - d / distance), where d is the distance from `at` to the nearest blocked voxel's closed cube.
double vni_clearance_missing(const vni_clearance* clearance, vni_vec at);

/// The weight times the integral of what is missing along the straight way from a to b. The same to the last
/// bit from b to a.
///
/// Goes in steps of a quarter of the distance where walls are near (VNI_CLEARANCE_LEAST_STEP if that is
/// more), and leaps over open space. Since d changes no faster than the place, a step adds an error of at
/// most weight
/// * step^2 / (4 distance), and a leap none: so for distances from a quarter of a voxel on the error is at
/// most weight * length / 16, and there is none where the way keeps 5/4 of the distance. That is the worst
/// case; on random worlds it is below 1 % of the cost. Each step asks for the nearest wall once.
double vni_clearance_cost(const vni_clearance* clearance, const double a[3], const double b[3]);

/// A stretch of a straight way that is nearer to walls than the preferred distance: how far along the way it
/// begins and ends, and where it is deepest, in voxels, to a step of a quarter of the distance.
typedef struct vni_dip {
    double from, to, deepest;
    double least;  ///< distance to the wall there
    vn_voxel wall; ///< the blocked voxel nearest to it
} vni_dip;

/// The first dip of the straight way from a to b that begins at `from` voxels along it or later. False if
/// there is none.
bool vni_clearance_dip(const vni_clearance* clearance, vni_vec a, vni_vec b, double from, vni_dip* out);

/// What the cost object of a request adds up. The caller's; both may be null.
typedef struct vni_terms {
    const vni_zones* zones;         ///< null: length
    const vni_clearance* clearance; ///< null: walls cost nothing
} vni_terms;

/// Length or zones, and clearance on top. `metric` and `neighbours` give the lower bound as in graph/cost.h.
/// Points to `terms`, which must outlive it and stay where it is.
vni_cost vni_cost_terms(vni_metric metric, uint32_t neighbours, const vni_terms* terms);

#endif
