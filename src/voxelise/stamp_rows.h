/// voxelise/stamp_rows.h: the voxels that a convex shape blocks, row by row.
///
/// Along a row of voxels those that a convex shape blocks are neighbours, and where they begin and end
/// follows in closed form: from the gap to a box or a ball, or from the half-spaces that hold every cube that
/// meets a polytope (the polytope's faces, and the outlines of its three shadows on the planes between the
/// axes). At a radius the half-spaces moved out by it hold all that is blocked and some more; what is left
/// open is decided by the distance to what the half-spaces have in common. All of this errs by rounding, so
/// it is used with a margin far above that: voxels within it are left to the exact test, and every voxel gets
/// the answer that the exact test gives for it alone.
#ifndef VNI_VOXELISE_STAMP_ROWS_H
#define VNI_VOXELISE_STAMP_ROWS_H

#include "voxelise/halfspaces.h"
#include "voxelise/stamp.h"

/// Polytopes with more vertices, or more directions of faces, have no rows.
#define VNI_ROWS_LIMIT 64
#define VNI_ROWS_SLABS (2 * VNI_ROWS_LIMIT)

/// Lines around a shadow: its outline and its bounds.
#define VNI_ROWS_LINES (VNI_ROWS_LIMIT + 8)

/// Where the margin would be wider than this, voxels, rows do not pay.
#define VNI_ROWS_MARGIN 0.05

/// Voxels along an axis that are stamped at once.
#define VNI_ROWS_SPAN 24

/// |a . c - mid| <= half, c the centre of a voxel, |a| = 1.
typedef struct vni_row_slab {
    double ax, ay, az, inverse; ///< 1 / ax; 0 where ax is too small to divide by
    double mid, half;
    double outer, inner; ///< half with the radius and the margin, and without the margin
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
    vni_aabb core; ///< no polytope: the voxels are those within `reach` of this box
    double reach;
    uint32_t slab_count, line_count[3];
    vni_row_slab slabs[VNI_ROWS_SLABS];
    vni_row_line lines[3][VNI_ROWS_LINES]; ///< of the shadow along each axis; p, q: the other two
    uint32_t halfspace_count;              ///< the same again, at a radius
    double tolerance;                      ///< for vni_halfspaces_nearest
    vni_halfspace halfspaces[VNI_HALFSPACES];
} vni_rows;

/// Makes a shape ready; `radius` in voxels. False if there is no closed form for it: triangles, axis-aligned
/// boxes at radius 0 (which are simpler), flat hulls, and hulls that are too large or too thin.
bool vni_rows_prepare(const vni_stamp* stamp, double radius, vni_rows* out);

/// stamp_polytope.c: the slabs, lines and half-spaces of an oriented box or a hull.
bool vni_rows_of_polytope(vni_rows* rows);

/// Sets the voxels [low, high] of the window that the shape blocks; at most VNI_ROWS_SPAN along y and z.
void vni_rows_stamp(const vni_rows* rows, const int32_t low[3], const int32_t high[3],
                    const vni_window* window);

#endif
