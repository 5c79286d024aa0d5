/// io/brush.c: planes into solids. Each face begins as a square that is larger than any map, and all other
/// planes cut it; what is left of it is the face.
#include "io/brush.h"
#include <math.h>

/// Units. A corner so close to a plane lies on it; corners so close to each other are one.
#define ON_PLANE 1e-4
#define WELD     0.01

/// Planes whose normals differ by less, and offsets by less than ON_PLANE, are the same.
#define SAME_NORMAL 1e-6

/// Half the edge of the first square. A face that reaches beyond the limit of coordinates has no end.
#define SQUARE (4 * VNI_BRUSH_LIMIT)
#define END    (1.01 * VNI_BRUSH_LIMIT)

/// Four fifths of what the world tolerates, so that scaling may round once more: the height of a vertex above
/// a face, as a part of the largest extent.
#define TOLERANCE 8e-6

/// A cut adds one corner at most.
#define CORNERS (4 + VNI_BRUSH_FACES)

typedef struct polygon {
    double corners[CORNERS][3];
    uint32_t count;
} polygon;

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double* a, const double* b, double* out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void subtract(const double* a, const double* b, double* out) {
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = a[axis] - b[axis];
}

static double height(const vni_brush_plane* plane, const double* point) {
    return dot(plane->normal, point) - plane->offset;
}

bool vni_brush_plane_of(const double points[3][3], vni_brush_plane* out) {
    double u[3], v[3], normal[3];
    subtract(points[0], points[1], u);
    subtract(points[2], points[1], v);
    cross(u, v, normal);

    const double length = sqrt(dot(normal, normal));
    if (!(length > 1e-9 * sqrt(dot(u, u) * dot(v, v))))
        return false;

    for (int axis = 0; axis < 3; ++axis)
        out->normal[axis] = normal[axis] / length;
    out->offset = dot(out->normal, points[0]);
    return true;
}

// ------------------------------------------------------------------------------------------------- one face

/// A square on the plane, counter-clockwise seen from outside.
static void begin_face(const vni_brush_plane* plane, polygon* out) {
    static const double sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int least = 0;
    for (int axis = 1; axis < 3; ++axis)
        least = fabs(plane->normal[axis]) < fabs(plane->normal[least]) ? axis : least;

    double axis[3] = {0, 0, 0}, u[3], v[3];
    axis[least] = 1;
    cross(axis, plane->normal, u);
    const double length = sqrt(dot(u, u));
    for (int i = 0; i < 3; ++i)
        u[i] /= length;
    cross(plane->normal, u, v);

    out->count = 4;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            out->corners[i][k] =
                plane->normal[k] * plane->offset + SQUARE * (sides[i][0] * u[k] + sides[i][1] * v[k]);
}

static void add_corner(polygon* out, const double* corner) {
    for (int axis = 0; axis < 3 && out->count < CORNERS; ++axis)
        out->corners[out->count][axis] = corner[axis];
    out->count += out->count < CORNERS;
}

/// The part behind the plane, corners on it included.
static void cut_face(const polygon* in, const vni_brush_plane* plane, polygon* out) {
    out->count = 0;
    for (uint32_t i = 0; i < in->count; ++i) {
        const double* a = in->corners[i];
        const double* b = in->corners[(i + 1) % in->count];
        const double from = height(plane, a), to = height(plane, b);
        if (from <= ON_PLANE)
            add_corner(out, a);

        if ((from < -ON_PLANE && to > ON_PLANE) || (from > ON_PLANE && to < -ON_PLANE)) {
            double corner[3];
            for (int axis = 0; axis < 3; ++axis)
                corner[axis] = a[axis] + (b[axis] - a[axis]) * (from / (from - to));
            add_corner(out, corner);
        }
    }

    out->count = out->count < 3 ? 0 : out->count;
}

/// Does an earlier plane say the same?
static bool is_repeated(const vni_brush_plane* planes, uint32_t at) {
    for (uint32_t i = 0; i < at; ++i) {
        double between[3];
        subtract(planes[i].normal, planes[at].normal, between);
        if (dot(between, between) < SAME_NORMAL * SAME_NORMAL &&
            fabs(planes[i].offset - planes[at].offset) < ON_PLANE)
            return true;
    }

    return false;
}

/// The face of one plane in `face`; false if it has no end.
static bool make_face(const vni_brush_plane* planes, uint32_t count, uint32_t at, polygon* face) {
    polygon other;
    begin_face(&planes[at], face);
    for (uint32_t i = 0; i < count && face->count > 0; ++i) {
        if (i == at)
            continue;
        cut_face(face, &planes[i], &other);
        *face = other;
    }

    for (uint32_t i = 0; i < face->count; ++i)
        for (int axis = 0; axis < 3; ++axis)
            if (fabs(face->corners[i][axis]) > END)
                return false;

    return true;
}

// ------------------------------------------------------------------------------------------------ the solid

/// The vertices of a solid before they are rounded to floats.
typedef struct corner_list {
    double corners[VNI_BRUSH_VERTICES][3];
    uint32_t count;
    double weld2; ///< corners that are closer are one; squared
} corner_list;

/// The vertex for a corner, a new one if none is near. VNI_BRUSH_VERTICES: there are too many.
static uint32_t weld(corner_list* list, const double* corner) {
    for (uint32_t i = 0; i < list->count; ++i) {
        double between[3];
        subtract(list->corners[i], corner, between);
        if (dot(between, between) < list->weld2)
            return i;
    }

    if (list->count == VNI_BRUSH_VERTICES)
        return VNI_BRUSH_VERTICES;
    for (int axis = 0; axis < 3; ++axis)
        list->corners[list->count][axis] = corner[axis];

    return list->count++;
}

/// Welds the corners of a face; those that become one with the corner before them are dropped. False: too
/// many vertices.
static bool weld_face(corner_list* list, const polygon* face, uint32_t* ring, uint32_t* count) {
    *count = 0;
    for (uint32_t i = 0; i < face->count; ++i) {
        const uint32_t vertex = weld(list, face->corners[i]);
        if (vertex == VNI_BRUSH_VERTICES)
            return false;
        if (*count == 0 || (ring[*count - 1] != vertex && ring[0] != vertex))
            ring[(*count)++] = vertex;
    }

    return true;
}

static double doubled_area(const corner_list* list, uint32_t a, uint32_t b, uint32_t c) {
    double u[3], v[3], normal[3];
    subtract(list->corners[b], list->corners[a], u);
    subtract(list->corners[c], list->corners[a], v);
    cross(u, v, normal);
    return sqrt(dot(normal, normal));
}

/// The corner from which the fan's smallest triangle is largest: slivers have no reliable plane.
static uint32_t best_apex(const corner_list* list, const uint32_t* ring, uint32_t count) {
    uint32_t best = 0;
    double best_area = -1;
    for (uint32_t apex = 0; apex < count; ++apex) {
        double least = INFINITY;
        for (uint32_t i = 1; i + 1 < count; ++i) {
            const double area =
                doubled_area(list, ring[apex], ring[(apex + i) % count], ring[(apex + i + 1) % count]);
            least = area < least ? area : least;
        }

        if (least > best_area) {
            best_area = least;
            best = apex;
        }
    }

    return best;
}

static bool add_fan(const corner_list* list, const uint32_t* ring, uint32_t count, vni_brush_solid* out) {
    const uint32_t apex = best_apex(list, ring, count);
    for (uint32_t i = 1; i + 1 < count; ++i) {
        if (out->triangle_count == VNI_BRUSH_TRIANGLES)
            return false;
        uint32_t* corner = out->indices + 3 * (size_t)out->triangle_count;
        ++out->triangle_count;
        corner[0] = ring[apex];
        corner[1] = ring[(apex + i) % count];
        corner[2] = ring[(apex + i + 1) % count];
    }

    return true;
}

static void position_of(vn_vec3 v, double* out) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static double largest_extent(const vni_brush_solid* s) {
    double low[3], high[3], p[3], extent = 0;
    position_of(s->vertices[0], low);
    position_of(s->vertices[0], high);
    for (uint32_t i = 1; i < s->vertex_count; ++i) {
        position_of(s->vertices[i], p);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
            high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
        }
    }

    for (int axis = 0; axis < 3; ++axis)
        extent = high[axis] - low[axis] > extent ? high[axis] - low[axis] : extent;
    return extent;
}

/// Does each edge of a triangle belong to one other, the other way round?
static bool is_closed(const vni_brush_solid* s) {
    const uint32_t count = 3 * s->triangle_count;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t from = s->indices[i], to = s->indices[i % 3 == 2 ? i - 2 : i + 1];
        uint32_t twins = 0, same = 0;
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t a = s->indices[k], b = s->indices[k % 3 == 2 ? k - 2 : k + 1];
            twins += a == to && b == from;
            same += a == from && b == to;
        }
        if (twins != 1 || same != 1)
            return false;
    }

    return true;
}

/// The plane of a triangle after rounding to floats; false if it is so narrow that rounding may turn it
/// anywhere. The world judges triangles by the same rule.
static bool plane_of_triangle(const vni_brush_solid* s, uint32_t triangle, double tolerance,
                              vni_brush_plane* out) {
    const uint32_t* corner = s->indices + 3 * (size_t)triangle;
    double points[3][3], ab[3], ac[3], bc[3], normal[3];
    for (int k = 0; k < 3; ++k)
        position_of(s->vertices[corner[k]], points[k]);

    subtract(points[1], points[0], ab);
    subtract(points[2], points[0], ac);
    subtract(points[2], points[1], bc);
    cross(ab, ac, normal);
    const double longest2 = fmax(dot(ab, ab), fmax(dot(ac, ac), dot(bc, bc)));
    const double length = sqrt(dot(normal, normal));
    if (!(length > tolerance * sqrt(longest2)))
        return false;

    for (int axis = 0; axis < 3; ++axis)
        out->normal[axis] = normal[axis] / length;
    out->offset = dot(out->normal, points[0]);
    return true;
}

/// After rounding to floats: is each vertex behind each reliable triangle, and is the solid not flat?
static bool is_convex(const vni_brush_solid* s) {
    const double tolerance = TOLERANCE * largest_extent(s);
    double thickness = INFINITY;
    for (uint32_t i = 0; i < s->triangle_count; ++i) {
        vni_brush_plane plane;
        if (!plane_of_triangle(s, i, tolerance, &plane))
            continue;

        double deepest = 0;
        for (uint32_t k = 0; k < s->vertex_count; ++k) {
            double p[3];
            position_of(s->vertices[k], p);
            const double above = height(&plane, p);
            if (above > tolerance)
                return false;
            deepest = -above > deepest ? -above : deepest;
        }

        thickness = deepest < thickness ? deepest : thickness;
    }

    return thickness < INFINITY && thickness > 4 * tolerance;
}

/// The solid with corners welded that are closer than `distance`.
static bool make_welded(const vni_brush_plane* planes, uint32_t count, double distance,
                        vni_brush_solid* out) {
    corner_list list = {.count = 0, .weld2 = distance * distance};
    out->triangle_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        polygon face;
        uint32_t ring[CORNERS], ring_count;
        if (is_repeated(planes, i))
            continue;
        if (!make_face(planes, count, i, &face) || !weld_face(&list, &face, ring, &ring_count))
            return false;
        if (ring_count >= 3 && !add_fan(&list, ring, ring_count, out))
            return false;
    }

    out->vertex_count = list.count;
    for (uint32_t i = 0; i < list.count; ++i)
        out->vertices[i] =
            (vn_vec3){(float)list.corners[i][0], (float)list.corners[i][1], (float)list.corners[i][2]};

    return list.count >= 4 && out->triangle_count >= 4 && is_closed(out) && is_convex(out);
}

/// Welding makes good what editors round, but may dent a small brush: then less of it is tried.
bool vni_brush_make(const vni_brush_plane* planes, uint32_t count, vni_brush_solid* out) {
    VNI_IO_ASSERT(count <= VNI_BRUSH_FACES);
    return make_welded(planes, count, WELD, out) || make_welded(planes, count, WELD / 10, out) ||
           make_welded(planes, count, WELD / 100, out);
}
