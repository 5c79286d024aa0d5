/// path/shorten.h: dropping vertices by line of sight, as the theses do it: post-smoothing (Albertini
/// 2022, 5.2) and pruning from the goal (Massonnat 2023, 4.2). With a cost, and for everything else, use
/// vni_refine_prune (path/refine.h).
///
/// Both work in place, keep the ends and return the new count; the path is never longer. Inner vertices must
/// be plain (probe/sight.h), so that legs which are free by themselves are free when joined. `log` (may be
/// null) counts the lines of sight. They allocate nothing.
#ifndef VNI_PATH_SHORTEN_H
#define VNI_PATH_SHORTEN_H

#include "graph/observer.h"
#include "path/refine.h"

/// Albertini 2022, algorithm 8: walks from the start and keeps a vertex only where the one after it is no
/// longer in sight of the last one kept. One check for each vertex but the first two.
uint32_t vni_post_smooth(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                         vni_sight_log* log);

/// Massonnat 2023, algorithm 3: the same from the goal backwards. The vertices kept differ, since both are
/// greedy.
uint32_t vni_prune_from_goal(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                             vni_sight_log* log);

#endif
