/// volnav/experiment/maruszczyk.h: what the parts of the experiment "maruszczyk" share.
#ifndef EXPERIMENT_MARUSZCZYK_H
#define EXPERIMENT_MARUSZCZYK_H

#include "experiment/experiment.h"
#include "volnav/run.h"

// ----------------------------------------------------------------------------------- tables 2 to 4: searches

enum { MARUSZCZYK_SIZES = 3 };

/// The searches; the last is ours.
enum {
    MARUSZCZYK_LIST,
    MARUSZCZYK_HEAP,
    MARUSZCZYK_DIJKSTRA,
    MARUSZCZYK_GREEDY,
    MARUSZCZYK_CELLS,
    MARUSZCZYK_SEARCHES
};

/// Means over the paths of one search in one world.
typedef struct maruszczyk_search {
    double ms, nodes; ///< nodes: steps from node to node
    double length;    ///< in edges of a node
    double expanded;
    uint32_t count;
} maruszczyk_search;

/// One world of tables 2 to 4.
typedef struct maruszczyk_world {
    int dims[3]; ///< nodes
    bool rocks;
    double blocked; ///< part of the nodes
    maruszczyk_search searches[MARUSZCZYK_SEARCHES];
} maruszczyk_world;

extern const char* const maruszczyk_search_names[MARUSZCZYK_SEARCHES];
extern const int maruszczyk_dims[MARUSZCZYK_SIZES][3];

/// The thesis's milliseconds, by size, rocks and search; NAN: not printed.
extern const double maruszczyk_ms[MARUSZCZYK_SIZES][2][MARUSZCZYK_SEARCHES];

/// The thesis's path lengths with rocks, in nodes: greedy and A*.
extern const double maruszczyk_nodes[MARUSZCZYK_SIZES][2];

/// Fills worlds[size][rocks]. EXIT_BAD after a message.
int maruszczyk_run_searches(experiment* e, maruszczyk_world worlds[MARUSZCZYK_SIZES][2]);

// ----------------------------------------------------------------------------------- tables 5 to 11: flights

/// The fields, in the order of maruszczyk_fields.
enum {
    MARUSZCZYK_SPARSE,
    MARUSZCZYK_SPARSE_300,
    MARUSZCZYK_EVEN_300,
    MARUSZCZYK_MAZE_300,
    MARUSZCZYK_LARGE,
    MARUSZCZYK_FIELDS
};

/// The autopilots, in the order of maruszczyk_pilots.
enum {
    MARUSZCZYK_NONE,
    MARUSZCZYK_WHOLE,
    MARUSZCZYK_LOOKUP,
    MARUSZCZYK_EACH_MOVE,
    MARUSZCZYK_FRAGMENT,
    MARUSZCZYK_EXTENDED,
    MARUSZCZYK_RADAR,
    MARUSZCZYK_PREDICT,
    MARUSZCZYK_PILOTS
};

typedef struct maruszczyk_field {
    const char* variant; ///< of the scene "asteroids"
    const char* title;
    uint32_t runs[MARUSZCZYK_PILOTS];  ///< without --sample and --quick
    uint32_t quick[MARUSZCZYK_PILOTS]; ///< with --quick
} maruszczyk_field;

typedef struct maruszczyk_pilot {
    const char* name;
    vn_pilot_group group;
    bool each_move;
} maruszczyk_pilot;

extern const maruszczyk_field maruszczyk_fields[MARUSZCZYK_FIELDS];
extern const maruszczyk_pilot maruszczyk_pilots[MARUSZCZYK_PILOTS];

/// Columns of the thesis's tables 5 to 11.
enum {
    MARUSZCZYK_MS, ///< of all path searches of a flight
    MARUSZCZYK_CALLS,
    MARUSZCZYK_LENGTH, ///< nodes
    MARUSZCZYK_DYNAMIC,
    MARUSZCZYK_COLLISIONS,
    MARUSZCZYK_COLUMNS
};

extern const char* const maruszczyk_columns[MARUSZCZYK_COLUMNS];

/// What the thesis prints for a pilot in a field; NAN: nothing. The sparse fields share a table there.
double maruszczyk_theirs(int field, int pilot, int column);

/// Sums over flights of one pilot in one field.
typedef struct maruszczyk_sum {
    uint32_t runs, arrived, with_collision;
    uint64_t collisions, wall_hits;
    double squares;          ///< of collisions
    double seconds, nominal; ///< of those that arrived
    double length, fuel;     ///< of those that arrived
    double calls, dynamic, expanded;
    double path_seconds, worst_step, steps, stopped, unverified;
    double clearance, wall_clearance; ///< least
} maruszczyk_sum;

/// Per flight; NAN without any. Lengths are in edges of a node.
double maruszczyk_mean(const maruszczyk_sum* sum, int column);

/// Half of the width of the 95 % interval of collisions a flight.
double maruszczyk_margin(const maruszczyk_sum* sum);

enum { MARUSZCZYK_SPEEDS = 4, MARUSZCZYK_DENSITIES = 7 };

/// Where group 6 fails: flights by speed and density.
typedef struct maruszczyk_limits {
    double speeds[MARUSZCZYK_SPEEDS];       ///< metres per second
    double densities[MARUSZCZYK_DENSITIES]; ///< asteroids per 40 x 40 x 40 metres
    int flown[MARUSZCZYK_SPEEDS];           ///< densities
    double holds[MARUSZCZYK_SPEEDS];        ///< the highest density before the first failure; 0: none
    double fails[MARUSZCZYK_SPEEDS];        ///< the lowest with one; NAN: none failed
    maruszczyk_sum sums[MARUSZCZYK_SPEEDS][MARUSZCZYK_DENSITIES];
    int speed_count, density_count;
} maruszczyk_limits;

/// Has a flight touched something, or not arrived?
bool maruszczyk_failed(const maruszczyk_sum* sum);

typedef struct maruszczyk_flights {
    maruszczyk_sum sums[MARUSZCZYK_FIELDS][MARUSZCZYK_PILOTS];
    maruszczyk_limits limits;
    files_csv csv; ///< a row for each flight
} maruszczyk_flights;

/// Flies all fields, then the limits of group 6. EXIT_BAD after a message. `out->csv` is the caller's then.
int maruszczyk_fly(experiment* e, maruszczyk_flights* out);

// -------------------------------------------------------------------------------------------------- the page

/// All that the page is about.
typedef struct maruszczyk_study {
    maruszczyk_world worlds[MARUSZCZYK_SIZES][2];
    maruszczyk_flights flights;
} maruszczyk_study;

/// Tables, charts and files of numbers. EXIT_BAD after a message.
int maruszczyk_write(experiment* e, maruszczyk_study* s);

/// The limits of group 6: table, charts and numbers. EXIT_BAD after a message.
int maruszczyk_write_limits(experiment* e, const maruszczyk_limits* limits);

/// Draws one flight with and without asteroids. EXIT_BAD after a message.
int maruszczyk_draw(experiment* e);

/// What the thesis concludes, held against the figures of this run.
void maruszczyk_judge(experiment* e, const maruszczyk_study* s);

#endif
