/// base/bits.c: ranges of bits.
#include "base/bits.h"

/// The bits [0, count) of a word; count at most 64.
static uint64_t low_bits(uint64_t count) {
    VNI_ASSERT(count <= 64);
    return count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

void vni_bits_set_range(uint64_t* words, uint64_t begin, uint64_t end) {
    VNI_ASSERT(begin <= end);

    if (begin == end)
        return;

    uint64_t first = begin >> 6, last = (end - 1) >> 6;
    uint64_t first_mask = ~low_bits(begin & 63);
    uint64_t last_mask = low_bits(((end - 1) & 63) + 1);

    if (first == last) {
        words[first] |= first_mask & last_mask;
        return;
    }

    words[first] |= first_mask;
    for (uint64_t i = first + 1; i < last; ++i)
        words[i] = UINT64_MAX;

    words[last] |= last_mask;
}

uint64_t vni_bits_count(const uint64_t* words, uint64_t bits) {
    uint64_t whole = bits >> 6, rest = bits & 63, sum = 0;
    for (uint64_t i = 0; i < whole; ++i)
        sum += vni_popcount(words[i]);
    if (rest)
        sum += vni_popcount(words[whole] & low_bits(rest));
    return sum;
}
