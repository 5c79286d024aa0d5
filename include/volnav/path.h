/// volnav/path.h: exact checks of paths, and positions along them. Every path that volnav returns must pass
/// the checks, which share no code with the searches or with line of sight.
///
/// docs/contact.md explains the rules of contact, with drawings.
#ifndef VOLNAV_PATH_H
#define VOLNAV_PATH_H

#include "volnav/space.h"

typedef enum vn_check_fault {
    VN_CHECK_FREE = 0,     ///< the path is free
    VN_CHECK_EMPTY = 1,    ///< no points
    VN_CHECK_OUTSIDE = 2,  ///< leaves the space
    VN_CHECK_BLOCKED = 3,  ///< enters a blocked voxel, or a shape
    VN_CHECK_SQUEEZED = 4, ///< passes between blocked voxels that meet at an edge or a corner
    VN_CHECK_TOO_CLOSE = 5 ///< comes closer to a shape than the radius
} vn_check_fault;

/// The fault as one word, as in JSON output. Never null.
VN_API const char* vn_check_fault_word(vn_check_fault fault);

/// Result of a check. Fields that do not apply are zero.
typedef struct vn_check_result {
    vn_check_fault fault;
    uint32_t segment; ///< of the first fault: from point `segment` to the next; a single point is segment 0
    /// Where on that segment, 0 to 1. In a space: the last valid point. In a world: the first point inside a
    /// shape; if only too close, the point nearest to the shape.
    double fraction;
    vn_dvec3 position; ///< of that point, world coordinates
    vn_voxel voxel; ///< in a space: a blocked voxel at that point, or the voxel beyond the bounds if the path
                    ///< leaves the space
    vn_obstacle_id obstacle; ///< in a world: the shape nearest to the segment
    double clearance; ///< in a world: least distance of the whole path to a shape, metres; infinity if there
                      ///< is no shape, and in a space
} vn_check_result;

/// Checks whether a polyline is free for a point agent in a space, under the rules of contact. Exact, in
/// integers: a polyline is free if, arbitrarily close to it, a curve runs inside the interior of the union of
/// the closed free voxels. The result depends neither on direction nor on how a straight line is divided. A
/// single point is free if a free voxel touches it. Points may lie anywhere, also far outside;
/// vn_point_outside is VN_CHECK_OUTSIDE, here and in a world. Returns true if free; `out` may be null.
/// O(voxels crossed). Allocates nothing. Any thread.
VN_API bool vn_space_check_path(const vn_space* space, const vn_point* points, uint32_t count,
                                vn_check_result* out);

/// Checks whether a polyline keeps at least `radius` metres (>= 0, finite) from every shape of a world. In
/// double: a shortfall of up to vn_check_error_bound() metres may go undetected, a larger one never (for
/// exceptions see there).
///
/// The requirements of radius 0 are part of every radius: the path enters no volume deeper than the bound,
/// and keeps more than the bound from every surface, so it cannot cross or touch one. The bound is below the
/// 1e-9 voxel that free voxels keep from surfaces as long as no coordinate exceeds 10^5 voxels; beyond that,
/// a path along the face of such a voxel may be rejected. Shapes are checked one by one: where two of them
/// share a face, a path between them touches both and enters neither. Voxels of one set have no such seams.
/// Solid meshes are checked by their triangles: a path that starts outside cannot get in without crossing
/// them.
///
/// `space` defines the frame of the points and the obstacles to ignore: those with one of its open flags, and
/// unknown space if it was baked as free. A space whose origin lies more than 1e60 metres from the world's
/// counts as that far away. Returns true if free. `out` may be null: the check then stops at the first fault
/// and does not compute the clearance, which is faster. Cost per segment: O(log n + shapes and triangles near
/// it); hulls whose box the segment meets cost their normals times their vertices. Allocates nothing. Any
/// thread, while no thread changes the world.
VN_API bool vn_world_check_path(const vn_world* world, const vn_space* space, const vn_point* points,
                                uint32_t count, double radius, vn_check_result* out);

/// The largest shortfall, in metres, that vn_world_check_path may miss in this world for points of this
/// space: a few rounding errors of the largest coordinate. Exception: for triangles and hull faces longer
/// than 100 times their least height, the error may grow in proportion to that ratio beyond 100, but never
/// exceeds the height.
VN_API double vn_check_error_bound(const vn_world* world, const vn_space* space);

// ---------------------------------------------------------------------------------------------- following
// For agents that follow a path of world positions (vn_query_get_positions, vn_nav_get_positions). Any
// thread.

/// Length of the polyline, metres. O(count).
VN_API double vn_positions_length(const vn_dvec3* positions, uint32_t count);

/// The position so many metres along the polyline, which has at least one; before its beginning (also: NaN)
/// the first, beyond its end the last. O(count).
VN_API vn_dvec3 vn_positions_along(const vn_dvec3* positions, uint32_t count, double metres);

#endif
