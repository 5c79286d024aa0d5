/// live/held.h: one reader's row of records from one version to a later one, held in a ring.
///
/// Used by one thread at a time; the ring is shared. Only making it allocates.
#ifndef VNI_LIVE_HELD_H
#define VNI_LIVE_HELD_H

#include "live/ring.h"

typedef struct vni_held {
    vni_ring* ring;
    const vni_ring_item** items; ///< as many as the ring keeps
    uint32_t count;
    uint64_t from, to; ///< the versions (from, to] were gone through; equal: none
} vni_held;

/// Holds nothing. False if memory runs out. The ring outlives it.
bool vni_held_make(const vn_allocator* allocator, vni_ring* ring, vni_held* out);

/// Releases what it holds. A zeroed one is allowed.
void vni_held_free(const vn_allocator* allocator, vni_held* held);

/// Releases what it holds, and holds the records that lead from one version that there was to a later one.
/// VN_STALE: the ring does not reach back so far; nothing is held then. O(records in the ring) each.
vn_status vni_held_take(vni_held* held, uint64_t from, uint64_t to);
void vni_held_release(vni_held* held);

/// The record of a version in the row; null if versions were counted past this number, which changed nothing
/// then. VN_STALE: the row does not go through it.
vn_status vni_held_find(const vni_held* held, uint64_t version, const vni_ring_item** out);

#endif
