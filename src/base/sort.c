/// base/sort.c: heap sort (Williams 1964).
#include "base/sort.h"

#include <string.h>

/// Lets `value` sink from `at` to its place in the heap of the first `count` elements.
static void sink(unsigned char* a, uint32_t at, uint32_t count, size_t size, vni_compare* compare,
                 const void* value) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare(a + (child + 1) * size, a + child * size) > 0)
            ++child;
        if (compare(a + child * size, value) <= 0)
            break;
        memcpy(a + at * size, a + child * size, size);
        at = child;
    }

    memcpy(a + at * size, value, size);
}

void vni_sort(void* data, uint32_t count, size_t size, vni_compare* compare, void* spare) {
    unsigned char* a = (unsigned char*)data;
    for (uint32_t i = count / 2; i-- > 0;) {
        memcpy(spare, a + i * size, size);
        sink(a, i, count, size, compare, spare);
    }

    // The largest goes to the end, and the last takes its place.
    for (uint32_t end = count; end-- > 1;) {
        memcpy(spare, a + end * size, size);
        memcpy(a + end * size, a, size);
        sink(a, 0, end, size, compare, spare);
    }
}
