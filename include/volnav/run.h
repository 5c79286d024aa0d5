/// volnav/run.h: simulated runs: a scene with a clock, agents that fly in it, and a judge that measures what
/// they touch. Library volnav_sim.
///
///   vn_run_create  ->  vn_run_step until it is not VN_RUNNING  ->  vn_run_get_result
///
/// A run is a function of its def: the same def gives the same bytes on every machine, whatever the number of
/// workers, and vn_run_result.hash says so. Times that a clock of the caller's measures are the exception;
/// nothing depends on them.
///
/// The judge shares no code with searches, pilots and crowds. It moves each agent as a ball along the segment
/// of its step, and what moves in the scene along its own motion, and finds their least distance within the
/// step: exactly where both are straight, to 1e-6 metres where something turns. It knows the true shapes,
/// never the voxels.
#ifndef VOLNAV_RUN_H
#define VOLNAV_RUN_H

#include "volnav/pilot.h"
#include "volnav/sim.h"
#include "volnav/store.h"

/// A scene that runs can fly in.
typedef struct vn_run_scene {
    const char* name;        ///< such as "asteroids"
    const char* source;      ///< what it reproduces, such as "Maruszczyk 2016, experiments 3 and 4"
    const char* description; ///< one line
    const char* algos;  ///< names that vn_run_def.algo may have, with spaces between; the first is default
    const char* spaces; ///< names that vn_run_def.space may have, likewise
    uint32_t agents;    ///< as many fly by default
    double step;        ///< seconds by default
    double limit;       ///< simulated seconds by default
} vn_run_scene;

VN_API uint32_t vn_run_scene_count(void);

/// Null if the index is out of range.
VN_API const vn_run_scene* vn_run_scene_get(uint32_t index);

/// False if no scene has that name.
VN_API bool vn_run_scene_find(const char* name, uint32_t* index);

/// Names that vn_run_def.variant may have, with spaces between; the first is default; "": there are none.
/// Null if the index is out of range.
VN_API const char* vn_run_scene_variants(uint32_t index);

/// How agents avoid what moves.
typedef enum vn_run_rules {
    VN_RUN_AUTOPILOT = 0, ///< by the pilot of `autopilot` (volnav/pilot.h). Scene "krafft": by group 6 for
                          ///< boxes, which flies along the newest path as far as that is verified
    VN_RUN_THESIS = 1 ///< by the rules of the thesis that the scene comes from: they follow the newest path
} vn_run_rules;

typedef struct vn_run_def {
    vn_allocator allocator;
    const char* scene; ///< see vn_run_scene_get
    uint64_t seed;
    const char* algo;  ///< null: the scene's first
    const char* space; ///< null: the scene's first
    vn_run_rules rules;
    vn_pilot_group autopilot; ///< default VN_PILOT_PREDICT
    bool each_move;           ///< group 3: repairs at each node, not only when a node holds an obstacle

    uint32_t agents;     ///< 0: as the scene has it
    uint32_t obstacles;  ///< what moves, in the unit of the scene (docs/runs.md); VN_RUN_AS_SCENE: its own
    double speed;        ///< factor on the speed of what moves (default 1)
    const char* variant; ///< of the scene, such as "maze"; null: its first
    const vn_shape* map; ///< scene "debris": stands there instead of the wreck; null: none. Read while the
                         ///< run is made only. Such a run cannot be recorded
    double radar;        ///< range, metres; 0: the scene's

    double step;    ///< seconds, 0.001 to 1; 0: the scene's
    double limit;   ///< simulated seconds after which a run ends; 0: the scene's
    double replan;  ///< seconds from one plan to the next; 0: the scene's
    double latency; ///< seconds until an agent learns what happened in the world, and gets the path for it
    bool end_at_collision; ///< the first one ends the run
    bool record;           ///< keeps what vn_run_get_record gives

    uint32_t workers;      ///< of the nav; results do not depend on it
    double (*clock)(void); ///< CPU seconds, for the times of the result; null: not measured
    uint32_t cookie;
} vn_run_def;

/// obstacles: as the scene has it.
#define VN_RUN_AS_SCENE UINT32_MAX

/// "asteroids", seed 1, group 6.
VN_API vn_run_def vn_default_run_def(void);

typedef enum vn_run_end {
    VN_RUN_GOING = 0,
    VN_RUN_ARRIVED = 1,  ///< all agents are at their goals, or the time of a scene without goals is over
    VN_RUN_COLLIDED = 2, ///< with end_at_collision
    VN_RUN_TIMEOUT = 3,  ///< the limit came first
    VN_RUN_ENCLOSED = 4, ///< what moves left the agent no way out, whatever it had done: counted apart
    VN_RUN_LOST = 5,     ///< no path to the goal
    VN_RUN_END_COUNT
} vn_run_end;

/// "going", "arrived", "collided", "timeout", "enclosed", "lost"; null for an unknown value.
VN_API const char* vn_run_end_name(vn_run_end end);

/// What a run came to, so far. Counts are over all agents.
typedef struct vn_run_result {
    vn_run_end end;
    vn_status reason;    ///< VN_RUN_LOST: why
    uint32_t agents;     ///< how many fly
    uint32_t arrived;    ///< how many of them are there
    uint32_t collisions; ///< with what moves; a contact that lasts counts once
    uint32_t wall_hits;  ///< with what stands
    uint32_t agent_hits; ///< of agents with each other
    uint32_t caught;     ///< lost-in-space: how often a hunter reached the player
    uint32_t goals;      ///< reached, in scenes in which another one follows
    double clearance; ///< least distance from surface to surface of what moves, metres; below 0: they overlap
    double wall_clearance;  ///< from what stands
    double agent_clearance; ///< of agents from each other
    double seconds;         ///< simulated
    double length;          ///< flown, metres
    double
        nominal; ///< seconds that the same flight takes without what moves; 0: the scene has no such figure
    double fuel; ///< by the rule of Maruszczyk 2016; 0: not counted

    uint64_t steps, stopped, unverified; ///< of agents; as in vn_pilot_stats
    uint64_t calls;                      ///< paths asked for, repairs included
    uint64_t expanded;                   ///< nodes, in all of them
    uint64_t dynamic_nodes;              ///< nodes processed as dynamic: those found to hold what moves
    double path_seconds;                 ///< CPU time of planning and steering, all agents; 0 without a clock
    double worst_step;                   ///< of it, in one step
    double p99_step; ///< 99 of 100 steps take no longer, to 3 %; 0: the scene does not count it
    uint64_t hash;   ///< of all positions of all steps, bit by bit
} vn_run_result;

/// An agent, for pictures.
typedef struct vn_run_agent {
    vn_dvec3 position, velocity; ///< metres, metres per second
    vn_dvec3 goal;
    double radius;
    bool arrived;
    uint32_t color; ///< 0xRRGGBBAA
} vn_run_agent;

/// Something that moves, for pictures.
typedef struct vn_run_thing {
    vn_shape shape;         ///< a box or a sphere in its own frame
    vn_transform transform; ///< to local coordinates
    uint32_t color;
    uint64_t id;       ///< asteroids: the same for as long as it is there
    vn_dvec3 velocity; ///< asteroids: metres per second; it keeps it for as long as it is there
} vn_run_thing;

/// What a run looks like now. The arrays live until its next step.
typedef struct vn_run_view {
    double seconds;
    vn_box bounds;         ///< of the scene
    const vn_world* world; ///< what stands; null: nothing, or it is among the things
    const vn_run_agent* agents;
    uint32_t agent_count;
    const vn_run_thing* things; ///< those near agents, if the scene has no end
    uint32_t thing_count;
    const vn_dvec3* path; ///< of the first agent: where it means to fly; may be null. Asteroids: before the
                          ///< first step, and while it has none, the way of the same flight without them
    uint32_t path_count;
    const vn_dvec3* lookup; ///< asteroids: where autopilots 2 to 5 look for obstacles (vn_pilot_get_lookup):
                            ///< centres of cubes; may be null
    uint32_t lookup_count;
    double lookup_edge;   ///< of such a cube, metres
    const vn_zone* zones; ///< where it costs more or less to fly, besides those of `world`; may be null
    uint32_t zone_count;
} vn_run_view;

typedef struct vn_run vn_run;

/// Makes a run at time 0. Uses only `def`, so that many runs can go on many threads. VN_BAD_DEF.
/// VN_NOT_FOUND: no such scene, algo, space or variant; detail names those that there are. VN_UNSUPPORTED:
/// the scene has not this combination. VN_BAD_ARGUMENT, VN_TOO_LARGE, VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_run_create(const vn_run_def* def, vn_run** out, vn_detail* detail);

/// Null is allowed.
VN_API void vn_run_destroy(vn_run* run);

/// One step of the clock. VN_RUNNING: there is more. VN_OK: the run has ended; further steps change nothing.
/// VN_OUT_OF_MEMORY and others: the run cannot go on.
VN_NODISCARD vn_status vn_run_step(vn_run* run, vn_detail* detail);

VN_API void vn_run_get_result(const vn_run* run, vn_run_result* out);
VN_API void vn_run_get_view(vn_run* run, vn_run_view* out);

// ---------------------------------------------------------------------------------------------- records

/// How a run went: its def, a hash of the positions every so many steps (its marks), and its result, times of
/// clocks left out. As bytes it is a .vnrec (docs/files.md).
typedef struct vn_run_record vn_run_record;

/// What a run with def.record has recorded so far; null without. Belongs to the run, and its next step
/// changes it. Marks are of every step, up to 65,536 of them; of longer runs of every second, fourth ...
/// step.
VN_API const vn_run_record* vn_run_get_record(vn_run* run);

/// The def, its names and zeros filled in as far as they do not depend on the scene's own choice; the strings
/// belong to the record. `allocator` is the record's; clock, workers and record are not recorded.
VN_API const vn_run_def* vn_run_record_def(const vn_run_record* record);

/// What the run came to, and after how many steps of its clock (may be null). A run that was recorded on its
/// way is VN_RUN_GOING.
VN_API const vn_run_result* vn_run_record_result(const vn_run_record* record, uint64_t* steps);

/// Writes a .vnrec. The same record gives the same bytes. Fails as vn_store_write_run.
VN_NODISCARD vn_status vn_run_record_write(const vn_run_record* record, const vn_store_def* def,
                                           const vn_allocator* allocator, const vn_sink* sink,
                                           vn_detail* detail);

/// Reads one. Nothing in the file is trusted; which names and numbers a scene accepts is for vn_run_create to
/// say, when the record is replayed. Fails as vn_layers_read; a .vnav and a recorded query are VN_BAD_FORMAT.
VN_NODISCARD vn_status vn_run_record_read(const void* data, size_t size, const vn_load_def* def,
                                          vn_run_record** out, vn_detail* detail);

/// For one that was read. Null is allowed.
VN_API void vn_run_record_destroy(vn_run_record* record);

/// Result of flying a recorded run again.
typedef struct vn_run_replay {
    bool same;                 ///< marks, steps and result are equal, bit by bit
    vn_run_result result;      ///< of the replay; it ends where it is known to differ
    uint64_t steps;            ///< of the replay
    uint64_t same_until;       ///< the last step after which everything is known to have been the same
    uint64_t first_difference; ///< the step after which the first difference shows; VN_RUN_NO_STEP: none
                               ///< does. Of a run with a mark for each step, same_until + 1
    char text[200];            ///< one sentence
} vn_run_replay;

#define VN_RUN_NO_STEP UINT64_MAX

/// Flies a recorded run again, with so many workers and the record's allocator. VN_OK whether or not it is
/// the same. Fails as vn_run_create and vn_run_step. Takes as long as the run: a file can ask for a long one.
VN_NODISCARD vn_status vn_run_record_replay(const vn_run_record* record, uint32_t workers, vn_run_replay* out,
                                            vn_detail* detail);

#endif
