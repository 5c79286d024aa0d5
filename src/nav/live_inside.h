/// nav/live_inside.h: what a nav with a history keeps: the changes of each version, and graphs that follow
/// the layers. For this module only.
///
///   apply        obstacles that change are gathered, with their shapes        (update)
///   version      a record of all changes is made                              (update; all of it or nothing)
///   publish      the record enters the ring                                   (update, in lockstep the host)
///   readers      hold records, pin versions                                   (any thread)
///   follow       a reader that goes on takes the graph over the cells along: it advances by the records up
///                to the version that the reader pins                          (any thread, one at a time)
///
/// So an update pays for a graph over cells no more than what its record has: cells that went and came, and
/// the neighbours of these. If no reader has come for longer than the records last, the graph is compared
/// with the cells of the newest version instead: O(cells), names are kept, and there are no deltas in
/// between. No reader misses them: one that was there would be as far behind, and is told VN_STALE.
#ifndef VNI_NAV_LIVE_INSIDE_H
#define VNI_NAV_LIVE_INSIDE_H

#include "live/boxes.h"
#include "live/compare.h"
#include "live/grid.h"
#include "live/recorded.h"
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
    vni_recorded neighbours[VN_MAX_LAYERS]; ///< of the cells that came, if a graph over them is followed
    vni_grid_delta grids[VN_MAX_LAYERS][2]; ///< 6 and 26 neighbours, if followed
    vn_box zones[2 * VN_MAX_ZONES];
    vn_obstacle_change* obstacles;
    vni_shape_copy** copies; ///< of `obstacles`, the record's to release
    uint64_t obstacle_capacity, copy_capacity;
    uint32_t copy_count;
} vni_nav_record;

/// The graph over the cells of a layer. Readers advance it, one at a time, under its monitor; what they pin
/// and hold of it they read without.
typedef struct vni_nav_follower {
    vni_live_boxes* boxes; ///< null: none
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
    uint64_t version;           ///< that the graph shows
    const vni_ring_item** held; ///< history of them: the records of an advance
    vni_difference difference;  ///< if there are no records
} vni_nav_follower;

/// The update's, except `ring` and `followers`.
typedef struct vni_nav_live {
    vn_allocator allocator;
    vni_ring ring; ///< of vni_nav_record
    vni_nav_follower followers[VN_MAX_LAYERS];
    vni_gathered_list gathered; ///< since the newest version; survives failed updates
    vni_known_shape* shapes;    ///< by slot
    uint64_t shape_capacity;
    vni_gathered next; ///< of the change that is about to be applied; copy null: it has an entry
} vni_nav_live;

/// Makes it for the first version; nothing if the def has no history.
vn_status vni_nav_live_make(vn_nav* nav, const vni_nav_version* version, vn_detail* detail);
void vni_nav_live_free(vn_nav* nav);

/// Before a change is applied: makes sure that it can be noted; false if memory runs out. After it: notes it.
/// On the thread of the update, like the next two.
bool vni_nav_live_expect(vn_nav* nav, const vni_op* op);
void vni_nav_live_note(vn_nav* nav, const vni_op* op);

/// Has an obstacle changed since the newest version?
bool vni_nav_live_has_changes(vn_nav* nav);

/// Makes the record of a new version. On failure there is none. Adds to `*units`.
vn_status vni_nav_live_advance(vn_nav* nav, const vni_nav_version* before, vni_nav_version* version,
                               uint64_t* units, vn_detail* detail);

/// The record of a version enters the ring. Monitor held.
void vni_nav_live_publish(vn_nav* nav, vni_nav_version* version);

/// A version is recycled: unpins its graphs, and puts its record back if it was not published. Monitor held.
void vni_nav_live_drop(vn_nav* nav, vni_nav_version* version);

/// live.c: the zones of a record that changed, as boxes of voxels, rounded outwards; returns their number.
uint32_t vni_nav_record_costs(const vni_nav_record* record, const vn_space* space, vni_box* out);

/// follow.c: makes the graph over the cells of a layer, for the first version; frees it.
vn_status vni_nav_follower_make(const vn_nav* nav, uint32_t layer, const vn_space* space, vn_detail* detail);
void vni_nav_follower_free(const vn_nav* nav, uint32_t layer);

/// Pins the newest version that is not after `most` nor before `*version` (may be null), and the graph of a
/// layer in that version, which is brought up to it. A version that the graph is past has kept it, if it was
/// held when the graph went by; if not, it is the newest version all the same. On any thread; waits for
/// another reader that does the same. VN_OUT_OF_MEMORY, VN_TOO_LARGE: nothing is pinned; the graph shows the
/// last version that it reached, and the next call goes on from there.
vn_status vni_nav_follow(vn_nav* nav, uint32_t layer, uint64_t most, vni_nav_version** version,
                         const vni_slot_version** graph, vn_detail* detail);

/// gather.c: empties the list. Moves its entries to a record, except for obstacles that are back as they
/// were; false if memory runs out, and nothing has moved.
void vni_nav_gathered_clear(vni_nav_live* live);
bool vni_nav_gathered_reserve(vni_nav_live* live, vni_nav_record* record);
void vni_nav_gathered_move(vni_nav_live* live, vni_nav_record* record);
void vni_nav_gathered_free(vni_nav_live* live);

/// The record's shapes are released, by the thread of the update.
void vni_nav_record_clear(const vn_allocator* allocator, vni_nav_record* record);

#endif
