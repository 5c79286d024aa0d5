/// nav/shape.c: shapes that wait for the world, copied with their arrays.
#include "base/alloc.h"
#include "nav/parts.h"

#include <string.h>

/// The two arrays that a shape may have. Their elements are made of 4-byte numbers: one may follow the other.
typedef struct arrays {
    const void *first, *second;
    size_t first_bytes, second_bytes;
} arrays;

static arrays arrays_of(const vn_shape* s) {
    arrays a = {NULL, NULL, 0, 0};
    if (s->kind == VN_SHAPE_HULL) {
        a.first = s->as.hull.vertices;
        a.second = s->as.hull.indices;
        a.first_bytes = s->as.hull.vertex_count * sizeof(vn_vec3);
        a.second_bytes = s->as.hull.triangle_count * 3 * sizeof(uint32_t);
    } else if (s->kind == VN_SHAPE_MESH) {
        a.first = s->as.mesh.vertices;
        a.second = s->as.mesh.indices;
        a.first_bytes = s->as.mesh.vertex_count * sizeof(vn_vec3);
        a.second_bytes = s->as.mesh.triangle_count * 3 * sizeof(uint32_t);
    } else if (s->kind == VN_SHAPE_VOXELS) {
        a.first = s->as.voxels.voxels;
        a.second = s->as.voxels.boxes;
        a.first_bytes = (size_t)s->as.voxels.voxel_count * sizeof(vn_voxel);
        a.second_bytes = (size_t)s->as.voxels.box_count * sizeof(vn_voxel_box);
    }
    return a;
}

static void set_arrays(vn_shape* s, const void* first, const void* second) {
    if (s->kind == VN_SHAPE_HULL) {
        s->as.hull.vertices = first;
        s->as.hull.indices = second;
    } else if (s->kind == VN_SHAPE_MESH) {
        s->as.mesh.vertices = first;
        s->as.mesh.indices = second;
    } else if (s->kind == VN_SHAPE_VOXELS) {
        s->as.voxels.voxels = first;
        s->as.voxels.boxes = second;
    }
}

bool vni_op_take_shape(const vn_allocator* allocator, const vn_shape* shape, vni_op* op) {
    arrays a = arrays_of(shape);
    op->shape = *shape;
    op->array_bytes = a.first_bytes + a.second_bytes;
    op->arrays = vni_alloc(allocator, op->array_bytes, 1);
    if (op->array_bytes == 0)
        return true;
    if (!op->arrays)
        return false;
    unsigned char *first = op->arrays, *second = first + a.first_bytes;
    if (a.first_bytes > 0)
        memcpy(first, a.first, a.first_bytes);
    if (a.second_bytes > 0)
        memcpy(second, a.second, a.second_bytes);
    set_arrays(&op->shape, first, second);
    return true;
}

void vni_op_free(const vn_allocator* allocator, vni_op* op) {
    vni_free(allocator, op->arrays, op->array_bytes, 1);
    op->arrays = NULL;
    op->array_bytes = 0;
}
