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
    if (!vni_world_put(nav->world, op->record, &id))
        return VN_OUT_OF_MEMORY;
    VNI_ASSERT(id.index1 == op->id.index1 && id.generation == op->id.generation);
    op->record = NULL;
    return VN_OK;
}

static vn_status apply_op(vn_nav* nav, vni_op* op) {
    switch (op->kind) {
    case VNI_OP_ADD: return apply_add(nav, op);
    case VNI_OP_MOVE: return vn_world_move(nav->world, op->id, &op->place, NULL);
    case VNI_OP_FLAGS: return vn_world_set_flags(nav->world, op->id, op->flags);
    case VNI_OP_REMOVE: return vn_world_remove(nav->world, op->id);
    }
    return VN_BAD_ARGUMENT;
}

/// Goes on where the last try ended.
static vn_status apply_taken(vn_nav* nav, vn_detail* detail) {
    for (; nav->task.applied < nav->taken.count; ++nav->task.applied) {
        vni_op* op = &nav->taken.items[nav->task.applied];
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
    const vni_change* changes = vni_world_changes(nav->world, &count);
    for (uint32_t i = 0; count > 0 && i < nav->def.layer_count; ++i) {
        if (!nav->dynamic[i])
            continue;
        vn_status status = vni_dynamic_update(nav->dynamic[i], nav->world, changes, count, detail);
        if (status != VN_OK) {
            vni_world_keep_changes(nav->world); // the layers before this one have them, this one in part
            return status;
        }
    }

    vni_world_forget_changes(nav->world);
    return VN_OK;
}

static bool has_new_version(const vn_nav* nav) {
    for (uint32_t i = 0; i < nav->def.layer_count; ++i)
        if (nav->dynamic[i] && vni_dynamic_version(nav->dynamic[i]) != nav->newest->numbers[i])
            return true;
    return false;
}

static vn_status make_version(vn_nav* nav, vn_detail* detail) {
    if (!has_new_version(nav) && !nav->zones_are_out)
        return VN_OK;
    nav->task.made = vni_nav_version_make(nav, nav->newest->number + 1);
    return nav->task.made ? VN_OK : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a version");
}

/// The layers' sums.
static void sum_stages(const vn_nav* nav, uint64_t* out) {
    _Static_assert((int)VNI_STAGES == (int)VN_STAGE_COUNT, "the same stages inside and outside");
    memset(out, 0, VN_STAGE_COUNT * sizeof *out);
    for (uint32_t i = 0; i < nav->def.layer_count; ++i) {
        vni_stages stages;
        if (!nav->dynamic[i])
            continue;
        vni_dynamic_get_stages(nav->dynamic[i], &stages);
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
    uint64_t start = nav->def.clock ? nav->def.clock(nav->def.clock_user) : 0;
    vni_nav_task* task = &nav->task;
    VNI_ASSERT(!task->made);

    task->status = apply_taken(nav, &task->detail);
    if (task->status == VN_OK)
        task->status = update_layers(nav, &task->detail);
    if (task->status == VN_OK)
        task->status = make_version(nav, &task->detail);
    if (task->status == VN_OK)
        vni_nav_watches_look(nav, nav->newest, task->made ? task->made : nav->newest);

    if (nav->def.measure_stages)
        sum_stages(nav, task->stage_ns);

    task->ns = nav->def.clock ? nav->def.clock(nav->def.clock_user) - start : 0;
}

// ------------------------------------------------------------------------------------------------- its time

/// More than moves can make of the obstacles that there are: so many that came and went are not kept waiting.
static bool are_many(const vn_nav* nav) {
    return nav->pending.count > nav->ids.slots + MANY_CHANGES;
}

static bool changes_are_due(vn_nav* nav) {
    if (!vni_nav_has_changes(nav))
        return false;
    switch (nav->def.policy) {
    case VN_UPDATE_ALWAYS: return true;
    case VN_UPDATE_EVERY_N: return nav->tick - nav->task_begun >= nav->def.update_interval;
    case VN_UPDATE_LAST_MOMENT: break;
    }
    return are_many(nav) || vni_nav_requests_need_update(nav) || vni_nav_watches_touched(nav);
}

bool vni_nav_update_is_due(vn_nav* nav) {
    if (nav->task_is_out)
        return false;
    nav->takes_changes = changes_are_due(nav);
    return nav->retries || nav->takes_changes || nav->fresh_count > 0;
}

/// The host's list goes to the task. After a failed update it joins what was taken before, so that a host can
/// take back what needs more memory than there is. False if there is no memory for that: it waits.
static bool join_lists(vn_nav* nav) {
    vni_ops *taken = &nav->taken, *pending = &nav->pending;
    VNI_ASSERT(nav->task.applied <= taken->count);

    if (pending->count == 0)
        return true;

    if (nav->task.applied < taken->count) {
        if (!vni_grow(&nav->allocator, &taken->items, &taken->capacity,
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
    nav->task.applied = 0;

    return true;
}

static void take_changes(vn_nav* nav) {
    const uint64_t since = vni_nav_changed_since(nav);
    if (!join_lists(nav))
        return;

    if (nav->zone_changes > 0)
        vni_nav_zones_take(nav);

    if (!nav->retries) // else older ones are not shown yet
        nav->taken_since = since;

    nav->task_begun = nav->tick;
    ++nav->round;
}

void vni_nav_hand_over(vn_nav* nav) {
    VNI_ASSERT(nav->task_state == VNI_TASK_NONE && !nav->task_is_out);
    if (nav->takes_changes)
        take_changes(nav);

    vni_nav_watches_hand_over(nav);
    nav->task_due = nav->tick + nav->def.latency;
    nav->task_state = VNI_TASK_READY;
    nav->task_is_out = true;
}

// ------------------------------------------------------------------------------------------------ its fruits

static void count_update(vn_nav* nav) {
    ++nav->updates;
    nav->last_ns = nav->task.ns;
    nav->total_ns += nav->task.ns;
    memcpy(nav->stage_ns, nav->task.stage_ns, sizeof nav->stage_ns);
}

/// The host sees the newest version.
static void look_up(vn_nav* nav) {
    if (nav->seen == nav->newest)
        return;
    vni_nav_version* old = nav->seen;
    nav->seen = nav->newest;
    ++nav->seen->pins;
    vni_nav_version_unpin(nav, old);
}

vn_status vni_nav_adopt(vn_nav* nav, vn_detail* detail) {
    bool lockstep = nav->def.mode == VN_NAV_LOCKSTEP;
    if (nav->task_state == VNI_TASK_NONE || (lockstep && nav->tick < nav->task_due))
        return VN_OK;

    while (lockstep && nav->task_state != VNI_TASK_DONE)
        vni_nav_wait(nav);

    if (nav->task_state != VNI_TASK_DONE)
        return VN_OK;
    vni_nav_task* task = &nav->task;
    nav->task_state = VNI_TASK_NONE;
    nav->task_is_out = false;

    nav->retries = task->status != VN_OK;
    if (task->made) {
        vni_nav_publish(nav, task->made);
        task->made = NULL;
    }

    look_up(nav);
    vni_nav_watches_adopt(nav, !nav->retries);
    if (nav->retries) {
        if (detail)
            *detail = task->detail;
        return task->status;
    }

    if (nav->taken.count > 0 || nav->zones_are_out)
        count_update(nav);

    nav->taken.count = nav->task.applied = 0;
    nav->zones_are_out = false;
    nav->shown_round = nav->round - 1;
    return VN_OK;
}
