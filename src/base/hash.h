/// base/hash.h: 64-bit hashing of bytes and a map from 64-bit keys to 32-bit values (open addressing, no
/// tombstones kept).
#ifndef VNI_BASE_HASH_H
#define VNI_BASE_HASH_H

#include "volnav/base.h"

/// A well-mixed 64-bit value; a bijection.
static inline uint64_t vni_hash_mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Hash of bytes, the same on every machine; `seed` chains calls. Not for adversaries.
uint64_t vni_hash_bytes(const void* data, size_t size, uint64_t seed);

typedef struct vni_map {
    vn_allocator allocator;
    uint64_t* keys;
    uint32_t* values;
    uint8_t* used;
    uint32_t count;
    uint32_t capacity; ///< a power of two, or 0
} vni_map;

vni_map vni_map_make(const vn_allocator* allocator);
void vni_map_destroy(vni_map* map);

/// Null if the key is not there; valid until the next change.
uint32_t* vni_map_find(const vni_map* map, uint64_t key);

/// Adds or replaces; false if there is no memory, and nothing has changed.
bool vni_map_put(vni_map* map, uint64_t key, uint32_t value);

/// False if it was not there.
bool vni_map_remove(vni_map* map, uint64_t key);

/// Room for `count` keys without further allocation.
bool vni_map_reserve(vni_map* map, uint32_t count);

void vni_map_clear(vni_map* map);
size_t vni_map_bytes(const vni_map* map);

#endif
