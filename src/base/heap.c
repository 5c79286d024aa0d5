/// base/heap.c: the indexed 4-ary heap (d-ary heaps: Johnson 1975; bottom-up deletion: Wegener 1993).
///
/// The children of the entry at p are at 4p + 1 ... 4p + 4. Four children halve the depth of a binary heap,
/// and lie in two or three cache lines (24 bytes each): fewer cache misses for more comparisons, which are
/// cheap.
///
///     p:   0 | 1 2 3 4 | 5 6 7 8 | 9 10 11 12 | ...
///          root  its     children   children
///              children    of 1       of 2
#include "base/heap.h"

#define ARITY 4u

/// Stores `entry` at `position` and reports the position to its owner.
static inline void place(vni_heap* heap, uint32_t position, const vni_heap_entry* entry) {
    heap->entries[position] = *entry;
    *(uint32_t*)(void*)(heap->positions + heap->stride * entry->slot) = position;
}

/// Moves a hole from `position` up until `entry` fits, and stores it there. Moving the hole, not the entry,
/// writes each level once instead of swapping.
static void sift_up(vni_heap* heap, uint32_t position, vni_heap_entry entry) {
    while (position > 0) {
        uint32_t parent = (position - 1) / ARITY;
        if (!vni_heap_less(&entry, &heap->entries[parent]))
            break;
        place(heap, position, &heap->entries[parent]);
        position = parent;
    }

    place(heap, position, &entry);
}

static inline uint32_t lesser(const vni_heap_entry* entries, uint32_t a, uint32_t b) {
    return a + (b - a) * (uint32_t)vni_heap_less(&entries[b], &entries[a]);
}

/// The least of the children [first, first + ARITY) that exist; there is at least one.
static inline uint32_t least_child(const vni_heap* heap, uint32_t first) {
    // A full family is the common case: two independent comparisons and a final, without a branch.
    if (first + ARITY <= heap->count) {
        uint32_t left = lesser(heap->entries, first, first + 1);
        uint32_t right = lesser(heap->entries, first + 2, first + 3);
        return lesser(heap->entries, left, right);
    }

    uint32_t best = first;
    for (uint32_t child = first + 1; child < heap->count; ++child)
        best = lesser(heap->entries, best, child);

    return best;
}

/// Moves a hole from `position` down until `entry` fits, and stores it there.
static void sift_down(vni_heap* heap, uint32_t position, vni_heap_entry entry) {
    for (;;) {
        uint32_t first = position * ARITY + 1;
        if (first >= heap->count)
            break;

        uint32_t child = least_child(heap, first);
        if (!vni_heap_less(&heap->entries[child], &entry))
            break;

        place(heap, position, &heap->entries[child]);
        position = child;
    }

    place(heap, position, &entry);
}

bool vni_heap_push(vni_heap* heap, vni_heap_entry entry) {
    VNI_ASSERT(entry.key == entry.key && entry.tie == entry.tie); // NaN cannot be ordered
    VNI_ASSERT(heap->capacity <= UINT32_MAX / ARITY - 1);         // the index of a child never wraps
    if (heap->count == heap->capacity)
        return false;
    sift_up(heap, heap->count++, entry);
    return true;
}

vni_heap_entry vni_heap_pop(vni_heap* heap) {
    VNI_ASSERT(heap->count > 0);

    vni_heap_entry least = heap->entries[0];
    vni_heap_entry last = heap->entries[--heap->count];
    uint32_t hole = 0;

    // Bottom-up: the hole at the root moves to the bottom without looking at `last`, which then rises from
    // there. `last` comes from the bottom and nearly always stays there, so each level saves a comparison.
    for (uint32_t first = 1; first < heap->count; first = hole * ARITY + 1) {
        uint32_t child = least_child(heap, first);
        place(heap, hole, &heap->entries[child]);
        hole = child;
    }

    if (heap->count > 0)
        sift_up(heap, hole, last);

    return least;
}

void vni_heap_update(vni_heap* heap, uint32_t position, double key, double tie) {
    VNI_ASSERT(position < heap->count);
    VNI_ASSERT(key == key && tie == tie);

    vni_heap_entry entry = heap->entries[position];
    vni_heap_entry old = entry;
    entry.key = key;
    entry.tie = tie;
    if (vni_heap_less(&entry, &old))
        sift_up(heap, position, entry);
    else
        sift_down(heap, position, entry);
}

void vni_heap_remove(vni_heap* heap, uint32_t position) {
    VNI_ASSERT(position < heap->count);

    // The last entry fills the gap. It comes from another branch, so it may be too small for its new parent
    // or too large for its new children.
    vni_heap_entry gone = heap->entries[position];
    vni_heap_entry last = heap->entries[--heap->count];
    if (position == heap->count)
        return;

    if (vni_heap_less(&last, &gone))
        sift_up(heap, position, last);
    else
        sift_down(heap, position, last);
}

bool vni_heap_is_valid(const vni_heap* heap) {
    if (heap->count > heap->capacity)
        return false;
    for (uint32_t i = 0; i < heap->count; ++i) {
        const vni_heap_entry* entry = &heap->entries[i];
        if (*(const uint32_t*)(const void*)(heap->positions + heap->stride * entry->slot) != i)
            return false;
        if (i > 0 && !vni_heap_less(&heap->entries[(i - 1) / ARITY], entry))
            return false;
    }

    return true;
}
