/// path/taut.c: Gauss-Seidel over the crossing points.
///
/// The length of a polyline with one point in each portal is convex in the points, and a portal is a
/// rectangle: moving one coordinate at a time to its best place never makes it longer, and converges. It is
/// not exact after a few sweeps, but close: what is left is far below what pruning by line of sight gains
/// afterwards.
#include "path/taut.h"
#include "base/assert.h"
#include "geom/units.h"
#include "geom/vec.h"

#include <math.h>

static inline float clampf(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

/// Moves q along the in-plane axis `i` to the best place with the other axis held: unfolded around that line,
/// p and t lie in one plane, and the straight segment between them divides the distance along the line as
/// their distances from it. Returns how far q moved.
static inline float step(const vni_portal* portal, float q[3], const float p[3], const float t[3], int i) {
    int k = vni_other_axes[portal->axis][i], held = vni_other_axes[portal->axis][1 - i];
    float p1 = p[portal->axis] - portal->plane, p2 = p[held] - q[held];
    float t1 = t[portal->axis] - portal->plane, t2 = t[held] - q[held];
    float from_p = sqrtf(p1 * p1 + p2 * p2), from_t = sqrtf(t1 * t1 + t2 * t2), sum = from_p + from_t;
    if (!(sum > 0))
        return 0;

    float before = q[k];
    q[k] = clampf(p[k] + (t[k] - p[k]) * (from_p / sum), portal->low[i], portal->high[i]);
    return fabsf(q[k] - before);
}

void vni_taut(const vni_portal* portals, float (*points)[3], uint32_t count, const float start[3],
              const float goal[3], uint32_t sweeps) {
    const float still = vni_steps_to_voxels_f(2);
    for (uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        float farthest = 0;
        for (uint32_t n = 0; n < count; ++n) {
            uint32_t i = sweep & 1 ? count - 1 - n
                                   : n; // there and back, so that a change at either end reaches the other
            const float* p = i ? points[i - 1] : start;
            const float* t = i + 1 < count ? points[i + 1] : goal;
            float moved = step(&portals[i], points[i], p, t, 0) + step(&portals[i], points[i], p, t, 1);
            farthest = moved > farthest ? moved : farthest;
        }

        if (farthest < still)
            break;
    }
}

/// Rounds to the lattice, at least one step inside an edge of the portal.
static int32_t inside(float at, float low, float high) {
    int32_t from = vni_voxel_to_steps((int32_t)low) + 1, to = vni_voxel_to_steps((int32_t)high) - 1;
    int32_t nearest = (int32_t)floorf(at * VN_LATTICE + 0.5f);
    return nearest < from ? from : nearest > to ? to : nearest;
}

vn_point vni_portal_lattice(const vni_portal* portal, const float point[3]) {
    int32_t at[3];
    at[portal->axis] = vni_voxel_to_steps((int32_t)portal->plane);
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal->axis][i];
        VNI_ASSERT(portal->low[i] < portal->high[i]);
        at[k] = inside(point[k], portal->low[i], portal->high[i]);
    }

    vn_point p = {at[0], at[1], at[2]};
    return p;
}
