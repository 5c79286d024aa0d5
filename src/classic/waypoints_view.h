/// classic/waypoints_view.h: one reader's graph over a waypoint graph in one state, with its own start and
/// goal.
///
/// An end is joined with the nearest waypoints that it sees, up to VNI_WAYPOINT_JOINS (the thesis takes the
/// nearest one, seen or not), and with the other end if it sees that. Edges to ends and from them go both
/// ways.
#ifndef VNI_CLASSIC_WAYPOINTS_VIEW_H
#define VNI_CLASSIC_WAYPOINTS_VIEW_H

#include "classic/ends.h"
#include "classic/waypoints.h"

#define VNI_WAYPOINT_JOINS 8

typedef struct vni_waypoints_view {
    const vni_waypoints* state;
    vni_ends ends;
} vni_waypoints_view;

/// Without ends. The state must outlive the view.
void vni_waypoints_view_make(const vni_waypoints* state, vni_waypoints_view* out);

/// Puts an end (0: start, 1: goal) at a point that is free.
void vni_waypoints_view_set_end(vni_waypoints_view* view, uint32_t end, vn_point point);

/// The view as a graph: sees, reverses; keys are those of the waypoints. Points to `view`, which must not
/// move.
vn_graph vni_waypoints_view_graph(const vni_waypoints_view* view);

#endif
