/// graph/cost.h: the cost of segments and its lower bound, in one object so that both are always scaled
/// alike.
///
/// Voxel units. `segment` is the cost of the segment from a to b. If `admissible`, `lower_bounds` times
/// `least` never exceeds the cost of any path from a to b on the graph it is made for; otherwise it is a
/// heuristic without guarantee (that of Maruszczyk 2016, or Manhattan among 26 neighbours).
#ifndef VNI_GRAPH_COST_H
#define VNI_GRAPH_COST_H

#include "geom/units.h"
#include "volnav/math.h"
#include <math.h>

typedef struct vni_cost {
    const void* self;
    bool admissible;
    bool is_length; ///< a segment costs its length: the edge costs of graphs apply
    double least;   ///< least cost of a voxel of length: factor of `lower_bounds`
    double (*segment)(const void* self, vn_point from, vn_point to);
    void (*lower_bounds)(const void* self, const vn_point* from, uint32_t count, vn_point to, double* out);
    bool at_nodes; ///< what `segment` adds to the length belongs to the node that it leads to: not the same
                   ///< in both directions
} vni_cost;

/// Length of the segment, in voxels.
static inline double vni_distance(vn_point a, vn_point b) {
    double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return vni_steps_to_voxels(sqrt(x * x + y * y + z * z));
}

/// Lower bounds of length. Between centres of voxels all but VNI_METRIC_EUCLIDEAN are multiples of the unit
/// of costs (graph/fixed.h), as the steps of the grid are: sums of both compare exactly.
typedef enum vni_metric {
    VNI_METRIC_OCTILE,
    VNI_METRIC_EUCLIDEAN, ///< for graphs whose edges cost their length
    VNI_METRIC_MANHATTAN,
    VNI_METRIC_R16,
    VNI_METRIC_EUCLIDEAN_GRID ///< rounded down to the unit: for the steps of a grid
} vni_metric;

/// Length, with `metric` as its lower bound on a grid of 6 or 26 `neighbours`. `segment` is the true length.
vni_cost vni_cost_length(vni_metric metric, uint32_t neighbours);

#endif
