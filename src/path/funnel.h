/// path/funnel.h: the 3D funnel (Massonnat 2023, 4.3): a route through a row of portals, shortened without
/// leaving the corridor.
///
/// The field of view from an anchor is a convex cone; each portal clips it, as a polygon of directions. When
/// nothing is left, the next anchor is the point of the field of view on the last portal that makes the route
/// from the old anchor over it to the next portal shortest. That is a heuristic: the route is short, not the
/// shortest in the corridor.
///
/// The corridor is a row of closed boxes; portals[i] is the rectangle, flat along its axis, in which box i
/// and box i + 1 touch. The start lies in the first box, the goal in the last. Coordinates within
/// VNI_LATTICE_LIMIT.
#ifndef VNI_PATH_FUNNEL_H
#define VNI_PATH_FUNNEL_H

#include "path/taut.h"

/// `points` gets the route: start, anchors, goal, on the lattice. Each anchor lies in a portal, at least one
/// step from its rim (in the middle of what is narrower than two steps), so that it is plain
/// (probe/sight.h). Every straight leg crosses the portals between its ends in order, each within its closed
/// rectangle (exact, in integers), so that it stays in the corridor's boxes and is free if they are. Never
/// longer than the route over the portals' centres, but for the rounding of the sum.
///
/// Returns how many points; 0 if `capacity` is too small (count + 2 is always enough). No point comes twice
/// in a row. Time: a view clipped for each portal, a convex minimum for each anchor. Allocates nothing.
uint32_t vni_funnel(const vni_portal* portals, uint32_t count, vn_point start, vn_point goal,
                    vn_point* points, uint32_t capacity);

/// The same, and never longer than the route over `crossings`, three numbers in voxels for each portal, which
/// are taken as the lattice points nearest to them inside the portals. When the funnel's route is longer,
/// that route is returned, with all of its points. Null: the centres.
uint32_t vni_funnel_over(const vni_portal* portals, const float* crossings, uint32_t count, vn_point start,
                         vn_point goal, vn_point* points, uint32_t capacity);

/// The polyline crosses all portals in their order, inside their closed rectangles, with every inner vertex
/// in the portal that was crossed last. Then each leg stays in the boxes of the corridor, whatever they are.
/// Exact. Considers at most 64 portals ahead of the first that a vertex can belong to.
bool vni_is_in_corridor(const vni_portal* portals, uint32_t count, const vn_point* points,
                        uint32_t point_count);

#endif
