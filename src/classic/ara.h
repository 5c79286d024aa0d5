/// classic/ara.h: ARA* (Likhachev, Gordon and Thrun 2003; Krafft 2019 2.2.2 and 4.3.2.2): a first path soon,
/// then better ones, each with a bound on how much dearer than the best it can be.
///
/// Passes run A* with a weight on the lower bound that starts at `first` and falls by `step` to 1. A pass
/// expands each node at most once; nodes that get cheaper after that wait, once each, in the list of the
/// inconsistent for the next pass. What earlier passes found is kept: only the keys change. After a pass the
/// cost of its path is at most `bound` times the least on this graph:
///
///     bound = min(weight, g(goal) / min of g + h over the open and the inconsistent nodes)
///
/// The bound never rises, and neither does the cost. When it is 1 the path is as cheap as A*'s and the search
/// ends, perhaps before the weight is down at 1.
///
/// The inconsistent share the open set's memory, which has an entry for every node: nothing is allocated, and
/// a scratch as A* needs it is enough.
#ifndef VNI_CLASSIC_ARA_H
#define VNI_CLASSIC_ARA_H

#include "graph/cost.h"
#include "graph/graph.h"
#include "graph/observer.h"
#include "search/scratch.h"

/// Passes that one search may have.
#define VNI_ARA_MAX_PASSES ((uint32_t)1 << 20)

typedef struct vni_ara_def {
    double first;    ///< the first weight, 1 to 1e6 (the thesis: 3)
    double step;     ///< what it falls by, > 0 (the thesis: 0.2 and 0.4)
    uint64_t budget; ///< expansions in all passes; 0: no limit
} vni_ara_def;

/// Public to read: what the last finished pass found, and what there is so far.
typedef struct vni_ara {
    vni_ara_def def;
    const vn_graph* graph;
    const vni_cost* cost;
    vni_scratch* scratch;
    vni_heap open;
    uint32_t incons_count; ///< they lie at the end of the open set's memory, growing downwards
    uint32_t start, goal;
    vn_point goal_point;
    double next_weight; ///< of the pass that runs or comes next
    bool pass_ended;    ///< and none has begun yet
    vn_status status;

    uint32_t passes;   ///< finished so far
    double weight;     ///< of the last finished pass; 0 before the first is
    double bound;      ///< of the path after it; 0 if nothing is promised: before the first, or if the cost's
                       ///< lower bound is only a guess
    double path_cost;  ///< g of the goal after it, voxel units
    uint64_t expanded; ///< in all passes
    uint64_t expanded_by_pass; ///< in the pass that runs, or in the last one: its closed set
    uint64_t touched;
    const vni_observer* observer; ///< null after begin: set it then
} vni_ara;

/// As vni_best_first_begin. VN_BAD_ARGUMENT if first or step are out of their ranges, or would make more than
/// VNI_ARA_MAX_PASSES passes.
vn_status vni_ara_begin(vni_ara* ara, const vni_ara_def* def, const vn_graph* graph, const vni_cost* cost,
                        vni_scratch* scratch, uint32_t start, uint32_t goal);

/// Expands up to `max_expansions` nodes, but comes back at the end of each pass (`passes` is then one more),
/// so that the path can be published: VN_RUNNING; VN_OK after the last pass; VN_NO_PATH; VN_BUDGET_SPENT and
/// VN_CAPACITY, with the path so far if vni_ara_has_path. Once ended, stays ended.
///
/// At any time the parents (vni_scratch_parent) lead from the goal, if reached, to the start. That path costs
/// no more than g of the goal, and may cost less until the pass ends, because a node on it may have become
/// cheaper without the goal having been told.
vn_status vni_ara_step(vni_ara* ara, uint64_t max_expansions);

/// Has the goal been reached, be it in a pass that was not finished?
bool vni_ara_has_path(const vni_ara* ara);

#endif
