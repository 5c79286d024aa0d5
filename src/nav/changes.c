/// nav/changes.c: what the host changes, judged at once and listed until an update takes it.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/shapes.h"
#include "geom/vec.h"
#include "nav/parts.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e6 ///< metres from the origin

// -------------------------------------------------------------------------------------------- what is known

/// A ball around `place` that holds the bounds, for scale 1.
static double reach_of(const vn_box* bounds, const vn_transform* place) {
    vni_vec at = vni_v_from(place->position);
    vni_vec arm = vni_max(vni_abs_each(vni_sub(vni_v_from(bounds->min), at)),
                          vni_abs_each(vni_sub(vni_v_from(bounds->max), at)));
    return vni_length(arm) / (double)place->scale;
}

/// A box in the frame of `place` that holds the bounds; tight if the place does not turn.
static void frame_box(const vn_box* bounds, const vn_transform* place, vni_known* out) {
    vni_vec axes[3];
    vni_quat_axes(place->rotation, axes);
    const vni_vec at = vni_v_from(place->position), min = vni_v_from(bounds->min),
                  max = vni_v_from(bounds->max);
    const vni_vec centre = vni_sub(vni_scale(vni_add(min, max), 0.5), at);
    const vni_vec half = vni_scale(vni_sub(max, min), 0.5);
    for (int i = 0; i < 3; ++i) {
        const double middle = vni_dot(axes[i], centre), arm = vni_dot(vni_abs_each(axes[i]), half);
        out->low[i] = (middle - arm) / (double)place->scale;
        out->high[i] = (middle + arm) / (double)place->scale;
    }
}

/// Around the shape at `place`, rounding included.
static vn_box placed_box(const vni_known* known, const vn_transform* place) {
    vni_vec axes[3];
    vni_quat_axes(place->rotation, axes);
    vni_vec centre = vni_v_from(place->position), arm = vni_v(0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        const double scale = 0.5 * (double)place->scale;
        centre = vni_add(centre, vni_scale(axes[i], scale * (known->low[i] + known->high[i])));
        arm = vni_add(arm, vni_scale(vni_abs_each(axes[i]), scale * (known->high[i] - known->low[i])));
    }
    const vni_vec far_corner = vni_add(vni_abs_each(centre), arm);
    const double slack = 2e-7 * vni_length(far_corner);
    arm = vni_add(arm, vni_v(slack, slack, slack));
    const vni_vec low = vni_sub(centre, arm), high = vni_add(centre, arm);
    return (vn_box){{(float)low.x, (float)low.y, (float)low.z},
                    {(float)high.x, (float)high.y, (float)high.z}};
}

/// An obstacle as the host knows it; `place` is null if it does not move.
static vni_known known_of(const vn_obstacle_info* info, const vn_transform* place) {
    vni_known known;
    memset(&known, 0, sizeof known);
    known.is_voxels = info->kind == VN_SHAPE_VOXELS;
    known.bounds = info->bounds;
    if (place) {
        known.moves = true;
        known.place = *place;
        known.reach = reach_of(&info->bounds, place);
        frame_box(&info->bounds, place, &known);
    }
    return known;
}

static bool reserve_known(vn_nav* nav, uint64_t slots) {
    return vni_grow(&nav->allocator, &nav->known, &nav->known_capacity, slots, sizeof *nav->known);
}

/// The world's ids from now on are foretold by a copy of its pool: the same calls give the same ids.
static bool copy_ids(vn_nav* nav) {
    const vni_idpool* from = &nav->world->ids;
    vni_idpool* to = &nav->ids;
    const vn_allocator* a = &nav->allocator;
    uint64_t slots = from->slots, words = vni_bits_words(slots), summary = vni_bits_words(words);
    *to = vni_idpool_make(a);
    if (slots == 0)
        return true;
    if (!vni_grow(a, &to->generations, &to->generation_capacity, slots, sizeof *to->generations) ||
        !vni_grow(a, &to->free_words, &to->free_capacity, words, sizeof *to->free_words) ||
        !vni_grow(a, &to->free_summary, &to->summary_capacity, summary, sizeof *to->free_summary))
        return false;
    memcpy(to->generations, from->generations, slots * sizeof *to->generations);
    memcpy(to->free_words, from->free_words, words * sizeof *to->free_words);
    memcpy(to->free_summary, from->free_summary, summary * sizeof *to->free_summary);
    to->slots = from->slots;
    to->live = from->live;
    to->free_count = from->free_count;
    return true;
}

/// `movers` gets how many there are.
static bool know_world(vn_nav* nav, uint32_t* movers) {
    uint32_t slots = vni_world_slots(nav->world);
    *movers = 0;
    if (!reserve_known(nav, slots))
        return false;
    for (uint32_t slot = 0; slot < slots; ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(nav->world, slot);
        vn_transform place;
        if (!obstacle)
            continue;
        bool moves = vn_world_place(nav->world, vni_world_id(nav->world, slot), &place) == VN_OK;
        nav->known[slot] = known_of(&obstacle->info, moves ? &place : NULL);
        if (moves)
            vn_world_velocity(nav->world, vni_world_id(nav->world, slot), &nav->known[slot].velocity);
        *movers += moves;
    }
    return true;
}

static bool reserve_ops(vn_nav* nav, vni_ops* ops, uint64_t count) {
    return vni_grow(&nav->allocator, &ops->items, &ops->capacity, count, sizeof *ops->items);
}

static vn_status make_probe(vn_nav* nav) {
    vn_world_def def = vn_default_world_def();
    def.allocator = nav->allocator;
    const vn_transform home = vn_identity();
    const vn_voxel one = {0, 0, 0};
    vn_shape ball = {.kind = VN_SHAPE_SPHERE}, voxel = {.kind = VN_SHAPE_VOXELS};
    voxel.as.voxels.size = 1;
    voxel.as.voxels.dims = (vn_voxel){1, 1, 1};
    voxel.as.voxels.voxels = &one;
    voxel.as.voxels.voxel_count = 1;
    vn_status status = vn_world_create(&def, &nav->probe);
    if (status == VN_OK)
        status = vn_world_add_moving(nav->probe, &ball, &home, &nav->probe_ball, NULL);
    if (status == VN_OK)
        status = vn_world_add_moving(nav->probe, &voxel, &home, &nav->probe_voxel, NULL);
    return status;
}

vn_status vni_nav_changes_make(vn_nav* nav, vn_detail* detail) {
    uint32_t movers = 0;
    nav->round = 1;
    vn_status status = make_probe(nav);
    if (status == VN_OK && (!copy_ids(nav) || !know_world(nav, &movers) ||
                            !reserve_ops(nav, &nav->pending, (uint64_t)movers + 16) ||
                            !reserve_ops(nav, &nav->taken, (uint64_t)movers + 16)))
        status = VN_OUT_OF_MEMORY;
    return status == VN_OK ? VN_OK : vni_fail(detail, status, "no memory left for the changes of the world");
}

static void free_ops(const vn_nav* nav, vni_ops* ops) {
    for (uint32_t i = 0; i < ops->count; ++i)
        vni_op_free(&nav->allocator, &ops->items[i]);
    VNI_DELETE_ARRAY(&nav->allocator, ops->items, ops->capacity);
}

void vni_nav_changes_free(vn_nav* nav) {
    free_ops(nav, &nav->pending);
    free_ops(nav, &nav->taken);
    VNI_DELETE_ARRAY(&nav->allocator, nav->known, nav->known_capacity);
    if (nav->ids.allocator.alloc)
        vni_idpool_destroy(&nav->ids);
    vn_world_destroy(nav->probe);
}

// ------------------------------------------------------------------------------------------------- listing

/// The next operation, of which there is room for one.
static vni_op* list_op(vn_nav* nav, vni_op_kind kind, vn_obstacle_id id) {
    VNI_ASSERT(nav->pending.count < nav->pending.capacity);
    if (nav->pending.count == 0)
        nav->pending_since = nav->tick;
    vni_op* op = &nav->pending.items[nav->pending.count++];
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->id = id;
    op->blocks = true;
    return op;
}

static bool reserve_op(vn_nav* nav) {
    return reserve_ops(nav, &nav->pending, (uint64_t)nav->pending.count + 1);
}

bool vn_nav_has(const vn_nav* nav, vn_obstacle_id id) {
    VNI_ASSERT(nav);
    return id.index1 != 0 && vni_idpool_has(&nav->ids, id.index1 - 1, id.generation);
}

/// Tries the shape in a world of its own; `info` gets what came of it.
static vn_status try_shape(vn_nav* nav, const vn_shape* shape, const vn_transform* place,
                           vn_obstacle_info* info, vn_detail* detail) {
    vn_obstacle_id id;
    vn_status status = place ? vn_world_add_moving(nav->probe, shape, place, &id, detail)
                             : vn_world_add(nav->probe, shape, &id, detail);
    if (status != VN_OK)
        return status;
    vn_world_info(nav->probe, id, info);
    return vn_world_remove(nav->probe, id);
}

static vn_status add(vn_nav* nav, const vn_shape* shape, const vn_transform* place, uint32_t flags,
                     vn_obstacle_id* out, vn_detail* detail) {
    vn_obstacle_info info;
    vni_op copy = {.kind = VNI_OP_ADD};
    uint32_t slot, generation;
    vn_status status = try_shape(nav, shape, place, &info, detail);
    if (status != VN_OK)
        return status;
    if (!reserve_op(nav) || !reserve_known(nav, (uint64_t)nav->ids.slots + 1) ||
        !vni_op_take_shape(&nav->allocator, shape, &copy))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more obstacle");
    if (!vni_idpool_take(&nav->ids, &slot, &generation)) {
        vni_op_free(&nav->allocator, &copy);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more obstacle");
    }
    vn_obstacle_id id = {slot + 1, generation};
    nav->known[slot] = known_of(&info, place);
    vni_op* op = list_op(nav, VNI_OP_ADD, id);
    op->shape = copy.shape;
    op->arrays = copy.arrays;
    op->array_bytes = copy.array_bytes;
    op->flags = flags;
    op->moving = place != NULL;
    op->place = place ? *place : vn_identity();
    op->box = info.bounds;
    if (out)
        *out = id;
    return VN_OK;
}

vn_status vn_nav_add(vn_nav* nav, const vn_shape* shape, uint32_t flags, vn_obstacle_id* out,
                     vn_detail* detail) {
    VNI_ASSERT(nav && shape);
    return add(nav, shape, NULL, flags, out, detail);
}

vn_status vn_nav_add_moving(vn_nav* nav, const vn_shape* shape, const vn_transform* place, uint32_t flags,
                            vn_obstacle_id* out, vn_detail* detail) {
    VNI_ASSERT(nav && shape && place);
    return add(nav, shape, place, flags, out, detail);
}

/// Would the world take it?
static vn_status check_place(vn_nav* nav, const vni_known* known, const vn_transform* place,
                             vn_detail* detail) {
    vn_status status =
        vn_world_move(nav->probe, known->is_voxels ? nav->probe_voxel : nav->probe_ball, place, detail);
    if (status != VN_OK)
        return status;
    double arm = known->reach * (double)place->scale;
    vni_vec far_corner = vni_add(vni_abs_each(vni_v_from(place->position)), vni_v(arm, arm, arm));
    if (!(far_corner.x <= FARTHEST && far_corner.y <= FARTHEST && far_corner.z <= FARTHEST))
        return vni_fail(detail, VN_BAD_DATA,
                        "the place lets the shape reach %g metres far; it must stay within 1e6 metres of the "
                        "origin: check the position and the scale",
                        vni_length(far_corner));
    return VN_OK;
}

vn_status vn_nav_move(vn_nav* nav, vn_obstacle_id id, const vn_transform* place, vn_detail* detail) {
    VNI_ASSERT(nav && place);
    if (!vn_nav_has(nav, id))
        return vni_fail(detail, VN_STALE_ID, "there is no such obstacle any more");
    vni_known* known = &nav->known[id.index1 - 1];
    if (!known->moves)
        return vni_fail(detail, VN_UNSUPPORTED, "the obstacle cannot move; add it with vn_nav_add_moving");
    if (memcmp(place, &known->place, sizeof *place) == 0)
        return VN_OK;
    vn_status status = check_place(nav, known, place, detail);
    if (status != VN_OK)
        return status;
    if (known->listed != nav->round) {
        if (!reserve_op(nav))
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more change");
        vni_op* op = list_op(nav, VNI_OP_MOVE, id);
        op->home = known->place;
        known->listed = nav->round;
        known->at = nav->pending.count - 1;
    }
    vni_op* op = &nav->pending.items[known->at];
    VNI_ASSERT(op->kind == VNI_OP_MOVE && op->id.index1 == id.index1);
    op->place = known->place = *place;
    op->box = known->bounds = placed_box(known, place);
    op->blocks = memcmp(place, &op->home, sizeof *place) != 0;
    return VN_OK;
}

vn_status vn_nav_set_flags(vn_nav* nav, vn_obstacle_id id, uint32_t flags) {
    VNI_ASSERT(nav);
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    if (!reserve_op(nav))
        return VN_OUT_OF_MEMORY;
    vni_op* op = list_op(nav, VNI_OP_FLAGS, id);
    op->flags = flags;
    op->box = nav->known[id.index1 - 1].bounds;
    return VN_OK;
}

/// The record of an obstacle that moves.
static vn_status find_mover(const vn_nav* nav, vn_obstacle_id id, vni_known** out) {
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    *out = &nav->known[id.index1 - 1];
    return (*out)->moves ? VN_OK : VN_UNSUPPORTED;
}

vn_status vn_nav_set_velocity(vn_nav* nav, vn_obstacle_id id, vn_vec3 velocity) {
    VNI_ASSERT(nav);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK && !vni_v_is_finite(vni_v_from(velocity)))
        status = VN_BAD_ARGUMENT;
    if (status == VN_OK)
        known->velocity = velocity;
    return status;
}

vn_status vn_nav_velocity(const vn_nav* nav, vn_obstacle_id id, vn_vec3* out) {
    VNI_ASSERT(nav && out);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK)
        *out = known->velocity;
    return status;
}

vn_status vn_nav_place(const vn_nav* nav, vn_obstacle_id id, vn_transform* out) {
    VNI_ASSERT(nav && out);
    vni_known* known;
    vn_status status = find_mover(nav, id, &known);
    if (status == VN_OK)
        *out = known->place;
    return status;
}

vn_status vn_nav_remove(vn_nav* nav, vn_obstacle_id id) {
    VNI_ASSERT(nav);
    if (!vn_nav_has(nav, id))
        return VN_STALE_ID;
    if (!reserve_op(nav))
        return VN_OUT_OF_MEMORY;
    list_op(nav, VNI_OP_REMOVE, id)->blocks = false;
    vni_idpool_give(&nav->ids, id.index1 - 1, id.generation);
    return VN_OK;
}
