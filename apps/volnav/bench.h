/// volnav/bench.h: what the command bench measures, shared by its runner and its report.
#ifndef BENCH_H
#define BENCH_H

#include "scaling.h"
#include "search.h"
#include "volnav/io.h"

enum { BENCH_CONTENDERS_MAX = 8 };

/// An algorithm, and for cells a quality.
typedef struct bench_contender {
    vn_path_request request; ///< without its ends
    char name[32];           ///< such as "cells best" or "astar"
    const char* quality;     ///< null on the grid
    scaling_result scaling;  ///< with several threads
} bench_contender;

typedef struct bench_options {
    load_options load;
    search_options search; ///< quality: a list
    const char *algo, *scen, *rows;
    uint64_t sample, offset, passes;
    uint64_t random, random_seed; ///< queries between random points instead of a scenario's; 0: none
} bench_options;

/// What one query gave with one contender.
typedef struct bench_row {
    vn_status status;
    bool valid;
    double seconds, length, cost, weight;
    uint64_t expanded;
} bench_row;

typedef struct bench {
    const bench_options* options;
    const loaded* in;
    vn_3dscen scen;
    uint64_t count;   ///< queries
    uint32_t workers; ///< threads
    vn_query** scratch;
    bench_contender contenders[BENCH_CONTENDERS_MAX];
    int contender_count;
    bench_row* rows;    ///< query by query, contender by contender
    double calibration; ///< steps a second
} bench;

static inline bool bench_is_cells(const bench_contender* contender) {
    return contender->request.algo == VN_ALGO_CELLS;
}

static inline bench_row* bench_row_at(const bench* b, uint64_t query, int contender) {
    return &b->rows[(size_t)query * (size_t)b->contender_count + (size_t)contender];
}

/// The line of the scenario that query i of the sample takes.
const vn_scen_line* bench_line(const bench* b, uint64_t i);

/// Prints the results, as JSON or as a table. EXIT_NO_PATH after a message if a path failed its check.
int bench_report(const bench* b, const char* map);

/// Writes one CSV line for each query and contender. EXIT_BAD after a message.
int bench_write_rows(const bench* b, const char* path);

#endif
