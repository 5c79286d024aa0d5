/// base/xxh64.c: XXH64, written from its published specification: stripes of four 8-byte lanes, then the rest
/// in words of 8, 4 and 1 bytes.
#include "base/xxh64.h"
#include "base/assert.h"

#include <string.h>

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

#define STRIPE 32
#define AHEAD  1024

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

/// The hash is defined on little-endian words. Nearly all machines can load these directly.
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__

static uint64_t load_32(const uint8_t* p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static uint64_t load_64(const uint8_t* p) {
    return load_32(p) | load_32(p + 4) << 32;
}

#else

static uint64_t load_32(const uint8_t* p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t load_64(const uint8_t* p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

#endif

/// Hashing is faster than the prefetching of processors, which ends with each page.
static inline void ask_for(const uint8_t* bytes) {
#if defined(__GNUC__)
    __builtin_prefetch(bytes);
#else
    (void)bytes;
#endif
}

static uint64_t mix_in(uint64_t lane, uint64_t word) {
    return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t join_lane(uint64_t hash, uint64_t lane) {
    return (hash ^ mix_in(0, lane)) * PRIME_1 + PRIME_4;
}

static inline void mix_stripe(uint64_t lanes[4], const uint8_t* p) {
    lanes[0] = mix_in(lanes[0], load_64(p));
    lanes[1] = mix_in(lanes[1], load_64(p + 8));
    lanes[2] = mix_in(lanes[2], load_64(p + 16));
    lanes[3] = mix_in(lanes[3], load_64(p + 24));
}

/// Hashes all whole stripes from `*at` on, two at a time, and moves it behind them.
static uint64_t hash_stripes(const uint8_t** at, const uint8_t* end, uint64_t seed) {
    uint64_t lanes[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
    const uint8_t* p = *at;
    VNI_ASSERT(end - p >= STRIPE);

    for (; end - p >= 2 * STRIPE; p += 2 * STRIPE) {
        ask_for(p + (end - p > AHEAD ? AHEAD : 0));
        mix_stripe(lanes, p);
        mix_stripe(lanes, p + STRIPE);
    }

    if (end - p >= STRIPE) {
        mix_stripe(lanes, p);
        p += STRIPE;
    }

    *at = p;
    uint64_t hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
    for (int i = 0; i < 4; ++i)
        hash = join_lane(hash, lanes[i]);
    return hash;
}

static uint64_t hash_rest(const uint8_t* p, const uint8_t* end, uint64_t hash) {
    VNI_ASSERT(end - p < STRIPE);

    for (; end - p >= 8; p += 8)
        hash = rotate(hash ^ mix_in(0, load_64(p)), 27) * PRIME_1 + PRIME_4;

    if (end - p >= 4) {
        hash = rotate(hash ^ load_32(p) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        p += 4;
    }

    for (; p < end; ++p)
        hash = rotate(hash ^ *p * PRIME_5, 11) * PRIME_1;

    return hash;
}

uint64_t vni_xxh64(const void* data, size_t size, uint64_t seed) {
    VNI_ASSERT(data != NULL || size == 0);
    static const uint8_t nothing[1];
    const uint8_t *at = size ? (const uint8_t*)data : nothing, *end = at + size;
    uint64_t hash = size >= STRIPE ? hash_stripes(&at, end, seed) : seed + PRIME_5;
    hash = hash_rest(at, end, hash + size);
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;

    return hash ^ hash >> 32;
}
