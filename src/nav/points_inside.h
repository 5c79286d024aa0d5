/// nav/points_inside.h: memory for the path of one request or watch. For this module only.
#ifndef VNI_NAV_POINTS_INSIDE_H
#define VNI_NAV_POINTS_INSIDE_H

#include "volnav/nav.h"

/// Memory for a path: a part of the array for all slots, or the slot's own (nav/grow.c).
typedef struct vni_slot_points {
    vn_point* items;
    uint32_t capacity;
    bool is_own;
} vni_slot_points;

/// Makes sure that a slot, which no other thread uses now, holds this many. VN_OUT_OF_MEMORY: it is as it
/// was. On the host's thread.
vn_status vni_slot_points_reserve(const vn_allocator* allocator, uint32_t capacity, vni_slot_points* points,
                                  vn_detail* detail);

/// Frees the slot's own memory, if it has any.
void vni_slot_points_free(const vn_allocator* allocator, vni_slot_points* points);

#endif
