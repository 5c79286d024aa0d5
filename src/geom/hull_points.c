/// geom/hull_points.c: the convex hull of points, one after the other in the order of their coordinates.
///
/// Each new point lies outside the hull of those before it, and sees a facet at the last one: the facets that
/// it sees are found from there, and replaced by a fan to their outline. A facet in whose plane the point
/// lies does not count as seen, so no triangle is without area. All decisions are exact (predicates.h):
/// nothing can contradict itself.
///
/// The first pass leaves corners in faces and on edges, where later points were in one plane with others. So
/// the extreme points are taken from it, and a second pass makes the hull of these alone.
#include "geom/hull_points.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "geom/predicates.h"
#include <string.h>

#define NONE UINT32_MAX

/// A triangle, counter-clockwise from outside. next[i] is the facet beyond the edge from v[i] to v[i + 1].
typedef struct facet {
    uint32_t v[3], next[3];
    uint32_t seen_by; ///< the point that saw it, and removed it
} facet;

/// An edge of the outline of what a point sees: from a to b, with the facet beyond.
typedef struct outline {
    uint32_t a, b, beyond;
} outline;

typedef struct builder {
    vn_vec3* points; ///< sorted, without duplicates
    uint32_t count;
    facet* facets; ///< 2 a point: as many as a hull can have, and no more live at a time
    outline* outlines;
    uint32_t* stack;   ///< facets to visit; also the ones that are free
    uint32_t* by_from; ///< by point: the new facet whose first corner it is
    uint32_t facet_count, free_count, capacity;
    uint32_t* free;
} builder;

// ------------------------------------------------------------------------------------------------ sorting

static bool is_before(const vn_vec3* a, const vn_vec3* b) {
    if (a->x != b->x)
        return a->x < b->x;
    return a->y != b->y ? a->y < b->y : a->z < b->z;
}

static void sift_down(vn_vec3* points, uint32_t at, uint32_t count) {
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && is_before(&points[child], &points[child + 1]))
            ++child;
        if (!is_before(&points[at], &points[child]))
            return;

        vn_vec3 t = points[at];
        points[at] = points[child];
        points[child] = t;
        at = (uint32_t)child;
    }
}

/// Heapsort; then drops points that are equal to the one before. -0 becomes 0.
static void sort_points(builder* b) {
    for (uint32_t i = 0; i < b->count; ++i) {
        vn_vec3* p = &b->points[i];
        *p = (vn_vec3){p->x + 0.0f, p->y + 0.0f, p->z + 0.0f};
    }

    for (uint32_t i = b->count / 2; i-- > 0;)
        sift_down(b->points, i, b->count);
    for (uint32_t end = b->count; end > 1; --end) {
        vn_vec3 t = b->points[0];
        b->points[0] = b->points[end - 1];
        b->points[end - 1] = t;
        sift_down(b->points, 0, end - 1);
    }

    uint32_t kept = 1;
    for (uint32_t i = 1; i < b->count; ++i) {
        if (is_before(&b->points[kept - 1], &b->points[i]))
            b->points[kept++] = b->points[i];
    }
    b->count = kept;
}

// ------------------------------------------------------------------------------------------------- facets

static uint32_t take_facet(builder* b) {
    if (b->free_count > 0)
        return b->free[--b->free_count];
    VNI_ASSERT(b->facet_count < b->capacity);
    return b->facet_count++;
}

static bool sees(const builder* b, uint32_t point, uint32_t at) {
    const uint32_t* v = b->facets[at].v;
    return vni_side_of_plane(b->points[v[0]], b->points[v[1]], b->points[v[2]], b->points[point]) > 0;
}

static bool is_live(const facet* f) {
    return f->seen_by == NONE;
}

/// Removes all that the point sees, beginning with the facet `first`; the outline of it goes to b->outlines.
static uint32_t remove_seen(builder* b, uint32_t point, uint32_t first) {
    uint32_t waiting = 0, edges = 0;
    b->facets[first].seen_by = point;
    b->stack[waiting++] = first;
    while (waiting > 0) {
        uint32_t at = b->stack[--waiting];
        const facet* f = &b->facets[at];
        for (uint32_t i = 0; i < 3; ++i) {
            facet* beyond = &b->facets[f->next[i]];
            if (beyond->seen_by == point)
                continue;
            if (sees(b, point, f->next[i])) {
                beyond->seen_by = point;
                b->stack[waiting++] = f->next[i];
            } else {
                b->outlines[edges++] = (outline){f->v[i], f->v[i == 2 ? 0 : i + 1], f->next[i]};
            }
        }

        b->free[b->free_count++] = at;
    }

    return edges;
}

/// Makes the facet beyond an edge point to the new one on this side.
static void join_beyond(builder* b, const outline* edge, uint32_t at) {
    facet* beyond = &b->facets[edge->beyond];
    for (uint32_t i = 0; i < 3; ++i) {
        if (beyond->v[i] == edge->b && beyond->v[i == 2 ? 0 : i + 1] == edge->a)
            beyond->next[i] = at;
    }
}

/// Replaces all that the point sees by a fan; `first` is one of the facets that it sees. Returns a facet at
/// the point.
static uint32_t insert(builder* b, uint32_t point, uint32_t first) {
    uint32_t edges = remove_seen(b, point, first), last = NONE;
    for (uint32_t i = 0; i < edges; ++i) {
        const outline* edge = &b->outlines[i];
        last = take_facet(b);
        b->facets[last] = (facet){{edge->a, edge->b, point}, {edge->beyond, NONE, NONE}, NONE};
        join_beyond(b, edge, last);
        b->by_from[edge->a] = last;
    }

    // The outline is one loop: the facet after the one from a to b is the one from b.
    for (uint32_t i = 0; i < edges; ++i) {
        uint32_t at = b->by_from[b->outlines[i].a], after = b->by_from[b->outlines[i].b];
        b->facets[at].next[1] = after;
        b->facets[after].next[2] = at;
    }

    VNI_ASSERT(last != NONE);
    return last;
}

// ------------------------------------------------------------------------------------------------ passes

/// The first four points that span space, in `corner`. A later one lies in no plane with those before.
static vni_span find_corners(const builder* b, uint32_t corner[4]) {
    const vn_vec3* p = b->points;
    if (b->count < 2)
        return VNI_SPAN_POINT;
    corner[0] = 0;
    corner[1] = 1;
    corner[2] = 2;
    while (corner[2] < b->count && vni_are_collinear(p[0], p[1], p[corner[2]]))
        ++corner[2];

    if (corner[2] >= b->count)
        return VNI_SPAN_LINE;
    corner[3] = corner[2] + 1;
    while (corner[3] < b->count && vni_side_of_plane(p[0], p[1], p[corner[2]], p[corner[3]]) == 0)
        ++corner[3];

    return corner[3] < b->count ? VNI_SPAN_SPACE : VNI_SPAN_PLANE;
}

/// The tetrahedron of four points.
static void make_first(builder* b, const uint32_t corner[4]) {
    uint32_t v[4] = {corner[0], corner[1], corner[2], corner[3]};
    if (vni_side_of_plane(b->points[v[0]], b->points[v[1]], b->points[v[2]], b->points[v[3]]) > 0) {
        v[1] = corner[2];
        v[2] = corner[1];
    }

    // Seen from outside: the base 0 1 2, away from corner 3, and a side on each of its edges.
    const facet first[4] = {{{v[0], v[1], v[2]}, {1, 2, 3}, NONE},
                            {{v[1], v[0], v[3]}, {0, 3, 2}, NONE},
                            {{v[2], v[1], v[3]}, {0, 1, 3}, NONE},
                            {{v[0], v[2], v[3]}, {0, 2, 1}, NONE}};
    memcpy(b->facets, first, sizeof first);
    b->facet_count = 4;
    b->free_count = 0;
}

/// Any facet that the point sees; NONE if it lies within the hull.
static uint32_t find_seen(const builder* b, uint32_t point) {
    for (uint32_t i = 0; i < b->facet_count; ++i) {
        if (is_live(&b->facets[i]) && sees(b, point, i))
            return i;
    }
    return NONE;
}

static uint32_t find_facet_at(const builder* b, uint32_t point) {
    for (uint32_t i = 0; i < b->facet_count; ++i) {
        const uint32_t* v = b->facets[i].v;
        if (is_live(&b->facets[i]) && (v[0] == point || v[1] == point || v[2] == point))
            return i;
    }
    VNI_ASSERT(false); // the greatest point of all is a corner
    return 0;
}

/// A facet at corner `last` that the point sees, going around that corner from the facet `at`.
static uint32_t find_seen_around(const builder* b, uint32_t last, uint32_t at, uint32_t point) {
    for (uint32_t turns = 0; !sees(b, point, at); ++turns) {
        const facet* f = &b->facets[at];
        VNI_ASSERT(turns <= b->facet_count);
        at = f->v[0] == last ? f->next[0] : f->v[1] == last ? f->next[1] : f->next[2];
    }
    return at;
}

/// Points before the fourth corner lie in one plane, in no useful order: each is tried against all facets.
/// From there on the last point is a corner, and the next one sees a facet at it.
static vni_span build(builder* b) {
    uint32_t corner[4];
    vni_span span = find_corners(b, corner);
    if (span != VNI_SPAN_SPACE)
        return span;

    make_first(b, corner);
    for (uint32_t i = 2; i < corner[3]; ++i) {
        uint32_t seen = i == corner[2] ? NONE : find_seen(b, i);
        if (seen != NONE)
            insert(b, i, seen);
    }

    uint32_t at = find_facet_at(b, corner[3]);
    for (uint32_t i = corner[3] + 1; i < b->count; ++i)
        at = insert(b, i, find_seen_around(b, i - 1, at, i));
    return VNI_SPAN_SPACE;
}

/// Keeps the points where three or more edges meet that do not lie within a face.
static void keep_extreme(builder* b) {
    memset(b->by_from, 0, b->count * sizeof *b->by_from);
    for (uint32_t i = 0; i < b->facet_count; ++i) {
        const facet* f = &b->facets[i];
        for (uint32_t k = 0; is_live(f) && k < 3; ++k) {
            const uint32_t *v = f->v, *w = b->facets[f->next[k]].v;
            uint32_t from = v[k], to = v[k == 2 ? 0 : k + 1];
            uint32_t over = w[0] != from && w[0] != to ? w[0] : w[1] != from && w[1] != to ? w[1] : w[2];
            b->by_from[from] +=
                vni_side_of_plane(b->points[v[0]], b->points[v[1]], b->points[v[2]], b->points[over]) != 0;
        }
    }

    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        if (b->by_from[i] >= 3)
            b->points[kept++] = b->points[i];
    }
    b->count = kept;
}

// ------------------------------------------------------------------------------------------------- whole

static bool allocate(const vn_allocator* allocator, const vn_vec3* points, builder* b) {
    b->capacity = 2 * b->count + 4;
    b->points = VNI_NEW_ARRAY(allocator, vn_vec3, b->count);
    b->facets = VNI_NEW_ARRAY(allocator, facet, b->capacity);
    b->outlines = VNI_NEW_ARRAY(allocator, outline, b->capacity);
    b->stack = VNI_NEW_ARRAY(allocator, uint32_t, b->capacity);
    b->free = VNI_NEW_ARRAY(allocator, uint32_t, b->capacity);
    b->by_from = VNI_NEW_ARRAY(allocator, uint32_t, b->count);
    if (b->points != NULL)
        memcpy(b->points, points, b->count * sizeof *points);
    return b->points != NULL && b->facets != NULL && b->outlines != NULL && b->stack != NULL &&
           b->free != NULL && b->by_from != NULL;
}

static void release(const vn_allocator* allocator, builder* b, uint32_t count) {
    VNI_DELETE_ARRAY(allocator, b->points, count);
    VNI_DELETE_ARRAY(allocator, b->facets, b->capacity);
    VNI_DELETE_ARRAY(allocator, b->outlines, b->capacity);
    VNI_DELETE_ARRAY(allocator, b->stack, b->capacity);
    VNI_DELETE_ARRAY(allocator, b->free, b->capacity);
    VNI_DELETE_ARRAY(allocator, b->by_from, count);
}

/// Euler: a closed surface of triangles around n corners has 2 n - 4 of them.
static vn_status hand_over(const vn_allocator* allocator, const builder* b, vni_hull_mesh* out) {
    out->vertex_count = b->count;
    out->triangle_count = 2 * b->count - 4;
    out->vertices = VNI_NEW_ARRAY(allocator, vn_vec3, out->vertex_count);
    out->indices = VNI_NEW_ARRAY(allocator, uint32_t, 3 * (uint64_t)out->triangle_count);
    if (out->vertices == NULL || out->indices == NULL) {
        vni_hull_mesh_free(allocator, out);
        return VN_OUT_OF_MEMORY;
    }

    memcpy(out->vertices, b->points, b->count * sizeof *out->vertices);
    uint32_t written = 0;
    for (uint32_t i = 0; i < b->facet_count; ++i) {
        if (is_live(&b->facets[i]))
            memcpy(out->indices + 3 * (size_t)written++, b->facets[i].v, sizeof b->facets[i].v);
    }

    VNI_ASSERT(written == out->triangle_count);
    return VN_OK;
}

vn_status vni_hull_of_points(const vn_allocator* allocator, const vn_vec3* points, uint32_t count,
                             vni_hull_mesh* out, vni_span* span) {
    VNI_ASSERT(points != NULL && count > 0 && count <= VNI_HULL_POINTS);

    *out = (vni_hull_mesh){0};
    *span = VNI_SPAN_SPACE;
    builder b = {.count = count};
    vn_status status = VN_OUT_OF_MEMORY;
    if (allocate(allocator, points, &b)) {
        sort_points(&b);
        *span = build(&b);
        status = VN_OK;
        if (*span == VNI_SPAN_SPACE) {
            keep_extreme(&b);
            build(&b);
            status = hand_over(allocator, &b, out);
        }
    }

    release(allocator, &b, count);
    return status;
}

void vni_hull_mesh_free(const vn_allocator* allocator, vni_hull_mesh* mesh) {
    VNI_DELETE_ARRAY(allocator, mesh->vertices, mesh->vertex_count);
    VNI_DELETE_ARRAY(allocator, mesh->indices, 3 * (uint64_t)mesh->triangle_count);
    *mesh = (vni_hull_mesh){0};
}
