/// base/bits.h: bit operations on words, and bit sets. Plain C, with compiler builtins where available; no
/// instruction set is assumed.
#ifndef VNI_BASE_BITS_H
#define VNI_BASE_BITS_H

#include "base/assert.h"
#include <stdbool.h>
#include <stdint.h>

/// Number of set bits.
static inline uint32_t vni_popcount(uint64_t x) {
    // Sums of pairs, of nibbles, of bytes; the product adds all bytes into the highest one.
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((x * 0x0101010101010101u) >> 56);
}

/// Index of the lowest set bit; x != 0.
static inline uint32_t vni_lowest_bit(uint64_t x) {
    VNI_ASSERT(x != 0);
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(x);
#else
    return vni_popcount((x & (0 - x)) - 1); // the ones below the lowest bit
#endif
}

/// Index of the highest set bit; x != 0.
static inline uint32_t vni_highest_bit(uint64_t x) {
    VNI_ASSERT(x != 0);
#if defined(__GNUC__)
    return 63u - (uint32_t)__builtin_clzll(x);
#else
    uint32_t bit = 0;
    for (uint32_t step = 32; step != 0; step >>= 1) {
        if (x >> step) {
            x >>= step;
            bit += step;
        }
    }
    return bit;
#endif
}

/// Words needed for `bits` bits.
static inline uint64_t vni_bits_words(uint64_t bits) {
    return (bits + 63) >> 6;
}

static inline bool vni_bits_get(const uint64_t* words, uint64_t index) {
    return (words[index >> 6] >> (index & 63)) & 1;
}

static inline void vni_bits_set(uint64_t* words, uint64_t index) {
    words[index >> 6] |= (uint64_t)1 << (index & 63);
}

static inline void vni_bits_clear(uint64_t* words, uint64_t index) {
    words[index >> 6] &= ~((uint64_t)1 << (index & 63));
}

/// Sets the bits [begin, end).
void vni_bits_set_range(uint64_t* words, uint64_t begin, uint64_t end);

/// Set bits in [0, bits).
uint64_t vni_bits_count(const uint64_t* words, uint64_t bits);

#endif
