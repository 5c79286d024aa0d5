/// live/ring.h: the last few records of something, by version, which readers on any thread hold while they
/// read them.
///
/// One thread fills and pushes; any thread holds and releases. A record that left the ring is used again once
/// no reader holds it, with the memory of its lists: in steady state nothing is allocated, and memory is
/// freed with the ring only.
#ifndef VNI_LIVE_RING_H
#define VNI_LIVE_RING_H

#include "base/threads.h"

/// The first member of a record.
typedef struct vni_ring_item {
    uint64_t version;
    uint32_t references;        ///< by readers, and one by the ring while it is in it
    struct vni_ring_item* next; ///< the next older one, or the next spare one
} vni_ring_item;

typedef struct vni_ring {
    vn_allocator allocator;
    size_t item_size;
    void (*free_item)(const vn_allocator* allocator, vni_ring_item* item); ///< its lists, not itself
    uint32_t history;                                                      ///< records kept
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
    vni_ring_item* newest; ///< under the monitor, like the three below
    vni_ring_item* spare;
    uint32_t count;   ///< in the ring
    uint64_t dropped; ///< version of the last record that left it; 0: none has
} vni_ring;

/// history >= 1. VN_OUT_OF_MEMORY.
vn_status vni_ring_make(const vn_allocator* allocator, uint32_t history, size_t item_size,
                        void (*free_item)(const vn_allocator* allocator, vni_ring_item* item), vni_ring* out);

/// A zeroed ring is allowed. Nothing may be held.
void vni_ring_free(vni_ring* ring);

/// A record to fill: zeroed, or as it was when it left the ring; null if memory runs out. Then it is pushed,
/// with a version above all before, or put back.
vni_ring_item* vni_ring_take(vni_ring* ring);
void vni_ring_push(vni_ring* ring, vni_ring_item* item, uint64_t version);
void vni_ring_put_back(vni_ring* ring, vni_ring_item* item);

/// Holds the record of a version. VN_STALE: it is older than the ring. VN_BAD_ARGUMENT: it is newer. Any
/// thread.
vn_status vni_ring_hold(vni_ring* ring, uint64_t version, const vni_ring_item** out);

/// Holds the record that leads on from a version that there was: the next one, whatever its number. VN_STALE:
/// it has left the ring. VN_BAD_ARGUMENT: there is no later version. Any thread.
vn_status vni_ring_hold_after(vni_ring* ring, uint64_t version, const vni_ring_item** out);
void vni_ring_release(vni_ring* ring, const vni_ring_item* item);

#endif
