/// live/boxes_inside.h: the state of live boxes and the scratch of an advance. Private to live/boxes*.c.
#ifndef VNI_LIVE_BOXES_INSIDE_H
#define VNI_LIVE_BOXES_INSIDE_H

#include "base/alloc.h"
#include "live/boxes.h"
#include "live/id_list.h"
#include "live/marks.h"
#include "live/sorted.h"

typedef enum vni_fate { VNI_FATE_NONE, VNI_FATE_GONE, VNI_FATE_CAME, VNI_FATE_CHANGED } vni_fate;

/// A box that the advance deals with. Each has an index, so that it is looked up once.
typedef struct vni_local {
    uint32_t slot;
    uint32_t fate;  ///< vni_fate
    uint32_t chain; ///< its first entry in `added`; VNI_NO_SLOT: none
} vni_local;

/// A portal that is gone, or stays between other boxes than before.
typedef struct vni_gone {
    uint32_t slot;
    bool is_kept;
} vni_gone;

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
    vni_marks boxes;        ///< by slot; `chain` is the index in `locals`. Those that came are left out
    vni_marks portals;      ///< by slot; `mark` is a vni_fate. Those that came are left out
    vni_marks near;      ///< by index of the low voxel: boxes that came or are touched; chain as in `boxes`
    vni_marks gone_keys; ///< by key; `chain` is the index in `gone`
    vni_local* locals;
    vni_gone* gone;
    uint64_t local_capacity, gone_capacity;
    uint32_t local_count, gone_count;
    vni_added* added;
    uint64_t added_capacity;
    uint32_t added_count;
    uint32_t list_hint;     ///< a record of a list that is gone
    vni_sorted list, fresh; ///< of one box: its portals; those that are added
};

/// An advance in two halves: prepare may fail, and then nothing has changed; commit cannot. A prepared one is
/// committed or dropped before the next.
vn_status vni_live_boxes_prepare(vni_live_boxes* live, const vni_box_changes* changes,
                                 const vni_boxes_source* source, vn_detail* detail);
void vni_live_boxes_commit(vni_live_boxes* live, uint64_t version, bool skips);
void vni_live_boxes_drop(vni_live_boxes* live);

/// A record of the hash: 16 of them, a page of the store, are the heads of one chunk, so that a change in a
/// chunk copies no others.
#define VNI_LIVE_HEADS_A_RECORD 4u
typedef struct vni_live_heads {
    uint32_t slots[VNI_LIVE_HEADS_A_RECORD]; ///< the first box of each chain, or VNI_NO_SLOT
} vni_live_heads;

/// The place of a low corner in the hash: the boxes of a chunk of 16^3 voxels share 64 heads that lie
/// together.
#define VNI_LIVE_CHUNK_HEADS 64u
uint32_t vni_live_head_of(uint32_t head_count, vn_voxel low);

#endif
