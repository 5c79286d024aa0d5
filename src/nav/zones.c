/// nav/zones.c: zones from the host's calls into versions. The zones of the world are the host's; the task
/// gets a copy of them when it is handed over.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"
#include "space/zone_buffer.h"
#include "world/world.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------- changes

/// 0: the slot is empty.
static uint32_t generation_of(const vn_nav* nav, uint32_t slot) {
    const vni_zone_table* table = &nav->world->zones;
    return vni_zone_at(table, slot) ? table->ids.generations[slot] : 0;
}

/// Is the zone in a slot another one, or elsewhere, than `known` says?
static bool differs(const vn_nav* nav, const vni_known_zone* known, uint32_t slot) {
    const uint32_t generation = generation_of(nav, slot);
    if (generation != known->generation || generation == 0)
        return generation != known->generation;
    const vn_transform place = vni_zone_transform(vni_zone_at(&nav->world->zones, slot));
    return memcmp(&place, &known->place, sizeof place) != 0;
}

/// The zone in a slot is not what it was a moment ago.
static void note(vn_nav* nav, uint32_t slot) {
    vni_known_zone* known = &nav->known_zones[slot];
    const bool changed = differs(nav, known, slot);
    if (changed == known->changed)
        return;

    known->changed = changed;
    if (changed && nav->zone_changes == 0)
        nav->zones_since = nav->tick;

    if (changed)
        ++nav->zone_changes;
    else
        --nav->zone_changes;
}

vn_status vn_nav_add_zone(vn_nav* nav, const vn_zone_def* def, vn_zone_id* out, vn_detail* detail) {
    VNI_ASSERT(nav && def);

    vn_zone_id id;
    vn_status status = vn_world_add_zone(nav->world, def, &id, detail);
    if (status != VN_OK)
        return status;

    note(nav, id.index1 - 1);
    if (out)
        *out = id;

    return VN_OK;
}

vn_status vn_nav_move_zone(vn_nav* nav, vn_zone_id id, const vn_transform* place, vn_detail* detail) {
    VNI_ASSERT(nav && place);
    vn_status status = vn_world_move_zone(nav->world, id, place, detail);
    if (status == VN_OK)
        note(nav, id.index1 - 1);
    return status;
}

vn_status vn_nav_remove_zone(vn_nav* nav, vn_zone_id id) {
    VNI_ASSERT(nav);
    vn_status status = vn_world_remove_zone(nav->world, id);
    if (status == VN_OK)
        note(nav, id.index1 - 1);
    return status;
}

bool vn_nav_has_zone(const vn_nav* nav, vn_zone_id id) {
    VNI_ASSERT(nav);
    return vn_world_has_zone(nav->world, id);
}

/// Where costs are other than with the zones of `since`.
static uint32_t boxes_since(const vn_nav* nav, const vni_known_zone since[VN_MAX_ZONES],
                            vn_box out[2 * VN_MAX_ZONES]) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot) {
        const vni_world_zone* zone = vni_zone_at(&nav->world->zones, slot);
        if (!differs(nav, &since[slot], slot))
            continue;

        if (since[slot].generation != 0)
            out[count++] = since[slot].bounds;

        if (zone)
            out[count++] = vni_zone_bounds(zone);
    }

    return count;
}

uint32_t vni_nav_zone_boxes(const vn_nav* nav, vn_box out[2 * VN_MAX_ZONES]) {
    return nav->zone_changes > 0 ? boxes_since(nav, nav->known_zones, out) : 0;
}

// -------------------------------------------------------------------------------------------- to the task

static void remember(vn_nav* nav, uint32_t slot) {
    const vni_world_zone* zone = vni_zone_at(&nav->world->zones, slot);
    vni_known_zone* known = &nav->known_zones[slot];
    *known = (vni_known_zone){.generation = generation_of(nav, slot)};
    if (!zone)
        return;

    known->place = vni_zone_transform(zone);
    known->bounds = vni_zone_bounds(zone);
}

void vni_nav_zones_take(vn_nav* nav) {
    vni_nav_zones* taken = nav->zones_taken;
    vn_zone now[VN_MAX_ZONES];
    if (!nav->zones_are_out) // else no version came of those that were taken last
        memcpy(nav->version_zones, nav->known_zones, sizeof nav->version_zones);

    taken->changed_count = boxes_since(nav, nav->version_zones, taken->changed);
    vn_status status = vn_world_get_zones(nav->world, now, VN_MAX_ZONES, &taken->count);
    VNI_ASSERT(status == VN_OK);

    (void)status;
    vni_zones_copy(now, taken->count, taken->items, taken->planes);
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot)
        remember(nav, slot);

    nav->zone_changes = 0;
    nav->zones_are_out = true;
}

vn_status vni_nav_zones_make(vn_nav* nav) {
    nav->zones_taken = VNI_NEW(&nav->allocator, vni_nav_zones);
    nav->zone_buffers = VNI_NEW_ARRAY(&nav->allocator, vni_zone_buffer, 2);
    if (!nav->zones_taken || !nav->zone_buffers)
        return VN_OUT_OF_MEMORY;
    vni_nav_zones_take(nav);
    return VN_OK;
}

void vni_nav_zones_free(vn_nav* nav) {
    VNI_DELETE(&nav->allocator, nav->zones_taken);
    VNI_DELETE_ARRAY(&nav->allocator, nav->zone_buffers, 2);
}

// ---------------------------------------------------------------------------------------------- in versions

void vni_nav_zones_put(const vn_nav* nav, vni_nav_version* version) {
    const bool are_new = nav->zones_are_out;
    VNI_ASSERT(are_new || nav->newest);

    const vni_nav_zones* from = are_new ? nav->zones_taken : &nav->newest->zones;
    vni_nav_zones* to = &version->zones;
    to->count = from->count;
    vni_zones_copy(from->items, from->count, to->items, to->planes);
    to->changed_count = are_new ? from->changed_count : 0;
    memcpy(to->changed, from->changed, to->changed_count * sizeof *to->changed);
    to->since = are_new ? version->number : from->since;
}

/// Inside.
static const vni_nav_version* find_version(const vn_nav* nav, uint64_t number) {
    const vni_nav_version* v = nav->newest;
    while (v && v->number != number)
        v = v->next;
    return v;
}

vn_status vn_nav_get_zones(const vn_nav* nav, uint64_t version, const vn_zone** out, uint32_t* count) {
    VNI_ASSERT(nav && out && count);
    vni_nav_enter(nav);
    const vni_nav_version* v = find_version(nav, version);
    vni_nav_leave(nav);
    *count = v ? v->zones.count : 0;
    *out = *count > 0 ? v->zones.items : NULL;

    return v ? VN_OK : VN_STALE_ID;
}

vn_status vn_nav_get_cost_changes(const vn_nav* nav, uint64_t version, const vn_box** out, uint32_t* count) {
    VNI_ASSERT(nav && out && count);
    vni_nav_enter(nav);
    const vni_nav_version* v = find_version(nav, version);
    vni_nav_leave(nav);
    *count = v ? v->zones.changed_count : 0;
    *out = *count > 0 ? v->zones.changed : NULL;

    return v ? VN_OK : VN_STALE_ID;
}
