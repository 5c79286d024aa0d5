/// path/segment.h: how near a segment comes to a shape. The checker has its own geometry, in double: it
/// shares nothing with the distances in geom, so that a bug there cannot hide itself.
///
/// All distances are taken between two points that really lie on the segment and on the shape, so that
/// rounding can make them too large or too small only by the rounding of those points: see
/// vn_check_error_bound.
#ifndef VNI_PATH_SEGMENT_H
#define VNI_PATH_SEGMENT_H

#include "geom/vec.h"
#include "world/world.h"

/// The closed segment from + t along, t in [0, 1]; a point if `along` is zero.
typedef struct vni_segment {
    vni_vec from, along;
    vni_vec min, max; ///< its box
    double length2;
} vni_segment;

/// The least distance and the first place on the segment (0 to 1) that has it.
typedef struct vni_nearest {
    double distance, at;
} vni_nearest;

vni_segment vni_segment_make(vni_vec a, vni_vec b);
vni_vec vni_segment_point(const vni_segment* segment, double at);

/// The nearer of two; the earlier if they are equally near.
vni_nearest vni_nearer(vni_nearest a, vni_nearest b);

/// Distance to a closed box, 0 if they meet: the least of a convex, piecewise quadratic function, exactly,
/// piece by piece.
vni_nearest vni_segment_box(const vni_segment* segment, vni_vec min, vni_vec max);

/// A lower bound of the distance to a closed box: exact if it is within `limit`, else anything above `limit`
/// and not above the distance.
double vni_segment_box_at_least(const vni_segment* segment, vni_vec min, vni_vec max, double limit);

/// The segment meets the closed box; `at` is the first place where. An inverted box (min > max) is never
/// met.
bool vni_segment_meets_box(const vni_segment* segment, vni_vec min, vni_vec max, double* at);

/// Distance to the closed ball, 0 if they meet.
vni_nearest vni_segment_ball(const vni_segment* segment, vni_vec center, double radius);

/// Distance to the closed triangle; one without area is the segment or point that it is.
vni_nearest vni_segment_triangle(const vni_segment* segment, vni_vec a, vni_vec b, vni_vec c);

/// Distance to the closed segment from p along e, which may be a point.
vni_nearest vni_segment_edge(const vni_segment* segment, vni_vec p, vni_vec e);

/// Distance to the closed capsule, 0 if they meet; `radius` is used in place of its own.
vni_nearest vni_segment_capsule(const vni_segment* segment, const vni_capsule* capsule, double radius);

/// Distance to the closed cylinder, 0 if they meet.
vni_nearest vni_segment_cylinder(const vni_segment* segment, const vni_cylinder* cylinder);

/// The segment meets the closed cylinder, its radius and half length grown by `grow`; `at` is the first place
/// where. One that shrinks below zero is never met.
bool vni_segment_meets_cylinder(const vni_segment* segment, const vni_cylinder* cylinder, double grow,
                                double* at);

/// Distance to a set of voxels, if it is within `limit`; else infinity.
vni_nearest vni_segment_voxels(const vni_segment* segment, const vni_voxels* voxels, double limit);

/// The segment enters the union of the voxels by more than about `depth`. Where four, or eight, blocked
/// voxels meet, the edge or corner between them is inside too. A depth beyond 2 `depth` is never missed, one
/// below `depth` never reported.
bool vni_segment_enters_voxels(const vni_segment* segment, const vni_voxels* voxels, double depth,
                               double* at);

/// Distance to an obstacle, if it is within `limit`; else some distance above `limit`, perhaps infinity.
vni_nearest vni_segment_obstacle(const vni_segment* segment, const vni_obstacle* obstacle, double limit);

/// The segment enters a volume deeper than `depth`, or comes within `depth` of a surface; `at` is the first
/// place where.
bool vni_segment_enters(const vni_segment* segment, const vni_obstacle* obstacle, double depth, double* at);

#endif
