/// volnav/bench_dynamic.h: what a changing world costs: `volnav bench --dynamic`.
#ifndef BENCH_DYNAMIC_H
#define BENCH_DYNAMIC_H

#include "bench.h"

typedef struct dynamic_options {
    bool wanted;
    uint64_t obstacles, requests; ///< of the crowd; requests a frame
    double seconds;               ///< of the crowd
} dynamic_options;

dynamic_options dynamic_defaults(void);
void dynamic_add_options(args_table* table, dynamic_options* options);
extern const char dynamic_help[];

/// Three measurements on a map with its scenario: one box that moves, a crowd at 60 frames a second, and
/// policies. The world of `in` is used up. Returns EXIT_DONE, EXIT_NO_PATH if an answer was not valid, or
/// EXIT_BAD after a message.
int dynamic_run(const dynamic_options* options, const load_options* load, loaded* in, const vn_3dscen* scen,
                const char* map);

#endif
