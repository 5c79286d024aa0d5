/// search/best_first.h: Dijkstra (1959), greedy best-first search and A* (Hart, Nilsson, Raphael 1968) as one
/// loop with a weight on g and one on h (Albertini 2022, 5.1.4).
///
/// Order: least g_weight * g + h_weight * h first, then least h, then the canonical order of nodes: total, so
/// that the same request always gives the same path. Closed nodes stay closed: with an admissible lower
/// bound, which on these graphs is also consistent, the cost is at most h_weight times the least (Pohl 1970).
#ifndef VNI_SEARCH_BEST_FIRST_H
#define VNI_SEARCH_BEST_FIRST_H

#include "search/open.h"

typedef struct vni_best_first_def {
    double g_weight, h_weight; ///< A*: 1, 1; Dijkstra: 1, 0; greedy: 0, 1
    bool use_list;             ///< R16's unsorted open list instead of the heap, for comparison only
    bool track_nearest;        ///< remember the node that came nearest to the goal, for partial paths
    uint64_t budget;           ///< expansions; 0: no limit
} vni_best_first_def;

typedef struct vni_best_first {
    vni_best_first_def def;
    const vn_graph* graph;
    const vni_cost* cost;
    vni_scratch* scratch;
    vni_heap open;
    uint32_t start, goal;
    vn_point goal_point;
    uint64_t expanded, touched;
    uint32_t nearest; ///< node with the least lower bound to the goal so far, if tracked
    double nearest_h;
    bool goal_waits; ///< the goal has been taken from the open set, but not expanded
    bool full;       ///< an expansion was cut short: the search cannot go on
    vn_status status;
    const vni_observer* observer; ///< null after begin: set it then
} vni_best_first;

/// Begins a search. Graph, cost and scratch must outlive it; the scratch serves one search at a time.
/// VN_CAPACITY if the scratch is too small for the graph.
vn_status vni_best_first_begin(vni_best_first* search, const vni_best_first_def* def, const vn_graph* graph,
                               const vni_cost* cost, vni_scratch* scratch, uint32_t start, uint32_t goal);

/// Expands up to `max_expansions` nodes: VN_RUNNING, VN_OK (goal reached), VN_NO_PATH, VN_BUDGET_SPENT,
/// VN_CAPACITY. Once ended, stays ended.
vn_status vni_best_first_step(vni_best_first* search, uint64_t max_expansions);

/// Continues with another goal after the search has ended: open and closed nodes stay (Albertini 2022, ch.
/// 6). VN_OK at once if the goal is closed already, else as vni_best_first_step. track_nearest is not for
/// such searches. Unless the keys are new or the search is Dijkstra's, nothing is promised of the cost;
/// classic/many.h has the reasons.
vn_status vni_best_first_turn(vni_best_first* search, uint32_t goal, vni_turn how);

/// The node before `node` (closed or open) on the best path found to it; VN_NO_NODE for the start.
static inline uint32_t vni_best_first_parent(const vni_best_first* search, uint32_t node) {
    return vni_scratch_parent(search->scratch, node);
}

/// Cost of that path.
static inline double vni_best_first_g(const vni_best_first* search, uint32_t node) {
    return vni_scratch_g(search->scratch, node);
}

#endif
