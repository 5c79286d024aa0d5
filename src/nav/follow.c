/// nav/follow.c: the graph over the cells of a layer, which readers take along when they go on.
#include "base/alloc.h"
#include "base/fail.h"
#include "live/cells.h"
#include "nav/live_inside.h"

#include <string.h>

static void enter(vni_nav_follower* f) {
#if VOLNAV_THREADS
    vni_monitor_enter(f->monitor);
#else
    (void)f;
#endif
}

static void leave(vni_nav_follower* f) {
#if VOLNAV_THREADS
    vni_monitor_leave(f->monitor);
#else
    (void)f;
#endif
}

// ---------- making and freeing

static bool reserve(const vn_nav* nav, vni_nav_follower* f) {
    const vn_allocator* allocator = &nav->fixed.live->allocator;
#if VOLNAV_THREADS
    f->monitor = vni_monitor_create(allocator);
    if (f->monitor == NULL)
        return false;
#endif
    f->held = VNI_NEW_ARRAY(allocator, const vni_ring_item*, nav->fixed.def.history);
    return f->held != NULL;
}

vn_status vni_nav_follower_make(const vn_nav* nav, uint32_t layer, const vn_space* space, vn_detail* detail) {
    const vni_nav_live* live = nav->fixed.live;
    vni_nav_follower* f = &nav->fixed.live->followers[layer];
    vni_live_boxes_def def = {.allocator = live->allocator, .history = nav->fixed.def.history};
    def.graphs |= nav->fixed.def.graphs >> VN_NAV_CELLS_CENTRE & 1u ? 1u << VNI_BOXES_CENTRES : 0;
    def.graphs |= nav->fixed.def.graphs >> VN_NAV_CELLS_PORTAL & 1u ? 1u << VNI_BOXES_TRANSITIONS : 0;
    memcpy(def.dims, space->occupancy.dims, sizeof def.dims);
    if (!reserve(nav, f))
        return VN_OUT_OF_MEMORY;

    f->version = 1;
    return vni_live_cells_make(&def, space, &f->boxes, detail);
}

void vni_nav_follower_free(const vn_nav* nav, uint32_t layer) {
    const vn_allocator* allocator = &nav->fixed.live->allocator;
    vni_nav_follower* f = &nav->fixed.live->followers[layer];
    vni_live_boxes_free(f->boxes);
    vni_difference_free(allocator, &f->difference);
    VNI_DELETE_ARRAY(allocator, f->held, nav->fixed.def.history);
#if VOLNAV_THREADS
    if (f->monitor != NULL)
        vni_monitor_destroy(allocator, f->monitor);
#endif
    memset(f, 0, sizeof *f);
}

// ---------- an advance
// Inside the follower's monitor.

/// One version further, by its record.
static vn_status advance(vni_nav_follower* f, uint32_t layer, const vni_nav_record* record,
                         const vn_space* space, vn_detail* detail) {
    const vni_difference* d = &record->differences[layer];
    vni_box costs[2 * VN_MAX_ZONES];
    const vni_box_changes changes = {.went = d->went,
                                     .came = d->came,
                                     .went_count = d->went_count,
                                     .came_count = d->came_count,
                                     .costs = costs,
                                     .cost_count = vni_nav_record_costs(record, space, costs)};
    vni_recorded_reader reader = {&record->neighbours[layer], 0};
    const vni_boxes_source source = vni_recorded_source(&reader);
    const vn_status status = vni_live_boxes_advance(f->boxes, f->version + 1, &changes, &source, detail);
    f->version += status == VN_OK;
    return status;
}

/// To a version, however many lie in between. There are no deltas of them.
static vn_status jump(const vn_nav* nav, vni_nav_follower* f, const vn_space* space, uint64_t to,
                      vn_detail* detail) {
    vni_difference* d = &f->difference;
    const vni_slot_version* before = vni_live_boxes_pin(f->boxes);
    const bool ok = vni_compare_boxes(&nav->fixed.live->allocator, before, space, d);
    vni_live_boxes_unpin(f->boxes, before);
    if (!ok)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the changes of a graph");

    const vni_box_changes changes = {.went = d->went,
                                     .came = d->came,
                                     .went_count = d->went_count,
                                     .came_count = d->came_count,
                                     .skips = true};
    const vni_boxes_source source = vni_cells_source(&space->cells);
    const vn_status status = vni_live_boxes_advance(f->boxes, to, &changes, &source, detail);
    f->version = status == VN_OK ? to : f->version;
    vni_difference_free(&nav->fixed.live->allocator, d); // it listed all cells once
    return status;
}

/// The version that the graph shows keeps it, if it is still held: a reader may ask for that version later.
static void keep(const vn_nav* nav, const vni_nav_follower* f, uint32_t layer) {
    vni_nav_enter(nav);
    vni_nav_version* version = vni_nav_version_upto(nav, f->version, NULL);
    if (version->number == f->version && version->graphs[layer] == NULL)
        version->graphs[layer] = vni_live_boxes_pin(f->boxes);
    vni_nav_leave(nav);
}

/// Up to a version that is pinned.
static vn_status bring_up(const vn_nav* nav, vni_nav_follower* f, uint32_t layer,
                          const vni_nav_version* version, vn_detail* detail) {
    vni_ring* ring = &nav->fixed.live->ring;
    const uint64_t first = f->version + 1, count = version->number - f->version;
    vn_status status = VN_OK;

    // all records are held before the first is read: updates go on, and the oldest may leave the ring
    uint32_t held = 0;
    bool has_all = count <= nav->fixed.def.history;
    while (has_all && held < count) {
        has_all = vni_ring_hold(ring, first + held, &f->held[held]) == VN_OK;
        held += has_all;
    }

    const vn_space* space = version->view.spaces[layer];
    if (!has_all)
        status = jump(nav, f, space, version->number, detail);
    for (uint32_t i = 0; has_all && i < held && status == VN_OK; ++i) {
        keep(nav, f, layer);
        status = advance(f, layer, (const vni_nav_record*)(const void*)f->held[i], version->view.spaces[0],
                         detail);
    }
    for (uint32_t i = 0; i < held; ++i)
        vni_ring_release(ring, f->held[i]);
    return status;
}

/// Pins the version to go to: of those before the graph's own only one that has kept its graph.
static vni_nav_version* choose(vn_nav* nav, const vni_nav_follower* f, uint32_t layer, uint64_t most,
                               vni_nav_version* least) {
    vni_nav_enter(nav);
    vni_nav_version* version = vni_nav_version_upto(nav, most, least);
    if (version->number < f->version && version->graphs[layer] == NULL)
        version = nav->shared.newest;
    ++version->pins;
    vni_nav_leave(nav);
    return version;
}

vn_status vni_nav_follow(vn_nav* nav, uint32_t layer, uint64_t most, vni_nav_version** version,
                         const vni_slot_version** graph, vn_detail* detail) {
    vni_nav_follower* f = &nav->fixed.live->followers[layer];
    enter(f);

    // inside, so that the graph is never beyond the newest version that a reader sees here
    vni_nav_version* to = choose(nav, f, layer, most, *version);
    vn_status status = VN_OK;
    if (to->number >= f->version) {
        status = bring_up(nav, f, layer, to, detail);
        *graph = status == VN_OK ? vni_live_boxes_pin(f->boxes) : NULL;
    } else {
        *graph = vni_live_boxes_pin_again(f->boxes, to->graphs[layer]); // `to` is pinned, so it stays
    }
    leave(f);

    VNI_ASSERT(status != VN_BAD_DATA); // the records are the nav's own
    *version = status == VN_OK ? to : NULL;
    if (status == VN_OK)
        return VN_OK;
    vni_nav_enter(nav);
    vni_nav_version_unpin(nav, to);
    vni_nav_leave(nav);
    return status;
}
