/// nav/watches.c: paths that are watched: which change touches them, and where they are blocked.
#include "base/alloc.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

#define INDEX_BITS 20

vn_status vni_nav_watches_make(vn_nav* nav) {
    const vn_allocator* allocator = &nav->allocator;
    uint32_t room = nav->def.max_watches;
    nav->watch_slots = 2 * room;
    nav->event_capacity = room;
    if (room == 0)
        return VN_OK;

    nav->watches = vni_alloc_zero(allocator, nav->watch_slots, sizeof *nav->watches);
    nav->watch_points = VNI_NEW_ARRAY(allocator, vn_point, (uint64_t)nav->watch_slots * nav->def.max_points);
    nav->events = VNI_NEW_ARRAY(allocator, vn_nav_event, room);
    if (!nav->watches || !nav->watch_points || !nav->events)
        return VN_OUT_OF_MEMORY;

    for (uint32_t i = 0; i < nav->watch_slots; ++i)
        nav->watches[i].points = nav->watch_points + (size_t)i * nav->def.max_points;

    return VN_OK;
}

void vni_nav_watches_free(vn_nav* nav) {
    const vn_allocator* allocator = &nav->allocator;
    VNI_DELETE_ARRAY(allocator, nav->watches, nav->watch_slots);
    VNI_DELETE_ARRAY(allocator, nav->watch_points, (uint64_t)nav->watch_slots * nav->def.max_points);
    VNI_DELETE_ARRAY(allocator, nav->events, nav->event_capacity);
}

// ---------------------------------------------------------------------------------------------------- boxes

/// Points of paths may be any int32_t, inside the space or not. Boxes are cut where no point can be any more.
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

/// Is a / b above c / d? Exact for b and d from 1 to 2^32 - 1 (the difference of two coordinates) and a and c
/// up to 2^32 either way (of a coordinate and FAR): the products fit into 64 bits without a sign.
static bool is_above(int64_t a, int64_t b, int64_t c, int64_t d) {
    VNI_ASSERT(b > 0 && d > 0 && b < 2 * FAR && d < 2 * FAR);
    VNI_ASSERT(-2 * FAR <= a && a <= 2 * FAR && -2 * FAR <= c && c <= 2 * FAR);
    if ((a < 0) != (c < 0))
        return c < 0;

    const uint64_t left = (uint64_t)(a < 0 ? -a : a) * (uint64_t)d,
                   right = (uint64_t)(c < 0 ? -c : c) * (uint64_t)b;
    return a < 0 ? left < right : left > right;
}

/// Does the segment meet the closed box? Exact. Along axis i it is between the two planes from enter[i] /
/// way[i] to leave[i] / way[i] of its length; all three of these, and 0 to 1, must have a point in common.
static bool meets_segment(const lattice_box* box, vn_point a, vn_point b) {
    const int64_t *low = box->low, *high = box->high;
    const int64_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    int64_t enter[4] = {0, 0, 0, 0}, leave[4] = {1, 1, 1, 1}, way[4] = {1, 1, 1, 1};
    for (int i = 0; i < 3; ++i) {
        if (from[i] == to[i]) {
            if (from[i] < low[i] || from[i] > high[i])
                return false;
            continue;
        }

        way[i] = from[i] < to[i] ? to[i] - from[i] : from[i] - to[i];
        enter[i] = from[i] < to[i] ? low[i] - from[i] : from[i] - high[i];
        leave[i] = from[i] < to[i] ? high[i] - from[i] : from[i] - low[i];
    }

    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            if (is_above(enter[i], way[i], leave[k], way[k]))
                return false;

    return true;
}

/// Does the box touch a segment from `from` on? A lone point is a segment.
static bool touches_way(const lattice_box* box, const vn_point* points, uint32_t count, uint32_t from) {
    for (uint32_t i = from; i < count; ++i)
        if (meets_segment(box, points[i], points[i + 1 < count ? i + 1 : i]))
            return true;
    return false;
}

/// The box of what lies ahead.
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

// -------------------------------------------------------------------------------------------- the host's
// side

vni_watched* vni_nav_find_watch(vn_nav* nav, vn_watch_id watch) {
    uint32_t slot = (uint32_t)(watch & ((1u << INDEX_BITS) - 1));
    if (watch == 0 || slot >= nav->watch_slots || nav->watches[slot].id != watch)
        return NULL;
    return &nav->watches[slot];
}

/// A slot that nobody looks at: there are twice as many as there may be watches.
static uint32_t free_slot(const vn_nav* nav) {
    uint32_t slot = 0;
    while (nav->watches[slot].id != 0 || nav->watches[slot].in_task)
        ++slot;
    VNI_ASSERT(slot < nav->watch_slots);
    return slot;
}

vn_status vn_nav_watch(vn_nav* nav, const vn_point* points, uint32_t count, float radius, uint32_t open_flags,
                       vn_watch_id* out) {
    VNI_ASSERT(nav && out && (points || count == 0));

    if (count == 0)
        return VN_BAD_ARGUMENT;
    if (count > nav->def.max_points || nav->watch_count == nav->def.max_watches)
        return VN_CAPACITY;

    const vn_layers* view = &nav->seen->view;
    const vn_space* space = vn_layers_find(view, (double)radius, open_flags);
    if (!space)
        return VN_UNSUPPORTED;

    uint32_t slot = free_slot(nav);
    vni_watched* w = &nav->watches[slot];
    w->id = ++nav->watch_serial << INDEX_BITS | slot;
    w->fresh = true;
    w->blocked = false;
    w->zone_flags = 0;

    w->layer = 0;
    while (view->spaces[w->layer] != space)
        ++w->layer;

    w->radius = (double)space->radius;
    memcpy(w->points, points, count * sizeof *points);
    w->count = count;
    w->from = 0;
    measure(w);
    ++nav->watch_count;
    ++nav->fresh_count;
    vni_nav_enter(nav);
    vni_nav_watch_since(nav, w, nav->seen);
    vni_nav_leave(nav);
    *out = w->id;

    return VN_OK;
}

vn_status vn_nav_watch_advance(vn_nav* nav, vn_watch_id watch, uint32_t segment) {
    VNI_ASSERT(nav);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (!w)
        return VN_STALE_ID;
    if (segment >= w->count)
        return VN_BAD_ARGUMENT;

    if (segment < w->from) { // what became blocked there meanwhile has gone unseen
        nav->fresh_count += !w->fresh;
        w->fresh = true;
    }

    w->from = segment;
    measure(w);
    return VN_OK;
}

/// Inside the monitor.
static void forget(vn_nav* nav, vni_watched* w) {
    VNI_ASSERT(nav->watch_count > 0);
    vni_nav_watch_costs_forget(nav, w);
    w->id = 0;
    --nav->watch_count;
}

vn_status vn_nav_unwatch(vn_nav* nav, vn_watch_id watch) {
    VNI_ASSERT(nav);
    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (!w)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    forget(nav, w);
    vni_nav_leave(nav);
    return VN_OK;
}

bool vn_nav_next_event(vn_nav* nav, vn_nav_event* out) {
    VNI_ASSERT(nav && out);

    if (nav->told_version != nav->seen->number) {
        memset(out, 0, sizeof *out);
        out->kind = VN_EVENT_VERSION;
        out->version = nav->told_version = nav->seen->number;
        return true;
    }

    if (nav->event_count == 0)
        return vni_nav_next_cost_event(nav, out);
    *out = nav->events[nav->event_first];
    nav->event_first = (nav->event_first + 1) % nav->event_capacity;
    --nav->event_count;

    return true;
}

// -------------------------------------------------------------------------------------------- last moment

/// Metres from the low corner to whole voxels, on the lattice.
static int64_t down_to_voxel(double metres, double resolution) {
    const double most = (double)(FAR / VN_LATTICE);
    return (int64_t)vni_clamp(floor(metres / resolution - 1e-6), -most, most) * VN_LATTICE;
}

static int64_t up_to_voxel(double metres, double resolution) {
    return -down_to_voxel(-metres, resolution);
}

/// The voxels that a shape inside a local box may block for agents of `radius` metres.
static lattice_box blocked_box(const vn_nav* nav, const vn_box* box, double radius) {
    const double size = (double)nav->def.space.resolution;
    const vn_dvec3 low = nav->low;
    return (lattice_box){{down_to_voxel((double)box->min.x - low.x - radius, size),
                          down_to_voxel((double)box->min.y - low.y - radius, size),
                          down_to_voxel((double)box->min.z - low.z - radius, size)},
                         {up_to_voxel((double)box->max.x - low.x + radius, size),
                          up_to_voxel((double)box->max.y - low.y + radius, size),
                          up_to_voxel((double)box->max.z - low.z + radius, size)}};
}

/// The box of all that lies ahead of anybody, and the widest radius among them.
static lattice_box watched_box(const vn_nav* nav, double* radius) {
    lattice_box all = {{FAR, FAR, FAR}, {-FAR, -FAR, -FAR}};
    *radius = 0;
    for (uint32_t i = 0; i < nav->watch_slots; ++i) {
        const vni_watched* w = &nav->watches[i];
        if (w->id == 0)
            continue;
        const lattice_box ahead = box_between(w->low, w->high);
        include_box(&all, &ahead);
        *radius = w->radius > *radius ? w->radius : *radius;
    }

    return all;
}

/// Does it touch what lies ahead of anybody? What blocks does so by the radius of the agent, what costs does
/// not.
static bool touches_watched(const vn_nav* nav, const vn_box* box, bool blocks) {
    for (uint32_t i = 0; i < nav->watch_slots; ++i) {
        const vni_watched* w = &nav->watches[i];
        if (w->id == 0)
            continue;

        const lattice_box touch = blocked_box(nav, box, blocks ? w->radius : 0),
                          ahead = box_between(w->low, w->high);
        if (boxes_touch(&touch, &ahead) && touches_way(&touch, w->points, w->count, w->from))
            return true;
    }

    return false;
}

bool vni_nav_watches_touched(const vn_nav* nav) {
    if (nav->watch_count == 0)
        return false;
    double radius;
    const lattice_box all = watched_box(nav, &radius);
    for (uint32_t i = 0; i < nav->pending.count; ++i) {
        vn_box box;
        if (!vni_nav_op_box(nav, &nav->pending.items[i], &box))
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
    const lattice_box touch = blocked_box(nav, box, 0), ahead = box_between(w->task_low, w->task_high);
    return boxes_touch(&touch, &ahead) && touches_way(&touch, w->points, w->count, w->task_from);
}

// ------------------------------------------------------------------------------------------------- the task

void vni_nav_watches_hand_over(vn_nav* nav) {
    for (uint32_t i = 0; i < nav->watch_slots; ++i) {
        vni_watched* w = &nav->watches[i];
        w->in_task = w->id != 0;
        if (!w->in_task)
            continue;

        w->task_from = w->from;
        w->task_low = w->low;
        w->task_high = w->high;
        w->task_fresh = w->fresh;
        vni_nav_watch_costs_hand_over(w);
        w->fresh = w->blocked = false;
    }

    nav->fresh_count = 0;
}

static bool delta_touches(const vni_delta* delta, const vni_watched* w) {
    const lattice_box ahead = box_between(w->task_low, w->task_high);
    for (uint32_t i = 0; i < delta->blocked_count; ++i) {
        const vn_voxel low = delta->blocked[i].low, high = delta->blocked[i].high;
        const vn_point from = {low.x * VN_LATTICE, low.y * VN_LATTICE, low.z * VN_LATTICE},
                       to = {high.x * VN_LATTICE, high.y * VN_LATTICE, high.z * VN_LATTICE};
        const lattice_box box = box_between(from, to);
        if (boxes_touch(&box, &ahead) && touches_way(&box, w->points, w->count, w->task_from))
            return true;
    }

    return false;
}

/// Has something ahead become blocked between two versions of the layer? True also if nobody knows any more.
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

static void judge(vni_watched* w, const vn_space* space) {
    const vn_point* points = w->points + w->task_from;
    uint32_t count = w->count - w->task_from;
    vn_check_result result;
    w->blocked = !vn_space_check_path(space, points, count, &result);
    if (!w->blocked)
        return;

    uint32_t next = result.segment + 1 < count ? result.segment + 1 : result.segment;
    w->segment = w->task_from + result.segment;
    w->at = point_at(points[result.segment], points[next], result.fraction);
}

void vni_nav_watches_look(vn_nav* nav, const vni_nav_version* before, const vni_nav_version* now) {
    for (uint32_t i = 0; i < nav->watch_slots; ++i) {
        vni_watched* w = &nav->watches[i];
        if (!w->in_task)
            continue;

        const vni_dynamic* dynamic = nav->dynamic[w->layer];
        if (w->task_fresh ||
            (dynamic && is_touched(dynamic, w, before->numbers[w->layer], now->numbers[w->layer])))
            judge(w, now->view.spaces[w->layer]);

        vni_nav_watch_costs_look(nav, w, before, now);
    }
}

/// What is blocked ahead becomes an event, if there is room; else it is looked at again.
static void tell(vn_nav* nav, vni_watched* w) {
    if (w->segment < w->from || nav->event_count == nav->event_capacity) {
        w->fresh = true;
        ++nav->fresh_count;
        return;
    }

    vn_nav_event* event = &nav->events[(nav->event_first + nav->event_count++) % nav->event_capacity];
    *event = (vn_nav_event){VN_EVENT_PATH_BLOCKED, nav->seen->number, w->id, w->segment, w->at, 0};
    forget(nav, w);
}

void vni_nav_watches_adopt(vn_nav* nav, bool looked) {
    for (uint32_t i = 0; i < nav->watch_slots; ++i) {
        vni_watched* w = &nav->watches[i];
        bool was_in = w->in_task;
        w->in_task = false;
        if (was_in)
            vni_nav_watch_costs_adopt(nav, w, looked);

        if (!was_in || w->id == 0)
            continue;
        if (looked && w->blocked)
            tell(nav, w);
        else if (!looked && w->task_fresh && !w->fresh) {
            w->fresh = true;
            ++nav->fresh_count;
        }
    }
}
