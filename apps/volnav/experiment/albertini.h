/// volnav/experiment/albertini.h: what the parts of the experiment "albertini" share.
#ifndef EXPERIMENT_ALBERTINI_H
#define EXPERIMENT_ALBERTINI_H

#include "experiment/run.h"

/// What the thesis's tables have: 12 of them, a row for each algorithm.
enum { ALBERTINI_TABLES = 12, ALBERTINI_ALGORITHMS = 8, ALBERTINI_ROWS = ALBERTINI_ALGORITHMS + 1 };

/// And their columns.
enum {
    ALBERTINI_TIME, ///< ms
    ALBERTINI_LENGTH,
    ALBERTINI_SIGHT,
    ALBERTINI_CLOSED,
    ALBERTINI_TRADE, ///< time times length over 100
    ALBERTINI_COLUMNS
};

/// Tables from 0, algorithms in the thesis's order.
extern const double albertini_printed[ALBERTINI_TABLES][ALBERTINI_ALGORITHMS][ALBERTINI_COLUMNS];

/// One of the tables, measured: the thesis's algorithms, and our cells in the last row.
typedef struct albertini_table {
    int number; ///< the thesis's, from 1
    const char* world;
    const char* space;   ///< "octree" or "grid"
    const char* targets; ///< "single" or "multi"
    double ours[ALBERTINI_ROWS][ALBERTINI_COLUMNS];
    run_summary theta; ///< Basic Theta*'s, for the shape of its paths
    double nodes;      ///< of the graph: leaves, or the grid's free voxels
} albertini_table;

/// Rows by name.
enum {
    ALBERTINI_DIJKSTRA,
    ALBERTINI_GREEDY,
    ALBERTINI_ASTAR,
    ALBERTINI_DIJKSTRA_PS,
    ALBERTINI_GREEDY_PS,
    ALBERTINI_ASTAR_PS,
    ALBERTINI_THETA,
    ALBERTINI_LAZY
};

/// Names of the rows, as the thesis has them.
extern const char* const albertini_names[ALBERTINI_ROWS];
extern const char* const albertini_columns[ALBERTINI_COLUMNS];

/// What the thesis printed; not a number for cells. `trusted`: also where the reading notes say that the
/// numbers belong elsewhere.
double albertini_theirs(int table, int row, int column, bool trusted);

/// What is wrong with a table as printed; null if nothing is known.
const char* albertini_flag(int table);

/// Tables and charts of one world, or of one comparison: `count` tables (one or two) side by side.
int albertini_write(experiment* e, const char* name, const albertini_table* tables, int count);

/// Ratios of lengths, the thesis's beside ours, and what may explain the difference; ratios.csv.
int albertini_write_ratios(experiment* e, const albertini_table* tables);

/// Which figures are for one target, and which the thesis says are for five.
void albertini_write_units(page* p, const albertini_table* tables);

/// Orders and conclusions over all of them, in the thesis's order.
void albertini_judge(experiment* e, const albertini_table* tables);

#endif
