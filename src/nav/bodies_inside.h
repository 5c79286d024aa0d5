/// nav/bodies_inside.h: obstacles that are the bodies of agents, as each version of a nav knows them. For
/// this module only.
#ifndef VNI_NAV_BODIES_INSIDE_H
#define VNI_NAV_BODIES_INSIDE_H

#include "dynamic/dynamic.h"
#include "volnav/nav.h"

struct vni_nav_version;

/// The bodies of agents in a version. No padding: they are compared as bytes.
typedef struct vni_nav_body {
    vn_obstacle_id id;
    uint32_t layer, first, count; ///< its bricks in this layer
} vni_nav_body;

typedef struct vni_nav_bodies {
    vni_nav_body* items; ///< by slot of the world, then by layer
    vni_own_brick* bricks;
    uint64_t item_capacity, brick_capacity;
    uint32_t item_count, brick_count;
} vni_nav_bodies;

/// What the obstacles of one agent alone block in a layer of a version.
typedef struct vni_nav_agent {
    const vni_occupancy* occupancy;
    const vni_own_brick* bricks[VN_MAX_INSIDE];
    uint32_t brick_counts[VN_MAX_INSIDE], count;
    vni_body body; ///< the same, for queries and the checker
} vni_nav_agent;

/// Finds the bodies in the current state of the layers: update.bodies. False if memory runs out. On the
/// thread of the update.
bool vni_nav_bodies_find(vn_nav* nav);
bool vni_nav_bodies_same(const vni_nav_bodies* a, const vni_nav_bodies* b);

/// Gives them to a new version; update.bodies gets the memory of its old ones.
void vni_nav_bodies_put(vn_nav* nav, struct vni_nav_version* version);
void vni_nav_bodies_free(const vn_nav* nav, vni_nav_bodies* bodies);

/// May a request or a watch name these obstacles? VN_CAPACITY, VN_STALE_ID, VN_UNSUPPORTED. On the host's
/// thread.
vn_status vni_nav_check_inside(const vn_nav* nav, const vn_obstacle_id* ids, uint32_t count,
                               vn_detail* detail);

/// The voxels that these obstacles alone block in a space of a version; null if there are none. `out` must
/// stay where it is. Any thread that holds the version.
const vni_body* vni_nav_agent_body(const struct vni_nav_version* version, const vn_space* space,
                                   const vn_obstacle_id* ids, uint32_t count, vni_nav_agent* out);

#endif
