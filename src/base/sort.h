/// base/sort.h: sorts arrays of any element in place: heap sort, without memory or recursion, never
/// quadratic.
///
/// The order is total where it decides anything, so that the result does not depend on the order before.
#ifndef VNI_BASE_SORT_H
#define VNI_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/// Negative: a comes first; positive: b does; 0: equal.
typedef int vni_compare(const void* a, const void* b);

/// Sorts `count` elements of `size` bytes, ascending. `spare` holds one element. O(n log n).
void vni_sort(void* data, uint32_t count, size_t size, vni_compare* compare, void* spare);

#endif
