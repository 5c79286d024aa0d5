/// volnav/bench/policy.h: cost of update policies in a scene after Massonnat 2023, 6.5: three obstacles
/// patrol along the map's own paths, and one path between two points is kept up to date.
#ifndef BENCH_POLICY_H
#define BENCH_POLICY_H

#include "volnav/io.h"
#include "volnav/nav.h"

typedef struct policy_figures {
    double seconds;            ///< processor time of updates and new paths, a second of the scene
    double update_seconds;     ///< of updates alone
    uint64_t updates, replans; ///< in all ticks
    uint64_t ticks;
} policy_figures;

enum { POLICY_COUNT = 2 };

/// Runs the scene on navs without workers, each of which has the map and nothing else in it, tick by tick in
/// rotated turns. `space` is the map without obstacles, for the patrols; the same seed gives the same
/// patrols. Returns EXIT_DONE, or EXIT_BAD after a message: the map has no path to watch, or a call failed.
int policy_run(vn_nav* const navs[POLICY_COUNT], const vn_space* space, const vn_3dscen* scen, uint64_t seed,
               uint64_t ticks, policy_figures out[POLICY_COUNT]);

#endif
