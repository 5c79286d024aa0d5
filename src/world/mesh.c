/// world/mesh.c: copies a triangle mesh and builds a tree over its triangles.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include <string.h>

static float least(float a, float b) {
    return b < a ? b : a;
}

static float most(float a, float b) {
    return b > a ? b : a;
}

static vn_box join(const vn_box* a, const vn_box* b) {
    vn_box box = {{least(a->min.x, b->min.x), least(a->min.y, b->min.y), least(a->min.z, b->min.z)},
                  {most(a->max.x, b->max.x), most(a->max.y, b->max.y), most(a->max.z, b->max.z)}};
    return box;
}

static vn_box triangle_box(const vni_mesh* mesh, uint32_t triangle) {
    const uint32_t* i = mesh->indices + 3 * (size_t)triangle;
    vn_box box = {mesh->vertices[i[0]], mesh->vertices[i[0]]};
    for (uint32_t corner = 1; corner < 3; ++corner) {
        vn_box point = {mesh->vertices[i[corner]], mesh->vertices[i[corner]]};
        box = join(&box, &point);
    }

    return box;
}

/// Makes the triangles' boxes; returns the box around them all. Unused vertices do not count.
static vn_box make_boxes(vni_mesh* mesh) {
    vn_box bounds = triangle_box(mesh, 0);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        mesh->boxes[t] = triangle_box(mesh, t);
        bounds = join(&bounds, &mesh->boxes[t]);
    }
    return bounds;
}

static bool allocate(const vn_allocator* allocator, vni_mesh* mesh) {
    mesh->vertices = VNI_NEW_ARRAY(allocator, vn_vec3, mesh->vertex_count);
    mesh->indices = VNI_NEW_ARRAY(allocator, uint32_t, 3 * (uint64_t)mesh->triangle_count);
    mesh->boxes = VNI_NEW_ARRAY(allocator, vn_box, mesh->triangle_count);
    return mesh->vertices != NULL && mesh->indices != NULL && mesh->boxes != NULL;
}

static vn_status fill(const vn_allocator* allocator, const vn_shape* shape, vni_mesh* mesh,
                      vn_obstacle_info* info) {
    if (!allocate(allocator, mesh))
        return VN_OUT_OF_MEMORY;
    memcpy(mesh->vertices, shape->as.mesh.vertices, mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(mesh->indices, shape->as.mesh.indices, 3 * (size_t)mesh->triangle_count * sizeof *mesh->indices);
    info->bounds = make_boxes(mesh);
    vn_status status = vni_bvh_build(allocator, mesh->boxes, mesh->triangle_count, &mesh->bvh);

    return status == VN_OK ? vni_mesh_measure(allocator, mesh, info) : status;
}

vn_status vni_mesh_make(const vn_allocator* allocator, const vn_shape* shape, vni_mesh* out,
                        vn_obstacle_info* info, vn_detail* detail) {
    VNI_ASSERT(shape->kind == VN_SHAPE_MESH);

    *out = (vni_mesh){.vertex_count = shape->as.mesh.vertex_count,
                      .triangle_count = shape->as.mesh.triangle_count};
    vn_status status = vni_check_triangles("mesh", shape->as.mesh.vertices, out->vertex_count,
                                           shape->as.mesh.indices, out->triangle_count, detail);
    if (status != VN_OK)
        return status;

    status = fill(allocator, shape, out, info);
    if (status != VN_OK) {
        vni_mesh_free(allocator, out);
        return vni_fail(detail, status, "no memory for a mesh of %u triangles",
                        (unsigned)shape->as.mesh.triangle_count);
    }

    info->vertices = out->vertex_count;
    info->triangles = out->triangle_count;
    out->solid = shape->as.mesh.solid && info->fillable;
    if (shape->as.mesh.solid && !info->fillable)
        vni_log(VN_LOG_WARNING,
                "a mesh of %u triangles is marked solid, but has %u open edges around large holes: only its "
                "surface blocks",
                (unsigned)out->triangle_count, (unsigned)info->open_edges);

    return VN_OK;
}

void vni_mesh_free(const vn_allocator* allocator, vni_mesh* mesh) {
    VNI_DELETE_ARRAY(allocator, mesh->vertices, mesh->vertex_count);
    VNI_DELETE_ARRAY(allocator, mesh->indices, 3 * (uint64_t)mesh->triangle_count);
    VNI_DELETE_ARRAY(allocator, mesh->boxes, mesh->triangle_count);
    vni_bvh_free(allocator, &mesh->bvh);
    *mesh = (vni_mesh){0};
}

vn_status vni_mesh_copy(const vn_allocator* allocator, const vni_mesh* mesh, vni_mesh* out) {
    *out = (vni_mesh){
        .vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count, .solid = mesh->solid};
    if (!allocate(allocator, out) || vni_bvh_copy(allocator, &mesh->bvh, &out->bvh) != VN_OK) {
        vni_mesh_free(allocator, out);
        return VN_OUT_OF_MEMORY;
    }

    memcpy(out->vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    memcpy(out->indices, mesh->indices, 3 * (size_t)mesh->triangle_count * sizeof *mesh->indices);
    memcpy(out->boxes, mesh->boxes, mesh->triangle_count * sizeof *mesh->boxes);
    return VN_OK;
}

void vni_mesh_refit(vni_mesh* mesh) {
    make_boxes(mesh);
    vni_bvh_refit(&mesh->bvh, mesh->boxes);
}

size_t vni_mesh_bytes(const vni_mesh* mesh) {
    return mesh->vertex_count * sizeof *mesh->vertices +
           3 * (size_t)mesh->triangle_count * sizeof *mesh->indices +
           mesh->triangle_count * sizeof *mesh->boxes + vni_bvh_bytes(&mesh->bvh);
}
