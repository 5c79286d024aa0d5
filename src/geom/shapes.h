/// geom/shapes.h: decides how shapes (boxes, oriented boxes, spheres, capsules, cylinders, triangles, convex
/// hulls) lie to axis-aligned boxes: do they overlap, how far apart are they?
///
/// Two notions of overlap: *touches* means that the closed sets share a point; *enters* means that the open
/// box meets the volume's interior. A volume without thickness has no interior and enters nothing. All in the
/// caller's frame, usually voxel units, where boxes are the cubes of voxels.
#ifndef VNI_GEOM_SHAPES_H
#define VNI_GEOM_SHAPES_H

#include "geom/vec.h"

/// Axis-aligned box, closed, min <= max.
typedef struct vni_aabb {
    vni_vec min, max;
} vni_aabb;

/// Oriented box: centre, unit axes, half extents.
typedef struct vni_obb {
    vni_vec center;
    vni_vec axis[3];
    double half[3];
} vni_obb;

/// All points within `radius` of the segment from a to b, which may be a point.
typedef struct vni_capsule {
    vni_vec a, b;
    double radius;
} vni_capsule;

/// Round, with flat caps: centre, unit axis, half the length along it.
typedef struct vni_cylinder {
    vni_vec center, axis;
    double half, radius;
} vni_cylinder;

typedef struct vni_triangle {
    vni_vec a, b, c;
} vni_triangle;

/// Convex polyhedron. `normals` holds each direction of a face once (without parallel and opposite ones), not
/// normalised; supports[2 i] and supports[2 i + 1] are the lowest and the highest vertex along normal i. The
/// arrays belong to the hull's maker.
typedef struct vni_hull {
    const vni_vec* vertices;
    const uint32_t* indices; ///< triangles, counter-clockwise from outside
    const vni_vec* normals;
    const uint32_t* supports;
    uint32_t vertex_count, triangle_count, normal_count;
    bool flat; ///< no thickness: a surface, without interior
    bool skew; ///< some faces, too narrow for a reliable normal, do not face outwards
} vni_hull;

static inline vni_aabb vni_aabb_of_voxel(int32_t x, int32_t y, int32_t z) {
    vni_aabb b = {vni_v(x, y, z), vni_v((double)x + 1, (double)y + 1, (double)z + 1)};
    return b;
}
static inline bool vni_aabb_touches(const vni_aabb* a, const vni_aabb* b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}
vni_aabb vni_triangle_bounds(const vni_triangle* triangle);
vni_aabb vni_obb_bounds(const vni_obb* obb);
vni_aabb vni_capsule_bounds(const vni_capsule* capsule);
vni_aabb vni_cylinder_bounds(const vni_cylinder* cylinder);

/// The rotation of a quaternion as three unit axes, the images of x, y, z. The quaternion may have any length
/// but 0; quarter turns are exact.
void vni_quat_axes(vn_quat q, vni_vec axis[3]);

/// A vector in these axes: turned, if they are those of a rotation.
static inline vni_vec vni_turned(const vni_vec axis[3], vni_vec v) {
    return vni_add_scaled(vni_add_scaled(vni_scale(axis[0], v.x), axis[1], v.y), axis[2], v.z);
}

// ---------------------------------------------------------------------------------- separating axes (sat.c)

/// Closed triangle against closed box, 13 axes. Degenerate triangles count as segments or points. `slack` >=
/// 0 widens the box on each side, so that rounding never misses a contact.
bool vni_triangle_touches_box(const vni_triangle* triangle, const vni_aabb* box, double slack);

/// A triangle prepared for tests against many boxes: its interval on each separating axis. Intervals are
/// relative to a corner of the triangle, so that large coordinates cost no precision.
typedef struct vni_triangle_prep {
    vni_aabb bounds;
    vni_vec corner[3];
    vni_vec edge[3];     ///< from corner i to corner i + 1
    vni_vec edge_abs[3]; ///< its components, absolute
    vni_vec edge_low[3]; ///< the triangle on the axes x, y, z cross edge i, relative to corner i
    vni_vec edge_high[3];
    vni_vec normal; ///< any length; zero for a triangle without area
    vni_vec normal_abs;
    double normal_low, normal_high; ///< the triangle on its normal, relative to corner 0
} vni_triangle_prep;

vni_triangle_prep vni_triangle_prepare(const vni_triangle* triangle);

/// The same result as vni_triangle_touches_box, at about half the cost.
bool vni_triangle_prep_touches_box(const vni_triangle_prep* prep, const vni_aabb* box, double slack);

/// Does the open box meet the interior of the volume? Exact up to rounding; contact alone is false.
bool vni_aabb_enters_box(const vni_aabb* a, const vni_aabb* box);
bool vni_obb_enters_box(const vni_obb* obb, const vni_aabb* box);
bool vni_sphere_enters_box(vni_vec center, double radius, const vni_aabb* box);
bool vni_hull_enters_box(const vni_hull* hull, const vni_aabb* box);

/// Do the closed sets share a point? With `slack` as above.
bool vni_obb_touches_box(const vni_obb* obb, const vni_aabb* box, double slack);
bool vni_hull_touches_box(const vni_hull* hull, const vni_aabb* box, double slack);

// ----------------------------------------------------------------------------------- distances (distance.c)

/// Squared distances to a closed box, 0 if they touch.
double vni_point_box_distance2(vni_vec point, const vni_aabb* box);
double vni_aabb_box_distance2(const vni_aabb* a, const vni_aabb* box);

/// Closed form: the minimum of a convex, piecewise quadratic function along the segment.
double vni_segment_box_distance2(vni_vec a, vni_vec b, const vni_aabb* box);
double vni_triangle_box_distance2(const vni_triangle* triangle, const vni_aabb* box);
double vni_obb_box_distance2(const vni_obb* obb, const vni_aabb* box);
double vni_hull_box_distance2(const vni_hull* hull, const vni_aabb* box);

/// Distance (not squared) of a ball to the box, 0 if they touch.
double vni_sphere_box_distance(vni_vec center, double radius, const vni_aabb* box);

/// Distance (not squared) of a capsule to the box, 0 if they touch; and whether the open box meets its
/// interior. From vni_segment_box_distance2, so in closed form too.
double vni_capsule_box_distance(const vni_capsule* capsule, const vni_aabb* box);
bool vni_capsule_enters_box(const vni_capsule* capsule, const vni_aabb* box);

/// Squared distance of a point to a closed triangle, degenerate ones included.
double vni_point_triangle_distance2(vni_vec point, const vni_triangle* triangle);

/// Clips the segment a + t (b - a) to the closed box: false if it misses, else the range of t within [0, 1].
bool vni_segment_clip_box(vni_vec a, vni_vec b, const vni_aabb* box, double* t_in, double* t_out);

// ------------------------------------------------------------------------------------ cylinders (cylinder.c)

/// Does the open box meet the interior? Do the closed sets share a point, with `slack` as above? Exact up to
/// rounding.
bool vni_cylinder_enters_box(const vni_cylinder* cylinder, const vni_aabb* box);
bool vni_cylinder_touches_box(const vni_cylinder* cylinder, const vni_aabb* box, double slack);

/// Distances (not squared), 0 if they touch. To a box: closed forms, but for the rim of a cap against an edge
/// of the box, which is found by bisection down to rounding.
double vni_point_cylinder_distance(vni_vec point, const vni_cylinder* cylinder);
double vni_cylinder_box_distance(const vni_cylinder* cylinder, const vni_aabb* box);

#endif
