/// base/rng.h: seeded random numbers, the same on every machine: xoshiro256** (Blackman and Vigna 2021),
/// seeded by splitmix64 (vn_random_next; Steele, Lea and Flood 2014).
#ifndef VNI_BASE_RNG_H
#define VNI_BASE_RNG_H

#include <stdint.h>

typedef struct vni_rng {
    uint64_t state[4];
} vni_rng;

vni_rng vni_rng_make(uint64_t seed);
uint64_t vni_rng_next(vni_rng* rng);

/// Uniform in [0, limit), without bias; limit > 0.
uint32_t vni_rng_below(vni_rng* rng, uint32_t limit);

/// Uniform in [low, high], low <= high.
int32_t vni_rng_range(vni_rng* rng, int32_t low, int32_t high);

/// Uniform in [0, 1), with 53 random bits.
double vni_rng_real(vni_rng* rng);

#endif
