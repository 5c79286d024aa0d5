/// live/boxes.h: free space as boxes that share faces, of any decomposition (cells, leaves of an octree,
/// merged boxes), as a graph that changes from version to version and keeps the names of what did not.
///
/// A box is known by its low corner: boxes are disjoint. Each shared face of two boxes is a *portal*, known
/// by its key: 3 * (index of the low voxel of its rectangle, on the upper side, x fastest) + axis. A box has
/// a slot for as long as it exists; a portal for as long as its rectangle does, whatever happens to the boxes
/// on both sides. Node ids are slots + VN_FIRST_NODE (live/boxes_view.h).
///
/// An advance gets the boxes that went and came, asks the source for the neighbours of those that came, and
/// writes the records that change (live/slots.h): O(boxes that went and came, their neighbours, and the
/// portals of all of these) + O(all pages) pointers. It also lists what changed by node, for two graphs:
///
///     centres      boxes are nodes; neighbours over portals         changed: portals of the box differ
///     transitions  portals are nodes; neighbours on the same box    changed: portals of one of its boxes do
///
/// One thread at a time advances; any thread pins versions and holds deltas.
#ifndef VNI_LIVE_BOXES_H
#define VNI_LIVE_BOXES_H

#include "geom/box.h"
#include "graph/graph.h"
#include "live/id_list.h"
#include "live/ring.h"
#include "live/slots.h"

/// The arrays of a version (vni_slot_version.arrays).
typedef enum vni_live_array {
    VNI_LIVE_BOXES,
    VNI_LIVE_PORTALS,
    VNI_LIVE_LISTS,
    VNI_LIVE_HEADS
} vni_live_array;

typedef struct vni_live_box {
    vni_box box;
    uint32_t list;  ///< its portals: the first record of the list, or VNI_NO_SLOT
    uint32_t next;  ///< the next box with the same hash
    uint32_t count; ///< portals
} vni_live_box;

typedef struct vni_live_portal {
    uint32_t boxes[2]; ///< slots; the lower one along the axis first
    uint32_t key;
    vn_point point; ///< the middle of the rectangle
} vni_live_portal;

/// Portals of a box, in order of their keys, which are written beside them: a merge need not look at them.
#define VNI_LIVE_LIST 7
typedef struct vni_live_list {
    uint32_t next;                   ///< record, or VNI_NO_SLOT
    uint32_t portals[VNI_LIVE_LIST]; ///< slots; VNI_NO_SLOT after the last
    uint32_t keys[VNI_LIVE_LIST];
} vni_live_list;

/// Visits boxes; false ends the visit.
typedef bool vni_visit_box(void* user, const vni_box* box);

/// A decomposition, as it is now.
typedef struct vni_boxes_source {
    const void* self;

    /// Visits the boxes that share part of a face with `box`, which is one of them; each once, in any order.
    /// False if the visit ended it. An advance asks once for each box that came, in their order.
    bool (*neighbours)(const void* self, const vni_box* box, vni_visit_box* visit, void* user);
} vni_boxes_source;

/// What a new version of a decomposition changed. No box is in both lists.
typedef struct vni_box_changes {
    const vn_voxel_box* went;
    const vn_voxel_box* came;
    uint32_t went_count, came_count;
    const vni_box* costs; ///< voxels in which costs changed: nodes of boxes that overlap one count as changed
    uint32_t cost_count;
    bool skips; ///< versions in between are left out: there is no delta of this one
} vni_box_changes;

typedef enum vni_boxes_graph { VNI_BOXES_CENTRES, VNI_BOXES_TRANSITIONS, VNI_BOXES_GRAPHS } vni_boxes_graph;

/// The delta of a version. Lists are in an order that does not depend on history.
typedef struct vni_boxes_delta {
    vni_ring_item item;
    struct {
        vni_id_list came, went, changed;
    } of[VNI_BOXES_GRAPHS];
} vni_boxes_delta;

typedef struct vni_live_boxes vni_live_boxes;

typedef struct vni_live_boxes_def {
    vn_allocator allocator; ///< thread-safe if threads other than the advancing one use it
    int32_t dims[3];        ///< of the space, voxels
    uint32_t history;       ///< deltas kept, 1 or more
    uint32_t graphs;        ///< bits 1 << vni_boxes_graph: for which deltas are listed
} vni_live_boxes_def;

/// Without boxes and without a version: the first advance brings all boxes as came, and has no delta.
/// VN_TOO_LARGE: keys do not fit in 32 bits. VN_OUT_OF_MEMORY.
vn_status vni_live_boxes_make(const vni_live_boxes_def* def, vni_live_boxes** out, vn_detail* detail);

/// Null is allowed. Nothing may be pinned or held.
void vni_live_boxes_free(vni_live_boxes* live);

/// Makes the next version, of this number, which is above all before. On failure (VN_OUT_OF_MEMORY,
/// VN_TOO_LARGE: 2^31 portals) the last version stays, and the next call begins from there. Neighbours that
/// the source gives and that are not known are VN_BAD_DATA.
vn_status vni_live_boxes_advance(vni_live_boxes* live, uint64_t version, const vni_box_changes* changes,
                                 const vni_boxes_source* source, vn_detail* detail);

/// The newest version, null before the first; one more pin on a version that is pinned. Any thread.
const vni_slot_version* vni_live_boxes_pin(vni_live_boxes* live);
const vni_slot_version* vni_live_boxes_pin_again(vni_live_boxes* live, const vni_slot_version* version);
void vni_live_boxes_unpin(vni_live_boxes* live, const vni_slot_version* version);

/// The delta of a version; stays until it is released, also when newer ones come. VN_STALE beyond the ring.
/// VN_BAD_ARGUMENT: no such version yet, and those without a delta above all that have one. Any thread.
vn_status vni_live_boxes_hold(vni_live_boxes* live, uint64_t version, const vni_boxes_delta** out);
void vni_live_boxes_release(vni_live_boxes* live, const vni_boxes_delta* delta);

/// The ring of the deltas, for who holds many.
vni_ring* vni_live_boxes_ring(vni_live_boxes* live);

/// A delta as the public form, which points to its lists.
vn_node_changes vni_boxes_delta_nodes(const vni_boxes_delta* delta, vni_boxes_graph graph);

/// Memory. On the advancing thread.
size_t vni_live_boxes_bytes(const vni_live_boxes* live);

// ---------- reading a pinned version

/// The slot of the box with this low corner; VNI_NO_SLOT if there is none. O(1) on average.
uint32_t vni_live_find(const vni_slot_version* version, vn_voxel low);

static inline const vni_live_box* vni_live_box_at(const vni_slot_version* version, uint32_t slot) {
    return (const vni_live_box*)vni_slots_at(&version->arrays[VNI_LIVE_BOXES], slot);
}
static inline const vni_live_portal* vni_live_portal_at(const vni_slot_version* version, uint32_t slot) {
    return (const vni_live_portal*)vni_slots_at(&version->arrays[VNI_LIVE_PORTALS], slot);
}
static inline const vni_live_list* vni_live_list_at(const vni_slot_version* version, uint32_t slot) {
    return (const vni_live_list*)vni_slots_at(&version->arrays[VNI_LIVE_LISTS], slot);
}
static inline bool vni_live_has_box(const vni_slot_version* version, uint32_t slot) {
    return vni_slots_has(&version->arrays[VNI_LIVE_BOXES], slot);
}
static inline bool vni_live_has_portal(const vni_slot_version* version, uint32_t slot) {
    return vni_slots_has(&version->arrays[VNI_LIVE_PORTALS], slot);
}

#endif
