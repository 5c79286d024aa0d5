/// avoid/agents.c: adds, changes and removes agents.
#include "avoid/avoid_inside.h"
#include "base/assert.h"
#include "base/fail.h"
#include "space/frame.h"

#define COOKIE 0x61766733u // "avg3"

vn_avoid_agent_def vn_default_avoid_agent_def(void) {
    return (vn_avoid_agent_def){.radius = 0.4f, .max_speed = 1.5f, .max_acceleration = 15, .cookie = COOKIE};
}

static bool is_finite3(vn_vec3 v) {
    return vni_v_is_finite(vni_wide(v));
}

static bool is_finite_position(vn_dvec3 p) {
    return vni_v_is_finite(vni_v(p.x, p.y, p.z));
}

static bool is_positive(float x) {
    return x > 0 && vni_is_finite((double)x);
}

static vn_status check_limits(const vn_avoid_limits* limits, vn_detail* detail) {
    if (!is_positive(limits->radius) || !is_positive(limits->max_speed) ||
        !is_positive(limits->max_acceleration))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "radius %g, max_speed %g and max_acceleration %g must be above 0",
                        (double)limits->radius, (double)limits->max_speed, (double)limits->max_acceleration);
    if (!(limits->priority >= 0) || !vni_is_finite((double)limits->priority))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the priority is %g: it must be 0 or more",
                        (double)limits->priority);
    if (!(limits->max_climb >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_climb is %g: it must be 0 or more",
                        (double)limits->max_climb);
    return VN_OK;
}

/// May an agent be at a position? VN_OK without a space.
static vn_status check_place(const vn_space* space, vn_dvec3 position) {
    if (!is_finite_position(position))
        return VN_BAD_ARGUMENT;
    if (space == NULL)
        return VN_OK;

    vn_point point;
    vn_status status = vn_space_point_from_world(space, position, &point);
    return status != VN_OK || vn_space_point_free(space, point) ? status : VN_BLOCKED;
}

static bool find(const vn_avoid* avoid, vn_avoid_agent_id id, uint32_t* slot) {
    *slot = id.index1 - 1;
    return id.index1 > 0 && vni_idpool_has(&avoid->agent_ids, *slot, id.generation);
}

static void set_limits(vn_avoid* avoid, uint32_t slot, const vn_avoid_limits* limits) {
    avoid->bodies[slot].radius = limits->radius;
    avoid->bodies[slot].weight = 1 + limits->priority;
    avoid->limits[slot].weight = 1 + limits->priority;
    avoid->limits[slot].speed = limits->max_speed;
    avoid->limits[slot].acceleration = limits->max_acceleration;
    avoid->limits[slot].climb = limits->max_climb;
}

/// List and box are made in the next step; -1 marks an agent whose place among the others is not known yet.
static void forget(vn_avoid* avoid, uint32_t slot) {
    avoid->limits[slot].list_due = -1;
    avoid->limits[slot].box_due = 0;
    avoid->boxes[slot].valid = false;
    avoid->turns[slot] = (vni_turn){0};
}

static vni_vec place(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

vn_status vn_avoid_add_agent(vn_avoid* avoid, const vn_avoid_agent_def* def, vn_avoid_agent_id* out,
                             vn_detail* detail) {
    VNI_ASSERT(avoid != NULL && def != NULL && out != NULL);
    *out = (vn_avoid_agent_id){0};
    if (def->cookie != COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "make the def with vn_default_avoid_agent_def()");

    const vn_avoid_limits limits = {def->radius, def->max_speed, def->max_acceleration, def->priority,
                                    def->max_climb};
    vn_status status = check_limits(&limits, detail);
    if (status != VN_OK)
        return status;
    status = is_finite3(def->velocity) ? check_place(def->space, def->position) : VN_BAD_ARGUMENT;
    if (status != VN_OK)
        return vni_fail(detail, status, "the agent's position or velocity is not finite, or not free there");
    if (avoid->agent_ids.live >= avoid->def.max_agents)
        return vni_fail(detail, VN_CAPACITY, "there are max_agents = %u already",
                        (unsigned)avoid->def.max_agents);

    uint32_t slot, generation;
    if (!vni_idpool_take(&avoid->agent_ids, &slot, &generation))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for an id");
    if (slot >= avoid->def.max_agents) {
        // slots whose generations are spent are retired: after 2^31 agents in one slot
        (void)vni_idpool_give(&avoid->agent_ids, slot, generation);
        return vni_fail(detail, VN_CAPACITY, "the slots are used up: make a new vn_avoid");
    }

    avoid->bodies[slot] = (vni_seen){.position = place(def->position), .velocity = def->velocity};
    avoid->limits[slot] = (vni_limits){0};
    avoid->spaces[slot] = def->space;
    avoid->list_counts[slot] = avoid->obstacle_counts[slot] = 0;
    set_limits(avoid, slot, &limits);
    forget(avoid, slot);
    avoid->live_is_old = true;
    *out = (vn_avoid_agent_id){slot + 1, generation};
    return VN_OK;
}

vn_status vn_avoid_remove_agent(vn_avoid* avoid, vn_avoid_agent_id id) {
    VNI_ASSERT(avoid != NULL);
    if (id.index1 == 0 || !vni_idpool_give(&avoid->agent_ids, id.index1 - 1, id.generation))
        return VN_STALE_ID;
    avoid->spaces[id.index1 - 1] = NULL;
    avoid->live_is_old = true;

    // those that still list it find it out of reach
    avoid->bodies[id.index1 - 1].position = avoid->next[id.index1 - 1].position =
        vni_v(VNI_FAR_AWAY, VNI_FAR_AWAY, VNI_FAR_AWAY);
    return VN_OK;
}

vn_status vn_avoid_set_preferred(vn_avoid* avoid, vn_avoid_agent_id id, vn_vec3 velocity) {
    uint32_t slot;
    if (!find(avoid, id, &slot))
        return VN_STALE_ID;
    if (!is_finite3(velocity))
        return VN_BAD_ARGUMENT;

    vni_vec wish = vni_wide(velocity);
    double most = (double)avoid->limits[slot].speed, length = vni_length(wish);
    avoid->bodies[slot].wish = vni_narrow(length > most ? vni_scale(wish, most / length) : wish);
    return VN_OK;
}

vn_status vn_avoid_set_state(vn_avoid* avoid, vn_avoid_agent_id id, vn_dvec3 position, vn_vec3 velocity) {
    uint32_t slot;
    if (!find(avoid, id, &slot))
        return VN_STALE_ID;
    vn_status status = is_finite3(velocity) ? check_place(avoid->spaces[slot], position) : VN_BAD_ARGUMENT;
    if (status != VN_OK)
        return status;

    // a step's distance keeps its list and its turn at a strait; the box is made anew in any case
    vni_seen* body = &avoid->bodies[slot];
    vni_limits* limits = &avoid->limits[slot];
    if (vni_length(vni_sub(place(position), body->position)) > (double)body->radius)
        forget(avoid, slot);
    limits->box_due = 0;
    body->position = place(position);
    body->velocity = velocity;
    return VN_OK;
}

vn_status vn_avoid_set_space(vn_avoid* avoid, vn_avoid_agent_id id, const vn_space* space) {
    uint32_t slot;
    if (!find(avoid, id, &slot))
        return VN_STALE_ID;
    vni_vec at = avoid->bodies[slot].position;
    avoid->spaces[slot] = space;
    avoid->limits[slot].box_due = 0;
    return check_place(space, (vn_dvec3){at.x, at.y, at.z});
}

vn_status vn_avoid_set_limits(vn_avoid* avoid, vn_avoid_agent_id id, const vn_avoid_limits* limits) {
    uint32_t slot;
    if (!find(avoid, id, &slot))
        return VN_STALE_ID;
    if (check_limits(limits, NULL) != VN_OK)
        return VN_BAD_ARGUMENT;
    set_limits(avoid, slot, limits);
    return vn_avoid_set_preferred(avoid, id, avoid->bodies[slot].wish);
}

vn_status vn_avoid_get_agent(const vn_avoid* avoid, vn_avoid_agent_id id, vn_avoid_state* out) {
    uint32_t slot;
    VNI_ASSERT(avoid != NULL && out != NULL);
    if (!find(avoid, id, &slot))
        return VN_STALE_ID;

    const vni_seen* body = &avoid->bodies[slot];
    const vni_turn* turn = &avoid->turns[slot];
    *out = (vn_avoid_state){.position = {body->position.x, body->position.y, body->position.z},
                            .velocity = body->velocity,
                            .preferred = body->wish,
                            .held = avoid->limits[slot].held,
                            .strait = turn->phase != VNI_FAR ? turn->strait + 1 : 0,
                            .waits = turn->phase == VNI_WAITS,
                            .walled = avoid->spaces[slot] != NULL && avoid->boxes[slot].valid};
    return VN_OK;
}

uint32_t vn_avoid_agent_count(const vn_avoid* avoid) {
    return avoid->agent_ids.live;
}
