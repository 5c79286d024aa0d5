/// base/heap.h: an indexed 4-ary heap with a total order: by key, then tie, then id. There is no epsilon: two
/// different entries never compare equal, so the order of pops depends on the entries alone, not on the order
/// of pushes.
///
/// Entries move inside the heap. To find an entry again, its owner keeps its position: the heap writes it, as
/// a uint32, to `positions` at `slot` times `stride` bytes. The caller provides memory of fixed capacity. All
/// operations are O(log n).
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
    unsigned char* positions; ///< address of the position of slot 0
    size_t stride;            ///< bytes from the position of one slot to that of the next
} vni_heap;

/// Without branches: to a branch predictor, which of two entries is less is as good as random.
static inline bool vni_heap_less(const vni_heap_entry* a, const vni_heap_entry* b) {
    bool by_tie = (a->tie < b->tie) | ((a->tie == b->tie) & (a->id < b->id));
    return (a->key < b->key) | ((a->key == b->key) & by_tie);
}

/// Adds an entry that is not in the heap; false if the heap is full.
bool vni_heap_push(vni_heap* heap, vni_heap_entry entry);

/// Removes and returns the least entry; the heap must not be empty. The position of its slot is undefined
/// then.
vni_heap_entry vni_heap_pop(vni_heap* heap);

/// Changes key and tie of the entry at `position`; they may become smaller or larger.
void vni_heap_update(vni_heap* heap, uint32_t position, double key, double tie);

/// Removes the entry at `position`.
void vni_heap_remove(vni_heap* heap, uint32_t position);

/// True if every parent is less than its children and every position is correct. For tests. O(n).
bool vni_heap_is_valid(const vni_heap* heap);

#endif
