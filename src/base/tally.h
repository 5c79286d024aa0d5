/// base/tally.h: an allocator that counts the bytes that pass through it to another one.
#ifndef VNI_BASE_TALLY_H
#define VNI_BASE_TALLY_H

#include "volnav/base.h"

#include <stdatomic.h>

/// Does not move after vni_tally_make: the allocator points at it. Any thread.
typedef struct vni_tally {
    vn_allocator allocator; ///< to be used
    vn_allocator inner;     ///< where the memory comes from
    _Atomic size_t bytes;   ///< taken and not given back
} vni_tally;

void vni_tally_make(vni_tally* tally, const vn_allocator* inner);

/// The tally that an allocator belongs to, or null.
vni_tally* vni_tally_of(const vn_allocator* allocator);

static inline size_t vni_tally_bytes(vni_tally* tally) {
    return atomic_load(&tally->bytes);
}

/// Counts memory that did not come through it, but will go back through it.
static inline void vni_tally_add(vni_tally* tally, size_t bytes) {
    atomic_fetch_add(&tally->bytes, bytes);
}

#endif
