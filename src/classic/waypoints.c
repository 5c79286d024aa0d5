/// classic/waypoints.c: the life of a waypoint graph's state; owners, places and what is blocked.
#include "classic/waypoints.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/waypoints_inside.h"
#include "probe/sight.h"
#include "space/frame.h"

// --------------------------------------------------------------------------------------------------- owners

static uint32_t slot_of(vn_obstacle_id id) {
    return id.index1 - 1;
}

static bool is_same_id(vn_obstacle_id a, vn_obstacle_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// Does an obstacle with these flags block the layer?
static bool blocks(const vn_space* space, uint32_t flags) {
    return !(flags & (space->open_flags | VN_FLAG_UNKNOWN));
}

/// The owner for an obstacle that is there. The plan is that of before if it still fits.
static vn_status add_owner(vni_waypoints* now, const vn_obstacle_change* change,
                           const vni_waypoint_owner* before, vn_detail* detail) {
    vni_waypoint_owner* owner = &now->owners[now->owner_count];
    const vni_waypoints_def* def = &now->def;
    *owner = (vni_waypoint_owner){.id = change->id, .transform = change->after};
    const bool keeps =
        before != NULL && is_same_id(before->id, change->id) && before->plan->scale == change->after.scale;
    if (keeps) {
        owner->plan = vni_waypoint_plan_retain(before->plan);
    } else {
        const vn_shape* own =
            def->shape != NULL ? def->shape(def->shape_user, change->id, change->shape) : NULL;
        const vn_status status =
            vni_waypoint_plan_make(&def->allocator, own != NULL ? own : change->shape, change->after.scale,
                                   sqrt(3) * (def->radius + def->margin), def->spacing, &owner->plan, detail);
        if (status != VN_OK)
            return status;
    }

    ++now->owner_count;
    return VN_OK;
}

static void keep_owner(vni_waypoints* now, const vni_waypoint_owner* before) {
    now->owners[now->owner_count] = *before;
    vni_waypoint_plan_retain(before->plan);
    ++now->owner_count;
}

/// Merges the owners of before with what changed; both are in order of slots.
static vn_status merge_owners(vni_waypoint_work* work, const vn_obstacle_change* changes, uint32_t count,
                              vn_detail* detail) {
    vni_waypoints* now = work->now;
    const vni_waypoint_owner* old = work->before != NULL ? work->before->owners : NULL;
    const uint32_t old_count = work->before != NULL ? work->before->owner_count : 0;
    uint32_t i = 0, k = 0;

    while (i < old_count || k < count) {
        const bool only_old = k == count || (i < old_count && slot_of(old[i].id) < slot_of(changes[k].id));
        if (only_old) {
            keep_owner(now, &old[i++]);
            continue;
        }

        // A slot may be listed twice: its obstacle went, and another came.
        const bool was_owner = i < old_count && slot_of(old[i].id) == slot_of(changes[k].id);
        const uint32_t slot = slot_of(changes[k].id);
        for (; k < count && slot_of(changes[k].id) == slot; ++k) {
            if (!changes[k].is || !blocks(now->space, changes[k].flags_after))
                continue;
            const vn_status status = add_owner(now, &changes[k], was_owner ? &old[i] : NULL, detail);
            if (status != VN_OK)
                return status;
        }
        i += was_owner;
    }

    return VN_OK;
}

vn_status vni_waypoints_count(vni_waypoints* w, vn_detail* detail) {
    uint64_t nodes = 0;
    w->without = 0;
    for (uint32_t i = 0; i < w->owner_count; ++i) {
        if (slot_of(w->owners[i].id) >= UINT32_MAX / VNI_WAYPOINTS_EACH)
            return vni_fail(detail, VN_TOO_LARGE, "waypoints take up to %u obstacles",
                            UINT32_MAX / VNI_WAYPOINTS_EACH);
        w->owners[i].first = (uint32_t)nodes;
        nodes += w->owners[i].plan->count;
        w->without += w->owners[i].plan->count == 0;
    }

    if (nodes > UINT32_MAX / 2)
        return vni_fail(detail, VN_TOO_LARGE, "more than 2^31 waypoints");
    w->node_count = (uint32_t)nodes;
    return VN_OK;
}

static vn_status make_owners(vni_waypoint_work* work, const vn_obstacle_change* changes, uint32_t count,
                             vn_detail* detail) {
    vni_waypoints* now = work->now;
    now->owner_capacity = (work->before != NULL ? (uint64_t)work->before->owner_count : 0) + count;
    now->owners = VNI_NEW_ARRAY(&now->def.allocator, vni_waypoint_owner, now->owner_capacity);
    if (now->owner_capacity > 0 && now->owners == NULL)
        return VN_OUT_OF_MEMORY;

    const vn_status status = merge_owners(work, changes, count, detail);
    return status == VN_OK ? vni_waypoints_count(now, detail) : status;
}

// --------------------------------------------------------------------------------------------------- places

static bool is_same_transform(const vn_transform* a, const vn_transform* b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w && a->scale == b->scale;
}

/// The owner of before with the same waypoints; null if there is none. `*from`: where to look, which ascends.
static const vni_waypoint_owner* same_owner(const vni_waypoints* before, const vni_waypoint_owner* owner,
                                            uint32_t* from) {
    if (before == NULL)
        return NULL;
    while (*from < before->owner_count && slot_of(before->owners[*from].id) < slot_of(owner->id))
        ++*from;
    if (*from == before->owner_count)
        return NULL;
    const vni_waypoint_owner* old = &before->owners[*from];
    return is_same_id(old->id, owner->id) && old->plan == owner->plan ? old : NULL;
}

/// The point of a local position; vn_point_outside if it does not lie in the closed bounds.
static vn_point point_at(const vn_space* space, vni_vec position) {
    const vni_frame frame = vni_space_frame(space);
    const vn_point p = vni_nearest_point(vni_to_frame(&frame, position));
    return !vn_point_is_outside(p) && vni_point_is_inside(&space->occupancy, p) ? p : vn_point_outside();
}

static bool place_nodes(vni_waypoint_work* work) {
    vni_waypoints* now = work->now;
    vni_vec* positions = VNI_NEW_ARRAY(&now->def.allocator, vni_vec, VNI_WAYPOINTS_EACH);
    uint32_t from = 0;
    if (positions == NULL)
        return false;

    for (uint32_t i = 0; i < now->owner_count; ++i) {
        const vni_waypoint_owner* owner = &now->owners[i];
        const vni_waypoint_owner* old = same_owner(work->before, owner, &from);
        const bool stays = old != NULL && is_same_transform(&old->transform, &owner->transform);
        if (!stays)
            vni_waypoint_positions(owner->plan, &owner->transform, positions);

        for (uint32_t k = 0; k < owner->plan->count; ++k) {
            vni_waypoint* node = &now->nodes[owner->first + k];
            *node = (vni_waypoint){.owner = i};
            node->point =
                stays ? work->before->nodes[old->first + k].point : point_at(now->space, positions[k]);
            work->old_of[owner->first + k] = old != NULL ? old->first + k : VNI_NO_WAYPOINT;
            if (old != NULL)
                work->new_of[old->first + k] = owner->first + k;
        }
    }

    VNI_DELETE_ARRAY(&now->def.allocator, positions, VNI_WAYPOINTS_EACH);
    return true;
}

/// The voxels whose closed cubes hold the point, as the range of coordinates on one axis.
static void touched(int32_t step, int32_t* low, int32_t* high) {
    *high = vni_step_to_voxel(step);
    *low = vni_step_is_on_plane(step) ? *high - 1 : *high;
}

static bool is_blocked(const vni_occupancy* occupancy, vn_point p) {
    if (vn_point_is_outside(p))
        return true;
    int32_t low[3], high[3];
    touched(p.x, &low[0], &high[0]);
    touched(p.y, &low[1], &high[1]);
    touched(p.z, &low[2], &high[2]);
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                if (!vni_occupancy_free_at(occupancy, x, y, z))
                    return true;
    return false;
}

static void test_nodes(vni_waypoint_work* work) {
    vni_waypoints* now = work->now;
    for (uint32_t i = 0; i < now->node_count; ++i) {
        vni_waypoint* node = &now->nodes[i];
        const bool known =
            vni_waypoint_stands(work, i) && !vni_waypoints_dirty(work, node->point, node->point);
        node->blocked = known ? work->before->nodes[work->old_of[i]].blocked
                              : is_blocked(&now->space->occupancy, node->point);
    }
}

// ---------------------------------------------------------------------------------------------------- dirty

static void mark(vni_waypoint_work* work, int32_t x, int32_t y, int32_t z) {
    const uint64_t row = (uint64_t)(y >> 2) + (uint64_t)work->bricks[1] * (uint64_t)(z >> 2);
    vni_bits_set(work->dirty, (uint64_t)(x >> 2) + (uint64_t)work->bricks[0] * row);
}

/// A point on the upper rim of the space lies in no voxel: that below it stands for it.
static int32_t clamp(int32_t voxel, int32_t dim) {
    return voxel < dim ? voxel : dim - 1;
}

static void mark_node(vni_waypoint_work* work, const vni_waypoint* node) {
    const int32_t* dims = work->now->space->occupancy.dims;
    if (!node->blocked)
        mark(work, clamp(vni_step_to_voxel(node->point.x), dims[0]),
             clamp(vni_step_to_voxel(node->point.y), dims[1]),
             clamp(vni_step_to_voxel(node->point.z), dims[2]));
}

/// Free waypoints that came, went, moved, or changed from blocked to free or back: where they were and are.
static void mark_nodes(vni_waypoint_work* work) {
    for (uint32_t i = 0; i < work->now->node_count; ++i) {
        const uint32_t old = work->old_of[i];
        const vni_waypoint* node = &work->now->nodes[i];
        if (vni_waypoint_stands(work, i) && work->before->nodes[old].blocked == node->blocked)
            continue;
        mark_node(work, node);
        if (old != VNI_NO_WAYPOINT)
            mark_node(work, &work->before->nodes[old]);
    }

    for (uint32_t i = 0; work->before != NULL && i < work->before->node_count; ++i)
        if (work->new_of[i] == VNI_NO_WAYPOINT)
            mark_node(work, &work->before->nodes[i]);
}

// ----------------------------------------------------------------------------------------------------- life

static uint64_t dirty_words(const vni_waypoint_work* work) {
    return vni_bits_words((uint64_t)work->bricks[0] * (uint64_t)work->bricks[1] * (uint64_t)work->bricks[2]);
}

static bool make_work(vni_waypoint_work* work) {
    const vn_allocator* a = &work->now->def.allocator;
    const uint32_t old = work->before != NULL ? work->before->node_count : 0;
    for (int i = 0; i < 3; ++i)
        work->bricks[i] = (work->now->space->occupancy.dims[i] + 3) >> 2;

    work->now->nodes = VNI_NEW_ARRAY(a, vni_waypoint, work->now->node_count);
    work->old_of = VNI_NEW_ARRAY(a, uint32_t, work->now->node_count);
    work->new_of = VNI_NEW_ARRAY(a, uint32_t, old);
    work->dirty = (uint64_t*)vni_alloc_zero(a, dirty_words(work), sizeof(uint64_t));
    for (uint32_t i = 0; work->new_of != NULL && i < old; ++i)
        work->new_of[i] = VNI_NO_WAYPOINT;

    return (work->now->node_count == 0 || (work->now->nodes != NULL && work->old_of != NULL)) &&
           (old == 0 || work->new_of != NULL) && work->dirty != NULL;
}

static void free_work(vni_waypoint_work* work) {
    const vn_allocator* a = &work->now->def.allocator;
    if (work->old_of != NULL)
        VNI_DELETE_ARRAY(a, work->old_of, work->now->node_count);
    if (work->new_of != NULL)
        VNI_DELETE_ARRAY(a, work->new_of, work->before->node_count);
    if (work->dirty != NULL)
        VNI_DELETE_ARRAY(a, work->dirty, dirty_words(work));
}

/// All steps after the owners; false if memory runs out.
static bool fill(vni_waypoint_work* work, const vn_brick_change* bricks, uint32_t brick_count,
                 vni_waypoint_delta* delta) {
    if (!make_work(work) || !place_nodes(work))
        return false;

    for (uint32_t i = 0; i < brick_count; ++i)
        mark(work, bricks[i].low.x, bricks[i].low.y, bricks[i].low.z);
    test_nodes(work);
    mark_nodes(work);

    return vni_waypoints_sort_cells(work->now) && vni_waypoints_join(work) && vni_waypoints_name(work) &&
           (delta == NULL || vni_waypoints_compare(work, delta));
}

vn_status vni_waypoints_finish(vni_waypoints* waypoints, vn_detail* detail) {
    vni_waypoint_work work = {.before = NULL, .now = waypoints};
    const bool filled = fill(&work, NULL, 0, NULL);
    free_work(&work);
    if (filled)
        return VN_OK;

    vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u waypoints", waypoints->node_count);
    vni_waypoints_free(waypoints);
    return VN_OUT_OF_MEMORY;
}

static vn_status make(const vni_waypoints* before, const vni_waypoints_def* def, const vn_space* space,
                      const vn_obstacle_change* obstacles, uint32_t obstacle_count,
                      const vn_brick_change* bricks, uint32_t brick_count, vni_waypoints* out,
                      vni_waypoint_delta* delta, vn_detail* detail) {
    VNI_ASSERT(def->spacing > 0 && def->indirect <= VNI_MAX_INDIRECT);
    vni_waypoints now = {.def = *def, .space = space};
    vni_waypoint_work work = {.before = before, .now = &now};
    *out = (vni_waypoints){0};

    vn_status status = make_owners(&work, obstacles, obstacle_count, detail);
    if (status == VN_OK && !fill(&work, bricks, brick_count, delta))
        status = VN_OUT_OF_MEMORY;

    free_work(&work);
    if (status == VN_OUT_OF_MEMORY)
        vni_fail(detail, status, "no memory for %u waypoints", now.node_count);
    if (status == VN_OK)
        *out = now;
    else
        vni_waypoints_free(&now);
    return status;
}

vn_status vni_waypoints_make(const vni_waypoints_def* def, const vn_space* space,
                             const vn_obstacle_change* obstacles, uint32_t count, vni_waypoints* out,
                             vn_detail* detail) {
    return make(NULL, def, space, obstacles, count, NULL, 0, out, NULL, detail);
}

vn_status vni_waypoints_next(const vni_waypoints* before, const vn_space* space,
                             const vn_obstacle_change* obstacles, uint32_t obstacle_count,
                             const vn_brick_change* bricks, uint32_t brick_count, vni_waypoints* out,
                             vni_waypoint_delta* delta, vn_detail* detail) {
    return make(before, &before->def, space, obstacles, obstacle_count, bricks, brick_count, out, delta,
                detail);
}

static void free_array(const vn_allocator* allocator, uint32_t* array, uint64_t count) {
    if (array != NULL)
        VNI_DELETE_ARRAY(allocator, array, count);
}

void vni_waypoints_free(vni_waypoints* w) {
    const vn_allocator* a = &w->def.allocator;
    for (uint32_t i = 0; i < w->owner_count; ++i)
        vni_waypoint_plan_release(w->owners[i].plan);
    if (w->owners != NULL)
        VNI_DELETE_ARRAY(a, w->owners, w->owner_capacity);
    if (w->nodes != NULL)
        VNI_DELETE_ARRAY(a, w->nodes, w->node_count);

    free_array(a, w->to, w->to_capacity);
    free_array(a, w->back_first, (uint64_t)w->node_count + 1);
    free_array(a, w->back, w->to_count);
    free_array(a, w->cell_first, (uint64_t)w->cell_count + 1);
    free_array(a, w->cell_nodes, w->free_count);
    free_array(a, w->ids, w->node_count);
    free_array(a, w->nodes_of, w->id_count);
    *w = (vni_waypoints){0};
}

size_t vni_waypoints_bytes(const vni_waypoints* w) {
    return (size_t)(w->owner_capacity * sizeof *w->owners +
                    w->node_count * (sizeof *w->nodes + 2 * sizeof(uint32_t)) +
                    (w->to_capacity + w->to_count + w->cell_count + w->free_count + w->id_count + 2) *
                        sizeof(uint32_t));
}
