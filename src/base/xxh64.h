/// base/xxh64.h: XXH64, the checksum of our files. Other programs know it too, so that a file can be checked
/// without us.
#ifndef VNI_BASE_XXH64_H
#define VNI_BASE_XXH64_H

#include "volnav/base.h"

/// The same number on every machine. `data` may have any alignment, and be null if `size` is 0.
uint64_t vni_xxh64(const void* data, size_t size, uint64_t seed);

#endif
