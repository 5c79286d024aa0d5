/// replan/ad_star.h: passes with ever smaller weights (ad_star.c), for the planners that have them. Inside
/// the module only.
#ifndef VNI_REPLAN_AD_STAR_H
#define VNI_REPLAN_AD_STAR_H

#include "replan/replan_inside.h"

// The rules (replan/lifelong.h).
bool vni_ad_waits(vni_lifelong* l, uint32_t id, vni_plan_node* node);
void vni_ad_expanded(vni_lifelong* l, uint32_t id, vni_plan_node* node);

// Of a planner kind.
void vni_ad_begin(vni_replan* r);
void vni_ad_end_pass(vni_replan* r);
bool vni_ad_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere);
bool vni_ad_graph_changed(vni_replan* r, uint32_t nodes);

/// Passes until the last one has ended. `mend` (may be null) looks at the path of each; if it returns true,
/// another pass of the same weight follows.
vn_status vni_ad_step(vni_replan* r, uint64_t budget, bool (*mend)(vni_replan* r, uint32_t* flaws));

#endif
