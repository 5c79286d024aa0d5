/// nav/live.c: the record of each version: what changed.
#include "base/alloc.h"
#include "base/fail.h"
#include "live/cells.h"
#include "nav/live_inside.h"

#include <string.h>

/// Changed bricks and cells that count as much work as an expansion of a search.
#define CHANGES_A_UNIT 4u

static bool follows(const vn_nav* nav, uint32_t kinds) {
    return (nav->fixed.def.graphs & kinds) != 0;
}

// ---------- making and freeing

static void free_record(const vn_allocator* allocator, vni_ring_item* item) {
    vni_nav_record* record = (vni_nav_record*)(void*)item;
    vni_nav_record_clear(allocator, record);
    for (uint32_t i = 0; i < VN_MAX_LAYERS; ++i) {
        vni_difference_free(allocator, &record->differences[i]);
        vni_recorded_free(allocator, &record->neighbours[i]);
        vni_grid_delta_free(allocator, &record->grids[i][0]);
        vni_grid_delta_free(allocator, &record->grids[i][1]);
    }

    VNI_DELETE_ARRAY(allocator, record->obstacles, record->obstacle_capacity);
    VNI_DELETE_ARRAY(allocator, record->copies, record->copy_capacity);
}

vn_status vni_nav_live_make(vn_nav* nav, const vni_nav_version* version, vn_detail* detail) {
    if (nav->fixed.def.history == 0)
        return VN_OK;

    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_LAYERS);
    vni_nav_live* live = nav->fixed.live = VNI_NEW(allocator, vni_nav_live);
    vn_status status = live != NULL ? VN_OK : VN_OUT_OF_MEMORY;
    if (status == VN_OK) {
        live->allocator = *allocator;
        status = vni_ring_make(allocator, nav->fixed.def.history, sizeof(vni_nav_record), free_record,
                               &live->ring);
    }

    const bool cells = follows(nav, 1u << VN_NAV_CELLS_CENTRE | 1u << VN_NAV_CELLS_PORTAL);
    for (uint32_t i = 0; i < nav->fixed.def.layer_count && cells && status == VN_OK; ++i)
        if (nav->fixed.dynamic[i] != NULL)
            status = vni_nav_follower_make(nav, i, version->view.spaces[i], detail);

    if (status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, status, "no memory left for the history and the graphs of a nav");
    return status;
}

void vni_nav_live_free(vn_nav* nav) {
    vni_nav_live* live = nav->fixed.live;
    if (live == NULL)
        return;

    for (uint32_t i = 0; i < VN_MAX_LAYERS; ++i)
        vni_nav_follower_free(nav, i);
    vni_ring_free(&live->ring);
    vni_nav_gathered_free(live);
    VNI_DELETE(vni_nav_allocator(nav, VNI_PART_LAYERS), live);
    nav->fixed.live = NULL;
}

// ---------- a version

/// A coordinate in local metres as a voxel plane, within the space and one beyond, so that it fits.
static int32_t plane_of(double metres, double low, double size, int32_t dim, bool up) {
    const double at = vni_clamp((metres - low) / size, -1, (double)dim + 1);
    const int32_t below = (int32_t)(at + 2) - 2; // floor
    return up && (double)below < at ? below + 1 : below;
}

uint32_t vni_nav_record_costs(const vni_nav_record* record, const vn_space* space, vni_box* out) {
    const double size = (double)space->resolution, low[3] = {space->low.x, space->low.y, space->low.z};
    for (uint32_t i = 0; i < record->changes.zone_count; ++i) {
        const vn_box* zone = &record->zones[i];
        const double min[3] = {(double)zone->min.x, (double)zone->min.y, (double)zone->min.z};
        const double max[3] = {(double)zone->max.x, (double)zone->max.y, (double)zone->max.z};
        for (int k = 0; k < 3; ++k) {
            out[i].low[k] = plane_of(min[k], low[k], size, space->occupancy.dims[k], false);
            out[i].high[k] = plane_of(max[k], low[k], size, space->occupancy.dims[k], true);
        }
    }

    return record->changes.zone_count;
}

/// What the parts of an advance share.
typedef struct step {
    const vn_nav* nav;
    const vni_nav_version *before, *now;
    vni_nav_record* record;
    vni_box costs[2 * VN_MAX_ZONES];
    uint32_t cost_count;
} step;

static bool compare_grids(const step* s, uint32_t layer) {
    const vni_difference* d = &s->record->differences[layer];
    for (uint32_t i = 0; i < 2; ++i)
        if (follows(s->nav, 1u << (i ? VN_NAV_GRID26 : VN_NAV_GRID6)) &&
            !vni_live_grid_compare(&s->nav->fixed.live->allocator, &s->before->view.spaces[layer]->occupancy,
                                   &s->now->view.spaces[layer]->occupancy, d->bricks, d->brick_count,
                                   s->costs, s->cost_count, i ? 26 : 6, &s->record->grids[layer][i]))
            return false;
    return true;
}

/// The changes of one layer.
static vn_status compare_layer(const step* s, uint32_t layer, uint64_t* units, vn_detail* detail) {
    const vni_nav_live* live = s->nav->fixed.live;
    vni_difference* d = &s->record->differences[layer];
    const vn_space *before = s->before->view.spaces[layer], *now = s->now->view.spaces[layer];
    const vni_boxes_source source = vni_cells_source(&now->cells);
    const bool ok =
        vni_compare_spaces(&live->allocator, before, now, d) && compare_grids(s, layer) &&
        (live->followers[layer].boxes == NULL ||
         vni_recorded_fill(&live->allocator, &source, d->came, d->came_count, &s->record->neighbours[layer]));
    if (!ok)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the changes of a version");

    *units += (d->brick_count + d->went_count + d->came_count) / CHANGES_A_UNIT;
    return VN_OK;
}

static vn_status compare(const step* s, uint64_t* units, vn_detail* detail) {
    const vn_nav* nav = s->nav;
    vn_status status = VN_OK;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count && status == VN_OK; ++i)
        if (nav->fixed.dynamic[i] != NULL)
            status = compare_layer(s, i, units, detail);
    return status;
}

/// The public form: pointers to the lists.
static void show(const vn_nav* nav, const vni_nav_version* version, vni_nav_record* record) {
    record->changes.version = version->number;
    record->changes.layers = record->layers;
    record->changes.layer_count = nav->fixed.def.layer_count;
    record->changes.zones = record->zones;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        const vni_difference* d = &record->differences[i];
        record->layers[i] = (vn_layer_changes){.radius = nav->fixed.def.layers[i].radius,
                                               .open_flags = nav->fixed.def.layers[i].open_flags,
                                               .bricks = d->bricks,
                                               .brick_count = d->brick_count,
                                               .cells_went = d->went,
                                               .cells_came = d->came,
                                               .cells_went_count = d->went_count,
                                               .cells_came_count = d->came_count};
    }
}

vn_status vni_nav_live_advance(vn_nav* nav, const vni_nav_version* before, vni_nav_version* version,
                               uint64_t* units, vn_detail* detail) {
    vni_nav_live* live = nav->fixed.live;
    if (live == NULL)
        return VN_OK;

    vni_nav_record* record = (vni_nav_record*)(void*)vni_ring_take(&live->ring);
    if (record == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the changes of a version");
    vni_nav_record_clear(&live->allocator, record);

    const vni_nav_zones* zones = &version->zones;
    const bool have_changed = zones->since == version->number;
    step s = {.nav = nav, .before = before, .now = version, .record = record};
    record->changes.zone_count = have_changed ? zones->changed_count : 0;
    memcpy(record->zones, zones->changed, record->changes.zone_count * sizeof *record->zones);
    s.cost_count = vni_nav_record_costs(record, version->view.spaces[0], s.costs);

    vn_status status =
        vni_nav_gathered_reserve(live, record)
            ? compare(&s, units, detail)
            : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the changes of a version");
    if (status != VN_OK) {
        vni_ring_put_back(&live->ring, &record->item);
        return status;
    }

    // nothing can fail from here on
    vni_nav_gathered_move(live, record);
    show(nav, version, record);
    version->record = record;
    return VN_OK;
}

void vni_nav_live_publish(vn_nav* nav, vni_nav_version* version) {
    if (version->record != NULL)
        vni_ring_push(&nav->fixed.live->ring, &version->record->item, version->number);
    version->record = NULL;
}

void vni_nav_live_drop(vn_nav* nav, vni_nav_version* version) {
    if (version->record != NULL)
        vni_ring_put_back(&nav->fixed.live->ring, &version->record->item);
    version->record = NULL;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i)
        if (version->graphs[i] != NULL) {
            vni_live_boxes_unpin(nav->fixed.live->followers[i].boxes, version->graphs[i]);
            version->graphs[i] = NULL;
        }
}

// ---------- readers

vn_status vn_nav_get_changes(vn_nav* nav, uint64_t version, const vn_changes** out) {
    VNI_ASSERT(nav != NULL && out != NULL);
    *out = NULL;
    if (nav->fixed.live == NULL)
        return VN_UNSUPPORTED;

    const vni_ring_item* item;
    const vn_status status = vni_ring_hold(&nav->fixed.live->ring, version, &item);
    if (status == VN_OK)
        *out = &((const vni_nav_record*)(const void*)item)->changes;
    return version == 1 && status == VN_BAD_ARGUMENT ? VN_STALE : status;
}

void vn_nav_release_changes(vn_nav* nav, const vn_changes* changes) {
    VNI_ASSERT(nav != NULL);
    if (changes == NULL)
        return;
    const char* record = (const char*)changes - offsetof(vni_nav_record, changes);
    vni_ring_release(&nav->fixed.live->ring, &((const vni_nav_record*)(const void*)record)->item);
}
