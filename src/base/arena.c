/// base/arena.c: a list of chunks, of which the first is being filled.
#include "base/arena.h"

#include "base/alloc.h"
#include "base/assert.h"

#define VNI_ARENA_ALIGNMENT 16

struct vni_arena_chunk {
    vni_arena_chunk* next;
    size_t size; ///< bytes for the user
    size_t used; ///< a multiple of the alignment
};

/// Bytes before those of the user, which are aligned therefore.
#define VNI_CHUNK_HEAD                                                                                       \
    ((sizeof(vni_arena_chunk) + VNI_ARENA_ALIGNMENT - 1) / VNI_ARENA_ALIGNMENT * VNI_ARENA_ALIGNMENT)

vni_arena vni_arena_make(const vn_allocator* allocator, size_t chunk_size) {
    VNI_ASSERT(vni_allocator_is_valid(allocator) && chunk_size > 0 && chunk_size < SIZE_MAX / 2);
    return (vni_arena){.allocator = *allocator, .chunk_size = chunk_size};
}

/// Bytes of an allocation, rounded up to the alignment; 0 on overflow.
static size_t rounded_bytes(uint64_t count, size_t size) {
    VNI_ASSERT(size > 0);
    size_t limit = SIZE_MAX - VNI_CHUNK_HEAD - VNI_ARENA_ALIGNMENT;
    if (count > limit / size)
        return 0;
    size_t bytes = count == 0 ? 1 : (size_t)count * size;
    return (bytes + VNI_ARENA_ALIGNMENT - 1) / VNI_ARENA_ALIGNMENT * VNI_ARENA_ALIGNMENT;
}

static size_t bytes_left(const vni_arena_chunk* chunk) {
    VNI_ASSERT(chunk->used <= chunk->size);
    return chunk->size - chunk->used;
}

/// Adds a chunk for `bytes`. It becomes the first of the list unless the present one keeps more bytes free: a
/// single large block does not waste the rest of a chunk.
static vni_arena_chunk* add_chunk(vni_arena* arena, size_t bytes) {
    size_t size = bytes > arena->chunk_size ? bytes : arena->chunk_size;
    vni_arena_chunk* chunk = vni_alloc(&arena->allocator, VNI_CHUNK_HEAD + size, 1);
    if (chunk == NULL)
        return NULL;

    *chunk = (vni_arena_chunk){.size = size};
    vni_arena_chunk* head = arena->head;
    if (head != NULL && bytes_left(head) > size - bytes) {
        chunk->next = head->next;
        head->next = chunk;
    } else {
        chunk->next = head;
        arena->head = chunk;
    }

    return chunk;
}

void* vni_arena_alloc(vni_arena* arena, uint64_t count, size_t size) {
    size_t bytes = rounded_bytes(count, size);
    if (bytes == 0)
        return NULL;

    vni_arena_chunk* chunk = arena->head;
    if (chunk == NULL || bytes_left(chunk) < bytes)
        chunk = add_chunk(arena, bytes);

    if (chunk == NULL)
        return NULL;
    VNI_ASSERT(bytes_left(chunk) >= bytes);

    void* block = (unsigned char*)chunk + VNI_CHUNK_HEAD + chunk->used;
    chunk->used += bytes;
    return block;
}

/// Frees all chunks but `kept`, which may be null.
static void free_chunks(vni_arena* arena, const vni_arena_chunk* kept) {
    vni_arena_chunk* next;
    for (vni_arena_chunk* chunk = arena->head; chunk != NULL; chunk = next) {
        next = chunk->next;
        if (chunk != kept)
            vni_free(&arena->allocator, chunk, VNI_CHUNK_HEAD + chunk->size, 1);
    }
}

void vni_arena_reset(vni_arena* arena) {
    vni_arena_chunk* largest = arena->head;
    for (vni_arena_chunk* chunk = arena->head; chunk != NULL; chunk = chunk->next) {
        if (chunk->size > largest->size)
            largest = chunk;
    }

    free_chunks(arena, largest);
    if (largest != NULL) {
        largest->next = NULL;
        largest->used = 0;
    }

    arena->head = largest;
}

void vni_arena_destroy(vni_arena* arena) {
    free_chunks(arena, NULL);
    arena->head = NULL;
}

size_t vni_arena_bytes(const vni_arena* arena) {
    size_t sum = 0;
    for (const vni_arena_chunk* chunk = arena->head; chunk != NULL; chunk = chunk->next)
        sum += VNI_CHUNK_HEAD + chunk->size;
    return sum;
}
