/// nav/update.c: from changes to a version: when, how, and what the host learns of it.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"
#include "world/journal.h"

#include <string.h>

/// Changes, beyond one for each obstacle, that the last moment does not let gather.
#define MANY_CHANGES 1024u

// ------------------------------------------------------------------------------------------------- the task

static vn_status apply_add(vn_nav* nav, vni_op* op) {
    vn_obstacle_id id;
    if (!vni_world_put(nav->fixed.world, op->record, &id))
        return VN_OUT_OF_MEMORY;
    VNI_ASSERT(id.index1 == op->id.index1 && id.generation == op->id.generation);
    op->record = NULL;
    return VN_OK;
}

static vn_status apply_op(vn_nav* nav, vni_op* op) {
    switch (op->kind) {
    case VNI_OP_ADD: return apply_add(nav, op);
    case VNI_OP_MOVE: return vn_world_move(nav->fixed.world, op->id, &op->transform, NULL);
    case VNI_OP_FLAGS: return vn_world_set_flags(nav->fixed.world, op->id, op->flags);
    case VNI_OP_REMOVE: return vn_world_remove(nav->fixed.world, op->id);
    }
    return VN_BAD_ARGUMENT;
}

/// Goes on where the last try ended.
static vn_status apply_taken(vn_nav* nav, vn_detail* detail) {
    for (; nav->update.applied < nav->update.taken.count; ++nav->update.applied) {
        vni_op* op = &nav->update.taken.items[nav->update.applied];
        vn_status status = apply_op(nav, op);
        if (status == VN_OUT_OF_MEMORY)
            return vni_fail(detail, status, "no memory left for obstacle %u of the world",
                            (unsigned)op->id.index1);
        VNI_ASSERT(status == VN_OK); // the host was told so
    }

    return VN_OK;
}

static vn_status update_layers(vn_nav* nav, vn_detail* detail) {
    uint32_t count = 0;
    const vni_change* changes = vni_world_changes(nav->fixed.world, &count);
    for (uint32_t i = 0; count > 0 && i < nav->fixed.def.layer_count; ++i) {
        if (!nav->fixed.dynamic[i])
            continue;
        vn_status status =
            vni_dynamic_update(nav->fixed.dynamic[i], nav->fixed.world, changes, count, detail);
        if (status != VN_OK) {
            vni_world_keep_changes(
                nav->fixed.world); // the layers before this one have them, this one in part
            return status;
        }
    }

    vni_world_forget_changes(nav->fixed.world);
    return VN_OK;
}

static bool has_new_version(const vn_nav* nav) {
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i)
        if (nav->fixed.dynamic[i] &&
            vni_dynamic_version(nav->fixed.dynamic[i]) != nav->shared.newest->numbers[i])
            return true;
    return false;
}

static vn_status make_version(vn_nav* nav, vn_detail* detail) {
    if (!has_new_version(nav) && !nav->update.has_zones)
        return VN_OK;
    nav->update.made = vni_nav_version_make(nav, nav->shared.newest->number + 1);
    return nav->update.made ? VN_OK : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a version");
}

/// The layers' sums.
static void sum_stages(const vn_nav* nav, uint64_t* out) {
    _Static_assert((int)VNI_STAGES == (int)VN_STAGE_COUNT, "the same stages inside and outside");
    memset(out, 0, VN_STAGE_COUNT * sizeof *out);
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        vni_stages stages;
        if (!nav->fixed.dynamic[i])
            continue;
        vni_dynamic_get_stages(nav->fixed.dynamic[i], &stages);
        for (uint32_t k = 0; k < VN_STAGE_COUNT; ++k)
            out[k] += stages.spent[k];
    }
}

const char* vn_update_stage_name(vn_update_stage stage) {
    static const char* const names[VN_STAGE_COUNT] = {"footprint", "occupancy",  "cells", "links",
                                                      "seams",     "components", "delta", "publish"};
    return (unsigned)stage < VN_STAGE_COUNT ? names[stage] : NULL;
}

void vni_nav_update(vn_nav* nav) {
    uint64_t start = nav->fixed.def.clock ? nav->fixed.def.clock(nav->fixed.def.clock_user) : 0;
    vni_nav_update_data* update = &nav->update;
    VNI_ASSERT(!update->made);

    update->status = apply_taken(nav, &update->detail);
    if (update->status == VN_OK)
        update->status = update_layers(nav, &update->detail);
    if (update->status == VN_OK)
        update->status = make_version(nav, &update->detail);
    if (update->status == VN_OK)
        vni_nav_watches_look(nav, nav->shared.newest, update->made ? update->made : nav->shared.newest);

    if (nav->fixed.def.measure_stages)
        sum_stages(nav, update->stage_ns);

    update->ns = nav->fixed.def.clock ? nav->fixed.def.clock(nav->fixed.def.clock_user) - start : 0;
}

// ------------------------------------------------------------------------------------------------- its time

/// More than moves can make of the obstacles that there are: so many that came and went are not kept waiting.
static bool are_many(const vn_nav* nav) {
    return nav->host.pending.count > nav->host.ids.slots + MANY_CHANGES;
}

static bool changes_are_due(vn_nav* nav) {
    if (!vni_nav_has_changes(nav))
        return false;
    switch (nav->fixed.def.policy) {
    case VN_UPDATE_ALWAYS: return true;
    case VN_UPDATE_EVERY_N: return nav->host.tick - nav->host.update_begun >= nav->fixed.def.every;
    case VN_UPDATE_LAST_MOMENT: break;
    }
    return are_many(nav) || vni_nav_requests_need_update(nav) || vni_nav_watches_touched(nav);
}

bool vni_nav_update_is_due(vn_nav* nav) {
    if (nav->host.update_is_out)
        return false;
    nav->host.takes_changes = changes_are_due(nav);
    return nav->host.retries || nav->host.takes_changes || nav->host.fresh_count > 0;
}

/// The host's list goes to the task. After a failed update it joins what was taken before, so that a host can
/// take back what needs more memory than there is. False if there is no memory for that: it waits.
static bool join_lists(vn_nav* nav) {
    vni_ops *taken = &nav->update.taken, *pending = &nav->host.pending;
    VNI_ASSERT(nav->update.applied <= taken->count);

    if (pending->count == 0)
        return true;

    if (nav->update.applied < taken->count) {
        if (!vni_grow(&nav->fixed.allocator, &taken->items, &taken->capacity,
                      (uint64_t)taken->count + pending->count, sizeof *taken->items))
            return false;

        memcpy(taken->items + taken->count, pending->items, pending->count * sizeof *pending->items);
        taken->count += pending->count;
        pending->count = 0;
        return true;
    }

    vni_ops empty = *taken; // the world has all of it
    empty.count = 0;
    *taken = *pending;
    *pending = empty;
    nav->update.applied = 0;

    return true;
}

static void take_changes(vn_nav* nav) {
    const uint64_t since = vni_nav_changed_since(nav);
    if (!join_lists(nav))
        return;

    if (nav->host.zone_changes > 0)
        vni_nav_zones_take(nav);

    if (!nav->host.retries) // else older ones are not shown yet
        nav->host.taken_since = since;

    nav->host.update_begun = nav->host.tick;
    ++nav->host.round;
}

void vni_nav_hand_over(vn_nav* nav) {
    VNI_ASSERT(nav->shared.update_state == VNI_UPDATE_NONE && !nav->host.update_is_out);
    if (nav->host.takes_changes)
        take_changes(nav);

    vni_nav_watches_hand_over(nav);
    nav->host.update_due = nav->host.tick + nav->fixed.def.latency;
    nav->shared.update_state = VNI_UPDATE_READY;
    nav->host.update_is_out = true;
}

// ------------------------------------------------------------------------------------------------ its fruits

static void count_update(vn_nav* nav) {
    ++nav->host.updates;
    nav->host.last_update_ns = nav->update.ns;
    nav->host.total_update_ns += nav->update.ns;
    memcpy(nav->host.stage_ns, nav->update.stage_ns, sizeof nav->host.stage_ns);
}

/// The host sees the newest version.
static void look_up(vn_nav* nav) {
    if (nav->host.seen == nav->shared.newest)
        return;
    vni_nav_version* old = nav->host.seen;
    nav->host.seen = nav->shared.newest;
    ++nav->host.seen->pins;
    vni_nav_version_unpin(nav, old);
}

vn_status vni_nav_adopt(vn_nav* nav, vn_detail* detail) {
    bool lockstep = nav->fixed.def.mode == VN_NAV_LOCKSTEP;
    if (nav->shared.update_state == VNI_UPDATE_NONE || (lockstep && nav->host.tick < nav->host.update_due))
        return VN_OK;

    while (lockstep && nav->shared.update_state != VNI_UPDATE_DONE)
        vni_nav_wait(nav);

    if (nav->shared.update_state != VNI_UPDATE_DONE)
        return VN_OK;
    vni_nav_update_data* update = &nav->update;
    nav->shared.update_state = VNI_UPDATE_NONE;
    nav->host.update_is_out = false;

    nav->host.retries = update->status != VN_OK;
    if (update->made) {
        vni_nav_publish(nav, update->made);
        update->made = NULL;
    }

    look_up(nav);
    vni_nav_watches_adopt(nav, !nav->host.retries);
    if (nav->host.retries) {
        if (detail)
            *detail = update->detail;
        return update->status;
    }

    if (nav->update.taken.count > 0 || nav->update.has_zones)
        count_update(nav);

    nav->update.taken.count = nav->update.applied = 0;
    nav->update.has_zones = false;
    nav->host.shown_round = nav->host.round - 1;
    return VN_OK;
}
