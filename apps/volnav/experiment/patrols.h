/// volnav/experiment/patrols.h: what the parts of the experiment "massonnat-dynamic" share.
#ifndef EXPERIMENT_PATROLS_H
#define EXPERIMENT_PATROLS_H

#include "experiment/moving.h"

/// The rows of table 6.3 in its order, then ours.
enum {
    PATROLS_OCTREE_BUILD, ///< the tree follows, the graph is made anew
    PATROLS_OCTREE,
    PATROLS_MERGED_BUILD,
    PATROLS_MERGED,
    PATROLS_PRINTED,                      ///< so many are in the thesis
    PATROLS_OCTREE_NEW = PATROLS_PRINTED, ///< tree and graph are made anew
    PATROLS_MERGED_NEW,
    PATROLS_GREEDY, ///< merged octree, greedily merged again
    PATROLS_CELLS,
    PATROLS_ROWS
};

/// The columns of table 6.3: mean times of an update, seconds.
enum { PATROLS_TREE, PATROLS_GRAPH, PATROLS_PATH, PATROLS_TOTAL, PATROLS_COLUMNS };

enum { PATROLS_GRAINS = 3 };

extern const char* const patrols_names[PATROLS_ROWS];

/// Table 6.3, milliseconds; not a number for our own rows.
double patrols_theirs(int row, int column);

/// One obstacle on one map, with voxels of one size.
typedef struct patrols_costs {
    double granularity;              ///< units
    uint32_t updates, frames, blind; ///< updates; frames that they took; updates without any path
    double voxels;                   ///< mean time of the voxels of an update, which all rows share, seconds
    double seconds[PATROLS_ROWS][PATROLS_COLUMNS]; ///< a tree that is made anew: both in PATROLS_TREE
    double cells[PATROLS_ROWS];                    ///< mean number
    double length[PATROLS_ROWS];                   ///< mean of the paths, units
} patrols_costs;

/// Rows whose bits are set. The obstacle always has the same number of voxels. EXIT_BAD after a message.
int patrols_measure_costs(experiment* e, const char* scene, double coarser, uint32_t updates, unsigned rows,
                          patrols_costs* out);

// ---------- the number of cells (figure 6.13)

enum { PATROLS_SAMPLES = 100, PATROLS_TREES = 4 };

/// Octree, merged octree with repair, merged octree with greedy merging, cells.
typedef struct patrols_drift {
    uint32_t moves;
    double first[PATROLS_TREES];    ///< without the obstacle, at the beginning
    double last[PATROLS_TREES];     ///< the same in the end
    double voxels;                  ///< free ones
    double at[PATROLS_SAMPLES + 1]; ///< moves
    double counts[PATROLS_TREES][PATROLS_SAMPLES + 1];
    double path[PATROLS_TREES][2]; ///< seconds for a path, mean of the first and of the last tenth
} patrols_drift;

int patrols_measure_drift(experiment* e, uint32_t moves, patrols_drift* out);

// ---------- when to update (table 6.4)

enum {
    PATROLS_ALWAYS,
    PATROLS_LAST,  ///< when a cell of the path is hit
    PATROLS_AHEAD, ///< when a cell of the path ahead of the agent that flies along it is hit
    PATROLS_CELLS_ALWAYS,
    PATROLS_CELLS_LAST,
    PATROLS_POLICIES
};

extern const char* const patrols_policies[PATROLS_POLICIES];

typedef struct patrols_policy {
    double updates;     ///< a second
    double tree, graph; ///< seconds of an update; cells: both in `tree`
    double path;        ///< seconds of a new path
    double paths;       ///< new ones a second
} patrols_policy;

typedef struct patrols_policies_run {
    double seconds;  ///< of the scene
    double changing; ///< frames a second in which voxels changed
    patrols_policy of[PATROLS_POLICIES];
} patrols_policies_run;

int patrols_measure_policies(experiment* e, double seconds, patrols_policies_run* out);

// ---------- writing

/// `costs` are those of table 6.3, `grains` those of one map with smaller and smaller voxels.
int patrols_write(experiment* e, const patrols_costs* costs, const patrols_costs* grains,
                  const patrols_drift* drift, const patrols_policies_run* policies);
void patrols_judge(experiment* e, const patrols_costs* costs, const patrols_costs* grains,
                   const patrols_drift* drift, const patrols_policies_run* policies);

#endif
