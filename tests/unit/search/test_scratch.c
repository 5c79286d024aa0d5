/// Pages: nothing is remembered from the search before, and the capacity holds.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "search/scratch.h"

static void test_forgets(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("scratch", 81));
    vni_scratch scratch;

    assert_int_equal(vni_scratch_make(&allocator, 100000, 6400, &scratch), VN_OK);
    for (uint32_t round = 0; round < 200; ++round) {
        vni_scratch_reset(&scratch);
        uint32_t marked[50];
        for (uint32_t i = 0; i < 50; ++i) {
            marked[i] = vni_rng_below(&rng, 100000);
            uint32_t slot = vni_scratch_slot(&scratch, marked[i]);
            assert_true(slot != UINT32_MAX);
            bool before = false;
            for (uint32_t k = 0; k < i; ++k)
                before |= marked[k] == marked[i];

            assert_true(before == (scratch.nodes[slot].position != VNI_NODE_UNSEEN));
            scratch.nodes[slot].position = marked[i] % 1000;
        }

        for (uint32_t i = 0; i < 50; ++i)
            assert_int_equal(vni_scratch_find(&scratch, marked[i])->position, marked[i] % 1000);
    }

    vni_scratch_free(&scratch);
    vni_scratch_free(&scratch); // twice does no harm
}

static void test_capacity_is_kept(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vni_scratch scratch;
    assert_int_equal(vni_scratch_make(&allocator, UINT32_MAX, 130, &scratch), VN_OK); // three pages
    assert_true(vni_scratch_slot(&scratch, 0) != UINT32_MAX);
    assert_true(vni_scratch_slot(&scratch, 4000000000u) != UINT32_MAX);
    assert_true(vni_scratch_slot(&scratch, 2000000000u) != UINT32_MAX);
    assert_true(vni_scratch_slot(&scratch, 2000000001u) != UINT32_MAX); // the same page
    assert_true(vni_scratch_slot(&scratch, 1000000000u) == UINT32_MAX);
    assert_null(vni_scratch_find(&scratch, 1000000000u));
    vni_scratch_reset(&scratch);
    assert_null(vni_scratch_find(&scratch, 0));
    assert_true(vni_scratch_slot(&scratch, 1000000000u) != UINT32_MAX);
    vni_scratch_free(&scratch);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_scratch scratch;
        vn_status status = vni_scratch_make(&allocator, 1000, 1000, &scratch);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        vn_memory report;
        if (status == VN_OK) {
            vni_scratch_memory(&scratch, &report);
            assert_int_equal(report.total, memory.live_bytes);
        }

        vni_scratch_free(&scratch);
        assert_int_equal(memory.live_blocks, 0);
        if (!memory.failed)
            break;
    }
}

/// Notes the largest request and grants none.
static void* note_size(void* user, size_t size) {
    size_t* largest = user;
    *largest = size > *largest ? size : *largest;
    return NULL;
}

static void* no_resize(void* user, void* block, size_t old_size, size_t new_size) {
    (void)user, (void)block, (void)old_size, (void)new_size;
    return NULL;
}

static void no_release(void* user, void* block, size_t size) {
    (void)user, (void)block, (void)size;
}

/// However many nodes are asked for, there are no more than the heap can order.
static void test_largest(void** state) {
    (void)state;
    size_t largest = 0;
    vn_allocator allocator = {note_size, no_resize, no_release, &largest};
    vni_scratch scratch;

    assert_int_equal(vni_scratch_make(&allocator, UINT32_MAX, UINT32_MAX, &scratch), VN_OUT_OF_MEMORY);
    if (SIZE_MAX > UINT32_MAX) {
        vni_heap heap = {.capacity = (uint32_t)(largest / sizeof(vni_heap_entry))};
        assert_int_equal(heap.capacity, VNI_MAX_NODES);
        assert_true(heap.capacity <= UINT32_MAX / 4 - 1); // as vni_heap_push asks
    }

    vni_scratch_free(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forgets),
        cmocka_unit_test(test_capacity_is_kept),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_largest),
    };

    return cmocka_run_group_tests_name("search/scratch", tests, NULL, NULL);
}
