/// base/rng.c: xoshiro256** and what is made of its bits.
#include "base/rng.h"

#include "base/assert.h"
#include "base/hash.h"

vni_rng vni_rng_make(uint64_t seed) {
    vni_rng rng;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        rng.state[i] = vni_hash_mix(seed);
    }
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

    // The high word of a 32 by 32 bit product; the 2^32 mod limit lowest low words are drawn again, so that
    // each result has equally many.
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
