/// base/xxh64.h: XXH64 (Collet 2012), the checksum of .vnav and .vnrec files. It is widely available, so
/// files can be verified without volnav.
#ifndef VNI_BASE_XXH64_H
#define VNI_BASE_XXH64_H

#include "volnav/base.h"

/// The same result on every machine. `data` may have any alignment, and may be null if `size` is 0.
uint64_t vni_xxh64(const void* data, size_t size, uint64_t seed);

#endif
