/// nav/versions.c: versions of all layers together: made, published, held, let go.
#include "base/alloc.h"
#include "nav/nav_inside.h"

#include <string.h>

vni_nav_version* vni_nav_version_make(vn_nav* nav, uint64_t number) {
    vni_nav_enter(nav);
    vni_nav_version* v = nav->shared.spare;
    if (v)
        nav->shared.spare = v->next;

    vni_nav_leave(nav);
    if (!v)
        v = VNI_NEW(&nav->fixed.allocator, vni_nav_version);

    if (!v)
        return NULL;
    v->number = number;
    v->pins = 1;
    v->host_pins = 0;
    v->next = NULL;
    vni_nav_zones_put(nav, v);

    v->view.count = nav->fixed.def.layer_count;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        v->numbers[i] = 0;
        v->view.spaces[i] = nav->fixed.static_spaces[i];
        if (nav->fixed.dynamic[i]) // a view of the layers is read-only, whatever its type says
            v->view.spaces[i] = (vn_space*)(uintptr_t)vni_dynamic_pin(nav->fixed.dynamic[i], &v->numbers[i]);
    }

    return v;
}

static void let_go(vn_nav* nav, vni_nav_version* v) {
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i)
        if (nav->fixed.dynamic[i])
            vni_dynamic_unpin(nav->fixed.dynamic[i], v->numbers[i]);
    v->next = nav->shared.spare;
    nav->shared.spare = v;
}

void vni_nav_version_unpin(vn_nav* nav, vni_nav_version* version) {
    VNI_ASSERT(version->pins > 0 && version->host_pins <= version->pins);

    if (--version->pins > 0)
        return;
    VNI_ASSERT(version != nav->shared.newest);

    vni_nav_version** at = &nav->shared.newest;
    while (*at != version)
        at = &(*at)->next;

    *at = version->next;
    let_go(nav, version);
}

void vni_nav_publish(vn_nav* nav, vni_nav_version* version) {
    VNI_ASSERT(!nav->shared.newest || version->number > nav->shared.newest->number);
    vni_nav_version* old = nav->shared.newest;
    version->next = old;
    nav->shared.newest = version;
    if (old)
        vni_nav_version_unpin(nav, old);
}

void vni_nav_versions_free(vn_nav* nav) {
    if (nav->update.made)
        let_go(nav, nav->update.made);

    while (nav->shared.newest) {
        vni_nav_version* v = nav->shared.newest;
        nav->shared.newest = v->next;
        let_go(nav, v);
    }

    while (nav->shared.spare) {
        vni_nav_version* v = nav->shared.spare;
        nav->shared.spare = v->next;
        VNI_DELETE(&nav->fixed.allocator, v);
    }
}

// ------------------------------------------------------------------------------------------ the host's pins

const vn_space* vn_nav_pin(vn_nav* nav, double radius, uint32_t open_flags, uint64_t* version) {
    VNI_ASSERT(nav && version);

    vni_nav_enter(nav);
    vni_nav_version* v = nav->shared.newest;
    const vn_space* space = vn_layers_find(&v->view, radius, open_flags);
    if (space) {
        ++v->pins;
        ++v->host_pins;
        *version = v->number;
    }

    vni_nav_leave(nav);
    return space;
}

vn_status vn_nav_unpin(vn_nav* nav, uint64_t version) {
    VNI_ASSERT(nav);

    vni_nav_enter(nav);
    vni_nav_version* v = nav->shared.newest;
    while (v && v->number != version)
        v = v->next;

    bool held = v && v->host_pins > 0;
    if (held) {
        --v->host_pins;
        vni_nav_version_unpin(nav, v);
    }

    vni_nav_leave(nav);
    return held ? VN_OK : VN_STALE_ID;
}
