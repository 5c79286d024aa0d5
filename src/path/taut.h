/// path/taut.h: a string through a row of portals, pulled taut.
#ifndef VNI_PATH_TAUT_H
#define VNI_PATH_TAUT_H

#include "volnav/math.h"

/// A rectangle in a lattice plane, in voxels: `plane` along `axis`; low and high along the two other axes,
/// the lower axis first.
typedef struct vni_portal {
    int32_t axis;
    float plane;
    float low[2], high[2];
} vni_portal;

/// Moves points[0 .. count), one in each portal, so that the polyline start, points, goal gets shorter; never
/// longer. One sweep visits all points and puts each where the route between its two neighbours is shortest,
/// exactly along one in-plane axis after the other. Stops after `sweeps`, or when no point moved by two
/// lattice steps. Float; no allocation.
void vni_taut(const vni_portal* portals, float (*points)[3], uint32_t count, const float start[3],
              const float goal[3], uint32_t sweeps);

/// The lattice point nearest to a point in a portal, at least one step away from the portal's rim, so that
/// only voxels of the two cells that it joins touch it.
vn_point vni_portal_lattice(const vni_portal* portal, const float point[3]);

#endif
