/// tests/support/shapes.h: shapes of every kind, from arrays or of simple form.
#ifndef VNT_SHAPES_H
#define VNT_SHAPES_H

#include "volnav/world.h"
#include <string.h>

#define VNT_MESH_VERTICES  8192
#define VNT_MESH_TRIANGLES 8192

/// Triangles that do not share vertices: only equal positions join them.
typedef struct vnt_mesh {
    vn_vec3 vertices[VNT_MESH_VERTICES];
    uint32_t indices[3 * VNT_MESH_TRIANGLES];
    uint32_t vertex_count, triangle_count;
} vnt_mesh;

static inline vn_vec3 vnt_vec(float x, float y, float z) {
    vn_vec3 v = {x, y, z};
    return v;
}

static inline void vnt_add_triangle(vnt_mesh* mesh, vn_vec3 a, vn_vec3 b, vn_vec3 c) {
    const vn_vec3 corners[3] = {a, b, c};
    for (uint32_t i = 0; i < 3; ++i) {
        mesh->indices[3 * mesh->triangle_count + i] = mesh->vertex_count;
        mesh->vertices[mesh->vertex_count++] = corners[i];
    }
    ++mesh->triangle_count;
}

/// a, b, c, d counter-clockwise.
static inline void vnt_add_quad(vnt_mesh* mesh, vn_vec3 a, vn_vec3 b, vn_vec3 c, vn_vec3 d) {
    vnt_add_triangle(mesh, a, b, c);
    vnt_add_triangle(mesh, a, c, d);
}

/// A cube [0, n]^3 with faces of n x n quads, facing outwards. On the face z = n the quads [0, hole)^2,
/// counted from (1, 1), are missing.
static inline void vnt_add_cube(vnt_mesh* mesh, uint32_t n, uint32_t hole) {
    float m = (float)n;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            float a = (float)i, b = (float)j, c = a + 1, d = b + 1;
            vnt_add_quad(mesh, vnt_vec(0, a, b), vnt_vec(0, a, d), vnt_vec(0, c, d), vnt_vec(0, c, b));
            vnt_add_quad(mesh, vnt_vec(m, a, b), vnt_vec(m, c, b), vnt_vec(m, c, d), vnt_vec(m, a, d));
            vnt_add_quad(mesh, vnt_vec(a, 0, b), vnt_vec(c, 0, b), vnt_vec(c, 0, d), vnt_vec(a, 0, d));
            vnt_add_quad(mesh, vnt_vec(a, m, b), vnt_vec(a, m, d), vnt_vec(c, m, d), vnt_vec(c, m, b));
            vnt_add_quad(mesh, vnt_vec(a, b, 0), vnt_vec(a, d, 0), vnt_vec(c, d, 0), vnt_vec(c, b, 0));

            bool missing = i >= 1 && j >= 1 && i < 1 + hole && j < 1 + hole;
            if (!missing)
                vnt_add_quad(mesh, vnt_vec(a, b, m), vnt_vec(c, b, m), vnt_vec(c, d, m), vnt_vec(a, d, m));
        }
    }
}

static inline void vnt_flip(vnt_mesh* mesh) {
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        uint32_t swap = mesh->indices[3 * t];
        mesh->indices[3 * t] = mesh->indices[3 * t + 1];
        mesh->indices[3 * t + 1] = swap;
    }
}

static inline vn_shape vnt_triangles_shape(const vn_vec3* vertices, uint32_t vertex_count,
                                           const uint32_t* indices, uint32_t triangle_count, bool solid) {
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    shape.as.mesh.vertices = vertices;
    shape.as.mesh.vertex_count = vertex_count;
    shape.as.mesh.indices = indices;
    shape.as.mesh.triangle_count = triangle_count;
    shape.as.mesh.solid = solid;

    return shape;
}

static inline vn_shape vnt_mesh_shape(const vnt_mesh* mesh, bool solid) {
    return vnt_triangles_shape(mesh->vertices, mesh->vertex_count, mesh->indices, mesh->triangle_count,
                               solid);
}

/// The twelve triangles of a closed box, facing outwards; bit i of a corner's number: high on axis i.
static const uint32_t vnt_box_faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

/// A closed box as a mesh; its corners go to `corners`.
static inline vn_shape vnt_box_mesh(vn_vec3 low, vn_vec3 high, bool solid, vn_vec3 corners[8]) {
    for (int i = 0; i < 8; ++i)
        corners[i] = vnt_vec(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    return vnt_triangles_shape(corners, 8, vnt_box_faces, 12, solid);
}

static inline vn_shape vnt_box_shape(vn_vec3 min, vn_vec3 max) {
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = min;
    shape.as.box.max = max;
    return shape;
}

static inline vn_shape vnt_oriented_shape(vn_vec3 center, vn_vec3 half, vn_quat rotation) {
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = center;
    shape.as.oriented.half = half;
    shape.as.oriented.rotation = rotation;
    return shape;
}

static inline vn_shape vnt_sphere_shape(vn_vec3 center, float radius) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = center;
    shape.as.sphere.radius = radius;
    return shape;
}

static inline vn_shape vnt_capsule_shape(vn_vec3 a, vn_vec3 b, float radius) {
    vn_shape shape = {.kind = VN_SHAPE_CAPSULE};
    shape.as.capsule.a = a;
    shape.as.capsule.b = b;
    shape.as.capsule.radius = radius;
    return shape;
}

static inline vn_shape vnt_cylinder_shape(vn_vec3 a, vn_vec3 b, float radius) {
    vn_shape shape = {.kind = VN_SHAPE_CYLINDER};
    shape.as.cylinder.a = a;
    shape.as.cylinder.b = b;
    shape.as.cylinder.radius = radius;
    return shape;
}

static inline vn_shape vnt_hull_of(const vn_vec3* vertices, uint32_t vertex_count, const uint32_t* indices,
                                   uint32_t triangle_count) {
    vn_shape shape = {.kind = VN_SHAPE_HULL};
    shape.as.hull.vertices = vertices;
    shape.as.hull.vertex_count = vertex_count;
    shape.as.hull.indices = indices;
    shape.as.hull.triangle_count = triangle_count;
    return shape;
}

/// A tetrahedron with its right angle at the origin and legs of 1, 2 and 3; the pointers are to static
/// arrays.
static inline vn_shape vnt_hull_shape(void) {
    static const vn_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    return vnt_hull_of(vertices, 4, indices, 4);
}

/// The triangles of an octahedron whose corners are +x, -x, +y, -y, +z, -z.
static const uint32_t vnt_octahedron_faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                                  2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

static inline void vnt_octahedron(vn_vec3 center, vn_vec3 half, vn_vec3 out[6]) {
    for (int i = 0; i < 6; ++i)
        out[i] = center;

    out[0].x += half.x;
    out[1].x -= half.x;
    out[2].y += half.y;
    out[3].y -= half.y;
    out[4].z += half.z;
    out[5].z -= half.z;
}

static inline vn_shape vnt_voxels_shape(vn_voxel dims, float size, const vn_voxel* voxels, uint64_t count) {
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = size;
    shape.as.voxels.dims = dims;
    shape.as.voxels.voxels = voxels;
    shape.as.voxels.voxel_count = count;
    return shape;
}

#endif
