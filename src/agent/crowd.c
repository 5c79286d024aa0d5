/// agent/crowd.c: the crowd as a whole: created, updated, destroyed; agents added, placed, read.
#include "agent/crowd_inside.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>

#define CROWD_COOKIE 0x63726f01u
#define AGENT_COOKIE 0x61676501u
#define MAX_AGENTS   65536u
#define MAX_MOVERS   65536u
#define LONGEST_STEP 0.25

vn_crowd_def vn_default_crowd_def(void) {
    vn_crowd_def def;
    memset(&def, 0, sizeof def);
    def.allocator = vn_default_allocator();
    def.max_agents = 256;
    def.max_points = 256;
    def.max_movers = 256;
    def.mover_margin = 0.25f;
    def.movers_reverse = true;
    def.horizon = 2;
    def.patience = 2;
    def.share_from = 1024;
    def.budget = 65536;
    def.avoid = vn_default_avoid_def();
    def.avoid.reach = 6;
    def.ticks = true;
    def.cookie = CROWD_COOKIE;
    return def;
}

vn_agent_def vn_default_agent_def(void) {
    vn_agent_def def;
    memset(&def, 0, sizeof def);
    def.radius = 0.4f;
    def.max_speed = 5;
    def.max_acceleration = 10;
    def.arrival = 0.1;
    def.cookie = AGENT_COOKIE;
    return def;
}

const char* vn_agent_state_name(vn_agent_state state) {
    static const char* const names[] = {"idle",  "planning", "moving", "waiting",
                                        "stuck", "arrived",  "no path"};
    return (unsigned)state <= VN_AGENT_NO_PATH ? names[state] : NULL;
}

// ----------------------------------------------------------------------------------------------------- life

static vn_status check_def(const vn_crowd_def* def, vn_detail* detail) {
    if (def->cookie != CROWD_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_crowd_def, then change what you need");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (def->max_agents < 1 || def->max_agents > MAX_AGENTS || def->max_movers > MAX_MOVERS)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "max_agents is %u, max_movers is %u; they must be from 1, and from 0, to %u",
                        (unsigned)def->max_agents, (unsigned)def->max_movers, MAX_AGENTS);
    if (def->max_points < 2)
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_points is %u; it must be at least 2",
                        (unsigned)def->max_points);
    if (!(def->mover_margin >= 0) || !vni_is_finite((double)def->mover_margin))
        return vni_fail(detail, VN_BAD_ARGUMENT, "mover_margin is %g m; it must be 0 or more",
                        (double)def->mover_margin);
    if (!(def->horizon > 0) || !(def->patience > 0) || !vni_is_finite(def->horizon + def->patience))
        return vni_fail(detail, VN_BAD_ARGUMENT, "horizon is %g s, patience is %g s; both must be above 0",
                        def->horizon, def->patience);

    return VN_OK;
}

static vn_status fill(vn_crowd* crowd, vn_detail* detail) {
    const vn_allocator* allocator = &crowd->def.allocator;
    vn_avoid_def avoid = crowd->def.avoid;
    avoid.allocator = *allocator;
    avoid.max_agents = crowd->def.max_agents;
    avoid.max_obstacles = crowd->def.max_movers;
    const vn_status status = vn_avoid_create(&avoid, &crowd->avoid, detail);
    if (status != VN_OK)
        return status;

    crowd->agents = vni_alloc_zero(allocator, crowd->def.max_agents, sizeof *crowd->agents);
    crowd->wishes = VNI_NEW_ARRAY(allocator, vni_wish, crowd->def.max_agents);
    crowd->movers = VNI_NEW_ARRAY(allocator, vni_mover, (uint64_t)crowd->def.max_movers + 1);
    crowd->reversed = VNI_NEW_ARRAY(allocator, vn_point, crowd->def.max_points);
    if (crowd->agents == NULL || crowd->wishes == NULL || crowd->movers == NULL || crowd->reversed == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a crowd of %u agents",
                        (unsigned)crowd->def.max_agents);
    return VN_OK;
}

vn_status vn_crowd_create(vn_nav* nav, const vn_crowd_def* def, vn_crowd** out, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_crowd* crowd = VNI_NEW(&def->allocator, vn_crowd);
    if (crowd == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a crowd");

    crowd->def = *def;
    crowd->nav = nav;
    status = fill(crowd, detail);
    if (status == VN_OK)
        *out = crowd;
    else
        vn_crowd_destroy(crowd);
    return status;
}

void vn_crowd_destroy(vn_crowd* crowd) {
    if (crowd == NULL)
        return;

    const vn_allocator allocator = crowd->def.allocator;
    for (uint32_t i = 0; i < crowd->slots; ++i)
        if (crowd->agents[i].alive)
            (void)vn_crowd_remove_agent(crowd, crowd->agents[i].id);

    vni_crowd_release_layers(crowd);
    vn_query_destroy(crowd->query);
    vn_avoid_destroy(crowd->avoid);
    VNI_DELETE_ARRAY(&allocator, crowd->agents, crowd->def.max_agents);
    VNI_DELETE_ARRAY(&allocator, crowd->wishes, crowd->def.max_agents);
    VNI_DELETE_ARRAY(&allocator, crowd->movers, (uint64_t)crowd->def.max_movers + 1);
    VNI_DELETE_ARRAY(&allocator, crowd->reversed, crowd->def.max_points);
    VNI_DELETE(&allocator, crowd);
}

// --------------------------------------------------------------------------------------------------- agents

static bool is_positive(float x) {
    return x > 0 && vni_is_finite((double)x);
}

static bool is_limit(float x) {
    return x >= 0 && vni_is_finite((double)x);
}

static vn_status check_agent(const vn_agent_def* def, vn_detail* detail) {
    if (def->cookie != AGENT_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_agent_def, then change what you need");
    if (!is_positive(def->radius) || !is_positive(def->max_speed) || !is_positive(def->max_acceleration))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "radius %g m, speed %g m/s, acceleration %g m/s2: all must be above 0",
                        (double)def->radius, (double)def->max_speed, (double)def->max_acceleration);
    if (!is_limit(def->max_turn_rate) || !is_limit(def->max_climb) || !is_limit(def->priority) ||
        !(def->arrival > 0) || !vni_is_finite(def->arrival))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "turn rate, climb and priority must be 0 or more, and arrival above 0");
    return VN_OK;
}

/// Finds its layers, and puts it into `avoid`.
static vn_status enter(vn_crowd* crowd, const vn_agent_def* def, vni_agent* agent, vn_detail* detail) {
    vn_status status = vni_crowd_use_layer(crowd, def->radius, def->open_flags, &agent->layer, detail);
    if (status == VN_OK)
        status = vni_crowd_use_layer(crowd, def->radius, def->open_flags | crowd->def.mover_flags,
                                     &agent->walls, detail);
    if (status != VN_OK)
        return status;

    vn_avoid_agent_def body = vn_default_avoid_agent_def();
    body.position = def->position;
    body.radius = def->radius;
    body.max_speed = def->max_speed;
    body.max_acceleration = def->max_acceleration;
    body.priority = def->priority;
    body.max_climb = def->max_climb;
    body.space = vni_agent_walls(crowd, agent);
    return vn_avoid_add_agent(crowd->avoid, &body, &agent->id, detail);
}

vn_status vn_crowd_add_agent(vn_crowd* crowd, const vn_agent_def* def, vn_agent_id* out, vn_detail* detail) {
    VNI_ASSERT(crowd != NULL && def != NULL && out != NULL);
    vn_corridor_def corridor = vn_default_corridor_def();
    vni_agent agent;
    vn_status status = check_agent(def, detail);
    if (status != VN_OK)
        return status;

    memset(&agent, 0, sizeof agent);
    corridor.allocator = crowd->def.allocator;
    corridor.max_points = crowd->def.max_points;
    agent.def = *def;
    agent.refresh = VNI_NEVER;
    agent.patience = crowd->def.patience;
    status = vn_corridor_create(&corridor, &agent.corridor, detail);
    if (status == VN_OK)
        status = enter(crowd, def, &agent, detail);
    if (status != VN_OK) {
        vn_corridor_destroy(agent.corridor);
        return status;
    }

    const vn_steering_def steering = vn_default_steering_def();
    agent.motion = vn_agent_motion_at(&steering, def->position, (vn_dvec3){0, 0, 1});
    agent.goal = def->position;
    agent.alive = true;
    VNI_ASSERT(agent.id.index1 >= 1 && agent.id.index1 <= crowd->def.max_agents);
    crowd->agents[agent.id.index1 - 1] = agent;
    crowd->slots = crowd->slots > agent.id.index1 ? crowd->slots : agent.id.index1;
    ++crowd->stats.agents;
    *out = agent.id;
    return VN_OK;
}

vn_status vn_crowd_remove_agent(vn_crowd* crowd, vn_agent_id id) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;

    vni_agent_forget_path(crowd, agent);
    vn_corridor_destroy(agent->corridor);
    (void)vn_avoid_remove_agent(crowd->avoid, id);
    memset(agent, 0, sizeof *agent);
    --crowd->stats.agents;
    return VN_OK;
}

vn_status vn_crowd_place_agent(vn_crowd* crowd, vn_agent_id id, vn_dvec3 position, vn_vec3 velocity) {
    VNI_ASSERT(crowd != NULL);
    vni_agent* agent = vni_crowd_find(crowd, id);
    const vn_status status = vn_avoid_set_state(crowd->avoid, id, position, velocity);
    if (agent == NULL || status != VN_OK)
        return agent == NULL ? VN_STALE_ID : status;

    agent->motion.position = position;
    agent->motion.velocity = (vn_dvec3){(double)velocity.x, (double)velocity.y, (double)velocity.z};
    return VN_OK;
}

vn_status vn_crowd_get_agent(const vn_crowd* crowd, vn_agent_id id, vn_agent_info* out) {
    VNI_ASSERT(crowd != NULL && out != NULL);
    const vni_agent* agent = vni_crowd_find(crowd, id);
    if (agent == NULL)
        return VN_STALE_ID;

    vn_corridor_info path;
    vn_corridor_get_info(agent->corridor, &path);
    const vn_dvec3 v = agent->motion.velocity;
    *out = (vn_agent_info){.state = agent->state,
                           .position = agent->motion.position,
                           .velocity = {(float)v.x, (float)v.y, (float)v.z},
                           .orientation = agent->motion.orientation,
                           .target = agent->goal,
                           .distance = path.point_count > 0 ? path.remaining + path.offset : -1,
                           .version = agent->version};
    if (agent->state == VN_AGENT_NO_PATH)
        out->status = agent->aimed != VN_OK ? agent->aimed : agent->answer;
    return VN_OK;
}

vn_status vn_crowd_get_path(const vn_crowd* crowd, vn_agent_id id, vn_dvec3* out, uint32_t capacity,
                            uint32_t* count) {
    VNI_ASSERT(crowd != NULL && count != NULL && (out != NULL || capacity == 0));
    const vni_agent* agent = vni_crowd_find(crowd, id);
    *count = 0;
    if (agent == NULL)
        return VN_STALE_ID;

    vn_corridor_info path;
    vn_corridor_get_info(agent->corridor, &path);
    if (path.point_count == 0)
        return VN_OK;

    // From the agent over the corners ahead: the segment's end is the first.
    *count = path.point_count - path.segment;
    if (capacity > 0)
        out[0] = agent->motion.position;
    if (capacity > 1)
        (void)vn_corridor_next_corners(agent->corridor, out + 1, capacity - 1);
    return *count > capacity ? VN_CAPACITY : VN_OK;
}

bool vn_crowd_next_agent(const vn_crowd* crowd, uint32_t* at, vn_agent_id* out) {
    VNI_ASSERT(crowd != NULL && at != NULL && out != NULL);
    while (*at < crowd->slots) {
        const vni_agent* agent = &crowd->agents[(*at)++];
        if (!agent->alive)
            continue;
        *out = agent->id;
        return true;
    }

    return false;
}

// --------------------------------------------------------------------------------------------------- update

void vn_crowd_get_stats(const vn_crowd* crowd, vn_crowd_stats* out) {
    VNI_ASSERT(crowd != NULL && out != NULL);
    *out = crowd->stats;
}

void vn_crowd_get_memory(const vn_crowd* crowd, vn_memory* out) {
    VNI_ASSERT(crowd != NULL && out != NULL);
    vn_memory part;
    memset(out, 0, sizeof *out);
    vn_avoid_get_memory(crowd->avoid, &part);
    vni_memory_add(out, "avoid", part.total);
    if (crowd->query != NULL) {
        vn_query_get_memory(crowd->query, &part);
        vni_memory_add(out, "query", part.total);
    }

    const vn_crowd_def* def = &crowd->def;
    vni_memory_add(out, "agents",
                   sizeof *crowd + def->max_agents * (sizeof(vni_agent) + sizeof(vni_wish)) +
                       (def->max_movers + 1) * sizeof(vni_mover) + def->max_points * sizeof(vn_point) +
                       crowd->stats.agents * (size_t)def->max_points * VNI_CORRIDOR_POINT);
}

vn_status vn_crowd_update(vn_crowd* crowd, double dt, vn_detail* detail) {
    VNI_ASSERT(crowd != NULL);
    if (!(dt > 0) || dt > LONGEST_STEP)
        return vni_fail(detail, VN_BAD_ARGUMENT, "dt is %g s; it must be above 0, and at most %g s", dt,
                        LONGEST_STEP);

    const vn_status status = crowd->def.ticks ? vn_nav_tick(crowd->nav, detail) : VN_OK;
    vni_crowd_refresh_layers(crowd);
    vni_crowd_look_at_movers(crowd);
    vni_crowd_aim(crowd);
    vni_crowd_plan(crowd, dt);
    vni_crowd_move(crowd, dt);
    return status;
}
