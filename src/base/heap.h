/// base/heap.h: an indexed 4-ary heap with a total order: by key, then tie, then id. No epsilon: two
/// different entries never compare equal, so that the order of pops depends on the entries alone.
///
/// Entries move; the heap tells their owners where they are by writing the position into a caller's array of
/// uint32 that lies `stride` bytes apart, at index `slot`. Capacity is fixed by the caller, who gives the
/// memory. Everything is O(log4 n).
#ifndef VNI_BASE_HEAP_H
#define VNI_BASE_HEAP_H

#include "base/assert.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vni_heap_entry {
    double key;
    double tie;
    uint32_t id;
    uint32_t slot;
} vni_heap_entry;

typedef struct vni_heap {
    vni_heap_entry* entries;
    uint32_t count;
    uint32_t capacity;
    unsigned char* positions; ///< of the position of slot 0
    size_t stride;            ///< bytes from one slot's position to the next
} vni_heap;

/// Written without branches: which of two entries is less is as good as random to a branch predictor.
static inline bool vni_heap_less(const vni_heap_entry* a, const vni_heap_entry* b) {
    bool by_tie = (a->tie < b->tie) | ((a->tie == b->tie) & (a->id < b->id));
    return (a->key < b->key) | ((a->key == b->key) & by_tie);
}

/// Adds an entry that is not in the heap; false if it is full.
bool vni_heap_push(vni_heap* heap, vni_heap_entry entry);

/// Takes out the least entry; the heap must not be empty. Its position becomes meaningless.
vni_heap_entry vni_heap_pop(vni_heap* heap);

/// Gives the entry at `position` a new key and tie, smaller or larger.
void vni_heap_update(vni_heap* heap, uint32_t position, double key, double tie);

/// Takes out the entry at `position`.
void vni_heap_remove(vni_heap* heap, uint32_t position);

/// Every parent less than its children, every position right: for tests and debug builds. O(n).
bool vni_heap_is_valid(const vni_heap* heap);

#endif
