/// nav/nav.c: the nav as a whole: created, ticked, destroyed.
///
/// A tick, on the host's thread:
///
///   adopt the update -> deliver results -> hand over an update -> begin requests -> (without workers: work)
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "nav/live_inside.h"
#include "world/journal.h"

#include <string.h>

#define NAV_COOKIE  0x6e617601u
#define MAX_WORKERS 64
#define MAX_LATENCY 1000
#define MAX_ITEMS   (1u << 20)
#define MAX_HISTORY (1u << 16)
#define ALL_GRAPHS  ((1u << VN_NAV_GRAPH_KINDS) - 1)

/// Deltas that a layer keeps. An update needs that of its own version; after one that failed there may be two
/// versions at once, and the watches are checked in full.
#define HISTORY 1

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
    def.update_share = 50;
    def.cookie = NAV_COOKIE;

    return def;
}

// ------------------------------------------------------------------------------------------------- checking

static vn_status check_numbers(const vn_nav_def* def, vn_detail* detail) {
    if ((unsigned)def->mode > VN_NAV_LOCKSTEP)
        return vni_fail(detail, VN_BAD_ARGUMENT, "mode is %d, which is no vn_nav_mode", (int)def->mode);
    if ((unsigned)def->policy > VN_UPDATE_LAST_MOMENT)
        return vni_fail(detail, VN_BAD_ARGUMENT, "policy is %d, which is no vn_update_policy",
                        (int)def->policy);

    if (def->latency < 1 || def->latency > MAX_LATENCY)
        return vni_fail(detail, VN_BAD_ARGUMENT, "latency is %u ticks; it must be from 1 to %u",
                        (unsigned)def->latency, MAX_LATENCY);

    if (def->policy == VN_UPDATE_EVERY_N && def->update_interval < 1)
        return vni_fail(detail, VN_BAD_ARGUMENT, "every is 0; VN_UPDATE_EVERY_N needs 1 tick or more");
    if (def->max_requests < 1 || def->max_requests > MAX_ITEMS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_requests is %u; it must be from 1 to 2^20",
                        (unsigned)def->max_requests);

    if (def->max_watches > MAX_ITEMS / 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_watches is %u; it must be at most 2^19",
                        (unsigned)def->max_watches);

    if (def->update_share < 1 || def->update_share > 99)
        return vni_fail(detail, VN_BAD_ARGUMENT, "update_share is %u; it must be from 1 to 99 percent",
                        (unsigned)def->update_share);

    if (def->history > MAX_HISTORY || def->graphs > ALL_GRAPHS)
        return vni_fail(
            detail, VN_BAD_ARGUMENT,
            "history is %u, graphs is %u; they must be at most 2^16 and bits of vn_nav_graph_kind",
            (unsigned)def->history, (unsigned)def->graphs);
    if (def->graphs != 0 && def->history == 0)
        return vni_fail(detail, VN_BAD_ARGUMENT, "graphs need a history of 1 version or more");

    if (def->max_points < 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_points is %u; it must be at least 2",
                        (unsigned)def->max_points);

    return VN_OK;
}

static vn_status check_layers(const vn_nav_def* def, vn_detail* detail) {
    if (def->layer_count == 0 || def->layer_count > VN_MAX_LAYERS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "layer_count is %u; it must be from 1 to %u",
                        (unsigned)def->layer_count, (unsigned)VN_MAX_LAYERS);

    for (uint32_t i = 0; i < def->layer_count; ++i) {
        const vn_layer_def* layer = &def->layers[i];
        if (!vni_is_finite((double)layer->radius) || layer->radius < 0)
            return vni_fail_index(detail, VN_BAD_ARGUMENT, i,
                                  "the radius of layer %u is %g: it must be 0 metres or more", (unsigned)i,
                                  (double)layer->radius);

        for (uint32_t k = 0; k < i; ++k)
            if (def->layers[k].radius == layer->radius && def->layers[k].open_flags == layer->open_flags)
                return vni_fail_index(detail, VN_BAD_ARGUMENT, i, "layers %u and %u are equal: leave one out",
                                      (unsigned)k, (unsigned)i);
    }

    return VN_OK;
}

static vn_status check_def(const vn_nav_def* def, vn_detail* detail) {
    if (def->cookie != NAV_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_nav_def, then change what you need");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");

    if (def->workers > MAX_WORKERS)
        return vni_fail(detail, VN_UNSUPPORTED, "workers is %u; at most %u are supported",
                        (unsigned)def->workers, MAX_WORKERS);
    if (def->slots > MAX_WORKERS)
        return vni_fail(detail, VN_UNSUPPORTED, "slots is %u; at most %u are supported", (unsigned)def->slots,
                        MAX_WORKERS);
#if !VOLNAV_THREADS
    if (def->workers > 0)
        return vni_fail(detail, VN_UNSUPPORTED, "this build has no threads: set workers to 0");
#endif

    if (!def->space.cells)
        return vni_fail(detail, VN_UNSUPPORTED, "a nav searches cells: leave space.cells true");

    vn_status status = check_numbers(def, detail);
    return status == VN_OK ? check_layers(def, detail) : status;
}

// --------------------------------------------------------------------------------------------------- making

static bool comes_before(const vn_layer_def* a, const vn_layer_def* b) {
    return a->radius != b->radius ? a->radius < b->radius : a->open_flags < b->open_flags;
}

/// Sorts the layers as vn_layers does; the bits of static_layers move along.
static void sort_layers(vn_nav_def* def) {
    for (uint32_t i = 1; i < def->layer_count; ++i)
        for (uint32_t k = i; k > 0 && comes_before(&def->layers[k], &def->layers[k - 1]); --k) {
            vn_layer_def swap = def->layers[k];
            def->layers[k] = def->layers[k - 1];
            def->layers[k - 1] = swap;

            // Swaps bits k - 1 and k: XOR with their difference, which is 00 or 11.
            uint32_t pair = def->static_layers >> (k - 1) & 3u, turned = (pair >> 1 | pair << 1) & 3u;
            def->static_layers ^= (pair ^ turned) << (k - 1);
        }
}

static vn_status make_layer(vn_nav* nav, uint32_t index, vn_detail* detail) {
    vni_dynamic_def def = {.allocator = *vni_nav_allocator(nav, VNI_PART_LAYERS),
                           .jobs = nav->fixed.def.space.jobs,
                           .space = nav->fixed.def.space};
    def.space.allocator = def.allocator;
    def.space.has_seed = false; // a filter of each version, see nav/region.c
    def.lanes = vni_nav_worker_count(&nav->fixed.def);
    def.history = HISTORY;
    def.without_cells = true;
    def.space.radius = nav->fixed.def.layers[index].radius;
    def.space.open_flags = nav->fixed.def.layers[index].open_flags;
    if (nav->fixed.baked != NULL)
        return vni_nav_layer_take_baked(nav, index, &def, detail);
    if (nav->fixed.def.static_layers >> index & 1u)
        return vn_space_bake(nav->fixed.world, &def.space, &nav->fixed.static_spaces[index], detail);

    return vni_dynamic_make(nav->fixed.world, &def, &nav->fixed.dynamic[index], detail);
}

static void measure_layers(vn_nav* nav) {
    for (uint32_t i = 0; nav->fixed.def.measure_stages && i < nav->fixed.def.layer_count; ++i)
        if (nav->fixed.dynamic[i] != NULL)
            vni_dynamic_measure(nav->fixed.dynamic[i], nav->fixed.def.clock, nav->fixed.def.clock_user);
}

static vn_status make_first_version(vn_nav* nav, vn_detail* detail) {
    // The layers are baked from the world itself: its journal begins here.
    vni_world_forget_changes(nav->fixed.world);
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        vn_status status = make_layer(nav, i, detail);
        if (status != VN_OK)
            return status;
    }

    measure_layers(nav);
    vn_status status = vni_nav_check_seed(nav, detail);
    if (status != VN_OK)
        return status;

    vni_nav_version* version = vni_nav_bodies_find(nav) ? vni_nav_version_make(nav, 1) : NULL;
    if (version == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a version");
    status = vni_nav_live_make(nav, version, detail);
    if (status != VN_OK) {
        vni_nav_version_drop(nav, version);
        return status;
    }

    // No thread runs yet, so this needs no lock. Two pins: of the list, and of `seen`.
    vni_nav_publish(nav, version);
    nav->host.seen = version;
    ++version->pins;
    nav->update.has_zones = false;
    nav->host.reported_version = version->number;
    nav->fixed.low = version->view.spaces[0]->low;

    return VN_OK;
}

/// In order of dependence, the threads last: from then on others read it. On failure `destroy` frees what
/// there is.
static vn_status fill(vn_nav* nav, vn_detail* detail) {
#if VOLNAV_THREADS
    nav->fixed.monitor = vni_monitor_create(&nav->fixed.allocator);
    if (nav->fixed.monitor == NULL)
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
                        "no memory left for requests and watches: set max_requests, max_watches or "
                        "max_points lower");

    return vni_nav_start(nav, detail);
}

/// Everything but the world. The threads end first; from then on no lock is needed.
static void destroy(vn_nav* nav) {
    vn_allocator allocator = nav->fixed.def.allocator; // the tallies end with the nav
    vni_nav_stop(nav);

    // Versions before layers: they have pins on them.
    vni_nav_versions_free(nav);
    vni_nav_live_free(nav);
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        vni_dynamic_free(nav->fixed.dynamic[i]);
        vn_space_destroy(nav->fixed.static_spaces[i]);
    }

    vni_nav_requests_free(nav);
    vni_nav_watches_free(nav);
    vni_nav_changes_free(nav);
    vni_nav_zones_free(nav);
#if VOLNAV_THREADS
    if (nav->fixed.monitor != NULL)
        vni_monitor_destroy(&nav->fixed.allocator, nav->fixed.monitor);
#endif
    VNI_DELETE(&allocator, nav);
}

vn_status vni_nav_create(vn_world* world, const vn_layers* baked, const vn_nav_def* def, vn_nav** out,
                         vn_detail* detail) {
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status == VN_OK && baked != NULL)
        status = vni_nav_check_baked(world, baked, def, detail);
    if (status != VN_OK)
        return status;

    vn_nav* nav = VNI_NEW(&def->allocator, vn_nav);
    if (nav == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a nav");

    nav->fixed.def = *def;
    sort_layers(&nav->fixed.def);
    for (uint32_t i = 0; i < VNI_PARTS; ++i)
        vni_tally_make(&nav->fixed.parts[i], &def->allocator);
    vni_tally_add(&nav->fixed.parts[VNI_PART_NAV], sizeof *nav);
    nav->fixed.allocator = *vni_nav_allocator(nav, VNI_PART_NAV);
    nav->fixed.world = world;
    nav->fixed.baked = baked;
    nav->host.max_points = def->max_points;

    status = fill(nav, detail);
    nav->fixed.baked = NULL;
    if (status != VN_OK) {
        destroy(nav);
        return status;
    }

    // Later only read between updates, which may follow each other closely.
    vn_memory memory;
    vn_world_get_memory(world, &memory);
    nav->host.world_bytes = memory.total;

    *out = nav;
    return VN_OK;
}

vn_status vn_nav_create(vn_world* world, const vn_nav_def* def, vn_nav** out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL && out != NULL);
    return vni_nav_create(world, NULL, def, out, detail);
}

void vn_nav_destroy(vn_nav* nav) {
    if (nav == NULL)
        return;
    vn_world* world = nav->fixed.world;
    destroy(nav);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- ticking

/// Runs or starts what is ready. Monitor held.
static vn_status work(vn_nav* nav, vn_status status, vn_detail* detail) {
    if (!vni_nav_host_works(nav)) {
        const bool may_be_left = nav->fixed.def.slots > 0 && nav->shared.running > 0;
        if (nav->shared.update_state == VNI_UPDATE_READY || nav->shared.waiting.count > 0 || may_be_left)
            vni_nav_wake(nav);
        return status;
    }

    // The host is its own worker. In realtime it shows at once what it has done; in lockstep results wait for
    // their tick, as they would with workers.
    vni_nav_work_here(nav);
    if (nav->fixed.def.mode != VN_NAV_REALTIME)
        return status;

    status = vni_nav_adopt(nav, detail);
    vni_nav_requests_deliver(nav);
    return status;
}

vn_status vn_nav_tick(vn_nav* nav, vn_detail* detail) {
    VNI_ASSERT(nav != NULL);

    // Adopt before handing over: after an update has ended, the next one can start in the same tick.
    vni_nav_enter(nav);
    nav->shared.tick = ++nav->host.tick;
    vn_status status = vni_nav_adopt(nav, detail);
    vni_nav_requests_deliver(nav);
    vni_nav_leave(nav);

    // Outside: watched paths may be checked, and the policy may go through all changes; these are the host's
    // alone.
    vni_nav_watches_settle(nav);
    const bool due = vni_nav_update_is_due(nav);

    // Hand over before beginning requests: with VN_UPDATE_LAST_MOMENT a request may begin once the changes it
    // needs have been handed over.
    vni_nav_enter(nav);
    if (due)
        vni_nav_hand_over(nav);

    vni_nav_requests_begin(nav);
    status = work(nav, status, detail);
    vni_nav_leave(nav);
    vni_nav_watches_settle(nav);
    return status;
}

/// Ticks since the oldest change that the host does not see yet: those that were taken are older than those
/// that are pending.
static uint64_t version_lag(const vn_nav* nav) {
    if (nav->update.taken.count > 0 || nav->update.has_zones)
        return nav->host.tick - nav->host.taken_since;
    return vni_nav_has_changes(nav) ? nav->host.tick - vni_nav_changed_since(nav) : 0;
}

void vn_nav_get_stats(const vn_nav* nav, vn_nav_stats* out) {
    VNI_ASSERT(nav != NULL && out != NULL);

    memset(out, 0, sizeof *out);
    out->tick = nav->host.tick;
    out->finished = nav->host.result_count;
    out->pending_changes = nav->host.pending.count + nav->host.zone_changes;
    out->version_lag = version_lag(nav);
    vni_nav_enter(nav);

    out->version = nav->shared.newest->number;
    for (const vni_nav_version* v = nav->shared.newest; v != NULL; v = v->next)
        ++out->versions;

    out->waiting = nav->host.submitted.count + nav->shared.waiting.count;
    out->running = nav->shared.running;
    out->updates = nav->host.updates;
    out->last_update_ns = nav->host.last_update_ns;
    out->total_update_ns = nav->host.total_update_ns;
    memcpy(out->stage_ns, nav->host.stage_ns, sizeof out->stage_ns);
    vni_nav_leave(nav);
}
