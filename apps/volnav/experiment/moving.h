/// volnav/experiment/moving.h: a nav on a scene with a clock, frame by frame: the voxels of each version, and
/// what it changed, for spaces that follow.
#ifndef EXPERIMENT_MOVING_H
#define EXPERIMENT_MOVING_H

#include "experiment/run.h"
#include "volnav/roadmap.h"
#include "volnav/sim.h"

enum { MOVING_FRAMES = 60 }; ///< a second

/// A scene in motion. Make it with {0} and moving_open_...; free with moving_close.
typedef struct moving_place {
    vn_moving_scene* scene;
    vn_staging* staging;
    vn_nav* nav;
    const vn_space* space; ///< of the newest version, pinned
    uint64_t version;
    const vn_changes* changes; ///< of that version; null for the first
    double tick;               ///< seconds of processor time that the last step took
    bool every;                ///< as in the def
} moving_place;

/// What may be said of the nav.
typedef struct moving_def {
    vn_update_policy policy;
    bool stages;         ///< measure the stages of updates
    uint32_t graphs;     ///< as in vn_nav_def
    bool every;          ///< take over every version, also those that only tell of obstacles
    uint32_t history;    ///< versions whose changes are kept; 0: 4
    vn_goal_motion goal; ///< of the scene "krafft"
} moving_def;

/// A static scene, with boxes that patrol it along its own paths (Massonnat 2023, 6.5).
typedef struct moving_patrols {
    const char* scene;
    double coarser;  ///< voxels of the scene's own size times this
    uint32_t count;  ///< boxes
    uint32_t places; ///< that each visits before it begins again
    float size;      ///< edge, metres
    double speed;    ///< metres a second
} moving_patrols;

/// The movers come with the first step. EXIT_BAD after a message.
int moving_open_patrols(experiment* e, const moving_patrols* patrols, const moving_def* def,
                        moving_place* out);

/// The scene "krafft" with all its movers at time 0; seed 1 is the scene as
/// drawn (seed 0 of vn_moving_scene_def).
int moving_open_krafft(experiment* e, const moving_def* def, moving_place* out);

/// The world of the scene "krafft" at time 0, with or without its movers, as the nav has taken it: obstacles
/// have the same ids; and its space. Both are the caller's, also after a failure.
int moving_bake_krafft(const moving_place* place, bool movers, vn_world** world, vn_space** space);

/// Waypoints as in Krafft 2019 around the obstacles of the scene "krafft" at time 0, for a place that is at
/// its first version: five units apart at most, each with `indirect` neighbours on other obstacles. How far
/// off they stand is ours: the agent's radius and a bit more.
int moving_make_waypoints(const moving_place* place, uint32_t indirect, vn_roadmap** out);

/// The scene "krafft" without its movers, and where these are at any frame of its first seconds: what a
/// hybrid graph is baked from. A nav of its own runs ahead. Both are the caller's, also after a failure.
int moving_observe_krafft(experiment* e, uint32_t seconds, vn_space** fixed, vn_area** area);

/// A voxel map with `count` boxes of 8 voxels that drift and bounce.
int moving_open_map(experiment* e, const char* path, uint32_t count, const moving_def* def,
                    moving_place* out);
void moving_close(moving_place* place);

/// Brings the scene to a time and updates. `*changed` (may be null): voxels are different now (with `every`:
/// anything is); then `space`, `version` and `changes` are new. Changes are those of one version. EXIT_BAD
/// after a message.
int moving_step(moving_place* place, double seconds, bool* changed);

/// Removes the movers; no step may follow. For scenes whose movers are all there.
int moving_clear(moving_place* place);

/// The path of a request on the newest version, as the nav gives it. Its points live until the next call of
/// moving_release. `*seconds`: processor time.
int moving_ask(moving_place* place, vn_point from, vn_point to, double snap, vn_nav_result* out,
               double* seconds);

/// As a row, judged by the checker; releases the result.
run_row moving_row(moving_place* place, const vn_nav_result* result, double seconds);

/// Share of the voxels in the updates so far, of a place whose stages are measured: the rest is cells.
double moving_voxel_share(const moving_place* place);

/// Nanoseconds of the thread's processor time, for defs that have a clock.
uint64_t moving_clock(void* user);

#endif
