/// The default allocator, the typed calls, and the tests' own allocator.
#include "base/alloc.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

static void default_allocator_gives_aligned_blocks(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    assert_true(vni_allocator_is_valid(&a));
    for (size_t size = 1; size < 300; size += 7) {
        unsigned char* block = a.alloc(a.user, size);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 16, 0);
        memset(block, 0x5a, size);
        block = a.resize(a.user, block, size, size * 3);
        assert_non_null(block);

        assert_int_equal((uintptr_t)block % 16, 0);
        for (size_t i = 0; i < size; ++i)
            assert_int_equal(block[i], 0x5a);

        a.release(a.user, block, size * 3);
    }
}

static void a_lacking_function_is_invalid(void** state) {
    (void)state;
    vn_allocator whole = vn_default_allocator(), a = whole;
    a.alloc = NULL;
    assert_false(vni_allocator_is_valid(&a));
    a = whole;
    a.resize = NULL;
    assert_false(vni_allocator_is_valid(&a));
    a = whole;
    a.release = NULL;
    assert_false(vni_allocator_is_valid(&a));
    assert_false(vni_allocator_is_valid(NULL));
}

static void nothing_and_too_much_give_null(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    assert_null(vni_alloc(&a, 0, 8));
    assert_null(vni_alloc(&a, UINT64_MAX, 1 + sizeof(size_t)));
    assert_null(vni_alloc(&a, (uint64_t)(SIZE_MAX / 16) + 1, 16));
    assert_null(vni_alloc_zero(&a, (uint64_t)(SIZE_MAX / 16) + 1, 16));
    assert_int_equal(memory.calls, 0);
    vni_free(&a, NULL, 0, 8);
    assert_int_equal(memory.live_blocks, 0);
}

static void zeroed_means_zeroed(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    unsigned char* block = vni_alloc_zero(&a, 33, 3);
    for (int i = 0; i < 99; ++i)
        assert_int_equal(block[i], 0);

    assert_int_equal(memory.live_bytes, 99);
    vni_free(&a, block, 33, 3);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
    assert_int_equal(memory.peak_bytes, 99);
    assert_false(memory.mismatch);
}

static void growing_keeps_content_and_doubles(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    uint32_t* data = NULL;

    uint64_t capacity = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
        uint64_t before = capacity;
        assert_true(vni_grow(&a, &data, &capacity, i + 1, sizeof *data));
        assert_true(capacity >= i + 1);
        assert_true(capacity == before || capacity >= before * 2);
        data[i] = i * 7;
    }

    assert_true(memory.calls < 12);
    for (uint32_t i = 0; i < 1000; ++i)
        assert_int_equal(data[i], i * 7);

    assert_true(vni_grow(&a, &data, &capacity, 100000, sizeof *data));
    assert_true(capacity >= 100000);
    VNI_DELETE_ARRAY(&a, data, capacity);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

static void growing_without_memory_changes_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    uint64_t* data = NULL;
    uint64_t capacity = 0;
    assert_true(vni_grow(&a, &data, &capacity, 3, sizeof *data));
    const uint64_t* before = data;
    uint64_t capacity_before = capacity;
    data[2] = 77;
    memory.fail_at = memory.calls;
    assert_false(vni_grow(&a, &data, &capacity, 1000, sizeof *data));
    assert_true(memory.failed);
    assert_false(vni_grow(&a, &data, &capacity, UINT64_MAX / 4, sizeof *data));
    assert_ptr_equal(data, before);
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(data[2], 77);
    VNI_DELETE_ARRAY(&a, data, capacity);

    data = NULL;
    capacity = 0;
    memory.fail_at = memory.calls;
    assert_false(vni_grow(&a, &data, &capacity, 1, sizeof *data));
    assert_null(data);
    assert_int_equal(capacity, 0);
    assert_int_equal(memory.live_blocks, 0);
}

static void the_tests_allocator_sees_wrong_sizes(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    void* block = a.alloc(a.user, 10);
    a.release(a.user, block, 11);
    assert_true(memory.mismatch);

    memory = vnt_memory_make();
    block = a.alloc(a.user, 10);
    block = a.resize(a.user, block, 9, 20);
    assert_true(memory.mismatch);
    a.release(a.user, block, 20);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
}

static void the_tests_allocator_fails_once(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    memory.fail_at = 1;
    void* first = a.alloc(a.user, 10);
    assert_non_null(first);
    assert_null(a.resize(a.user, first, 10, 20));
    assert_true(memory.failed);
    first = a.resize(a.user, first, 10, 5);
    assert_non_null(first);
    assert_int_equal(memory.calls, 2);
    first = a.resize(a.user, first, 5, 20);
    assert_non_null(first);
    a.release(a.user, first, 20);
    assert_int_equal(memory.calls, 3);
    assert_false(memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_allocator_gives_aligned_blocks),
        cmocka_unit_test(a_lacking_function_is_invalid),
        cmocka_unit_test(nothing_and_too_much_give_null),
        cmocka_unit_test(zeroed_means_zeroed),
        cmocka_unit_test(growing_keeps_content_and_doubles),
        cmocka_unit_test(growing_without_memory_changes_nothing),
        cmocka_unit_test(the_tests_allocator_sees_wrong_sizes),
        cmocka_unit_test(the_tests_allocator_fails_once),
    };

    return cmocka_run_group_tests_name("base/alloc", tests, NULL, NULL);
}
