/// base/rng.c: splitmix64, xoshiro256**, and numbers in a range.
#include "base/rng.h"

#include "base/assert.h"
#include "base/hash.h"

uint64_t vn_random_next(uint64_t* random) {
    VNI_ASSERT(random != NULL);

    // An odd step (2^64 divided by the golden ratio) visits every 64-bit number once; the mix is a bijection.
    *random += VNI_HASH_STEP;
    return vni_hash_mix(*random);
}

vni_rng vni_rng_make(uint64_t seed) {
    // Four consecutive numbers of splitmix64 differ, so the state is never all zero, from which xoshiro would
    // not move on.
    vni_rng rng;
    for (int i = 0; i < 4; ++i)
        rng.state[i] = vn_random_next(&seed);

    return rng;
}

static uint64_t rotate_left(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
}

uint64_t vni_rng_next(vni_rng* rng) {
    uint64_t* s = rng->state;
    VNI_ASSERT((s[0] | s[1] | s[2] | s[3]) != 0);

    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);

    return result;
}

uint32_t vni_rng_below(vni_rng* rng, uint32_t limit) {
    VNI_ASSERT(limit > 0);

    // Lemire 2019: the high word of the product random * limit is the result. Each result has 2^32 / limit
    // low words, rounded up or down; rejecting the lowest 2^32 mod limit of them makes the counts equal.
    uint32_t uneven = (0 - limit) % limit;
    uint64_t product;
    do {
        product = (vni_rng_next(rng) >> 32) * limit;
    } while ((uint32_t)product < uneven);

    return (uint32_t)(product >> 32);
}

int32_t vni_rng_range(vni_rng* rng, int32_t low, int32_t high) {
    VNI_ASSERT(low <= high);
    uint64_t span = (uint64_t)((int64_t)high - low) + 1;
    uint32_t offset =
        span > UINT32_MAX ? (uint32_t)(vni_rng_next(rng) >> 32) : vni_rng_below(rng, (uint32_t)span);
    return (int32_t)(low + (int64_t)offset);
}

double vni_rng_real(vni_rng* rng) {
    return (double)(vni_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0);
}
