/// volnav/path.h: the exact path checker: the judge of everything that volnav returns. It shares no code with search or line of sight.
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

typedef struct vn_check_result {
    vn_check_fault fault;
    uint32_t segment;  ///< where it first goes wrong: between point `segment` and the next; a lone point is segment 0
    double at;         ///< 0 to 1 along that segment
    vn_dvec3 position; ///< the same place in world coordinates
    vn_voxel voxel;    ///< the blocked voxel, where there is one
    vn_obstacle_id obstacle; ///< the shape, when a world was checked
    double clearance;  ///< least distance to a shape along the whole path, metres, infinity if there is none; only from vn_check_path_world
} vn_check_result;

/// Is the polyline free for a point agent in this space, under the rules of contact? Exact, in integers: a polyline is free when
/// arbitrarily close to it runs a curve inside the interior of the union of the closed free voxels. Depends neither on direction nor
/// on where a straight line is split. A lone point is free when a free voxel touches it. Returns true for free; `out` may be null.
/// Cost: O(voxels crossed). Allocates nothing.
VN_API bool vn_check_path_space(const vn_space* space, const vn_point* points, uint32_t count, vn_check_result* out);

/// Does every point of the polyline keep at least `radius` metres from every shape of the world? In double; a shortfall of up to
/// vn_check_error_bound() metres goes unnoticed, a larger one never. With radius 0: the path enters no volume and touches no surface.
/// Solid meshes are judged by their triangles: a path that starts outside cannot get in without crossing them.
/// `space` gives the frame of the points only. Returns true for free; `out` may be null. Allocates nothing.
VN_API bool vn_check_path_world(const vn_world* world, const vn_space* space, const vn_point* points, uint32_t count, double radius,
                                vn_check_result* out);

/// The largest shortfall, in metres, that vn_check_path_world may miss in this world: a few roundings of its largest coordinate.
VN_API double vn_check_error_bound(const vn_world* world, const vn_space* space);

#endif
