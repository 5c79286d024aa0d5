/// graph/fixed.h: costs on the grid as multiples of one unit, so that equal costs compare equal.
///
/// Sums of 1, sqrt 2 and sqrt 3 in doubles depend, in their last bit, on the order of the terms. Then f = g +
/// h is not the same along a plateau, and a tie-break on h is luck. So the steps of a grid, and the lower
/// bounds for them, are multiples of 2^-28 voxels, held in doubles: sums and differences below 2^25 voxels
/// are exact.
///
/// Why 28. A path has no more nodes than its search: by default a query has memory for 2^24, and as many steps
/// over corners, plus the lower bound from their end to anywhere in a space (2^21 voxels an axis), are less
/// than 2^25 voxels. So every g and every f of such a search is exact. Longer paths are still found, with
/// sums that are rounded as all sums of doubles.
///
/// What it costs. Steps are rounded up, by less than 1.4e-9 of their length: the path that is found is at
/// most that much longer than the shortest one. Lengths and costs in results are those of the path, not sums
/// of these steps. Up, because a lower bound that holds for true lengths, rounded down to the unit, is then
/// admissible and consistent: let c be a step's true length and C >= c its cost; h(u) <= c + h(v) gives
/// down(h(u)) <= down(C + h(v)) = C + down(h(v)).
///
/// Costs through zones are rounded up as well: sums of them stay exact while they are below 2^25.
#ifndef VNI_GRAPH_FIXED_H
#define VNI_GRAPH_FIXED_H

#include <stdint.h>

#define VNI_COST_UNIT 3.7252902984619140625e-9 // 2^-28

/// sqrt 2 and sqrt 3, rounded up.
#define VNI_EDGE_STEP   (379625063 * VNI_COST_UNIT)
#define VNI_CORNER_STEP (464943849 * VNI_COST_UNIT)

/// Doubles from here to twice this are multiples of the unit, so that adding it rounds to the unit.
#define VNI_COST_SHIFT 16777216.0 // 2^24

/// The nearest multiple of the unit. `cost` >= 0; from 2^24 on only as near as doubles are.
static inline double vni_cost_nearest(double cost) {
    return (cost + VNI_COST_SHIFT) - VNI_COST_SHIFT;
}

/// The least multiple of the unit that is not below `cost`.
static inline double vni_cost_up(double cost) {
    double rounded = vni_cost_nearest(cost);
    return rounded < cost ? rounded + VNI_COST_UNIT : rounded;
}

/// The greatest multiple of the unit that is not above `cost`.
static inline double vni_cost_down(double cost) {
    double rounded = vni_cost_nearest(cost);
    return rounded > cost ? rounded - VNI_COST_UNIT : rounded;
}

/// Steps of a path on the grid: straight ones, over edges, over corners.
typedef struct vni_step_counts {
    uint64_t straight, edge, corner;
} vni_step_counts;

#endif
