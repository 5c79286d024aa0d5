/// voxelise/stamp_rows.h: stamps convex shapes by rows of voxels, from closed forms.
///
/// In a row, the voxels that a convex shape blocks are contiguous, and both ends follow in closed form: from
/// the gap to a box or a ball, or from the half-spaces that contain the centres of all cubes that meet a
/// polytope (its faces, and the outlines of its projections along the three axes). At a radius > 0 the
/// half-spaces, moved out by it, contain all blocked centres and some more; those are decided by the distance
/// to the intersection of the half-spaces. All of this is subject to rounding, so it is used with a margin
/// far above that: voxels within the margin are left to the exact test, and each voxel gets the result of the
/// exact test for it alone.
#ifndef VNI_VOXELISE_STAMP_ROWS_H
#define VNI_VOXELISE_STAMP_ROWS_H

#include "voxelise/halfspaces.h"
#include "voxelise/stamp.h"

/// Most vertices of a polytope, and directions of its faces; larger ones are stamped by bricks.
#define VNI_ROWS_LIMIT 64
#define VNI_ROWS_SLABS (2 * VNI_ROWS_LIMIT)

/// Lines around a projection: its outline and its bounds.
#define VNI_ROWS_LINES (VNI_ROWS_LIMIT + 8)

/// Largest margin in voxels: above it, rows do not pay.
#define VNI_ROWS_MARGIN 0.05

/// Voxels along an axis that are stamped at once.
#define VNI_ROWS_SPAN 24

/// |a . c - mid| <= half, c the centre of a voxel, |a| = 1.
typedef struct vni_row_slab {
    double ax, ay, az, inverse; ///< 1 / ax; 0 where ax is too small to divide by
    double mid, half;
    double outer, inner; ///< half + radius + margin; half - margin
} vni_row_slab;

/// u p + v q <= bound for two coordinates p, q of the centre; |(u, v)| = 1.
typedef struct vni_row_line {
    double u, v, inverse; ///< 1 / u or 0, as above
    double bound, outer, inner;
} vni_row_line;

typedef struct vni_rows {
    const vni_stamp* stamp;
    double radius, margin;
    bool polytope;
    vni_aabb core; ///< if not a polytope: blocked are the voxels within `reach` of this box
    double reach;
    uint32_t slab_count, line_count[3];
    vni_row_slab slabs[VNI_ROWS_SLABS];
    vni_row_line lines[3][VNI_ROWS_LINES]; ///< of the projection along each axis; p, q: the other two
    uint32_t halfspace_count;              ///< slabs and lines again, if radius > 0
    double tolerance;                      ///< for vni_halfspaces_nearest
    vni_halfspace halfspaces[VNI_HALFSPACES];
} vni_rows;

/// Prepares a shape; `radius` in voxels. False if there is no closed form: triangles, axis-aligned boxes at
/// radius 0 (which are simpler), flat hulls, and hulls that are too large or too thin.
bool vni_rows_prepare(const vni_stamp* stamp, double radius, vni_rows* out);

/// stamp_polytope.c: makes the slabs, lines and half-spaces of an oriented box or a hull.
bool vni_rows_of_polytope(vni_rows* rows);

/// Sets the voxels [low, high] of the window that the shape blocks; at most VNI_ROWS_SPAN along y and z.
void vni_rows_stamp(const vni_rows* rows, const int32_t low[3], const int32_t high[3],
                    const vni_window* window);

#endif
