/// world/hull_points.c: the convex hull of the caller's points, as a shape that a world takes.
#include "geom/hull_points.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"

static vn_status check_points(const vn_vec3* points, uint32_t count, vn_detail* detail) {
    if (count > VNI_HULL_POINTS)
        return vni_fail(detail, VN_TOO_LARGE, "%u points; a hull is made of 2^24 at most", (unsigned)count);

    for (uint32_t i = 0; i < count; ++i) {
        const vn_vec3 p = points[i];
        if (!vni_coordinate_is_valid(p.x) || !vni_coordinate_is_valid(p.y) || !vni_coordinate_is_valid(p.z))
            return vni_fail_index(
                detail, VN_BAD_DATA, i,
                "point %u is (%g, %g, %g); it must be finite and within 1e6 metres of the origin",
                (unsigned)i, (double)p.x, (double)p.y, (double)p.z);
    }

    return VN_OK;
}

static vn_status refuse_span(vni_span span, vn_detail* detail) {
    switch (span) {
    case VNI_SPAN_POINT:
        return vni_fail(detail, VN_DEGENERATE, "all points are the same one: add a sphere instead");
    case VNI_SPAN_LINE:
        return vni_fail(detail, VN_DEGENERATE, "all points lie on one line: add a capsule instead");
    default:
        return vni_fail(detail, VN_DEGENERATE,
                        "all points lie in one plane, or nearly: add a flat box or a mesh instead");
    }
}

/// What vn_world_add asks of a hull. One that it would take for a flat surface has no volume to speak of.
static vn_status check_hull(const vn_allocator* allocator, const vni_hull_mesh* mesh, vn_detail* detail) {
    const vn_shape shape = {
        .kind = VN_SHAPE_HULL,
        .as.hull = {mesh->vertices, mesh->vertex_count, mesh->indices, mesh->triangle_count}};
    vni_obstacle made;
    vn_status status = vni_obstacle_make(allocator, &shape, &made, detail);
    if (status != VN_OK)
        return status;

    bool flat = made.flat;
    vni_obstacle_free(allocator, &made);
    return flat ? refuse_span(VNI_SPAN_PLANE, detail) : VN_OK;
}

vn_status vn_hull_from_points(const vn_allocator* allocator, const vn_vec3* points, uint32_t count,
                              vn_hull* out, vn_detail* detail) {
    VNI_ASSERT(out != NULL && (points != NULL || count == 0));

    *out = (vn_hull){.allocator = allocator != NULL ? *allocator : vn_default_allocator()};
    if (count == 0)
        return vni_fail(detail, VN_DEGENERATE, "no points: a hull needs at least four");
    vn_status status = check_points(points, count, detail);
    if (status != VN_OK)
        return status;

    vni_hull_mesh mesh;
    vni_span span;
    if (vni_hull_of_points(&out->allocator, points, count, &mesh, &span) != VN_OK)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the hull of %u points", (unsigned)count);
    if (span != VNI_SPAN_SPACE)
        return refuse_span(span, detail);

    status = check_hull(&out->allocator, &mesh, detail);
    if (status != VN_OK) {
        vni_hull_mesh_free(&out->allocator, &mesh);
        return status;
    }

    out->vertices = mesh.vertices;
    out->vertex_count = mesh.vertex_count;
    out->indices = mesh.indices;
    out->triangle_count = mesh.triangle_count;
    return VN_OK;
}

vn_shape vn_hull_shape(const vn_hull* hull) {
    VNI_ASSERT(hull != NULL);
    vn_shape shape = {.kind = VN_SHAPE_HULL};
    shape.as.hull.vertices = hull->vertices;
    shape.as.hull.vertex_count = hull->vertex_count;
    shape.as.hull.indices = hull->indices;
    shape.as.hull.triangle_count = hull->triangle_count;
    return shape;
}

void vn_hull_free(vn_hull* hull) {
    if (hull == NULL || hull->vertices == NULL)
        return;
    vni_hull_mesh mesh = {hull->vertices, hull->indices, hull->vertex_count, hull->triangle_count};
    vni_hull_mesh_free(&hull->allocator, &mesh);
    *hull = (vn_hull){.allocator = hull->allocator};
}
