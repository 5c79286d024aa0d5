/// world/shape_copy.c: records back into shapes.
#include "world/shape_copy.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "geom/morton.h"
#include "world/moving.h"

#include <math.h>
#include <string.h>

static vn_vec3 to_float(vni_vec v) {
    return (vn_vec3){(float)v.x, (float)v.y, (float)v.z};
}

/// The largest of the four components is found from the diagonal; the others follow from it.
static vn_quat quat_of(const vni_vec axis[3]) {
    const double m[3][3] = {{axis[0].x, axis[1].x, axis[2].x},
                            {axis[0].y, axis[1].y, axis[2].y},
                            {axis[0].z, axis[1].z, axis[2].z}};
    double q[4]; // x, y, z, w
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int big = m[1][1] > m[0][0] ? 1 : 0;
    big = m[2][2] > m[big][big] ? 2 : big;
    if (trace > m[big][big]) {
        const double root = sqrt(trace + 1), half = 0.5 / root;
        q[0] = (m[2][1] - m[1][2]) * half;
        q[1] = (m[0][2] - m[2][0]) * half;
        q[2] = (m[1][0] - m[0][1]) * half;
        q[3] = 0.5 * root;
    } else {
        const int k = (big + 1) % 3, n = (big + 2) % 3;
        const double root = sqrt(m[big][big] - m[k][k] - m[n][n] + 1), half = 0.5 / root;
        q[big] = 0.5 * root;
        q[k] = (m[k][big] + m[big][k]) * half;
        q[n] = (m[n][big] + m[big][n]) * half;
        q[3] = (m[n][k] - m[k][n]) * half;
    }

    return (vn_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

// ---------- with arrays

/// Voxels that are listed one by one, and bricks that are listed as boxes.
static void count_voxels(const vni_voxels* set, uint64_t* single, uint64_t* full) {
    *single = *full = 0;
    for (uint32_t i = 0; i < set->brick_count; ++i) {
        const bool is_full = set->bricks[i].bits == ~(uint64_t)0;
        *full += is_full;
        *single += is_full ? 0 : vni_popcount(set->bricks[i].bits);
    }
}

static size_t array_bytes(const vni_obstacle* o) {
    uint64_t single, full;
    switch (o->info.kind) {
    case VN_SHAPE_HULL:
        return o->as.hull.vertex_count * sizeof(vn_vec3) +
               (size_t)o->as.hull.triangle_count * 3 * sizeof(uint32_t);
    case VN_SHAPE_MESH:
        return o->as.mesh.vertex_count * sizeof(vn_vec3) +
               (size_t)o->as.mesh.triangle_count * 3 * sizeof(uint32_t);
    case VN_SHAPE_VOXELS:
        count_voxels(&o->as.voxels, &single, &full);
        return (size_t)(single * sizeof(vn_voxel) + full * sizeof(vn_voxel_box));
    default: return 0;
    }
}

static void put_hull(const vni_hull* hull, vn_shape* out, unsigned char* memory) {
    vn_vec3* vertices = (vn_vec3*)(void*)memory;
    uint32_t* indices = (uint32_t*)(void*)(vertices + hull->vertex_count);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        vertices[i] = to_float(hull->vertices[i]);
    memcpy(indices, hull->indices, (size_t)hull->triangle_count * 3 * sizeof *indices);
    out->as.hull.vertices = vertices;
    out->as.hull.vertex_count = hull->vertex_count;
    out->as.hull.indices = indices;
    out->as.hull.triangle_count = hull->triangle_count;
}

static void put_mesh(const vni_mesh* mesh, vn_shape* out, unsigned char* memory) {
    vn_vec3* vertices = (vn_vec3*)(void*)memory;
    uint32_t* indices = (uint32_t*)(void*)(vertices + mesh->vertex_count);
    memcpy(vertices, mesh->vertices, mesh->vertex_count * sizeof *vertices);
    memcpy(indices, mesh->indices, (size_t)mesh->triangle_count * 3 * sizeof *indices);
    out->as.mesh.vertices = vertices;
    out->as.mesh.vertex_count = mesh->vertex_count;
    out->as.mesh.indices = indices;
    out->as.mesh.triangle_count = mesh->triangle_count;
    out->as.mesh.solid = mesh->solid;
}

static vn_voxel brick_low(const vni_voxel_brick* brick) {
    uint32_t x, y, z;
    vni_morton_decode(brick->key, &x, &y, &z);
    return (vn_voxel){(int32_t)(4 * x), (int32_t)(4 * y), (int32_t)(4 * z)};
}

static void put_voxels(const vni_voxels* set, vn_shape* out, unsigned char* memory) {
    uint64_t single, full;
    count_voxels(set, &single, &full);
    vn_voxel* voxels = (vn_voxel*)(void*)memory;
    vn_voxel_box* boxes = (vn_voxel_box*)(void*)(voxels + single);
    out->as.voxels.low = set->low;
    out->as.voxels.size = set->size;
    out->as.voxels.dims = set->dims;
    out->as.voxels.sensed = set->sensed;
    out->as.voxels.voxels = voxels;
    out->as.voxels.boxes = boxes;
    out->as.voxels.voxel_count = single;
    out->as.voxels.box_count = full;

    for (uint32_t i = 0; i < set->brick_count; ++i) {
        const vn_voxel low = brick_low(&set->bricks[i]);
        uint64_t bits = set->bricks[i].bits;
        if (bits == ~(uint64_t)0) {
            *boxes++ = (vn_voxel_box){low, {low.x + 4, low.y + 4, low.z + 4}};
            continue;
        }

        for (; bits != 0; bits &= bits - 1) {
            const int32_t bit = (int32_t)vni_lowest_bit(bits);
            *voxels++ = (vn_voxel){low.x + (bit & 3), low.y + (bit >> 2 & 3), low.z + (bit >> 4)};
        }
    }
}

// ---------- all of them

static void put_plain(const vni_obstacle* o, vn_shape* out) {
    switch (o->info.kind) {
    case VN_SHAPE_BOX:
        out->as.box.min = to_float(o->as.box.min);
        out->as.box.max = to_float(o->as.box.max);
        break;
    case VN_SHAPE_ORIENTED:
        out->as.oriented.center = to_float(o->as.oriented.center);
        out->as.oriented.half = (vn_vec3){(float)o->as.oriented.half[0], (float)o->as.oriented.half[1],
                                          (float)o->as.oriented.half[2]};
        out->as.oriented.rotation = quat_of(o->as.oriented.axis);
        break;
    case VN_SHAPE_SPHERE:
        out->as.sphere.center = to_float(o->as.sphere.center);
        out->as.sphere.radius = (float)o->as.sphere.radius;
        break;
    case VN_SHAPE_CAPSULE:
        out->as.capsule.a = to_float(o->as.capsule.a);
        out->as.capsule.b = to_float(o->as.capsule.b);
        out->as.capsule.radius = (float)o->as.capsule.radius;
        break;
    case VN_SHAPE_CYLINDER: {
        const vni_cylinder* c = &o->as.cylinder;
        out->as.cylinder.a = to_float(vni_add_scaled(c->center, c->axis, -c->half));
        out->as.cylinder.b = to_float(vni_add_scaled(c->center, c->axis, c->half));
        out->as.cylinder.radius = (float)c->radius;
        break;
    }
    default: break;
    }
}

vni_shape_copy* vni_shape_copy_make(const vn_allocator* allocator, const vni_obstacle* obstacle) {
    const vni_obstacle* o = obstacle->motion != NULL ? &obstacle->motion->shape : obstacle;
    const size_t bytes = sizeof(vni_shape_copy) + array_bytes(o);
    vni_shape_copy* copy = (vni_shape_copy*)vni_alloc(allocator, 1, bytes);
    if (copy == NULL)
        return NULL;

    *copy = (vni_shape_copy){.references = 1, .bytes = bytes};
    copy->shape.kind = o->info.kind;
    unsigned char* memory = (unsigned char*)(copy + 1);
    switch (o->info.kind) {
    case VN_SHAPE_HULL: put_hull(&o->as.hull, &copy->shape, memory); break;
    case VN_SHAPE_MESH: put_mesh(&o->as.mesh, &copy->shape, memory); break;
    case VN_SHAPE_VOXELS: put_voxels(&o->as.voxels, &copy->shape, memory); break;
    default: put_plain(o, &copy->shape); break;
    }

    return copy;
}

void vni_shape_copy_release(const vn_allocator* allocator, vni_shape_copy* copy) {
    if (copy != NULL && --copy->references == 0)
        vni_free(allocator, copy, 1, copy->bytes);
}

vn_transform vni_obstacle_transform(const vni_obstacle* obstacle) {
    return obstacle->motion != NULL ? obstacle->motion->transform : vn_transform_identity();
}
