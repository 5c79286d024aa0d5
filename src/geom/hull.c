/// geom/hull.c: validates convex hulls and collects the distinct directions of their faces.
///
/// Nothing is repaired: a hull that fails is refused with the vertex or triangle at fault. Closed comes
/// before convex, since only a closed surface with all vertices behind all faces bounds a convex body.
#include "geom/hull.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include <float.h>
#include <string.h>

/// Sine of the angle up to which two directions are the same: dropping one moves no face by more than 1e-12
/// of the hull's size.
#define SAME_DIRECTION 1e-12

typedef struct direction {
    vni_vec raw;  ///< as computed, exact where the vertices have few digits
    vni_vec unit; ///< of length 1
} direction;

typedef struct source {
    vni_vec* vertices;
    const uint32_t* indices;
    uint32_t vertex_count, triangle_count;
    double tolerance;
    uint32_t* order;    ///< scratch, three a triangle: marks of used vertices, sorted corners, sorted normals
    direction* normals; ///< one a triangle at most
} source;

// ---------------------------------------------------------------------------------------------- sorting

typedef bool comes_before(const void* of, uint32_t a, uint32_t b);

static void sift_down(uint32_t* order, uint32_t at, uint32_t count, comes_before* before, const void* of) {
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            return;

        if (child + 1 < count && before(of, order[child], order[child + 1]))
            ++child;

        if (!before(of, order[at], order[child]))
            return;
        const uint32_t t = order[at];
        order[at] = order[child];
        order[child] = t;
        at = (uint32_t)child;
    }
}

/// Heapsort of the numbers 0 .. count-1 by `before`: O(n log n) for any input, without memory.
static void sort_order(uint32_t* order, uint32_t count, comes_before* before, const void* of) {
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;

    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(order, i, count, before, of);

    for (uint32_t end = count; end > 1; --end) {
        const uint32_t t = order[0];
        order[0] = order[end - 1];
        order[end - 1] = t;
        sift_down(order, 0, end - 1, before, of);
    }
}

// -------------------------------------------------------------------------------- vertices and triangles

static vn_status check_vertices(const source* from, vn_detail* detail) {
    for (uint32_t i = 0; i < from->vertex_count; ++i) {
        if (!vni_v_is_finite(from->vertices[i]))
            return vni_fail_index(detail, VN_BAD_DATA, i,
                                  "vertex %u of the hull is not finite; every coordinate must be a number",
                                  i);
    }

    return VN_OK;
}

static vn_status check_indices(const source* from, vn_detail* detail) {
    for (uint32_t i = 0; i < from->triangle_count; ++i) {
        const uint32_t* t = from->indices + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            if (t[k] >= from->vertex_count)
                return vni_fail_index(
                    detail, VN_BAD_DATA, i,
                    "triangle %u of the hull names vertex %u, but there are %u; indices count from 0", i,
                    t[k], from->vertex_count);
        }

        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            return vni_fail_index(
                detail, VN_BAD_DATA, i,
                "triangle %u of the hull names a vertex twice; leave it out and join its neighbours", i);
    }

    return VN_OK;
}

/// Uses `order` as marks. It has one per corner; with fewer corners than vertices some vertex is unused
/// anyway.
static vn_status check_used(const source* from, vn_detail* detail) {
    const uint32_t corners = 3 * from->triangle_count;
    const uint32_t marks = from->vertex_count < corners ? from->vertex_count : corners;
    memset(from->order, 0, marks * sizeof *from->order);
    for (uint32_t i = 0; i < corners; ++i) {
        if (from->indices[i] < marks)
            from->order[from->indices[i]] = 1;
    }

    for (uint32_t i = 0; i < from->vertex_count; ++i) {
        if (i >= marks || from->order[i] == 0)
            return vni_fail_index(detail, VN_BAD_DATA, i,
                                  "vertex %u of the hull belongs to no triangle; leave it out", i);
    }

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ edges

/// A corner (3 * triangle + 0, 1, 2) stands for the edge to the next corner of its triangle: from vertex in
/// the upper 32 bits, to vertex in the lower.
static uint64_t edge_key(const uint32_t* indices, uint32_t corner) {
    const uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    return (uint64_t)indices[corner] << 32 | indices[next];
}

static uint64_t twin_key(uint64_t key) {
    return key << 32 | key >> 32;
}

static bool edge_before(const void* of, uint32_t a, uint32_t b) {
    const uint64_t x = edge_key(of, a), y = edge_key(of, b);
    return x < y || (x == y && a < b);
}

/// Binary search: the first of the sorted corners with the edge `key`, and how many follow.
static uint32_t find_edge(const source* from, uint64_t key, uint32_t* count) {
    const uint32_t corners = 3 * from->triangle_count;
    uint32_t low = 0, high = corners;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (edge_key(from->indices, from->order[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }

    *count = 0;
    while (low + *count < corners && edge_key(from->indices, from->order[low + *count]) == key)
        ++*count;

    return low;
}

/// Every edge occurs as often in one direction as in the other: once, or more often where the two sides of a
/// flat hull share a diagonal. Leaves the corners sorted by edge in `order`.
static vn_status check_closed(source* from, vn_detail* detail) {
    const uint32_t corners = 3 * from->triangle_count;
    sort_order(from->order, corners, edge_before, from->indices);
    uint32_t count = 0, twins = 0;
    for (uint32_t i = 0; i < corners; i += count) {
        const uint64_t key = edge_key(from->indices, from->order[i]);
        const uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key, triangle = from->order[i] / 3;
        find_edge(from, key, &count);
        find_edge(from, twin_key(key), &twins);
        VNI_ASSERT(count > 0);

        // More edges in one direction than in the other: a flipped or double triangle; or a hole.
        if (count > twins && count > 1)
            return vni_fail_index(detail, VN_BAD_DATA, triangle,
                                  "triangles %u and %u of the hull have edge %u-%u in the same direction; "
                                  "turn the winding of one of them, or leave the double one out",
                                  triangle, from->order[i + 1] / 3, a, b);

        if (count > twins)
            return vni_fail_index(
                detail, VN_BAD_DATA, triangle,
                "triangle %u of the hull has no neighbour at edge %u-%u; close the hull, and share equal "
                "vertices between triangles",
                triangle, a, b);
    }

    return VN_OK;
}

// -------------------------------------------------------------------------------------------- convexity

typedef struct face {
    vni_vec a, normal; ///< the normal is not normalised: exact where the vertices have few digits
    double length;     ///< of the normal
    bool solid;        ///< higher than the tolerance over its longest edge: its plane is reliable
} face;

static face face_of(const source* from, uint32_t triangle) {
    VNI_ASSERT(triangle < from->triangle_count);

    const uint32_t* t = from->indices + 3 * (size_t)triangle;
    const vni_vec a = from->vertices[t[0]], b = from->vertices[t[1]], c = from->vertices[t[2]];
    const vni_vec ab = vni_sub(b, a), ac = vni_sub(c, a), normal = vni_cross(ab, ac);
    const double sides2[3] = {vni_length2(ab), vni_length2(ac), vni_length2(vni_sub(c, b))};
    double longest2 = sides2[0] > sides2[1] ? sides2[0] : sides2[1];
    longest2 = longest2 > sides2[2] ? longest2 : sides2[2];
    const double length = vni_length(normal);
    const face f = {a, normal, length, length > from->tolerance * sqrt(longest2)};

    return f;
}

/// Extremes of the vertices' heights above the faces' planes.
typedef struct standing {
    double out, in;            ///< greatest height in front of a face; greatest depth behind one
    uint32_t vertex, triangle; ///< where `out` is
    double thickness;          ///< least width of the hull along a face's normal; 0 if no face is solid
    bool skew;                 ///< a vertex is in front of a face that is not solid
} standing;

/// Is a vertex in front of a face that is not solid? Rounding may turn the plane of such a face anywhere, so
/// that is no reason to refuse the hull.
static bool faces_a_vertex(const source* from, const face* f) {
    bool faces = false;
    for (uint32_t i = 0; i < from->vertex_count && !faces; ++i)
        faces = vni_dot(f->normal, vni_sub(from->vertices[i], f->a)) > from->tolerance * f->length;
    return faces;
}

static void measure_face(const source* from, uint32_t triangle, standing* s) {
    const face f = face_of(from, triangle);
    if (!f.solid) {
        s->skew = s->skew || faces_a_vertex(from, &f);
        return;
    }

    // Heights of all vertices above this face's plane: the highest shows how convex, the lowest how thick the
    // hull is.
    double low = 0, high = 0;
    for (uint32_t i = 0; i < from->vertex_count; ++i) {
        const double height = vni_dot(f.normal, vni_sub(from->vertices[i], f.a)) / f.length;
        low = height < low ? height : low;
        high = height > high ? height : high;
        if (height > s->out) {
            s->out = height;
            s->vertex = i;
            s->triangle = triangle;
        }
    }

    s->in = -low > s->in ? -low : s->in;
    s->thickness = high - low < s->thickness ? high - low : s->thickness;
}

static standing measure(const source* from) {
    standing s = {.thickness = DBL_MAX};
    for (uint32_t i = 0; i < from->triangle_count; ++i)
        measure_face(from, i, &s);
    if (s.thickness == DBL_MAX)
        s.thickness = 0;
    return s;
}

static vn_status not_convex(uint32_t vertex, double distance, uint32_t triangle, vn_detail* detail) {
    return vni_fail_index(detail, VN_BAD_DATA, vertex,
                          "the hull is not convex: vertex %u stands out of triangle %u by %g m; "
                          "cut it into convex parts, or add it as a mesh",
                          vertex, triangle, distance);
}

/// Refuses a flat hull with a vertex beyond the edge at `corner`, which is part of its outline.
static vn_status check_outline_edge(const source* from, uint32_t corner, const face* f, vn_detail* detail) {
    const uint64_t key = edge_key(from->indices, corner);
    const vni_vec start = from->vertices[key >> 32];
    const vni_vec edge = vni_sub(from->vertices[(uint32_t)key], start);
    const vni_vec outward = vni_cross(edge, f->normal);

    const double length = vni_length(outward);
    for (uint32_t i = 0; i < from->vertex_count; ++i) {
        const double beyond = vni_dot(outward, vni_sub(from->vertices[i], start)) / length;
        if (beyond > from->tolerance)
            return not_convex(i, beyond, corner / 3, detail);
    }

    return VN_OK;
}

/// Is the edge part of a flat hull's outline: do all triangles beyond it belong to the hull's other side?
static bool is_outline(const source* from, uint32_t corner) {
    VNI_ASSERT(corner < 3 * from->triangle_count);

    const face here = face_of(from, corner / 3);
    uint32_t count = 0;
    const uint32_t first = find_edge(from, twin_key(edge_key(from->indices, corner)), &count);
    VNI_ASSERT(count > 0);

    bool outline = here.solid;
    for (uint32_t i = 0; i < count && outline; ++i) {
        const face there = face_of(from, from->order[first + i] / 3);
        outline = there.solid && vni_dot(here.normal, there.normal) < 0;
    }

    return outline;
}

/// All vertices of a flat hull lie near the planes of all faces: these do not detect a notch in its outline.
static vn_status check_outline(const source* from, vn_detail* detail) {
    vn_status status = VN_OK;
    for (uint32_t corner = 0; corner < 3 * from->triangle_count && status == VN_OK; ++corner) {
        const face f = face_of(from, corner / 3);
        if (is_outline(from, corner))
            status = check_outline_edge(from, corner, &f, detail);
    }

    return status;
}

/// Sets hull->flat and hull->skew.
static vn_status check_convex(const source* from, vni_hull* hull, vn_detail* detail) {
    const standing s = measure(from);
    hull->flat = s.thickness <= from->tolerance;
    hull->skew = s.skew;
    if (s.out <= from->tolerance)
        return hull->flat ? check_outline(from, detail) : VN_OK;

    // Nothing behind any face, but something in front: all faces are turned.
    if (s.in <= from->tolerance)
        return vni_fail(
            detail, VN_BAD_DATA,
            "the hull is inside out: its triangles are clockwise seen from outside; flip the winding of "
            "all of them");

    return not_convex(s.vertex, s.out, s.triangle, detail);
}

// ------------------------------------------------------------------------------------------- directions

static bool direction_before(const void* of, uint32_t a, uint32_t b) {
    const direction* directions = of;
    const double x = vni_abs(directions[a].unit.x), y = vni_abs(directions[b].unit.x);
    return x < y || (x == y && a < b);
}

static bool is_same(const direction* a, const direction* b) {
    return vni_length2(vni_cross(a->unit, b->unit)) <= SAME_DIRECTION * SAME_DIRECTION;
}

/// Keeps one of each set of parallel or antiparallel directions, at the front of `order`; returns their
/// number. Sorted by |x|: only directions kept lately, with |x| within the tolerance, can be the same.
static uint32_t drop_parallel(const direction* directions, uint32_t count, uint32_t* order) {
    VNI_ASSERT(order != NULL && (directions != NULL || count == 0));

    sort_order(order, count, direction_before, directions);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const direction* d = &directions[order[i]];
        const double least = vni_abs(d->unit.x) - 2 * SAME_DIRECTION;
        bool found = false;
        for (uint32_t k = kept; k-- > 0 && !found && vni_abs(directions[order[k]].unit.x) >= least;)
            found = is_same(d, &directions[order[k]]);

        if (!found)
            order[kept++] = order[i];
    }

    return kept;
}

/// Appends `raw`, unless it is zero.
static uint32_t add_direction(direction* directions, uint32_t count, vni_vec raw) {
    const double length = vni_length(raw);
    if (!(length > 0))
        return count;
    directions[count].raw = raw;
    directions[count].unit = vni_v(raw.x / length, raw.y / length, raw.z / length);
    return count + 1;
}

static uint32_t collect_normals(const source* from) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->triangle_count; ++i) {
        const uint32_t* t = from->indices + 3 * (size_t)i;
        const vni_vec a = from->vertices[t[0]];
        count = add_direction(from->normals, count,
                              vni_cross(vni_sub(from->vertices[t[1]], a), vni_sub(from->vertices[t[2]], a)));
    }

    return count;
}

static void find_supports(const source* from, vni_vec axis, uint32_t out[2]) {
    VNI_ASSERT(from->vertex_count > 0 && vni_length2(axis) > 0);

    const vni_vec first = from->vertices[0];
    double low = 0, high = 0;
    out[0] = out[1] = 0;
    for (uint32_t i = 1; i < from->vertex_count; ++i) {
        const double at = vni_dot(axis, vni_sub(from->vertices[i], first));
        if (at < low) {
            low = at;
            out[0] = i;
        }

        if (at > high) {
            high = at;
            out[1] = i;
        }
    }
}

// ------------------------------------------------------------------------------------------------ making

static uint64_t block_bytes(const vni_hull* hull) {
    const uint64_t vectors = (uint64_t)hull->vertex_count + hull->normal_count;
    const uint64_t numbers = 3 * (uint64_t)hull->triangle_count + 2 * (uint64_t)hull->normal_count;
    return vectors * sizeof(vni_vec) + numbers * sizeof(uint32_t);
}

/// Makes the hull in one block: vertices, normals, indices, supports. Doubles first, so that all are aligned.
/// `hull` has its flags.
static vn_status build(const vn_allocator* allocator, source* from, vni_hull hull, vni_hull* out,
                       vn_detail* detail) {
    const uint32_t normals = collect_normals(from);
    hull.vertex_count = from->vertex_count;
    hull.triangle_count = from->triangle_count;
    hull.normal_count = drop_parallel(from->normals, normals, from->order);
    vni_vec* block = vni_alloc(allocator, block_bytes(&hull), 1);

    if (block == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a hull of %u vertices", hull.vertex_count);
    vni_vec* to_normals = block + hull.vertex_count;
    uint32_t* to_indices = (uint32_t*)(void*)(to_normals + hull.normal_count);
    uint32_t* to_supports = to_indices + 3 * (size_t)hull.triangle_count;
    memcpy(block, from->vertices, hull.vertex_count * sizeof *block);

    memcpy(to_indices, from->indices, 3 * (size_t)hull.triangle_count * sizeof *to_indices);
    for (uint32_t i = 0; i < hull.normal_count; ++i) {
        to_normals[i] = from->normals[from->order[i]].raw;
        find_supports(from, to_normals[i], to_supports + 2 * (size_t)i);
    }

    hull.vertices = block;
    hull.normals = to_normals;
    hull.indices = to_indices;
    hull.supports = to_supports;
    *out = hull;

    return VN_OK;
}

static vn_status check_and_build(const vn_allocator* allocator, source* from, vni_hull* out,
                                 vn_detail* detail) {
    vni_hull hull = {0};
    vn_status status = check_vertices(from, detail);
    if (status == VN_OK)
        status = check_indices(from, detail);
    if (status == VN_OK)
        status = check_used(from, detail);
    if (status == VN_OK)
        status = check_closed(from, detail);
    if (status == VN_OK)
        status = check_convex(from, &hull, detail);

    return status == VN_OK ? build(allocator, from, hull, out, detail) : status;
}

vn_status vni_hull_make(const vn_allocator* allocator, const vn_vec3* vertices, uint32_t vertex_count,
                        const uint32_t* indices, uint32_t triangle_count, double tolerance, vni_hull* out,
                        vn_detail* detail) {
    VNI_ASSERT(out != NULL && tolerance >= 0);

    *out = (vni_hull){0};
    if (vertex_count == 0 || triangle_count == 0)
        return vni_fail(detail, VN_BAD_DATA, "the hull is empty: it has %u vertices and %u triangles",
                        vertex_count, triangle_count);

    if (triangle_count > UINT32_MAX / 3)
        return vni_fail(detail, VN_TOO_LARGE, "a hull may have %u triangles at most", UINT32_MAX / 3);
    VNI_ASSERT(vertices != NULL && indices != NULL);

    const uint64_t corners = 3 * (uint64_t)triangle_count;
    source from = {.indices = indices,
                   .vertex_count = vertex_count,
                   .triangle_count = triangle_count,
                   .tolerance = tolerance};
    from.vertices = VNI_NEW_ARRAY(allocator, vni_vec, vertex_count);
    from.order = VNI_NEW_ARRAY(allocator, uint32_t, corners);
    from.normals = VNI_NEW_ARRAY(allocator, direction, triangle_count);

    vn_status status = VN_OUT_OF_MEMORY;
    if (from.vertices != NULL && from.order != NULL && from.normals != NULL) {
        for (uint32_t i = 0; i < vertex_count; ++i)
            from.vertices[i] = vni_v_from(vertices[i]);
        status = check_and_build(allocator, &from, out, detail);
    } else {
        status =
            vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to check a hull of %u triangles", triangle_count);
    }

    VNI_DELETE_ARRAY(allocator, from.vertices, vertex_count);
    VNI_DELETE_ARRAY(allocator, from.order, corners);
    VNI_DELETE_ARRAY(allocator, from.normals, triangle_count);
    return status;
}

void vni_hull_free(const vn_allocator* allocator, vni_hull* hull) {
    VNI_ASSERT(hull != NULL);
    // The block begins with the vertices; it was ours to write.
    vni_free(allocator, (void*)(uintptr_t)hull->vertices, block_bytes(hull), 1);
    *hull = (vni_hull){0};
}

size_t vni_hull_bytes(const vni_hull* hull) {
    return (size_t)block_bytes(hull);
}

vni_hull vni_hull_to_frame(const vni_hull* hull, vni_vec low, double scale, vni_vec* vertices) {
    VNI_ASSERT(scale > 0 && vertices != NULL);
    vni_hull image = *hull;
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        vertices[i] = vni_scale(vni_sub(hull->vertices[i], low), scale);
    image.vertices = vertices;
    return image;
}
