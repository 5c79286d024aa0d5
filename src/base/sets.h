/// base/sets.h: disjoint sets of items 0 .. n-1 in one array of parents (union-find).
///
/// An item whose parent is itself is the root of its set. The root is always the lowest item of the set, so
/// that the roots, and whatever is numbered by them, depend on the sets alone and not on the order of the
/// joins. The array is the caller's; parents[i] = i makes a set of one. Items that nobody asks for need no
/// parent. Not for several threads at once: also `find` writes.
#ifndef VNI_BASE_SETS_H
#define VNI_BASE_SETS_H

#include "base/assert.h"

/// The root of the item's set. Halves the way to it for those who ask later: O(log n) on average over many
/// calls.
static inline uint32_t vni_sets_find(uint32_t* parents, uint32_t item) {
    while (parents[item] != item) {
        VNI_ASSERT(parents[item] < item);
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

/// Makes the sets of a and b one; returns its root, the lower of the two roots.
static inline uint32_t vni_sets_join(uint32_t* parents, uint32_t a, uint32_t b) {
    a = vni_sets_find(parents, a);
    b = vni_sets_find(parents, b);
    uint32_t low = a < b ? a : b;
    parents[a < b ? b : a] = low;
    return low;
}

#endif
