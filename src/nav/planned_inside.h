/// nav/planned_inside.h: requests that a planner of the host answers. For this module only.
#ifndef VNI_NAV_PLANNED_INSIDE_H
#define VNI_NAV_PLANNED_INSIDE_H

#include "nav/nav_inside.h"

/// Can the request's planner, if it has one, answer it? On the host's thread. Outside.
vn_status vni_nav_check_planner(vn_nav* nav, const vn_nav_request* request, vn_detail* detail);

/// Brings the planner to the ends and to the version of the request; takes its result over. On the thread of
/// the worker that has the request. Outside.
vn_status vni_nav_plan_begin(vni_request* request);
void vni_nav_plan_end(vni_request* request, bool is_cancelled);

#endif
