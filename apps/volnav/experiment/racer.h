/// volnav/experiment/racer.h: one contender at work on a graph of a world that moves: a search from scratch
/// in every frame, or a planner that repairs.
#ifndef EXPERIMENT_RACER_H
#define EXPERIMENT_RACER_H

#include "experiment/run.h"
#include "volnav/replan.h"
#include "volnav/roadmap.h"

typedef struct racer_def {
    const char* name;
    bool repairs; ///< algo is a vn_replan_algo; otherwise a vn_classic_algo, which searches anew
    int algo;
    vn_heuristic heuristic;
    bool backward, all; ///< as in vn_replan_def (all: recompute_all)
    double weight;      ///< on the heuristic; 0: 1
    double step;        ///< ARA*, AD*: what the weight falls by from pass to pass; 0: 0.2
    double least;       ///< AD*: the last weight; 0: 1
} racer_def;

/// Make it with {0}; free with racer_close.
typedef struct racer {
    racer_def def;
    vn_nav_graph* graph;   ///< one of these two
    vn_roadmap_view* view; ///< is its own
    vn_graph_source source;
    vn_graph_query* query; ///< of a search from scratch
    vn_planner planner;    ///< of one that repairs
    bool begun;
} racer;

/// What a frame gave.
typedef struct racer_answer {
    run_row row;            ///< judged by the checker
    const vn_point* points; ///< until the racer's next frame; null from racer_search_voxels
    uint32_t count;
    double cost;       ///< voxels, as the search counts it
    uint64_t restarts; ///< of a planner, so far
} racer_answer;

/// A racer with its own graph of a nav, or its own view of a roadmap. EXIT_BAD after a message.
int racer_open_nav(const racer_def* def, vn_nav* nav, vn_nav_graph_kind kind, racer* out);
int racer_open_roadmap(const racer_def* def, vn_roadmap* roadmap, racer* out);
void racer_close(racer* r);

/// Follows to the newest version, sets the ends and finds a path; the time is that of all three. `space`: of
/// that version, for the checker. `reset`: a planner forgets what it knows. No path is an answer too;
/// EXIT_BAD after a message if something else goes wrong.
int racer_find(racer* r, const vn_space* space, vn_point from, vn_point to, bool reset, racer_answer* out);

/// The request on the voxels of a space themselves: a grid that is made for it alone. Only the search is
/// timed.
int racer_search_voxels(const char* name, const vn_space* space, const vn_classic_request* request,
                        racer_answer* out);

#endif
