/// geom/hull_points.h: computes the convex hull of points, exactly.
#ifndef VNI_GEOM_HULL_POINTS_H
#define VNI_GEOM_HULL_POINTS_H

#include "volnav/math.h"

/// Most points.
#define VNI_HULL_POINTS ((uint32_t)1 << 24)

/// What the points span.
typedef enum vni_span { VNI_SPAN_POINT, VNI_SPAN_LINE, VNI_SPAN_PLANE, VNI_SPAN_SPACE } vni_span;

/// Corners in ascending order of x, then y, then z, and triangles, counter-clockwise seen from outside.
typedef struct vni_hull_mesh {
    vn_vec3* vertices;
    uint32_t* indices;
    uint32_t vertex_count, triangle_count;
} vni_hull_mesh;

/// The hull of 1 to VNI_HULL_POINTS finite points. Only extreme points become corners: none that lies on an
/// edge or a face between others. The result depends on the set of points alone, not on their order or
/// number. If they do not span space, `out` stays empty. VN_OUT_OF_MEMORY. O(n log n) and, for each corner,
/// the faces that it sees; up to n^2 in all.
vn_status vni_hull_of_points(const vn_allocator* allocator, const vn_vec3* points, uint32_t count,
                             vni_hull_mesh* out, vni_span* span);
void vni_hull_mesh_free(const vn_allocator* allocator, vni_hull_mesh* mesh);

#endif
