/// volnav/experiment/krafft_success.h: what the parts of the experiment "krafft-success" share.
#ifndef EXPERIMENT_KRAFFT_SUCCESS_H
#define EXPERIMENT_KRAFFT_SUCCESS_H

#include "experiment/experiment.h"
#include "input/latency.h"
#include "shell/stats.h"
#include "volnav/run.h"

// ------------------------------------------------------------------------------------------------ the agents

/// Groups of agents, in the order of success_agents.
typedef enum success_group {
    SUCCESS_GRID,      ///< Krafft 2019, figures 49 i, 51, 52, 64, 66 to 71, table 1
    SUCCESS_WAYPOINTS, ///< Krafft 2019, figures 49 ii, 65, 72 to 77
    SUCCESS_STILL,     ///< Krafft 2019, figure 53: the grid, and a destination that stands
    SUCCESS_HYBRID,    ///< Krafft 2021, figures 57 and 58
    SUCCESS_SIX,       ///< our sixth autopilot
    SUCCESS_GROUPS
} success_group;

/// Columns of table 1 of Krafft 2019.
enum { SUCCESS_SHARE, SUCCESS_LENGTH, SUCCESS_NODES, SUCCESS_MS, SUCCESS_COLUMNS };

enum { SUCCESS_METHODS = 10, SUCCESS_HYBRIDS = 7, SUCCESS_SIXES = 11 };

/// In SUCCESS_GRID, SUCCESS_WAYPOINTS and SUCCESS_STILL: the first of a pair, ε = 1 or δ = 0.2; the second
/// follows it.
enum {
    SUCCESS_ASTAR = 0,
    SUCCESS_ARA = 2,
    SUCCESS_THETA = 4,
    SUCCESS_DSTAR = 6,
    SUCCESS_AD = 8,
};

/// In SUCCESS_HYBRID.
enum {
    SUCCESS_H_ASTAR,
    SUCCESS_H_THETA,
    SUCCESS_H_THETA_FAST,
    SUCCESS_H_BASIC,
    SUCCESS_H_MT,
    SUCCESS_H_AAMT,
    SUCCESS_H_AAMT_FAST
};

/// What of an agent is flown with --quick.
typedef enum success_quick { SUCCESS_QUICK_NONE, SUCCESS_QUICK_ONE, SUCCESS_QUICK_ALL } success_quick;

typedef struct success_agent {
    const char* name;
    const char *algo, *space; ///< of the scene "krafft"
    bool all_latencies;       ///< otherwise one only: the thesis's; of SUCCESS_SIX none
    success_quick quick;
    double theirs[SUCCESS_COLUMNS]; ///< what the thesis prints: percent, metres, nodes, ms; NAN: nothing
} success_agent;

/// The agents of a group, and how many.
const success_agent* success_agents(success_group group, int* count);

extern const char* const success_latency_names[LATENCY_KINDS];

// -------------------------------------------------------------------------------------------------- the runs

enum { SUCCESS_AGENTS_MAX = 11 };

/// All runs of one agent under one latency.
typedef struct success_sum {
    uint32_t runs, enclosed; ///< enclosed: in none of the others
    uint32_t reached;        ///< arrived, and touched nothing
    uint32_t by_movers, by_walls,
        late;               ///< how the others failed: what they touched first, or not there in time
    double length, seconds; ///< of those that reached it, like the next two
    double nodes, ms;       ///< expanded, and CPU time of planning and flying, in a run
    double clearance;       ///< least, of all
    double* lengths;        ///< by run; not a number: did not reach it
} success_sum;

typedef struct success_study {
    success_sum sums[SUCCESS_GROUPS][SUCCESS_AGENTS_MAX][LATENCY_KINDS];
    files_csv csv; ///< a row for each run
} success_study;

/// Flies everything. EXIT_BAD after a message. Free with success_free, also after that.
int success_fly(experiment* e, success_study* s);
void success_free(success_study* s);

uint32_t success_counted(const success_sum* sum); ///< runs without the enclosed ones

/// Percent, metres, nodes or ms; NAN without runs, or without one that reached its goal.
double success_mean(const success_sum* sum, int column);

/// Of the share, percent. Not numbers without runs.
stats_interval success_interval(const success_sum* sum);

/// All agents of a group together; `lengths` is null.
success_sum success_pool(const success_study* s, success_group group, latency_kind latency);

/// Pairs of runs with the same seed that both reached the goal: how many, and in how many of them the first
/// one travelled farther (by more than a millimetre); the sums of both lengths.
typedef struct success_pairs {
    uint32_t count, farther;
    double first, second;
} success_pairs;

success_pairs success_compare(const success_sum* first, const success_sum* second);

// -------------------------------------------------------------------------------------------------- the page

int success_write(experiment* e, const success_study* s);          ///< EXIT_BAD after a message
void success_judge(experiment* e, const success_study* s);         ///< what Krafft 2019 concludes
void success_judge_2021(order_book* book, const success_study* s); ///< and Krafft 2021

#endif
