/// geom/hull.h: makes a vni_hull from vertices and triangles, and proves that it is convex.
#ifndef VNI_GEOM_HULL_H
#define VNI_GEOM_HULL_H

#include "geom/shapes.h"

/// Copies and validates: coordinates finite, indices in range, every vertex used, closed (every edge as often
/// in one direction as in the other), convex up to `tolerance` (the largest height of a vertex above a face's
/// plane), facing outwards. A hull no thicker than `tolerance` is flat (hull.flat); its outline must be
/// convex too. VN_BAD_DATA says what fails and where: detail->index is a vertex if the text names one first,
/// else a triangle. VN_OUT_OF_MEMORY, VN_TOO_LARGE. The hull's arrays lie in one block from `allocator`: free
/// it with vni_hull_free. O(triangles * vertices).
vn_status vni_hull_make(const vn_allocator* allocator, const vn_vec3* vertices, uint32_t vertex_count,
                        const uint32_t* indices, uint32_t triangle_count, double tolerance, vni_hull* out,
                        vn_detail* detail);
void vni_hull_free(const vn_allocator* allocator, vni_hull* hull);
size_t vni_hull_bytes(const vni_hull* hull);

/// Affine image: vertices become (v - low) * scale; normals and supports hold for the image too. `vertices`
/// (vertex_count of them) is the caller's buffer for the result, which shares all other arrays with `hull`.
vni_hull vni_hull_to_frame(const vni_hull* hull, vni_vec low, double scale, vni_vec* vertices);

#endif
