/// Arena: blocks do not overlap, survive later allocations, and go away together.
#include "base/arena.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#define BLOCKS 400

typedef struct taken {
    unsigned char* block;
    uint32_t size;
} taken;

/// Takes blocks of random sizes, each filled with its number; false if one was refused.
static bool fill_arena(vni_arena* arena, vni_rng* rng, taken* blocks, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t size =
            vni_rng_below(rng, 10) == 0 ? vni_rng_below(rng, 3000) + 1 : vni_rng_below(rng, 60) + 1;
        blocks[i] = (taken){vni_arena_alloc(arena, size, 1), size};
        if (blocks[i].block == NULL)
            return false;
        memset(blocks[i].block, (int)(i & 0xff), size);
    }

    return true;
}

static void check_blocks(const taken* blocks, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal((uintptr_t)blocks[i].block % 16, 0);
        for (uint32_t k = 0; k < blocks[i].size; ++k)
            assert_int_equal(blocks[i].block[k], i & 0xff);
    }
}

static void blocks_keep_their_content(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_rng rng = vni_rng_make(vnt_seed("arena", 11));
    vni_arena arena = vni_arena_make(&a, 1000);
    assert_int_equal(vni_arena_bytes(&arena), 0);

    static taken blocks[BLOCKS];
    for (int round = 0; round < 5; ++round) {
        assert_true(fill_arena(&arena, &rng, blocks, BLOCKS));
        check_blocks(blocks, BLOCKS);
        assert_int_equal(vni_arena_bytes(&arena), memory.live_bytes);
        vni_arena_reset(&arena);
        assert_int_equal(memory.live_blocks, 1);
        assert_int_equal(vni_arena_bytes(&arena), memory.live_bytes);
    }

    vni_arena_destroy(&arena);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

static void reset_keeps_the_largest_chunk(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_arena arena = vni_arena_make(&a, 256);
    vni_arena_reset(&arena);
    assert_int_equal(memory.calls, 0);
    assert_non_null(vni_arena_alloc(&arena, 100, 1));
    assert_non_null(vni_arena_alloc(&arena, 5000, 1));
    assert_non_null(vni_arena_alloc(&arena, 100, 1)); // still from the first chunk
    assert_int_equal(memory.calls, 2);
    vni_arena_reset(&arena);
    assert_int_equal(memory.live_blocks, 1);
    assert_true(memory.live_bytes >= 5000);
    assert_non_null(vni_arena_alloc(&arena, 5000, 1));
    assert_int_equal(memory.calls, 2);
    vni_arena_destroy(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void odd_counts(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_arena arena = vni_arena_make(&a, 64);
    void* empty = vni_arena_alloc(&arena, 0, 8);
    void* other = vni_arena_alloc(&arena, 0, 8);
    assert_non_null(empty);
    assert_ptr_not_equal(empty, other);
    uint64_t calls = memory.calls;
    assert_null(vni_arena_alloc(&arena, UINT64_MAX, 8));
    assert_null(vni_arena_alloc(&arena, SIZE_MAX - 3, 1));
    assert_int_equal(memory.calls, calls);
    vni_arena_destroy(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void refused_chunks_leak_nothing(void** state) {
    (void)state;
    uint64_t seed = vnt_seed("arena/memory", 12);
    static taken blocks[BLOCKS];
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator a = vnt_memory_allocator(&memory);
        vni_arena arena = vni_arena_make(&a, 2000);
        vni_rng rng = vni_rng_make(seed);
        done = fill_arena(&arena, &rng, blocks, BLOCKS);

        assert_int_equal(done, !memory.failed);
        if (!done) // the arena goes on where there is memory again
            assert_non_null(vni_arena_alloc(&arena, 4000, 1));

        vni_arena_destroy(&arena);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_content),
        cmocka_unit_test(reset_keeps_the_largest_chunk),
        cmocka_unit_test(odd_counts),
        cmocka_unit_test(refused_chunks_leak_nothing),
    };

    return cmocka_run_group_tests_name("base/arena", tests, NULL, NULL);
}
