/// replan/dstar_lite.c: D* Lite (Koenig and Likhachev 2002): LPA* from the goal, so that the start may move:
/// it is the leaf, and the family follows leaves.
///
/// With a weight above 1 on the bounds, keys of under-consistent nodes keep the plain bound, or some would
/// still be waiting when the search ends (Krafft 2019, 4.3.3.1). Then old keys are no lower bounds of new
/// ones, because a node may turn from one kind to the other: the open set gets new keys when the start moves.
#include "replan/family.h"

static void begin(vni_replan* r) {
    vni_family_begin(r);
    r->core.weight = r->def.weight;
    r->bound = r->def.weight;
}

static void apply(vni_replan* r) {
    vni_family_apply(r);
    if (r->def.weight > 1 && r->core.km > 0)
        vni_lifelong_rekey(&r->core);
}

const vni_planner_kind vni_plan_dstar_lite = {
    .name = "dstar-lite",
    .backward = true,
    .needs = VN_GRAPH_REVERSES,
    .begin = begin,
    .end_changed = vni_family_end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_family_graph_changed,
    .apply = apply,
    .step = vni_family_step,
};
