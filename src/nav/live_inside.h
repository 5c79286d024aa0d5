/// nav/live_inside.h: what a nav with a history keeps: the changes of each version, and graphs that follow
/// the layers. For this module only.
///
///   apply        obstacles that change are gathered, with their shapes        (update)
///   version      a record of all changes is made, and the graphs advance      (update; all of it or nothing)
///   publish      the record enters the ring, the version pins the graphs      (update, in lockstep the host)
///   readers      hold records, pin versions                                   (any thread)
#ifndef VNI_NAV_LIVE_INSIDE_H
#define VNI_NAV_LIVE_INSIDE_H

#include "live/boxes.h"
#include "live/compare.h"
#include "live/grid.h"
#include "live/ring.h"
#include "nav/nav_inside.h"
#include "world/shape_copy.h"

/// An obstacle that has changed, and its shape, which is the entry's to release.
typedef struct vni_gathered {
    vn_obstacle_change change;
    vni_shape_copy* copy;
} vni_gathered;

typedef struct vni_gathered_list {
    vni_gathered* items;
    uint64_t capacity;
    uint32_t count;
} vni_gathered_list;

/// What is known of the obstacle in a slot.
typedef struct vni_known_shape {
    vni_shape_copy* copy; ///< null: none yet
    uint32_t generation;  ///< of the obstacle that it belongs to
    uint32_t at;          ///< its entry in `gathered`, if that has its id
} vni_known_shape;

/// The changes of a version; `changes` points to the rest.
typedef struct vni_nav_record {
    vni_ring_item item;
    vn_changes changes;
    vn_layer_changes layers[VN_MAX_LAYERS];
    vni_difference differences[VN_MAX_LAYERS];
    vni_grid_delta grids[VN_MAX_LAYERS][2]; ///< 6 and 26 neighbours, if followed
    vn_box zones[2 * VN_MAX_ZONES];
    vn_obstacle_change* obstacles;
    vni_shape_copy** copies; ///< of `obstacles`, the record's to release
    uint64_t obstacle_capacity, copy_capacity;
    uint32_t copy_count;
} vni_nav_record;

/// The update's, except `ring` and what `boxes` gives to readers.
typedef struct vni_nav_live {
    vn_allocator allocator;
    vni_ring ring; ///< of vni_nav_record
    vni_live_boxes* boxes[VN_MAX_LAYERS];
    vni_gathered_list gathered; ///< since the newest version; survives failed updates
    vni_known_shape* shapes;    ///< by slot
    uint64_t shape_capacity;
    vni_gathered next; ///< of the change that is about to be applied; copy null: it has an entry
} vni_nav_live;

/// Makes it for the first version, which gets the graphs; nothing if the def has no history.
vn_status vni_nav_live_make(vn_nav* nav, vni_nav_version* version, vn_detail* detail);
void vni_nav_live_free(vn_nav* nav);

/// Before a change is applied: makes sure that it can be noted; false if memory runs out. After it: notes it.
/// On the thread of the update, like the next two.
bool vni_nav_live_expect(vn_nav* nav, const vni_op* op);
void vni_nav_live_note(vn_nav* nav, const vni_op* op);

/// Has an obstacle changed since the newest version?
bool vni_nav_live_has_changes(vn_nav* nav);

/// Makes the record of a new version and brings the graphs up to it. On failure neither has changed. Adds to
/// `*units`.
vn_status vni_nav_live_advance(vn_nav* nav, const vni_nav_version* before, vni_nav_version* version,
                               uint64_t* units, vn_detail* detail);

/// The record of a version enters the ring. Monitor held.
void vni_nav_live_publish(vn_nav* nav, vni_nav_version* version);

/// Unpins the graphs of a version that is recycled; puts its record back if it was not published. Monitor
/// held.
void vni_nav_live_unpin(vn_nav* nav, vni_nav_version* version);

/// gather.c: empties the list. Moves its entries to a record, except for obstacles that are back as they
/// were; false if memory runs out, and nothing has moved.
void vni_nav_gathered_clear(vni_nav_live* live);
bool vni_nav_gathered_reserve(vni_nav_live* live, vni_nav_record* record);
void vni_nav_gathered_move(vni_nav_live* live, vni_nav_record* record);
void vni_nav_gathered_free(vni_nav_live* live);

/// The record's shapes are released, by the thread of the update.
void vni_nav_record_clear(const vn_allocator* allocator, vni_nav_record* record);

#endif
