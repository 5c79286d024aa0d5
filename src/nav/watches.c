/// nav/watches.c: watched paths: which changes touch them, and where they are blocked.
///
/// The host owns a watch. For the time of an update it gives a copy of what moves (`given`: how far the agent
/// is, the box of the path ahead) and gets back `found`; the points are read by both and change for neither.
/// So the host may advance or drop a watch at any time, without a lock: what the update found is then
/// compared with where the agent is by now.
///
/// A path is checked against the space only if it must be: if it is fresh (never checked, or not from this
/// point on), or if a box in which voxels became blocked touches it. All other updates cost a watch one box
/// test for each of these boxes.
#include "base/alloc.h"
#include "geom/units.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

/// Of an id: the slot. The rest is a serial number, so that no id is used twice.
#define INDEX_BITS 20

vn_status vni_nav_watches_make(vn_nav* nav) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_WATCHES);
    uint32_t capacity = nav->fixed.def.max_watches;
    nav->fixed.watch_slots = 2 * capacity;
    nav->host.event_capacity = capacity;
    if (capacity == 0)
        return VN_OK;

    nav->fixed.watches = vni_alloc_zero(allocator, nav->fixed.watch_slots, sizeof *nav->fixed.watches);
    nav->fixed.watch_points =
        VNI_NEW_ARRAY(allocator, vn_point, (uint64_t)nav->fixed.watch_slots * nav->fixed.def.max_points);
    nav->host.events = VNI_NEW_ARRAY(allocator, vn_nav_event, capacity);
    if (nav->fixed.watches == NULL || nav->fixed.watch_points == NULL || nav->host.events == NULL)
        return VN_OUT_OF_MEMORY;

    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i)
        nav->fixed.watches[i].points = nav->fixed.watch_points + (size_t)i * nav->fixed.def.max_points;

    return VN_OK;
}

void vni_nav_watches_free(vn_nav* nav) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_WATCHES);
    VNI_DELETE_ARRAY(allocator, nav->fixed.watches, nav->fixed.watch_slots);
    VNI_DELETE_ARRAY(allocator, nav->fixed.watch_points,
                     (uint64_t)nav->fixed.watch_slots * nav->fixed.def.max_points);
    VNI_DELETE_ARRAY(allocator, nav->host.events, nav->host.event_capacity);
}

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

/// Does the box touch the path from point `from` on? The last point counts as a segment, also a lone one.
static bool touches_path(const lattice_box* box, const vn_point* points, uint32_t count, uint32_t from) {
    for (uint32_t i = from; i < count; ++i)
        if (meets_segment(box, points[i], points[i + 1 < count ? i + 1 : i]))
            return true;
    return false;
}

/// The box of the path ahead.
static void measure(vni_watched* w) {
    vn_point low = w->points[w->from], high = low;
    for (uint32_t i = w->from + 1; i < w->count; ++i) {
        const vn_point p = w->points[i];
        low = (vn_point){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z};
        high =
            (vn_point){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z};
    }

    w->low = low;
    w->high = high;
}

// ---------------------------------------------------------------------------------------- the host's calls
// On the host's thread.

vni_watched* vni_nav_find_watch(vn_nav* nav, vn_watch_id watch) {
    uint32_t slot = (uint32_t)(watch & ((1u << INDEX_BITS) - 1));
    if (watch == 0 || slot >= nav->fixed.watch_slots || nav->fixed.watches[slot].id != watch)
        return NULL;
    return &nav->fixed.watches[slot];
}

/// A slot that neither the host nor the update uses. There always is one: fewer than max_watches are the
/// host's, at most max_watches were handed over, and there are twice as many slots.
static uint32_t free_slot(const vn_nav* nav) {
    uint32_t slot = 0;
    while (nav->fixed.watches[slot].id != 0 || nav->fixed.watches[slot].in_update)
        ++slot;
    VNI_ASSERT(slot < nav->fixed.watch_slots);
    return slot;
}

vn_status vn_nav_watch(vn_nav* nav, const vn_point* points, uint32_t count, float radius, uint32_t open_flags,
                       vn_watch_id* out) {
    VNI_ASSERT(nav != NULL && out != NULL && (points != NULL || count == 0));

    if (count == 0)
        return VN_BAD_ARGUMENT;
    if (count > nav->fixed.def.max_points || nav->host.watch_count == nav->fixed.def.max_watches)
        return VN_CAPACITY;

    // The layer keeps its index in all versions.
    const vn_layers* view = &nav->host.seen->view;
    const vn_space* space = vn_layers_find(view, (double)radius, open_flags);
    if (space == NULL)
        return VN_UNSUPPORTED;

    uint32_t slot = free_slot(nav);
    vni_watched* w = &nav->fixed.watches[slot];
    w->id = ++nav->host.watch_serial << INDEX_BITS | slot;
    w->fresh = true;
    w->found.blocked = false;
    w->zone_flags = 0;

    w->layer = 0;
    while (view->spaces[w->layer] != space)
        ++w->layer;

    w->radius = (double)space->radius;
    memcpy(w->points, points, count * sizeof *points);
    w->count = count;
    w->from = 0;
    measure(w);
    ++nav->host.watch_count;
    ++nav->host.fresh_count;

    // Pins are shared; all the rest of a watch is the host's.
    vni_nav_enter(nav);
    vni_nav_watch_since(nav, w, nav->host.seen);
    vni_nav_leave(nav);
    *out = w->id;

    return VN_OK;
}

vn_status vn_nav_watch_advance(vn_nav* nav, vn_watch_id watch, uint32_t segment) {
    VNI_ASSERT(nav != NULL);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;
    if (segment >= w->count)
        return VN_BAD_ARGUMENT;

    // The agent has turned back: what became blocked behind it has not been checked.
    if (segment < w->from) {
        nav->host.fresh_count += !w->fresh;
        w->fresh = true;
    }

    w->from = segment;
    measure(w);
    return VN_OK;
}

/// Gives the slot up; it stays reserved until an update that has it is adopted. Monitor held.
static void forget(vn_nav* nav, vni_watched* w) {
    VNI_ASSERT(nav->host.watch_count > 0);
    vni_nav_watch_costs_forget(nav, w);
    w->id = 0;
    --nav->host.watch_count;
}

vn_status vn_nav_unwatch(vn_nav* nav, vn_watch_id watch) {
    VNI_ASSERT(nav != NULL);
    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    forget(nav, w);
    vni_nav_leave(nav);
    return VN_OK;
}

bool vn_nav_next_event(vn_nav* nav, vn_nav_event* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    // The version first: the other events may refer to it. Versions in between are skipped.
    if (nav->host.reported_version != nav->host.seen->number) {
        memset(out, 0, sizeof *out);
        out->kind = VN_EVENT_VERSION;
        out->version = nav->host.reported_version = nav->host.seen->number;
        return true;
    }

    if (nav->host.event_count == 0)
        return vni_nav_next_cost_event(nav, out);

    *out = nav->host.events[nav->host.event_first];
    nav->host.event_first = (nav->host.event_first + 1) % nav->host.event_capacity;
    --nav->host.event_count;

    return true;
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

/// The box around the paths ahead of all watches, and the largest radius among them.
static lattice_box watched_box(const vn_nav* nav, double* radius) {
    lattice_box all = {{FAR, FAR, FAR}, {-FAR, -FAR, -FAR}};
    *radius = 0;
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        const vni_watched* w = &nav->fixed.watches[i];
        if (w->id == 0)
            continue;
        const lattice_box ahead = box_between(w->low, w->high);
        include_box(&all, &ahead);
        *radius = w->radius > *radius ? w->radius : *radius;
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
        if (boxes_touch(&touch, &ahead) && touches_path(&touch, w->points, w->count, w->from))
            return true;
    }

    return false;
}

bool vni_nav_watches_touched(const vn_nav* nav) {
    if (nav->host.watch_count == 0)
        return false;

    // Most changes are far from every path: one test against the box around all of them dismisses these.
    double radius;
    const lattice_box all = watched_box(nav, &radius);
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
    return boxes_touch(&touch, &ahead) && touches_path(&touch, w->points, w->count, w->given.from);
}

// ------------------------------------------------------------------------------------- hand over (the host)

void vni_nav_watches_hand_over(vn_nav* nav) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        w->in_update = w->id != 0;
        if (!w->in_update)
            continue;

        w->given.from = w->from;
        w->given.low = w->low;
        w->given.high = w->high;
        w->given.fresh = w->fresh;
        vni_nav_watch_costs_hand_over(w);

        // From here on `fresh` is for what the host asks of the next update.
        w->fresh = w->found.blocked = false;
    }

    nav->host.fresh_count = 0;
}

// -------------------------------------------------------------------------------------- check (the update)

static bool delta_touches(const vni_delta* delta, const vni_watched* w) {
    const lattice_box ahead = box_between(w->given.low, w->given.high);
    for (uint32_t i = 0; i < delta->blocked_count; ++i) {
        const vn_voxel low = delta->blocked[i].low, high = delta->blocked[i].high;
        const vn_point from = vni_voxel_corner(low), to = vni_voxel_corner(high);
        const lattice_box box = box_between(from, to);
        if (boxes_touch(&box, &ahead) && touches_path(&box, w->points, w->count, w->given.from))
            return true;
    }

    return false;
}

/// Has anything on the path ahead become blocked between two versions of the layer? True also if the delta of
/// a version in between is no longer kept.
static bool is_touched(const vni_dynamic* dynamic, const vni_watched* w, uint64_t before, uint64_t now) {
    for (uint64_t number = before + 1; number <= now; ++number) {
        vni_delta delta;
        if (vni_dynamic_delta(dynamic, number, &delta) != VN_OK || delta_touches(&delta, w))
            return true;
    }
    return false;
}

/// From `a` towards `b`, rounded towards `a`; 0 <= at <= 1.
static int32_t coordinate_at(int32_t a, int32_t b, double at) {
    return (int32_t)(a + (int64_t)(at * ((double)b - a)));
}

static vn_point point_at(vn_point a, vn_point b, double at) {
    return (vn_point){coordinate_at(a.x, b.x, at), coordinate_at(a.y, b.y, at), coordinate_at(a.z, b.z, at)};
}

/// Checks the path ahead against the space itself.
static void check(vni_watched* w, const vn_space* space) {
    const vn_point* points = w->points + w->given.from;
    uint32_t count = w->count - w->given.from;
    vn_check_result result;
    w->found.blocked = !vn_space_check_path(space, points, count, &result);
    if (!w->found.blocked)
        return;

    uint32_t next = result.segment + 1 < count ? result.segment + 1 : result.segment;
    w->found.segment = w->given.from + result.segment;
    w->found.at = point_at(points[result.segment], points[next], result.fraction);
}

void vni_nav_watches_look(vn_nav* nav, const vni_nav_version* before, const vni_nav_version* now) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        if (!w->in_update)
            continue;

        // A static layer has no deltas: a path in it cannot become blocked later.
        const vni_dynamic* dynamic = nav->fixed.dynamic[w->layer];
        if (w->given.fresh ||
            (dynamic != NULL && is_touched(dynamic, w, before->numbers[w->layer], now->numbers[w->layer])))
            check(w, now->view.spaces[w->layer]);

        vni_nav_watch_costs_look(nav, w, before, now);
    }
}

// ----------------------------------------------------------------------------------------- adopt (the host)
// Monitor held.

/// Makes an event of a blocked path, which ends the watch. If the agent has passed the place meanwhile, or
/// the ring of events is full, the path is checked again by the next update: nothing is lost.
static void report_blocked(vn_nav* nav, vni_watched* w) {
    if (w->found.segment < w->from || nav->host.event_count == nav->host.event_capacity) {
        w->fresh = true;
        ++nav->host.fresh_count;
        return;
    }

    vn_nav_event* event =
        &nav->host.events[(nav->host.event_first + nav->host.event_count++) % nav->host.event_capacity];
    *event = (vn_nav_event){
        VN_EVENT_PATH_BLOCKED, nav->host.seen->number, w->id, w->found.segment, w->found.at, 0};
    forget(nav, w);
}

void vni_nav_watches_adopt(vn_nav* nav, bool looked) {
    for (uint32_t i = 0; i < nav->fixed.watch_slots; ++i) {
        vni_watched* w = &nav->fixed.watches[i];
        if (!w->in_update)
            continue;

        // Costs first, also for a watch that the host has dropped: the pin in `given` must be returned.
        w->in_update = false;
        vni_nav_watch_costs_adopt(nav, w, looked);
        if (w->id == 0)
            continue;

        // A failed update has not checked anything: what was fresh is fresh again. Paths that were merely
        // touched need no note; the next version is compared with the same one before it.
        if (looked && w->found.blocked)
            report_blocked(nav, w);
        else if (!looked && w->given.fresh && !w->fresh) {
            w->fresh = true;
            ++nav->host.fresh_count;
        }
    }
}
