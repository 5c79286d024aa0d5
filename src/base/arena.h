/// base/arena.h: memory that is freed all at once. Chunks come from an allocator; blocks never move.
#ifndef VNI_BASE_ARENA_H
#define VNI_BASE_ARENA_H

#include "volnav/base.h"

typedef struct vni_arena_chunk vni_arena_chunk;

typedef struct vni_arena {
    vn_allocator allocator;
    vni_arena_chunk* head;
    size_t chunk_size;
} vni_arena;

/// An empty arena; allocates nothing yet. Chunks hold `chunk_size` bytes, or more for a larger block.
vni_arena vni_arena_make(const vn_allocator* allocator, size_t chunk_size);

/// Memory aligned to 16 bytes, not initialised; null if memory runs out. Not null for a count of 0.
void* vni_arena_alloc(vni_arena* arena, uint64_t count, size_t size);

/// Empties the arena and keeps its largest chunk.
void vni_arena_reset(vni_arena* arena);
void vni_arena_destroy(vni_arena* arena);

/// Bytes taken from the allocator.
size_t vni_arena_bytes(const vni_arena* arena);

#endif
