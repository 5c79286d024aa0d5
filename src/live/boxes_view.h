/// live/boxes_view.h: one reader's graph over a pinned version of live boxes, with its own start and goal.
///
/// Nodes: VN_START_NODE, VN_GOAL_NODE, and slot + VN_FIRST_NODE of each box (centres) or portal
/// (transitions). An end is joined with its box's centre, or with all of its portals, and with the other end
/// in the same box; a view without ends has none of these edges. Moving an end touches nothing that is
/// shared; the nodes whose edges it changes are those next to it before and after.
///
/// Between the centres of two boxes the straight segment may miss their portal; then the edge bends at the
/// middle of the portal, and costs its length. Edges are symmetric. Keys: 0 and 1 for the ends, then the
/// portal's key + 2; for centres the index of the box's low voxel + 2.
#ifndef VNI_LIVE_BOXES_VIEW_H
#define VNI_LIVE_BOXES_VIEW_H

#include "graph/cost.h"
#include "live/boxes.h"
#include "occupancy/occupancy.h"

typedef struct vni_boxes_view {
    const vni_slot_version* version; ///< pinned by the caller
    const vni_occupancy* occupancy;  ///< of the same version, for sight; null: it sees nothing
    vni_boxes_graph kind;
    const vni_cost* cost; ///< null: length
    int32_t dims[3];      ///< of the space
    vn_point ends[2];
    uint32_t end_boxes[2]; ///< slots; VNI_NO_SLOT: no such end
} vni_boxes_view;

/// Without ends. `cost` and `occupancy` may be null and must outlive the view.
void vni_boxes_view_make(const vni_slot_version* version, const int32_t dims[3],
                         const vni_occupancy* occupancy, vni_boxes_graph kind, const vni_cost* cost,
                         vni_boxes_view* out);

/// Puts an end (0: start, 1: goal) into the box with this low corner, which holds the point in its closed
/// box; false, with the end gone, if there is no such box. O(1).
bool vni_boxes_view_set_end(vni_boxes_view* view, uint32_t end, vn_point point, vn_voxel box_low);

/// The view as a graph. Points to `view`, which must not move.
vn_graph vni_boxes_view_graph(const vni_boxes_view* view);

/// Is there an edge between these two centres that bends? Then `*at` is where.
bool vni_boxes_view_bend(const vni_boxes_view* view, uint32_t a, uint32_t b, vn_point* at);

#endif
