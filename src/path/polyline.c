/// path/polyline.c: growing and tidying.
#include "path/polyline.h"
#include "base/assert.h"
#include "geom/vec.h"

#include <string.h>

/// b lies on the segment from a to c: all three in line and in order. Exact.
static bool is_between(vn_point a, vn_point b, vn_point c) {
    int64_t ux = (int64_t)b.x - a.x, uy = (int64_t)b.y - a.y, uz = (int64_t)b.z - a.z;
    int64_t vx = (int64_t)c.x - b.x, vy = (int64_t)c.y - b.y, vz = (int64_t)c.z - b.z;
    return uy * vz == uz * vy && uz * vx == ux * vz && ux * vy == uy * vx && ux * vx + uy * vy + uz * vz >= 0;
}

bool vni_polyline_prepend(vni_polyline* line, vn_point point) {
    VNI_ASSERT(line->count <= line->capacity);

    vn_point* first = line->points + (line->capacity - line->count);
    if (line->count >= 1 && vni_is_same_point(point, *first))
        return true;

    if (!line->every && line->count >= 2 && is_between(point, first[0], first[1])) {
        first[0] = point;
        return true;
    }

    if (line->count == line->capacity)
        return false;
    first[-1] = point;
    ++line->count;
    return true;
}

void vni_polyline_settle(vni_polyline* line) {
    memmove(line->points, line->points + (line->capacity - line->count), line->count * sizeof(vn_point));
}

uint32_t vni_polyline_tidy(vn_point* points, uint32_t count) {
    vni_polyline line = {points, count, 0, false};
    for (uint32_t i = count; i > 0; --i) { // never writes below what has been read
        bool fits = vni_polyline_prepend(&line, points[i - 1]);
        VNI_ASSERT(fits);
        (void)fits;
    }

    vni_polyline_settle(&line);
    return line.count;
}
