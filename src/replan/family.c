/// replan/family.c: what the planners of the D* Lite family do alike.
#include "replan/family.h"

#include <string.h>

void vni_family_begin(vni_replan* r) {
    const vn_graph* graph = r->source.graph(r->source.self);
    const vni_cost bounds = vni_replan_bounds(r);
    r->core.weight = r->core.under_weight = 1;
    const uint32_t leaf = r->core.backward ? VN_START_NODE : VN_GOAL_NODE;
    vni_lifelong_begin(&r->core, graph, &bounds, vni_replan_end(r, leaf));
}

bool vni_family_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    if (node == r->core.root) {
        vni_lifelong_touch_root(&r->core);
        return !is_elsewhere;
    }

    // one that is no longer blocked may be elsewhere, too
    const vn_point leaf = vni_replan_end(r, node);
    if (memcmp(&leaf, &r->core.leaf_point, sizeof leaf) != 0)
        vni_lifelong_move_leaf(&r->core, leaf);
    vni_lifelong_touch(&r->core, node);
    return true;
}

void vni_family_node_went(vni_replan* r, uint32_t node) {
    vni_lifelong_forget(&r->core, node);
}

void vni_family_node_changed(vni_replan* r, uint32_t node) {
    vni_lifelong_touch(&r->core, node);
}

bool vni_family_graph_changed(vni_replan* r, uint32_t nodes) {
    (void)nodes;
    const vni_cost bounds = vni_replan_bounds(r);
    const bool same = bounds.least == r->core.cost.least;
    r->core.cost = bounds;
    if (!same)
        vni_lifelong_rekey(&r->core);
    return true;
}

void vni_family_apply(vni_replan* r) {
    vni_lifelong_apply(&r->core);
}

vn_status vni_family_step(vni_replan* r, uint64_t max_expansions) {
    return vni_lifelong_step(&r->core, &max_expansions);
}
