/// nav/zones.c: zones, from the host's calls into versions.
///
/// The zones of the world belong to the host (the update uses its obstacles only), so that a call changes
/// them at once and is judged by the world's own code. At the hand-over they are copied for the update.
///
///   world's zones ---- take ----> update.zones ---- put ----> version.zones
///        (host)         |           (update)                   (immutable)
///                 host.known_zones: as taken last
///                 host.version_zones: those of the version before
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"
#include "space/zone_buffer.h"
#include "world/world.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------- changes
// On the host's thread.

/// The generation of the zone in a slot; 0: it is empty.
static uint32_t generation_of(const vn_nav* nav, uint32_t slot) {
    const vni_zone_table* table = &nav->fixed.world->zones;
    return vni_zone_at(table, slot) != NULL ? table->ids.generations[slot] : 0;
}

/// Does the zone in a slot differ from what `known` says? Shape and factor of a zone never change.
static bool differs(const vn_nav* nav, const vni_known_zone* known, uint32_t slot) {
    const uint32_t generation = generation_of(nav, slot);
    if (generation != known->generation || generation == 0)
        return generation != known->generation;
    const vn_transform transform = vni_zone_transform(vni_zone_at(&nav->fixed.world->zones, slot));
    return memcmp(&transform, &known->transform, sizeof transform) != 0;
}

/// Call this after each change of the zone in a slot. A zone that is back as it was taken last is no change.
static void note(vn_nav* nav, uint32_t slot) {
    vni_known_zone* known = &nav->host.known_zones[slot];
    const bool changed = differs(nav, known, slot);
    if (changed == known->changed)
        return;

    known->changed = changed;
    if (changed && nav->host.zone_changes == 0)
        nav->host.zones_since = nav->host.tick;

    if (changed)
        ++nav->host.zone_changes;
    else
        --nav->host.zone_changes;
}

vn_status vn_nav_add_zone(vn_nav* nav, const vn_zone_def* def, vn_zone_id* out, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL);

    vn_zone_id id;
    vn_status status = vn_world_add_zone(nav->fixed.world, def, &id, detail);
    if (status != VN_OK)
        return status;

    note(nav, id.index1 - 1);
    if (out != NULL)
        *out = id;

    return VN_OK;
}

vn_status vn_nav_move_zone(vn_nav* nav, vn_zone_id id, const vn_transform* transform, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && transform != NULL);
    vn_status status = vn_world_move_zone(nav->fixed.world, id, transform, detail);
    if (status == VN_OK)
        note(nav, id.index1 - 1);
    return status;
}

vn_status vn_nav_remove_zone(vn_nav* nav, vn_zone_id id) {
    VNI_ASSERT(nav != NULL);
    vn_status status = vn_world_remove_zone(nav->fixed.world, id);
    if (status == VN_OK)
        note(nav, id.index1 - 1);
    return status;
}

bool vn_nav_has_zone(const vn_nav* nav, vn_zone_id id) {
    VNI_ASSERT(nav != NULL);
    return vn_world_has_zone(nav->fixed.world, id);
}

/// Boxes in which costs differ from those with the zones of `since`: around each zone that differs, then and
/// now.
static uint32_t boxes_since(const vn_nav* nav, const vni_known_zone since[VN_MAX_ZONES],
                            vn_box out[2 * VN_MAX_ZONES]) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot) {
        const vni_world_zone* zone = vni_zone_at(&nav->fixed.world->zones, slot);
        if (!differs(nav, &since[slot], slot))
            continue;

        if (since[slot].generation != 0)
            out[count++] = since[slot].bounds;

        if (zone != NULL)
            out[count++] = vni_zone_bounds(zone);
    }

    return count;
}

uint32_t vni_nav_zone_boxes(const vn_nav* nav, vn_box out[2 * VN_MAX_ZONES]) {
    return nav->host.zone_changes > 0 ? boxes_since(nav, nav->host.known_zones, out) : 0;
}

// ------------------------------------------------------------------------------------------ to the update

/// Notes a zone as handed over.
static void remember(vn_nav* nav, uint32_t slot) {
    const vni_world_zone* zone = vni_zone_at(&nav->fixed.world->zones, slot);
    vni_known_zone* known = &nav->host.known_zones[slot];
    *known = (vni_known_zone){.generation = generation_of(nav, slot)};
    if (zone == NULL)
        return;

    known->transform = vni_zone_transform(zone);
    known->bounds = vni_zone_bounds(zone);
}

void vni_nav_zones_take(vn_nav* nav) {
    vni_nav_zones* taken = nav->update.zones;
    vn_zone now[VN_MAX_ZONES];

    // After a failed update no version shows the zones that were taken last: `changed` still counts from
    // those of the newest version.
    if (!nav->update.has_zones)
        memcpy(nav->host.version_zones, nav->host.known_zones, sizeof nav->host.version_zones);

    taken->changed_count = boxes_since(nav, nav->host.version_zones, taken->changed);
    vn_status status = vn_world_get_zones(nav->fixed.world, now, VN_MAX_ZONES, &taken->count);
    VNI_ASSERT(status == VN_OK); // there are never more than VN_MAX_ZONES
    (void)status;

    // With their planes: those of the world may change before the update ends.
    vni_zones_copy(now, taken->count, taken->items, taken->planes);
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot)
        remember(nav, slot);

    nav->host.zone_changes = 0;
    nav->update.has_zones = true;
}

vn_status vni_nav_zones_make(vn_nav* nav) {
    nav->update.zones = VNI_NEW(vni_nav_allocator(nav, VNI_PART_ZONES), vni_nav_zones);
    nav->update.zone_buffers = VNI_NEW_ARRAY(vni_nav_allocator(nav, VNI_PART_ZONES), vni_zone_buffer, 2);
    if (nav->update.zones == NULL || nav->update.zone_buffers == NULL)
        return VN_OUT_OF_MEMORY;
    vni_nav_zones_take(nav);
    return VN_OK;
}

void vni_nav_zones_free(vn_nav* nav) {
    VNI_DELETE(vni_nav_allocator(nav, VNI_PART_ZONES), nav->update.zones);
    VNI_DELETE_ARRAY(vni_nav_allocator(nav, VNI_PART_ZONES), nav->update.zone_buffers, 2);
}

// ---------------------------------------------------------------------------------------------- in versions

void vni_nav_zones_put(const vn_nav* nav, vni_nav_version* version) {
    const bool are_new = nav->update.has_zones;
    VNI_ASSERT(are_new || nav->shared.newest != NULL);

    const vni_nav_zones* from = are_new ? nav->update.zones : &nav->shared.newest->zones;
    vni_nav_zones* to = &version->zones;
    to->count = from->count;
    vni_zones_copy(from->items, from->count, to->items, to->planes);
    to->changed_count = are_new ? from->changed_count : 0;
    memcpy(to->changed, from->changed, to->changed_count * sizeof *to->changed);
    to->since = are_new ? version->number : from->since;
}

/// Null if no owner holds it. Monitor held.
static const vni_nav_version* find_version(const vn_nav* nav, uint64_t number) {
    const vni_nav_version* v = nav->shared.newest;
    while (v != NULL && v->number != number)
        v = v->next;
    return v;
}

vn_status vn_nav_get_zones(const vn_nav* nav, uint64_t version, const vn_zone** out, uint32_t* count) {
    VNI_ASSERT(nav != NULL && out != NULL && count != NULL);

    // Read under the monitor: a version that the host does not hold may be recycled right after.
    vni_nav_enter(nav);
    const vni_nav_version* v = find_version(nav, version);
    *count = v != NULL ? v->zones.count : 0;
    *out = *count > 0 ? v->zones.items : NULL;
    vni_nav_leave(nav);

    return v != NULL ? VN_OK : VN_STALE_ID;
}

vn_status vn_nav_get_cost_changes(const vn_nav* nav, uint64_t version, const vn_box** out, uint32_t* count) {
    VNI_ASSERT(nav != NULL && out != NULL && count != NULL);

    vni_nav_enter(nav);
    const vni_nav_version* v = find_version(nav, version);
    *count = v != NULL ? v->zones.changed_count : 0;
    *out = *count > 0 ? v->zones.changed : NULL;
    vni_nav_leave(nav);

    return v != NULL ? VN_OK : VN_STALE_ID;
}
