/// io/brush.h: brushes of level editors, half-spaces that meet in a convex solid, as triangles.
#ifndef VNI_IO_BRUSH_H
#define VNI_IO_BRUSH_H

#include "io/common.h"

/// Most faces of a brush: editors stop far below. With so many planes there are at most 2n - 4 vertices, and
/// the triangles of a solid are at most twice its vertices less 4.
#define VNI_BRUSH_FACES     128
#define VNI_BRUSH_VERTICES  (2 * VNI_BRUSH_FACES - 4)
#define VNI_BRUSH_TRIANGLES (2 * VNI_BRUSH_VERTICES - 4)

/// Coordinates of a map, in its units.
#define VNI_BRUSH_LIMIT 1e6

/// The points p with normal . p <= offset lie behind it; the normal has length 1 and points outwards.
typedef struct vni_brush_plane {
    double normal[3], offset;
} vni_brush_plane;

/// A closed convex solid, triangles counter-clockwise seen from outside.
typedef struct vni_brush_solid {
    vn_vec3 vertices[VNI_BRUSH_VERTICES];
    uint32_t vertex_count;
    uint32_t indices[3 * VNI_BRUSH_TRIANGLES];
    uint32_t triangle_count;
} vni_brush_solid;

/// The plane through three points that are listed clockwise seen from outside. False: they lie on a line.
bool vni_brush_plane_of(const double points[3][3], vni_brush_plane* out);

/// What lies behind all planes. False if that is empty, flat, without end, or too thin for floats to keep it
/// convex. Vertices closer than 0.01 units become one where that keeps the brush convex. O(n^3) in the
/// planes, of which there are at most VNI_BRUSH_FACES.
bool vni_brush_make(const vni_brush_plane* planes, uint32_t count, vni_brush_solid* out);

#endif
