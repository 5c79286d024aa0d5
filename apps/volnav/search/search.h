/// volnav/search/search.h: the options of a search, one search run and checked, and its outcome in words.
#ifndef SEARCH_H
#define SEARCH_H

#include "input/load.h"
#include "volnav/classic.h"
#include "volnav/path.h"
#include "volnav/replan.h"

/// The options of a search; make it with search_defaults.
typedef struct search_options {
    const char* heuristic;
    const char* refine;
    const char* quality;
    const char* graph; ///< of trees and grid: what the nodes are
    uint64_t neighbours, budget, max_nodes;
    uint64_t min_depth, max_depth; ///< of trees
    double weight, snap;
    double ara_first, ara_step;
    double g_weight, h_weight; ///< of A* and Theta*
    bool partial, has_max_depth, split_root;
    bool every_sight; ///< of Basic Theta*
    const char* fuel; ///< name of a fuel model; null: none
    uint64_t climbs;  ///< most consecutive climbs; 0: no limit
    bool ignores_weather;
} search_options;

/// What one agent asks for besides two points; make it with search_terms_defaults.
typedef struct search_terms {
    double clearance, clearance_weight;
    double jitter;
    uint64_t jitter_seed;
    double limits[6], goal_box[6];
    args_list altitude;
    double within, sight; ///< metres
    bool has_limits, has_goal_box, has_altitude, has_within, has_sight;
} search_terms;

search_terms search_terms_defaults(void);

/// --clearance, --limits, --altitude, --within, --sight, --to-box, --jitter and what belongs to them.
void search_add_terms(args_table* table, search_terms* terms);
extern const char search_terms_help[];

/// Puts the terms, and the zones and links of the input, into a request. EXIT_BAD after a message.
int search_apply_terms(const search_terms* terms, const loaded* in, vn_path_request* request);

search_options search_defaults(void);

/// --fuel, --climbs, --ignore-weather.
void search_add_fuel(args_table* table, search_options* options);
extern const char search_fuel_help[];

/// --quality, --refine, --weight, --heuristic, --neighbours, --max-nodes, and what belongs to the searches of
/// volnav/classic.h.
void search_add_options(args_table* table, search_options* options);
extern const char search_help[];

/// An algorithm of the command line, where the core's, those of volnav/classic.h and the
/// planners of volnav/replan.h share one name space.
typedef struct search_algo {
    const char* name;
    bool has_core, has_classic; ///< searches: which of the two libraries have it, at least one
    bool is_planner;            ///< one of volnav/replan.h instead
    bool backward;              ///< of a planner
    vn_algo core;
    vn_classic_algo classic;
    vn_replan_algo planner;
} search_algo;

/// The algorithm of that name, which must outlive it; false if neither library has it.
bool search_find_algo(const char* name, search_algo* out);

/// The same for a command: the default of the space if the name is null; EXIT_BAD after a message that lists
/// the names.
int search_read_algo(const char* name, const load_options* load, search_algo* out);

static inline bool search_is_cells(const search_algo* algo) {
    return algo->has_core && algo->core == VN_ALGO_CELLS;
}

/// Everything of a request but its ends and terms; if the core does not have the algorithm, the request's is
/// A*, which shares its options. EXIT_BAD after a message if an option means nothing.
int search_request(const search_options* options, const load_options* load, const search_algo* algo,
                   vn_path_request* out);

/// What an algorithm searches: "cells" or "grid".
const char* search_space_of(const search_algo* algo);

/// Scratch for searches with these algorithms on all layers. EXIT_BAD after a message.
int search_create(const loaded* in, const search_options* options, const vn_algo* algos, int count,
                  vn_query** out);

/// An end that was snapped: the straight leg between where it was asked for and where the path has it.
typedef struct search_leg {
    bool snapped;
    vn_dvec3 asked, used;
    double distance;    ///< metres
    vn_leg_state state; ///< VN_LEG_FREE: no obstacle on it
    double clearance;   ///< with VN_LEG_FREE: at least so far from obstacles, metres
} search_leg;

/// What came of one search.
typedef struct search_outcome {
    vn_path_result path;
    const vn_point* points; ///< belong to the query, until its next search
    uint32_t count;
    double seconds; ///< processor time from points to polyline
    bool has_nearest;
    vn_dvec3 nearest; ///< the free point nearest to that end
    double nearest_distance;
    search_leg legs[2];  ///< of the start and the goal
    bool beyond_limits;  ///< with VN_OUTSIDE: inside the space, but not inside the limits
    bool goal_is_region; ///< --to-box, --within or --sight: it has no one place
    bool has_passage;
    vn_passage passage;    ///< with VN_TOO_NARROW: the widest passage
    bool checked;          ///< both checkers accept the path (without a world: the one)
    vn_check_result fault; ///< of the first that does not
    double clearance;      ///< metres; infinity without obstacles; not a number without a path or a world
    vn_detail detail;
    bool by_classic; ///< by volnav/classic.h; then also:
    bool too_coarse; ///< the blocked end is free, but a tree of limited depth has no leaf there
    uint64_t sight_checks, closed;
    double search_cost; ///< metres, before refinement
    uint32_t passes;    ///< of ARA*
} search_outcome;

/// Clears the outcome and finds the lattice points of the ends (`to` may be null), snapping those outside.
/// False, with the outcome filled, if an end has no place.
bool search_place(const loaded* in, const double* from, const double* to, double snap, vn_point* start,
                  vn_point* goal, search_outcome* out);

/// Completes an outcome whose path, points and count are there: nearest free point, and both checkers at
/// `radius`, leg by leg between the links.
void search_judge(const loaded* in, vn_status status, double radius, const vn_connection_use* connections,
                  uint32_t connection_count, search_outcome* out);

/// From world position to world position, then through both checkers at the request's radius. The request's
/// ends are filled in. `to` may be null if the goal is a box.
void search_run(const loaded* in, vn_query* query, vn_path_request* request, const double* from,
                const double* to, search_outcome* out);

/// After VN_TOO_NARROW: looks for the widest path and where it is narrowest, with separate scratch.
void search_passage(const loaded* in, const vn_path_request* request, search_outcome* out);

/// EXIT_DONE for a path that is checked, EXIT_NO_PATH for none, a partial one or a rejected one, EXIT_BAD for
/// bad usage.
int search_exit_code(const search_outcome* outcome);

/// Why there is no path, in a few words, for a picture: "the goal is inside an obstacle". Returns `text`.
const char* search_reason(const loaded* in, const search_outcome* outcome, char* text, size_t size);

/// Prints to `file` where the nearest free point of a blocked end is, and the option that goes there.
void search_explain_nearest(FILE* file, const loaded* in, const search_outcome* outcome);

/// Prints to `file` why there is no path and what to do about it. Nothing for a found and checked path.
void search_explain(FILE* file, const loaded* in, const search_options* options,
                    const search_outcome* outcome);

#endif
