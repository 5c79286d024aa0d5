/// base/alloc.c: the default allocator, and typed calls to any allocator.
#include "base/alloc.h"

#include "base/assert.h"
#include "base/tally.h"
#include <stdlib.h>
#include <string.h>

#define VNI_FIRST_CAPACITY 8

/// Not a pointer to const: gcc would assume that uninitialised memory is read.
static bool is_aligned(void* block) {
    return ((uintptr_t)block & 15) == 0;
}

static void* default_alloc(void* user, size_t size) {
    (void)user;
    void* block = malloc(size);
    VNI_ASSERT(is_aligned(block));
    return block;
}

static void* default_resize(void* user, void* block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    VNI_ASSERT(new_size > 0);
    void* moved = realloc(block, new_size);
    VNI_ASSERT(is_aligned(moved));
    return moved;
}

static void default_release(void* user, void* block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

vn_allocator vn_default_allocator(void) {
    return (vn_allocator){.alloc = default_alloc, .resize = default_resize, .release = default_release};
}

bool vni_allocator_is_valid(const vn_allocator* allocator) {
    return allocator != NULL && allocator->alloc != NULL && allocator->resize != NULL &&
           allocator->release != NULL;
}

/// False if the product does not fit.
static bool byte_size(uint64_t count, size_t size, size_t* bytes) {
    VNI_ASSERT(size > 0);
    if (count > SIZE_MAX / size)
        return false;
    *bytes = (size_t)count * size;
    return true;
}

void* vni_alloc(const vn_allocator* allocator, uint64_t count, size_t size) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    size_t bytes;
    if (count == 0 || !byte_size(count, size, &bytes))
        return NULL;

    void* block = allocator->alloc(allocator->user, bytes);
    VNI_ASSERT(is_aligned(block));
    return block;
}

/// Zeroed memory from the allocator. The system has pages of zeros: what comes straight from it is neither
/// written nor given memory before it is used, which matters for the large tables of a query.
static void* take_zeroed(const vn_allocator* allocator, size_t bytes) {
    if (allocator->alloc == default_alloc)
        return calloc(1, bytes);

    vni_tally* tally = vni_tally_of(allocator);
    void* block =
        tally != NULL ? take_zeroed(&tally->inner, bytes) : allocator->alloc(allocator->user, bytes);
    if (block != NULL && tally != NULL)
        vni_tally_add(tally, bytes);
    if (block != NULL && tally == NULL)
        memset(block, 0, bytes);

    return block;
}

void* vni_alloc_zero(const vn_allocator* allocator, uint64_t count, size_t size) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    size_t bytes;
    if (count == 0 || !byte_size(count, size, &bytes))
        return NULL;

    void* block = take_zeroed(allocator, bytes);
    VNI_ASSERT(is_aligned(block));
    return block;
}

void vni_free(const vn_allocator* allocator, void* block, uint64_t count, size_t size) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    if (block == NULL)
        return;
    VNI_ASSERT(count > 0 && count <= SIZE_MAX / size);
    allocator->release(allocator->user, block, (size_t)count * size);
}

/// At least `need`, and at least twice `capacity` unless that does not fit.
static uint64_t grown_capacity(uint64_t capacity, uint64_t need) {
    uint64_t doubled = capacity > UINT64_MAX / 2 ? UINT64_MAX : capacity * 2;
    if (doubled < VNI_FIRST_CAPACITY)
        doubled = VNI_FIRST_CAPACITY;
    return need > doubled ? need : doubled;
}

bool vni_grow(const vn_allocator* allocator, void* data, uint64_t* capacity, uint64_t need, size_t size) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && data != NULL && capacity != NULL);

    if (need <= *capacity)
        return true;

    uint64_t wanted = grown_capacity(*capacity, need);
    size_t bytes;
    if (!byte_size(wanted, size, &bytes))
        return false;

    // A pointer of another type must not be accessed through a void**: copy its bytes.
    void* old;
    memcpy(&old, data, sizeof old);
    VNI_ASSERT((old != NULL) == (*capacity != 0));

    void* block = old != NULL ? allocator->resize(allocator->user, old, (size_t)*capacity * size, bytes)
                              : allocator->alloc(allocator->user, bytes);
    if (block == NULL)
        return false;

    VNI_ASSERT(is_aligned(block));

    memcpy(data, &block, sizeof block);
    *capacity = wanted;
    return true;
}

void vni_memory_add(vn_memory* memory, const char* name, size_t bytes) {
    VNI_ASSERT(memory->count < VN_MEMORY_PARTS);
    memory->parts[memory->count].name = name;
    memory->parts[memory->count++].bytes = bytes;
    memory->total += bytes;
}
