/// classic/views.h: one query's graph over boxes or voxels, with its own start and goal.
///
/// Two graphs on each: *centres*, the dual graph of Albertini 2022 (nodes are the boxes' centres, joined over
/// shared faces), and *transitions*, the movement graph of Massonnat 2023 4.1 (nodes are the centres of the
/// portals, joined when they lie on one box). Edges are implied; the shared data is not touched. The straight
/// way along an edge is free, but for some between the centres of boxes that are no cubes (merged ones, and
/// leaves of an octree at the rim of the space): where it would miss their portal, the edge bends at the
/// centre of the portal, and costs its length.
///
/// Start and goal are two more nodes, joined with their box's centre or with all of its portals, and with
/// each other if they share a box. Only the centres of voxels are the grid's graph as it is: there the nodes
/// of the two voxels stand for start and goal, and who makes a polyline adds the ends.
///
/// Over boxes and voxels that stay as they are the ends' ids come after all others, or are those of their
/// voxels; with changes (`follow`) they are VN_START_NODE and VN_GOAL_NODE. Fixed ids are for planners that
/// keep names from version to version. Of what stays there is one version, which only the searches of this
/// module see, and the grid's ids are places in memory: two more in front would put 64 neighbours across
/// two lines, for every search on it.
#ifndef VNI_CLASSIC_VIEWS_H
#define VNI_CLASSIC_VIEWS_H

#include "classic/boxes.h"
#include "classic/follow.h"
#include "graph/incidence.h"
#include "live/boxes_view.h"
#include "view/grid.h"

typedef enum vni_view_kind { VNI_VIEW_CENTRES, VNI_VIEW_TRANSITIONS } vni_view_kind;

typedef struct vni_view {
    const vni_boxes* boxes;   ///< one of these three: boxes that stay as they are
    const vni_grid* grid;     ///< voxels (its neighbours count for centres)
    const vni_follow* follow; ///< boxes that follow changes, in the version of `live`
    vni_boxes_view live;
    const vni_occupancy* occupancy;
    vni_view_kind kind;
    vni_incidence incidence; ///< of boxes
    const vn_point* centres; ///< by portal: its centre, or null: they are worked out, which takes longer. Set
                             ///< it after the view has been made
    uint32_t node_count;     ///< without the ends; not of boxes that follow changes
    uint32_t start, goal;    ///< nodes
    vn_point ends[2];        ///< of start and goal
    uint32_t end_cells[2];   ///< boxes, or the grid's nodes of their voxels
} vni_view;

/// The ends' voxels lie in boxes and touch the ends. VN_TOO_LARGE if the ids do not fit. Allocates nothing.
vn_status vni_view_of_boxes(const vni_boxes* boxes, const vni_occupancy* occupancy, vni_view_kind kind,
                            vn_point start, vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel,
                            vni_view* out);
/// The ends' voxels are free and touch the ends. Centres of voxels: the grid's own neighbours, 6 or 26.
/// Transitions: the faces between free voxels (M23's voxel decomposition); id = 3 * (the grid's node above
/// the face) + axis.
vn_status vni_view_of_voxels(const vni_grid* grid, vni_view_kind kind, vn_point start, vn_voxel start_voxel,
                             vn_point goal, vn_voxel goal_voxel, vni_view* out);

/// Boxes that follow changes, in a pinned version, which is the newest, with its occupancy. The ends' voxels
/// lie in boxes and touch the ends.
void vni_view_of_follow(const vni_follow* follow, const vni_slot_version* version,
                        const vni_occupancy* occupancy, vni_view_kind kind, vn_point start,
                        vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel, vni_view* out);

/// The centres of all portals, in order.
void vni_view_centres(const vni_boxes* boxes, vn_point* out);

/// Moves the goal; all else stays.
void vni_view_aim(vni_view* view, vn_point goal, vn_voxel goal_voxel);

/// Ids that any view of this kind may have: what the scratch of a search must hold. 64 bits because it may
/// not fit.
uint64_t vni_view_limit_of_boxes(const vni_boxes* boxes, vni_view_kind kind);
uint64_t vni_view_limit_of_voxels(const vni_grid* grid, vni_view_kind kind);

static inline uint32_t vni_view_start(const vni_view* view) {
    return view->start;
}
static inline uint32_t vni_view_goal(const vni_view* view) {
    return view->goal;
}

/// The view behind the graph interface (VN_GRAPH_SEES by vni_sight, VN_GRAPH_IS_SYMMETRIC; centres of voxels
/// also VN_GRAPH_IS_GRID); it points to `view`, which must stay where it is.
vn_graph vni_view_graph(const vni_view* view);

/// Is there an edge from node a to node b that bends? Then `*at` is where.
bool vni_view_bend(const vni_view* view, uint32_t a, uint32_t b, vn_point* at);

/// The portals that a row of nodes, each joined with the next by an edge, passes through, in order; and how
/// many. Transitions that are touched and not passed are left out. The corridor's boxes are those between the
/// portals. `crossings` (may be null) gets where the edges pass, in voxels. Writes up to `capacity` of each;
/// returns how many there are. Not for centres of voxels with 26 neighbours, whose steps pass through edges
/// and corners: returns UINT32_MAX.
uint32_t vni_view_corridor(const vni_view* view, const uint32_t* nodes, uint32_t count, vni_portal* portals,
                           float (*crossings)[3], uint32_t capacity);

/// The box that a node stands for, for drawing: of transitions the box below the portal.
vni_box vni_view_box(const vni_view* view, uint32_t node);

#endif
