/// volnav/experiment/follower.h: an octree or a merged octree that follows a moving place, and paths on it.
#ifndef EXPERIMENT_FOLLOWER_H
#define EXPERIMENT_FOLLOWER_H

#include "experiment/moving.h"

/// Make it with {0} and follower_open; free with follower_close.
typedef struct follower {
    vn_classic* classic;
    vn_classic_query* query;
} follower;

/// On the newest version of the place. EXIT_BAD after a message.
int follower_open(const moving_place* place, vn_classic_kind kind, bool greedy, follower* out);
void follower_close(follower* f);

/// Seconds of one update.
typedef struct follower_times {
    double tree, graph;
} follower_times;

/// Follows to a space, which stays until the next call has returned; `changes` are what changed since the
/// last one.
int follower_update(follower* f, const vn_space* space, const vn_layer_changes* changes,
                    follower_times* times);

/// A* over transitions, as in Massonnat 2023, without refinement. Its points live until the next call.
run_row follower_find(follower* f, const moving_place* place, vn_point from, vn_point to, double snap);

uint64_t follower_cells(const follower* f);

#endif
