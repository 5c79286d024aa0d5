/// nav/watch_costs.c: what zones that change make of watched paths.
///
/// A watch that has not been looked at since it began holds the version from which its costs count; all
/// others go from each version to the next.
#include "geom/units.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"
#include "space/zone_buffer.h"

#include <string.h>

/// A part of a cost that is rounding only.
#define NOTHING 1e-9

// ----------------------------------------------------------------------------------------------- the host's

static void unpin(vn_nav* nav, vni_nav_version** version) {
    if (*version)
        vni_nav_version_unpin(nav, *version);
    *version = NULL;
}

void vni_nav_watch_since(vn_nav* nav, vni_watched* w, vni_nav_version* version) {
    VNI_ASSERT(version && version->pins > 0);
    ++version->pins;
    unpin(nav, &w->base);
    w->base = version;
}

vn_status vn_nav_watch_costs(vn_nav* nav, vn_watch_id watch, uint32_t zone_flags, uint64_t version) {
    VNI_ASSERT(nav);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (!w)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    vni_nav_version* v = version == 0 ? nav->seen : nav->newest;
    while (v && version != 0 && v->number != version)
        v = v->next;

    if (v)
        vni_nav_watch_since(nav, w, v);

    vni_nav_leave(nav);
    if (!v)
        return VN_STALE_ID;

    w->zone_flags = zone_flags;
    nav->cost_events -= w->costs_changed;
    w->costs_changed = false;
    nav->fresh_count += !w->fresh;
    w->fresh = true;

    return VN_OK;
}

void vni_nav_watch_costs_forget(vn_nav* nav, vni_watched* w) {
    unpin(nav, &w->base);
    VNI_ASSERT(nav->cost_events >= w->costs_changed);
    nav->cost_events -= w->costs_changed;
    w->costs_changed = false;
}

bool vni_nav_next_cost_event(vn_nav* nav, vn_nav_event* out) {
    if (nav->cost_events == 0)
        return false;
    uint32_t slot = nav->cost_event_next;
    while (!nav->watches[slot].costs_changed)
        slot = (slot + 1) % nav->watch_slots;

    vni_watched* w = &nav->watches[slot];
    const uint32_t segment = w->costs_segment > w->from ? w->costs_segment : w->from;
    *out = (vn_nav_event){VN_EVENT_COSTS_CHANGED, w->costs_version, w->id, segment, w->points[segment], 0};
    out->cost_change = w->cost_change;
    w->costs_changed = false;
    --nav->cost_events;
    nav->cost_event_next = (slot + 1) % nav->watch_slots;

    return true;
}

// ------------------------------------------------------------------------------------------------- the task

void vni_nav_watch_costs_hand_over(vni_watched* w) {
    VNI_ASSERT(!w->task_base);
    w->task_base = w->base;
    w->base = NULL;
    w->task_zone_flags = w->zone_flags;
    w->task_change = 0;
}

static double cost_of(const vn_nav* nav, uint32_t room, vn_point from, vn_point to) {
    double a[3], b[3];
    vni_point_to_voxels(from, a);
    vni_point_to_voxels(to, b);
    return vni_zones_cost(&nav->zone_buffers[room].set, a, b) * (double)nav->def.space.resolution;
}

static void fill_room(const vn_nav* nav, uint32_t room, const vni_nav_version* version, uint32_t flags) {
    const vni_frame grid = {nav->low, (double)nav->def.space.resolution};
    vni_zone_buffer_clear(&nav->zone_buffers[room]);
    vni_zone_buffer_add(&nav->zone_buffers[room], version->zones.items, version->zones.count, flags, &grid);
}

/// Where zones have changed between a version and the next: is any of that ahead?
static bool is_touched(const vn_nav* nav, const vni_watched* w, const vni_nav_version* now) {
    for (uint32_t i = 0; i < now->zones.changed_count; ++i)
        if (vni_nav_box_is_ahead(nav, &now->zones.changed[i], w))
            return true;
    return false;
}

void vni_nav_watch_costs_look(vn_nav* nav, vni_watched* w, const vni_nav_version* before,
                              const vni_nav_version* now) {
    const vni_nav_version* from = w->task_base ? w->task_base : before;
    VNI_ASSERT(w->in_task && w->task_change_count == 0 && from->number <= now->number);

    if (from->zones.since == now->zones.since)
        return;
    if (from->number + 1 == now->number && !is_touched(nav, w, now))
        return;

    fill_room(nav, 0, from, w->task_zone_flags);
    fill_room(nav, 1, now, w->task_zone_flags);
    double all = 0;
    for (uint32_t i = w->task_from; i + 1 < w->count; ++i) {
        const double was = cost_of(nav, 0, w->points[i], w->points[i + 1]),
                     is = cost_of(nav, 1, w->points[i], w->points[i + 1]);
        all += is;
        if (!(vni_abs(is - was) > NOTHING * (is + was)))
            continue;

        w->task_first = w->task_change_count == 0 ? i : w->task_first;
        w->task_last = i;
        ++w->task_change_count;
        w->task_change += is - was;
    }

    w->task_cost = all;
}

/// What the task has found becomes news, unless the agent is past it. News that nobody has read are added up;
/// what cancels out is none.
static void tell(vn_nav* nav, vni_watched* w) {
    VNI_ASSERT(w->task_first <= w->task_last && w->task_last + 1 < w->count);

    if (w->task_last < w->from)
        return;
    const double change = w->task_change + (w->costs_changed ? w->cost_change : 0);
    const bool changed = vni_abs(change) > NOTHING * w->task_cost;
    nav->cost_events += changed;
    nav->cost_events -= w->costs_changed;
    w->costs_changed = changed;
    w->cost_change = change;
    w->costs_segment = w->task_first > w->from ? w->task_first : w->from;
    w->costs_version = nav->seen->number;
}

void vni_nav_watch_costs_adopt(vn_nav* nav, vni_watched* w, bool looked) {
    if (looked && w->id != 0 && w->task_change_count > 0 && !w->base) // else it counts from there
        tell(nav, w);

    w->task_change_count = 0;
    if (!looked && w->id != 0 && !w->base) {
        w->base = w->task_base;
        w->task_base = NULL;
    }

    unpin(nav, &w->task_base);
}
