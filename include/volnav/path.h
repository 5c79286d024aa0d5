/// volnav/path.h: the exact path checker: the judge of everything that volnav returns. It shares no code with
/// search or line of sight.
///
/// The rules of contact, with drawings: docs/contact.md.
#ifndef VOLNAV_PATH_H
#define VOLNAV_PATH_H

#include "volnav/space.h"

typedef enum vn_check_fault {
    VN_CHECK_FREE = 0,     ///< the path is free
    VN_CHECK_EMPTY = 1,    ///< no points
    VN_CHECK_OUTSIDE = 2,  ///< leaves the space
    VN_CHECK_BLOCKED = 3,  ///< enters a blocked voxel, or a shape
    VN_CHECK_SQUEEZED = 4, ///< slips between blocked voxels that meet at an edge or a corner
    VN_CHECK_TOO_CLOSE = 5 ///< comes closer to a shape than the radius
} vn_check_fault;

/// One word for people and JSON; never null.
VN_API const char* vn_check_fault_word(vn_check_fault fault);

/// Everything below `fault` is zero where it does not apply.
typedef struct vn_check_result {
    vn_check_fault fault;
    uint32_t segment; ///< where it first goes wrong: between point `segment` and the next; a lone point is
                      ///< segment 0
    /// 0 to 1 along that segment. In a space: the last point that is still right. In a world: the first point
    /// that is inside a shape, else (too close) the one that is nearest to it.
    double at;
    vn_dvec3 position; ///< the same place in world coordinates
    vn_voxel voxel;    ///< in a space: a blocked voxel at that place; the voxel beyond the bounds if the path
                       ///< leaves them
    vn_obstacle_id obstacle; ///< in a world: the shape that the segment comes closest to
    double clearance; ///< in a world: least distance to a shape along the whole path, metres, infinity if
                      ///< there is none; in a space infinity
} vn_check_result;

/// Is the polyline free for a point agent in this space, under the rules of contact? Exact, in integers: a
/// polyline is free when arbitrarily close to it runs a curve inside the interior of the union of the closed
/// free voxels. Depends neither on direction nor on where a straight line is split. A lone point is free when
/// a free voxel touches it. Any points are allowed, also far outside. Returns true for free; `out` may be
/// null. Cost: O(voxels crossed). Allocates nothing. Any thread.
VN_API bool vn_space_check_path(const vn_space* space, const vn_point* points, uint32_t count,
                                vn_check_result* out);

/// Does every point of the polyline keep at least `radius` (>= 0, finite) metres from every shape of the
/// world? In double; a shortfall of up to vn_check_error_bound() metres goes unnoticed, a larger one never
/// (but see there).
///
/// Radius 0, which is part of every other radius: the path enters no volume deeper than the bound, and keeps
/// more than the bound from every surface, so that it can cross and touch none. The bound stays below the
/// 1e-9 voxel that free voxels keep from surfaces as long as no coordinate exceeds 10^5 voxels; beyond that,
/// a path along the skin of such a voxel may be refused. Each shape is judged by itself: where two of them
/// share a face, the way between them touches both and enters neither. Voxels of one set have no such seams.
/// Solid meshes are judged by their triangles: a path that starts outside cannot get in without crossing
/// them.
///
/// A space whose origin lies more than 1e60 metres from the world's counts as that far away.
///
/// `space` gives the frame of the points, and says which obstacles do not count: those with one of its open
/// flags, and unseen space if that is free. Returns true for free; `out` may be null: then the search
/// stops at the first fault and clearance is not computed, which is quicker. Cost: for each segment O(log n +
/// shapes and triangles near it); hulls cost their normals times their vertices when the segment meets their
/// box. Allocates nothing. Any thread, while nobody changes the world.
VN_API bool vn_world_check_path(const vn_world* world, const vn_space* space, const vn_point* points,
                                uint32_t count, double radius, vn_check_result* out);

/// The largest shortfall, in metres, that vn_world_check_path may miss in this world for points of this
/// space: a few roundings of the largest coordinate. For needle-like triangles and hull faces, longer than
/// 100 times their least height, it may grow in proportion to that ratio beyond 100, but never above that
/// height.
VN_API double vn_check_error_bound(const vn_world* world, const vn_space* space);

#endif
