/// base/idpool.h: ids of objects that are added and removed: a slot and a generation. The lowest free slot is
/// used first, so the same calls give the same ids.
///
/// The generation of a used slot is odd, so an id of all zeros is never valid. A slot whose generations are
/// exhausted is retired: an id never refers to two objects.
#ifndef VNI_BASE_IDPOOL_H
#define VNI_BASE_IDPOOL_H

#include "volnav/base.h"

typedef struct vni_idpool {
    vn_allocator allocator;
    uint32_t* generations;  ///< one per slot; odd: in use
    uint64_t* free_words;   ///< bit set of the free slots below `slots`
    uint64_t* free_summary; ///< bit set of the free_words that are not 0
    uint64_t generation_capacity, free_capacity, summary_capacity;
    uint32_t slots; ///< slots used so far
    uint32_t live;
    uint32_t free_count; ///< slots - live - retired
} vni_idpool;

vni_idpool vni_idpool_make(const vn_allocator* allocator);
void vni_idpool_destroy(vni_idpool* pool);

/// Takes a slot; false if memory runs out, with nothing changed. O(slots / 4096), or amortised O(1) if no
/// slot is free.
bool vni_idpool_take(vni_idpool* pool, uint32_t* slot, uint32_t* generation);

/// False if the id is stale.
bool vni_idpool_has(const vni_idpool* pool, uint32_t slot, uint32_t generation);

/// Returns a slot; false if the id is stale, with nothing changed.
bool vni_idpool_give(vni_idpool* pool, uint32_t slot, uint32_t generation);
size_t vni_idpool_bytes(const vni_idpool* pool);

#endif
