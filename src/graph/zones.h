/// graph/zones.h: boxes in which a way costs more, or less, than its length.
///
/// Inside a zone every voxel of way costs `factor` voxels; where zones overlap, the largest factor counts;
/// outside all of them the factor is 1. Costs are the same in both directions.
#ifndef VNI_GRAPH_ZONES_H
#define VNI_GRAPH_ZONES_H

#include "graph/cost.h"

/// Zones that a set may have.
#define VNI_MAX_ZONES 64

/// A closed box in voxel units.
typedef struct vni_zone {
    double low[3], high[3];
    double factor; ///< > 0
} vni_zone;

typedef struct vni_zones {
    const vni_zone* zones; ///< the caller's
    uint32_t count;
    double least; ///< the least that a voxel of way can cost anywhere
} vni_zones;

/// count <= VNI_MAX_ZONES.
vni_zones vni_zones_make(const vni_zone* zones, uint32_t count);

/// Cost of the straight way from a to b, integrated along it, voxel units. O(count squared) where it meets
/// many zones.
double vni_zones_cost(const vni_zones* zones, const double a[3], const double b[3]);

/// The cost object: integrated cost of segments, and `metric` times the least factor as the lower bound.
/// `zones` must outlive it.
vni_cost vni_cost_zones(vni_metric metric, uint32_t neighbours, const vni_zones* zones);

#endif
