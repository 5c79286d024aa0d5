/// volnav/avoid.h: moves agents at once without collisions between them: reciprocal velocity obstacles in 3D,
/// that also respect walls (spaces), moving obstacles and narrow places.
///
/// The layer below path following: an agent here has a position, a velocity and a *preferred velocity*, which
/// the caller sets before each step from whatever the agent wants (a path, a field). A step chooses for every
/// agent the velocity nearest to the preferred one that no other agent within the horizon forbids, each
/// giving way by its share, and moves it. Agents are balls.
///
/// Two promises differ. Walls are hard: an agent with a space never leaves its free voxels, whatever happens.
/// Other agents and obstacles are not: in a press, bodies may overlap by a few per cent (docs/avoidance.md).
///
/// Positions are in world coordinates (origin included), velocities in metres a second. One thread at a time
/// uses a vn_avoid; a step divides the agents among the def's jobs. The same calls give the same bytes for
/// any number of workers. After create only adding agents and obstacles allocates; a step never does.
#ifndef VOLNAV_AVOID_H
#define VOLNAV_AVOID_H

#include "volnav/space.h"

typedef struct vn_avoid vn_avoid;

/// Most neighbours that one agent considers in a step, and most that it lists.
#define VN_AVOID_MAX_NEIGHBOURS 16

/// How agents avoid each other. Walls are respected in all modes.
typedef enum vn_avoid_mode {
    VN_AVOID_RECIPROCAL = 0, ///< reciprocal velocity obstacles
    VN_AVOID_PUSH = 1, ///< for comparison: all move as they prefer; of two that touch, the one with the lower
                       ///< max_speed is pushed away, and none of equal speed
    VN_AVOID_NONE = 2  ///< all move as they prefer and pass through each other
} vn_avoid_mode;

typedef struct vn_avoid_def {
    vn_allocator allocator;
    vn_jobs jobs;           ///< for vn_avoid_step
    uint32_t max_agents;    ///< 1 to 2^20
    uint32_t max_obstacles; ///< moving obstacles, 0 to 2^16
    uint32_t max_straits;   ///< 0 to 4096
    vn_avoid_mode mode;
    uint32_t neighbours; ///< considered in a step, nearest first, 1 to VN_AVOID_MAX_NEIGHBOURS
    float reach;         ///< neighbours whose bodies are farther away than this are ignored, metres, > 0
    float horizon;       ///< seconds ahead without collision with agents and moving spheres, > 0
    float wall_horizon;  ///< seconds ahead for walls and moving boxes, > 0
    float contact_time;  ///< seconds in which overlapping bodies part, > 0; at least dt is taken
    float refresh;       ///< seconds for which a list of neighbours and a free box are kept, >= 0
    float bias;          ///< turn to the right for oncoming agents, at most, as a tangent; 0: none
    float lane_width; ///< metres between walls up to which oncoming agents keep to their right half; 0: never
    float box_reach;  ///< metres that a free box extends from its agent, at most, > 0
    vn_vec3 up;       ///< unit; "right" is seen from an agent that stands upright
    uint32_t cookie;  ///< set by vn_default_avoid_def
} vn_avoid_def;

/// 1,024 agents, 64 obstacles, 64 straits, reciprocal, 10 neighbours within 4 m, horizon 1.5 s (walls 0.3 s),
/// contact 0.05 s, lists kept 0.13 s, bias 0.35, lanes up to 5 m, free boxes to 5 m, up is +Y, serial jobs.
VN_API vn_avoid_def vn_default_avoid_def(void);

/// VN_BAD_DEF, VN_BAD_ARGUMENT: an invalid def, with the reason in `detail`. VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_avoid_create(const vn_avoid_def* def, vn_avoid** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_avoid_destroy(vn_avoid* avoid);
VN_API void vn_avoid_get_memory(const vn_avoid* avoid, vn_memory* out);

// ------------------------------------------------------------------------------------------------ agents

/// The id of an agent. index1 is 0 in the null id, otherwise the slot + 1.
typedef struct vn_avoid_agent_id {
    uint32_t index1;
    uint32_t generation;
} vn_avoid_agent_id;

typedef struct vn_avoid_agent_def {
    vn_dvec3 position;
    vn_vec3 velocity;
    float radius;    ///< metres, > 0
    float max_speed; ///< metres a second, > 0
    float
        max_acceleration; ///< metres a second squared, > 0. Walls come first: at one, an agent stops at once
    float priority;       ///< >= 0, finite: of two agents with priorities p and q, the first gives way by
                          ///< (1 + q) / (2 + p + q) of the whole, the second by the rest
    float max_climb;      ///< metres a second along vn_avoid_def.up, both ways; never exceeded, also where it
                          ///< costs more acceleration or distance; 0 (default): no limit
    const vn_space* space; ///< its walls: the layer of its radius; null: none. Must outlive its use here
    uint32_t cookie;       ///< set by vn_default_avoid_agent_def
} vn_avoid_agent_def;

/// At the origin, at rest, radius 0.4 m, 1.5 m/s, 15 m/s2, priority 0, no space.
VN_API vn_avoid_agent_def vn_default_avoid_agent_def(void);

/// Adds an agent. Others notice it within `refresh` seconds. VN_CAPACITY: there are max_agents. VN_BLOCKED,
/// VN_OUTSIDE: the position is not free in its space. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_avoid_add_agent(vn_avoid* avoid, const vn_avoid_agent_def* def,
                                          vn_avoid_agent_id* out, vn_detail* detail);
VN_API vn_status vn_avoid_remove_agent(vn_avoid* avoid, vn_avoid_agent_id id);

/// The velocity that it would have alone; stays until it is set again. Lengths above max_speed count as
/// max_speed. VN_STALE_ID; VN_BAD_ARGUMENT: not finite.
VN_API vn_status vn_avoid_set_preferred(vn_avoid* avoid, vn_avoid_agent_id id, vn_vec3 velocity);

/// Says where it really is and how it moves: after the host's physics, or a teleport. VN_BLOCKED, VN_OUTSIDE:
/// not free in its space; nothing has changed. VN_STALE_ID, VN_BAD_ARGUMENT.
VN_NODISCARD vn_status vn_avoid_set_state(vn_avoid* avoid, vn_avoid_agent_id id, vn_dvec3 position,
                                          vn_vec3 velocity);

/// Gives it another space, such as the next version of its layer; null: none. The old one is not read any
/// more. VN_BLOCKED, VN_OUTSIDE: its position is not free in the new one: the space is taken nevertheless,
/// and the agent stands still until a space in which it is free, or vn_avoid_set_state, or vn_avoid_set_space
/// with null. VN_STALE_ID.
VN_API vn_status vn_avoid_set_space(vn_avoid* avoid, vn_avoid_agent_id id, const vn_space* space);

typedef struct vn_avoid_limits {
    float radius, max_speed, max_acceleration, priority, max_climb; ///< as in vn_avoid_agent_def
} vn_avoid_limits;

VN_API vn_status vn_avoid_set_limits(vn_avoid* avoid, vn_avoid_agent_id id, const vn_avoid_limits* limits);

typedef struct vn_avoid_state {
    vn_dvec3 position;
    vn_vec3 velocity;
    vn_vec3 preferred;
    float held;      ///< seconds for which it has moved at less than a tenth of its preferred velocity
    uint32_t strait; ///< slot + 1 of the strait at which it waits or which it passes; 0: none
    bool waits;      ///< at that strait, for its turn
    bool walled;     ///< false: no space; or its position is not free there, and it stands still
} vn_avoid_state;

VN_NODISCARD vn_status vn_avoid_get_agent(const vn_avoid* avoid, vn_avoid_agent_id id, vn_avoid_state* out);
VN_API uint32_t vn_avoid_agent_count(const vn_avoid* avoid);

// --------------------------------------------------------------------------------------- moving obstacles

typedef struct vn_avoid_obstacle_id {
    uint32_t index1;
    uint32_t generation;
} vn_avoid_obstacle_id;

/// A ball or an oriented box that moves and gives way to none. Static obstacles belong into the space.
typedef struct vn_avoid_obstacle {
    vn_dvec3 position; ///< centre
    float radius;      ///< of the ball; of a box: its rounding, usually 0; >= 0
    vn_vec3 half;      ///< half extents of the box; all 0: a ball
    vn_quat rotation;  ///< of the box; unit length within 1e-3
    bool has_velocity; ///< false: estimated from its last two positions and the time between them
    vn_vec3 velocity;  ///< metres a second. Its turning is not predicted
    bool may_reverse;  ///< it may turn round at any moment: agents keep a distance from which they get away
} vn_avoid_obstacle;

/// VN_CAPACITY: there are max_obstacles. VN_BAD_ARGUMENT, with the reason in `detail`. VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_avoid_add_obstacle(vn_avoid* avoid, const vn_avoid_obstacle* obstacle,
                                             vn_avoid_obstacle_id* out, vn_detail* detail);

/// Replaces position, rotation, size and velocity. VN_STALE_ID, VN_BAD_ARGUMENT.
VN_NODISCARD vn_status vn_avoid_move_obstacle(vn_avoid* avoid, vn_avoid_obstacle_id id,
                                              const vn_avoid_obstacle* obstacle);
VN_API vn_status vn_avoid_remove_obstacle(vn_avoid* avoid, vn_avoid_obstacle_id id);

// ------------------------------------------------------------------------------------------------- straits

/// A passage in which two agents cannot pass each other, straight along one axis. Agents that head for it
/// pass in single file, one direction at a time, in batches; the others wait aside. Those who wait give way
/// to those who pass, whatever their priorities.
typedef struct vn_avoid_strait {
    vn_dvec3 low, high; ///< the free box of agents' centres inside it, world coordinates
    uint32_t axis;      ///< 0 x, 1 y, 2 z: agents pass along it
} vn_avoid_strait;

/// Adds a strait; `*out` (may be null) receives its slot + 1, the number in vn_avoid_state. Straits cannot be
/// removed one by one. VN_CAPACITY, VN_BAD_ARGUMENT.
VN_API vn_status vn_avoid_add_strait(vn_avoid* avoid, const vn_avoid_strait* strait, uint32_t* out);
VN_API void vn_avoid_clear_straits(vn_avoid* avoid);

/// Finds the straight passages of a space (with cells) that are too narrow for two agents of `radius` side by
/// side: boxes of free voxels that walls bound on four sides, less than 2 radius wide and high between
/// centres, and open at both ends. Writes at most `capacity`, in the order of the space's cells, and their
/// number to `count`. VN_CAPACITY: there are more. VN_UNSUPPORTED: a space without cells. Slow: for loading
/// time.
VN_API vn_status vn_avoid_find_straits(const vn_space* space, float radius, vn_avoid_strait* out,
                                       uint32_t capacity, uint32_t* count);

// -------------------------------------------------------------------------------------------------- step

/// Moves all agents by `dt` seconds, 0 < dt <= 1; otherwise VN_BAD_ARGUMENT. Allocates nothing. O(agents)
/// as long as their density is bounded.
VN_API vn_status vn_avoid_step(vn_avoid* avoid, float dt);

#endif
