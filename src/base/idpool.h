/// base/idpool.h: slots that come and go, named by index and generation. The lowest free slot is used first,
/// so that the same calls give the same ids.
///
/// Generations of things that live are odd, so that an id of all zeros names nothing. A slot whose
/// generations have all been used is never used again: no id ever names two things.
#ifndef VNI_BASE_IDPOOL_H
#define VNI_BASE_IDPOOL_H

#include "volnav/base.h"

typedef struct vni_idpool {
    vn_allocator allocator;
    uint32_t* generations;  ///< one a slot; odd = in use
    uint64_t* free_words;   ///< bit set of free slots below `slots`
    uint64_t* free_summary; ///< a bit for each of free_words that is not 0
    uint64_t generation_capacity, free_capacity, summary_capacity;
    uint32_t slots; ///< slots ever used
    uint32_t live;
    uint32_t free_count; ///< slots - live, less those that are never used again
} vni_idpool;

vni_idpool vni_idpool_make(const vn_allocator* allocator);
void vni_idpool_destroy(vni_idpool* pool);

/// Takes a slot; false if there is no memory, and nothing has changed. O(1) if no slot is free, else O(slots
/// / 4096).
bool vni_idpool_take(vni_idpool* pool, uint32_t* slot, uint32_t* generation);

/// False if the id is stale.
bool vni_idpool_has(const vni_idpool* pool, uint32_t slot, uint32_t generation);

/// Gives a slot back; false if the id is stale, and nothing has changed.
bool vni_idpool_give(vni_idpool* pool, uint32_t slot, uint32_t generation);
size_t vni_idpool_bytes(const vni_idpool* pool);

#endif
