/// nav/watch_costs.c: how changes of zones change the costs of watched paths.
///
/// A watch that no update has checked yet holds (pins) the version from which its costs count: `base`. The
/// first update compares against that one; all later ones compare each version with the one before it, and
/// `base` is null. A failed update gives `base` back.
#include "geom/vec.h"
#include "nav/watch_inside.h"
#include "space/zone_buffer.h"

#include <string.h>

/// Relative changes of a cost below this are rounding.
#define ROUNDING 1e-9

// ----------------------------------------------------------------------------------------- the host's calls
// On the host's thread.

/// Monitor held.
static void unpin(vn_nav* nav, vni_nav_version** version) {
    if (*version != NULL)
        vni_nav_version_unpin(nav, *version);
    *version = NULL;
}

void vni_nav_watch_since(vn_nav* nav, vni_watched* w, vni_nav_version* version) {
    VNI_ASSERT(version != NULL && version->pins > 0);
    ++version->pins; // before the unpin: it may be the same one
    unpin(nav, &w->base);
    w->base = version;
}

vni_nav_version* vni_nav_held_version(vn_nav* nav, uint64_t number) {
    if (number == 0)
        return nav->host.seen;
    vni_nav_version* version = nav->shared.newest;
    while (version != NULL && version->number != number)
        version = version->next;
    return version;
}

vn_status vn_nav_watch_costs(vn_nav* nav, vn_watch_id watch, uint32_t zone_flags, uint64_t version) {
    VNI_ASSERT(nav != NULL);

    vni_watched* w = vni_nav_find_watch(nav, watch);
    if (w == NULL)
        return VN_STALE_ID;

    vni_nav_enter(nav);
    vni_nav_version* from = vni_nav_held_version(nav, version);
    if (from != NULL)
        vni_nav_watch_since(nav, w, from);

    vni_nav_leave(nav);
    if (from == NULL)
        return VN_STALE_ID;

    // An event that has not been read counts from the old base: it is dropped, and the next update starts
    // anew.
    w->zone_flags = zone_flags;
    nav->host.cost_events -= w->costs_changed;
    w->costs_changed = false;
    nav->host.fresh_count += !w->fresh;
    w->fresh = true;

    return VN_OK;
}

void vni_nav_watch_costs_forget(vn_nav* nav, vni_watched* w) {
    unpin(nav, &w->base);
    VNI_ASSERT(nav->host.cost_events >= w->costs_changed);
    nav->host.cost_events -= w->costs_changed;
    w->costs_changed = false;
}

/// The first segment ahead of the agent that an unread change may lie on; steps have no costs.
static uint32_t segment_to_tell(const vni_watched* w) {
    uint32_t segment = w->costs_first > w->agent.segment ? w->costs_first : w->agent.segment;
    VNI_ASSERT(segment <= w->costs_last && !vni_watch_is_step(w, w->costs_last));
    while (vni_watch_is_step(w, segment))
        ++segment;

    return segment;
}

static void make_cost_event(const vn_nav* nav, const vni_watched* w, vn_nav_event* out) {
    const uint32_t segment = segment_to_tell(w);
    *out = (vn_nav_event){.kind = VN_EVENT_COSTS_CHANGED,
                          .version = w->costs_version,
                          .watch = w->id,
                          .segment = segment,
                          .point = w->points[segment],
                          .cost_change = w->cost_change,
                          .user = w->user};
    out->position = vn_space_point_to_world(nav->host.seen->view.spaces[w->layer], out->point);
}

bool vni_nav_next_cost_event(vn_nav* nav, vn_nav_event* out) {
    while (nav->host.cost_events > 0) {
        // Round robin over the slots: a watch whose costs keep changing cannot keep the others from being
        // read.
        uint32_t slot = nav->host.cost_event_next;
        while (!nav->fixed.watches[slot].costs_changed)
            slot = (slot + 1) % nav->fixed.watch_slots;

        vni_watched* w = &nav->fixed.watches[slot];
        w->costs_changed = false;
        --nav->host.cost_events;
        nav->host.cost_event_next = (slot + 1) % nav->fixed.watch_slots;

        // The agent may have advanced since the update found it. What is all behind it is not told.
        if (w->agent.segment <= w->costs_last) {
            make_cost_event(nav, w, out);
            return true;
        }
    }

    return false;
}

// ----------------------------------------------------------------------------------------------- the update
// Handed over and adopted on the host's thread, checked on that of the update.

void vni_nav_watch_costs_hand_over(vni_watched* w) {
    VNI_ASSERT(w->given.base == NULL);

    // The pin moves along. If the host sets a new base meanwhile, it does not meet this one.
    w->given.base = w->base;
    w->base = NULL;
    w->given.zone_flags = w->zone_flags;
    w->found.cost_change = 0;
}

static double cost_of(const vn_nav* nav, uint32_t buffer, vn_point from, vn_point to) {
    double a[3], b[3];
    vni_point_to_voxels(from, a);
    vni_point_to_voxels(to, b);
    return vni_zones_cost(&nav->update.zone_buffers[buffer].set, a, b) *
           (double)nav->fixed.def.space.resolution;
}

static void fill_buffer(const vn_nav* nav, uint32_t buffer, const vni_nav_version* version, uint32_t flags) {
    const vni_frame grid = {nav->fixed.low, (double)nav->fixed.def.space.resolution};
    vni_zone_buffer_clear(&nav->update.zone_buffers[buffer]);
    vni_zone_buffer_add(&nav->update.zone_buffers[buffer], version->zones.items, version->zones.count, flags,
                        &grid);
}

/// Have zones changed on the path ahead between the previous version and this one?
static bool is_touched(const vn_nav* nav, const vni_watched* w, const vni_nav_version* now) {
    for (uint32_t i = 0; i < now->zones.changed_count; ++i)
        if (vni_nav_box_is_ahead(nav, &now->zones.changed[i], w))
            return true;
    return false;
}

void vni_nav_watch_costs_look(vn_nav* nav, vni_watched* w, const vni_nav_version* before,
                              const vni_nav_version* now) {
    const vni_nav_version* from = w->given.base != NULL ? w->given.base : before;
    VNI_ASSERT(w->in_update && w->found.change_count == 0 && from->number <= now->number);

    // The same zones; or two neighbouring versions, whose differences are known and lie elsewhere.
    if (from->zones.since == now->zones.since)
        return;
    if (from->number + 1 == now->number && !is_touched(nav, w, now))
        return;

    // Segment by segment: rounding is judged against one segment, not against a long path, and the event can
    // say where the first change is.
    fill_buffer(nav, 0, from, w->given.zone_flags);
    fill_buffer(nav, 1, now, w->given.zone_flags);
    double all = 0;
    for (uint32_t i = w->given.agent.segment; i + 1 < w->count; ++i) {
        if (vni_watch_is_step(w, i)) // zones cost nothing there
            continue;
        const double was = cost_of(nav, 0, w->points[i], w->points[i + 1]),
                     is = cost_of(nav, 1, w->points[i], w->points[i + 1]);
        all += is;
        if (!(vni_abs(is - was) > ROUNDING * (is + was)))
            continue;

        w->found.first = w->found.change_count == 0 ? i : w->found.first;
        w->found.last = i;
        ++w->found.change_count;
        w->found.cost_change += is - was;
    }

    w->found.cost = all;
}

/// Makes an event of what the update found, unless the agent has passed it. Changes that have not been read
/// are added up, from the first segment to the last of any; if they cancel out, there is no event.
static void report_costs(vn_nav* nav, vni_watched* w) {
    VNI_ASSERT(w->found.first <= w->found.last && w->found.last + 1 < w->count);

    if (w->found.last < w->agent.segment)
        return;
    const bool unread = w->costs_changed;
    const double change = w->found.cost_change + (unread ? w->cost_change : 0);
    const bool changed = vni_abs(change) > ROUNDING * w->found.cost;
    nav->host.cost_events += changed;
    nav->host.cost_events -= unread;
    w->costs_changed = changed;
    w->cost_change = change;
    w->costs_first = unread && w->costs_first < w->found.first ? w->costs_first : w->found.first;
    w->costs_last = unread && w->costs_last > w->found.last ? w->costs_last : w->found.last;
    w->costs_version = nav->host.seen->number;
}

void vni_nav_watch_costs_adopt(vn_nav* nav, vni_watched* w, bool looked) {
    // A new base, set by the host meanwhile, makes what the update found obsolete: costs count from there.
    if (looked && w->id != 0 && w->found.change_count > 0 && w->base == NULL)
        report_costs(nav, w);

    w->found.change_count = 0;

    // The update failed: the next one has to compare against the same version.
    if (!looked && w->id != 0 && w->base == NULL) {
        w->base = w->given.base;
        w->given.base = NULL;
    }

    unpin(nav, &w->given.base);
}
