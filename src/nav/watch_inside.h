/// nav/watch_inside.h: the steps of watching a path: touched or not, places on it, its costs. For the files
/// of watches only.
#ifndef VNI_NAV_WATCH_INSIDE_H
#define VNI_NAV_WATCH_INSIDE_H

#include "nav/nav_inside.h"

// ------------------------------------------------------------------------------------------- watch_touch.c

/// Updates the box of the path ahead. On the host's thread.
void vni_watch_measure(vni_watched* watched);

/// Does a pending change touch the path ahead of any watch, or may it free one that is blocked? On the host's
/// thread.
bool vni_nav_watches_touched(const vn_nav* nav);

/// Has anything on the path ahead, as given to the update, become blocked between two versions of a layer; or
/// free, if the path is known to be blocked? On the thread of the update.
bool vni_watch_is_touched(const vni_dynamic* dynamic, const vni_watched* watched, uint64_t before,
                          uint64_t now);

/// Does a local box touch the path ahead, as given to the update? On the thread of the update.
bool vni_nav_box_is_ahead(const vn_nav* nav, const vn_box* box, const vni_watched* watched);

// ------------------------------------------------------------------------------------------- watch_place.c
// They read what the host and the update share: any of the two threads.

/// Is the segment a step by a connection?
bool vni_watch_is_step(const vni_watched* watched, uint32_t segment);

/// Places by segment, by metres along the path (clamped to its ends), and the one ahead of `from` nearest to
/// a point; of several, the first. `step` is the length of a lattice step, metres.
vni_place vni_watch_place_at(const vni_watched* watched, uint32_t segment, double step);
vni_place vni_watch_place_along(const vni_watched* watched, double metres, double step);
vni_place vni_watch_place_near(const vni_watched* watched, vni_place from, vn_point point, double step);

/// A place in world metres.
vn_dvec3 vni_watch_position(const vni_watched* watched, vni_place place, const vn_space* space);

/// Does place `a` come before `b`?
static inline bool vni_place_is_before(const vni_place* a, const vni_place* b) {
    return a->segment != b->segment ? a->segment < b->segment : a->fraction < b->fraction;
}

/// The first place from `from` on where the path is blocked in a version, by the checker; leg by leg.
vni_watch_block vni_watch_check(const vni_watched* watched, vni_place from, const vni_nav_version* version);

// ------------------------------------------------------------------------------------------ watch_costs.c

/// A version that is still held; null if it is not. Version 0: the one that the host sees. On the host's
/// thread. Monitor held, as for the next two.
vni_nav_version* vni_nav_held_version(vn_nav* nav, uint64_t number);

/// Cost changes of the path count from this version on.
void vni_nav_watch_since(vn_nav* nav, vni_watched* watched, vni_nav_version* version);
void vni_nav_watch_costs_forget(vn_nav* nav, vni_watched* watched);
bool vni_nav_next_cost_event(vn_nav* nav, vn_nav_event* out);

/// As the functions of watches.c, for one watch.
void vni_nav_watch_costs_hand_over(vni_watched* watched);
void vni_nav_watch_costs_look(vn_nav* nav, vni_watched* watched, const vni_nav_version* before,
                              const vni_nav_version* now);
void vni_nav_watch_costs_adopt(vn_nav* nav, vni_watched* watched, bool looked);

#endif
