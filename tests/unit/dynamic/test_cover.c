/// tests/unit/dynamic/test_cover.c: counted cover of bricks against plain counts.
#include "base/rng.h"
#include "cmocka_all.h"
#include "dynamic/dynamic_inside.h"
#include "support.h"

#include <string.h>

#define BRICKS 40

typedef struct model {
    vni_cover cover;
    uint32_t counts[BRICKS][64];
} model;

static uint64_t key_of(uint32_t brick) {
    return vni_brick_key(brick % 7, 64 * (brick % 5) + brick);
}

/// Voxels of the brick whose count is not 0.
static uint64_t bits_of(const model* m, uint32_t brick) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 64; ++i)
        bits |= (uint64_t)(m->counts[brick][i] > 0) << i;
    return bits;
}

static void change(model* m, uint32_t brick, uint64_t removed, uint64_t added) {
    assert_true(vni_cover_reserve(&m->cover, 1));
    vni_cover_change(&m->cover, key_of(brick), removed, added);
    for (uint32_t i = 0; i < 64; ++i) {
        m->counts[brick][i] += (uint32_t)(added >> i & 1);
        m->counts[brick][i] -= (uint32_t)(removed >> i & 1);
    }

    assert_true(vni_cover_bits(&m->cover, key_of(brick)) == bits_of(m, brick));
}

/// Takes away what is left. Then nothing may be covered.
static void clear(model* m) {
    for (uint32_t brick = 0; brick < BRICKS; ++brick)
        while (bits_of(m, brick) != 0)
            change(m, brick, bits_of(m, brick), 0);
    assert_int_equal(m->cover.slots.count, 0);
}

static void random_changes(void** state) {
    (void)state;
    static model m;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_rng rng = vni_rng_make(vnt_seed("dynamic/cover", 52));
    memset(&m, 0, sizeof m);
    m.cover = vni_cover_make(&allocator);
    for (uint32_t i = 0; i < vnt_scale(20000, 400000); ++i) {
        const uint32_t brick = vni_rng_below(&rng, BRICKS);
        const uint64_t added = vni_rng_next(&rng) & vni_rng_next(&rng);
        const uint64_t removed = vni_rng_next(&rng) & bits_of(&m, brick) & ~added;
        change(&m, brick, removed, added);
    }

    clear(&m);
    vni_cover_free(&m.cover);
    assert_true(memory.live_blocks == 0);
}

/// Counts that need a second and a third brick of planes, up and down again; some voxels stay low.
static void many_obstacles(void** state) {
    (void)state;
    static model m;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    memset(&m, 0, sizeof m);
    m.cover = vni_cover_make(&allocator);
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < 15000; ++i)
            change(&m, i % 3, 0, i < 600 ? ~(uint64_t)0 : UINT64_C(0xf0f0f0f0f0f0f0f0) << i % 2);
        clear(&m);
    }

    // slots are used again, those of the planes above too
    assert_int_equal(m.cover.used, 3 * 3);
    assert_int_equal(m.cover.page_count, 1);
    vni_cover_free(&m.cover);
    assert_true(memory.live_blocks == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes),
        cmocka_unit_test(many_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
