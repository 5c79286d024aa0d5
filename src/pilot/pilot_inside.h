/// pilot/pilot_inside.h: an autopilot from inside. Positions are in metres from the low corner of the space.
#ifndef VNI_PILOT_INSIDE_H
#define VNI_PILOT_INSIDE_H

#include "base/assert.h"
#include "geom/vec.h"
#include "search/best_first.h"
#include "space/space.h"
#include "space/zone_buffer.h"
#include "view/grid.h"
#include "volnav/pilot.h"
#include "volnav/query.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ what is seen

/// A moving obstacle, as predicted: a ball whose radius grows.
typedef struct vni_seen {
    uint64_t id;
    vni_vec at, velocity;
    double radius; ///< of the obstacle alone
    double reach;  ///< from its centre to that of the ship, below which they are too near: radii and margin
    double growth; ///< of `reach`, metres per second
} vni_seen;

// --------------------------------------------------------------------------------------- manoeuvres (group
// 6)

#define VNI_MANOEUVRE_PIECES 12
#define VNI_MANOEUVRE_STEPS  64

/// Turns to each velocity as fast as the acceleration allows and keeps it, for so many steps in all; then
/// brakes and stands.
typedef struct vni_manoeuvre {
    vni_vec velocity[VNI_MANOEUVRE_PIECES];
    uint32_t steps[VNI_MANOEUVRE_PIECES];
    uint32_t count;
} vni_manoeuvre;

/// What becomes of a manoeuvre.
typedef struct vni_outcome {
    bool walls;    ///< touches none, to the end
    double seen;   ///< seconds until it meets an obstacle that is seen; at most the horizon
    double unseen; ///< seconds until it could meet one that is not; at most the horizon
    vni_vec first; ///< velocity in the first step
} vni_outcome;

// --------------------------------------------------------------------------------------------- the grid

/// Nodes that are blocked for a time, and the search around them (groups 0 to 5).
typedef struct vni_pilot_nodes {
    vni_grid grid;
    vn_graph graph; ///< the grid without what is marked
    vni_cost cost;
    vni_scratch scratch;
    vni_best_first search;
    uint64_t* marks; ///< a bit a node
    uint32_t mark_words;
    uint32_t marked; ///< how many are set
    uint32_t* found; ///< nodes of the last path found, from start to goal
} vni_pilot_nodes;

typedef struct vni_pilot_kind vni_pilot_kind;

struct vn_pilot {
    vn_pilot_def def;
    const vni_pilot_kind* kind;
    const vn_space* space;
    vni_vec at, velocity, goal;
    vn_pilot_phase phase;
    vn_status reason;
    bool verified;
    double safe_seconds;
    vn_pilot_stats stats;

    vni_seen* seen; ///< by id
    uint32_t seen_count;
    vni_seen* before; ///< those of the last step
    uint32_t before_count;

    vni_zone_buffer* weather; ///< in the voxels of the space; null: none is avoided
    vni_pilot_nodes nodes;    ///< groups 0 to 5
    uint32_t* path;           ///< nodes from the present or next one to the goal
    uint32_t path_count;
    bool has_path;
    double speed;       ///< along the path
    double since_reset; ///< seconds

    vn_query* query; ///< group 6
    vn_dvec3* route; ///< points of its path, as positions
    uint32_t route_count, route_next;
    vni_manoeuvre plan; ///< what is left of the last one
    bool has_plan;
    struct vni_escape_node* escape; ///< scratch of tree.c
    uint32_t patience;              ///< steps until the next search after one that failed ...
    vn_status lost;                 ///< ... and why it failed

    uint32_t near_steps;  ///< in a row near the same point of the route
    bool careful;         ///< stops at the carrot: a corner that is only seen around from there
    uint32_t slow_steps;  ///< in a row
    uint32_t bypass_left; ///< steps for which a bypass goes on; 0: there is none
    uint64_t bypass_id;   ///< of the obstacle ...
    vni_vec bypass_side;  ///< ... and the direction to the place beside it
};

/// What makes a group different.
struct vni_pilot_kind {
    const char* name;
    bool walks; ///< from node to node

    /// One step: `at`, `velocity`, phase.
    void (*step)(vn_pilot* pilot);

    /// Those that walk: looks around at a node and changes the path. False: there is none now.
    bool (*look)(vn_pilot* pilot);
};

extern const vni_pilot_kind vni_pilot_none, vni_pilot_whole, vni_pilot_lookup;
extern const vni_pilot_kind vni_pilot_fragment, vni_pilot_extended, vni_pilot_radar;
extern const vni_pilot_kind vni_pilot_predict;

// --------------------------------------------------------------------------------------------- pilot.c

/// The lattice point nearest to a place; outside the space vn_point_outside or one that is not free.
vn_point vni_pilot_point(const vn_space* space, vni_vec at);
vni_vec vni_pilot_from_world(const vn_space* space, vn_dvec3 p);
vn_dvec3 vni_pilot_to_world(const vn_space* space, vni_vec at);

/// Is the straight way free of walls?
bool vni_pilot_sees(const vn_space* space, vni_vec a, vni_vec b);

// --------------------------------------------------------------------------------------------- nodes.c

/// Scratch and marks for a space. VN_TOO_LARGE, VN_OUT_OF_MEMORY.
vn_status vni_pilot_nodes_make(vni_pilot_nodes* nodes, const vn_pilot_def* def, const vn_space* space,
                               vn_detail* detail);
void vni_pilot_nodes_free(vni_pilot_nodes* nodes, const vn_pilot_def* def);

/// The graph points to the marks: after the struct has moved. `weather` may be null.
void vni_pilot_nodes_bind(vni_pilot_nodes* nodes, const vni_zone_buffer* weather);

/// The node whose voxel holds a place inside the space, and the centre of a node.
uint32_t vni_pilot_node_at(const vn_pilot* pilot, vni_vec at);
vni_vec vni_pilot_node_centre(const vn_pilot* pilot, uint32_t node);

bool vni_pilot_is_marked(const vni_pilot_nodes* nodes, uint32_t node);
void vni_pilot_clear_marks(vn_pilot* pilot);

/// Marks a node if it holds an obstacle. Never that of the goal.
bool vni_pilot_look_at(vn_pilot* pilot, uint32_t node);

/// The same for all neighbours of a node.
void vni_pilot_look_around(vn_pilot* pilot, uint32_t node);

/// Marks all nodes that hold an obstacle.
void vni_pilot_look_everywhere(vn_pilot* pilot);

/// The shortest path around the marks, in nodes.found. Returns the number of nodes; 0: none, or more than
/// max_path.
uint32_t vni_pilot_search(vn_pilot* pilot, uint32_t from, uint32_t to, vn_status* status);

// ---------------------------------------------------------------------------------------------- walk.c

/// A step along the path towards the speed.
void vni_pilot_walk(vn_pilot* pilot, double speed);

/// As a group's step, at cruise speed.
void vni_pilot_cruise(vn_pilot* pilot);

/// Replaces the path by a new one from where the ship is. False: there is none.
bool vni_pilot_plan_whole(vn_pilot* pilot);

/// Replaces path[0 .. last] by a way around the marks. False: there is none, or too many nodes; nothing
/// changed.
bool vni_pilot_repair(vn_pilot* pilot, uint32_t last);

// ---------------------------------------------------------------------------------------------- manoeuvre.c

/// Steps of the horizon.
uint32_t vni_horizon_steps(const vn_pilot* pilot);

/// From one velocity towards another for one step.
vni_vec vni_turn_velocity(vni_vec from, vni_vec to, double most);

vni_manoeuvre vni_manoeuvre_of(vni_vec velocity, uint32_t steps);

/// Drops the first step.
void vni_manoeuvre_advance(vni_manoeuvre* plan);

/// Flies the manoeuvre in thought from where the ship is.
vni_outcome vni_manoeuvre_try(const vn_pilot* pilot, const vni_manoeuvre* plan);

/// Walls, obstacles seen, and unless they are ignored those unseen.
bool vni_outcome_is_safe(const vn_pilot* pilot, const vni_outcome* outcome);

/// Seconds, up to `within`, until a ship that goes on at `velocity` from `from` meets an obstacle, `after`
/// seconds from now; HUGE_VAL: it does not.
double vni_time_to_meet(const vni_seen* seen, vni_vec from, vni_vec velocity, double after, double within);

/// Brakes from a velocity: where it ends.
vni_vec vni_rest_place(const vn_pilot* pilot, vni_vec at, vni_vec velocity);

// ------------------------------------------------------------------------ guide.c, bypass.c, orca.c, tree.c

/// Where to fly to next: the farthest point of the route in sight. Searches a route if there is none, or none
/// of its points is in sight. False: no path, phase and reason are set.
bool vni_pilot_guide(vn_pilot* pilot, vni_vec* carrot);

/// The carrot, or a place beside an obstacle that the ship has stopped before.
vni_vec vni_pilot_bypass(vn_pilot* pilot, vni_vec carrot);

/// The velocity nearest to `preferred` that meets none of the obstacles soon, by half-spaces.
vni_vec vni_pilot_propose(const vn_pilot* pilot, vni_vec preferred);

/// The manoeuvre that stays safe longest. True if it is safe for the whole horizon. False: `*plan` is the
/// best found, of `*seconds`; unchanged if none is longer than that.
/// Its scratch is pilot->escape, of so many bytes.
size_t vni_pilot_escape_bytes(void);
bool vni_pilot_escape(const vn_pilot* pilot, vni_manoeuvre* plan, double* seconds);

#endif
