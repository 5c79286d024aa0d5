/// world/radix.c: least-significant-digit radix sort, 8 bits a pass. A pass in which all digits are equal
/// moves nothing and is skipped.
#include "world/radix.h"
#include "base/assert.h"
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS     (1u << DIGIT_BITS)

/// One stable pass from `from` to `to`; false if all digits are equal, and nothing was moved.
static bool pass(const uint64_t* from, uint64_t* to, uint64_t count, uint32_t shift, uint64_t mask) {
    uint64_t starts[DIGITS] = {0};
    for (uint64_t i = 0; i < count; ++i)
        ++starts[(from[i] >> shift) & mask];

    if (starts[(from[0] >> shift) & mask] == count)
        return false;
    // Counts become the positions where each digit's run begins.
    uint64_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; ++digit) {
        uint64_t here = starts[digit];
        starts[digit] = sum;
        sum += here;
    }

    VNI_ASSERT(sum == count);

    for (uint64_t i = 0; i < count; ++i)
        to[starts[(from[i] >> shift) & mask]++] = from[i];

    return true;
}

void vni_radix_sort(uint64_t* keys, uint64_t* spare, uint64_t count, uint32_t low, uint32_t high) {
    VNI_ASSERT(low <= high && high <= 64);
    VNI_ASSERT(count == 0 || (keys != NULL && spare != NULL && keys != spare));

    if (count < 2)
        return;
    uint64_t* from = keys;
    uint64_t* to = spare;
    for (uint32_t shift = low; shift < high; shift += DIGIT_BITS) {
        uint32_t width = high - shift < DIGIT_BITS ? high - shift : DIGIT_BITS;
        if (pass(from, to, count, shift, ((uint64_t)1 << width) - 1)) {
            uint64_t* swap = from;
            from = to;
            to = swap;
        }
    }

    if (from != keys)
        memcpy(keys, from, (size_t)count * sizeof *keys);
}
