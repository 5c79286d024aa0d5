/// tests/fuzz/api/heap.c: the allocator of the API fuzzer.
#include "tests/fuzz/api/api.h"
#include <stdlib.h>
#include <string.h>

/// Bytes above which it refuses, so that no input takes long.
#define MOST_BYTES (24u << 20)

#define BLOCK_MARK 0x76a6f75a7a11c0deu

/// Lies before each block and keeps it aligned to 16 bytes.
typedef struct block_head {
    uint64_t size, mark;
} block_head;

static bool fails(vnf_heap* heap, size_t size) {
    uint32_t left = atomic_load(&heap->countdown);
    while (left > 0 && !atomic_compare_exchange_weak(&heap->countdown, &left, left - 1)) {
    }

    const bool now = left == 1 || size > MOST_BYTES - atomic_load(&heap->live_bytes);
    if (now)
        atomic_fetch_add(&heap->failures, 1);
    return now;
}

static void* heap_alloc(void* user, size_t size) {
    vnf_heap* heap = user;
    block_head* head = fails(heap, size) ? NULL : malloc(sizeof *head + size);
    if (head == NULL)
        return NULL;

    *head = (block_head){size, BLOCK_MARK};
    memset(head + 1, 0xa5, size < 4096 ? size : 4096); // what is read before it is written should look wrong
    atomic_fetch_add(&heap->live_blocks, 1);
    atomic_fetch_add(&heap->live_bytes, (uint32_t)size);
    return head + 1;
}

static void heap_release(void* user, void* block, size_t size) {
    vnf_heap* heap = user;
    block_head* head = (block_head*)block - 1;
    VNF_REQUIRE(head->mark == BLOCK_MARK && head->size == size);

    atomic_fetch_sub(&heap->live_blocks, 1);
    atomic_fetch_sub(&heap->live_bytes, (uint32_t)size);
    head->mark = 0;
    free(head);
}

/// Always moves, so that a pointer into the old block is found out.
static void* heap_resize(void* user, void* block, size_t old_size, size_t new_size) {
    void* moved = heap_alloc(user, new_size);
    if (moved == NULL)
        return NULL;

    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    heap_release(user, block, old_size);
    return moved;
}

vn_allocator vnf_heap_allocator(vnf_heap* heap) {
    vn_allocator allocator = {heap_alloc, heap_resize, heap_release, heap};
    return allocator;
}
