/// replan/any_angle_ad.c: any-angle AD* (which Krafft 2019, 6.4, wishes for): the passes of AD* over lines of
/// sight. A line is taken only where it is no longer than the edges that it replaces, so that the path of a
/// pass costs at most its weight times the least on the graph, as that of AD* does.
#include "replan/ad_star.h"
#include "replan/any_angle.h"
#include "replan/family.h"

static void begin(vni_replan* r) {
    vni_ad_begin(r);
    vni_any_angle_begin(r);
}

static bool graph_changed(vni_replan* r, uint32_t nodes) {
    return vni_ad_graph_changed(r, nodes) && vni_any_angle_graph_changed(r, nodes);
}

static vn_status step(vni_replan* r, uint64_t budget) {
    if (vni_graph_has_zones(r->core.graph))
        return VN_UNSUPPORTED; // one came
    return vni_ad_step(r, budget, vni_any_angle_mend);
}

/// The cost is the length: where a node waits for the next pass, those below it do not know its better path.
static vn_status lay(vni_replan* r, double* cost) {
    const vn_status status = vni_replan_lay(r);
    *cost = 0;
    for (uint32_t i = 1; i < r->point_count; ++i)
        *cost += vni_distance(r->points[i - 1], r->points[i]);
    return status;
}

const vni_planner_kind vni_plan_aa_ad = {
    .name = "aaad-star",
    .backward = true,
    .needs = VN_GRAPH_REVERSES | VN_GRAPH_SEES,
    .rules = {.offer = vni_any_angle_offer,
              .stay = vni_any_angle_stay,
              .waits = vni_ad_waits,
              .expanded = vni_ad_expanded},
    .begin = begin,
    .pause = vni_ad_end_pass,
    .end_changed = vni_ad_end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = graph_changed,
    .apply = vni_any_angle_apply,
    .step = step,
    .lay = lay,
};
