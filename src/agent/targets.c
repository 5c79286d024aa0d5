/// agent/targets.c: where agents go: points, boxes, other agents, obstacles.
#include "agent/crowd_inside.h"
#include "space/space.h"

/// A target that moved less than this part of the distance to it needs no new path: its end is moved along.
#define NEAR_PART 0.1

// ------------------------------------------------------------------------------------------------- setting

static bool is_finite(vn_dvec3 p) {
    return vni_v_is_finite(vni_v_of_position(p));
}

static bool is_same_target(const vni_target* a, const vni_target* b) {
    return a->kind == b->kind && a->distance == b->distance && a->snap == b->snap &&
           vni_distance(a->low, b->low) == 0 && vni_distance(a->high, b->high) == 0 &&
           a->leader.index1 == b->leader.index1 && a->leader.generation == b->leader.generation &&
           a->obstacle.index1 == b->obstacle.index1 && a->obstacle.generation == b->obstacle.generation;
}

/// A new target. The agent follows its old path until the new one is found. One of the same kind that is set
/// anew, perhaps in every frame, is one that moves: a request under way is of use. The path is then led to
/// the new point, or replaced; to another box, agent or obstacle it is asked for again after the answer.
static void set_target(vn_crowd* crowd, vni_agent* agent, const vni_target* target) {
    const bool moves = agent->target.kind == target->kind, is_point = target->kind == VNI_TARGET_POINT;
    if (is_same_target(&agent->target, target))
        return;
    if (!moves)
        vni_agent_drop_request(crowd, agent);

    agent->target = *target;
    agent->is_outdated = moves && !is_point && agent->request != 0;
    agent->wants_path = target->kind != VNI_TARGET_NONE && !(moves && is_point);
    agent->answer = VN_OK;
    agent->pause = agent->held = 0;
    agent->refresh = VNI_NEVER;
    if (target->kind == VNI_TARGET_NONE)
        vni_agent_forget_path(crowd, agent);
}

vn_status vn_crowd_go_to(vn_crowd* crowd, vn_agent_id id, vn_dvec3 position, double snap) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;
    if (!is_finite(position) || !(snap >= 0) || !vni_is_finite(snap))
        return VN_BAD_ARGUMENT;

    set_target(crowd, agent,
               &(vni_target){.kind = VNI_TARGET_POINT, .low = position, .high = position, .snap = snap});
    return VN_OK;
}

vn_status vn_crowd_go_into(vn_crowd* crowd, vn_agent_id id, vn_dvec3 low, vn_dvec3 high) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;
    if (!is_finite(low) || !is_finite(high) || low.x > high.x || low.y > high.y || low.z > high.z)
        return VN_BAD_ARGUMENT;

    set_target(crowd, agent, &(vni_target){.kind = VNI_TARGET_BOX, .low = low, .high = high});
    return VN_OK;
}

vn_status vn_crowd_follow_agent(vn_crowd* crowd, vn_agent_id id, vn_agent_id leader, double distance) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL || vni_crowd_find(crowd, leader) == NULL)
        return VN_STALE_ID;
    if (!(distance >= 0) || !vni_is_finite(distance) || id.index1 == leader.index1)
        return VN_BAD_ARGUMENT;

    set_target(crowd, agent, &(vni_target){.kind = VNI_TARGET_AGENT, .leader = leader, .distance = distance});
    return VN_OK;
}

vn_status vn_crowd_follow_obstacle(vn_crowd* crowd, vn_agent_id id, vn_obstacle_id obstacle,
                                   double distance) {
    VNI_ASSERT(crowd != NULL);
    vn_transform transform;
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;
    if (!(distance >= 0) || !vni_is_finite(distance))
        return VN_BAD_ARGUMENT;

    const vn_status status = vn_nav_get_transform(crowd->nav, obstacle, &transform);
    if (status == VN_OK)
        set_target(crowd, agent,
                   &(vni_target){.kind = VNI_TARGET_OBSTACLE, .obstacle = obstacle, .distance = distance});
    return status;
}

vn_status vn_crowd_stop(vn_crowd* crowd, vn_agent_id id) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;

    set_target(crowd, agent, &(vni_target){.kind = VNI_TARGET_NONE});
    return VN_OK;
}

// --------------------------------------------------------------------------------------------------- aiming

static vn_status find_goal(const vn_crowd* crowd, const vni_agent* agent, vn_dvec3* out) {
    const vni_target* t = &agent->target;
    const vni_agent* leader;
    const vn_dvec3 origin = vni_agent_space(crowd, agent)->origin, at = agent->motion.position;
    vn_transform transform;
    vn_status status = VN_OK;
    switch (t->kind) {
    case VNI_TARGET_NONE: *out = at; break;
    case VNI_TARGET_POINT: *out = t->low; break;
    case VNI_TARGET_BOX: // its point nearest to the agent
        *out = (vn_dvec3){vni_clamp(at.x, t->low.x, t->high.x), vni_clamp(at.y, t->low.y, t->high.y),
                          vni_clamp(at.z, t->low.z, t->high.z)};
        break;
    case VNI_TARGET_AGENT:
        leader = vni_crowd_find(crowd, t->leader);
        if (leader == NULL)
            return VN_STALE_ID;
        *out = leader->motion.position;
        break;
    case VNI_TARGET_OBSTACLE:
        status = vn_nav_get_transform(crowd->nav, t->obstacle, &transform);
        if (status == VN_OK)
            *out =
                (vn_dvec3){origin.x + (double)transform.position.x, origin.y + (double)transform.position.y,
                           origin.z + (double)transform.position.z};
        break;
    }

    return status;
}

/// A target that moved a little takes the end of the path along; otherwise the agent wants a new path.
static void follow_goal(vn_crowd* crowd, vni_agent* agent) {
    const double moved = vni_distance(agent->goal, agent->asked_goal);
    vn_corridor_info info;
    vn_corridor_get_info(agent->corridor, &info);
    if (moved == 0 || info.point_count == 0 || agent->request != 0)
        return;

    // An end within the distance that counts as there need not be moved at each step.
    const vn_space* space = vni_agent_space(crowd, agent);
    if (moved > NEAR_PART * info.remaining && moved > agent->target.distance / 2)
        agent->wants_path = true;
    if (agent->target.distance == 0 &&
        vn_corridor_move_target_position(agent->corridor, space, agent->goal) != VN_OK)
        agent->wants_path = true;
}

void vni_crowd_aim(vn_crowd* crowd) {
    for (uint32_t i = 0; i < crowd->slots; ++i) {
        vni_agent* agent = &crowd->agents[i];
        if (!agent->alive)
            continue;

        agent->aimed = find_goal(crowd, agent, &agent->goal);
        if (agent->aimed != VN_OK)
            vni_agent_forget_path(crowd, agent);
        else if (agent->target.kind != VNI_TARGET_NONE && agent->target.kind != VNI_TARGET_BOX)
            follow_goal(crowd, agent);
    }
}

bool vni_agent_is_there(const vni_agent* agent) {
    const vni_target* t = &agent->target;
    if (t->kind == VNI_TARGET_NONE || agent->aimed != VN_OK)
        return false;

    // A snapped goal is where the path to it ends.
    vn_corridor_info info;
    vn_corridor_get_info(agent->corridor, &info);
    const bool at_end = t->kind == VNI_TARGET_POINT && info.point_count > 0 && !agent->is_cut &&
                        agent->answer == VN_OK && !agent->wants_path && agent->request == 0 &&
                        vni_distance(agent->goal, agent->asked_goal) == 0 &&
                        vni_distance(agent->motion.position, info.target) <= agent->def.arrival;
    return at_end || vni_distance(agent->motion.position, agent->goal) <= t->distance + agent->def.arrival;
}
