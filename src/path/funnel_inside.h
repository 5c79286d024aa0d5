/// path/funnel_inside.h: what the funnel is made of: portals on the lattice, and the field of view through
/// them. For path/funnel*.c only.
#ifndef VNI_PATH_FUNNEL_INSIDE_H
#define VNI_PATH_FUNNEL_INSIDE_H

#include "geom/vec.h"
#include "path/taut.h"

// ---------------------------------------------------------------------------------------------- portals

/// A closed rectangle in a plane of the lattice, in lattice steps; as vni_portal else.
typedef struct vni_lattice_portal {
    int32_t axis, plane;
    int32_t low[2], high[2];
} vni_lattice_portal;

/// A portal's lattice points. One that holds none along an axis gets the nearest.
vni_lattice_portal vni_lattice_portal_of(const vni_portal* portal);

/// Without the outermost steps; what is narrower than two steps becomes its middle.
vni_lattice_portal vni_lattice_portal_inside(const vni_portal* portal);

/// Does the closed rectangle hold the point?
bool vni_lattice_portal_holds(const vni_lattice_portal* portal, vn_point point);

/// The point of the portal nearest to from + offset. The offset is rounded, not the sum, so that nothing
/// depends on where the corridor lies.
vn_point vni_lattice_portal_nearest(const vni_lattice_portal* portal, vn_point from, vni_vec offset);

/// The first of the portals [first, last) that the segment from a to b does not cross in order, each
/// within its closed rectangle; `last` if there is none. Exact.
uint32_t vni_portals_missed(const vni_portal* portals, uint32_t first, uint32_t last, vn_point a, vn_point b);

// ------------------------------------------------------------------------------------------------------ view

/// Corners of a view. Planes through an anchor and the edge of a portal come in three families, one for each
/// axis that the edge may run along, and a cone has at most two of each: 6 corners, and some to spare
/// for rounding.
#define VNI_CONE_CORNERS 12

/// A convex cone with its tip in the anchor: directions along its edges, in order, of any length. Two span a
/// triangle (a view in a plane), one is a ray.
typedef struct vni_cone {
    uint32_t count;
    vni_vec corners[VNI_CONE_CORNERS];
} vni_cone;

/// All that is seen through a portal which does not hold the anchor.
vni_cone vni_cone_through(vn_point anchor, const vni_lattice_portal* portal);

/// Clips a view to what is also seen through another portal. False if nothing is left; then the view is as it
/// was.
bool vni_cone_narrow(vni_cone* view, vn_point anchor, const vni_lattice_portal* portal);

/// The part of a portal that is in a view which goes through it, as a convex polygon relative to the anchor.
vni_cone vni_cone_on(const vni_cone* view, vn_point anchor, const vni_lattice_portal* portal);

/// Coordinates by axis.
static inline double vni_v_get(vni_vec v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
static inline void vni_v_set(vni_vec* v, int axis, double value) {
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = value;
}

// ------------------------------------------------------------------------------------------------------ turn

/// A closed box relative to the anchor: the next portal, or the goal.
typedef struct vni_turn_box {
    vni_vec low, high;
} vni_turn_box;

/// The point x of a convex polygon across `axis` for which the route from the anchor over x to the box is
/// shortest, right to an eighth of a lattice step. Everything is relative to the anchor, which is not in the
/// polygon, in lattice steps. The box lies on one side of the polygon's plane.
vni_vec vni_best_turn(const vni_cone* polygon, int axis, const vni_turn_box* box);

#endif
