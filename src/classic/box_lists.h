/// classic/box_lists.h: the boxes that an update of a decomposition took away and added, in the form that
/// live/boxes.h takes; and how boxes lie to each other.
#ifndef VNI_CLASSIC_BOX_LISTS_H
#define VNI_CLASSIC_BOX_LISTS_H

#include "live/boxes.h"

#include <stdbool.h>

/// Boxes in an array that grows.
typedef struct vni_box_list {
    vn_voxel_box* at;
    uint64_t capacity;
    uint32_t count;
} vni_box_list;

/// No box is in both lists. Memory is kept from update to update.
typedef struct vni_box_lists {
    vn_allocator allocator;
    vni_box_list went, came;
} vni_box_lists;

vni_box_lists vni_box_lists_make(const vn_allocator* allocator);

/// Zeroed lists are allowed.
void vni_box_lists_free(vni_box_lists* lists);
void vni_box_lists_clear(vni_box_lists* lists);
size_t vni_box_lists_bytes(const vni_box_lists* lists);

/// Adds to one of the lists; false if there is no memory, with nothing changed.
bool vni_box_lists_add(const vni_box_lists* lists, vni_box_list* list, const vni_box* box);

/// Reserves capacity for so many more boxes; false if there is no memory.
bool vni_box_lists_reserve(vni_box_lists* lists, uint64_t went, uint64_t came);

/// Moves those of an array of boxes that overlap `box` to the front; returns how many do.
uint32_t vni_boxes_select(vni_box* boxes, uint32_t count, const vni_box* box);

/// Does `outer` hold all of `inner`?
static inline bool vni_box_holds(const vni_box* outer, const vni_box* inner) {
    for (int i = 0; i < 3; ++i)
        if (inner->low[i] < outer->low[i] || inner->high[i] > outer->high[i])
            return false;
    return true;
}

/// Do two boxes without common voxels share a part of a face? An edge or a corner is none.
static inline bool vni_box_touches(const vni_box* a, const vni_box* b) {
    vni_face face;
    return vni_box_face(a, b, &face) || vni_box_face(b, a, &face);
}

/// The box and all voxels around it.
static inline vni_box vni_box_grown(const vni_box* box) {
    vni_box grown;
    for (int i = 0; i < 3; ++i) {
        grown.low[i] = box->low[i] - 1;
        grown.high[i] = box->high[i] + 1;
    }

    return grown;
}

/// The part of `box` inside `bounds`; may be empty.
static inline vni_box vni_box_cut(const vni_box* box, const vni_box* bounds) {
    vni_box cut;
    for (int i = 0; i < 3; ++i) {
        cut.low[i] = box->low[i] > bounds->low[i] ? box->low[i] : bounds->low[i];
        cut.high[i] = box->high[i] < bounds->high[i] ? box->high[i] : bounds->high[i];
    }

    return cut;
}

static inline bool vni_box_is_empty(const vni_box* box) {
    return box->low[0] >= box->high[0] || box->low[1] >= box->high[1] || box->low[2] >= box->high[2];
}

#endif
