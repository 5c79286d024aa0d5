/// volnav/experiment/run.h: places to search in, contenders, and measuring them.
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include "experiment/experiment.h"
#include "volnav/classic.h"
#include "volnav/io.h"

/// What is searched: the classics' kinds, and our own cells behind them.
enum {
    RUN_GRID = VN_CLASSIC_GRID,
    RUN_OCTREE = VN_CLASSIC_OCTREE,
    RUN_MERGED = VN_CLASSIC_MERGED,
    RUN_CELLS,
    RUN_SPACES
};

/// Every space. For run_open_...
#define RUN_ALL ((1u << RUN_SPACES) - 1)

/// One way to find a path.
typedef struct run_contender {
    const char* name;
    int space;
    vn_classic_algo algo; ///< not read for cells, nor are the next three and the last
    vn_classic_graph graph;
    uint32_t neighbours;
    vn_refine refine;
    bool every_sight; ///< Theta* as printed
} run_contender;

/// A scene or a map, and what searching it needs. Make it with {0} and run_open_...; free with run_close.
typedef struct run_place {
    vn_world* world;
    vn_space* space;
    vn_space_info info;
    vn_classic* classics[RUN_CELLS];
    vn_classic_info about[RUN_CELLS];
    vn_point source; ///< of a scene: its seed, at the middle of a voxel
    uint32_t workers;
    vn_classic_query** queries[RUN_CELLS]; ///< one for each worker
    vn_query** cells;
    double seconds[RUN_SPACES]; ///< to build each, wall time
} run_place;

/// Builds a scene with voxels of its own size times `coarser`, and the spaces whose bits are set. EXIT_BAD
/// after a message.
int run_open_scene(experiment* e, const char* scene, double coarser, unsigned spaces, run_place* out);

/// The same for a voxel map; `name` is for the progress bar.
int run_open_map(experiment* e, const char* path, const char* name, unsigned spaces, run_place* out);
void run_close(run_place* place);

typedef struct run_pair {
    vn_point from, to;
} run_pair;

/// What one search gave.
typedef struct run_row {
    double seconds, length;
    double sight_checks, closed;
    double straight; ///< between the ends
    double last_leg; ///< of the path
    double bent;     ///< length of the path, but 0 if it is one straight line
    bool found, valid;
} run_row;

/// Means over the rows of found paths; of the times also the median.
typedef struct run_summary {
    double seconds, median, length, sight_checks, closed;
    double straight, last_leg, bent; ///< as in run_row
    uint64_t count;
} run_summary;

/// Each contender on each pair, in turns of some pairs, and in another order in each turn. `rows` has
/// contender c's row of pair i at [c * count
/// + i]. `stage` names it on the progress bar. EXIT_BAD after a message if a contender does not exist in this
/// place.
int run_pairs(experiment* e, run_place* place, const char* stage, const run_contender* contenders,
              int contender_count, const run_pair* pairs, uint32_t count, run_row* rows);

enum { RUN_GROUP = 5 };

/// The same from place->source to groups of five targets, which are found together; each row holds a fifth of
/// what its group took. `count` is the number of groups.
int run_groups(experiment* e, run_place* place, const char* stage, const run_contender* contenders,
               int contender_count, const vn_point* targets, uint32_t count, run_row* rows);

/// Metres along the points.
double run_length(const vn_space* space, const vn_point* points, uint32_t count);

/// Counts a path that was asked for in the figures of the experiment.
void run_count(experiment* e, const run_row* row);

run_summary run_sum(const run_row* rows, uint32_t count);

/// A random permutation of count things, the same for the same seed.
void run_shuffle(void* things, size_t count, size_t size, uint64_t seed);

#endif
