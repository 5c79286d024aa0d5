/// Slots and generations against a plain array: lowest slot first, stale ids found out.
#include "base/idpool.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_SLOTS 6000

typedef struct model {
    bool used[MODEL_SLOTS];
    uint32_t generation[MODEL_SLOTS]; ///< the last one given out; 0: none
    uint32_t live;
} model;

static uint32_t lowest_unused(const model* m) {
    uint32_t slot = 0;
    while (m->used[slot])
        ++slot;
    return slot;
}

/// False if memory was refused.
static bool take(vni_idpool* pool, model* m) {
    uint32_t slot = 0, generation = 0;
    if (!vni_idpool_take(pool, &slot, &generation))
        return false;

    assert_int_equal(slot, lowest_unused(m));
    assert_true(generation != 0);
    assert_true(generation > m->generation[slot]);
    assert_true(vni_idpool_has(pool, slot, generation));
    if (m->generation[slot] != 0)
        assert_false(vni_idpool_has(pool, slot, m->generation[slot]));

    m->used[slot] = true;
    m->generation[slot] = generation;
    ++m->live;
    return true;
}

static void give(vni_idpool* pool, model* m, uint32_t slot) {
    assert_int_equal(vni_idpool_has(pool, slot, m->generation[slot]), m->used[slot]);
    assert_int_equal(vni_idpool_give(pool, slot, m->generation[slot]), m->used[slot]);
    assert_false(vni_idpool_has(pool, slot, m->generation[slot]));
    m->live -= m->used[slot];
    m->used[slot] = false;
}

static void first_ids_are_known(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    vni_idpool pool = vni_idpool_make(&a);
    assert_false(vni_idpool_has(&pool, 0, 0));
    assert_false(vni_idpool_has(&pool, 0, 1));

    assert_false(vni_idpool_give(&pool, 0, 0));
    for (uint32_t i = 0; i < 5; ++i) {
        uint32_t slot, generation;
        assert_true(vni_idpool_take(&pool, &slot, &generation));
        assert_int_equal(slot, i);
        assert_int_equal(generation, 1);
        assert_false(vni_idpool_has(&pool, slot, 0));
        assert_false(vni_idpool_has(&pool, slot, 2));
        assert_false(vni_idpool_has(&pool, slot + 1, 1));
    }

    assert_true(vni_idpool_give(&pool, 3, 1));
    assert_false(vni_idpool_give(&pool, 3, 1));
    assert_false(vni_idpool_has(&pool, 3, 2));
    assert_false(vni_idpool_give(&pool, 3, 2));
    assert_int_equal(pool.live, 4);
    assert_int_equal(pool.slots, 5);
    vni_idpool_destroy(&pool);
}

static void pool_equals_an_array(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_rng rng = vni_rng_make(vnt_seed("idpool", 61));
    vni_idpool pool = vni_idpool_make(&a);

    model* m = calloc(1, sizeof *m);
    for (uint32_t i = 0; i < MODEL_SLOTS - 1000; ++i) // more than one word of the summary
        assert_true(take(&pool, m));

    uint32_t steps = vnt_scale(6000, 100000);
    for (uint32_t step = 0; step < steps; ++step) {
        bool shrinking = step / 2000 % 2 == 0;
        if (m->live < MODEL_SLOTS && vni_rng_below(&rng, 4) < (shrinking ? 1u : 3u))
            assert_true(take(&pool, m));
        else
            give(&pool, m, vni_rng_below(&rng, pool.slots));
        assert_int_equal(pool.live, m->live);
    }

    for (uint32_t slot = 0; slot < pool.slots; ++slot)
        give(&pool, m, slot);

    assert_int_equal(pool.live, 0);
    for (int i = 0; i < 200; ++i)
        assert_true(take(&pool, m));

    assert_int_equal(vni_idpool_bytes(&pool), memory.live_bytes);
    vni_idpool_destroy(&pool);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    free(m);
}

static void used_up_slots_are_left_alone(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    vni_idpool pool = vni_idpool_make(&a);
    uint32_t slot, generation;
    assert_true(vni_idpool_take(&pool, &slot, &generation));
    assert_true(vni_idpool_give(&pool, 0, 1));
    pool.generations[0] = UINT32_MAX - 1; // as after two thousand million uses
    assert_true(vni_idpool_take(&pool, &slot, &generation));
    assert_int_equal(slot, 0);
    assert_true(generation == UINT32_MAX);
    assert_true(vni_idpool_give(&pool, 0, UINT32_MAX));
    assert_int_equal(pool.live, 0);
    assert_true(vni_idpool_take(&pool, &slot, &generation));
    assert_int_equal(slot, 1);
    assert_int_equal(generation, 1);
    assert_false(vni_idpool_has(&pool, 0, 0));
    assert_false(vni_idpool_has(&pool, 0, 1));
    assert_false(vni_idpool_has(&pool, 0, UINT32_MAX));
    vni_idpool_destroy(&pool);
}

static void refused_memory_changes_nothing(void** state) {
    (void)state;
    bool done = false;
    model* m = calloc(1, sizeof *m);
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator a = vnt_memory_allocator(&memory);
        vni_idpool pool = vni_idpool_make(&a);
        memset(m, 0, sizeof *m);

        done = true;
        for (int i = 0; i < 5000; ++i) {
            if (!take(&pool, m)) {
                done = false;
                assert_int_equal(pool.live, m->live);
                assert_int_equal(pool.slots, m->live);
            }
        }

        assert_int_equal(done, !memory.failed);
        for (uint32_t slot = 0; slot < pool.slots; ++slot)
            give(&pool, m, slot);

        vni_idpool_destroy(&pool);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_ids_are_known),
        cmocka_unit_test(pool_equals_an_array),
        cmocka_unit_test(used_up_slots_are_left_alone),
        cmocka_unit_test(refused_memory_changes_nothing),
    };

    return cmocka_run_group_tests_name("base/idpool", tests, NULL, NULL);
}
