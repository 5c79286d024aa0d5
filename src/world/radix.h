/// world/radix.h: sorts 64-bit codes by a range of their bits, in linear time.
#ifndef VNI_WORLD_RADIX_H
#define VNI_WORLD_RADIX_H

#include <stdint.h>

/// Sorts `keys` by their bits [low, high), high <= 64. Stable: codes with equal bits keep their order.
/// `spare` is scratch for as many codes. O(count) for each byte of the range in which codes differ.
void vni_radix_sort(uint64_t* keys, uint64_t* spare, uint64_t count, uint32_t low, uint32_t high);

#endif
