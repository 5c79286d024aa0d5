/// agent/plan.c: the paths of agents: asked for, taken, checked against each new version, repaired, replaced.
#include "agent/crowd_inside.h"
#include "space/space.h"

/// Cells that the repair of a path may expand. A longer way round is the nav's to find.
#define REPAIR_BUDGET 256u

/// Seconds: after a repair, until a better path is asked for; after an answer without a path, until the next
/// question; and ahead of the agent, where its new path begins.
#define REFRESH_AFTER 0.75
#define ASK_AGAIN     0.5
#define FRAMES_AHEAD  3.0

/// Metres within which the start of a path may lie, beyond the radius, if the agent is in the reach of what
/// moves.
#define START_SNAP 8.0

/// Spread of the paths of those who were held up, as vn_path_request.jitter.
#define HELD_JITTER 0.5f

// --------------------------------------------------------------------------------------------------- taking

static bool is_free(const vn_space* space, const vni_agent* agent) {
    return vn_space_position_free(space, agent->motion.position);
}

const vn_space* vni_agent_sight(const vn_crowd* crowd, const vni_agent* agent) {
    const vn_space* space = vni_agent_space(crowd, agent);
    return is_free(space, agent) ? space : vni_agent_walls(crowd, agent);
}

void vni_agent_drop_request(vn_crowd* crowd, vni_agent* agent) {
    if (agent->request != 0)
        (void)vn_nav_abandon(crowd->nav, agent->request);
    agent->request = 0;
    agent->is_outdated = false;
}

void vni_agent_forget_path(vn_crowd* crowd, vni_agent* agent) {
    vni_agent_drop_request(crowd, agent);
    vn_corridor_clear(agent->corridor);
    agent->is_cut = false;
    agent->refresh = VNI_NEVER;
}

static vn_status put_path(vni_agent* agent, const vn_space* space, const vn_point* points, uint32_t count) {
    vn_corridor_info info;
    vn_corridor_get_info(agent->corridor, &info);
    if (info.point_count > 0) {
        // Asked for to find something better, and not because the old one is no good: it must be better.
        const vn_join rule = agent->wants_path ? VN_JOIN_ALWAYS : VN_JOIN_IF_SHORTER;
        return vn_corridor_join(agent->corridor, space, points, count, rule, NULL);
    }

    vn_status status = vn_corridor_set(agent->corridor, space, points, count);
    if (status == VN_OK)
        status = vn_corridor_advance_to_position(agent->corridor, space, agent->motion.position);
    if (status != VN_OK)
        vn_corridor_clear(agent->corridor);
    return status;
}

void vni_agent_take_path(vn_crowd* crowd, vni_agent* agent, const vn_point* points, uint32_t count,
                         uint64_t version) {
    const uint32_t most = crowd->def.max_points < count ? crowd->def.max_points : count;
    const bool is_cut = most < count;

    // It was found for where the agent was: what it sees of it now is what it can join.
    const vn_status status = put_path(agent, vni_agent_sight(crowd, agent), points, most);
    agent->wants_path = status != VN_OK;
    if (status != VN_OK)
        return;

    agent->is_cut = is_cut;
    agent->version = version;
    agent->refresh = VNI_NEVER;
    agent->answer = VN_OK;
}

/// A request from among what moves may snap its start farther than its goal: a goal that was snapped farther
/// than its target allows, rounding aside, counts as what it is.
static vn_status answer_of(const vn_crowd* crowd, const vni_agent* agent, const vn_path_result* result) {
    const vn_space* space = vni_agent_space(crowd, agent);
    const double most = agent->target.snap + (double)space->resolution / 256;
    vn_point point;
    if (result->status != VN_OK || agent->target.kind != VNI_TARGET_POINT ||
        result->goal_leg.state == VN_LEG_NONE || result->goal_leg.distance <= most)
        return result->status;
    return vn_space_point_from_world(space, agent->goal, &point) == VN_OK ? VN_GOAL_BLOCKED : VN_OUTSIDE;
}

static void take_answer(vn_crowd* crowd, vni_agent* agent) {
    vn_nav_result result;
    const vn_status status =
        agent->request != 0 ? vn_nav_take_result(crowd->nav, agent->request, &result) : VN_RUNNING;
    if (status == VN_RUNNING)
        return;

    const bool is_outdated = agent->is_outdated;
    agent->request = 0;
    agent->is_outdated = false;
    if (status != VN_OK) {
        agent->wants_path = true;
        return;
    }

    ++crowd->stats.answered;
    const vn_status answer = answer_of(crowd, agent, &result.result);
    if (answer == VN_OK && agent->target.kind != VNI_TARGET_NONE) {
        vni_agent_take_path(crowd, agent, result.points, result.point_count, result.version);
    } else if (answer == VN_CANCELLED) {
        agent->wants_path = agent->target.kind != VNI_TARGET_NONE;
    } else if (answer != VN_OK && agent->wants_path && !is_outdated) {
        agent->answer = answer;
        agent->pause = ASK_AGAIN;
        vn_corridor_clear(agent->corridor);
    }

    agent->wants_path = agent->wants_path || is_outdated;
    vn_nav_release_result(crowd->nav, result.id);
}

// -------------------------------------------------------------------------------------------------- checking

/// Is the path free as far ahead as the agent flies within the horizon?
static bool is_free_ahead(const vn_crowd* crowd, const vni_agent* agent) {
    const vn_space* space = vni_agent_space(crowd, agent);
    const double reach = crowd->def.horizon * (double)agent->def.max_speed;
    vn_corridor_info info;
    uint32_t count;
    vn_point at;
    vn_corridor_get_info(agent->corridor, &info);
    const vn_point* points = vn_corridor_points(agent->corridor, &count);
    if (vn_space_point_from_world(space, info.place, &at) != VN_OK)
        return false;

    double flown = 0;
    vn_dvec3 from = info.place;
    for (uint32_t i = info.segment + 1; i < count && flown < reach; ++i) {
        if (!vn_space_visible(space, at, points[i]))
            return false;
        const vn_dvec3 to = vn_space_point_to_world(space, points[i]);
        flown += vni_distance(from, to);
        from = to;
        at = points[i];
    }

    return true;
}

/// A path that is blocked is repaired where it is; if that fails, another one is asked for.
static void check_path(vn_crowd* crowd, vni_agent* agent) {
    vn_corridor_info info;
    vn_repair repair;
    vn_corridor_get_info(agent->corridor, &info);
    if (info.point_count == 0 || !is_free(vni_agent_space(crowd, agent), agent) ||
        is_free_ahead(crowd, agent))
        return;

    if (vni_crowd_use_query(crowd, agent->layer) == VN_OK &&
        vn_corridor_repair(agent->corridor, vni_agent_space(crowd, agent), crowd->query, REPAIR_BUDGET,
                           &repair) == VN_OK &&
        repair.kind != VN_REPAIR_REPLAN) {
        crowd->stats.repaired += repair.kind == VN_REPAIR_REPAIRED;
        agent->version = crowd->layers[agent->layer].version;
        agent->refresh = agent->refresh < REFRESH_AFTER ? agent->refresh : REFRESH_AFTER;
        return;
    }

    crowd->stats.replanned += !agent->wants_path;
    agent->wants_path = true;
}

/// Reasons to ask for a path although there is one, or was none.
static void reconsider(vn_crowd* crowd, vni_agent* agent, double dt) {
    vn_corridor_info info;
    vn_corridor_get_info(agent->corridor, &info);
    agent->pause -= agent->pause > 0 ? dt : 0;
    agent->refresh -= dt;
    if (info.point_count == 0 && agent->answer == VN_OK && !vni_agent_is_there(agent))
        agent->wants_path = true;

    // A target that has moved on from the end of the path.
    if (info.point_count > 0 && info.remaining <= agent->def.arrival && !vni_agent_is_there(agent))
        agent->wants_path = true;

    // The rest of a path that was too long.
    if (agent->is_cut && info.remaining < crowd->def.horizon * (double)agent->def.max_speed)
        agent->wants_path = true;

    if (agent->held > agent->patience) {
        agent->patience += crowd->def.patience;
        agent->wants_path = true;
    }
}

// --------------------------------------------------------------------------------------------------- asking

bool vni_agent_may_ask(const vni_agent* agent) {
    return agent->request == 0 && agent->pause <= 0 && agent->aimed == VN_OK &&
           agent->target.kind != VNI_TARGET_NONE && (agent->wants_path || agent->refresh <= 0) &&
           !vni_agent_is_there(agent);
}

/// An agent under way asks from where it will be when the answer comes. One that has lost sight of its path,
/// because the host has put it elsewhere, asks from where it is.
static vn_dvec3 start_of(const vn_crowd* crowd, const vni_agent* agent, double dt) {
    const vni_vec v = vni_v_of_position(agent->motion.velocity);
    vn_corridor_place place;
    vn_corridor_info info;
    vn_corridor_get_info(agent->corridor, &info);
    if (info.on_path && is_free(vni_agent_space(crowd, agent), agent) &&
        vn_corridor_predict(agent->corridor, FRAMES_AHEAD * dt, vni_length(v), &place) == VN_OK &&
        vn_space_point_free(vni_agent_space(crowd, agent), place.point))
        return place.position;
    return agent->motion.position;
}

static vn_vec3 local_of(const vn_crowd* crowd, const vni_agent* agent, vn_dvec3 p) {
    const vn_dvec3 origin = vni_agent_space(crowd, agent)->origin;
    return (vn_vec3){(float)(p.x - origin.x), (float)(p.y - origin.y), (float)(p.z - origin.z)};
}

static vn_nav_request request_of(const vn_crowd* crowd, const vni_agent* agent, double dt) {
    vn_nav_request request = vn_default_nav_request();
    vn_path_request* path = &request.path;
    const vni_target* t = &agent->target;
    path->use_positions = true;
    path->start_position = start_of(crowd, agent, dt);
    path->goal_position = agent->goal;
    path->radius = agent->def.radius;
    path->open_flags = agent->def.open_flags;
    path->zone_flags = agent->def.zone_flags;
    path->snap_distance = t->snap;
    if (!is_free(vni_agent_space(crowd, agent), agent) && t->snap < START_SNAP)
        path->snap_distance = START_SNAP + (double)agent->def.radius;

    if (t->kind == VNI_TARGET_BOX) {
        path->goal_kind = VN_GOAL_BOX;
        path->goal_box = (vn_box){local_of(crowd, agent, t->low), local_of(crowd, agent, t->high)};
    } else if (t->distance > 0) {
        path->goal_kind = VN_GOAL_SPHERE;
        path->goal_distance = t->distance;
    }

    if (agent->held > crowd->def.patience) {
        path->jitter = HELD_JITTER;
        path->jitter_seed = agent->id.index1;
    }

    request.by_id = true;
    request.priority = agent->def.priority < 1e6f ? (int32_t)agent->def.priority : 1000000;
    return request;
}

static void ask(vn_crowd* crowd, vni_agent* agent, double dt) {
    if (!vni_agent_may_ask(agent))
        return;

    // A nav that is full is asked again in the next update.
    const vn_nav_request request = request_of(crowd, agent, dt);
    const vn_status status = vn_nav_submit(crowd->nav, &request, &agent->request, NULL);
    if (status == VN_CAPACITY || status == VN_OUT_OF_MEMORY)
        return;

    agent->asked_goal = agent->goal;
    agent->refresh = VNI_NEVER;
    if (status == VN_OK) {
        ++crowd->stats.asked;
    } else {
        agent->answer = status;
        agent->pause = ASK_AGAIN;
    }
}

void vni_crowd_plan(vn_crowd* crowd, double dt) {
    for (uint32_t i = 0; i < crowd->slots; ++i) {
        vni_agent* agent = &crowd->agents[i];
        if (!agent->alive)
            continue;

        take_answer(crowd, agent);
        if (agent->target.kind == VNI_TARGET_NONE)
            continue;
        if (crowd->is_new)
            check_path(crowd, agent);
        reconsider(crowd, agent, dt);
    }

    if (crowd->def.share_from > 0)
        vni_crowd_share(crowd);
    for (uint32_t i = 0; i < crowd->slots; ++i)
        if (crowd->agents[i].alive)
            ask(crowd, &crowd->agents[i], dt);
}
