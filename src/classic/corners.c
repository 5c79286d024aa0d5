/// classic/corners.c: welds vertices, finds the edges between faces that are not in one plane, and
/// the direction in which each corner points.
#include "classic/corners.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/sort.h"
#include "geom/shapes.h"

#include <string.h>

/// Normals whose cosine is above this count as one: triangles of one flat face.
#define SAME_PLANE (1 - 1e-6)

/// Triangles of any shape, with welded vertices.
typedef struct soup {
    const vn_allocator* allocator;
    vni_vec* vertices; ///< after welding: ascending, different
    uint32_t (*triangles)[3];
    vni_vec* normals; ///< by triangle, unit
    uint32_t vertex_count, vertex_capacity, triangle_count, triangle_capacity;
} soup;

/// One side of a triangle: the edge between two vertices, the lower one first.
typedef struct side {
    uint32_t a, b, triangle;
} side;

// ------------------------------------------------------------------------------------------ shapes to soups

static bool make_soup(soup* s, uint32_t vertices, uint32_t triangles) {
    s->vertex_count = s->vertex_capacity = vertices;
    s->triangle_count = s->triangle_capacity = triangles;
    s->vertices = VNI_NEW_ARRAY(s->allocator, vni_vec, vertices);
    s->triangles = (uint32_t(*)[3])vni_alloc(s->allocator, triangles, sizeof *s->triangles);
    s->normals = VNI_NEW_ARRAY(s->allocator, vni_vec, triangles);
    return s->vertices != NULL && s->triangles != NULL && s->normals != NULL;
}

static void free_soup(soup* s) {
    VNI_DELETE_ARRAY(s->allocator, s->vertices, s->vertex_capacity);
    VNI_DELETE_ARRAY(s->allocator, s->triangles, s->triangle_capacity);
    VNI_DELETE_ARRAY(s->allocator, s->normals, s->triangle_capacity);
}

/// Two triangles for each side of a box, counter-clockwise seen from outside; corner i has bit 0 for high x.
static const uint32_t box_triangles[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};

/// The box center + axes[i] * (-1 .. 1).
static bool box_soup(soup* s, vni_vec center, const vni_vec axes[3]) {
    if (!make_soup(s, 8, 12))
        return false;

    for (uint32_t i = 0; i < 8; ++i) {
        vni_vec v = center;
        for (uint32_t axis = 0; axis < 3; ++axis)
            v = vni_add_scaled(v, axes[axis], i >> axis & 1 ? 1 : -1);
        s->vertices[i] = v;
    }

    memcpy(s->triangles, box_triangles, sizeof box_triangles);
    return true;
}

static bool aligned_soup(soup* s, vni_vec low, vni_vec high) {
    const vni_vec half = vni_scale(vni_sub(high, low), 0.5);
    const vni_vec axes[3] = {{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}};
    return box_soup(s, vni_scale(vni_add(low, high), 0.5), axes);
}

static bool oriented_soup(soup* s, const vn_shape* shape) {
    const vn_vec3 half = shape->as.oriented.half;
    vni_vec axes[3];
    vni_quat_axes(shape->as.oriented.rotation, axes);
    axes[0] = vni_scale(axes[0], (double)half.x);
    axes[1] = vni_scale(axes[1], (double)half.y);
    axes[2] = vni_scale(axes[2], (double)half.z);
    return box_soup(s, vni_v_from(shape->as.oriented.center), axes);
}

/// The box around a ball that moves from a to b.
static bool round_soup(soup* s, vn_vec3 a, vn_vec3 b, float radius) {
    const double r = (double)radius;
    const vni_vec low = vni_min(vni_v_from(a), vni_v_from(b)), high = vni_max(vni_v_from(a), vni_v_from(b));
    return aligned_soup(s, vni_sub(low, vni_v(r, r, r)), vni_add(high, vni_v(r, r, r)));
}

static bool triangle_soup(soup* s, const vn_vec3* vertices, uint32_t vertex_count, const uint32_t* indices,
                          uint32_t triangle_count) {
    if (!make_soup(s, vertex_count, triangle_count))
        return false;
    for (uint32_t i = 0; i < vertex_count; ++i)
        s->vertices[i] = vni_v_from(vertices[i]);
    memcpy(s->triangles, indices, triangle_count * sizeof *s->triangles);
    return true;
}

/// False if memory runs out. Voxel sets give nothing.
static bool soup_of(soup* s, const vn_shape* shape) {
    switch (shape->kind) {
    case VN_SHAPE_BOX: return aligned_soup(s, vni_v_from(shape->as.box.min), vni_v_from(shape->as.box.max));
    case VN_SHAPE_ORIENTED: return oriented_soup(s, shape);
    case VN_SHAPE_SPHERE:
        return round_soup(s, shape->as.sphere.center, shape->as.sphere.center, shape->as.sphere.radius);
    case VN_SHAPE_CAPSULE:
        return round_soup(s, shape->as.capsule.a, shape->as.capsule.b, shape->as.capsule.radius);
    case VN_SHAPE_CYLINDER:
        return round_soup(s, shape->as.cylinder.a, shape->as.cylinder.b, shape->as.cylinder.radius);
    case VN_SHAPE_HULL:
        return triangle_soup(s, shape->as.hull.vertices, shape->as.hull.vertex_count, shape->as.hull.indices,
                             shape->as.hull.triangle_count);
    case VN_SHAPE_MESH:
        return triangle_soup(s, shape->as.mesh.vertices, shape->as.mesh.vertex_count, shape->as.mesh.indices,
                             shape->as.mesh.triangle_count);
    case VN_SHAPE_VOXELS: break;
    }

    return true;
}

// -------------------------------------------------------------------------------------------------- sorting

static int compare_vec(const void* a, const void* b) {
    const vni_vec *p = (const vni_vec*)a, *q = (const vni_vec*)b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->z < q->z ? -1 : p->z > q->z;
}

static int compare_side(const void* a, const void* b) {
    const side *p = (const side*)a, *q = (const side*)b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

// -------------------------------------------------------------------------------------------------- welding

/// The place of a vertex among the welded ones.
static uint32_t find_vertex(const vni_vec* sorted, uint32_t count, const vni_vec* v) {
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_vec(&sorted[middle], v) <= 0)
            low = middle;
        else
            high = middle;
    }

    return low;
}

/// Vertices at the same place become one. False if memory runs out.
static bool weld(soup* s) {
    vni_vec* sorted = VNI_NEW_ARRAY(s->allocator, vni_vec, s->vertex_count);
    if (sorted == NULL)
        return false;

    vni_vec spare;
    memcpy(sorted, s->vertices, s->vertex_count * sizeof *sorted);
    vni_sort(sorted, s->vertex_count, sizeof *sorted, compare_vec, &spare);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->vertex_count; ++i)
        if (count == 0 || compare_vec(&sorted[count - 1], &sorted[i]) != 0)
            sorted[count++] = sorted[i];

    for (uint32_t t = 0; t < s->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            s->triangles[t][k] = find_vertex(sorted, count, &s->vertices[s->triangles[t][k]]);
    memcpy(s->vertices, sorted, count * sizeof *sorted);
    VNI_DELETE_ARRAY(s->allocator, sorted, s->vertex_capacity);
    s->vertex_count = count;
    return true;
}

/// Normals of all triangles; those without area are dropped.
static void measure(soup* s) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        const vni_vec a = s->vertices[s->triangles[t][0]];
        const vni_vec n = vni_cross(vni_sub(s->vertices[s->triangles[t][1]], a),
                                    vni_sub(s->vertices[s->triangles[t][2]], a));
        const double length = vni_length(n);
        if (!(length > 0))
            continue;
        memmove(s->triangles[count], s->triangles[t], sizeof *s->triangles);
        s->normals[count++] = vni_scale(n, 1 / length);
    }

    s->triangle_count = count;
}

// ------------------------------------------------------------------------------------------ edges and
// corners

static void list_sides(const soup* s, side* out) {
    for (uint32_t t = 0; t < s->triangle_count; ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = s->triangles[t][k], b = s->triangles[t][(k + 1) % 3];
            *out++ = (side){a < b ? a : b, a < b ? b : a, t};
        }
}

/// Do the sides [first, end) of one edge lie in one plane? An edge of a single triangle is the rim of a mesh.
static bool is_flat(const soup* s, const side* sides, uint32_t first, uint32_t end) {
    for (uint32_t i = first + 1; i < end; ++i)
        if (vni_dot(s->normals[sides[first].triangle], s->normals[sides[i].triangle]) < SAME_PLANE)
            return false;
    return end - first > 1;
}

/// Moves the edges that are no part of a flat face to the front, once each; returns how many there are.
static uint32_t keep_edges(const soup* s, side* sides, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1;
             end < count && sides[end].a == sides[first].a && sides[end].b == sides[first].b;)
            ++end;
        if (!is_flat(s, sides, first, end))
            sides[kept++] = sides[first];
    }

    return kept;
}

/// The sum of the normals of the faces at each vertex: of triangles in one plane one counts. `seen` lists,
/// vertex by vertex, the triangles that do: sides are three a triangle, and so are these entries.
static void sum_normals(const soup* s, vni_vec* sums, uint32_t* heads, uint32_t* next) {
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        sums[v] = vni_v(0, 0, 0);
        heads[v] = UINT32_MAX;
    }

    for (uint32_t t = 0; t < s->triangle_count; ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t v = s->triangles[t][k];
            bool known = false;
            for (uint32_t i = heads[v]; i != UINT32_MAX && !known; i = next[i])
                known = vni_dot(s->normals[i / 3], s->normals[t]) >= SAME_PLANE;
            if (known)
                continue;
            next[3 * t + k] = heads[v];
            heads[v] = 3 * t + k;
            sums[v] = vni_add(sums[v], s->normals[t]);
        }
}

/// Numbers the vertices that an edge ends at and whose direction is defined; `numbers` of others are
/// UINT32_MAX.
static uint32_t number_corners(const soup* s, const side* edges, uint32_t edge_count, const vni_vec* sums,
                               uint32_t* numbers) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->vertex_count; ++v)
        numbers[v] = UINT32_MAX;
    for (uint32_t i = 0; i < edge_count; ++i)
        numbers[edges[i].a] = numbers[edges[i].b] = 0;

    // Normals of a thin sheet's two sides cancel out.
    for (uint32_t v = 0; v < s->vertex_count; ++v)
        if (numbers[v] == 0)
            numbers[v] = vni_length(sums[v]) > 1e-3 ? count++ : UINT32_MAX;
    return count;
}

/// Working memory of find_corners.
typedef struct workbench {
    side* sides;
    vni_vec* sums;
    uint32_t *heads, *next, *numbers;
    uint32_t side_count, vertex_count;
} workbench;

static bool make_workbench(const soup* s, workbench* w) {
    *w = (workbench){.side_count = 3 * s->triangle_count, .vertex_count = s->vertex_count};
    w->sides = VNI_NEW_ARRAY(s->allocator, side, w->side_count);
    w->next = VNI_NEW_ARRAY(s->allocator, uint32_t, w->side_count);
    w->sums = VNI_NEW_ARRAY(s->allocator, vni_vec, w->vertex_count);
    w->heads = VNI_NEW_ARRAY(s->allocator, uint32_t, w->vertex_count);
    w->numbers = VNI_NEW_ARRAY(s->allocator, uint32_t, w->vertex_count);
    return w->sides != NULL && w->next != NULL && w->sums != NULL && w->heads != NULL && w->numbers != NULL;
}

static void free_workbench(const soup* s, workbench* w) {
    VNI_DELETE_ARRAY(s->allocator, w->sides, w->side_count);
    VNI_DELETE_ARRAY(s->allocator, w->next, w->side_count);
    VNI_DELETE_ARRAY(s->allocator, w->sums, w->vertex_count);
    VNI_DELETE_ARRAY(s->allocator, w->heads, w->vertex_count);
    VNI_DELETE_ARRAY(s->allocator, w->numbers, w->vertex_count);
}

/// Copies what counts. False if memory runs out.
static bool fill_corners(const soup* s, const workbench* w, uint32_t edge_count, uint32_t corner_count,
                         vni_corners* out) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < edge_count; ++i)
        edges += w->numbers[w->sides[i].a] != UINT32_MAX && w->numbers[w->sides[i].b] != UINT32_MAX;

    out->count = corner_count;
    out->edge_count = edges;
    out->at = VNI_NEW_ARRAY(s->allocator, vni_vec, corner_count);
    out->out = VNI_NEW_ARRAY(s->allocator, vni_vec, corner_count);
    out->edges = (uint32_t(*)[2])vni_alloc(s->allocator, edges, sizeof *out->edges);
    if ((corner_count > 0 && (out->at == NULL || out->out == NULL)) || (edges > 0 && out->edges == NULL))
        return false;

    for (uint32_t v = 0; v < s->vertex_count; ++v)
        if (w->numbers[v] != UINT32_MAX) {
            out->at[w->numbers[v]] = s->vertices[v];
            out->out[w->numbers[v]] = vni_scale(w->sums[v], 1 / vni_length(w->sums[v]));
        }

    for (uint32_t i = 0, at = 0; i < edge_count; ++i) {
        const uint32_t a = w->numbers[w->sides[i].a], b = w->numbers[w->sides[i].b];
        if (a == UINT32_MAX || b == UINT32_MAX)
            continue;
        out->edges[at][0] = a;
        out->edges[at++][1] = b;
    }

    return true;
}

static bool find_corners(const soup* s, vni_corners* out) {
    workbench w;
    if (s->triangle_count == 0)
        return true;
    bool made = make_workbench(s, &w);
    if (made) {
        side spare;
        list_sides(s, w.sides);
        vni_sort(w.sides, w.side_count, sizeof *w.sides, compare_side, &spare);
        const uint32_t edges = keep_edges(s, w.sides, w.side_count);
        sum_normals(s, w.sums, w.heads, w.next);
        made = fill_corners(s, &w, edges, number_corners(s, w.sides, edges, w.sums, w.numbers), out);
    }

    free_workbench(s, &w);
    return made;
}

/// Directions of faces, each once. False if memory runs out.
static bool list_normals(const soup* s, vni_corners* out) {
    out->normal_capacity = s->triangle_count;
    out->normals = VNI_NEW_ARRAY(s->allocator, vni_vec, s->triangle_count);
    if (s->triangle_count > 0 && out->normals == NULL)
        return false;

    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        bool known = false;
        for (uint32_t i = 0; i < out->normal_count && !known; ++i)
            known = vni_abs(vni_dot(out->normals[i], s->normals[t])) >= SAME_PLANE;
        if (!known)
            out->normals[out->normal_count++] = s->normals[t];
    }
    return true;
}

vn_status vni_corners_make(const vn_allocator* allocator, const vn_shape* shape, bool normals,
                           vni_corners* out) {
    soup s = {.allocator = allocator};
    *out = (vni_corners){.allocator = *allocator};
    bool made = soup_of(&s, shape);
    if (made && s.triangle_count > 0) {
        made = weld(&s);
        if (made)
            measure(&s);
    }

    made = made && find_corners(&s, out) && (!normals || list_normals(&s, out));
    free_soup(&s);
    if (!made)
        vni_corners_free(out);
    return made ? VN_OK : VN_OUT_OF_MEMORY;
}

void vni_corners_free(vni_corners* corners) {
    if (corners->at != NULL)
        VNI_DELETE_ARRAY(&corners->allocator, corners->at, corners->count);
    if (corners->out != NULL)
        VNI_DELETE_ARRAY(&corners->allocator, corners->out, corners->count);
    if (corners->edges != NULL)
        VNI_DELETE_ARRAY(&corners->allocator, corners->edges, corners->edge_count);
    if (corners->normals != NULL)
        VNI_DELETE_ARRAY(&corners->allocator, corners->normals, corners->normal_capacity);
    *corners = (vni_corners){0};
}
