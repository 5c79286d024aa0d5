/// graph/fuel.h: fuel as the cost of segments, with a lower bound for the steps of a grid.
///
/// Voxel units, and fuel in voxels of level flight outside all zones: there a voxel costs 1. With s the sine
/// of the pitch, t = min(pitch / 45 degrees, 1) >= 0 its share of the steepest pitch, and f the factor of the
/// zones, a voxel of length costs
///
///     by pitch (Maruszczyk 2016)   f (1 + climb t) upwards           f (1 - sink t) downwards
///     by height                    f + climb s upwards               max(0, f - sink |s|) downwards
///
/// By pitch, weather multiplies everything, as in the thesis. By height, it multiplies the drag only: the
/// work of lifting does not depend on the weather. Both grow with f and depend on the direction: the way back
/// costs something else.
///
/// The bound. Let c(d) be the cost of the grid step d where f is least. A vector L with L . d <= c(d) for all
/// steps d is a potential: along any path over steps d1 ... dn costs are at least c(d1) + ... + c(dn) >= L .
/// (d1 + ... + dn), which depends on the ends only. So the largest L . (to - from) over any set of such
/// vectors is admissible. It is consistent too: for a step d from u to v the best L of u gives h(u) = L . d +
/// L . (to - v) <= c(d) + h(v). By duality, the set of all vertices of the polytope {L : L . d <= c(d) for
/// all d} even gives the cost of the cheapest sum of steps, whole ones or parts, that leads there: as the
/// octile distance does for lengths, and no bound that knows the ends only can be higher where that sum is
/// one of whole steps.
///
/// The steps have the symmetries of a square around the up axis, so L = (p, q, u) with p >= q >= 0 for the
/// larger and the smaller horizontal difference stands for eight vectors. Vertices are found by solving three
/// equations at a time, rounded to the unit of costs (graph/fixed.h), and kept if they satisfy all
/// inequalities exactly, in integers: no rounding can make the bound inadmissible, and sums of costs and
/// bounds stay exact.
#ifndef VNI_GRAPH_FUEL_H
#define VNI_GRAPH_FUEL_H

#include "graph/zones.h"

typedef enum vni_fuel_law { VNI_FUEL_BY_PITCH, VNI_FUEL_BY_HEIGHT } vni_fuel_law;

/// A polytope with ten faces has up to 16 vertices; the rest is for those that rounding splits.
#define VNI_MAX_POTENTIALS 32

/// One vector L.
typedef struct vni_potential {
    double wide, narrow; ///< for the larger and the smaller horizontal difference
    double up;
} vni_potential;

typedef struct vni_fuel {
    const vni_zones* zones; ///< null: the factor is 1 everywhere
    vni_fuel_law law;
    int up;             ///< axis
    double climb, sink; ///< >= 0; by pitch: sink <= 1
    double steps[27];   ///< cost of the step (dx, dy, dz) outside zones: [(dx + 1) + 3 (dy + 1) + 9 (dz + 1)]
    vni_potential potentials[VNI_MAX_POTENTIALS];
    uint32_t potential_count;
} vni_fuel;

/// Without potentials: the bound is 0. `zones` may be null; else it must outlive the fuel.
void vni_fuel_make(vni_fuel_law law, int up, double climb, double sink, const vni_zones* zones,
                   vni_fuel* out);

/// Finds the potentials of a grid with 6 or 26 neighbours, in some microseconds.
void vni_fuel_find_bound(vni_fuel* fuel, uint32_t neighbours);

/// Cost of the segment from a to b: the integral, exact up to rounding. O(zones + planes).
double vni_fuel_cost(const vni_fuel* fuel, const double a[3], const double b[3]);

/// Cost of the segment if the factor were the least everywhere.
double vni_fuel_fair_cost(const vni_fuel* fuel, const double a[3], const double b[3]);

/// The least that a path from a to b over steps of the grid costs.
double vni_fuel_bound(const vni_fuel* fuel, vn_point from, vn_point to);

/// The cost object for a grid of the neighbours that the bound was found for. Between points that are not
/// centres of voxels the bound is a heuristic. `fuel` must outlive it.
vni_cost vni_cost_fuel(const vni_fuel* fuel);

/// The arc tangent of x as a share of 45 degrees: 4 / pi * atan(x), for 0 <= x <= 1. Exactly 0 at 0 and 1 at
/// 1, elsewhere within 1e-15. + - * / sqrt only: the same bits everywhere.
double vni_pitch_share(double x);

#endif
