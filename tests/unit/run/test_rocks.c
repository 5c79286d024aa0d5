/// tests/unit/run/test_rocks.c: the judge's list of rocks against all of them, one by one.
#include "cmocka_all.h"

#include <math.h>

#include "run/rocks.h"
#include "run/run_inside.h"
#include "support.h"
#include "volnav/sim.h"

static vn_world* make_world(uint64_t seed, uint32_t count) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world;
    uint64_t random = seed;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t i = 0; i < count; ++i) {
        float low[3], size[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = (float)(vn_random_next(&random) % 1000) / 10;
            size[k] = (float)(1 + vn_random_next(&random) % 40) / 10;
        }
        const vn_shape shape = {
            .kind = VN_SHAPE_BOX,
            .as.box = {{low[0], low[1], low[2]}, {low[0] + size[0], low[1] + size[1], low[2] + size[2]}}};
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }
    return world;
}

static double least_of_all(const vni_run_rocks* rocks, vn_dvec3 p, vn_dvec3 q) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < rocks->count; ++i)
        least = fmin(least, vni_judge_box(p, q, &rocks->boxes[i]));
    return least;
}

static double draw(uint64_t* random, double low, double high) {
    return low + (high - low) * (double)(vn_random_next(random) >> 11) * 0x1p-53;
}

/// A walk with small steps, and now and then a leap; few rocks, so that often none is near, and many.
static void test_all(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    uint64_t random = vnt_seed("run/rocks", 1);
    for (uint32_t count = 1; count <= 1000; count *= 10) {
        vn_world* world = make_world(random, count);
        vni_run_rocks rocks;
        vn_dvec3 at = {50, 50, 50};
        assert_int_equal(vni_run_rocks_create(world, &allocator, &rocks), VN_OK);
        assert_int_equal(rocks.count, count);
        for (uint32_t i = 0; i < vnt_scale(500, 5000); ++i) {
            const double leap = i % 50 == 0 ? 30 : 1;
            vn_dvec3 to = at;
            to.x += draw(&random, -leap, leap);
            to.y += draw(&random, -leap, leap);
            to.z += draw(&random, -leap, leap);
            const double least = least_of_all(&rocks, at, to), enough = draw(&random, 0, 20);
            assert_true(vni_run_rocks_distance(&rocks, at, to, HUGE_VAL) == least);
            const double below = vni_run_rocks_distance(&rocks, at, to, enough);
            assert_true(least < enough ? below == least : below >= enough);
            at = to;
        }

        vni_run_rocks_destroy(&rocks);
        vn_world_destroy(world);
    }
}

static void test_none(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vn_world* world = make_world(1, 0);
    vni_run_rocks rocks;
    assert_int_equal(vni_run_rocks_create(world, &allocator, &rocks), VN_OK);
    assert_true(vni_run_rocks_distance(&rocks, (vn_dvec3){0, 0, 0}, (vn_dvec3){1, 0, 0}, HUGE_VAL) ==
                HUGE_VAL);
    vni_run_rocks_destroy(&rocks);
    vn_world_destroy(world);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vn_world* world = make_world(2, 10);
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_run_rocks rocks;
        const vn_status status = vni_run_rocks_create(world, &allocator, &rocks);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vni_run_rocks_destroy(&rocks);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }
    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
