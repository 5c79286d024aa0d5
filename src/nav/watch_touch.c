/// nav/watch_touch.c: which changes touch watched paths.
///
/// A path is checked against the space only if it must be: if a box in which voxels became blocked touches
/// it, or one in which they became free, for a path that is known to be blocked. All other updates cost a
/// watch one box test for each of these boxes. Steps by connections are left out.
#include "geom/units.h"
#include "geom/vec.h"
#include "nav/watch_inside.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------- boxes

/// Points of paths may be any int32_t, inside the space or not. Boxes are clamped where no point can be.
#define FAR ((int64_t)INT32_MAX + 1)

/// Closed; within FAR of 0.
typedef struct lattice_box {
    int64_t low[3], high[3];
} lattice_box;

static bool boxes_touch(const lattice_box* a, const lattice_box* b) {
    for (int i = 0; i < 3; ++i)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

static lattice_box box_between(vn_point low, vn_point high) {
    return (lattice_box){{low.x, low.y, low.z}, {high.x, high.y, high.z}};
}

static void include_box(lattice_box* box, const lattice_box* other) {
    for (int i = 0; i < 3; ++i) {
        box->low[i] = other->low[i] < box->low[i] ? other->low[i] : box->low[i];
        box->high[i] = other->high[i] > box->high[i] ? other->high[i] : box->high[i];
    }
}

/// Is a / b > c / d? Exact for b and d from 1 to 2^32 - 1 (the difference of two coordinates) and a and c
/// from -2^32 to 2^32 (of a coordinate and FAR): signs are compared first, and the products of the magnitudes
/// fit into 64 bits.
static bool is_above(int64_t a, int64_t b, int64_t c, int64_t d) {
    VNI_ASSERT(b > 0 && d > 0 && b < 2 * FAR && d < 2 * FAR);
    VNI_ASSERT(-2 * FAR <= a && a <= 2 * FAR && -2 * FAR <= c && c <= 2 * FAR);
    if ((a < 0) != (c < 0))
        return c < 0;

    const uint64_t left = (uint64_t)(a < 0 ? -a : a) * (uint64_t)d,
                   right = (uint64_t)(c < 0 ? -c : c) * (uint64_t)b;
    return a < 0 ? left < right : left > right;
}

/// Does the segment meet the closed box? The test of Kay and Kajiya (1986) for rays, in exact fractions.
///
/// The parameter t runs from 0 at `a` to 1 at `b`. Along axis i the segment is between the two planes of the
/// box for t from enter[i] / length[i] to leave[i] / length[i]. It meets the box if these three intervals and
/// [0, 1] (index 3) have a point in common: if no interval begins after another one ends.
///
///        enter         leave
///   0 -----[=============]--------- 1     x
///   0 --------[====]--------------- 1     y      in common: from the largest enter to the smallest leave
///   0 ---[=======]----------------- 1     z
static bool meets_segment(const lattice_box* box, vn_point a, vn_point b) {
    const int64_t *low = box->low, *high = box->high;
    const int64_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    int64_t enter[4] = {0, 0, 0, 0}, leave[4] = {1, 1, 1, 1}, length[4] = {1, 1, 1, 1};
    for (int i = 0; i < 3; ++i) {
        // Parallel to the planes: between them for all t, which the initial [0, 1] says, or for none.
        if (from[i] == to[i]) {
            if (from[i] < low[i] || from[i] > high[i])
                return false;
            continue;
        }

        length[i] = from[i] < to[i] ? to[i] - from[i] : from[i] - to[i];
        enter[i] = from[i] < to[i] ? low[i] - from[i] : from[i] - high[i];
        leave[i] = from[i] < to[i] ? high[i] - from[i] : from[i] - low[i];
    }

    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            if (is_above(enter[i], length[i], leave[k], length[k]))
                return false;

    return true;
}

/// Does the box touch the path from point `from` on? The last point counts as a segment, also a lone one; of
/// a step by a connection, its first point.
static bool touches_path(const lattice_box* box, const vni_watched* w, uint32_t from) {
    for (uint32_t i = from; i < w->count; ++i) {
        const bool is_alone = i + 1 == w->count || vni_watch_is_step(w, i);
        if (meets_segment(box, w->points[i], w->points[is_alone ? i : i + 1]))
            return true;
    }

    return false;
}

void vni_watch_measure(vni_watched* w) {
    vn_point low = w->points[w->agent.segment], high = low;
    for (uint32_t i = w->agent.segment + 1; i < w->count; ++i) {
        const vn_point p = w->points[i];
        low = (vn_point){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z};
        high =
            (vn_point){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z};
    }

    w->low = low;
    w->high = high;
}

// -------------------------------------------------------------------------------------------- last moment
// On the host's thread, except vni_nav_box_is_ahead. These tests may report a touch where there is none,
// which costs an update too many; they never miss one.

/// Metres from the low corner, down to whole voxels, as a lattice coordinate. The 1e-6 of a voxel is for the
/// rounding of the shape's own bounds: a face that lies on a voxel's border counts as beyond it.
static int64_t down_to_voxel(double metres, double resolution) {
    const double most = (double)(FAR / VN_LATTICE);
    return vni_voxel_to_steps64((int64_t)vni_clamp(floor(metres / resolution - 1e-6), -most, most));
}

static int64_t up_to_voxel(double metres, double resolution) {
    return -down_to_voxel(-metres, resolution);
}

/// The voxels that a shape inside a local box may block for agents of `radius` metres.
static lattice_box blocked_box(const vn_nav* nav, const vn_box* box, double radius) {
    const double size = (double)nav->fixed.def.space.resolution;
    const vn_dvec3 low = nav->fixed.low;
    return (lattice_box){{down_to_voxel((double)box->min.x - low.x - radius, size),
                          down_to_voxel((double)box->min.y - low.y - radius, size),
                          down_to_voxel((double)box->min.z - low.z - radius, size)},
                         {up_to_voxel((double)box->max.x - low.x + radius, size),
                          up_to_voxel((double)box->max.y - low.y + radius, size),
                          up_to_voxel((double)box->max.z - low.z + radius, size)}};
}

/// The box around the paths ahead of all watches, the largest radius among them, and whether one of them is
/// known to be blocked.
static lattice_box watched_box(const vn_nav* nav, double* radius, bool* blocked) {
    lattice_box all = {{FAR, FAR, FAR}, {-FAR, -FAR, -FAR}};
    *radius = 0;
    *blocked = false;
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        const vni_watched* w = &nav->fixed.watches[i];
        if (w->id == 0)
            continue;
        const lattice_box ahead = box_between(w->low, w->high);
        include_box(&all, &ahead);
        *radius = w->radius > *radius ? w->radius : *radius;
        *blocked = *blocked || (w->block.blocked && nav->fixed.dynamic[w->layer] != NULL);
    }

    return all;
}

/// Does a local box touch the path ahead of any watch? Obstacles block as far as the radius of the agent
/// reaches; zones cost only where the path itself runs.
static bool touches_watched(const vn_nav* nav, const vn_box* box, bool blocks) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        const vni_watched* w = &nav->fixed.watches[i];
        if (w->id == 0)
            continue;

        const lattice_box touch = blocked_box(nav, box, blocks ? w->radius : 0),
                          ahead = box_between(w->low, w->high);
        if (boxes_touch(&touch, &ahead) && touches_path(&touch, w, w->agent.segment))
            return true;
    }

    return false;
}

bool vni_nav_watches_touched(const vn_nav* nav) {
    if (nav->host.watch_count == 0)
        return false;

    // Most changes are far from every path: one test against the box around all of them dismisses these.
    double radius;
    bool blocked;
    const lattice_box all = watched_box(nav, &radius, &blocked);

    // Where an obstacle was before is not listed: any change may free a path that is blocked.
    if (blocked && nav->host.pending.count > 0)
        return true;

    for (uint32_t i = 0; i < nav->host.pending.count; ++i) {
        vn_box box;
        if (!vni_nav_op_box(nav, &nav->host.pending.items[i], &box))
            continue;
        const lattice_box touch = blocked_box(nav, &box, radius);
        if (boxes_touch(&touch, &all) && touches_watched(nav, &box, true))
            return true;
    }

    vn_box boxes[2 * VN_MAX_ZONES];
    uint32_t count = vni_nav_zone_boxes(nav, boxes);
    for (uint32_t i = 0; i < count; ++i)
        if (touches_watched(nav, &boxes[i], false))
            return true;

    return false;
}

bool vni_nav_box_is_ahead(const vn_nav* nav, const vn_box* box, const vni_watched* w) {
    const lattice_box touch = blocked_box(nav, box, 0), ahead = box_between(w->given.low, w->given.high);
    return boxes_touch(&touch, &ahead) && touches_path(&touch, w, w->given.agent.segment);
}

// ---------------------------------------------------------------------------------------------------- deltas
// On the thread of the update.

static bool any_touches(const vn_voxel_box* boxes, uint32_t count, const vni_watched* w) {
    const lattice_box ahead = box_between(w->given.low, w->given.high);
    for (uint32_t i = 0; i < count; ++i) {
        const lattice_box box = box_between(vni_voxel_corner(boxes[i].low), vni_voxel_corner(boxes[i].high));
        if (boxes_touch(&box, &ahead) && touches_path(&box, w, w->given.agent.segment))
            return true;
    }

    return false;
}

static bool delta_touches(const vni_delta* delta, const vni_watched* w) {
    return any_touches(delta->blocked, delta->blocked_count, w) ||
           (w->given.blocked && any_touches(delta->freed, delta->freed_count, w));
}

bool vni_watch_is_touched(const vni_dynamic* dynamic, const vni_watched* w, uint64_t before, uint64_t now) {
    // A delta that is no longer kept counts as one that touches.
    for (uint64_t number = before + 1; number <= now; ++number) {
        vni_delta delta;
        if (vni_dynamic_delta(dynamic, number, &delta) != VN_OK || delta_touches(&delta, w))
            return true;
    }
    return false;
}
