/// volnav/crowd.h: agents that arrive. One object for a game: add agents, give them targets, and in each
/// frame they go a step further.
///
///   every frame:  vn_nav_move ...  ->  vn_crowd_update  ->  vn_crowd_get_agent, for each agent
///
/// The crowd asks its nav for paths, follows them, repairs or replaces them when the world changes, and keeps
/// agents apart from each other, from walls and from obstacles that move. Its layers can be used alone:
/// volnav/follow.h (one agent along one path) and volnav/avoid.h (many agents side by side).
///
/// All functions are for the host's thread of the nav. Positions are in world coordinates (metres, origin
/// included), velocities in metres a second. An update allocates nothing once the numbers of agents and
/// obstacles have stopped growing. With a nav in lockstep the same calls give the same bytes for any number
/// of workers.
#ifndef VOLNAV_CROWD_H
#define VOLNAV_CROWD_H

#include "volnav/avoid.h"
#include "volnav/nav.h"

typedef struct vn_crowd vn_crowd;

/// The id of an agent of a crowd. index1 is 0 in the null id, otherwise the slot + 1.
typedef vn_avoid_agent_id vn_agent_id;

typedef struct vn_crowd_def {
    vn_allocator allocator;
    uint32_t max_agents; ///< 1 to 65536 (default 256)
    uint32_t max_points; ///< of an agent's path; longer ones end early and are continued (default 256)

    /// Obstacles with one of these flags are avoided by their motion instead of standing in the way like
    /// walls: agents step aside for them. The nav then needs, for each layer of an agent, one of the same
    /// radius that opens these flags too: the walls. 0 (default): everything counts as a wall.
    uint32_t mover_flags;
    uint32_t max_movers; ///< such obstacles that are looked at, in the order of their slots (default 256)
    float mover_margin; ///< metres by which they count as thicker, for what they do unforeseen (default 0.25)
    bool movers_reverse; ///< they may turn round at any moment (default true), see vn_avoid_obstacle

    double horizon;  ///< seconds ahead of an agent within which its path is watched (default 2)
    double patience; ///< seconds for which an agent may be held up before it looks for another way (default
                     ///< 2); after four times as many it is stuck

    /// Agents with the same target that share one cost field instead of asking for a path each; 0: never. A
    /// search takes some 15 microseconds and a field visits the whole space, so that it pays for about a
    /// thousand agents at once only (default 1024; bench_crowd).
    uint32_t share_from;
    uint64_t
        budget; ///< cells that a shared field expands at most; who is not reached asks alone (default 65536)
    vn_avoid_def avoid; ///< how they keep apart; max_agents, max_obstacles and allocator are ignored
    bool ticks;         ///< vn_crowd_update calls vn_nav_tick (default true); false: the host does, before it
    uint32_t cookie;    ///< set by vn_default_crowd_def
} vn_crowd_def;

VN_API vn_crowd_def vn_default_crowd_def(void);

/// Makes a crowd of no agents. The nav must outlive it. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_crowd_create(vn_nav* nav, const vn_crowd_def* def, vn_crowd** out,
                                       vn_detail* detail);

/// Cancels what the agents have asked for. Null is allowed.
VN_API void vn_crowd_destroy(vn_crowd* crowd);
VN_API void vn_crowd_get_memory(const vn_crowd* crowd, vn_memory* out);

// ------------------------------------------------------------------------------------------------ agents

typedef struct vn_agent_def {
    vn_dvec3 position;
    float radius;           ///< metres; the nav needs a layer for it
    float max_speed;        ///< metres a second, > 0 (default 5)
    float max_acceleration; ///< metres a second squared, > 0 (default 10)
    float max_turn_rate;    ///< of its orientation, radians a second; 0: none (default 0)
    float max_climb;        ///< metres a second upwards and downwards, never exceeded; 0: as max_speed
                            ///< (default 0)
    float priority;         ///< of two agents the one with the higher priority gives way less, and its path
                            ///< is searched first; 0 or more (default 0)
    uint32_t open_flags;    ///< obstacles that it may pass, as in vn_path_request
    uint32_t zone_flags;    ///< as in vn_path_request
    double arrival;         ///< metres from its target at which it has arrived (default 0.1)
    uint32_t cookie;        ///< set by vn_default_agent_def
} vn_agent_def;

VN_API vn_agent_def vn_default_agent_def(void);

/// Adds an agent without a target. VN_CAPACITY: max_agents. VN_BLOCKED, VN_OUTSIDE: it stands in a wall or
/// outside. VN_UNSUPPORTED: the nav has no layer for it, or none without the movers. VN_BAD_DEF,
/// VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_crowd_add_agent(vn_crowd* crowd, const vn_agent_def* def, vn_agent_id* out,
                                          vn_detail* detail);
VN_API vn_status vn_crowd_remove_agent(vn_crowd* crowd, vn_agent_id id);

/// Where the agent really is and how it moves, if the host's physics decide. It goes on from there: its path
/// is joined ahead, or searched anew. VN_BLOCKED, VN_OUTSIDE: in a wall or outside; nothing has changed.
/// VN_STALE_ID, VN_BAD_ARGUMENT.
VN_NODISCARD vn_status vn_crowd_place_agent(vn_crowd* crowd, vn_agent_id id, vn_dvec3 position,
                                            vn_vec3 velocity);

// ----------------------------------------------------------------------------------------------- targets
// A target stays until another one is set, also after the agent has arrived. VN_STALE_ID: no such agent.

/// A point. If it is blocked, the nearest free one within `snap` metres (0: none).
VN_NODISCARD vn_status vn_crowd_go_to(vn_crowd* crowd, vn_agent_id id, vn_dvec3 position, double snap);

/// Anywhere in a box, world coordinates. VN_BAD_ARGUMENT: it is empty or not finite.
VN_NODISCARD vn_status vn_crowd_go_into(vn_crowd* crowd, vn_agent_id id, vn_dvec3 low, vn_dvec3 high);

/// Within `distance` metres of another agent, wherever it goes. VN_STALE_ID also: no such leader. When the
/// leader is removed, the agent stands still: VN_AGENT_NO_PATH, with VN_STALE_ID.
VN_NODISCARD vn_status vn_crowd_follow_agent(vn_crowd* crowd, vn_agent_id id, vn_agent_id leader,
                                             double distance);

/// Within `distance` metres of the position of a moving obstacle of the nav.
VN_NODISCARD vn_status vn_crowd_follow_obstacle(vn_crowd* crowd, vn_agent_id id, vn_obstacle_id obstacle,
                                                double distance);

/// No target: it stops.
VN_API vn_status vn_crowd_stop(vn_crowd* crowd, vn_agent_id id);

// ------------------------------------------------------------------------------------------------- state

typedef enum vn_agent_state {
    VN_AGENT_IDLE = 0,     ///< it has no target
    VN_AGENT_PLANNING = 1, ///< its path is being searched, and it has none to follow
    VN_AGENT_MOVING = 2,   ///< along its path
    VN_AGENT_WAITING = 3,  ///< others are in its way
    VN_AGENT_STUCK = 4,    ///< so for long; it goes on as soon as it can
    VN_AGENT_ARRIVED = 5,  ///< within its arrival distance of the target
    VN_AGENT_NO_PATH = 6   ///< `status` says why; it asks again twice a second
} vn_agent_state;

/// "idle", "planning" ...; null for an unknown value.
VN_API const char* vn_agent_state_name(vn_agent_state state);

typedef struct vn_agent_info {
    vn_agent_state state;
    vn_status status; ///< VN_OK; VN_AGENT_NO_PATH: the reason, as in vn_path_result
    vn_dvec3 position;
    vn_vec3 velocity;
    vn_quat orientation; ///< its z axis along the velocity, its y axis upwards; kept while it stands
    vn_dvec3 target;     ///< where it goes to now
    double distance;     ///< metres along its path to the target; negative: it has no path
    uint64_t version;    ///< of the space in which its path was found, or repaired last
} vn_agent_info;

VN_NODISCARD vn_status vn_crowd_get_agent(const vn_crowd* crowd, vn_agent_id id, vn_agent_info* out);

/// Writes up to `capacity` points of its way ahead, from where it is to its target, and sets `*count` to the
/// number of all. VN_CAPACITY: there are more. VN_STALE_ID.
VN_NODISCARD vn_status vn_crowd_get_path(const vn_crowd* crowd, vn_agent_id id, vn_dvec3* out,
                                         uint32_t capacity, uint32_t* count);

/// Goes through the agents in the order of their slots: `*at` is 0 at first. False: there are no more.
VN_API bool vn_crowd_next_agent(const vn_crowd* crowd, uint32_t* at, vn_agent_id* out);

// ------------------------------------------------------------------------------------------------ update

typedef struct vn_crowd_stats {
    uint32_t agents;
    uint32_t in_state[7];     ///< by vn_agent_state
    uint64_t asked, answered; ///< paths from the nav
    uint64_t shared;          ///< paths from shared fields,
    uint64_t fields;          ///< and how many of these were built
    uint64_t repaired;        ///< paths mended without a new search
    uint64_t replanned;       ///< paths given up because the world had changed
} vn_crowd_stats;

VN_API void vn_crowd_get_stats(const vn_crowd* crowd, vn_crowd_stats* out);

/// Moves all agents by `dt` seconds, 0 < dt <= 0.25. Statuses of vn_nav_tick, if it is called here: the
/// agents have moved all the same. VN_BAD_ARGUMENT: dt.
VN_NODISCARD vn_status vn_crowd_update(vn_crowd* crowd, double dt, vn_detail* detail);

#endif
