/// avoid/obstacles.c: moving obstacles and straits: adds, moves and removes them.
#include "avoid/avoid_inside.h"
#include "base/assert.h"
#include "base/fail.h"
#include "geom/shapes.h"

static bool is_not_negative(float x) {
    return x >= 0 && vni_is_finite((double)x);
}

static bool is_valid(const vn_avoid_obstacle* o) {
    const vn_quat q = o->rotation;
    double length2 = (double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return vni_v_is_finite(vni_v(o->position.x, o->position.y, o->position.z)) &&
           vni_v_is_finite(vni_wide(o->velocity)) && is_not_negative(o->radius) &&
           is_not_negative(o->half.x) && is_not_negative(o->half.y) && is_not_negative(o->half.z) &&
           length2 > 0.998 && length2 < 1.002 && (double)o->radius + vni_length(vni_wide(o->half)) > 0;
}

static void set_mover(vni_mover* mover, const vn_avoid_obstacle* obstacle) {
    mover->def = *obstacle;
    mover->size = (double)obstacle->radius + vni_length(vni_wide(obstacle->half));
    mover->since = 0;
    vni_quat_axes(obstacle->rotation, mover->axis);
}

vn_status vn_avoid_add_obstacle(vn_avoid* avoid, const vn_avoid_obstacle* obstacle, vn_avoid_obstacle_id* out,
                                vn_detail* detail) {
    VNI_ASSERT(avoid != NULL && obstacle != NULL && out != NULL);
    *out = (vn_avoid_obstacle_id){0};
    if (!is_valid(obstacle))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "an obstacle needs finite numbers, a size above 0 and a rotation of unit length");
    if (avoid->obstacle_ids.live >= avoid->def.max_obstacles)
        return vni_fail(detail, VN_CAPACITY, "there are max_obstacles = %u already",
                        (unsigned)avoid->def.max_obstacles);

    uint32_t slot, generation;
    if (!vni_idpool_take(&avoid->obstacle_ids, &slot, &generation))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for an id");
    if (slot >= avoid->def.max_obstacles) {
        (void)vni_idpool_give(&avoid->obstacle_ids, slot, generation);
        return vni_fail(detail, VN_CAPACITY, "the slots are used up: make a new vn_avoid");
    }

    set_mover(&avoid->movers[slot], obstacle);
    avoid->movers[slot].velocity = obstacle->has_velocity ? vni_wide(obstacle->velocity) : vni_v(0, 0, 0);
    *out = (vn_avoid_obstacle_id){slot + 1, generation};
    return VN_OK;
}

vn_status vn_avoid_move_obstacle(vn_avoid* avoid, vn_avoid_obstacle_id id,
                                 const vn_avoid_obstacle* obstacle) {
    VNI_ASSERT(avoid != NULL && obstacle != NULL);
    if (id.index1 == 0 || !vni_idpool_has(&avoid->obstacle_ids, id.index1 - 1, id.generation))
        return VN_STALE_ID;
    if (!is_valid(obstacle))
        return VN_BAD_ARGUMENT;

    vni_mover* mover = &avoid->movers[id.index1 - 1];
    const vn_dvec3 old = mover->def.position, now = obstacle->position;
    if (obstacle->has_velocity)
        mover->velocity = vni_wide(obstacle->velocity);
    else if (mover->since > 0)
        mover->velocity = vni_scale(vni_v(now.x - old.x, now.y - old.y, now.z - old.z), 1 / mover->since);
    set_mover(mover, obstacle);
    return VN_OK;
}

vn_status vn_avoid_remove_obstacle(vn_avoid* avoid, vn_avoid_obstacle_id id) {
    VNI_ASSERT(avoid != NULL);
    return id.index1 > 0 && vni_idpool_give(&avoid->obstacle_ids, id.index1 - 1, id.generation) ? VN_OK
                                                                                                : VN_STALE_ID;
}

// ---------- straits

vn_status vn_avoid_add_strait(vn_avoid* avoid, const vn_avoid_strait* strait, uint32_t* out) {
    VNI_ASSERT(avoid != NULL && strait != NULL);
    const vn_dvec3 a = strait->low, b = strait->high;
    if (strait->axis > 2 || !(a.x <= b.x && a.y <= b.y && a.z <= b.z) ||
        !vni_v_is_finite(vni_v(b.x - a.x, b.y - a.y, b.z - a.z)))
        return VN_BAD_ARGUMENT;
    if (avoid->strait_count >= avoid->def.max_straits)
        return VN_CAPACITY;

    avoid->straits[avoid->strait_count++] = (vni_strait){.def = *strait};
    if (out != NULL)
        *out = avoid->strait_count;
    return VN_OK;
}

void vn_avoid_clear_straits(vn_avoid* avoid) {
    VNI_ASSERT(avoid != NULL);
    avoid->strait_count = 0;
    for (uint32_t slot = 0; slot < avoid->agent_ids.slots && slot < avoid->def.max_agents; ++slot) {
        avoid->turns[slot] = (vni_turn){0};
        avoid->bodies[slot].weight = avoid->limits[slot].weight;
    }
}
