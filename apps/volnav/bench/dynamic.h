/// volnav/bench/dynamic.h: updates of a world that changes, measured: `volnav bench --dynamic`.
#ifndef BENCH_DYNAMIC_H
#define BENCH_DYNAMIC_H

#include "bench/bench.h"
#include "bench/policy.h"
#include "shell/stats.h"
#include "volnav/nav.h"

enum { DYNAMIC_FRAME_RATE = 60, DYNAMIC_BOX = 8 };

typedef struct dynamic_options {
    bool wanted;
    uint64_t obstacles, requests; ///< of the crowd; requests a frame
    double seconds;               ///< of the crowd
} dynamic_options;

enum { DYNAMIC_ALWAYS, DYNAMIC_LAST_MOMENT };

/// Everything that is measured.
typedef struct dynamic_figures {
    stats_summary move, query;                ///< seconds of one thread
    stats_summary tick, update, lag, latency; ///< of the crowd: seconds, seconds, ticks, ticks
    uint64_t frames, versions, asked, found, valid, invalid, late;
    uint32_t workers; ///< of the crowd
    policy_figures policies[POLICY_COUNT];
    double stages[VN_STAGE_COUNT]; ///< seconds a move, from a separate run
} dynamic_figures;

dynamic_options dynamic_defaults(void);
void dynamic_add_options(args_table* table, dynamic_options* options);
extern const char dynamic_help[];

/// Adds a box of DYNAMIC_BOX voxels a side whose centre is at a lattice point. EXIT_BAD after a message.
int dynamic_add_box(vn_nav* nav, vn_point at, vn_obstacle_id* out);

/// Three measurements on a map with its scenario: one box that moves, a crowd at 60 frames a second, and
/// policies. Returns EXIT_DONE, EXIT_NO_PATH if a path was not valid, or EXIT_BAD after a message, also if
/// any call failed: no figures are printed then.
int dynamic_run(const dynamic_options* options, const load_options* load, loaded* in, const vn_3dscen* scen,
                const char* map);

/// Prints the figures.
void dynamic_report(const dynamic_options* options, bool json, const char* map,
                    const dynamic_figures* figures);

#endif
