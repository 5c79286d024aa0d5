/// graph/zones.h: cost of segments through zones: boxes, balls and hulls in which a metre costs more, or
/// less, than a metre.
///
/// Inside a zone length counts `factor` times; where zones overlap, the largest factor counts; outside all of
/// them the factor is 1. Costs are the same in both directions. Voxel units.
#ifndef VNI_GRAPH_ZONES_H
#define VNI_GRAPH_ZONES_H

#include "graph/cost.h"

/// Most zones of a set, of all kinds together.
#define VNI_MAX_ZONES 128

/// A closed box.
typedef struct vni_zone {
    double low[3], high[3];
    double factor; ///< > 0
} vni_zone;

/// A closed ball.
typedef struct vni_zone_ball {
    double center[3], radius;
    double factor; ///< > 0
} vni_zone_ball;

/// The points p with normal . p <= offset are behind it.
typedef struct vni_zone_plane {
    double normal[3], offset;
} vni_zone_plane;

/// The closed convex set behind all planes.
typedef struct vni_zone_hull {
    const vni_zone_plane* planes; ///< the caller's
    uint32_t plane_count;
    double factor; ///< > 0
} vni_zone_hull;

/// The arrays are the caller's.
typedef struct vni_zones {
    const vni_zone* zones;
    uint32_t count; ///< of boxes
    double least;   ///< least cost of a voxel of length anywhere
    const vni_zone_ball* balls;
    const vni_zone_hull* hulls;
    uint32_t ball_count, hull_count;
} vni_zones;

/// A set of boxes. count <= VNI_MAX_ZONES.
vni_zones vni_zones_make(const vni_zone* zones, uint32_t count);

/// Adds balls and hulls to a set of boxes; together no more than VNI_MAX_ZONES.
void vni_zones_add_round(vni_zones* zones, const vni_zone_ball* balls, uint32_t ball_count,
                         const vni_zone_hull* hulls, uint32_t hull_count);

/// A part of a segment along which the factor is the same.
typedef struct vni_zone_part {
    double share; ///< of the segment's length
    double factor;
} vni_zone_part;

#define VNI_MAX_ZONE_PARTS (2 * VNI_MAX_ZONES + 1)

/// Cuts the segment from a to b where zones begin and end, in order; the shares add up to 1. Returns the
/// number of parts; 0: it meets no zone. O(zones + planes), and quadratic in the number of zones that it
/// meets.
uint32_t vni_zones_parts(const vni_zones* zones, const double a[3], const double b[3],
                         vni_zone_part parts[VNI_MAX_ZONE_PARTS]);

/// Cost of the segment from a to b, voxel units: the integral, exact up to rounding. O(zones + planes), and
/// quadratic in the number of zones that the segment meets.
double vni_zones_cost(const vni_zones* zones, const double a[3], const double b[3]);

/// Does a segment anywhere cost other than its length? Not if all factors are 1.
bool vni_zones_weigh(const vni_zones* zones);

/// The largest factor of the zones that hold the point; 0 if none does. O(zones + planes).
double vni_zones_at(const vni_zones* zones, const double point[3]);

/// The most that a voxel of length costs anywhere inside a box: the largest factor of the zones that reach
/// into it, and at least 1 unless one of them holds all of it. Exact for boxes and balls, if no two zones
/// have to be put together to cover the box; else it may be more. O(zones + planes).
double vni_zones_most(const vni_zones* zones, const double low[3], const double high[3]);

/// The cost object of Maruszczyk 2016: a segment costs its length, and what vni_zones_at says of the node
/// that it leads to, in voxels (`at_nodes`). The lower bound is `metric`. `zones` must outlive it.
vni_cost vni_cost_added(vni_metric metric, uint32_t neighbours, const vni_zones* zones);

/// The cost object: integrated cost of segments, and `metric` times the least factor as the lower bound.
/// `zones` must outlive it.
vni_cost vni_cost_zones(vni_metric metric, uint32_t neighbours, const vni_zones* zones);

#endif
