/// voxelise/stamp_polytope.c: makes the half-spaces that contain the centres of all cubes that meet a
/// polytope.
///
/// Those centres are the Minkowski sum of the polytope P and a cube. A cube misses P exactly if a plane
/// separates them that is parallel to a face of P, to a face of the cube, or to an edge of each (the
/// separating axes of geom/sat.c). Planes of the last kind run along an axis of the grid and touch the
/// outline of P's projection along that axis. So the sum is bounded by P's face planes and by the outlines of
/// the three projections, each moved out by the cube's reach along its normal.
#include "voxelise/stamp_rows.h"

#include <math.h>

/// Components below this are not divided by: over all voxels they contribute less than the margin.
#define LEAST_SLOPE 1e-14

/// Rounding error of an axis that is a cross product, relative to the largest coordinate, before it is
/// normalised.
#define CROSS_ROUNDING 1e-14

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double inverse_of(double slope) {
    return vni_abs(slope) > LEAST_SLOPE ? 1 / slope : 0;
}

/// The polytope lies between low and high along the unit vector `a`.
static void add_slab(vni_rows* rows, vni_vec a, double low, double high) {
    VNI_ASSERT(rows->slab_count < VNI_ROWS_SLABS && low <= high);
    VNI_ASSERT(vni_abs(vni_length2(a) - 1) < 1e-6);
    double reach = 0.5 * (vni_abs(a.x) + vni_abs(a.y) + vni_abs(a.z));
    vni_row_slab slab = {.ax = a.x, .ay = a.y, .az = a.z, .inverse = inverse_of(a.x)};
    // Symmetric about the middle, so that one absolute value tests both faces.
    slab.mid = 0.5 * (low + high);
    slab.half = 0.5 * (high - low) + reach;
    rows->slabs[rows->slab_count++] = slab;
}

/// The projection along an axis lies below `bound` along the unit vector (u, v). `rounding` is added to the
/// margin.
static void add_line(vni_rows* rows, int axis, double u, double v, double bound, double rounding) {
    VNI_ASSERT(rows->line_count[axis] < VNI_ROWS_LINES);
    double margin = rows->margin + rounding;
    vni_row_line line = {.u = u, .v = v, .inverse = inverse_of(u)};
    line.bound = bound + 0.5 * (vni_abs(u) + vni_abs(v));
    line.outer = line.bound + rows->radius + margin;
    line.inner = line.bound - margin;
    rows->lines[axis][rows->line_count[axis]++] = line;
}

/// The bounds as lines: x in the projection along z, y and z in that along x.
static void add_bounds(vni_rows* rows) {
    const vni_aabb* b = &rows->stamp->bounds;
    add_line(rows, 2, 1, 0, b->max.x, 0);
    add_line(rows, 2, -1, 0, -b->min.x, 0);
    add_line(rows, 0, 1, 0, b->max.y, 0);
    add_line(rows, 0, -1, 0, -b->min.y, 0);
    add_line(rows, 0, 0, 1, b->max.z, 0);
    add_line(rows, 0, 0, -1, -b->min.z, 0);
}

// ------------------------------------------------------------------------------------------- oriented boxes

/// Edges of the projection are parallel to projected axes of the box: their normals are orthogonal to an axis
/// of the box and to `along`.
static void add_oriented_projection(vni_rows* rows, const vni_obb* obb, int along, double largest) {
    const int p = vni_other_axes[along][0], q = vni_other_axes[along][1];
    const double center[3] = {obb->center.x, obb->center.y, obb->center.z};
    double axis[3][3];
    for (int i = 0; i < 3; ++i) {
        axis[i][0] = obb->axis[i].x;
        axis[i][1] = obb->axis[i].y;
        axis[i][2] = obb->axis[i].z;
    }

    for (int i = 0; i < 3; ++i) {
        double length = sqrt(axis[i][p] * axis[i][p] + axis[i][q] * axis[i][q]);
        if (!(length > 0))
            continue;

        // (u, v) is the projected axis turned by a quarter; the box's extent along it comes from the other
        // two axes.
        double u = axis[i][q] / length, v = -axis[i][p] / length, half = 0;
        for (int k = 0; k < 3; ++k)
            half += k == i ? 0 : obb->half[k] * vni_abs(u * axis[k][p] + v * axis[k][q]);

        double mid = u * center[p] + v * center[q], rounding = CROSS_ROUNDING * largest / length;
        add_line(rows, along, u, v, mid + half, rounding);
        add_line(rows, along, -u, -v, half - mid, rounding);
    }
}

static bool prepare_oriented(vni_rows* rows, const vni_obb* obb) {
    const vni_aabb* b = &rows->stamp->bounds;
    vni_vec corner = vni_max(vni_abs_each(b->min), vni_abs_each(b->max));
    double largest = larger(1, larger(corner.x, larger(corner.y, corner.z)));
    for (int i = 0; i < 3; ++i) {
        double mid = vni_dot(obb->axis[i], obb->center);
        add_slab(rows, obb->axis[i], mid - obb->half[i], mid + obb->half[i]);
    }

    add_bounds(rows);
    for (int along = 0; along < 3; ++along)
        add_oriented_projection(rows, obb, along, largest);

    return true;
}

// ----------------------------------------------------------------------------------------------------- hulls

typedef struct spot {
    double p, q;
} spot;

static bool spot_before(spot a, spot b) {
    return a.p < b.p || (a.p == b.p && a.q < b.q);
}

/// Insertion sort: there are at most VNI_ROWS_LIMIT.
static void sort_spots(spot* spots, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        spot moved = spots[i];
        uint32_t at = i;
        for (; at > 0 && spot_before(moved, spots[at - 1]); --at)
            spots[at] = spots[at - 1];
        spots[at] = moved;
    }
}

/// > 0 if a, b, c turn left.
static double turn_of(spot a, spot b, spot c) {
    return (b.p - a.p) * (c.q - a.q) - (b.q - a.q) * (c.p - a.p);
}

/// One half of the convex outline of sorted spots (the monotone chain of Andrew 1979): appends it to `out`,
/// which holds `from` spots of the other half; returns the new count.
static uint32_t outline_half(const spot* spots, uint32_t count, bool back, spot* out, uint32_t from) {
    uint32_t kept = from;
    for (uint32_t i = 0; i < count; ++i) {
        spot next = spots[back ? count - 1 - i : i];
        while (kept >= from + 2 && turn_of(out[kept - 2], out[kept - 1], next) <= 0)
            --kept;
        out[kept++] = next;
    }

    return kept;
}

/// Adds the edges of the outline of the hull's projection, counter-clockwise.
static void add_hull_projection(vni_rows* rows, const vni_hull* hull, int along) {
    spot spots[VNI_ROWS_LIMIT], outline[2 * VNI_ROWS_LIMIT];
    uint32_t count = hull->vertex_count;
    VNI_ASSERT(count > 0 && count <= VNI_ROWS_LIMIT);

    for (uint32_t i = 0; i < count; ++i) {
        vni_vec v = hull->vertices[i];
        spots[i] = (spot){along == 0 ? v.y : v.x, along == 2 ? v.y : v.z};
    }

    // Lower half from left to right, then upper half back; the last spot of one is the first of the other.
    sort_spots(spots, count);
    uint32_t corners = outline_half(spots, count, false, outline, 0);
    corners = outline_half(spots, count, true, outline, corners - 1);
    for (uint32_t i = 0; i + 1 < corners; ++i) {
        double along_p = outline[i + 1].p - outline[i].p, along_q = outline[i + 1].q - outline[i].q;
        double length = sqrt(along_p * along_p + along_q * along_q);
        if (!(length > 0))
            continue;

        double u = along_q / length, v = -along_p / length;
        double bound =
            larger(u * outline[i].p + v * outline[i].q, u * outline[i + 1].p + v * outline[i + 1].q);
        add_line(rows, along, u, v, bound, 0);
    }
}

/// Adds the slabs of the hull's faces; returns the least distance from the vertices' mean to a face.
static double add_hull_slabs(vni_rows* rows, const vni_hull* hull) {
    vni_vec mean = vni_v(0, 0, 0);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        mean = vni_add_scaled(mean, hull->vertices[i], 1.0 / hull->vertex_count);

    double inner = HUGE_VAL;
    for (uint32_t i = 0; i < hull->normal_count; ++i) {
        double length = vni_length(hull->normals[i]);
        if (!(length > 0))
            return 0;

        vni_vec a = vni_scale(hull->normals[i], 1 / length);
        double low = vni_dot(a, hull->vertices[hull->supports[2 * (size_t)i]]);
        double high = vni_dot(a, hull->vertices[hull->supports[2 * (size_t)i + 1]]);
        if (!(low <= high))
            return 0;

        double mid = vni_dot(a, mean);
        inner = smaller(inner, smaller(mid - low, high - mid));
        add_slab(rows, a, low, high);
    }

    return inner;
}

/// The exact test of a hull uses its triangles, and whether a centre lies between all face planes. A hull may
/// be convex only nearly, up to its bulge b: no vertex lies farther above a face's plane. Let s be the radius
/// of a ball inside, d the diameter. Then the triangles lie within b of the surface of the vertices' convex
/// hull; the points between all planes lie within 2 b d / s of it; and if a cube reaches into that hull by
/// more than 4 b d / s, a triangle passes through the cube, or its centre is between all planes. The margin
/// covers twice that.
static bool prepare_hull(vni_rows* rows, const vni_hull* hull) {
    if (hull->flat || hull->vertex_count > VNI_ROWS_LIMIT || hull->normal_count > VNI_ROWS_SLABS)
        return false;
    const vni_aabb* b = &rows->stamp->bounds;
    double across = vni_length(vni_sub(b->max, b->min)), inner = 0.5 * add_hull_slabs(rows, hull);
    if (!(inner > 0))
        return false;

    // Nearly convex hulls widen the margin; beyond its limit, or that of the hull's own thickness, rows do
    // not apply.
    rows->margin += 8 * rows->stamp->bulge * across / inner;
    if (!(rows->margin < smaller(VNI_ROWS_MARGIN, inner)))
        return false;

    add_bounds(rows);
    for (int along = 0; along < 3; ++along)
        add_hull_projection(rows, hull, along);

    return true;
}

/// Collects all slabs and lines as half-spaces of the centre.
static void gather_halfspaces(vni_rows* rows) {
    vni_halfspace* to = rows->halfspaces;
    for (uint32_t i = 0; i < rows->slab_count; ++i) {
        const vni_row_slab* s = &rows->slabs[i];
        *to++ = (vni_halfspace){vni_v(s->ax, s->ay, s->az), s->mid + s->half};
        *to++ = (vni_halfspace){vni_v(-s->ax, -s->ay, -s->az), s->half - s->mid};
    }

    for (int along = 0; along < 3; ++along)
        for (uint32_t i = 0; i < rows->line_count[along]; ++i) {
            const vni_row_line* l = &rows->lines[along][i];
            double a[3] = {0, 0, 0};
            a[vni_other_axes[along][0]] = l->u;
            a[vni_other_axes[along][1]] = l->v;
            *to++ = (vni_halfspace){vni_v(a[0], a[1], a[2]), l->bound};
        }

    rows->halfspace_count = (uint32_t)(to - rows->halfspaces);
    VNI_ASSERT(rows->halfspace_count <= VNI_HALFSPACES);

    // The intersection contains a ball of radius 1/2, that of a cube. So a point that violates each
    // half-space by at most the tolerance is no farther away than the tolerance times twice the
    // intersection's size.
    vni_vec size = vni_sub(rows->stamp->bounds.max, rows->stamp->bounds.min);
    rows->tolerance = rows->margin / (8 * (vni_length(size) + 2));
}

bool vni_rows_of_polytope(vni_rows* rows) {
    VNI_ASSERT(rows->polytope && rows->slab_count == 0);

    bool has = rows->stamp->kind == VN_SHAPE_HULL ? prepare_hull(rows, &rows->stamp->as.hull)
                                                  : prepare_oriented(rows, &rows->stamp->as.oriented);
    if (!has)
        return false;

    for (uint32_t i = 0; i < rows->slab_count; ++i) {
        rows->slabs[i].outer = rows->slabs[i].half + rows->radius + rows->margin;
        rows->slabs[i].inner = rows->slabs[i].half - rows->margin;
    }

    if (rows->radius > 0)
        gather_halfspaces(rows);

    return true;
}
