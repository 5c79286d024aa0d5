/// base/hash.c: hashes of bytes, and the map.
#include "base/hash.h"

#include "base/alloc.h"
#include "base/assert.h"
#include <string.h>

#define VNI_MAP_FIRST_CAPACITY 16

// -------------------------------------------------------------------------------------------- bytes

/// Loads up to eight bytes, the first one lowest, independent of the byte order of the machine.
static uint64_t load_little(const unsigned char* bytes, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; ++i)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t vni_hash_bytes(const void* data, size_t size, uint64_t seed) {
    VNI_ASSERT(data != NULL || size == 0);

    const unsigned char* bytes = data;
    uint64_t hash = vni_hash_mix(seed + VNI_HASH_STEP) ^ (uint64_t)size;
    size_t left = size;
    for (; left >= 8; left -= 8, bytes += 8)
        hash = vni_hash_mix(hash ^ load_little(bytes, 8)) + VNI_HASH_STEP;

    if (left > 0)
        hash = vni_hash_mix(hash ^ load_little(bytes, left)) + VNI_HASH_STEP;

    return vni_hash_mix(hash);
}

// ---------------------------------------------------------------------------------------------- map

vni_map vni_map_make(const vn_allocator* allocator) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    return (vni_map){.allocator = *allocator};
}

static void free_arrays(vni_map* map) {
    VNI_DELETE_ARRAY(&map->allocator, map->keys, map->capacity);
    VNI_DELETE_ARRAY(&map->allocator, map->values, map->capacity);
    VNI_DELETE_ARRAY(&map->allocator, map->used, map->capacity);
}

void vni_map_destroy(vni_map* map) {
    free_arrays(map);
    *map = vni_map_make(&map->allocator);
}

/// Load limit of three quarters: beyond it, runs of used places become long.
static uint64_t most_keys(uint64_t capacity) {
    return capacity / 4 * 3;
}

static uint32_t home(const vni_map* map, uint64_t key) {
    VNI_ASSERT(map->capacity > 0 && (map->capacity & (map->capacity - 1)) == 0);
    return (uint32_t)vni_hash_mix(key) & (map->capacity - 1);
}

/// The place of the key, or the unused place where it belongs. The load limit guarantees that one is unused.
static uint32_t place_of(const vni_map* map, uint64_t key) {
    VNI_ASSERT(map->count < map->capacity);
    uint32_t place = home(map, key);
    while (map->used[place] && map->keys[place] != key)
        place = (place + 1) & (map->capacity - 1);
    return place;
}

uint32_t* vni_map_find(const vni_map* map, uint64_t key) {
    if (map->count == 0)
        return NULL;
    uint32_t place = place_of(map, key);
    return map->used[place] ? &map->values[place] : NULL;
}

static void insert_new(vni_map* map, uint64_t key, uint32_t value) {
    uint32_t place = place_of(map, key);
    VNI_ASSERT(!map->used[place]);
    map->keys[place] = key;
    map->values[place] = value;
    map->used[place] = 1;
    ++map->count;
}

static bool rebuild(vni_map* map, uint32_t capacity) {
    vni_map larger = vni_map_make(&map->allocator);
    larger.capacity = capacity;
    larger.keys = VNI_NEW_ARRAY(&map->allocator, uint64_t, capacity);
    larger.values = VNI_NEW_ARRAY(&map->allocator, uint32_t, capacity);
    larger.used = vni_alloc_zero(&map->allocator, capacity, 1);
    if (larger.keys == NULL || larger.values == NULL || larger.used == NULL) {
        free_arrays(&larger);
        return false;
    }

    for (uint32_t i = 0; i < map->capacity; ++i) {
        if (map->used[i])
            insert_new(&larger, map->keys[i], map->values[i]);
    }

    VNI_ASSERT(larger.count == map->count);

    free_arrays(map);
    *map = larger;
    return true;
}

bool vni_map_reserve(vni_map* map, uint32_t count) {
    if (count <= most_keys(map->capacity))
        return true;
    uint64_t capacity = VNI_MAP_FIRST_CAPACITY;
    while (most_keys(capacity) < count)
        capacity *= 2;
    return capacity <= UINT32_MAX && rebuild(map, (uint32_t)capacity);
}

bool vni_map_put(vni_map* map, uint64_t key, uint32_t value) {
    uint32_t* found = vni_map_find(map, key);
    if (found != NULL) {
        *found = value;
        return true;
    }

    if (!vni_map_reserve(map, map->count + 1))
        return false;
    insert_new(map, key, value);
    return true;
}

/// Removes an entry without leaving a tombstone: keys later in the run move back into the hole, because a
/// probe stops at the first unused place.
///
///             hole          i
///              v            v
///     [a] [b] [ ] [c] [d] [e] [ ]    e fills the hole unless its home lies in (hole, i]
static void close_hole(vni_map* map, uint32_t hole) {
    uint32_t mask = map->capacity - 1;
    for (uint32_t i = (hole + 1) & mask; map->used[i]; i = (i + 1) & mask) {
        uint32_t from_home = (i - home(map, map->keys[i])) & mask;
        if (from_home < ((i - hole) & mask))
            continue; // its home lies after the hole: a probe for it never passes the hole
        map->keys[hole] = map->keys[i];
        map->values[hole] = map->values[i];
        hole = i;
    }

    map->used[hole] = 0;
}

bool vni_map_remove(vni_map* map, uint64_t key) {
    if (map->count == 0)
        return false;
    uint32_t place = place_of(map, key);
    if (!map->used[place])
        return false;

    close_hole(map, place);
    --map->count;
    return true;
}

void vni_map_clear(vni_map* map) {
    if (map->capacity > 0)
        memset(map->used, 0, map->capacity);
    map->count = 0;
}

size_t vni_map_bytes(const vni_map* map) {
    return (size_t)map->capacity * (sizeof *map->keys + sizeof *map->values + sizeof *map->used);
}
