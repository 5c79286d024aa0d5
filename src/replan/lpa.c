/// replan/lpa.c: LPA* (Koenig and Likhachev 2002; Krafft 2019, 2.2.5), the root of the family: it repairs
/// what changes of the graph spoil, and nothing else.
#include "replan/family.h"

static bool end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    return !is_elsewhere && vni_family_end_changed(r, node, false);
}

const vni_planner_kind vni_plan_lpa = {
    .name = "lpa-star",
    .needs = VN_GRAPH_REVERSES,
    .begin = vni_family_begin,
    .end_changed = end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_family_graph_changed,
    .apply = vni_family_apply,
    .step = vni_family_step,
};
