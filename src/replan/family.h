/// replan/family.h: the functions of a planner kind as D* Lite has them, on the shared core. A planner's file
/// takes them, and writes only what it does differently. Inside the module only.
#ifndef VNI_REPLAN_FAMILY_H
#define VNI_REPLAN_FAMILY_H

#include "replan/replan_inside.h"

/// Begins at the root.
void vni_family_begin(vni_replan* r);

/// A leaf that moves is followed; a root that moves is begun anew, one that stays is looked at again.
bool vni_family_end_changed(vni_replan* r, uint32_t node, bool is_elsewhere);

void vni_family_node_went(vni_replan* r, uint32_t node);
void vni_family_node_changed(vni_replan* r, uint32_t node);

/// New keys for all, if the least cost of the graph is another.
bool vni_family_graph_changed(vni_replan* r, uint32_t nodes);
void vni_family_apply(vni_replan* r);
vn_status vni_family_step(vni_replan* r, uint64_t max_expansions);

#endif
