/// classic/roadmap_inside.h: what a roadmap is made of. Private to classic/roadmap*.c.
#ifndef VNI_CLASSIC_ROADMAP_INSIDE_H
#define VNI_CLASSIC_ROADMAP_INSIDE_H

#include "classic/hybrid_view.h"
#include "classic/overlap.h"
#include "classic/waypoints_view.h"
#include "live/held.h"
#include "live/id_list.h"
#include "live/ring.h"
#include "volnav/roadmap.h"

struct vn_area {
    vni_area voxels;
};

/// One version: a state of the graph, and the space that it is of.
typedef struct vni_roadmap_version {
    uint64_t number;
    uint32_t pins;           ///< under the monitor, like `next`
    vn_space* space;         ///< shared
    vni_hybrid_state hybrid; ///< one of these two
    vni_waypoints waypoints;
    struct vni_roadmap_version* next; ///< the next older one
} vni_roadmap_version;

typedef struct vni_roadmap_delta {
    vni_ring_item item;
    vni_id_list came, went, changed;
    vn_brick_change* bricks; ///< of the space
    uint64_t brick_capacity;
    uint32_t brick_count;
} vni_roadmap_delta;

struct vn_roadmap {
    vn_allocator allocator;
    vn_roadmap_kind kind;
    vni_waypoints_def waypoints;
    vni_hybrid hybrid;
    vni_hybrid_scratch scratch;
    vni_hybrid_delta hybrid_delta; ///< of the last update, like the next two
    vni_waypoint_delta waypoint_delta;
    uint32_t left;
    vn_obstacle_change* sorted; ///< scratch, like the next one
    vn_brick_change* bricks;
    uint64_t sorted_capacity, brick_capacity;
    vni_ring deltas;
#if VOLNAV_THREADS
    vni_monitor* monitor; ///< guards `newest`, and pins and next of versions
#endif
    vni_roadmap_version* newest;
};

/// A shape of a moving obstacle, its separating axes prepared.
struct vn_roadmap_shape {
    vni_overlap overlap;
};

struct vn_roadmap_view {
    vn_roadmap* roadmap;
    const vni_roadmap_version* version;
    vni_held held;          ///< what the source's last advance went through
    vni_hybrid_view hybrid; ///< one of these two
    vni_waypoints_view waypoints;
    vn_graph graph;
};

/// roadmap.c: a roadmap without a version. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_OUT_OF_MEMORY.
vn_status vni_roadmap_make(vn_roadmap_kind kind, const vn_roadmap_def* def, vn_roadmap** out,
                           vn_detail* detail);

/// The bricks that a version changed.
typedef struct vni_brick_list {
    const vn_brick_change* items;
    uint32_t count;
} vni_brick_list;

/// Makes the graph of a version that has its space, and says what it changed (but for the first one).
typedef vn_status vni_roadmap_fill(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                                   vni_brick_list* bricks, vn_detail* detail);

/// roadmap.c: the first version.
vn_status vni_roadmap_begin(vn_roadmap* roadmap, const vn_space* space, uint64_t number,
                            vni_roadmap_fill* fill, void* user, vn_detail* detail);

/// roadmap.c: the next version, with what it changed by node, which `fill` leaves in the roadmap's deltas. If
/// it fails the last one stays.
vn_status vni_roadmap_advance(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                              vni_roadmap_fill* fill, void* user, vn_detail* detail);

/// roadmap.c: can the roadmap follow to this version of a space? VN_BAD_ARGUMENT.
vn_status vni_roadmap_check_next(const vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                                 vn_detail* detail);

/// roadmap.c: what a record of the ring says by node.
vn_node_changes vni_roadmap_delta_nodes(const vni_roadmap_delta* delta);

/// roadmap.c: the newest version, until it is unpinned. Any thread.
const vni_roadmap_version* vni_roadmap_pin(vn_roadmap* roadmap);
void vni_roadmap_unpin(vn_roadmap* roadmap, const vni_roadmap_version* version);

#endif
