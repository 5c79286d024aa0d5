/// volnav/input/hull.h: the convex hull of points, by qhull. A tool without VOLNAV_MESHES makes none, and
/// says so.
#ifndef HULL_H
#define HULL_H

#include "volnav/math.h"

typedef struct hull_mesh {
    vn_vec3* vertices; ///< a copy of the points
    uint32_t vertex_count;
    uint32_t* indices; ///< triangles, counter-clockwise seen from outside
    uint32_t triangle_count;
} hull_mesh;

/// Null when done; else the reason why there is no hull (static text), and `out` is empty. Free with
/// hull_free.
const char* hull_of_points(const vn_vec3* points, uint32_t count, hull_mesh* out);
void hull_free(hull_mesh* mesh);

#endif
