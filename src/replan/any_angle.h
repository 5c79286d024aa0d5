/// replan/any_angle.h: lines of sight as edges that the search finds by itself, for the planners that have
/// them (any_angle.c says how). Inside the module only.
#ifndef VNI_REPLAN_ANY_ANGLE_H
#define VNI_REPLAN_ANY_ANGLE_H

#include "replan/replan_inside.h"

// The rules (replan/lifelong.h).
double vni_any_angle_offer(vni_lifelong* l, uint32_t from, uint32_t to, double edge, uint32_t* parent);
double vni_any_angle_stay(vni_lifelong* l, uint32_t id);

/// After the family's begin.
void vni_any_angle_begin(vni_replan* r);

/// Cuts the lines that a version has closed.
bool vni_any_angle_graph_changed(vni_replan* r, uint32_t nodes);
void vni_any_angle_apply(vni_replan* r);

/// When a search has ended with a path: puts a leg right that is not, or finds lines that shorten it. False:
/// it stays as it is. True: the search goes on; `flaws` counts the legs, and too many begin anew.
bool vni_any_angle_mend(vni_replan* r, uint32_t* flaws);

#endif
