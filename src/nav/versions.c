/// nav/versions.c: versions of all layers together: made, published, pinned, recycled.
///
/// A version is one consistent view: the spaces of all layers and the zones, as of the same update. Readers
/// pin the version, not its layers, so that an agent that asks two layers never sees two different worlds.
///
///   shared.newest -> version 9 -> version 7 -> version 4 -> null     (5, 6 and 8 are no longer held)
///                    pins: newest, host.seen, requests, watches, vn_nav_pin
#include "base/alloc.h"
#include "nav/live_inside.h"

#include <string.h>

/// A recycled version, or a new one; null if memory runs out.
static vni_nav_version* take_spare(vn_nav* nav) {
    vni_nav_enter(nav);
    vni_nav_version* version = nav->shared.spare;
    if (version != NULL)
        nav->shared.spare = version->next;

    vni_nav_leave(nav);
    return version != NULL ? version : VNI_NEW(&nav->fixed.allocator, vni_nav_version);
}

vni_nav_version* vni_nav_version_make(vn_nav* nav, uint64_t number) {
    vni_nav_version* version = take_spare(nav);
    if (version == NULL)
        return NULL;

    // No other thread knows it yet: it is filled in without the lock.
    version->number = number;
    version->pins = 1; // of the list; vni_nav_publish takes it over
    version->host_pins = 0;
    version->next = NULL;
    version->record = NULL;
    memset(version->graphs, 0, sizeof version->graphs);
    vni_nav_zones_put(nav, version);
    vni_nav_bodies_put(nav, version);

    // A pin on each dynamic layer keeps its space for as long as this version is held.
    version->view.count = nav->fixed.def.layer_count;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        version->numbers[i] = 0;
        version->view.spaces[i] = nav->fixed.static_spaces[i];
        if (nav->fixed.dynamic[i] == NULL)
            continue;

        // vn_layers has pointers that are not const, but queries only read what they point at.
        const vn_space* space = vni_dynamic_pin(nav->fixed.dynamic[i], &version->numbers[i]);
        version->view.spaces[i] = (vn_space*)(uintptr_t)space;
    }

    vni_nav_find_regions(nav, version);

    return version;
}

/// Monitor held, unless no other thread is left.
static void recycle(vn_nav* nav, vni_nav_version* version) {
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i)
        if (nav->fixed.dynamic[i] != NULL)
            vni_dynamic_unpin(nav->fixed.dynamic[i], version->numbers[i]);

    vni_nav_live_drop(nav, version);

    // The memory is kept: in steady state a new version allocates nothing.
    version->next = nav->shared.spare;
    nav->shared.spare = version;
}

void vni_nav_version_drop(vn_nav* nav, vni_nav_version* version) {
    recycle(nav, version);
}

vni_nav_version* vni_nav_version_upto(const vn_nav* nav, uint64_t most, vni_nav_version* least) {
    vni_nav_version* version = nav->shared.newest;
    while (version->number > most && version->next != NULL)
        version = version->next;
    return least != NULL && version->number < least->number ? least : version;
}

void vni_nav_version_unpin(vn_nav* nav, vni_nav_version* version) {
    VNI_ASSERT(version->pins > 0 && version->host_pins <= version->pins);

    if (--version->pins > 0)
        return;
    VNI_ASSERT(version != nav->shared.newest); // the list has a pin on it

    vni_nav_version** at = &nav->shared.newest;
    while (*at != version)
        at = &(*at)->next;

    *at = version->next;
    recycle(nav, version);
}

void vni_nav_publish(vn_nav* nav, vni_nav_version* version) {
    VNI_ASSERT(nav->shared.newest == NULL || version->number > nav->shared.newest->number);

    // The new one goes to the head before the old one loses the pin of the list: `newest` always has one.
    vni_nav_version* old = nav->shared.newest;
    version->next = old;
    nav->shared.newest = version;
    vni_nav_live_publish(nav, version);
    if (old != NULL)
        vni_nav_version_unpin(nav, old);
}

void vni_nav_versions_free(vn_nav* nav) {
    // Lockstep: one that was made, but not yet due.
    if (nav->update.made != NULL)
        recycle(nav, nav->update.made);

    while (nav->shared.newest != NULL) {
        vni_nav_version* version = nav->shared.newest;
        nav->shared.newest = version->next;
        recycle(nav, version);
    }

    vni_nav_bodies_free(nav, &nav->update.bodies);
    while (nav->shared.spare != NULL) {
        vni_nav_version* version = nav->shared.spare;
        nav->shared.spare = version->next;
        vni_nav_bodies_free(nav, &version->bodies);
        VNI_DELETE(&nav->fixed.allocator, version);
    }
}

// ------------------------------------------------------------------------------------------ the host's pins
// On the host's thread; the spaces may then be read on any thread.

const vn_space* vn_nav_pin(vn_nav* nav, double radius, uint32_t open_flags, uint64_t* version) {
    VNI_ASSERT(nav != NULL && version != NULL);

    vni_nav_enter(nav);
    vni_nav_version* newest = nav->shared.newest;
    const vn_space* space = vn_layers_find(&newest->view, radius, open_flags);
    if (space != NULL) {
        ++newest->pins;
        ++newest->host_pins;
        *version = newest->number;
    }

    vni_nav_leave(nav);
    return space;
}

vn_status vn_nav_unpin(vn_nav* nav, uint64_t version) {
    VNI_ASSERT(nav != NULL);

    vni_nav_enter(nav);
    vni_nav_version* at = nav->shared.newest;
    while (at != NULL && at->number != version)
        at = at->next;

    // `host_pins` apart from `pins`: a call too many must not take the pin of a request or a watch.
    const bool held = at != NULL && at->host_pins > 0;
    if (held) {
        --at->host_pins;
        vni_nav_version_unpin(nav, at);
    }

    vni_nav_leave(nav);
    return held ? VN_OK : VN_STALE_ID;
}
