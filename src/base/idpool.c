/// base/idpool.c: generations, and a two-level bit set of free slots.
///
///     summary   bit w: free_words[w] is not 0     one word covers 4096 slots
///     words     bit s: slot s is free
#include "base/idpool.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"

vni_idpool vni_idpool_make(const vn_allocator* allocator) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    return (vni_idpool){.allocator = *allocator};
}

void vni_idpool_destroy(vni_idpool* pool) {
    VNI_DELETE_ARRAY(&pool->allocator, pool->generations, pool->generation_capacity);
    VNI_DELETE_ARRAY(&pool->allocator, pool->free_words, pool->free_capacity);
    VNI_DELETE_ARRAY(&pool->allocator, pool->free_summary, pool->summary_capacity);
    *pool = vni_idpool_make(&pool->allocator);
}

/// The lowest free slot; there must be one.
static uint32_t lowest_free(const vni_idpool* pool) {
    VNI_ASSERT(pool->free_count > 0);
    uint64_t word = 0;
    while (pool->free_summary[word] == 0)
        ++word;
    word = word * 64 + vni_lowest_bit(pool->free_summary[word]);
    return (uint32_t)(word * 64 + vni_lowest_bit(pool->free_words[word]));
}

static void mark_used(vni_idpool* pool, uint32_t slot) {
    VNI_ASSERT(vni_bits_get(pool->free_words, slot));
    vni_bits_clear(pool->free_words, slot);
    if (pool->free_words[slot >> 6] == 0)
        vni_bits_clear(pool->free_summary, slot >> 6);
    --pool->free_count;
}

static void mark_free(vni_idpool* pool, uint32_t slot) {
    VNI_ASSERT(!vni_bits_get(pool->free_words, slot));
    vni_bits_set(pool->free_words, slot);
    vni_bits_set(pool->free_summary, slot >> 6);
    ++pool->free_count;
}

/// Adds one slot, with its bits cleared. Words beyond those in use stay uninitialised until a slot needs
/// them.
static bool add_slot(vni_idpool* pool) {
    const vn_allocator* from = &pool->allocator;
    uint64_t slots = (uint64_t)pool->slots + 1;
    uint64_t words = vni_bits_words(slots), summary = vni_bits_words(words);
    if (slots > UINT32_MAX ||
        !vni_grow(from, &pool->generations, &pool->generation_capacity, slots, sizeof *pool->generations) ||
        !vni_grow(from, &pool->free_words, &pool->free_capacity, words, sizeof *pool->free_words) ||
        !vni_grow(from, &pool->free_summary, &pool->summary_capacity, summary, sizeof *pool->free_summary))
        return false;

    // No return below: if one array could not grow, the others are merely larger than needed.
    uint32_t slot = pool->slots++;
    pool->generations[slot] = 0;
    if (slot % 64 == 0)
        pool->free_words[slot / 64] = 0;

    if (slot % 4096 == 0)
        pool->free_summary[slot / 4096] = 0;

    return true;
}

bool vni_idpool_take(vni_idpool* pool, uint32_t* slot, uint32_t* generation) {
    VNI_ASSERT(slot != NULL && generation != NULL);

    if (pool->free_count > 0) {
        *slot = lowest_free(pool);
        mark_used(pool, *slot);
    } else {
        if (!add_slot(pool))
            return false;
        *slot = pool->slots - 1;
    }

    *generation = ++pool->generations[*slot];
    VNI_ASSERT(*generation & 1);

    ++pool->live;
    return true;
}

bool vni_idpool_has(const vni_idpool* pool, uint32_t slot, uint32_t generation) {
    return slot < pool->slots && (generation & 1) && pool->generations[slot] == generation;
}

bool vni_idpool_give(vni_idpool* pool, uint32_t slot, uint32_t generation) {
    if (!vni_idpool_has(pool, slot, generation))
        return false;
    VNI_ASSERT(pool->live > 0);
    --pool->live;

    // Odd becomes even: free. After 2^31 uses the generation wraps to 0, and the slot is retired.
    if (++pool->generations[slot] != 0)
        mark_free(pool, slot);

    return true;
}

size_t vni_idpool_bytes(const vni_idpool* pool) {
    return (size_t)(pool->generation_capacity * sizeof *pool->generations +
                    pool->free_capacity * sizeof *pool->free_words +
                    pool->summary_capacity * sizeof *pool->free_summary);
}
