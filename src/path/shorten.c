/// path/shorten.c: the greedy walk by line of sight, from either end.
#include "path/shorten.h"
#include "base/assert.h"
#include "probe/sight.h"

#include <string.h>

uint32_t vni_post_smooth(const vni_occupancy* occupancy, vn_point* points, uint32_t count, uint64_t* checks) {
    VNI_ASSERT(points || count == 0);

    if (count < 3)
        return count;
    uint32_t kept = 1;
    for (uint32_t i = 1; i + 1 < count; ++i)
        if (!vni_sight(occupancy, points[kept - 1], points[i + 1]))
            points[kept++] = points[i];

    points[kept++] = points[count - 1];
    if (checks)
        *checks += count - 2;

    VNI_ASSERT(kept <= count);

    return kept;
}

uint32_t vni_prune_from_goal(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                             uint64_t* checks) {
    VNI_ASSERT(points || count == 0);

    if (count < 3)
        return count;
    uint32_t first = count - 1; // what is kept ends up at the end
    for (uint32_t i = count - 2; i > 0; --i)
        if (!vni_sight(occupancy, points[first], points[i - 1]))
            points[--first] = points[i];

    points[--first] = points[0];
    if (checks)
        *checks += count - 2;

    memmove(points, points + first, (count - first) * sizeof *points);
    return count - first;
}
