/// replan/adaptive_astar.c: Adaptive A* (Koenig and Likhachev 2006; Maruszczyk 2016, 3.5): every search is
/// one from scratch, with the bounds that the searches before it have raised.
#include "replan/adaptive.h"

static const vni_adaptive_rules rules = {0};

static void begin(vni_replan* r) {
    vni_adaptive_begin(r, &rules);
}

const vni_planner_kind vni_plan_adaptive = {
    .name = "adaptive-astar",
    .backward = true,
    .begin = begin,
    .end_changed = vni_adaptive_end_changed,
    .node_went = vni_adaptive_node_went,
    .node_changed = vni_adaptive_node_changed,
    .graph_changed = vni_adaptive_graph_changed,
    .apply = vni_adaptive_apply,
    .step = vni_adaptive_step,
};
