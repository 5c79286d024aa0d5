/// Rows of held records: every version in turn, versions with gaps, those that have left the ring, and
/// memory.
#include "base/alloc.h"
#include "cmocka_all.h"
#include "live/held.h"
#include "support.h"

enum { HISTORY = 3 };

static void free_nothing(const vn_allocator* allocator, vni_ring_item* item) {
    (void)allocator;
    (void)item;
}

static void push(vni_ring* ring, uint64_t version) {
    vni_ring_item* item = vni_ring_take(ring);
    assert_non_null(item);
    vni_ring_push(ring, item, version);
}

/// The version of the record that leads on from another; 0: none, with this status.
static uint64_t after(vni_ring* ring, uint64_t version, vn_status* status) {
    const vni_ring_item* item;
    *status = vni_ring_hold_after(ring, version, &item);
    if (item == NULL)
        return 0;
    const uint64_t found = item->version;
    vni_ring_release(ring, item);
    return found;
}

static void test_after(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_ring ring;
    vn_status status;
    assert_int_equal(vni_ring_make(&allocator, HISTORY, sizeof(vni_ring_item), free_nothing, &ring), VN_OK);
    assert_int_equal(after(&ring, 5, &status), 0);
    assert_int_equal(status, VN_BAD_ARGUMENT);

    // the first version is 5 and has no record; 7 and 8 were left out
    push(&ring, 6);
    push(&ring, 9);
    assert_int_equal(after(&ring, 5, &status), 6);
    assert_int_equal(after(&ring, 6, &status), 9);
    assert_int_equal(status, VN_OK);
    assert_int_equal(after(&ring, 9, &status), 0);
    assert_int_equal(status, VN_BAD_ARGUMENT);

    // 6 leaves: from 6 on all is there, from 5 on it is not
    push(&ring, 10);
    push(&ring, 20);
    assert_int_equal(after(&ring, 5, &status), 0);
    assert_int_equal(status, VN_STALE);
    assert_int_equal(after(&ring, 6, &status), 9);
    assert_int_equal(after(&ring, 10, &status), 20);
    vni_ring_free(&ring);
}

static void check_found(const vni_held* held, uint64_t version, vn_status expected, bool has_record) {
    const vni_ring_item* item;
    assert_int_equal(vni_held_find(held, version, &item), expected);
    assert_int_equal(item != NULL, has_record);
    if (has_record)
        assert_int_equal(item->version, version);
}

static void test_rows(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_ring ring;
    vni_held held;
    assert_int_equal(vni_ring_make(&allocator, HISTORY, sizeof(vni_ring_item), free_nothing, &ring), VN_OK);
    memory.fail_at = memory.calls;
    assert_false(vni_held_make(&allocator, &ring, &held));
    vni_held_free(&allocator, &held);
    assert_true(vni_held_make(&allocator, &ring, &held));

    push(&ring, 2);
    push(&ring, 3);
    push(&ring, 6);
    const uint64_t calls = memory.calls;
    assert_int_equal(vni_held_take(&held, 1, 6), VN_OK);
    check_found(&held, 1, VN_STALE, false);
    check_found(&held, 2, VN_OK, true);
    check_found(&held, 3, VN_OK, true);
    check_found(&held, 4, VN_OK, false);
    check_found(&held, 6, VN_OK, true);
    check_found(&held, 7, VN_STALE, false);
    assert_int_equal(memory.calls, calls);

    // what is held stays when it leaves the ring
    push(&ring, 7);
    push(&ring, 8);
    check_found(&held, 2, VN_OK, true);
    assert_int_equal(vni_held_take(&held, 2, 8), VN_STALE);
    check_found(&held, 3, VN_STALE, false);
    assert_int_equal(held.count, 0);
    assert_int_equal(vni_held_take(&held, 3, 8), VN_OK);
    check_found(&held, 6, VN_OK, true);
    assert_int_equal(vni_held_take(&held, 8, 8), VN_OK);
    check_found(&held, 8, VN_STALE, false);

    vni_held_free(&allocator, &held);
    vni_ring_free(&ring);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_after), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
