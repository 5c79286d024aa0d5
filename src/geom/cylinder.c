/// geom/cylinder.c: cylinders with flat caps against axis-aligned boxes.
///
/// Overlap: the part of the box between the planes of the two caps is a convex polyhedron. Seen along the
/// axis it is a convex polygon, and the cylinder is a disc around the origin: the two meet where the polygon
/// comes within the radius of the origin.
///
/// Distance of a cylinder and a box that are apart: the box is nearest with a face, or with an edge (its
/// corners are ends of edges). With a face, the cylinder is nearest with what lies farthest in the direction
/// of that face: the end of a line along its side, that whole line, or a cap, whose part above the face then
/// lies above an edge too, or holds the end of that line. So six lines against the box, and twelve edges
/// against the cylinder, are enough. Along an edge the distance is convex, and the sign of its slope is
/// known.
#include "base/assert.h"
#include "geom/shapes.h"
#include <float.h>

/// Halvings of an edge: below the rounding of a place on it.
#define HALVINGS 52

/// Twice the area of a triangle, as a part of its squared extent, below which it is a line: above rounding.
#define LEAST_AREA 1e-13

/// Corners of the part between the caps: 8 of the box, and 2 on each of its 12 edges.
#define MOST_CORNERS 32

/// A cylinder's frame: axis, and two unit vectors square to it.
typedef struct frame {
    vni_vec center, axis, x, y;
} frame;

/// A point in that frame: the height above the centre, and the place seen along the axis.
typedef struct spot {
    double height, x, y;
} spot;

typedef struct polygon {
    int count;
    double x[MOST_CORNERS], y[MOST_CORNERS];
} polygon;

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static vni_vec box_corner(const vni_aabb* box, int bits) {
    return vni_v(bits & 1 ? box->max.x : box->min.x, bits & 2 ? box->max.y : box->min.y,
                 bits & 4 ? box->max.z : box->min.z);
}

// ------------------------------------------------------------------------------------------------ overlap

/// Along an axis of the world the frame is exact, too.
static frame frame_of(const vni_cylinder* cylinder) {
    const vni_vec u = cylinder->axis, size = vni_abs_each(u);
    vni_vec least = size.x <= size.y && size.x <= size.z ? vni_v(1, 0, 0)
                    : size.y <= size.z                   ? vni_v(0, 1, 0)
                                                         : vni_v(0, 0, 1);
    vni_vec x = vni_cross(u, least);
    x = vni_scale(x, 1 / vni_length(x));
    return (frame){cylinder->center, u, x, vni_cross(u, x)};
}

static spot spot_of(const frame* f, vni_vec point) {
    vni_vec from = vni_sub(point, f->center);
    return (spot){vni_dot(from, f->axis), vni_dot(from, f->x), vni_dot(from, f->y)};
}

static void add_corner(polygon* out, double x, double y) {
    VNI_ASSERT(out->count < MOST_CORNERS);
    out->x[out->count] = x;
    out->y[out->count++] = y;
}

/// The place where the edge from a to b goes through the plane at `height`, if it does.
static void add_crossing(polygon* out, const spot* a, const spot* b, double height) {
    if ((a->height < height) == (b->height < height))
        return;
    double t = vni_clamp((height - a->height) / (b->height - a->height), 0, 1);
    add_corner(out, a->x + t * (b->x - a->x), a->y + t * (b->y - a->y));
}

/// The corners of the box's part between the heights -half and half.
static void find_polygon(const spot corners[8], double half, polygon* out) {
    out->count = 0;
    for (int i = 0; i < 8; ++i) {
        if (vni_abs(corners[i].height) <= half)
            add_corner(out, corners[i].x, corners[i].y);
        for (int side = 1; side < 8; side <<= 1) {
            if (i & side)
                continue;
            add_crossing(out, &corners[i], &corners[i | side], -half);
            add_crossing(out, &corners[i], &corners[i | side], half);
        }
    }
}

/// Squared distance of the origin from the segment between corners i and j.
static double side_distance2(const polygon* p, int i, int j) {
    double dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i], length2 = dx * dx + dy * dy;
    double along = -(p->x[i] * dx + p->y[i] * dy);
    if (along <= 0)
        return p->x[i] * p->x[i] + p->y[i] * p->y[i];
    if (along >= length2)
        return p->x[j] * p->x[j] + p->y[j] * p->y[j];

    double area = p->x[i] * dy - p->y[i] * dx;
    return area * area / length2;
}

/// Does the triangle of corners 0, i and j hold the origin? One that is hardly more than a line does not
/// count: rounding decides its signs, and its sides are as near to the origin as it is.
static bool triangle_holds_origin(const polygon* p, int i, int j) {
    double a = p->x[0] * p->y[i] - p->y[0] * p->x[i], b = p->x[i] * p->y[j] - p->y[i] * p->x[j],
           c = p->x[j] * p->y[0] - p->y[j] * p->x[0];
    double size = p->x[0] * p->x[0] + p->y[0] * p->y[0] + p->x[i] * p->x[i] + p->y[i] * p->y[i] +
                  p->x[j] * p->x[j] + p->y[j] * p->y[j];
    bool left = a >= 0 && b >= 0 && c >= 0, right = a <= 0 && b <= 0 && c <= 0;
    return (left || right) && vni_abs(a + b + c) > LEAST_AREA * size;
}

/// Squared distance of the origin from the polygon, whose corners come in any order, some of them inside:
/// every point of it lies in a triangle with corner 0, and its outline consists of segments between corners.
static double polygon_distance2(const polygon* p) {
    double best = DBL_MAX;
    for (int i = 0; i < p->count; ++i) {
        best = smaller(best, p->x[i] * p->x[i] + p->y[i] * p->y[i]);
        for (int j = 0; j < i; ++j) {
            if (triangle_holds_origin(p, i, j))
                return 0;
            best = smaller(best, side_distance2(p, i, j));
        }
    }

    return best;
}

/// Squared distance, seen along the axis, of the axis from the box's part between the heights -half and half.
/// DBL_MAX if there is no such part; with `open`, also if it lies in the plane of a cap.
static double part_distance2(const vni_cylinder* cylinder, const vni_aabb* box, double half, bool open) {
    const frame f = frame_of(cylinder);
    spot corners[8];
    double low = DBL_MAX, high = -DBL_MAX;
    for (int i = 0; i < 8; ++i) {
        corners[i] = spot_of(&f, box_corner(box, i));
        low = smaller(low, corners[i].height);
        high = larger(high, corners[i].height);
    }

    if (open ? !(low < half && high > -half) : !(low <= half && high >= -half))
        return DBL_MAX;
    polygon part;
    find_polygon(corners, half, &part);
    return polygon_distance2(&part);
}

bool vni_cylinder_enters_box(const vni_cylinder* cylinder, const vni_aabb* box) {
    VNI_ASSERT(cylinder->half >= 0 && cylinder->radius >= 0);
    const bool thick = box->min.x < box->max.x && box->min.y < box->max.y && box->min.z < box->max.z;
    return thick && cylinder->half > 0 &&
           part_distance2(cylinder, box, cylinder->half, true) < cylinder->radius * cylinder->radius;
}

bool vni_cylinder_touches_box(const vni_cylinder* cylinder, const vni_aabb* box, double slack) {
    VNI_ASSERT(slack >= 0);
    double radius = cylinder->radius + slack;
    return part_distance2(cylinder, box, cylinder->half + slack, false) <= radius * radius;
}

// ----------------------------------------------------------------------------------------------- distances

/// From the nearest point of the cylinder to a point.
static vni_vec away_from(const vni_cylinder* cylinder, vni_vec point) {
    const vni_vec from = vni_sub(point, cylinder->center);
    double height = vni_dot(from, cylinder->axis);
    vni_vec across = vni_add_scaled(from, cylinder->axis, -height);
    double width = vni_length(across), beyond = larger(width - cylinder->radius, 0);

    double over = vni_clamp(height, -cylinder->half, cylinder->half);
    vni_vec away = vni_scale(cylinder->axis, height - over);
    return beyond > 0 ? vni_add_scaled(away, across, beyond / width) : away;
}

double vni_point_cylinder_distance(vni_vec point, const vni_cylinder* cylinder) {
    const vni_vec from = vni_sub(point, cylinder->center);
    double height = vni_dot(from, cylinder->axis);
    double over = larger(vni_abs(height) - cylinder->half, 0);
    double width = vni_length(vni_add_scaled(from, cylinder->axis, -height));
    double beyond = larger(width - cylinder->radius, 0);
    return over == 0 ? beyond : beyond == 0 ? over : sqrt(over * over + beyond * beyond);
}

/// Half the slope of the squared distance along an edge, at a place on it.
static double slope_at(const vni_cylinder* cylinder, vni_vec from, vni_vec along, double t) {
    return vni_dot(away_from(cylinder, vni_add_scaled(from, along, t)), along);
}

static double edge_distance(const vni_cylinder* cylinder, vni_vec from, vni_vec to) {
    const vni_vec along = vni_sub(to, from);
    if (slope_at(cylinder, from, along, 0) >= 0)
        return vni_point_cylinder_distance(from, cylinder);
    if (slope_at(cylinder, from, along, 1) <= 0)
        return vni_point_cylinder_distance(to, cylinder);

    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        if (slope_at(cylinder, from, along, middle) < 0)
            low = middle;
        else
            high = middle;
    }

    return vni_point_cylinder_distance(vni_add_scaled(from, along, 0.5 * (low + high)), cylinder);
}

/// Least distance of an edge, where it can be below `best`: no point of an edge is nearer than its middle by
/// more than half its length.
static double nearest_edge(const vni_cylinder* cylinder, const vni_aabb* box, double best) {
    for (int i = 0; i < 8; ++i) {
        for (int side = 1; side < 8; side <<= 1) {
            if (i & side)
                continue;
            vni_vec from = box_corner(box, i), to = box_corner(box, i | side);
            vni_vec middle = vni_scale(vni_add(from, to), 0.5);
            double reach = 0.5 * vni_length(vni_sub(to, from));
            if (vni_point_cylinder_distance(middle, cylinder) - reach < best)
                best = smaller(best, edge_distance(cylinder, from, to));
        }
    }

    return best;
}

/// Distance of the line along the cylinder's side that lies farthest in `direction`.
static double line_distance(const vni_cylinder* cylinder, const vni_aabb* box, vni_vec direction) {
    vni_vec across = vni_add_scaled(direction, cylinder->axis, -vni_dot(direction, cylinder->axis));
    double length = vni_length(across);
    vni_vec middle = cylinder->center, end = vni_scale(cylinder->axis, cylinder->half);
    if (length > 0)
        middle = vni_add_scaled(middle, across, cylinder->radius / length);
    return sqrt(vni_segment_box_distance2(vni_sub(middle, end), vni_add(middle, end), box));
}

double vni_cylinder_box_distance(const vni_cylinder* cylinder, const vni_aabb* box) {
    VNI_ASSERT(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);

    if (vni_cylinder_touches_box(cylinder, box, 0))
        return 0;
    double best = DBL_MAX;
    for (int axis = 0; axis < 3; ++axis) {
        vni_vec direction = vni_v(axis == 0, axis == 1, axis == 2);
        best = smaller(best, line_distance(cylinder, box, direction));
        best = smaller(best, line_distance(cylinder, box, vni_scale(direction, -1)));
    }

    return nearest_edge(cylinder, box, best);
}
