/// classic/hybrid_view.h: one reader's graph over a hybrid graph in one state, with its own start and goal.
///
/// Nodes: VN_START_NODE, VN_GOAL_NODE, and VN_FIRST_NODE + the number of each used voxel; ids are canonical.
/// An end in a used voxel is joined with that node. Elsewhere it is joined with the nodes that stepping finds
/// from its voxel, as far as it sees them, and if it sees none of these with the nearest one that it does
/// see. Two ends that see each other are joined. Edges to ends and from them go both ways.
#ifndef VNI_CLASSIC_HYBRID_VIEW_H
#define VNI_CLASSIC_HYBRID_VIEW_H

#include "classic/ends.h"
#include "classic/hybrid_state.h"

typedef struct vni_hybrid_view {
    const vni_hybrid_state* state;
    vni_ends ends;
} vni_hybrid_view;

/// Without ends. The state must outlive the view.
void vni_hybrid_view_make(const vni_hybrid_state* state, vni_hybrid_view* out);

/// Puts an end (0: start, 1: goal) at a point that touches `voxel`, which is free. O(1), but O(nodes) if
/// stepping finds no node that is seen.
void vni_hybrid_view_set_end(vni_hybrid_view* view, uint32_t end, vn_point point, vn_voxel voxel);

/// The view as a graph: sees, reverses, has kinds. Points to `view`, which must not move.
vn_graph vni_hybrid_view_graph(const vni_hybrid_view* view);

#endif
