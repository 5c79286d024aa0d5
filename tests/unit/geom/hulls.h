/// tests/unit/geom/hulls.h: hulls for the tests: boxes, tetrahedra, and whatever is around a few points.
#ifndef VNT_GEOM_HULLS_H
#define VNT_GEOM_HULLS_H

#include "geom/hull.h"
#include "tests/unit/geom/oracle.h"

enum { VNT_HULL_POINTS = 10, VNT_HULL_TRIANGLES = 32 };

typedef struct vnt_polyhedron {
    vn_vec3 vertices[VNT_HULL_POINTS];
    uint32_t indices[3 * VNT_HULL_TRIANGLES];
    uint32_t vertex_count, triangle_count;
} vnt_polyhedron;

static inline vn_vec3 vnt_float_vec(vni_vec v) {
    const vn_vec3 f = {(float)v.x, (float)v.y, (float)v.z};
    return f;
}

/// Corner i of a box has bit 0 for x, 1 for y, 2 for z.
static inline vnt_polyhedron vnt_box_polyhedron(vni_aabb box) {
    static const uint32_t faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    vnt_polyhedron p = {.vertex_count = 8, .triangle_count = 12};
    for (int i = 0; i < 8; ++i)
        p.vertices[i] = vnt_float_vec(vni_v(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                            i & 4 ? box.max.z : box.min.z));

    for (int i = 0; i < 36; ++i)
        p.indices[i] = faces[i];

    return p;
}

static inline double vnt_corner_volume(const vn_vec3* v, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const vni_vec from = vni_v_from(v[a]);
    return vni_dot(vni_cross(vni_sub(vni_v_from(v[b]), from), vni_sub(vni_v_from(v[c]), from)),
                   vni_sub(vni_v_from(v[d]), from));
}

/// Every triangle with all other vertices behind it: the hull of points in general position, by brute force.
static inline void vnt_find_faces(vnt_polyhedron* p) {
    p->triangle_count = 0;
    for (uint32_t a = 0; a < p->vertex_count; ++a) {
        for (uint32_t b = a + 1; b < p->vertex_count; ++b) {
            for (uint32_t c = a + 1; c < p->vertex_count; ++c) {
                bool behind = c != b;
                for (uint32_t d = 0; d < p->vertex_count && behind; ++d)
                    behind = d == a || d == b || d == c || vnt_corner_volume(p->vertices, a, b, c, d) < 0;

                if (!behind)
                    continue;
                uint32_t* t = p->indices + 3 * (size_t)p->triangle_count;
                ++p->triangle_count;
                t[0] = a;
                t[1] = b;
                t[2] = c;
            }
        }
    }
}

/// Around `count` points on an ellipsoid, so that each of them is a corner.
static inline vnt_polyhedron vnt_random_polyhedron(vni_rng* rng, uint32_t count) {
    vnt_polyhedron p = {.vertex_count = count};
    const vni_vec center = vnt_random_vec(rng, 2);
    const double rx = vnt_between(rng, 0.3, 2), ry = vnt_between(rng, 0.3, 2), rz = vnt_between(rng, 0.3, 2);
    for (uint32_t i = 0; i < count; ++i) {
        vni_vec axis[3];
        vni_quat_axes(vnt_random_quat(rng), axis);
        const vni_vec at = vni_v(axis[0].x * rx, axis[0].y * ry, axis[0].z * rz);
        p.vertices[i] = vnt_float_vec(vni_add(center, at));
    }

    vnt_find_faces(&p);
    return p;
}

static inline vn_status vnt_make_hull(const vnt_polyhedron* p, double tolerance, vni_hull* out,
                                      vn_detail* detail) {
    const vn_allocator allocator = vn_default_allocator();
    return vni_hull_make(&allocator, p->vertices, p->vertex_count, p->indices, p->triangle_count, tolerance,
                         out, detail);
}

static inline void vnt_free_hull(vni_hull* hull) {
    const vn_allocator allocator = vn_default_allocator();
    vni_hull_free(&allocator, hull);
}

#endif
