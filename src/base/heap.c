/// base/heap.c: the indexed 4-ary heap.
#include "base/heap.h"

#define ARITY 4u

/// Puts `entry` at `position` and tells its owner.
static inline void place(vni_heap* heap, uint32_t position, const vni_heap_entry* entry) {
    heap->entries[position] = *entry;
    *(uint32_t*)(void*)(heap->positions + heap->stride * entry->slot) = position;
}

/// Moves a hole at `position` up until `entry` fits, and puts it there.
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

/// Moves a hole at `position` down until `entry` fits, and puts it there.
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
    VNI_ASSERT(entry.key == entry.key && entry.tie == entry.tie); // NaN has no place in an order
    VNI_ASSERT(heap->capacity <= UINT32_MAX / ARITY - 1);         // so that the index of a child never wraps
    if (heap->count == heap->capacity)
        return false;
    sift_up(heap, heap->count++, entry);
    return true;
}

/// The hole left by the least entry goes all the way down first, and the last entry then up from there: that
/// entry came from the bottom and nearly always belongs there, so that most levels need not look at it.
vni_heap_entry vni_heap_pop(vni_heap* heap) {
    VNI_ASSERT(heap->count > 0);

    vni_heap_entry least = heap->entries[0];
    vni_heap_entry last = heap->entries[--heap->count];
    uint32_t hole = 0;
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
