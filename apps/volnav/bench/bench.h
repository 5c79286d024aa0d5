/// volnav/bench/bench.h: what the command bench measures, shared by its runner and its report.
#ifndef BENCH_H
#define BENCH_H

#include "search/plans.h"
#include "shell/scaling.h"
#include "volnav/io.h"

enum { BENCH_CONTENDERS_MAX = 256, BENCH_WORDS_MAX = 16 };

/// A space, an algorithm, how its paths are refined, and for cells a quality.
typedef struct bench_contender {
    search_algo algo;
    vn_path_request request; ///< without its ends
    bool is_classic;         ///< this one instead:
    vn_classic_kind kind;
    vn_classic_request classic; ///< without its ends
    bool is_plan;               ///< or by a planner, with:
    vn_replan_def planner;
    one_plan* plans; ///< by worker
    const char* space;
    char name[64];          ///< such as "cells best", "astar" or "merged astar funnel"
    const char* quality;    ///< null but for cells
    scaling_result scaling; ///< with several threads
} bench_contender;

/// A combination that does not exist.
typedef struct bench_skipped {
    char name[64];
    char why[240];
} bench_skipped;

/// The words of a list such as "a,b,c".
typedef struct bench_words {
    char text[256];
    const char* words[BENCH_WORDS_MAX];
    int count;
} bench_words;

typedef struct bench_options {
    load_options load;
    search_options search; ///< quality: a list
    const char *algo, *scen, *rows;
    bool has_scen; ///< given; otherwise the one beside the map
    uint64_t sample, offset, passes;
    uint64_t random, random_seed; ///< queries between random points instead of a scenario's; 0: none
} bench_options;

/// What one query gave with one contender.
typedef struct bench_row {
    vn_status status;
    bool valid;
    bool differs;          ///< a later run of the same query gave something else
    double seconds;        ///< repeat: the least of the passes
    double stream_seconds; ///< stream: once, after another query
    double length, cost, weight;
    uint64_t expanded, sight_checks, closed;
} bench_row;

typedef struct bench {
    const bench_options* options;
    const loaded* in;
    vn_3dscen scen;
    uint64_t count;     ///< queries
    uint32_t workers;   ///< threads
    vn_query** scratch; ///< by worker; null if only classics compete
    classics classics;
    classics_scratch* classic_scratch; ///< by worker
    plan_space plan_spaces[VN_CLASSIC_KIND_COUNT];
    bench_words spaces, algos, refines, qualities;
    bench_contender contenders[BENCH_CONTENDERS_MAX];
    int contender_count;
    bench_skipped skipped[BENCH_CONTENDERS_MAX];
    int skipped_count;
    bench_row* rows;    ///< query by query, contender by contender
    double calibration; ///< steps a second
} bench;

static inline bool bench_is_cells(const bench_contender* contender) {
    return search_is_cells(&contender->algo);
}

/// Is what it returns the least cost on the 26-connected grid, which a scenario gives?
static inline bool bench_has_scen_cost(const bench_contender* c) {
    const bool any_angle =
        bench_is_cells(c) || (c->is_plan && plans_is_any_angle(c->planner.algo)) ||
        (c->is_classic && (c->classic.algo == VN_CLASSIC_THETA || c->classic.algo == VN_CLASSIC_LAZY_THETA));
    const bool on_centres =
        (!c->is_classic && (!c->is_plan || c->kind == VN_CLASSIC_GRID)) ||
        (c->is_classic && c->kind == VN_CLASSIC_GRID && c->classic.graph != VN_GRAPH_TRANSITIONS);
    return on_centres && !any_angle && c->request.refine <= VN_REFINE_NONE;
}

/// Reads --space, --algo, --refine and --quality as lists, and says in options->load.space which space has to
/// be loaded. EXIT_BAD after a message.
int bench_read_lists(bench* b, bench_options* options);

/// Every combination that makes sense, once the input is loaded; the others are listed as skipped, with the
/// reason. Builds the spaces that they need. EXIT_BAD after a message, also if nothing is left.
int bench_read_contenders(bench* b);

static inline bench_row* bench_row_at(const bench* b, uint64_t query, int contender) {
    return &b->rows[(size_t)query * (size_t)b->contender_count + (size_t)contender];
}

/// True for what a search may find out about a query, such as that there is no path; false for all that means
/// that it did not run, whose time says nothing.
bool bench_is_outcome(vn_status status);

/// The line of the scenario that query i of the sample takes.
const vn_scen_line* bench_line(const bench* b, uint64_t i);

/// Runs every query with every contender, in rotated order, and fills the rows. EXIT_BAD after a message if a
/// query could not run or did not give the same twice.
int bench_measure(bench* b);

/// Prints the results, as JSON or as a table. EXIT_NO_PATH after a message if a path failed its check.
int bench_report(const bench* b, const char* map);

/// Writes one CSV line for each query and contender. EXIT_BAD after a message.
int bench_write_rows(const bench* b, const char* path);

#endif
