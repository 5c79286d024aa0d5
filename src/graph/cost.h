/// graph/cost.h: what a way costs, and the least it can cost: one object, so that nobody scales the one and
/// forgets the other.
///
/// Costs are in voxel units. `segment` integrates along the straight way from a to b, `lower_bounds` times
/// `least` never exceeds the cost of any way from a to b on the graph that it is made for, if `admissible`;
/// otherwise it is a guess that guides (R16's, or Manhattan among 26 neighbours).
#ifndef VNI_GRAPH_COST_H
#define VNI_GRAPH_COST_H

#include "geom/units.h"
#include "volnav/math.h"
#include <math.h>

typedef struct vni_cost {
    const void* self;
    bool admissible;
    bool is_length; ///< a segment costs its length: what graphs say of their edges is right as it is
    double least;   ///< the least that a voxel of way costs: what `lower_bounds` gives counts times this
    double (*segment)(const void* self, vn_point from, vn_point to);
    void (*lower_bounds)(const void* self, const vn_point* from, uint32_t count, vn_point to, double* out);
} vni_cost;

/// The length of the straight way, in voxels.
static inline double vni_distance(vn_point a, vn_point b) {
    double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return vni_steps_to_voxels(sqrt(x * x + y * y + z * z));
}

/// The lower bounds of plain length.
typedef enum vni_metric {
    VNI_METRIC_OCTILE,
    VNI_METRIC_EUCLIDEAN,
    VNI_METRIC_MANHATTAN,
    VNI_METRIC_R16
} vni_metric;

/// Plain length, with `metric` as its lower bound on a grid of 6 or 26 `neighbours`.
vni_cost vni_cost_length(vni_metric metric, uint32_t neighbours);

#endif
