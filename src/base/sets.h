/// base/sets.h: disjoint sets of the items 0 ... n-1 in one array of parents (union-find with path halving,
/// Tarjan and van Leeuwen 1984).
///
/// An item that is its own parent is the root of its set. The root is always the lowest item, not the one of
/// the larger set: roots, and numbers derived from them, depend on the sets alone and not on the order of the
/// joins. The array belongs to the caller; parents[i] = i makes a set of one. Items that are never used need
/// no parent. Not thread-safe: vni_sets_find writes too.
#ifndef VNI_BASE_SETS_H
#define VNI_BASE_SETS_H

#include "base/assert.h"

/// The root of the item's set. Halves the chain of parents on its way: O(log n) amortised.
static inline uint32_t vni_sets_find(uint32_t* parents, uint32_t item) {
    while (parents[item] != item) {
        VNI_ASSERT(parents[item] < item);
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

/// Joins the sets of a and b; returns the new root, the lower of the two.
static inline uint32_t vni_sets_join(uint32_t* parents, uint32_t a, uint32_t b) {
    a = vni_sets_find(parents, a);
    b = vni_sets_find(parents, b);
    uint32_t low = a < b ? a : b;
    parents[a < b ? b : a] = low;
    return low;
}

#endif
