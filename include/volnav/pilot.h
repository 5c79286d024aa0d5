/// volnav/pilot.h: an autopilot: flies one ship to a goal through static space and obstacles that move, from
/// what its radar sees.
///
/// The ship is a ball. In each control step its velocity is constant: position' = position + velocity' *
/// step, so that a step is a straight segment. Walls are those of the space, a layer whose radius is at least
/// that of the ship; lattice points stand for positions, so the ship keeps the radius of the layer from all
/// shapes, less a 1,024th of a voxel. The host gives the obstacles that the radar sees, at the time at which
/// the step begins.
///
/// The groups 0 to 5 are those of Maruszczyk 2016, for comparison: they fly from node to node of the grid
/// with 26 neighbours, decide at nodes only, and turn on the spot, as the ship of the thesis does; their
/// speed obeys the acceleration. Group 6 obeys it in every direction. docs/autopilot.md has measurements and
/// limits.
///
/// A pilot belongs to one thread at a time. A step allocates nothing, and gives the same bytes on every
/// machine, in whatever order the obstacles come.
#ifndef VOLNAV_PILOT_H
#define VOLNAV_PILOT_H

#include "volnav/space.h"
#include "volnav/world.h"

typedef struct vn_pilot vn_pilot;

/// How moving obstacles are avoided. A node *holds* an obstacle if the sphere that just fits into its voxel
/// touches it.
typedef enum vn_pilot_group {
    VN_PILOT_NONE = 0,   ///< not at all
    VN_PILOT_WHOLE = 1,  ///< a new path at each node, around all nodes that hold an obstacle
    VN_PILOT_LOOKUP = 2, ///< a new path when a node of the rest of the path holds one
    VN_PILOT_FRAGMENT =
        3, ///< looks at the next nodes only (look_ahead), and repairs just the blocked part of the path
    VN_PILOT_EXTENDED = 4, ///< the same, but looks at the neighbours of these nodes too; nodes found stay
                           ///< blocked until a reset, every reset_seconds
    VN_PILOT_RADAR = 5,    ///< the same, and flies at max_speed while an obstacle is within radar range
    VN_PILOT_PREDICT = 6,  ///< predicts motion, avoids in space and time, and keeps a verified way to stop
    VN_PILOT_GROUP_COUNT
} vn_pilot_group;

/// "none", "whole", "lookup", "fragment", "extended", "radar", "predict"; null for an unknown value.
VN_API const char* vn_pilot_group_name(vn_pilot_group group);

/// False if no group has that name.
VN_API bool vn_pilot_group_from_name(const char* name, vn_pilot_group* out);

typedef struct vn_pilot_def {
    vn_allocator allocator;
    vn_pilot_group group;    ///< default VN_PILOT_PREDICT
    bool fragment_each_move; ///< group 3: repairs at each node, not only when a node holds an obstacle
    const vn_space* space;   ///< must live until it is replaced, or longer than the pilot
    vn_dvec3 position, goal; ///< metres; both in free space

    double radius;       ///< of the ship, metres, above 0, at most that of the space (default 0.75)
    double cruise_speed; ///< metres per second, above 0 (default 3)
    double max_speed;    ///< metres per second, at least cruise_speed (default 6)
    double acceleration; ///< metres per second squared, above 0 (default 4)
    double step;         ///< of control, seconds, 0.001 to 1 (default 0.1)
    double radar;        ///< range, metres: obstacles are seen when their surface is this near (default 4)
    double arrival;      ///< metres from the goal at which the flight ends (default 0.5)

    /// Zones of bad weather (volnav/world.h) that paths avoid, as far as their factors are worth the detour.
    /// Not by group 0: in the thesis this relies on the avoidance of obstacles. Groups 1 to 5: a node inside
    /// costs `factor` voxels more, as there; group 6: a metre inside costs `factor` metres. They must outlive
    /// the pilot. Up to VN_MAX_ZONES.
    const vn_zone* weather;
    uint32_t weather_count;

    uint32_t look_ahead;  ///< groups 3 to 5: nodes, 1 or more (default 5)
    double reset_seconds; ///< groups 4 and 5 (default 0.5)

    // Group 6.
    double horizon; ///< seconds for which the motion of obstacles is predicted, up to 64 steps (default 3)
    double margin;  ///< metres to keep from obstacles beyond the radii (default 0.1)
    double error, error_rate; ///< of the predictions: what obstacles are counted larger by, metres, and
                              ///< metres for each second ahead (default 0)
    double obstacle_speed;    ///< greatest speed of obstacles, metres per second: for those unseen, and those
                              ///< seen for the first time whose velocity the host does not know (default 1)
    bool ignore_unseen; ///< does not keep the ship able to stop before it meets what the radar cannot see yet

    uint32_t max_sightings; ///< obstacles in one step, 1 or more (default 4096)
    uint32_t max_path;      ///< nodes of a path (groups 0 to 5) or its points (6), 2 or more (default 16384)
    uint32_t max_nodes;     ///< voxels that a grid search may touch; 0: all of the space
    uint32_t cookie;
} vn_pilot_def;

VN_API vn_pilot_def vn_default_pilot_def(void);

/// A moving obstacle as the radar sees it: a ball.
typedef struct vn_sighting {
    uint64_t id;       ///< the same from step to step; different for different obstacles
    vn_dvec3 position; ///< of its centre, metres
    double radius;     ///< metres, 0 or more
    bool has_velocity; ///< false: estimated from the last step; at first it may go anywhere
    vn_dvec3 velocity; ///< metres per second
} vn_sighting;

typedef enum vn_pilot_phase {
    VN_PILOT_FLYING = 0,
    VN_PILOT_WAITING = 1, ///< stands: obstacles leave no way
    VN_PILOT_ARRIVED = 2, ///< within `arrival` of the goal
    VN_PILOT_LOST = 3     ///< no path to the goal: `reason` says why
} vn_pilot_phase;

typedef struct vn_pilot_state {
    vn_dvec3 position; ///< metres, at the end of the step
    vn_dvec3 velocity; ///< metres per second, during the step
    vn_pilot_phase phase;
    vn_status reason; ///< VN_PILOT_LOST: VN_NO_PATH, VN_START_BLOCKED, VN_GOAL_BLOCKED, VN_CAPACITY ...;
                      ///< otherwise VN_OK

    /// Group 6: what the ship does from here is known to the end: a manoeuvre that ends at rest, touches no
    /// wall, none of the obstacles seen within the horizon, and unless ignore_unseen nothing that comes into
    /// sight before it stands. True of the step just made and of the rest of that manoeuvre, which the next
    /// step can always choose. False: it does what stays safe longest. The other groups: always false.
    bool verified;
    double safe_seconds; ///< group 6: how long that manoeuvre avoids the obstacles seen; at most the horizon
} vn_pilot_state;

/// Counts since the pilot was made.
typedef struct vn_pilot_stats {
    uint64_t steps, stopped;    ///< all, and those with velocity 0
    uint64_t unverified;        ///< group 6: steps without a verified manoeuvre
    uint64_t searches, repairs; ///< paths searched to the goal, and parts of paths
    uint64_t expanded;          ///< nodes or cells, in all searches
    uint64_t marked;            ///< groups 1 to 5: nodes found to hold an obstacle
} vn_pilot_stats;

/// Makes a pilot; the ship is at rest. VN_BAD_DEF; VN_BAD_ARGUMENT with the field in `detail`; VN_OUTSIDE,
/// VN_START_BLOCKED, VN_GOAL_BLOCKED; VN_TOO_LARGE: too many voxels for a grid search; VN_OUT_OF_MEMORY.
/// Holds about 40 bytes for each of max_nodes (groups 0 to 5; group 6 in a space without cells), or 96 for
/// each cell (group 6).
VN_NODISCARD vn_status vn_pilot_create(const vn_pilot_def* def, vn_pilot** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_pilot_destroy(vn_pilot* pilot);

/// Another goal. VN_OUTSIDE, VN_GOAL_BLOCKED: nothing has changed.
VN_NODISCARD vn_status vn_pilot_set_goal(vn_pilot* pilot, vn_dvec3 goal);

/// A newer version of the space, on any grid. The path is searched again in the next step. The ship may find
/// itself in a wall then: it flies to the nearest free point. A goal that is blocked now ends in
/// VN_PILOT_LOST. VN_BAD_ARGUMENT: the layer is narrower than the ship. VN_TOO_LARGE, VN_OUT_OF_MEMORY:
/// nothing has changed.
VN_NODISCARD vn_status vn_pilot_set_space(vn_pilot* pilot, const vn_space* space, vn_detail* detail);

/// Tells the pilot where the ship really is, if something else moves it. VN_BAD_ARGUMENT: not finite.
VN_NODISCARD vn_status vn_pilot_set_body(vn_pilot* pilot, vn_dvec3 position, vn_dvec3 velocity);

/// One control step. `sightings`: what is near now, each once; group 6 needs those within radar range, groups
/// 1 to 5 use all that they are given. VN_CAPACITY: more than max_sightings. VN_BAD_ARGUMENT: a value that is
/// not finite, or a negative radius; detail is not needed, since then nothing has changed. Otherwise VN_OK,
/// whatever the phase. Group 6: O(sightings), a few microseconds while nothing is near, about a millisecond
/// where it is tight; a search (rarely) comes on top. The others search at nodes.
VN_NODISCARD vn_status vn_pilot_step(vn_pilot* pilot, const vn_sighting* sightings, uint32_t count,
                                     vn_pilot_state* out);

/// The state after the last step.
VN_API void vn_pilot_get_state(const vn_pilot* pilot, vn_pilot_state* out);
VN_API void vn_pilot_get_stats(const vn_pilot* pilot, vn_pilot_stats* out);
VN_API void vn_pilot_get_memory(const vn_pilot* pilot, vn_memory* out);

/// For pictures: where the ship means to fly, from where it is to the goal, metres. Writes up to `most`
/// points and returns how many there are; 0: none, as before the first step and while it is lost.
VN_API uint32_t vn_pilot_get_path(const vn_pilot* pilot, vn_dvec3* out, uint32_t most);

/// For pictures: where groups 2 to 5 look for obstacles: cubes of so many metres (`edge`) around nodes of the
/// path. Writes up to `most` of their centres and returns how many there are. The other groups have none.
VN_API uint32_t vn_pilot_get_lookup(const vn_pilot* pilot, vn_dvec3* out, uint32_t most, double* edge);

#endif
