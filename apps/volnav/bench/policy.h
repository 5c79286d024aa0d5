/// volnav/bench/policy.h: what update policies cost in a scene after Massonnat 2023, 6.5: three obstacles
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

/// Runs the scene on a nav without workers, which has the map and nothing else in it. `space` is the map
/// without obstacles, for the patrols; the same seed gives the same scene. False if the map has no path to
/// watch.
bool policy_run(vn_nav* nav, const vn_space* space, const vn_3dscen* scen, uint64_t seed, uint64_t ticks,
                policy_figures* out);

#endif
