/// nav/changes.c: changes of obstacles: checked at once, listed until an update takes them.
///
/// The host gets the status and the id of a change before the world has seen it, because the world may be in
/// the hands of an update. So the host keeps what it needs to check calls without the world: a copy of its id
/// pool (host.ids), and the transform and bounds of each obstacle (host.known). Everything here runs on the
/// host's thread and takes no lock.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/vec.h"
#include "nav/nav_inside.h"

#include <string.h>

// ----------------------------------------------------------------------------------- what the host knows

/// An obstacle as the host knows it. The record is, or will be, the world's.
static vni_known known_of(const vni_obstacle* record, const vn_transform* transform) {
    vni_known known;
    memset(&known, 0, sizeof known);
    known.motion = record->motion;
    known.bounds = record->info.bounds;
    known.flags = record->info.flags;
    known.grid = vni_sensed_grid(record);
    if (record->motion != NULL)
        known.transform = *transform;

    return known;
}

static bool reserve_known(vn_nav* nav, uint64_t slots) {
    return vni_grow(&nav->fixed.allocator, &nav->host.known, &nav->host.known_capacity, slots,
                    sizeof *nav->host.known);
}

/// A copy of the world's id pool: with the same calls it gives the same ids as the world will.
static bool copy_ids(vn_nav* nav) {
    const vni_idpool* from = &nav->fixed.world->ids;
    vni_idpool* to = &nav->host.ids;
    const vn_allocator* a = &nav->fixed.allocator;

    // Generations by slot, a bit for each free slot, and a bit for each word that has one (base/idpool.h).
    uint64_t slots = from->slots, words = vni_bits_words(slots), summary = vni_bits_words(words);
    *to = vni_idpool_make(a);

    if (slots == 0)
        return true;
    if (!vni_grow(a, &to->generations, &to->generation_capacity, slots, sizeof *to->generations) ||
        !vni_grow(a, &to->free_words, &to->free_capacity, words, sizeof *to->free_words) ||
        !vni_grow(a, &to->free_summary, &to->summary_capacity, summary, sizeof *to->free_summary))
        return false;

    memcpy(to->generations, from->generations, (size_t)slots * sizeof *to->generations);
    memcpy(to->free_words, from->free_words, (size_t)words * sizeof *to->free_words);
    memcpy(to->free_summary, from->free_summary, (size_t)summary * sizeof *to->free_summary);
    to->slots = from->slots;
    to->live = from->live;
    to->free_count = from->free_count;

    return true;
}

/// Fills host.known from the world; `movers` gets the number of obstacles that can move.
static bool know_world(vn_nav* nav, uint32_t* movers) {
    uint32_t slots = vni_world_slots(nav->fixed.world);
    *movers = 0;
    if (!reserve_known(nav, slots))
        return false;

    for (uint32_t slot = 0; slot < slots; ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(nav->fixed.world, slot);
        vn_transform transform;
        if (obstacle == NULL)
            continue;

        bool moves = vn_world_get_transform(nav->fixed.world, vni_world_id(nav->fixed.world, slot),
                                            &transform) == VN_OK;
        nav->host.known[slot] = known_of(obstacle, &transform);
        if (moves) // then it has a velocity
            (void)vn_world_get_velocity(nav->fixed.world, vni_world_id(nav->fixed.world, slot),
                                        &nav->host.known[slot].velocity);

        *movers += moves;
    }

    return true;
}

static bool reserve_ops(vn_nav* nav, vni_ops* ops, uint64_t count) {
    return vni_grow(&nav->fixed.allocator, &ops->items, &ops->capacity, count, sizeof *ops->items);
}

vn_status vni_nav_changes_make(vn_nav* nav, vn_detail* detail) {
    uint32_t movers = 0;
    nav->host.round = 1;

    // One move for each obstacle fits from the beginning: in steady state no call allocates.
    if (!copy_ids(nav) || !know_world(nav, &movers) ||
        !reserve_ops(nav, &nav->host.pending, (uint64_t)movers + 16) ||
        !reserve_ops(nav, &nav->update.taken, (uint64_t)movers + 16))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the changes of the world");

    return VN_OK;
}

static void free_ops(const vn_nav* nav, vni_ops* ops) {
    for (uint32_t i = 0; i < ops->count; ++i) {
        vni_record_free(&nav->fixed.world->allocator, ops->items[i].record);
        vni_edits_free(&nav->fixed.allocator, &ops->items[i].edits);
    }

    VNI_DELETE_ARRAY(&nav->fixed.allocator, ops->items, ops->capacity);
}

void vni_nav_changes_free(vn_nav* nav) {
    // Records that were listed and never applied still belong to the lists.
    free_ops(nav, &nav->host.pending);
    free_ops(nav, &nav->update.taken);
    VNI_DELETE_ARRAY(&nav->fixed.allocator, nav->host.known, nav->host.known_capacity);
    if (nav->host.ids.allocator.alloc != NULL)
        vni_idpool_destroy(&nav->host.ids);
}

// ------------------------------------------------------------------------------------------------- listing

/// Appends an operation. There must be capacity for it.
static vni_op* list_op(vn_nav* nav, vni_op_kind kind, vn_obstacle_id id) {
    VNI_ASSERT(nav->host.pending.count < nav->host.pending.capacity);

    if (nav->host.pending.count == 0)
        nav->host.pending_since = nav->host.tick;

    vni_op* op = &nav->host.pending.items[nav->host.pending.count++];
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->id = id;
    op->blocks = true;

    return op;
}

static bool reserve_op(vn_nav* nav) {
    return reserve_ops(nav, &nav->host.pending, (uint64_t)nav->host.pending.count + 1);
}

bool vn_nav_has(const vn_nav* nav, vn_obstacle_id id) {
    VNI_ASSERT(nav != NULL);
    return id.index1 != 0 && vni_idpool_has(&nav->host.ids, id.index1 - 1, id.generation);
}

/// Everything that may fail comes first, the id last: a pool that has to take an id back would no longer be
/// in step with the world's.
static vn_status add(vn_nav* nav, const vn_shape* shape, const vn_transform* transform, uint32_t flags,
                     vn_obstacle_id* out, vn_detail* detail) {
    const vn_allocator* allocator = &nav->fixed.world->allocator;
    vni_obstacle* record;
    uint32_t slot, generation;
    vn_status status = vni_record_make(allocator, shape, transform, flags, &record, detail);
    if (status != VN_OK)
        return status;

    if (!reserve_op(nav) || !reserve_known(nav, (uint64_t)nav->host.ids.slots + 1) ||
        !vni_idpool_take(&nav->host.ids, &slot, &generation)) {
        vni_record_free(allocator, record);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more obstacle");
    }

    vn_obstacle_id id = {slot + 1, generation};
    nav->host.known[slot] = known_of(record, transform);
    vni_op* op = list_op(nav, VNI_OP_ADD, id);
    op->record = record;

    op->box = record->info.bounds;
    if (out != NULL)
        *out = id;

    return VN_OK;
}

vn_status vn_nav_add(vn_nav* nav, const vn_shape* shape, uint32_t flags, vn_obstacle_id* out,
                     vn_detail* detail) {
    VNI_ASSERT(nav != NULL && shape != NULL);
    return add(nav, shape, NULL, flags, out, detail);
}

vn_status vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* transform, uint32_t flags,
                            vn_obstacle_id* out, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && shape != NULL && transform != NULL);
    return add(nav, shape, transform, flags, out, detail);
}

vn_status vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* transform, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && transform != NULL);

    if (!vn_nav_has(nav, id))
        return vni_fail(detail, VN_STALE_ID, "there is no such obstacle any more");
    vni_known* known = &nav->host.known[id.index1 - 1];
    if (known->motion == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "the obstacle cannot move; add it with vn_nav_add_moving");
    if (memcmp(transform, &known->transform, sizeof *transform) == 0)
        return VN_OK;

    vn_box bounds;
    vn_status status = vni_motion_check(known->motion, transform, &bounds, detail);
    if (status != VN_OK)
        return status;

    // One operation for each obstacle and round: later moves overwrite the first one.
    if (known->listed != nav->host.round) {
        if (!reserve_op(nav))
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more change");
        vni_op* op = list_op(nav, VNI_OP_MOVE, id);
        op->before = known->transform;
        known->listed = nav->host.round;
        known->at = nav->host.pending.count - 1;
    }

    vni_op* op = &nav->host.pending.items[known->at];
    VNI_ASSERT(op->kind == VNI_OP_MOVE && op->id.index1 == id.index1);

    op->transform = known->transform = *transform;
    op->box = known->bounds = bounds;

    // Back where the last update left it: nothing new is blocked, whatever happened in between.
    op->blocks = memcmp(transform, &op->before, sizeof *transform) != 0;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- sensing

/// The change of a sensed set that is in the list already; null if there is none.
static vni_op* listed_sense(const vn_nav* nav, vn_obstacle_id id) {
    const vni_known* known = &nav->host.known[id.index1 - 1];
    return known->listed == nav->host.round ? &nav->host.pending.items[known->at] : NULL;
}

/// Puts what is listed for the set already before `edits`.
static bool join_listed(const vn_nav* nav, vn_obstacle_id id, vni_edits* edits) {
    const vni_op* op = listed_sense(nav, id);
    return op == NULL || vni_edits_join(&nav->fixed.allocator, &op->edits, edits);
}

/// Lists all that a set is told in this round: it takes the edits over. There must be capacity for it.
static void list_sense(vn_nav* nav, vn_obstacle_id id, const vni_edits* edits) {
    vni_known* known = &nav->host.known[id.index1 - 1];
    vni_op* op = listed_sense(nav, id);
    if (op == NULL) {
        op = list_op(nav, VNI_OP_SENSE, id);
        known->listed = nav->host.round;
        known->at = nav->host.pending.count - 1;
    }

    VNI_ASSERT(op->kind == VNI_OP_SENSE && op->id.index1 == id.index1);
    vni_edits_free(&nav->fixed.allocator, &op->edits);
    op->edits = *edits;
    op->blocks = vni_edits_bounds(edits, &known->grid, &op->box);
}

vn_status vn_nav_sense(vn_nav* nav, const vn_sense_batch* batch, uint32_t* outside, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && batch != NULL);

    const bool has_unknown = batch->unknown.index1 != 0;
    if (!vn_nav_has(nav, batch->occupied) || (has_unknown && !vn_nav_has(nav, batch->unknown)))
        return vni_fail(detail, VN_STALE_ID, "there is no such obstacle any more");

    const vni_map_grid* grid = &nav->host.known[batch->occupied.index1 - 1].grid;
    const vni_map_grid* other = has_unknown ? &nav->host.known[batch->unknown.index1 - 1].grid : NULL;
    vn_status status = vni_sense_check(batch, grid, other, detail);
    if (status != VN_OK)
        return status;

    vni_edits occupied, unknown;
    uint32_t skipped = 0;
    status = vni_sense_read(&nav->fixed.allocator, batch, grid, vn_world_origin(nav->fixed.world), &occupied,
                            &unknown, &skipped, detail);
    if (status != VN_OK)
        return status;

    // both sets or none: everything that may fail comes before the first change
    if (!reserve_ops(nav, &nav->host.pending, (uint64_t)nav->host.pending.count + 2) ||
        !join_listed(nav, batch->occupied, &occupied) ||
        (has_unknown && !join_listed(nav, batch->unknown, &unknown))) {
        vni_edits_free(&nav->fixed.allocator, &occupied);
        vni_edits_free(&nav->fixed.allocator, &unknown);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a batch of %u voxels",
                        (unsigned)batch->count);
    }

    if (outside != NULL)
        *outside = skipped;
    if (occupied.count == 0) { // an empty batch: `unknown` has what is listed already, or nothing
        vni_edits_free(&nav->fixed.allocator, &unknown);
        return VN_OK;
    }

    list_sense(nav, batch->occupied, &occupied);
    if (has_unknown)
        list_sense(nav, batch->unknown, &unknown);
    return VN_OK;
}

vn_status vn_nav_set_flags(vn_nav* nav, vn_obstacle_id id, uint32_t flags) {
    VNI_ASSERT(nav != NULL);
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    if (!reserve_op(nav))
        return VN_OUT_OF_MEMORY;

    list_op(nav, VNI_OP_FLAGS, id)->flags = flags;
    nav->host.known[id.index1 - 1].flags = flags;
    return VN_OK;
}

/// What is known of an obstacle that moves. VN_STALE_ID, VN_UNSUPPORTED.
static vn_status find_mover(const vn_nav* nav, vn_obstacle_id id, vni_known** out) {
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    *out = &nav->host.known[id.index1 - 1];
    return (*out)->motion != NULL ? VN_OK : VN_UNSUPPORTED;
}

vn_status vn_nav_set_velocity(vn_nav* nav, vn_obstacle_id id, vn_vec3 velocity) {
    VNI_ASSERT(nav != NULL);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK && !vni_v_is_finite(vni_v_from(velocity)))
        status = VN_BAD_ARGUMENT;
    if (status == VN_OK)
        known->velocity = velocity;

    return status;
}

vn_status vn_nav_get_velocity(const vn_nav* nav, vn_obstacle_id id, vn_vec3* out) {
    VNI_ASSERT(nav != NULL && out != NULL);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK)
        *out = known->velocity;
    return status;
}

vn_status vn_nav_get_transform(const vn_nav* nav, vn_obstacle_id id, vn_transform* out) {
    VNI_ASSERT(nav != NULL && out != NULL);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK)
        *out = known->transform;
    return status;
}

bool vn_nav_next_mover(const vn_nav* nav, uint32_t* at, vn_nav_mover* out) {
    VNI_ASSERT(nav != NULL && at != NULL && out != NULL);
    const vni_idpool* ids = &nav->host.ids;
    while (*at < ids->slots) {
        const uint32_t slot = (*at)++;
        const vni_known* known = &nav->host.known[slot];
        if (!vni_idpool_has(ids, slot, ids->generations[slot]) || known->motion == NULL)
            continue;

        const vn_obstacle_info* shape = vni_motion_shape(known->motion);
        *out = (vn_nav_mover){.id = {slot + 1, ids->generations[slot]},
                              .flags = known->flags,
                              .kind = shape->kind,
                              .transform = known->transform,
                              .velocity = known->velocity,
                              .bounds = shape->bounds};
        return true;
    }

    return false;
}

vn_status vn_nav_remove(vn_nav* nav, vn_obstacle_id id) {
    VNI_ASSERT(nav != NULL);
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    if (!reserve_op(nav))
        return VN_OUT_OF_MEMORY;

    // The id is stale for the host from now on, and its slot may be given out again at once: the update
    // applies the removal before any later addition.
    list_op(nav, VNI_OP_REMOVE, id)->blocks = false;
    vni_idpool_give(&nav->host.ids, id.index1 - 1, id.generation);
    return VN_OK;
}

bool vni_nav_op_box(const vn_nav* nav, const vni_op* op, vn_box* out) {
    if (!op->blocks || !vn_nav_has(nav, op->id)) // one that is removed later in the list blocks nothing
        return false;
    // Other flags count where the obstacle ends up, also if it moves later in the list.
    *out = op->kind == VNI_OP_FLAGS ? nav->host.known[op->id.index1 - 1].bounds : op->box;
    return true;
}
