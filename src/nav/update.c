/// nav/update.c: how changes become a version: the update itself, when it is handed over, and what the host
/// takes back.
///
///   NONE -- hand over --> READY -- take --> RUNNING -- end --> DONE -- adopt --> NONE
///           (host)               (workers)           (workers)       (host)
///
/// A running update is a row of pieces (vni_nav_piece), which any worker claims: apply the changes to the
/// world, update each layer, make the version and check the watches.
///
/// There is one update at a time. While it is out, the host keeps listing changes in host.pending: they are
/// for the next one. A failed update loses nothing: it keeps what it has applied (update.applied), the world
/// keeps its journal of changes, and the next tick hands the rest over again.
///
/// Lockstep: an update that tick t hands over is adopted by tick t + latency, which waits for it if it must.
/// Which changes are in which version, and which tick shows it, depends on the host's calls only.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/live_inside.h"
#include "nav/watch_inside.h"
#include "world/journal.h"

#include <string.h>

/// Last moment: changes, beyond one for each obstacle, that are gathered at most.
#define MANY_CHANGES 1024u

/// Units of work for a change that reaches the world, and for a new version.
#define UNITS_CHANGE  2u
#define UNITS_VERSION 16u
#define EDITS_A_UNIT  8u ///< bricks of a sensed set

// ----------------------------------------------------------------------------------------------- the update
// On the threads that run its pieces, between READY and DONE. Outside the monitor.

static vn_status apply_add(vn_nav* nav, vni_op* op) {
    vn_obstacle_id id;
    if (!vni_world_put(nav->fixed.world, op->record, &id))
        return VN_OUT_OF_MEMORY;

    // The host gave this id out when it listed the change: host.ids is always ahead of the world's pool.
    VNI_ASSERT(id.index1 == op->id.index1 && id.generation == op->id.generation);
    op->record = NULL; // the world's now
    return VN_OK;
}

static vn_status apply_sense(vn_nav* nav, vni_op* op) {
    const uint32_t slot = op->id.index1 - 1;
    if (!vni_world_reserve_edit(nav->fixed.world, slot, &op->edits))
        return VN_OUT_OF_MEMORY;
    vni_world_edit(nav->fixed.world, slot, &op->edits);
    vni_edits_free(&nav->fixed.allocator, &op->edits);
    return VN_OK;
}

static vn_status apply_op(vn_nav* nav, vni_op* op) {
    switch (op->kind) {
    case VNI_OP_ADD: return apply_add(nav, op);
    case VNI_OP_MOVE: return vn_world_move(nav->fixed.world, op->id, &op->transform, NULL);
    case VNI_OP_FLAGS: return vn_world_set_flags(nav->fixed.world, op->id, op->flags);
    case VNI_OP_SENSE: return apply_sense(nav, op);
    case VNI_OP_REMOVE: return vn_world_remove(nav->fixed.world, op->id);
    }
    return VN_BAD_ARGUMENT;
}

/// Continues where the last piece or attempt stopped: no change is applied twice.
static vn_status apply_taken(vn_nav* nav, vn_detail* detail, uint64_t most, uint64_t* units) {
    for (; nav->update.applied < nav->update.taken.count && *units < most; ++nav->update.applied) {
        vni_op* op = &nav->update.taken.items[nav->update.applied];
        *units += UNITS_CHANGE + op->edits.count / EDITS_A_UNIT;
        vn_status status = vni_nav_live_expect(nav, op) ? apply_op(nav, op) : VN_OUT_OF_MEMORY;
        if (status == VN_OUT_OF_MEMORY)
            return vni_fail(detail, status, "no memory left for obstacle %u of the world",
                            (unsigned)op->id.index1);
        VNI_ASSERT(status == VN_OK); // it was checked before it was listed
        vni_nav_live_note(nav, op);
    }

    return VN_OK;
}

/// Has any layer a version that the newest version of the nav does not show? A failed update may have left
/// one.
static bool has_new_version(const vn_nav* nav) {
    const uint64_t* shown = nav->shared.newest->numbers;
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i)
        if (nav->fixed.dynamic[i] != NULL && vni_dynamic_version(nav->fixed.dynamic[i]) != shown[i])
            return true;
    return false;
}

static vn_status make_version(vn_nav* nav, uint64_t* units, vn_detail* detail) {
    // Changes that block and free no voxel make no version, unless two bodies have changed places, or who
    // reads changes wants to know them.
    if (!vni_nav_bodies_find(nav))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the bodies of agents");
    if (!has_new_version(nav) && !nav->update.has_zones && !vni_nav_live_has_changes(nav) &&
        vni_nav_bodies_same(&nav->update.bodies, &nav->shared.newest->bodies))
        return VN_OK;

    vni_nav_version* version = vni_nav_version_make(nav, nav->shared.newest->number + 1);
    if (version == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a version");

    const vn_status status = vni_nav_live_advance(nav, nav->shared.newest, version, units, detail);
    if (status != VN_OK) {
        vni_nav_enter(nav);
        vni_nav_version_drop(nav, version);
        vni_nav_leave(nav);
        return status;
    }

    nav->update.made = version;
    return VN_OK;
}

/// Sums up the times of all layers.
static void sum_stages(const vn_nav* nav, uint64_t* out) {
    _Static_assert((int)VNI_STAGES == (int)VN_STAGE_COUNT, "internal and public stages are the same");
    memset(out, 0, VN_STAGE_COUNT * sizeof *out);
    for (uint32_t i = 0; i < nav->fixed.def.layer_count; ++i) {
        vni_stages stages;
        if (nav->fixed.dynamic[i] == NULL)
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

static uint64_t now_ns(const vn_nav* nav) {
    return nav->fixed.def.clock != NULL ? nav->fixed.def.clock(nav->fixed.def.clock_user) : 0;
}

static void run_apply(vn_nav* nav, vni_nav_piece* piece, uint64_t most) {
    vni_nav_update_data* update = &nav->update;
    piece->status = apply_taken(nav, &update->detail, most, &piece->units);
    piece->is_over = piece->status == VN_OK && update->applied == update->taken.count;
    if (piece->is_over)
        update->changes = vni_world_changes(nav->fixed.world, &update->change_count);
}

static void run_version(vn_nav* nav, vni_nav_piece* piece) {
    vni_nav_update_data* update = &nav->update;
    VNI_ASSERT(update->made == NULL);

    // All layers have the changes.
    vni_world_forget_changes(nav->fixed.world);
    piece->units = UNITS_VERSION;
    piece->status = make_version(nav, &piece->units, &update->detail);

    // `newest` is read without the lock, here and in the functions above: only the end of an update publishes
    // (in end_update or vni_nav_adopt), and this one has not ended.
    if (piece->status == VN_OK)
        vni_nav_watches_look(nav, nav->shared.newest,
                             update->made != NULL ? update->made : nav->shared.newest);
}

void vni_nav_update_run(vn_nav* nav, vni_nav_piece* piece, uint32_t lane, uint64_t most) {
    const uint64_t start = now_ns(nav);
    switch (piece->stage) {
    case VNI_NAV_APPLY: run_apply(nav, piece, most); break;
    case VNI_NAV_LAYERS:
        vni_dynamic_run(nav->fixed.dynamic[nav->shared.layer], &piece->of_layer, lane, most);
        piece->units = piece->of_layer.units;
        break;
    case VNI_NAV_VERSION: run_version(nav, piece); break;
    }

    piece->ns = now_ns(nav) - start;
}

// -------------------------------------------------------------------------------------- its pieces, in order
// Monitor held. In this order: the layers read the world, the version pins the layers, the watches need the
// version.

static void end_update(vn_nav* nav, vn_status status) {
    nav->update.status = status;
    if (status == VN_OK && nav->update.taken.count > 0) // others say nothing about the next one
        nav->shared.expected = nav->shared.update_units;

    if (nav->fixed.def.measure_stages)
        sum_stages(nav, nav->update.stage_ns);

    // Realtime: requests see the version at once, before the host's next tick. In lockstep the host publishes
    // it, at the tick at which it is due.
    if (nav->fixed.def.mode == VN_NAV_REALTIME && nav->update.made != NULL) {
        vni_nav_publish(nav, nav->update.made);
        nav->update.made = NULL;
    }

    // Wakes a host that waits for it (lockstep) and workers whose requests were held back (last moment).
    nav->shared.update_state = VNI_UPDATE_DONE;
    vni_nav_wake(nav);
}

/// Begins with the first dynamic layer from `layer` on; without one, or without changes, with the version.
static void enter_layer(vn_nav* nav, uint32_t layer) {
    while (layer < nav->fixed.def.layer_count && nav->fixed.dynamic[layer] == NULL)
        ++layer;

    if (nav->update.change_count == 0 || layer == nav->fixed.def.layer_count) {
        nav->shared.stage = VNI_NAV_VERSION;
        return;
    }

    nav->shared.stage = VNI_NAV_LAYERS;
    nav->shared.layer = layer;
    vni_dynamic_begin(nav->fixed.dynamic[layer], nav->fixed.world, nav->update.changes,
                      nav->update.change_count, &nav->update.detail);
}

static void end_layer_piece(vn_nav* nav, const vni_nav_piece* piece) {
    vni_dynamic* layer = nav->fixed.dynamic[nav->shared.layer];
    vn_status status;
    vni_dynamic_end(layer, &piece->of_layer);
    if (!vni_dynamic_is_done(layer, &status))
        return;
    if (status == VN_OK) {
        enter_layer(nav, nav->shared.layer + 1);
        return;
    }

    // The layers before this one have the changes, this one may have part of them, the rest has none. The
    // journal keeps them in a form that leads all of these to the same end next time.
    vni_world_keep_changes(nav->fixed.world);
    end_update(nav, status);
}

bool vni_nav_update_claim(vn_nav* nav, vni_nav_piece* out) {
    vni_nav_shared* shared = &nav->shared;
    if (shared->update_state == VNI_UPDATE_READY) {
        shared->update_state = VNI_UPDATE_RUNNING;
        shared->stage = VNI_NAV_APPLY;
        shared->alone = false;
        shared->update_units = nav->update.ns = 0;
    }

    if (shared->update_state != VNI_UPDATE_RUNNING || shared->alone)
        return false;

    *out = (vni_nav_piece){.stage = shared->stage, .status = VN_OK};
    if (shared->stage == VNI_NAV_LAYERS)
        return vni_dynamic_claim(nav->fixed.dynamic[shared->layer], &out->of_layer);

    shared->alone = true;
    return true;
}

void vni_nav_update_end(vn_nav* nav, const vni_nav_piece* piece) {
    nav->shared.update_units += piece->units;
    nav->update.ns += piece->ns;
    if (piece->stage == VNI_NAV_LAYERS) {
        end_layer_piece(nav, piece);
    } else {
        nav->shared.alone = false;
        if (piece->status != VN_OK || piece->stage == VNI_NAV_VERSION)
            end_update(nav, piece->status);
        else if (piece->is_over)
            enter_layer(nav, 0);
    }

    // Others may find a piece now.
    if (nav->fixed.worker_count > 1)
        vni_nav_wake(nav);
}

// ------------------------------------------------------------------------------------------------- hand over
// On the host's thread.

/// Moves are merged, one for each obstacle; only obstacles that come and go make the list longer than that.
static bool are_many(const vn_nav* nav) {
    return nav->host.pending.count > nav->host.ids.slots + MANY_CHANGES;
}

static bool changes_are_due(vn_nav* nav) {
    if (!vni_nav_has_changes(nav))
        return false;
    switch (nav->fixed.def.policy) {
    case VN_UPDATE_ALWAYS: return true;
    case VN_UPDATE_EVERY_N: return nav->host.tick - nav->host.update_begun >= nav->fixed.def.update_interval;
    case VN_UPDATE_LAST_MOMENT: break;
    }
    return are_many(nav) || vni_nav_requests_need_update(nav) || vni_nav_watches_touched(nav);
}

bool vni_nav_update_is_due(vn_nav* nav) {
    if (nav->host.update_is_out)
        return false;

    // An update may also run without changes: to repeat a failed one, or for the first check of a new watch.
    nav->host.takes_changes = changes_are_due(nav);
    return nav->host.retries || nav->host.takes_changes || nav->host.fresh_count > 0;
}

/// Moves the host's list to the update. After a failed update it is appended to what was taken before, so
/// that the host can remove what needs more memory than there is. False if there is no memory for that: it
/// waits.
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

    // The world has all of `taken`: the two lists swap their memory, and nothing is copied or allocated.
    vni_ops empty = *taken;
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

    // After a failure `taken_since` stays: older changes are not shown yet.
    if (!nav->host.retries)
        nav->host.taken_since = since;

    nav->host.update_begun = nav->host.tick;
    ++nav->host.round;
}

void vni_nav_hand_over(vn_nav* nav) {
    VNI_ASSERT(nav->shared.update_state == VNI_UPDATE_NONE && !nav->host.update_is_out);
    if (nav->host.takes_changes)
        take_changes(nav);

    vni_nav_watches_hand_over(nav);

    // Last: from READY on, `nav->update` is no longer the host's.
    nav->host.update_due = nav->host.tick + nav->fixed.def.latency;
    nav->host.update_is_out = true;
    nav->shared.update_state = VNI_UPDATE_READY;
}

// ----------------------------------------------------------------------------------------------------- adopt
// On the host's thread. Monitor held.

static void count_update(vn_nav* nav) {
    ++nav->host.updates;
    nav->host.last_update_ns = nav->update.ns;
    nav->host.total_update_ns += nav->update.ns;
    memcpy(nav->host.stage_ns, nav->update.stage_ns, sizeof nav->host.stage_ns);
}

/// From now on the host sees the newest version.
static void see_newest(vn_nav* nav) {
    if (nav->host.seen == nav->shared.newest)
        return;

    vni_nav_version* old = nav->host.seen;
    nav->host.seen = nav->shared.newest;
    ++nav->host.seen->pins;
    vni_nav_version_unpin(nav, old);
}

/// Is there an update to take back? In lockstep only at the tick at which it is due, for which it is waited;
/// in realtime as soon as it is done.
static bool is_ready_to_adopt(vn_nav* nav) {
    const bool lockstep = nav->fixed.def.mode == VN_NAV_LOCKSTEP;
    if (nav->shared.update_state == VNI_UPDATE_NONE || (lockstep && nav->host.tick < nav->host.update_due))
        return false;

    while (lockstep && nav->shared.update_state != VNI_UPDATE_DONE)
        vni_nav_help_update(nav);

    return nav->shared.update_state == VNI_UPDATE_DONE;
}

vn_status vni_nav_adopt(vn_nav* nav, vn_detail* detail) {
    if (!is_ready_to_adopt(nav))
        return VN_OK;

    vni_nav_update_data* update = &nav->update;
    nav->shared.update_state = VNI_UPDATE_NONE;
    nav->host.update_is_out = false;

    // Lockstep: the version becomes visible now. In realtime it was published when the update ended.
    nav->host.retries = update->status != VN_OK;
    if (update->made != NULL) {
        vni_nav_publish(nav, update->made);
        update->made = NULL;
    }

    // The watches after the version: their events name the version that the host sees.
    see_newest(nav);
    vni_nav_watches_adopt(nav, !nav->host.retries);

    // Failed: `taken`, `applied` and `has_zones` stay as they are, for the next attempt.
    if (nav->host.retries) {
        if (detail != NULL)
            *detail = update->detail;
        return update->status;
    }

    // An update that only checked watches does not count.
    if (update->taken.count > 0 || update->has_zones)
        count_update(nav);

    update->taken.count = update->applied = 0;
    update->has_zones = false;
    nav->host.shown_round = nav->host.round - 1;
    return VN_OK;
}
