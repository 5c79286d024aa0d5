/// replan/field.h: what the search of Field D* and the walk along its field share: nodes at the corners of
/// voxels, and how a cell sees them. Private to Field D*.
///
/// Eight cells meet at a corner; one is named by x + 2 y + 4 z, 1 for the high side. Those that are free fall
/// into *groups*, joined by faces among the eight; a path does not pass from one group to another there
/// (docs/contact.md). So every group of a corner is a node of its own, with the cells of the group as a mask:
/// up to four, because no two free cells of different groups share a face. Nearly all corners have one.
///
/// A cell's own corners are named the same way, from its low one: from corner t of a cell, the cell is the
/// one named 7 - t.
#ifndef VNI_REPLAN_FIELD_H
#define VNI_REPLAN_FIELD_H

#include "replan/replan_inside.h"

enum { VNI_FIELD_GROUPS = 4 };

/// Marks of nodes, above those of the core.
enum { VNI_FIELD_MASK_SHIFT = 8, VNI_FIELD_SUPPORT_SHIFT = 16 };

/// The field on the graph of now. Made for each call.
typedef struct vni_field {
    vni_lifelong* core;
    const vn_grid_cells* cells;
    vn_voxel bricks;  ///< of 4 x 4 x 4 corners, along each axis
    uint32_t corners; ///< ids of one group
    bool has_goal;
    vn_voxel goal_cell;
    vn_point goal;
    double settled; ///< for the walk: greatest key that counts
} vni_field;

vni_field vni_field_of(vni_replan* r);

/// Ids of nodes: bricks of corners, group after group.
uint64_t vni_field_node_limit(const vn_graph* graph);

/// All nodes of a small grid. On a large one few corners have several groups: one and a half for each corner.
uint32_t vni_field_usual_nodes(const vn_graph* graph);
uint32_t vni_field_id(const vni_field* field, vn_voxel corner, uint32_t group);
vn_voxel vni_field_corner_of(const vni_field* field, uint32_t id);

/// The voxel that an end is joined with; false if there is no such end.
bool vni_field_end_cell(const vn_graph* graph, uint32_t end, vn_voxel* out);

/// The nodes at the corners of a cell as they are seen from inside, null if unknown, and their costs.
typedef struct vni_field_cell {
    vn_voxel low;
    vni_plan_node* nodes[8];
    double g[8];
} vni_field_cell;

/// A lower bound of what the way from the start to a corner costs, as the search needs it (replan/field.c).
double vni_field_bound(const vni_field* field, vn_voxel corner);

/// The greatest key, without km, of the corners of the start's cell, with a weight on their bounds; HUGE_VAL
/// if one of them is not settled.
double vni_field_leaf_key(const vni_field* field, vn_voxel start, double weight);

void vni_field_load(const vni_field* field, vn_voxel cell, vni_field_cell* out);

/// The groups of the cells that are not blocked, as masks, those with the lowest cells first; 0: no more.
void vni_field_groups(const double cost[8], uint32_t out[VNI_FIELD_GROUPS]);

/// The least of c |p| + cost at p over the triangle (1, 0, 0), (1, 1, 0), (1, 1, 1), between whose corners
/// the cost is linear: a, b and d there, HUGE_VAL if unknown. Exact up to rounding.
double vni_field_triangle(double a, double b, double d, double c);

/// Lays the path into r->points, by walking down the field, and finds what it costs. VN_CAPACITY.
vn_status vni_field_lay(vni_replan* r, double* cost);

static inline vn_voxel vni_field_corner(vn_voxel low, uint32_t t) {
    return (vn_voxel){low.x + (int32_t)(t & 1), low.y + (int32_t)(t >> 1 & 1), low.z + (int32_t)(t >> 2)};
}

/// The cell of that name at a corner.
static inline vn_voxel vni_field_beside(vn_voxel corner, uint32_t name) {
    return vni_field_corner((vn_voxel){corner.x - 1, corner.y - 1, corner.z - 1}, name);
}

static inline vn_point vni_field_point(vn_voxel corner) {
    return (vn_point){vni_voxel_to_steps(corner.x), vni_voxel_to_steps(corner.y),
                      vni_voxel_to_steps(corner.z)};
}

/// The cells that belong to a node: those of its group, 0 if nothing is known of it.
static inline uint32_t vni_field_mask(const vni_plan_node* node) {
    return node->marks >> VNI_FIELD_MASK_SHIFT & 255;
}

static inline bool vni_field_same(vn_voxel a, vn_voxel b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
