/// path/shorten.c: the greedy walk by line of sight, from either end, as two theses print it: Albertini 2022
/// (post-smoothing, algorithm 8) and Massonnat 2023 (pruning, algorithm 3). Kept as printed, so that
/// comparisons with them compare like with like; path/refine.h does better.
#include "path/shorten.h"
#include "base/assert.h"
#include "probe/sight.h"

#include <string.h>

static bool sees(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_sight_log* log) {
    return vni_log_sight(log, a, b, vni_sight(occupancy, a, b));
}

uint32_t vni_post_smooth(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                         vni_sight_log* log) {
    VNI_ASSERT(points != NULL || count == 0);

    if (count < 3)
        return count;
    // points[kept - 1] is the last one kept. A vertex stays when the one behind it is out of sight: it was
    // the last in sight.
    uint32_t kept = 1;
    for (uint32_t i = 1; i + 1 < count; ++i)
        if (!sees(occupancy, points[kept - 1], points[i + 1], log))
            points[kept++] = points[i];

    points[kept++] = points[count - 1];
    VNI_ASSERT(kept <= count);

    return kept;
}

uint32_t vni_prune_from_goal(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                             vni_sight_log* log) {
    VNI_ASSERT(points != NULL || count == 0);

    if (count < 3)
        return count;
    // The vertices kept gather at the end of the array and are moved to the front at last.
    uint32_t first = count - 1;
    for (uint32_t i = count - 2; i > 0; --i)
        if (!sees(occupancy, points[first], points[i - 1], log))
            points[--first] = points[i];

    points[--first] = points[0];
    memmove(points, points + first, (count - first) * sizeof *points);
    return count - first;
}
