/// base/idpool.h: slots that come and go, named by index and generation. The lowest free slot is used first, so that the same calls give
/// the same ids.
#ifndef VNI_BASE_IDPOOL_H
#define VNI_BASE_IDPOOL_H

#include "volnav/base.h"

typedef struct vni_idpool {
    vn_allocator allocator;
    uint32_t* generations; ///< one a slot; odd = in use
    uint64_t* free_words;  ///< bit set of free slots below `slots`
    uint64_t generation_capacity, free_capacity;
    uint32_t slots; ///< slots ever used
    uint32_t live;
} vni_idpool;

vni_idpool vni_idpool_make(const vn_allocator* allocator);
void vni_idpool_destroy(vni_idpool* pool);

/// Takes a slot; false if there is no memory.
bool vni_idpool_take(vni_idpool* pool, uint32_t* slot, uint32_t* generation);

/// False if the id is stale.
bool vni_idpool_has(const vni_idpool* pool, uint32_t slot, uint32_t generation);
bool vni_idpool_give(vni_idpool* pool, uint32_t slot, uint32_t generation);
size_t vni_idpool_bytes(const vni_idpool* pool);

#endif
