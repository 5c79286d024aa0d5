/// classic/waypoints.h: Krafft's waypoint graph (Krafft 2019, 4.2.2 and 4.4.1): waypoints around obstacles,
/// which move with them.
///
/// A state is the graph in one version of the space: immutable, read by any number of threads. The next one
/// is made from it and from what changed: waypoints far from every change keep what they have.
///
/// - A waypoint is *blocked* unless all voxels that touch it are inside and free: the layer is baked for the
///   agent's radius, so that is where its ball fits.
/// - Direct neighbours (classic/waypoint_plan.h) stay the same for as long as the obstacle is there; the edge
///   to one exists while both are free and see each other.
/// - Indirect neighbours: the nearest waypoints, up to `indirect`, of other obstacles that are free and seen;
///   equally near ones by key. They are chosen anew whenever something near changes, so that edges come and
///   go: all edges are one-way.
///
/// Names: the key of a waypoint is obstacle slot * VNI_WAYPOINTS_EACH + its place. Its id, VN_FIRST_NODE or
/// more, stays the same from version to version while the obstacle does, and is not given to another in the
/// version in which it went.
#ifndef VNI_CLASSIC_WAYPOINTS_H
#define VNI_CLASSIC_WAYPOINTS_H

#include "classic/waypoint_plan.h"
#include "space/space.h"
#include "volnav/changes.h"

/// Edge of the cells in which waypoints are looked up, voxels.
#define VNI_WAYPOINT_CELL 8

/// Most indirect neighbours.
#define VNI_MAX_INDIRECT 16

/// A separate shape for the waypoints of an obstacle, in the obstacle's frame; null: its own.
typedef const vn_shape* vni_waypoint_shape(void* user, vn_obstacle_id id, const vn_shape* shape);

typedef struct vni_waypoints_def {
    vn_allocator allocator;
    double radius;             ///< of the agent, metres
    double margin;             ///< corners' waypoints are sqrt(3) * (radius + margin) away, metres
    double spacing;            ///< most between two along an edge, metres
    uint32_t indirect;         ///< indirect neighbours, up to VNI_MAX_INDIRECT
    vni_waypoint_shape* shape; ///< may be null
    void* shape_user;
} vni_waypoints_def;

/// An obstacle with waypoints.
typedef struct vni_waypoint_owner {
    vn_obstacle_id id;
    vn_transform transform;
    vni_waypoint_plan* plan;
    uint32_t first; ///< its first node
} vni_waypoint_owner;

typedef struct vni_waypoint {
    vn_point point; ///< vn_point_outside if it is not in the space
    uint32_t owner;
    uint32_t first, count; ///< edges in `to`
    bool blocked;
    double reach; ///< voxels: nothing farther away than this can change its indirect neighbours
} vni_waypoint;

typedef struct vni_waypoints {
    vni_waypoints_def def;
    const vn_space* space;      ///< of the version; must outlive the state
    vni_waypoint_owner* owners; ///< by slot
    uint64_t owner_capacity;
    uint32_t owner_count;
    uint32_t without;    ///< obstacles that have no waypoints: voxel sets
    vni_waypoint* nodes; ///< by owner, then place: in order of their keys
    uint32_t node_count;
    uint32_t* to;         ///< nodes
    uint32_t* back_first; ///< by node, plus one: edges that lead to it, in order of where they come from
    uint32_t* back;       ///< nodes that they come from
    uint64_t to_capacity;
    uint32_t to_count;
    uint32_t* cell_first; ///< by cell of the space, plus one
    uint32_t* cell_nodes; ///< free nodes by cell, then number
    uint32_t cells[3], cell_count, free_count;
    uint32_t* ids;      ///< by node
    uint32_t* nodes_of; ///< by id - VN_FIRST_NODE: node, or UINT32_MAX
    uint32_t id_count;  ///< ids are below VN_FIRST_NODE + this
} vni_waypoints;

/// The first state: `obstacles` lists all that are there, as came (`is`), by slot. Obstacles whose flags open
/// them to the layer, or that mark unknown space, are left out. VN_OUT_OF_MEMORY, VN_TOO_LARGE: then `*out`
/// is zeroed.
vn_status vni_waypoints_make(const vni_waypoints_def* def, const vn_space* space,
                             const vn_obstacle_change* obstacles, uint32_t count, vni_waypoints* out,
                             vn_detail* detail);

/// Writes the obstacles with their plans; and makes the first state from them. Where waypoints stand, what is
/// blocked and all edges are found anew in `space`; ids begin anew, too. VN_BAD_FORMAT, VN_OUT_OF_MEMORY,
/// VN_TOO_LARGE: then `*out` is zeroed.
void vni_waypoints_write(const vni_waypoints* waypoints, vni_number_writer* w);
vn_status vni_waypoints_read(const vni_waypoints_def* def, const vn_space* space, vni_number_reader* in,
                             vni_waypoints* out, vn_detail* detail);

/// A zeroed one is allowed. On the updating thread, like all that makes states: they share plans.
void vni_waypoints_free(vni_waypoints* waypoints);
size_t vni_waypoints_bytes(const vni_waypoints* waypoints);

/// What the next state changed by node; the lists are the caller's to free, and keep their memory.
typedef struct vni_waypoint_delta {
    uint32_t *came, *went, *changed; ///< ids
    uint64_t came_capacity, went_capacity, changed_capacity;
    uint32_t came_count, went_count, changed_count;
} vni_waypoint_delta;

void vni_waypoint_delta_free(const vn_allocator* allocator, vni_waypoint_delta* delta);

/// The state after `before`: obstacles that came, went, moved or got other flags, by slot, and the bricks in
/// which the two spaces differ. Statuses as above; `before` stays as it is. O(waypoints) copies + what is
/// near a change.
vn_status vni_waypoints_next(const vni_waypoints* before, const vn_space* space,
                             const vn_obstacle_change* obstacles, uint32_t obstacle_count,
                             const vn_brick_change* bricks, uint32_t brick_count, vni_waypoints* out,
                             vni_waypoint_delta* delta, vn_detail* detail);

static inline uint32_t vni_waypoint_key(const vni_waypoints* w, uint32_t node) {
    const vni_waypoint_owner* owner = &w->owners[w->nodes[node].owner];
    return (owner->id.index1 - 1) * VNI_WAYPOINTS_EACH + (node - owner->first);
}

/// The free waypoints that a point sees, nearest first (then by number), up to `capacity`, without those of
/// `owner` (UINT32_MAX: of all). `*reach` (may be null): the distance of the last one in voxels, HUGE_VAL if
/// there are fewer than `capacity`. Returns how many.
uint32_t vni_waypoints_seen(const vni_waypoints* waypoints, vn_point from, uint32_t owner, uint32_t capacity,
                            uint32_t* out, double* reach);

#endif
