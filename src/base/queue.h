/// base/queue.h: a 4-ary heap of 64-bit keys, for searches that push a node again instead of finding its old
/// entry and moving it. Stale entries are skipped when popped. Compared with base/heap.h an entry takes 8
/// bytes instead of 24, a family of four fits half a cache line, and one integer comparison orders two
/// entries.
///
///     63            32 31             0
///     [ cost (float)  |      id       ]   equal costs are ordered by id: the order is total
///
/// The caller provides memory of fixed capacity.
#ifndef VNI_BASE_QUEUE_H
#define VNI_BASE_QUEUE_H

#include "base/assert.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct vni_queue {
    uint64_t* keys;
    uint32_t count, capacity;
} vni_queue;

/// A key that orders by cost (>= 0), then by id.
static inline uint64_t vni_queue_key(float cost, uint32_t id) {
    VNI_ASSERT(cost >= 0);

    // The bits of non-negative IEEE floats, read as integers, have the order of the values.
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return (uint64_t)bits << 32 | id;
}
static inline uint32_t vni_queue_id(uint64_t key) {
    return (uint32_t)key;
}
static inline float vni_queue_cost(uint64_t key) {
    uint32_t bits = (uint32_t)(key >> 32);
    float cost;
    memcpy(&cost, &bits, sizeof cost);
    return cost;
}

/// The queue must not be full.
static inline void vni_queue_push(vni_queue* queue, uint64_t key) {
    VNI_ASSERT(queue->count < queue->capacity);

    uint64_t* keys = queue->keys;
    uint32_t at = queue->count++;
    while (at > 0) {
        uint32_t parent = (at - 1) >> 2;
        if (keys[parent] <= key)
            break;
        keys[at] = keys[parent];
        at = parent;
    }

    keys[at] = key;
}

/// Moves a hole from `at` down until `key` fits, and stores it there.
static inline void vni_queue_sink(vni_queue* queue, uint32_t at, uint64_t key) {
    uint64_t* keys = queue->keys;
    for (;;) {
        uint32_t first = 4 * at + 1, child = first;
        if (first + 4 <= queue->count) {
            // A full family: comparisons become additions, because their outcome cannot be predicted.
            uint32_t left = first + (keys[first + 1] < keys[first]),
                     right = first + 2 + (keys[first + 3] < keys[first + 2]);
            child = keys[right] < keys[left] ? right : left;
        } else if (first < queue->count) {
            for (uint32_t i = first + 1; i < queue->count; ++i)
                child = keys[i] < keys[child] ? i : child;
        } else {
            break;
        }

        if (keys[child] >= key)
            break;
        keys[at] = keys[child];
        at = child;
    }

    keys[at] = key;
}

/// The queue must not be empty.
static inline uint64_t vni_queue_pop(vni_queue* queue) {
    VNI_ASSERT(queue->count > 0);
    uint64_t least = queue->keys[0], last = queue->keys[--queue->count];
    if (queue->count > 0)
        vni_queue_sink(queue, 0, last);
    return least;
}

/// Restores the order after the caller has removed keys from the middle. O(n).
static inline void vni_queue_rebuild(vni_queue* queue) {
    // Floyd 1964: from the last parent, (count - 2) / 4, back to the root; leaves are heaps already.
    for (uint32_t i = (queue->count + 2) >> 2; i-- > 0;)
        vni_queue_sink(queue, i, queue->keys[i]);
}

#endif
