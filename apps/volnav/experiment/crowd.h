/// volnav/experiment/crowd.h: what the parts of the experiment "crowd" share.
#ifndef EXPERIMENT_CROWD_H
#define EXPERIMENT_CROWD_H

#include "experiment/experiment.h"
#include "volnav/crowd.h"
#include "volnav/run.h"

// --------------------------------------------------------------------------------------------------- a stage

/// Scenes in which every agent has one goal.
enum { CROWD_RING, CROWD_SPHERE, CROWD_CORRIDOR, CROWD_DOOR, CROWD_STATION, CROWD_STAGES };

extern const char* const crowd_names[CROWD_STAGES];

typedef struct crowd_walker {
    vn_agent_id id;
    vn_dvec3 position, goal;
    bool has_via; ///< it goes to `via` until it has passed that along x
    vn_dvec3 via;
    bool goes_along; ///< it flies along x only, and arrives when it passes the goal
    float radius, speed;
    bool arrived, faulty; ///< faulty: the exact checker refused a step of it
} crowd_walker;

/// A scene with its agents. Make it with crowd_stage_open.
typedef struct crowd_stage {
    int which;
    vn_world* world;       ///< the walls; null: none, or the nav's
    vn_space* own;         ///< baked from it
    const vn_space* space; ///< of the walls: `own`, or the nav's; null: none
    vn_nav* nav;           ///< with `crowd`: agents that look for their paths
    uint64_t version;      ///< pinned
    vn_crowd* crowd;
    vn_avoid* avoid; ///< without: agents that fly straight
    crowd_walker* walkers;
    uint32_t count, capacity;
    double arrive; ///< metres from the goal
    bool stays;    ///< who arrives stays in the scene
    double dt, limit;
    uint64_t random;
    vn_box walls[96];
    uint32_t wall_count;
    vn_box bounds;
} crowd_stage;

/// `agents` in all. EXIT_BAD after a message; close it in any case.
int crowd_stage_open(int which, uint32_t agents, vn_avoid_mode mode, uint64_t seed, crowd_stage* out);
void crowd_stage_close(crowd_stage* stage);

/// From 0 to 1.
double crowd_random(uint64_t* random);

// --------------------------------------------------------------------------------------------------- flights

/// Where agents were, four times a second, for pictures. Make it with {0}; free it with crowd_film_free.
typedef struct crowd_film {
    vn_dvec3* at; ///< frame by frame
    uint32_t agents, frames, capacity;
    double* radii;
    vn_box walls[160], movers[32]; ///< movers: in the last frame
    uint32_t wall_count, mover_count;
    vn_box bounds;
} crowd_film;

#define CROWD_FRAME 0.25 ///< seconds

void crowd_film_add(crowd_film* film, const vn_dvec3* positions, uint32_t count);
void crowd_film_free(crowd_film* film);

/// What a flight of all agents came to.
typedef struct crowd_report {
    uint32_t agents, arrived;
    uint32_t clean;       ///< arrived without such a step
    uint32_t wall_faults; ///< steps that the exact checker refuses
    double last;          ///< seconds until the last arrival, or the limit
    double overlap;       ///< deepest, as a share of the radii's sum
    double us;            ///< processor time for each agent and step, microseconds
} crowd_report;

/// Until all have arrived, or the limit. `film` may be null.
int crowd_fly(crowd_stage* stage, crowd_report* out, crowd_film* film);

// ---------------------------------------------------------------------------------------------------- times

enum { CROWD_SIZES = 3, CROWD_LAYOUTS = 3 };

extern const uint32_t crowd_sizes[CROWD_SIZES];
extern const char* const crowd_layouts[CROWD_LAYOUTS];

typedef struct crowd_times {
    double calibration; ///< steps of its loop, a microsecond
    double us[CROWD_LAYOUTS][CROWD_SIZES];
} crowd_times;

int crowd_measure(experiment* e, crowd_times* out);

// ---------------------------------------------------------------------------------------------------- study

enum { CROWD_OURS, CROWD_PUSH, CROWD_MODES };
enum { CROWD_WAREHOUSE, CROWD_REEF, CROWD_RUNS };

extern const char* const crowd_runs[CROWD_RUNS];

typedef struct crowd_study {
    crowd_report reports[CROWD_STAGES][CROWD_MODES];
    crowd_film films[CROWD_STAGES][CROWD_MODES];
    vn_run_result runs[CROWD_RUNS];
    crowd_film run_films[CROWD_RUNS];
    crowd_times times;
    double overlap_limit; ///< above it, the verdict is no
    double growth_limit;  ///< of crowd_growth
} crowd_study;

/// The time of an agent among 10,000 over that among 1,000.
double crowd_growth(const crowd_times* times, int layout);

int crowd_write(experiment* e, const crowd_study* s);

/// From above: walls, agents at a frame, and their tracks over so many frames before it.
void crowd_draw(const crowd_film* film, const char* title, uint32_t frame, uint32_t before, int width,
                svg_text* out);

#endif
