/// classic/waypoints_inside.h: steps of making a waypoint graph. Private to classic/waypoints*.c.
#ifndef VNI_CLASSIC_WAYPOINTS_INSIDE_H
#define VNI_CLASSIC_WAYPOINTS_INSIDE_H

#include "base/bits.h"
#include "classic/waypoints.h"

#define VNI_NO_WAYPOINT UINT32_MAX

/// A state in the making.
typedef struct vni_waypoint_work {
    const vni_waypoints* before; ///< null: the first state
    vni_waypoints* now;
    uint32_t* old_of; ///< by node: the same waypoint before, or VNI_NO_WAYPOINT
    uint32_t* new_of; ///< by node before: the same waypoint now, or VNI_NO_WAYPOINT
    uint64_t*
        dirty; ///< bricks of the space with a changed voxel, or a waypoint that changed; bits, x fastest
    int32_t bricks[3];
} vni_waypoint_work;

/// A waypoint that was there before, at the same place.
static inline bool vni_waypoint_stands(const vni_waypoint_work* work, uint32_t node) {
    const uint32_t old = work->old_of[node];
    return old != VNI_NO_WAYPOINT &&
           vni_is_same_point(work->before->nodes[old].point, work->now->nodes[node].point);
}

/// waypoints.c: counts the nodes of the owners. VN_TOO_LARGE.
vn_status vni_waypoints_count(vni_waypoints* waypoints, vn_detail* detail);

/// waypoints.c: all that comes after the owners of a first state. Frees the state if it fails.
vn_status vni_waypoints_finish(vni_waypoints* waypoints, vn_detail* detail);

/// waypoints_edges.c: finds the edges of all nodes, forwards and backwards; those far from every dirty brick
/// are copied. False if memory runs out.
bool vni_waypoints_join(vni_waypoint_work* work);

/// Is a brick dirty that holds a voxel touched by the box between two lattice points?
bool vni_waypoints_dirty(const vni_waypoint_work* work, vn_point low, vn_point high);

/// Sorts the free nodes into the cells of the space. False if memory runs out.
bool vni_waypoints_sort_cells(vni_waypoints* waypoints);

/// waypoints_delta.c: gives ids to the nodes, and lists what changed by node. False if memory runs out.
bool vni_waypoints_name(vni_waypoint_work* work);
bool vni_waypoints_compare(const vni_waypoint_work* work, vni_waypoint_delta* delta);

#endif
