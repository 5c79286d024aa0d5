/// run/krafft_inside.h: a run in Krafft's scene from inside. Private to run.
#ifndef VNI_RUN_KRAFFT_INSIDE_H
#define VNI_RUN_KRAFFT_INSIDE_H

#include "run/enclosed.h"
#include "run/guard.h"
#include "run/run_inside.h"
#include "volnav/classic.h"
#include "volnav/replan.h"
#include "volnav/roadmap.h"

enum { VNI_KRAFFT_POINTS = 8192, VNI_KRAFFT_MOVERS_MOST = 32, VNI_KRAFFT_LEGS = 64, VNI_KRAFFT_PAST = 1024 };

// ------------------------------------------------------------------------------------- krafft_course.c
// The world as the agent knows it, and paths in it.

typedef enum vni_course_space { VNI_ON_CELLS, VNI_ON_GRID, VNI_ON_HYBRID, VNI_ON_WAYPOINTS } vni_course_space;

typedef struct vni_course_def {
    vn_allocator allocator;
    const vn_moving_scene* scene; ///< outlives the course
    uint32_t algo;                ///< index in vni_course_algos
    vni_course_space space;
    bool planning; ///< around the planning volumes, and by the theses' heuristic
    float radius;  ///< of the layer, metres
    uint32_t workers;
    vn_blinkers blinkers; ///< which are there at first
} vni_course_def;

extern const char vni_course_algos[], vni_course_spaces[]; ///< names, with spaces between

typedef struct vni_course {
    vni_course_def def;
    vn_nav* nav;
    vn_staging* staging;
    const vn_space* space; ///< pinned
    uint64_t version;
    vn_nav_graph* graph; ///< one of these two, unless cells answer
    vn_roadmap* roadmap;
    vn_roadmap_view* view;
    vn_graph_source source;
    vn_graph_query* query; ///< searches anew each time
    vn_planner planner;    ///< repairs
    bool begun;

    vn_dvec3* points; ///< of the last path, positions; VNI_KRAFFT_POINTS
    uint32_t count;   ///< 0: there was none
    uint64_t calls, expanded;
} vni_course;

/// Make it with {0}; on failure too, free it with vni_course_close. VN_UNSUPPORTED: the algorithm does not
/// work on this space.
vn_status vni_course_open(const vni_course_def* def, vni_course* c, vn_detail* detail);
void vni_course_close(vni_course* course);

/// Do its paths go from node to node of a grid?
bool vni_course_walks(const vni_course_def* def);

/// May its paths leave the edges of the graph?
bool vni_course_is_any_angle(const vni_course_def* def);

/// The world as it is at a time of the scene.
vn_status vni_course_advance(vni_course* course, double seconds, const vn_blinkers* blinkers,
                             vn_detail* detail);

/// A path between two places, both moved to free ones `within` so many metres; `points` and `count`. No path
/// is VN_OK too.
vn_status vni_course_find(vni_course* c, vn_dvec3 from, vn_dvec3 to, double within, vn_detail* detail);

/// A world with the walls, and `movers` of it; `reach`: not the movers, but a box around all that each one
/// ever covers. `out` is null after a failure.
vn_status vni_krafft_world(const vn_allocator* allocator, const vn_moving_scene* scene, bool reach,
                           vn_staging* staging, const vn_blinkers* blinkers, vn_world** out,
                           vn_detail* detail);

/// The parameters of a bake.
vn_space_def vni_krafft_space(const vn_allocator* allocator, const vn_moving_scene* scene, float radius);

// --------------------------------------------------------------------------------------------- krafft.c

typedef struct vni_krafft {
    vn_run* run;
    vn_moving_scene* scene;
    vn_world* world; ///< the walls, for pictures
    vn_moving_scene_info info;
    vn_mover_info movers[VNI_KRAFFT_MOVERS_MOST];
    vni_course course;
    vn_blinkers* past;   ///< which blinkers were there, by step; a ring of VNI_KRAFFT_PAST
    vn_blinkers present; ///< in this step
    vn_blinkers solid;   ///< all of them
    vn_dvec3 goal;       ///< at the time that the agent knows of
    double acceleration, margin;

    vn_dvec3 at, velocity;
    vn_dvec3 legs[VNI_KRAFFT_LEGS]; ///< of the step: where the agent turns, and where it ends
    uint32_t leg_count;
    double next_plan; ///< seconds
    vn_dvec3* track;  ///< where the agent was after each step; a ring of VNI_KRAFFT_PAST

    uint32_t next;   ///< theses' rules: the point of the path that it flies to
    vn_dvec3* route; ///< theses' rules: the path that it flies along; otherwise that away from all movers
    uint32_t route_count;

    // our rules
    vni_guard guard;
    vni_plan plan;    ///< what is left of the last manoeuvre
    vn_space* havens; ///< where nothing ever comes
    vn_query* haven_query;
    double best, since;    ///< least way left so far, metres, and the seconds since
    double detour, length; ///< seconds left of one, and how long the next one is

    bool touches[VNI_KRAFFT_MOVERS_MOST], at_wall;
    uint8_t* flood; ///< scratch of the proof that it was enclosed
    vn_run_agent agent;
    vn_run_thing things[VNI_KRAFFT_MOVERS_MOST];
} vni_krafft;

/// Time that the movers have at a time of the run.
double vni_krafft_clock(const vni_krafft* k, double seconds);

// ------------------------------------------------------- krafft_thesis.c, krafft_guard.c, krafft_enclosed.c

/// Had the agent no way out in the last two seconds, wherever it had flown from where it was then? At the end
/// of a step. The movers are where they truly were.
bool vni_krafft_was_enclosed(vni_krafft* k);

/// One step by the rules of the theses: legs, position, velocity. `plans`: the path is to be found anew.
vn_status vni_krafft_follow(vni_krafft* k, bool plans, vn_detail* detail);

/// One step by ours. `seen`: the time of which the agent knows.
vn_status vni_krafft_open_guard(vni_krafft* k, vn_detail* detail);
vn_status vni_krafft_guarded(vni_krafft* k, double seen, double seconds, bool plans, vn_detail* detail);

#endif
