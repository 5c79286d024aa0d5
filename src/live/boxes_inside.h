/// live/boxes_inside.h: the state of live boxes and the scratch of an advance. Private to live/boxes*.c.
#ifndef VNI_LIVE_BOXES_INSIDE_H
#define VNI_LIVE_BOXES_INSIDE_H

#include "base/alloc.h"
#include "live/boxes.h"
#include "live/id_list.h"
#include "live/marks.h"
#include "live/sorted.h"

/// In vni_mark.mark.
typedef enum vni_fate {
    VNI_FATE_NONE,
    VNI_FATE_GONE,
    VNI_FATE_KEPT, ///< a portal: between other boxes than before
    VNI_FATE_CAME,
    VNI_FATE_CHANGED
} vni_fate;

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
    vni_marks boxes;        ///< by slot; `chain` is the first entry in `added`
    vni_marks portals;      ///< by slot
    vni_marks near; ///< by index of the low voxel: boxes that came or are touched; `chain` is the slot
    vni_id_list went, came, touched; ///< slots of boxes; touched ones stay, with other portals
    vni_id_list gone;                ///< slots of portals
    vni_marks gone_keys;             ///< by key; `chain` is the slot
    vni_added* added;
    uint64_t added_capacity;
    uint32_t added_count;
    uint32_t list_hint;     ///< a record of a list that is gone
    vni_sorted list, fresh; ///< of one box: its portals; those that are added
};

/// The place of a low corner in the hash: the boxes of a chunk of 16^3 voxels share 64 heads that lie
/// together.
#define VNI_LIVE_CHUNK_HEADS 64u
uint32_t vni_live_head_of(uint32_t head_count, vn_voxel low);

#endif
