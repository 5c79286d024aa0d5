/// volnav/experiment/krafft19.h: what the parts of the experiment "krafft-2019" share: A*, ARA*, Theta*, D*
/// Lite and AD* on grid and waypoints, while the obstacles of the thesis's scene move.
#ifndef EXPERIMENT_KRAFFT19_H
#define EXPERIMENT_KRAFFT19_H

#include "experiment/moving.h"
#include "experiment/race.h"

/// The search graphs.
enum {
    KRAFFT19_GRID,
    KRAFFT19_WAYPOINTS,   ///< one neighbour on another obstacle, as in the thesis
    KRAFFT19_WAYPOINTS_8, ///< eight
    KRAFFT19_GRAPHS
};

extern const char* const krafft19_graphs[KRAFFT19_GRAPHS];

/// The methods. The first ten are the thesis's, two for each algorithm: ε = 1 and 2, or δ = 0.2 and 0.4.
enum {
    KRAFFT19_ASTAR,
    KRAFFT19_ARA = 2,
    KRAFFT19_THETA = 4,
    KRAFFT19_DSTAR_LITE = 6,
    KRAFFT19_AD = 8,
    KRAFFT19_PAIRED = 10,
    KRAFFT19_AD_FLOOR = KRAFFT19_PAIRED, ///< down to ε = 1.4 only
    KRAFFT19_DSTAR_LITE_RESET,           ///< two; the resets are on waypoints only
    KRAFFT19_AD_RESET = KRAFFT19_DSTAR_LITE_RESET + 2,
    KRAFFT19_METHODS = KRAFFT19_AD_RESET + 2
};

typedef struct krafft19_method {
    racer_def racer;
    double bound; ///< its paths cost at most this times those of A*; 0: no promise
    bool resets;  ///< forgets what it knows before each plan
    int colour;   ///< in charts
} krafft19_method;

extern const krafft19_method krafft19_methods[KRAFFT19_METHODS];

bool krafft19_takes_part(int graph, int method);

// ---------------------------------------------------------------------------------------------------- stage

/// The scene with all graphs, which follow it. Make it with {0}; free with krafft19_stage_close.
typedef struct krafft19_stage {
    moving_place place;
    vn_roadmap* roadmaps[KRAFFT19_GRAPHS]; ///< of waypoints
    vn_point from, to;                     ///< middles of the voxels of agent and destination
    double update[KRAFFT19_GRAPHS]; ///< seconds that the last step took for each, the nav's tick included
} krafft19_stage;

/// EXIT_BAD after a message, like the next two.
int krafft19_stage_open(experiment* e, krafft19_stage* out);
int krafft19_stage_step(krafft19_stage* s, double seconds);
void krafft19_stage_close(krafft19_stage* s);

/// No obstacle covers an end.
bool krafft19_ends_are_free(const krafft19_stage* s);

int krafft19_open_racer(krafft19_stage* s, int graph, const racer_def* def, racer* out);

/// A* on a grid that is made from the voxels of this version alone: what all costs on the grid are held
/// against.
int krafft19_search_afresh(const krafft19_stage* s, racer_answer* out);

// --------------------------------------------------------------------------------------------------- plans

/// The scenarios: agent and destination stand, the obstacles move.
enum { KRAFFT19_UPDATES, KRAFFT19_FRAMES, KRAFFT19_SCENARIOS };

typedef struct krafft19_scenario {
    const char* name; ///< in tables of numbers
    const char* title;
    double rate;            ///< plans a second
    uint32_t frames, quick; ///< quick: with --quick
} krafft19_scenario;

extern const krafft19_scenario krafft19_scenarios[KRAFFT19_SCENARIOS];

/// Costs of one contender over those of a fresh A* in the same frame.
typedef struct krafft19_costs {
    double sum, least, worst;
    uint32_t count;
} krafft19_costs;

typedef struct krafft19_race {
    double* at;             ///< seconds of each frame
    uint32_t frames, blind; ///< blind: without plans, because an obstacle covered an end
    race_sum sums[KRAFFT19_GRAPHS][KRAFFT19_METHODS];
    krafft19_costs costs[KRAFFT19_GRAPHS][KRAFFT19_METHODS];
    race_sum cells;                 ///< volnav's own search, from scratch
    double update[KRAFFT19_GRAPHS]; ///< seconds, in the mean
    uint32_t nodes[KRAFFT19_GRAPHS];
} krafft19_race;

/// Runs one scenario. Every cost is held against that of a fresh A*: one above its bound, or a path where A*
/// has none, is a failure. Free with krafft19_free_race, also after that. EXIT_BAD after a message.
int krafft19_measure(experiment* e, int scenario, krafft19_race* out);
void krafft19_free_race(krafft19_race* race);

// ------------------------------------------------------------------------------------------------ corridors

enum { KRAFFT19_PASSES = 16 };

/// A path that an anytime search had on the way.
typedef struct krafft19_pass {
    double weight, cost, expanded; ///< cost in units; expanded: so far
    vn_dvec3* points;              ///< null where they are not drawn
    uint32_t count;
} krafft19_pass;

typedef struct krafft19_passes {
    krafft19_pass all[KRAFFT19_PASSES];
    int count;
} krafft19_passes;

/// Paths of single moments.
typedef struct krafft19_corridors {
    double seconds;                                                     ///< that the next ones are of
    krafft19_passes ara[2], ad[2];                                      ///< δ = 0.2 and 0.4; grid
    krafft19_pass astar[KRAFFT19_GRAPHS][2], theta[KRAFFT19_GRAPHS][2]; ///< ε = 1 and 2; count 0: no path

    krafft19_pass before, after; ///< D* Lite, ε = 2, grid: at time 0, and when an obstacle has cut that path
    double cut_at;               ///< seconds; 0: it never happened
    double cut_best;             ///< length of a fresh A* then

    // ARA*, δ = 0.2, at moments of a minute.
    uint32_t moments;
    uint32_t kept;        ///< of these: the path of ε = 2 is as long as that of ε = 3
    uint32_t equal;       ///< and all paths are
    double settled;       ///< the weight at which the least length was first there, in the mean
    double settled_drawn; ///< the same in the moment that is drawn
    int worth;            ///< of that moment for a picture
} krafft19_corridors;

/// Free with krafft19_free_corridors, also after a failure.
int krafft19_measure_corridors(experiment* e, krafft19_corridors* out);
void krafft19_free_corridors(krafft19_corridors* c);

/// The pictures, onto the page.
int krafft19_draw_corridors(experiment* e, const krafft19_corridors* c);

// ----------------------------------------------------------------------------------------------------- page

typedef struct krafft19_run {
    krafft19_race races[KRAFFT19_SCENARIOS];
    krafft19_corridors corridors;
} krafft19_run;

int krafft19_write(experiment* e, const krafft19_run* run);
void krafft19_judge(experiment* e, const krafft19_run* run);

#endif
