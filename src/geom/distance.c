/// geom/distance.c: squared distances between shapes and axis-aligned boxes.
///
/// Two disjoint convex polyhedra are nearest at a vertex and a face, or at two edges. So it suffices to test
/// the edges of the shape against the whole box (which covers its vertices too), and the corners of the box
/// against the shape's faces. No tolerances: where the inputs have few binary digits, so have the
/// intermediate values, and the result is exact.
#include "base/assert.h"
#include "geom/shapes.h"
#include <float.h>

static inline double outside(double x, double low, double high) {
    return x < low ? x - low : x > high ? x - high : 0;
}

/// The vector from the nearest point of the box to `point`.
static inline vni_vec outside_box(vni_vec point, const vni_aabb* box) {
    return vni_v(outside(point.x, box->min.x, box->max.x), outside(point.y, box->min.y, box->max.y),
                 outside(point.z, box->min.z, box->max.z));
}

static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

/// At most 10 fractional bits.
static bool is_short(double x) {
    return floor(x * 1024) == x * 1024;
}

/// The same direction with fewer binary digits, if division by the largest component gives that: along an
/// axis, a diagonal, a simple slope. Products of squares of long edges need more than the 53 bits of a
/// double, and would make exact distances inexact.
static vni_vec short_direction(vni_vec v) {
    const vni_vec size = vni_abs_each(v);
    const double largest =
        size.x > size.y ? (size.x > size.z ? size.x : size.z) : (size.y > size.z ? size.y : size.z);
    if (largest == 0)
        return v;

    const vni_vec unit = vni_v(v.x / largest, v.y / largest, v.z / largest);
    return is_short(unit.x) && is_short(unit.y) && is_short(unit.z) ? unit : v;
}

/// Squared distance of the point `offset` from the line through 0 along `direction`; from 0 itself if the
/// direction is 0.
static double line_distance2(vni_vec offset, vni_vec direction) {
    const vni_vec along = short_direction(direction);
    const double length2 = vni_length2(along);
    return length2 > 0 ? vni_length2(vni_cross(offset, along)) / length2 : vni_length2(offset);
}

double vni_point_box_distance2(vni_vec point, const vni_aabb* box) {
    VNI_ASSERT(vni_v_is_finite(point));
    return vni_length2(outside_box(point, box));
}

double vni_aabb_box_distance2(const vni_aabb* a, const vni_aabb* box) {
    VNI_ASSERT(a->min.x <= a->max.x && a->min.y <= a->max.y && a->min.z <= a->max.z);
    const vni_vec gap = vni_max(vni_sub(a->min, box->max), vni_sub(box->min, a->max));
    return vni_length2(vni_max(gap, vni_v(0, 0, 0)));
}

double vni_sphere_box_distance(vni_vec center, double radius, const vni_aabb* box) {
    VNI_ASSERT(radius >= 0);
    const double distance = sqrt(vni_point_box_distance2(center, box)) - radius;
    return distance > 0 ? distance : 0;
}

// --------------------------------------------------------------------------------------------- segments

static int add_crossing(double* times, int count, double t) {
    if (!(t > 0 && t < 1))
        return count;
    int at = count;
    for (; at > 0 && times[at - 1] > t; --at)
        times[at] = times[at - 1];

    times[at] = t;
    return count + 1;
}

static int add_crossings(double* times, int count, double from, double along, double low, double high) {
    if (along == 0)
        return count;
    count = add_crossing(times, count, (low - from) / along);
    return add_crossing(times, count, (high - from) / along);
}

/// Parameters within (0, 1), ascending, where the segment crosses the plane of a face: between two of them
/// the squared distance is one quadratic function.
static int find_crossings(vni_vec a, vni_vec d, const vni_aabb* box, double times[6]) {
    int count = add_crossings(times, 0, a.x, d.x, box->min.x, box->max.x);
    count = add_crossings(times, count, a.y, d.y, box->min.y, box->max.y);
    return add_crossings(times, count, a.z, d.z, box->min.z, box->max.z);
}

/// Signed distance of x from the face on the side of `out`; 0 if `out` is inside.
static double from_face(double x, double out, double low, double high) {
    return out < 0 ? x - low : out > 0 ? x - high : 0;
}

/// Minimum of the quadratic that holds around t: the distance of the segment's line from a face, an edge or a
/// corner of the box, in the axes on which the segment is outside there.
static double quadratic_minimum(vni_vec a, vni_vec d, double t, const vni_aabb* box) {
    const vni_vec out = outside_box(vni_add_scaled(a, d, t), box);
    const vni_vec offset =
        vni_v(from_face(a.x, out.x, box->min.x, box->max.x), from_face(a.y, out.y, box->min.y, box->max.y),
              from_face(a.z, out.z, box->min.z, box->max.z));
    const vni_vec along = vni_v(out.x != 0 ? d.x : 0, out.y != 0 ? d.y : 0, out.z != 0 ? d.z : 0);
    return line_distance2(offset, along);
}

double vni_segment_box_distance2(vni_vec a, vni_vec b, const vni_aabb* box) {
    VNI_ASSERT(vni_v_is_finite(a) && vni_v_is_finite(b));

    const vni_vec d = vni_sub(b, a);
    // Half the derivative of the squared distance at t is outside(t) . d. It never decreases, since the
    // distance from a convex set is convex: where it has one sign, an end is nearest.
    const vni_vec out_a = outside_box(a, box), out_b = outside_box(b, box);
    if (vni_dot(out_a, d) >= 0)
        return vni_length2(out_a);
    if (vni_dot(out_b, d) <= 0)
        return vni_length2(out_b);

    // Negative at a, positive at b: find the piece where it changes sign.
    double times[6];
    const int count = find_crossings(a, d, box, times);

    double before = 0, after = 1;
    for (int i = 0; i < count; ++i) {
        if (vni_dot(outside_box(vni_add_scaled(a, d, times[i]), box), d) >= 0) {
            after = times[i];
            break;
        }
        before = times[i];
    }

    return quadratic_minimum(a, d, 0.5 * (before + after), box);
}

double vni_capsule_box_distance(const vni_capsule* capsule, const vni_aabb* box) {
    VNI_ASSERT(capsule->radius >= 0);
    const double distance = sqrt(vni_segment_box_distance2(capsule->a, capsule->b, box)) - capsule->radius;
    return distance > 0 ? distance : 0;
}

bool vni_capsule_enters_box(const vni_capsule* capsule, const vni_aabb* box) {
    VNI_ASSERT(capsule->radius >= 0);
    const bool thick = box->min.x < box->max.x && box->min.y < box->max.y && box->min.z < box->max.z;
    return thick &&
           vni_segment_box_distance2(capsule->a, capsule->b, box) < capsule->radius * capsule->radius;
}

/// Clips [*t_in, *t_out] to the slab: the t where from + t * along lies in [low, high].
static bool clip_axis(double from, double along, double low, double high, double* t_in, double* t_out) {
    if (along == 0)
        return from >= low && from <= high;
    const double at_low = (low - from) / along, at_high = (high - from) / along;
    const double enter = along > 0 ? at_low : at_high, leave = along > 0 ? at_high : at_low;
    *t_in = enter > *t_in ? enter : *t_in;
    *t_out = leave < *t_out ? leave : *t_out;

    return *t_in <= *t_out;
}

bool vni_segment_clip_box(vni_vec a, vni_vec b, const vni_aabb* box, double* t_in, double* t_out) {
    VNI_ASSERT(t_in != NULL && t_out != NULL);

    const vni_vec d = vni_sub(b, a);
    double enter = 0, leave = 1;
    if (!clip_axis(a.x, d.x, box->min.x, box->max.x, &enter, &leave) ||
        !clip_axis(a.y, d.y, box->min.y, box->max.y, &enter, &leave) ||
        !clip_axis(a.z, d.z, box->min.z, box->max.z, &enter, &leave))
        return false;

    *t_in = enter;
    *t_out = leave;
    return true;
}

// -------------------------------------------------------------------------------------------- triangles

static double point_segment_distance2(vni_vec point, vni_vec a, vni_vec b) {
    const vni_vec d = vni_sub(b, a), from_a = vni_sub(point, a), from_b = vni_sub(point, b);
    if (vni_dot(from_a, d) <= 0)
        return vni_length2(from_a);
    if (vni_dot(from_b, d) >= 0)
        return vni_length2(from_b);
    return line_distance2(from_a, d);
}

/// A normal that is orthogonal to the longest edge even for slivers, whose plain cross product is mostly
/// rounding error.
static vni_vec face_normal(const vni_triangle* t) {
    const vni_vec ab = vni_sub(t->b, t->a), ac = vni_sub(t->c, t->a), bc = vni_sub(t->c, t->b);
    const vni_vec normal = vni_cross(ab, ac);
    vni_vec longest = ab;
    if (vni_length2(ac) > vni_length2(longest))
        longest = ac;

    if (vni_length2(bc) > vni_length2(longest))
        longest = bc;

    const double length2 = vni_length2(longest), lean = vni_dot(normal, longest);
    return lean != 0 && length2 > 0 ? vni_add_scaled(normal, longest, -lean / length2) : normal;
}

/// Squared distance to the triangle's plane if the point projects into the triangle, else DBL_MAX.
static double point_face_distance2(vni_vec point, const vni_triangle* t, vni_vec normal) {
    const vni_vec n = short_direction(normal);
    const double length2 = vni_length2(n);
    const vni_vec from_a = vni_sub(point, t->a), from_b = vni_sub(point, t->b), from_c = vni_sub(point, t->c);
    if (!(length2 > 0) || vni_dot(n, vni_cross(vni_sub(t->b, t->a), from_a)) < 0 ||
        vni_dot(n, vni_cross(vni_sub(t->c, t->b), from_b)) < 0 ||
        vni_dot(n, vni_cross(vni_sub(t->a, t->c), from_c)) < 0)
        return DBL_MAX;

    const double height = vni_dot(n, from_a);
    return height * height / length2;
}

double vni_point_triangle_distance2(vni_vec point, const vni_triangle* triangle) {
    VNI_ASSERT(vni_v_is_finite(point));
    const double face = point_face_distance2(point, triangle, face_normal(triangle));
    if (face < DBL_MAX)
        return face;

    const double ab = point_segment_distance2(point, triangle->a, triangle->b);
    const double bc = point_segment_distance2(point, triangle->b, triangle->c);
    return smaller(smaller(ab, bc), point_segment_distance2(point, triangle->c, triangle->a));
}

/// The lowest corner of the box along `direction`.
static vni_vec lowest_corner(const vni_aabb* box, vni_vec direction) {
    return vni_v(direction.x > 0 ? box->min.x : box->max.x, direction.y > 0 ? box->min.y : box->max.y,
                 direction.z > 0 ? box->min.z : box->max.z);
}

/// Of a triangle that does not touch the box. If the box is nearest with a corner above the face, that is the
/// corner nearest to the plane: one suffices. If several are equally near, an edge of the triangle is as near
/// too, unless all of them are above the face.
static double apart_triangle_distance2(const vni_triangle* t, const vni_aabb* box) {
    const double ab = vni_segment_box_distance2(t->a, t->b, box);
    const double bc = vni_segment_box_distance2(t->b, t->c, box);
    const double best = smaller(smaller(ab, bc), vni_segment_box_distance2(t->c, t->a, box));
    const vni_vec normal = face_normal(t);
    const double above = vni_dot(normal, vni_sub(lowest_corner(box, normal), t->a));

    if (above > 0)
        return smaller(best, point_face_distance2(lowest_corner(box, normal), t, normal));
    const vni_vec down = vni_scale(normal, -1);
    return smaller(best, point_face_distance2(lowest_corner(box, down), t, normal));
}

double vni_triangle_box_distance2(const vni_triangle* triangle, const vni_aabb* box) {
    VNI_ASSERT(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
    return vni_triangle_touches_box(triangle, box, 0) ? 0 : apart_triangle_distance2(triangle, box);
}

// ------------------------------------------------------------------------------- oriented boxes and hulls

static vni_vec obb_corner(const vni_obb* obb, int bits) {
    vni_vec corner = obb->center;
    for (int i = 0; i < 3; ++i)
        corner = vni_add_scaled(corner, obb->axis[i], bits >> i & 1 ? obb->half[i] : -obb->half[i]);
    return corner;
}

static double point_obb_distance2(vni_vec point, const vni_obb* obb) {
    const vni_vec from = vni_sub(point, obb->center);
    const vni_vec out = vni_v(outside(vni_dot(obb->axis[0], from), -obb->half[0], obb->half[0]),
                              outside(vni_dot(obb->axis[1], from), -obb->half[1], obb->half[1]),
                              outside(vni_dot(obb->axis[2], from), -obb->half[2], obb->half[2]));
    return vni_length2(out);
}

double vni_obb_box_distance2(const vni_obb* obb, const vni_aabb* box) {
    VNI_ASSERT(obb->half[0] >= 0 && obb->half[1] >= 0 && obb->half[2] >= 0);

    if (vni_obb_touches_box(obb, box, 0))
        return 0;
    double best = DBL_MAX;
    vni_vec corners[8];
    for (int i = 0; i < 8; ++i) {
        const vni_vec of_box = vni_v(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                                     i & 4 ? box->max.z : box->min.z);
        best = smaller(best, point_obb_distance2(of_box, obb));
        corners[i] = obb_corner(obb, i);
    }

    for (int i = 0; i < 8; ++i) {
        for (int side = 1; side < 8; side <<= 1) {
            if (!(i & side))
                best = smaller(best, vni_segment_box_distance2(corners[i], corners[i | side], box));
        }
    }

    return best;
}

static vni_triangle hull_triangle(const vni_hull* hull, uint32_t triangle) {
    const uint32_t* i = hull->indices + 3 * (size_t)triangle;
    VNI_ASSERT(i[0] < hull->vertex_count && i[1] < hull->vertex_count && i[2] < hull->vertex_count);
    const vni_triangle t = {hull->vertices[i[0]], hull->vertices[i[1]], hull->vertices[i[2]]};
    return t;
}

/// Does a part of the box lie in front of the triangle, or in its plane?
static bool faces_box(const vni_triangle* t, const vni_aabb* box) {
    const vni_vec normal = vni_cross(vni_sub(t->b, t->a), vni_sub(t->c, t->a));
    const vni_vec highest = lowest_corner(box, vni_scale(normal, -1));
    return vni_dot(normal, vni_sub(highest, t->a)) >= 0;
}

/// Least distance over the triangles that face the box, or over all. Bounds first: they rule out most.
static double nearest_triangle2(const vni_hull* hull, const vni_aabb* box, bool all) {
    double best = DBL_MAX;
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const vni_triangle t = hull_triangle(hull, i);
        const vni_aabb bounds = vni_triangle_bounds(&t);
        if (vni_aabb_box_distance2(&bounds, box) < best && (all || faces_box(&t, box)))
            best = smaller(best, apart_triangle_distance2(&t, box));
    }

    return best;
}

double vni_hull_box_distance2(const vni_hull* hull, const vni_aabb* box) {
    VNI_ASSERT(hull->vertex_count > 0 && hull->triangle_count > 0);
    if (vni_hull_touches_box(hull, box, 0))
        return 0;

    // The nearest point of a convex body lies on a face that has the box in front. But a box may lie behind
    // both sides of a flat hull, and a hull that is convex only up to its tolerance may have no such face.
    const double best = nearest_triangle2(hull, box, hull->flat || hull->skew);
    return best < DBL_MAX ? best : nearest_triangle2(hull, box, true);
}
