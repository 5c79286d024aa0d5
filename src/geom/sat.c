/// geom/sat.c: overlap with axis-aligned boxes by separating axes.
///
/// Oriented boxes: the 15 axes of Gottschalk, Lin and Manocha 1996. Triangles: the 13 axes of Akenine-Moeller
/// 2001 (3 of the box, the normal, 9 cross products of edges).
///
/// Any direction is a valid axis, provided that both shapes are projected onto it with an error that is small
/// relative to the axis' length. So axes are never normalised, every projection uses the axis as computed
/// (not its ideal value), and short axes, which come from nearly parallel edges, do no harm. An axis of
/// length zero separates neither closed nor open sets.
#include "base/assert.h"
#include "geom/shapes.h"

/// Below this reach an axis has underflowed: it must not separate open sets, whose test includes equality.
#define LEAST_AXIS 1e-200

/// A box as centre and half extents.
typedef struct middle_box {
    vni_vec center, half;
} middle_box;

static bool is_box(const vni_aabb* box) {
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

static bool is_thick(const vni_aabb* box) {
    return box->min.x < box->max.x && box->min.y < box->max.y && box->min.z < box->max.z;
}

static middle_box middle_of(const vni_aabb* box, double slack) {
    const middle_box middle = {
        vni_scale(vni_add(box->min, box->max), 0.5),
        vni_add(vni_scale(vni_sub(box->max, box->min), 0.5), vni_v(slack, slack, slack)),
    };
    return middle;
}

static bool bounds_touch(const vni_aabb* bounds, const vni_aabb* box, double slack) {
    return bounds->max.x >= box->min.x - slack && bounds->min.x <= box->max.x + slack &&
           bounds->max.y >= box->min.y - slack && bounds->min.y <= box->max.y + slack &&
           bounds->max.z >= box->min.z - slack && bounds->min.z <= box->max.z + slack;
}

/// Projected half extent ("reach") of a box on the three axes x, y, z cross `edge`. x cross e = (0, -ez, ey):
/// only the magnitudes of the edge's components count.
static inline vni_vec cross_reach(vni_vec edge_abs, vni_vec half) {
    return vni_v(edge_abs.z * half.y + edge_abs.y * half.z, edge_abs.z * half.x + edge_abs.x * half.z,
                 edge_abs.y * half.x + edge_abs.x * half.y);
}

// -------------------------------------------------------------------------------------------- triangles

vni_triangle_prep vni_triangle_prepare(const vni_triangle* triangle) {
    VNI_ASSERT(vni_v_is_finite(triangle->a) && vni_v_is_finite(triangle->b) && vni_v_is_finite(triangle->c));

    vni_triangle_prep prep;
    prep.bounds = vni_triangle_bounds(triangle);
    prep.corner[0] = triangle->a;
    prep.corner[1] = triangle->b;
    prep.corner[2] = triangle->c;

    // The component x of `edge cross p` is, but for the sign, the projection of p onto x cross edge; the same
    // for y and z: one cross product gives three axes. Both ends of the edge itself project to 0, so the
    // triangle's interval is spanned by 0 and the opposite corner.
    const vni_vec zero = vni_v(0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        const vni_vec edge = vni_sub(prep.corner[(i + 1) % 3], prep.corner[i]);
        const vni_vec opposite = vni_cross(edge, vni_sub(prep.corner[(i + 2) % 3], prep.corner[i]));
        prep.edge[i] = edge;
        prep.edge_abs[i] = vni_abs_each(edge);
        prep.edge_low[i] = vni_min(zero, opposite);
        prep.edge_high[i] = vni_max(zero, opposite);
    }

    const vni_vec to_c = vni_sub(triangle->c, triangle->a);
    prep.normal = vni_cross(prep.edge[0], to_c);
    prep.normal_abs = vni_abs_each(prep.normal);

    // Both are 0 up to rounding. But a sliver's normal may consist of rounding only: project with the one we
    // have.
    const double at_b = vni_dot(prep.normal, prep.edge[0]), at_c = vni_dot(prep.normal, to_c);
    const double low = at_b < at_c ? at_b : at_c, high = at_b < at_c ? at_c : at_b;
    prep.normal_low = low < 0 ? low : 0;
    prep.normal_high = high > 0 ? high : 0;

    return prep;
}

/// Is the box's interval, `at` +- `reach`, disjoint from [low, high]? That of an `open` box also if they
/// share only an end.
static inline bool misses(double at, double reach, double low, double high, bool open) {
    if (open)
        return reach > LEAST_AXIS && (at - reach >= high || at + reach <= low);
    return at - reach > high || at + reach < low;
}

static inline bool apart_on_normal(const vni_triangle_prep* prep, const middle_box* box, bool open) {
    const double at = vni_dot(prep->normal, vni_sub(box->center, prep->corner[0]));
    const double reach = vni_dot(prep->normal_abs, box->half);
    return misses(at, reach, prep->normal_low, prep->normal_high, open);
}

static inline bool apart_on_edge(const vni_triangle_prep* prep, int i, const middle_box* box, bool open) {
    const vni_vec at = vni_cross(prep->edge[i], vni_sub(box->center, prep->corner[i]));
    const vni_vec reach = cross_reach(prep->edge_abs[i], box->half);
    const vni_vec low = prep->edge_low[i], high = prep->edge_high[i];
    return misses(at.x, reach.x, low.x, high.x, open) || misses(at.y, reach.y, low.y, high.y, open) ||
           misses(at.z, reach.z, low.z, high.z, open);
}

/// Tests the ten axes other than x, y and z: for those the caller has compared bounds.
static inline bool triangle_apart(const vni_triangle_prep* prep, const middle_box* box, bool open) {
    return apart_on_normal(prep, box, open) || apart_on_edge(prep, 0, box, open) ||
           apart_on_edge(prep, 1, box, open) || apart_on_edge(prep, 2, box, open);
}

bool vni_triangle_prep_touches_box(const vni_triangle_prep* prep, const vni_aabb* box, double slack) {
    VNI_ASSERT(is_box(box) && slack >= 0);
    if (!bounds_touch(&prep->bounds, box, slack))
        return false;
    const middle_box middle = middle_of(box, slack);
    return !triangle_apart(prep, &middle, false);
}

bool vni_triangle_touches_box(const vni_triangle* triangle, const vni_aabb* box, double slack) {
    VNI_ASSERT(is_box(box) && slack >= 0);
    const vni_aabb bounds = vni_triangle_bounds(triangle);
    if (!bounds_touch(&bounds, box, slack))
        return false;
    const vni_triangle_prep prep = vni_triangle_prepare(triangle);
    return vni_triangle_prep_touches_box(&prep, box, slack);
}

// ------------------------------------------------------------------------------------- boxes and spheres

static bool bounds_enter(const vni_aabb* a, const vni_aabb* box) {
    return a->min.x < box->max.x && box->min.x < a->max.x && a->min.y < box->max.y && box->min.y < a->max.y &&
           a->min.z < box->max.z && box->min.z < a->max.z;
}

bool vni_aabb_enters_box(const vni_aabb* a, const vni_aabb* box) {
    VNI_ASSERT(is_box(a) && is_box(box));
    return is_thick(a) && is_thick(box) && bounds_enter(a, box);
}

bool vni_sphere_enters_box(vni_vec center, double radius, const vni_aabb* box) {
    VNI_ASSERT(radius >= 0);
    return is_thick(box) && vni_point_box_distance2(center, box) < radius * radius;
}

/// Are two intervals disjoint, the box's and one of half length `reach`, with centres `at` apart?
static inline bool apart(double at, double box_reach, double reach, bool open) {
    return misses(at, box_reach, -reach, reach, open);
}

static bool obb_apart_on_crosses(const vni_obb* obb, const middle_box* box, vni_vec offset, bool open) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const vni_vec at = vni_cross(obb->axis[i], offset);
        const vni_vec box_reach = cross_reach(vni_abs_each(obb->axis[i]), box->half);
        const vni_vec by_j = vni_abs_each(vni_cross(obb->axis[i], obb->axis[j]));
        const vni_vec by_k = vni_abs_each(vni_cross(obb->axis[i], obb->axis[k]));
        const vni_vec reach = vni_add(vni_scale(by_j, obb->half[j]), vni_scale(by_k, obb->half[k]));

        if (apart(at.x, box_reach.x, reach.x, open) || apart(at.y, box_reach.y, reach.y, open) ||
            apart(at.z, box_reach.z, reach.z, open))
            return true;
    }

    return false;
}

/// Tests the axes of the oriented box and their cross products with x, y and z. The caller has compared
/// bounds.
static bool obb_apart(const vni_obb* obb, const vni_aabb* box, double slack, bool open) {
    const middle_box middle = middle_of(box, slack);
    const vni_vec offset = vni_sub(middle.center, obb->center);
    for (int i = 0; i < 3; ++i) {
        const double box_reach = vni_dot(vni_abs_each(obb->axis[i]), middle.half);
        if (apart(vni_dot(obb->axis[i], offset), box_reach, obb->half[i], open))
            return true;
    }

    return obb_apart_on_crosses(obb, &middle, offset, open);
}

bool vni_obb_enters_box(const vni_obb* obb, const vni_aabb* box) {
    VNI_ASSERT(is_box(box));
    if (!(obb->half[0] > 0 && obb->half[1] > 0 && obb->half[2] > 0) || !is_thick(box))
        return false;
    const vni_aabb bounds = vni_obb_bounds(obb);
    return bounds_enter(&bounds, box) && !obb_apart(obb, box, 0, true);
}

bool vni_obb_touches_box(const vni_obb* obb, const vni_aabb* box, double slack) {
    VNI_ASSERT(is_box(box) && slack >= 0);
    const vni_aabb bounds = vni_obb_bounds(obb);
    return bounds_touch(&bounds, box, slack) && !obb_apart(obb, box, slack, false);
}

// ------------------------------------------------------------------------------------------------ hulls
//
// If no face normal separates them, a hull and a box overlap if the hull's surface meets the box, or if the
// whole box lies in the hull. Testing the triangles one by one, O(triangles), costs less than the cross
// products of all edges with all vertices projected onto each, O(edges * vertices).

static vni_aabb hull_bounds(const vni_hull* hull) {
    VNI_ASSERT(hull->vertex_count > 0);
    vni_aabb bounds = {hull->vertices[0], hull->vertices[0]};
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        bounds.min = vni_min(bounds.min, hull->vertices[i]);
        bounds.max = vni_max(bounds.max, hull->vertices[i]);
    }

    return bounds;
}

typedef enum relation { APART, CENTER_INSIDE, UNDECIDED } relation;

/// Tests the face normals as axes. If the box's centre lies between the supports on all of them it is inside
/// the hull: no further test is needed.
static relation relate_by_normals(const vni_hull* hull, const middle_box* box, bool open) {
    VNI_ASSERT(hull->flat || hull->normal_count > 0);

    bool inside = !hull->flat;
    for (uint32_t i = 0; i < hull->normal_count; ++i) {
        const vni_vec axis = hull->normals[i];
        const double low = vni_dot(axis, vni_sub(hull->vertices[hull->supports[2 * (size_t)i]], box->center));
        const double high =
            vni_dot(axis, vni_sub(hull->vertices[hull->supports[2 * (size_t)i + 1]], box->center));
        if (misses(0, vni_dot(vni_abs_each(axis), box->half), low, high, open))
            return APART;

        inside = inside && low < 0 && high > 0;
    }

    return inside ? CENTER_INSIDE : UNDECIDED;
}

/// Does a triangle of the hull meet the box, closed and widened by `slack`, or open?
static bool surface_meets_box(const vni_hull* hull, const vni_aabb* box, double slack, bool open) {
    const middle_box middle = middle_of(box, slack);
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* at = hull->indices + 3 * (size_t)i;
        const vni_triangle t = {hull->vertices[at[0]], hull->vertices[at[1]], hull->vertices[at[2]]};
        const vni_aabb bounds = vni_triangle_bounds(&t);
        if (!(open ? bounds_enter(&bounds, box) : bounds_touch(&bounds, box, slack)))
            continue;

        const vni_triangle_prep prep = vni_triangle_prepare(&t);
        if (!triangle_apart(&prep, &middle, open))
            return true;
    }

    return false;
}

static bool hull_meets_box(const vni_hull* hull, const vni_aabb* box, double slack, bool open) {
    const middle_box middle = middle_of(box, slack);
    const relation r = relate_by_normals(hull, &middle, open);
    return r == CENTER_INSIDE || (r == UNDECIDED && surface_meets_box(hull, box, slack, open));
}

bool vni_hull_enters_box(const vni_hull* hull, const vni_aabb* box) {
    VNI_ASSERT(is_box(box));
    if (hull->flat || !is_thick(box))
        return false;
    const vni_aabb bounds = hull_bounds(hull);
    return bounds_enter(&bounds, box) && hull_meets_box(hull, box, 0, true);
}

bool vni_hull_touches_box(const vni_hull* hull, const vni_aabb* box, double slack) {
    VNI_ASSERT(is_box(box) && slack >= 0);
    const vni_aabb bounds = hull_bounds(hull);
    return bounds_touch(&bounds, box, slack) && hull_meets_box(hull, box, slack, false);
}
