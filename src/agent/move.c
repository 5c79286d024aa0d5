/// agent/move.c: how agents fly: the velocity that each prefers, the step of all, and what each does now.
#include "agent/crowd_inside.h"
#include "follow/turn.h"

/// Metres within which an agent that something moving has reached looks for a way out.
#define WAY_OUT 8.0

/// Seconds of being held up after which an agent counts as waiting; patience multiples, as stuck.
#define WAITS_AFTER 0.5
#define STUCK_AFTER 4

static vn_steering_def steering_of(const vn_crowd* crowd, const vni_agent* agent) {
    vn_steering_def def = vn_default_steering_def();
    def.speed = (double)agent->def.max_speed;
    def.acceleration = (double)agent->def.max_acceleration;
    def.turn_rate = VNI_NEVER; // its orientation turns by itself
    def.arrival = agent->def.arrival / 2;
    def.up = crowd->def.avoid.up;
    return def;
}

/// Out of the reach of what moves, by the shortest way.
static vni_vec way_out(const vn_space* space, const vni_agent* agent) {
    vn_dvec3 to;
    double distance;
    if (vn_space_nearest_free_position(space, agent->motion.position, WAY_OUT, &to, &distance) != VN_OK ||
        distance == 0)
        return vni_v(0, 0, 0);

    const vni_vec way = vni_sub(vni_v_of_position(to), vni_v_of_position(agent->motion.position));
    return vni_scale(way, (double)agent->def.max_speed / distance);
}

/// The part of a velocity along `up` within the limit of climbing.
static vni_vec limit_climb(const vn_crowd* crowd, const vni_agent* agent, vni_vec velocity) {
    const double most = (double)agent->def.max_climb;
    const vni_vec up = vni_v_from(crowd->def.avoid.up);
    const double climb = vni_dot(velocity, up);
    if (most == 0 || vni_abs(climb) <= most)
        return velocity;

    // All of it slower: the direction is that of the path.
    return vni_scale(velocity, most / vni_abs(climb));
}

static vni_vec preferred_velocity(vn_crowd* crowd, vni_agent* agent, double dt) {
    const vn_space* space = vni_agent_space(crowd, agent);
    if (vni_agent_walls(crowd, agent) != space && !vn_space_position_free(space, agent->motion.position))
        return way_out(space, agent);
    if (agent->target.kind == VNI_TARGET_NONE || vni_agent_is_there(agent))
        return vni_v(0, 0, 0);

    const vn_steering_def def = steering_of(crowd, agent);
    vn_dvec3 velocity;
    vn_follow_state state;
    if (vn_steering_choose(&def, agent->corridor, vni_agent_sight(crowd, agent), dt, &agent->motion,
                           &velocity, &state) != VN_OK ||
        state == VN_FOLLOW_IDLE)
        return vni_v(0, 0, 0);

    agent->wants_path = agent->wants_path || state == VN_FOLLOW_OFF_PATH;
    return vni_v_of_position(velocity);
}

// ------------------------------------------------------------------------------------------------ afterwards

static void turn(const vn_crowd* crowd, vni_agent* agent, double dt) {
    const vni_vec velocity = vni_v_of_position(agent->motion.velocity);
    const double speed = vni_length(velocity), rate = (double)agent->def.max_turn_rate;
    if (speed < 1e-3 * (double)agent->def.max_speed)
        return;

    vn_steering_def def = steering_of(crowd, agent);
    def.turn_rate = rate > 0 ? rate : VNI_NEVER;
    const vni_vec forward =
        vni_steering_turn(&def, dt, vni_v_of_position(agent->motion.forward), vni_scale(velocity, 1 / speed));
    const vn_agent_motion turned =
        vn_agent_motion_at(&def, agent->motion.position, (vn_dvec3){forward.x, forward.y, forward.z});
    agent->motion.forward = turned.forward;
    agent->motion.orientation = turned.orientation;
}

static vn_agent_state state_of(const vn_crowd* crowd, const vni_agent* agent) {
    vn_corridor_info info;
    if (agent->target.kind == VNI_TARGET_NONE)
        return VN_AGENT_IDLE;
    if (agent->aimed != VN_OK)
        return VN_AGENT_NO_PATH;
    if (vni_agent_is_there(agent))
        return VN_AGENT_ARRIVED;

    vn_corridor_get_info(agent->corridor, &info);
    if (info.point_count == 0)
        return agent->answer == VN_OK ? VN_AGENT_PLANNING : VN_AGENT_NO_PATH;
    if (agent->held > STUCK_AFTER * crowd->def.patience)
        return VN_AGENT_STUCK;
    return agent->held > WAITS_AFTER ? VN_AGENT_WAITING : VN_AGENT_MOVING;
}

static void read_back(vn_crowd* crowd, vni_agent* agent, double dt) {
    vn_avoid_state now;
    if (vn_avoid_get_agent(crowd->avoid, agent->id, &now) != VN_OK)
        return;

    agent->motion.position = now.position;
    agent->motion.velocity =
        (vn_dvec3){(double)now.velocity.x, (double)now.velocity.y, (double)now.velocity.z};
    turn(crowd, agent, dt);

    // Where it wants to stand still, it is not held up.
    const double wish = vni_length(vni_v_from(now.preferred)), speed = vni_length(vni_v_from(now.velocity));
    agent->held = wish > 0.05 * (double)agent->def.max_speed && speed < 0.1 * wish ? agent->held + dt : 0;
    if (agent->held == 0)
        agent->patience = crowd->def.patience;
    agent->state = state_of(crowd, agent);
    ++crowd->stats.in_state[agent->state];
}

void vni_crowd_move(vn_crowd* crowd, double dt) {
    for (uint32_t i = 0; i < crowd->slots; ++i) {
        vni_agent* agent = &crowd->agents[i];
        if (!agent->alive)
            continue;
        const vni_vec v = limit_climb(crowd, agent, preferred_velocity(crowd, agent, dt));
        (void)vn_avoid_set_preferred(crowd->avoid, agent->id, (vn_vec3){(float)v.x, (float)v.y, (float)v.z});
    }

    (void)vn_avoid_step(crowd->avoid, (float)dt); // dt was checked
    for (uint32_t i = 0; i <= VN_AGENT_NO_PATH; ++i)
        crowd->stats.in_state[i] = 0;
    for (uint32_t i = 0; i < crowd->slots; ++i)
        if (crowd->agents[i].alive)
            read_back(crowd, &crowd->agents[i], dt);
}
