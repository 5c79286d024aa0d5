/// nav/nav.c: the nav as a whole: made, ticked, freed.
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"
#include "world/journal.h"

#include <string.h>

#define NAV_COOKIE  0x6e617601u
#define MAX_WORKERS 64
#define MAX_LATENCY 1000
#define MAX_ITEMS   (1u << 20)

vn_nav_def vn_default_nav_def(void) {
    vn_nav_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.latency = 2;
    def.update_interval = 4;
    def.space = vn_default_space_def();
    def.layer_count = 1;
    def.max_requests = 256;
    def.max_points = 1024;
    def.max_watches = 256;
    def.cookie = NAV_COOKIE;

    return def;
}

// ------------------------------------------------------------------------------------------------- checking

static vn_status check_numbers(const vn_nav_def* def, vn_detail* detail) {
    if ((unsigned)def->mode > VN_NAV_LOCKSTEP)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no mode number %d", (int)def->mode);
    if ((unsigned)def->policy > VN_UPDATE_LAST_MOMENT)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no policy number %d", (int)def->policy);

    if (def->latency < 1 || def->latency > MAX_LATENCY)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the latency is %u ticks; it must be from 1 to %u",
                        (unsigned)def->latency, MAX_LATENCY);

    if (def->policy == VN_UPDATE_EVERY_N && def->update_interval < 1)
        return vni_fail(detail, VN_BAD_ARGUMENT, "update_interval is 0; it must be 1 tick or more");
    if (def->max_requests < 1 || def->max_requests > MAX_ITEMS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_requests is %u; it must be from 1 to 2^20",
                        (unsigned)def->max_requests);

    if (def->max_watches > MAX_ITEMS / 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_watches is %u; it must be up to 2^19",
                        (unsigned)def->max_watches);

    if (def->max_points < 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_points is %u; a path has 2 at least",
                        (unsigned)def->max_points);

    return VN_OK;
}

static vn_status check_layers(const vn_nav_def* def, vn_detail* detail) {
    if (def->layer_count == 0 || def->layer_count > VN_MAX_LAYERS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "%u layers were asked for: give 1 to %u",
                        (unsigned)def->layer_count, (unsigned)VN_MAX_LAYERS);

    for (uint32_t i = 0; i < def->layer_count; ++i) {
        const vn_layer_def* layer = &def->layers[i];
        if (!vni_is_finite((double)layer->radius) || layer->radius < 0)
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "the radius of layer %u is %g: it must be 0 metres or more", (unsigned)i,
                                  (double)layer->radius);

        for (uint32_t k = 0; k < i; ++k)
            if (def->layers[k].radius == layer->radius && def->layers[k].open_flags == layer->open_flags)
                return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                      "layers %u and %u are the same: leave one out", (unsigned)k,
                                      (unsigned)i);
    }

    return VN_OK;
}

static vn_status check_def(const vn_nav_def* def, vn_detail* detail) {
    if (def->cookie != NAV_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the nav's def with vn_default_nav_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (def->workers > MAX_WORKERS)
        return vni_fail(detail, VN_UNSUPPORTED, "%u workers were asked for; %u are possible",
                        (unsigned)def->workers, MAX_WORKERS);
#if !VOLNAV_THREADS
    if (def->workers > 0)
        return vni_fail(detail, VN_UNSUPPORTED, "this build has no threads: set workers to 0");
#endif
    if (!def->space.cells)
        return vni_fail(detail, VN_UNSUPPORTED, "a nav searches cells: leave space.cells true");
    if (def->space.has_seed || def->space.unknown == VN_UNKNOWN_REFUSED)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a space that changes can neither have a seed nor refuse unseen space");
    vn_status status = check_numbers(def, detail);
    return status == VN_OK ? check_layers(def, detail) : status;
}

// --------------------------------------------------------------------------------------------------- making

static bool comes_before(const vn_layer_def* a, const vn_layer_def* b) {
    return a->radius != b->radius ? a->radius < b->radius : a->open_flags < b->open_flags;
}

/// The layers in the order that vn_layers has; the bits of the static ones go along.
static void sort_layers(vn_nav_def* def) {
    for (uint32_t i = 1; i < def->layer_count; ++i)
        for (uint32_t k = i; k > 0 && comes_before(&def->layers[k], &def->layers[k - 1]); --k) {
            vn_layer_def swap = def->layers[k];
            def->layers[k] = def->layers[k - 1];
            def->layers[k - 1] = swap;
            uint32_t pair = def->static_layers >> (k - 1) & 3u, turned = (pair >> 1 | pair << 1) & 3u;
            def->static_layers ^= (pair ^ turned) << (k - 1);
        }
}

static vn_status make_layer(vn_nav* nav, uint32_t index, vn_detail* detail) {
    vni_dynamic_def def = {.allocator = nav->allocator, .jobs = nav->def.space.jobs, .space = nav->def.space};
    def.space.allocator = nav->allocator;
    def.space.radius = nav->def.layers[index].radius;
    def.space.open_flags = nav->def.layers[index].open_flags;
    if (nav->def.static_layers >> index & 1u)
        return vn_space_bake(nav->world, &def.space, &nav->static_spaces[index], detail);

    vn_status status = vni_dynamic_make(nav->world, &def, &nav->dynamic[index], detail);
    if (status == VN_OK && nav->def.measure_stages)
        vni_dynamic_measure(nav->dynamic[index], nav->def.clock, nav->def.clock_user);

    return status;
}

static vn_status make_first_version(vn_nav* nav, vn_detail* detail) {
    vni_world_forget_changes(nav->world);
    for (uint32_t i = 0; i < nav->def.layer_count; ++i) {
        vn_status status = make_layer(nav, i, detail);
        if (status != VN_OK)
            return status;
    }

    vni_nav_version* version = vni_nav_version_make(nav, 1);
    if (!version)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a version");

    vni_nav_publish(nav, version);
    nav->seen = version;
    nav->zones_are_out = false;
    ++version->pins;
    nav->told_version = version->number;
    nav->low = version->view.spaces[0]->low;

    return VN_OK;
}

static vn_status fill(vn_nav* nav, vn_detail* detail) {
#if VOLNAV_THREADS
    nav->monitor = vni_monitor_create(&nav->allocator);
    if (!nav->monitor)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a nav");
#endif
    vn_status status = vni_nav_changes_make(nav, detail);
    if (status == VN_OK && vni_nav_zones_make(nav) != VN_OK)
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for zones");
    if (status == VN_OK)
        status = make_first_version(nav, detail);
    if (status != VN_OK)
        return status;
    if (vni_nav_requests_make(nav) != VN_OK || vni_nav_watches_make(nav) != VN_OK)
        return vni_fail(detail, VN_OUT_OF_MEMORY,
                        "no memory left for questions and watches: set max_requests, max_watches or "
                        "max_points lower");
    return vni_nav_start(nav, detail);
}

/// Everything but the world.
static void destroy(vn_nav* nav) {
    vn_allocator allocator = nav->allocator;
    vni_nav_stop(nav);
    vni_nav_versions_free(nav);
    for (uint32_t i = 0; i < nav->def.layer_count; ++i) {
        vni_dynamic_free(nav->dynamic[i]);
        vn_space_destroy(nav->static_spaces[i]);
    }
    vni_nav_requests_free(nav);
    vni_nav_watches_free(nav);
    vni_nav_changes_free(nav);
    vni_nav_zones_free(nav);
#if VOLNAV_THREADS
    if (nav->monitor)
        vni_monitor_destroy(&allocator, nav->monitor);
#endif
    VNI_DELETE(&allocator, nav);
}

vn_status vn_nav_create(vn_world* world, const vn_nav_def* def, vn_nav** out, vn_detail* detail) {
    VNI_ASSERT(world && def && out);

    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_nav* nav = VNI_NEW(&def->allocator, vn_nav);
    if (!nav)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a nav");

    nav->def = *def;
    sort_layers(&nav->def);
    nav->allocator = def->allocator;
    nav->world = world;

    status = fill(nav, detail);
    if (status != VN_OK) {
        destroy(nav);
        return status;
    }

    *out = nav;
    return VN_OK;
}

void vn_nav_destroy(vn_nav* nav) {
    if (!nav)
        return;
    vn_world* world = nav->world;
    destroy(nav);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- ticking

vn_status vn_nav_tick(vn_nav* nav, vn_detail* detail) {
    VNI_ASSERT(nav);

    vni_nav_enter(nav);
    nav->shared_tick = ++nav->tick;
    vn_status status = vni_nav_adopt(nav, detail);
    vni_nav_requests_deliver(nav);
    vni_nav_leave(nav);
    bool due = vni_nav_update_is_due(nav);

    vni_nav_enter(nav);
    if (due)
        vni_nav_hand_over(nav);

    vni_nav_requests_begin(nav);
    if (nav->def.workers > 0) {
        if (nav->task_state == VNI_TASK_READY || nav->waiting.count > 0)
            vni_nav_wake(nav);
    } else {
        vni_nav_work_here(nav);
        if (nav->def.mode == VN_NAV_REALTIME) {
            status = vni_nav_adopt(nav, detail);
            vni_nav_requests_deliver(nav);
        }
    }

    vni_nav_leave(nav);
    return status;
}

/// Ticks since the oldest change that the host does not see yet.
static uint64_t version_lag(const vn_nav* nav) {
    if (nav->taken.count > 0 || nav->zones_are_out)
        return nav->tick - nav->taken_since;
    return vni_nav_has_changes(nav) ? nav->tick - vni_nav_changed_since(nav) : 0;
}

void vn_nav_get_stats(const vn_nav* nav, vn_nav_stats* out) {
    VNI_ASSERT(nav && out);

    memset(out, 0, sizeof *out);
    out->tick = nav->tick;
    out->finished = nav->answered;
    out->pending_changes = nav->pending.count + nav->zone_changes;
    out->version_lag = version_lag(nav);
    vni_nav_enter(nav);

    out->version = nav->newest->number;
    for (const vni_nav_version* v = nav->newest; v; v = v->next)
        ++out->versions;

    out->waiting = nav->asked.count + nav->waiting.count;
    out->running = nav->running;
    out->updates = nav->updates;
    out->last_update_ns = nav->last_ns;
    out->total_update_ns = nav->total_ns;
    memcpy(out->stage_ns, nav->stage_ns, sizeof out->stage_ns);
    vni_nav_leave(nav);
}
