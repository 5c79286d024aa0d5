/// Slots against a model: random takes, gives and writes; versions that are pinned, published and dropped.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "live/slots.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 600, PINS = 6 };

/// An array as it should be.
typedef struct model {
    uint32_t values[MOST];
    bool taken[MOST];
    uint32_t count;
} model;

static void check(const vni_slot_version* version, const model* m) {
    const vni_slots* slots = &version->arrays[0];
    assert_int_equal(slots->live, m->count);
    for (uint32_t i = 0; i < MOST; ++i) {
        assert_int_equal(vni_slots_has(slots, i), m->taken[i]);
        if (m->taken[i])
            assert_int_equal(*(const uint32_t*)vni_slots_at(slots, i), m->values[i]);
    }
}

/// A random operation on the update and its model; false if memory ran out.
static bool operate(vni_slot_store* store, model* m, vni_rng* rng) {
    const uint32_t at = vni_rng_below(rng, MOST);
    const uint32_t what = vni_rng_below(rng, 5);
    if (m->taken[at] && what < 2) {
        if (!vni_slots_give(store, 0, at))
            return false;
        m->taken[at] = false;
        --m->count;
    } else if (m->taken[at]) {
        uint32_t* record = vni_slots_write(store, 0, at);
        if (record == NULL)
            return false;
        *record = m->values[at] = (uint32_t)vni_rng_next(rng);
    } else if (m->count < MOST / 2) {
        uint32_t slot;
        const uint32_t limit = store->building->arrays[0].limit;
        uint32_t* record = vni_slots_take(store, 0, at < limit ? at : VNI_NO_SLOT, &slot);
        if (record == NULL)
            return false;
        assert_true(slot < MOST);
        assert_false(m->taken[slot]);
        *record = m->values[slot] = (uint32_t)vni_rng_next(rng);
        m->taken[slot] = true;
        ++m->count;
    }
    return true;
}

static void versions_are_as_the_model(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("slots", 740));
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    for (uint32_t round = 0; round < vnt_scale(20, 300); ++round) {
        static model now, next, pinned[PINS];
        const vni_slot_version* pins[PINS] = {NULL};
        const uint32_t stride = 12;
        vni_slot_store store;
        uint64_t number = 0;
        memset(&now, 0, sizeof now);
        assert_int_equal(vni_slot_store_make(&allocator, &stride, 1, &store), VN_OK);
        assert_null(vni_slots_pin(&store));
        for (uint32_t step = 0; step < 60; ++step) {
            // some updates run out of memory, some are dropped
            memory.fail_at = vni_rng_below(&rng, 4) == 0 ? memory.calls + vni_rng_below(&rng, 6) : UINT64_MAX;
            next = now;
            bool ok = vni_slots_begin(&store);
            const bool begun = ok;
            for (uint32_t i = vni_rng_below(&rng, 60); ok && i > 0; --i)
                ok = operate(&store, &next, &rng);
            memory.fail_at = UINT64_MAX;
            if (ok && vni_rng_below(&rng, 5) != 0) {
                vni_slots_publish(&store, number += 1 + vni_rng_below(&rng, 3));
                now = next;
            } else if (begun) {
                vni_slots_drop(&store);
            }

            // the newest and all pinned ones are right
            const vni_slot_version* version = vni_slots_pin(&store);
            if (version != NULL) {
                assert_true(version->number == number);
                check(version, &now);
                vni_slots_unpin(&store, version);
            }
            for (uint32_t i = 0; i < PINS; ++i)
                if (pins[i] != NULL)
                    check(pins[i], &pinned[i]);

            const uint32_t k = vni_rng_below(&rng, PINS);
            if (pins[k] != NULL)
                vni_slots_unpin(&store, pins[k]);
            pins[k] = vni_rng_below(&rng, 2) ? vni_slots_pin(&store) : NULL;
            pinned[k] = now;
        }
        for (uint32_t i = 0; i < PINS; ++i)
            if (pins[i] != NULL)
                vni_slots_unpin(&store, pins[i]);
        vni_slot_store_free(&store);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

/// Taking and giving for ever does not let the array grow: at least half of the pages that are not full are
/// found again.
static void room_is_used_again(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const uint32_t stride = 8;
    vni_rng rng = vni_rng_make(vnt_seed("slots room", 741));
    vni_slot_store store;
    static uint32_t slots[2000];
    assert_int_equal(vni_slot_store_make(&allocator, &stride, 1, &store), VN_OK);
    uint32_t count = 0;
    for (uint64_t version = 1; version < 2000; ++version) {
        assert_true(vni_slots_begin(&store));
        for (uint32_t i = 0; i < 100 && count > 0; ++i) {
            const uint32_t k = vni_rng_below(&rng, count);
            assert_true(vni_slots_give(&store, 0, slots[k]));
            slots[k] = slots[--count];
        }
        for (; count < 1000; ++count) {
            const uint32_t hint = count > 0 ? slots[vni_rng_below(&rng, count)] : VNI_NO_SLOT;
            assert_non_null(vni_slots_take(&store, 0, hint, &slots[count]));
        }
        vni_slots_publish(&store, version);
    }
    assert_true(store.newest->arrays[0].limit <= 2 * 1000 + 2 * VNI_SLOT_PAGE);
    vni_slot_store_free(&store);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions_are_as_the_model),
                                       cmocka_unit_test(room_is_used_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
