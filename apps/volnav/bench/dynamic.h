/// volnav/bench/dynamic.h: what a changing world costs: `volnav bench --dynamic`.
#ifndef BENCH_DYNAMIC_H
#define BENCH_DYNAMIC_H

#include "bench/bench.h"
#include "volnav/nav.h"

enum { DYNAMIC_FRAME_RATE = 60, DYNAMIC_BOX = 8 };

typedef struct dynamic_options {
    bool wanted;
    uint64_t obstacles, requests; ///< of the crowd; requests a frame
    double seconds;               ///< of the crowd
} dynamic_options;

dynamic_options dynamic_defaults(void);
void dynamic_add_options(args_table* table, dynamic_options* options);
extern const char dynamic_help[];

/// Adds a box of DYNAMIC_BOX voxels a side whose centre is at a lattice point. The null id on failure.
vn_obstacle_id dynamic_add_box(vn_nav* nav, vn_point at);

/// Three measurements on a map with its scenario: one box that moves, a crowd at 60 frames a second, and
/// policies. The world of `in` is used up. Returns EXIT_DONE, EXIT_NO_PATH if an answer was not valid, or
/// EXIT_BAD after a message.
int dynamic_run(const dynamic_options* options, const load_options* load, loaded* in, const vn_3dscen* scen,
                const char* map);

#endif
