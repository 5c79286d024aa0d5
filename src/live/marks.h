/// live/marks.h: what an advance does to which slots: a small map from 32-bit keys to marks, which begins
/// empty each time without being cleared, and takes no more memory than the advance needs, so that it stays
/// in the cache however many slots there are.
#ifndef VNI_LIVE_MARKS_H
#define VNI_LIVE_MARKS_H

#include "base/alloc.h"
#include "base/assert.h"

#include <string.h>

typedef struct vni_mark {
    uint32_t key;
    uint32_t epoch; ///< counts if it is that of the map
    uint32_t mark;  ///< 0: none
    uint32_t chain; ///< the caller's
} vni_mark;

/// Open addressing with linear probing over the first mask + 1 entries, at most half full.
typedef struct vni_marks {
    vni_mark* items;
    uint64_t capacity;
    uint32_t mask, shift, count, epoch; ///< mask + 1 is 2^(32 - shift)
} vni_marks;

static inline uint32_t vni_marks_place(const vni_marks* marks, uint32_t key) {
    return key * 0x9e3779b1u >> marks->shift; // the high bits depend on all of the key
}

/// Memory for `entries`, a power of two; false if it runs out.
static inline bool vni_marks_reserve(const vn_allocator* allocator, vni_marks* marks, uint64_t entries) {
    const uint64_t before = marks->capacity;
    if (!vni_grow(allocator, &marks->items, &marks->capacity, entries, sizeof *marks->items))
        return false;
    memset(marks->items + before, 0, (size_t)(marks->capacity - before) * sizeof *marks->items);
    return true;
}

/// Empties it, with a capacity of about `expected` keys; false if memory runs out.
static inline bool vni_marks_begin(const vn_allocator* allocator, vni_marks* marks, uint32_t expected) {
    uint64_t entries = 64;
    uint32_t shift = 26;
    for (; entries < 4 * (uint64_t)expected && shift > 1; --shift)
        entries *= 2;
    if (!vni_marks_reserve(allocator, marks, entries))
        return false;

    marks->mask = (uint32_t)entries - 1;
    marks->shift = shift;
    marks->count = 0;
    ++marks->epoch;
    return true;
}

/// The entry of a key; null if there is none.
static inline vni_mark* vni_marks_find(const vni_marks* marks, uint32_t key) {
    for (uint32_t at = vni_marks_place(marks, key);; at = (at + 1) & marks->mask) {
        vni_mark* m = &marks->items[at];
        if (m->epoch != marks->epoch)
            return NULL;
        if (m->key == key)
            return m;
    }
}

static inline vni_mark* vni_marks_put(vni_marks* marks, uint32_t key) {
    uint32_t at = vni_marks_place(marks, key);
    while (marks->items[at].epoch == marks->epoch) {
        if (marks->items[at].key == key)
            return &marks->items[at];
        at = (at + 1) & marks->mask;
    }

    ++marks->count;
    marks->items[at] = (vni_mark){key, marks->epoch, 0, UINT32_MAX};
    return &marks->items[at];
}

/// Twice the entries: those of this epoch move to a new array.
static inline bool vni_marks_double(const vn_allocator* allocator, vni_marks* marks) {
    vni_marks twice = {.mask = 2 * marks->mask + 1, .shift = marks->shift - 1, .epoch = 1};
    if (!vni_marks_reserve(allocator, &twice, (uint64_t)twice.mask + 1))
        return false;
    for (uint32_t i = 0; i <= marks->mask; ++i)
        if (marks->items[i].epoch == marks->epoch) {
            vni_mark* to = vni_marks_put(&twice, marks->items[i].key);
            to->mark = marks->items[i].mark;
            to->chain = marks->items[i].chain;
        }

    VNI_DELETE_ARRAY(allocator, marks->items, marks->capacity);
    *marks = twice;
    return true;
}

/// The entry of a key, made with mark 0 if there is none; null if memory runs out. Valid until the next is
/// made.
static inline vni_mark* vni_marks_at(const vn_allocator* allocator, vni_marks* marks, uint32_t key) {
    if (2 * (uint64_t)marks->count > marks->mask && !vni_marks_double(allocator, marks))
        return NULL;
    return vni_marks_put(marks, key);
}

/// Gives back memory that only a very large advance needed.
static inline void vni_marks_trim(const vn_allocator* allocator, vni_marks* marks) {
    if (marks->capacity > 1u << 14) {
        VNI_DELETE_ARRAY(allocator, marks->items, marks->capacity);
        *marks = (vni_marks){0};
    }
}

static inline void vni_marks_free(const vn_allocator* allocator, vni_marks* marks) {
    VNI_DELETE_ARRAY(allocator, marks->items, marks->capacity);
    *marks = (vni_marks){0};
}

#endif
