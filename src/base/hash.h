/// base/hash.h: 64-bit hashes of bytes, and a map from 64-bit keys to 32-bit values (open addressing with
/// linear probing, without tombstones).
#ifndef VNI_BASE_HASH_H
#define VNI_BASE_HASH_H

#include "volnav/base.h"

/// 2^64 divided by the golden ratio, made odd: separates equal inputs before they are mixed.
#define VNI_HASH_STEP 0x9e3779b97f4a7c15u

/// A well-mixed 64-bit value: the finaliser of splitmix64 (Stafford's variant 13). A bijection.
static inline uint64_t vni_hash_mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Hash of bytes, the same on every machine; `seed` chains calls. Not secure against chosen input.
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

/// Null if the key is absent; valid until the next change.
uint32_t* vni_map_find(const vni_map* map, uint64_t key);

/// Adds or replaces; false if memory runs out, with nothing changed.
bool vni_map_put(vni_map* map, uint64_t key, uint32_t value);

/// False if the key is absent.
bool vni_map_remove(vni_map* map, uint64_t key);

/// Reserves memory for `count` keys; false if memory runs out.
bool vni_map_reserve(vni_map* map, uint32_t count);

void vni_map_clear(vni_map* map);
size_t vni_map_bytes(const vni_map* map);

#endif
