/// volnav/experiment/krafft21.h: what the parts of the experiment "krafft-2021" share: planners that repair
/// beside searches from scratch, plan by plan, on the scene of the thesis.
#ifndef EXPERIMENT_KRAFFT21_H
#define EXPERIMENT_KRAFFT21_H

#include "experiment/moving.h"
#include "experiment/race.h"

/// The contenders. Another one is a name here and a row in krafft21_contenders. On the grid with 6 neighbours
/// unless a name says otherwise.
enum {
    KRAFFT21_ASTAR, ///< an agent that all share follows this one
    KRAFFT21_THETA,
    KRAFFT21_DSTAR_LITE,
    KRAFFT21_BASIC,
    KRAFFT21_MT,
    KRAFFT21_BASIC_BACK,
    KRAFFT21_MT_BACK,
    KRAFFT21_MT_ALL, ///< with the update of over-consistent nodes before its optimisation
    KRAFFT21_AAMT,   ///< any-angle MT-D* Lite
    KRAFFT21_JPS,
    KRAFFT21_ASTAR_2, ///< these three with the heuristic times 2
    KRAFFT21_THETA_2,
    KRAFFT21_DSTAR_LITE_2,
    KRAFFT21_ASTAR_HYBRID,
    KRAFFT21_THETA_HYBRID,
    KRAFFT21_THETA_FAST, ///< the two fast ones need kinds of nodes: on the hybrid graph only
    KRAFFT21_BASIC_HYBRID,
    KRAFFT21_MT_HYBRID,
    KRAFFT21_AAMT_HYBRID,
    KRAFFT21_AAMT_FAST,
    KRAFFT21_ASTAR_WAYPOINTS,
    KRAFFT21_THETA_WAYPOINTS,
    KRAFFT21_DSTAR_LITE_WAYPOINTS,
    KRAFFT21_ASTAR_WAYPOINTS_2,
    KRAFFT21_THETA_WAYPOINTS_2,
    KRAFFT21_DSTAR_LITE_WAYPOINTS_2,
    KRAFFT21_ASTAR_MANHATTAN, ///< these three with the closer heuristic, which the thesis does not use
    KRAFFT21_BASIC_MANHATTAN,
    KRAFFT21_MT_MANHATTAN,
    KRAFFT21_ASTAR_26,
    KRAFFT21_BASIC_26,
    KRAFFT21_ASTAR_PORTAL,
    KRAFFT21_BASIC_PORTAL,
    KRAFFT21_MT_PORTAL,
    KRAFFT21_AAMT_PORTAL,
    KRAFFT21_CELLS,
    KRAFFT21_CONTENDERS
};

/// What a contender does with a new frame.
typedef enum krafft21_way {
    KRAFFT21_SCRATCH, ///< a vn_classic_algo searches the graph anew
    KRAFFT21_REPAIR,  ///< a vn_replan_algo repairs what it has
    KRAFFT21_JUMP,    ///< jump point search, on the voxels themselves: it needs no graph
    KRAFFT21_ASK      ///< a request of the nav: its own search over cells
} krafft21_way;

/// What it searches; the first three are graphs of the nav.
typedef enum krafft21_graph {
    KRAFFT21_GRID,
    KRAFFT21_GRID_26,
    KRAFFT21_PORTAL,
    KRAFFT21_HYBRID,
    KRAFFT21_WAYPOINTS,
    KRAFFT21_GRAPHS
} krafft21_graph;

typedef struct krafft21_contender {
    const char* name;
    krafft21_way way;
    int algo; ///< vn_classic_algo or vn_replan_algo
    krafft21_graph graph;
    vn_heuristic heuristic;
    unsigned where;     ///< KRAFFT21_IN_..., of the scenarios that it takes part in
    bool backward, all; ///< as in vn_replan_def (all: recompute_all)
    double weight;      ///< on the heuristic; 0: 1
    int colour;         ///< in charts
    bool pale;
} krafft21_contender;

extern const krafft21_contender krafft21_contenders[KRAFFT21_CONTENDERS];

enum {
    KRAFFT21_IN_RESET = 1,
    KRAFFT21_IN_STILL = 2,
    KRAFFT21_IN_WATCHES = 4,
    KRAFFT21_IN_DYNAMIC = 8,
    KRAFFT21_IN_LIVE = 16,
    KRAFFT21_IN_STEPS = 15, ///< all but the last
    KRAFFT21_IN_MOTION = 28 ///< the last three: obstacles move
};

/// The scenarios.
enum {
    KRAFFT21_RESET,
    KRAFFT21_WAITS,
    KRAFFT21_WAITS_VERTICAL,
    KRAFFT21_WAITS_HORIZONTAL,
    KRAFFT21_FLIES_VERTICAL,
    KRAFFT21_FLIES_HORIZONTAL,
    KRAFFT21_WATCHES,
    KRAFFT21_DYNAMIC_VERTICAL,
    KRAFFT21_DYNAMIC_HORIZONTAL,
    KRAFFT21_DYNAMIC_60,
    KRAFFT21_LIVE,
    KRAFFT21_LIVE_SLOW,
    KRAFFT21_SCENARIOS
};

typedef struct krafft21_scenario {
    const char* name; ///< in tables of numbers
    const char* title;
    vn_goal_motion goal;
    unsigned set;    ///< one of KRAFFT21_IN_...
    bool movers;     ///< obstacles move; otherwise they stand where they are at time 0
    bool flies;      ///< every contender has an agent that flies along its paths
    bool shared;     ///< all plan from the place of one agent, which flies along the paths of A*
    bool once;       ///< an agent that has arrived is done; otherwise it begins again
    bool live;       ///< in real time: a plan takes as many frames as it takes
    double rate;     ///< plans a second; in real time frames
    uint32_t frames; ///< at most, and with --quick
    uint32_t quick;
} krafft21_scenario;

extern const krafft21_scenario krafft21_scenarios[KRAFFT21_SCENARIOS];

/// What the agent of one contender did in one scenario.
typedef struct krafft21_flight {
    uint32_t blind; ///< frames without a plan, because an obstacle covered an end
    uint32_t arrivals;
    double arrival; ///< second of the first one; not a number: none
    uint32_t moves; ///< how often it entered another cell
} krafft21_flight;

typedef struct krafft21_race {
    double* at;      ///< seconds of each frame
    uint32_t frames; ///< that were run
    uint32_t moves;  ///< how often the destination entered another cell
    double slower;   ///< in real time: how many times longer than measured a plan counts
    race_sum sums[KRAFFT21_CONTENDERS];
    krafft21_flight flights[KRAFFT21_CONTENDERS];
} krafft21_race;

typedef struct krafft21_run {
    krafft21_race races[KRAFFT21_SCENARIOS];
    double nodes[KRAFFT21_GRAPHS]; ///< of the two roadmaps; those of the others are not counted
    double left;                   ///< voxels that were blocked outside the hybrid graph's dynamic nodes
} krafft21_run;

/// What the hybrid graph is baked from: once for all scenarios.
typedef struct krafft21_ground {
    vn_space* fixed; ///< without what moves
    vn_area* area;   ///< where that can be
} krafft21_ground;

bool krafft21_takes_part(int contender, int scenario);

/// Runs a scenario step by step: all plan in every frame. EXIT_BAD after a message. Free the race with
/// krafft21_free_race, also after a failure.
int krafft21_measure(experiment* e, const krafft21_ground* ground, int scenario, krafft21_run* run);

/// Runs a scenario in real time; a plan counts as `slower` times what it takes here.
int krafft21_measure_live(experiment* e, const krafft21_ground* ground, int scenario, double slower,
                          krafft21_run* run);
void krafft21_free_race(krafft21_race* race);

/// Tables and charts; then what the thesis says, held against them.
int krafft21_write(experiment* e, const krafft21_run* run);
int krafft21_write_numbers(experiment* e, const krafft21_run* run); ///< as CSV
void krafft21_judge(experiment* e, const krafft21_run* run);

#endif
