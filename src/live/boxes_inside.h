/// live/boxes_inside.h: the state of live boxes and the scratch of an advance. Private to live/boxes*.c.
#ifndef VNI_LIVE_BOXES_INSIDE_H
#define VNI_LIVE_BOXES_INSIDE_H

#include "base/alloc.h"
#include "live/boxes.h"
#include "live/id_list.h"
#include "live/sorted.h"

typedef enum vni_mark {
    VNI_MARK_NONE,
    VNI_MARK_GONE,
    VNI_MARK_KEPT, ///< a portal: between other boxes than before
    VNI_MARK_CAME,
    VNI_MARK_CHANGED
} vni_mark;

/// By slot, what the advance does to a box or portal; counts if `epoch` is that of the advance.
typedef struct vni_marked {
    uint32_t epoch;
    uint32_t mark;  ///< vni_mark
    uint32_t chain; ///< a box: its first entry in `added`; VNI_NO_SLOT: none
} vni_marked;

typedef struct vni_marks {
    vni_marked* items;
    uint64_t capacity;
} vni_marks;

/// A portal for the list of a box.
typedef struct vni_added {
    uint64_t portal; ///< key << 32 | slot
    uint32_t next;   ///< of the same box
} vni_added;

struct vni_live_boxes {
    vni_live_boxes_def def;
    vni_slot_store store;
    vni_ring ring;

    // the advance in progress, and its scratch
    vni_boxes_delta* delta; ///< null: none is prepared
    uint32_t epoch;
    vni_marks boxes, portals;
    vni_id_list went, came, touched; ///< slots of boxes; touched ones stay, with other portals
    vni_sorted gone;                 ///< portals as key << 32 | slot, ascending
    vni_added* added;
    uint64_t added_capacity;
    uint32_t added_count;
    vni_sorted list, fresh; ///< of one box: its portals; those that are added
};

/// The place of a low corner in the hash: the boxes of a chunk of 16^3 voxels share a page of heads.
uint32_t vni_live_head_of(uint32_t head_count, vn_voxel low);

#endif
