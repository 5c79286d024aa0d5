/// agent/crowd_inside.h: the parts of a crowd. For this module only.
///
/// An update goes through its agents step by step, each step for all of them, in the order of their slots:
///
///   look     crowd.c    the newest version of each layer in use; where movers are
///   aim      targets.c  where each target is now
///   plan     plan.c     results of requests, paths that are blocked, new requests; share.c for many with one
///   move     move.c     preferred velocities, the step of volnav/avoid.h, what each agent does now
///
/// Everything is the host's.
#ifndef VNI_AGENT_CROWD_INSIDE_H
#define VNI_AGENT_CROWD_INSIDE_H

#include "base/assert.h"
#include "geom/vec.h"
#include "space/layers.h"
#include "volnav/crowd.h"
#include "volnav/follow.h"

/// A time that does not come, seconds.
#define VNI_NEVER 1e30

/// Bytes that a corridor needs for each point.
#define VNI_CORRIDOR_POINT 44

typedef enum vni_target_kind {
    VNI_TARGET_NONE,
    VNI_TARGET_POINT,
    VNI_TARGET_BOX,
    VNI_TARGET_AGENT,
    VNI_TARGET_OBSTACLE
} vni_target_kind;

typedef struct vni_target {
    vni_target_kind kind;
    vn_dvec3 low, high;      ///< of the box; of a point: `low`
    double distance;         ///< metres that are near enough: of an agent or obstacle
    double snap;             ///< of a point
    vn_agent_id leader;      ///< VNI_TARGET_AGENT
    vn_obstacle_id obstacle; ///< VNI_TARGET_OBSTACLE
} vni_target;

/// A layer that agents use, in the version that they see: pinned.
typedef struct vni_crowd_layer {
    float radius;
    uint32_t open_flags;
    const vn_space* space; ///< null: not in use
    uint64_t version;
} vni_crowd_layer;

typedef struct vni_agent {
    bool alive;
    vn_agent_id id; ///< the same as in `avoid`
    vn_agent_def def;
    uint32_t layer; ///< in which it plans: with what moves
    uint32_t walls; ///< in which it moves: without, if there are mover_flags
    vni_target target;

    // where to
    vn_dvec3 goal;   ///< position of the target now
    vn_status aimed; ///< VN_OK, or why there is no goal

    // the way there
    vn_corridor* corridor;
    vn_request_id request; ///< under way; 0: none
    bool wants_path;       ///< asks, as soon as it may
    bool is_outdated;      ///< the request under way is for a target that has changed since
    bool is_cut;           ///< the path ends before the goal: it had too many points
    vn_dvec3 asked_goal;   ///< of the last request or field
    vn_status answer;      ///< to it
    double refresh;        ///< seconds until it asks for a better path; infinity: it does not
    double pause;          ///< seconds until it may ask again after an answer without a path
    uint64_t version;      ///< of its path

    // as it flies
    vn_agent_motion motion;
    double held; ///< seconds for which others have held it up
    double patience;
    vn_agent_state state;
} vni_agent;

/// A moving obstacle that agents step aside for.
typedef struct vni_mover {
    vn_obstacle_id id;         ///< in the nav
    vn_avoid_obstacle_id body; ///< in `avoid`
    bool seen;                 ///< in this update
} vni_mover;

/// An agent that wants a path to a point; those with equal keys may share.
typedef struct vni_wish {
    vn_dvec3 goal;
    double snap;
    uint32_t layer, zone_flags, slot;
} vni_wish;

struct vn_crowd {
    vn_crowd_def def;
    vn_nav* nav;
    vn_avoid* avoid;
    vni_agent* agents; ///< by slot, max_agents
    uint32_t slots;    ///< all agents are below
    vni_crowd_layer layers[2 * VN_MAX_LAYERS];
    uint32_t layer_count;
    bool is_new;       ///< a layer has another version than in the update before
    vni_mover* movers; ///< max_movers
    uint32_t mover_count;
    vn_query* query;    ///< for repairs and shared fields; null until the first is needed
    vn_layers view;     ///< the one layer that `query` searches
    uint64_t in_query;  ///< its version; 0: none
    vni_wish* wishes;   ///< scratch of share.c: max_agents
    vn_point* reversed; ///< scratch of share.c: a path, max_points
    vn_crowd_stats stats;
};

static inline vni_agent* vni_crowd_find(const vn_crowd* crowd, vn_agent_id id) {
    if (id.index1 == 0 || id.index1 > crowd->slots)
        return NULL;
    vni_agent* agent = &crowd->agents[id.index1 - 1];
    return agent->alive && agent->id.generation == id.generation ? agent : NULL;
}

static inline vni_vec vni_v_of_position(vn_dvec3 p) {
    return vni_v(p.x, p.y, p.z);
}

static inline double vni_distance(vn_dvec3 a, vn_dvec3 b) {
    return vni_length(vni_sub(vni_v_of_position(a), vni_v_of_position(b)));
}

/// The space in which an agent plans, and that of its walls.
static inline const vn_space* vni_agent_space(const vn_crowd* crowd, const vni_agent* agent) {
    return crowd->layers[agent->layer].space;
}

static inline const vn_space* vni_agent_walls(const vn_crowd* crowd, const vni_agent* agent) {
    return crowd->layers[agent->walls].space;
}

// ------------------------------------------------------------------------------------------------ layers.c

/// The index of the layer for an agent, pinned if it was not in use. VN_UNSUPPORTED: the nav has none.
vn_status vni_crowd_use_layer(vn_crowd* crowd, float radius, uint32_t open_flags, uint32_t* out,
                              vn_detail* detail);

/// Goes to the newest version of each layer in use, and gives it to the agents.
void vni_crowd_refresh_layers(vn_crowd* crowd);
void vni_crowd_release_layers(vn_crowd* crowd);

/// Points the crowd's query at a layer. VN_OUT_OF_MEMORY. Allocates when it is first needed, and when the
/// space has many more cells than before.
vn_status vni_crowd_use_query(vn_crowd* crowd, uint32_t layer);

/// Puts the nav's movers into `avoid`, where they are now.
void vni_crowd_look_at_movers(vn_crowd* crowd);

// ----------------------------------------------------------------------------------------------- targets.c

/// Finds where the target of each agent is, and moves the ends of paths along.
void vni_crowd_aim(vn_crowd* crowd);

/// Is the agent where its target wants it?
bool vni_agent_is_there(const vni_agent* agent);

// -------------------------------------------------------------------------------------------------- plan.c

void vni_crowd_plan(vn_crowd* crowd, double dt);

/// Gives up what was asked for.
void vni_agent_drop_request(vn_crowd* crowd, vni_agent* agent);

/// Forgets the path and what was asked for.
void vni_agent_forget_path(vn_crowd* crowd, vni_agent* agent);

/// Takes a path that leads from near the agent to its goal.
void vni_agent_take_path(vn_crowd* crowd, vni_agent* agent, const vn_point* points, uint32_t count,
                         uint64_t version);

/// The space in which the agent looks for its path: where it is among what moves, only walls count until it
/// is out.
const vn_space* vni_agent_sight(const vn_crowd* crowd, const vni_agent* agent);

/// May it ask for a path now?
bool vni_agent_may_ask(const vni_agent* agent);

// ------------------------------------------------------------------------------------------------- share.c

/// Paths for agents that want one to the same goal as many others, from one field.
void vni_crowd_share(vn_crowd* crowd);

// -------------------------------------------------------------------------------------------------- move.c

void vni_crowd_move(vn_crowd* crowd, double dt);

#endif
