/// live/sorted.h: a list of 64-bit keys that grows, and is sorted in place.
#ifndef VNI_LIVE_SORTED_H
#define VNI_LIVE_SORTED_H

#include "base/alloc.h"
#include "base/queue.h"

typedef struct vni_sorted {
    uint64_t* items;
    uint64_t capacity;
    uint32_t count;
} vni_sorted;

/// Appends; false if memory runs out.
static inline bool vni_sorted_push(const vn_allocator* allocator, vni_sorted* list, uint64_t item) {
    if (list->count == list->capacity &&
        !vni_grow(allocator, &list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    return true;
}

static inline void vni_sorted_free(const vn_allocator* allocator, vni_sorted* list) {
    VNI_DELETE_ARRAY(allocator, list->items, list->capacity);
    *list = (vni_sorted){0};
}

/// Ascending. Short lists by insertion: they are nearly in order as a rule. Others by a heap that grows and
/// shrinks inside the array.
static inline void vni_sorted_sort(vni_sorted* list) {
    uint64_t* items = list->items;
    if (list->count <= 24) {
        for (uint32_t i = 1; i < list->count; ++i) {
            const uint64_t item = items[i];
            uint32_t k = i;
            for (; k > 0 && items[k - 1] > item; --k)
                items[k] = items[k - 1];
            items[k] = item;
        }
        return;
    }

    // complemented keys make the least of the queue the greatest, which goes to the end
    vni_queue queue = {.keys = items, .count = 0, .capacity = list->count};
    for (uint32_t i = 0; i < list->count; ++i)
        vni_queue_push(&queue, ~items[i]);
    while (queue.count > 0) {
        const uint64_t greatest = ~vni_queue_pop(&queue);
        items[queue.count] = greatest;
    }
}

#endif
