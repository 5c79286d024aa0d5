/// tests/support/support.c: seeds, sizes, and the allocator that counts and fails.
#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// As much of a block is filled with noise: queries take megabytes.
#define NOISE 65536u

#define BLOCK_MARK 0x766f6c6e61765eedu

/// Lies before each block and keeps it aligned to 16 bytes.
typedef struct block_head {
    uint64_t size;
    uint64_t mark;
} block_head;

_Static_assert(sizeof(block_head) == 16, "blocks stay aligned");

uint64_t vnt_seed(const char* name, uint64_t fallback) {
    const char* text = getenv("VN_SEED");
    uint64_t seed = text != NULL && *text ? strtoull(text, NULL, 0) : fallback;
    fprintf(stderr, "%s: VN_SEED=%llu\n", name, (unsigned long long)seed);
    return seed;
}

uint32_t vnt_scale(uint32_t normal, uint32_t long_run) {
    const char* text = getenv("VN_TEST_LONG");
    unsigned long part = text != NULL ? strtoul(text, NULL, 10) : 0;
    if (part == 0)
        return normal;

    uint32_t down = (uint32_t)(long_run / part), up = (uint32_t)(long_run * part);
    if (long_run < normal) // a step, which is finer in a long run
        return up < normal ? up : normal;

    return down > normal ? down : normal;
}

bool vnt_is_slow_build(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}

static bool must_fail(vnt_memory* memory) {
    const uint64_t number = memory->calls++;
    const bool fails = number == memory->fail_at || (memory->keeps_failing && number > memory->fail_at);
    memory->failed |= fails;
    memory->failures += fails;
    return fails;
}

static void* take(vnt_memory* memory, size_t size) {
    block_head* head = size <= SIZE_MAX - sizeof *head ? malloc(sizeof *head + size) : NULL;
    if (head == NULL)
        return NULL;

    *head = (block_head){size, BLOCK_MARK};
    memset(head + 1, 0xa5, size < NOISE ? size : NOISE); // what is read before it is written looks wrong
    ++memory->live_blocks;
    memory->live_bytes += size;
    if (memory->live_bytes > memory->peak_bytes)
        memory->peak_bytes = memory->live_bytes;

    return head + 1;
}

static void give_back(vnt_memory* memory, void* block, size_t size) {
    block_head* head = (block_head*)block - 1;
    if (head->mark != BLOCK_MARK || head->size != size)
        memory->mismatch = true;

    --memory->live_blocks;
    memory->live_bytes -= head->size;
    head->mark = 0;
    free(head);
}

static void* memory_alloc(void* user, size_t size) {
    return must_fail(user) ? NULL : take(user, size);
}

/// Always moves, so that a pointer into the old block is found out.
static void* memory_resize(void* user, void* block, size_t old_size, size_t new_size) {
    if (new_size > old_size && must_fail(user))
        return NULL;
    void* moved = take(user, new_size);
    if (moved == NULL)
        return NULL;

    const block_head* head = (const block_head*)block - 1;
    uint64_t kept = head->size < new_size ? head->size : new_size;
    memcpy(moved, block, (size_t)kept);
    give_back(user, block, old_size);
    return moved;
}

static void memory_release(void* user, void* block, size_t size) {
    give_back(user, block, size);
}

vnt_memory vnt_memory_make(void) {
    return (vnt_memory){.fail_at = UINT64_MAX};
}

vn_allocator vnt_memory_allocator(vnt_memory* memory) {
    return (vn_allocator){memory_alloc, memory_resize, memory_release, memory};
}

// ---------------------------------------------------------------------------------------- for several
// threads

/// One lock for all shared memories.
static atomic_flag memory_lock = ATOMIC_FLAG_INIT;

static void lock_memory(void) {
    while (atomic_flag_test_and_set_explicit(&memory_lock, memory_order_acquire)) {
    }
}

static void unlock_memory(void) {
    atomic_flag_clear_explicit(&memory_lock, memory_order_release);
}

static void* shared_alloc(void* user, size_t size) {
    lock_memory();
    void* block = memory_alloc(user, size);
    unlock_memory();
    return block;
}

static void* shared_resize(void* user, void* block, size_t old_size, size_t new_size) {
    lock_memory();
    void* moved = memory_resize(user, block, old_size, new_size);
    unlock_memory();
    return moved;
}

static void shared_release(void* user, void* block, size_t size) {
    lock_memory();
    memory_release(user, block, size);
    unlock_memory();
}

vn_allocator vnt_memory_shared_allocator(vnt_memory* memory) {
    return (vn_allocator){shared_alloc, shared_resize, shared_release, memory};
}

uint64_t vnt_memory_failures(vnt_memory* memory) {
    lock_memory();
    const uint64_t failures = memory->failures;
    unlock_memory();
    return failures;
}

void vnt_memory_restore(vnt_memory* memory) {
    lock_memory();
    memory->fail_at = UINT64_MAX;
    memory->keeps_failing = false;
    unlock_memory();
}

#if defined(__GNUC__)
static bool print_assert(const char* condition, const char* file, int line) {
    fprintf(stderr, "%s:%d: assert failed: %s\n", file, line, condition);
    return true;
}

/// The library has no stdio: without this an assert would stop a test without a word.
__attribute__((constructor)) static void install_print_assert(void) {
    vn_set_assert_handler(print_assert);
}
#endif
