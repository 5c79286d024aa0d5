/// classic/waypoint_plan.h: where the waypoints of one obstacle are, in its own frame, and which of them are
/// neighbours (Krafft 2019, 4.2.2).
///
/// A waypoint stands off each corner of the obstacle, in the direction of the normalised sum of the normals
/// of the faces that meet there. Where two neighbouring corners' waypoints are farther apart than the
/// spacing, more are placed evenly between them. Direct neighbours: the next ones along an edge; and of one
/// between corners also the nearest one on the other edges that meet at its nearer corner, across a face.
///
///          o---.---.---o        o: off a corner     .: between
///          |  /     \  |        +: the obstacle
///          . +-------+ .
///          | |       | |
///
/// Boxes, hulls and meshes have corners where faces meet at an angle; of a flat face that is cut into
/// triangles only the rim counts. Round shapes get the corners of their box. Voxel sets have none.
#ifndef VNI_CLASSIC_WAYPOINT_PLAN_H
#define VNI_CLASSIC_WAYPOINT_PLAN_H

#include "classic/numbers.h"
#include "geom/vec.h"
#include "volnav/world.h"

/// Most waypoints of an obstacle.
#define VNI_WAYPOINTS_EACH 4096u

/// The point (1 - t) a + t b between the waypoints of two corners; at a corner a = b.
typedef struct vni_waypoint_place {
    uint32_t a, b;
    double t;
} vni_waypoint_place;

/// Immutable once made. Obstacles that do not change share it from version to version.
typedef struct vni_waypoint_plan {
    vn_allocator allocator;
    uint32_t references; ///< of the updating thread only
    double offset;       ///< of the corners' waypoints, metres
    float scale;         ///< of the transform that it was made for
    vni_vec* at;         ///< by corner, in the frame of the shape
    vni_vec* out;        ///< by corner: unit direction of the offset
    uint32_t corner_count;
    vni_waypoint_place* places; ///< corners first, then edge by edge
    uint32_t* first;            ///< by place, plus one: its direct neighbours
    uint32_t* direct;           ///< places
    uint32_t count, direct_count;
} vni_waypoint_plan;

/// `offset` and `spacing` (> 0) in metres. VN_OUT_OF_MEMORY; VN_TOO_LARGE: more than VNI_WAYPOINTS_EACH.
/// O(triangles log triangles + places * places of neighbouring edges).
vn_status vni_waypoint_plan_make(const vn_allocator* allocator, const vn_shape* shape, float scale,
                                 double offset, double spacing, vni_waypoint_plan** out, vn_detail* detail);

/// A plan as bytes (docs/files.md), and from them. VN_BAD_FORMAT: numbers that no plan has; VN_OUT_OF_MEMORY.
void vni_waypoint_plan_write(const vni_waypoint_plan* plan, vni_number_writer* w);
vn_status vni_waypoint_plan_read(const vn_allocator* allocator, float scale, double offset,
                                 vni_number_reader* in, vni_waypoint_plan** out, vn_detail* detail);

static inline vni_waypoint_plan* vni_waypoint_plan_retain(vni_waypoint_plan* plan) {
    ++plan->references;
    return plan;
}

/// Null is allowed.
void vni_waypoint_plan_release(vni_waypoint_plan* plan);

/// Where the waypoints are under a transform with the plan's scale: local metres, `count` of them.
void vni_waypoint_positions(const vni_waypoint_plan* plan, const vn_transform* transform, vni_vec* out);

#endif
