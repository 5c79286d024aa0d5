/// Random numbers: the published sequence, and ranges that are kept and filled.
#include "base/rng.h"
#include "support.h"
#include "volnav/base.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void generator_is_xoshiro256starstar(void** state) {
    (void)state;
    // What the reference implementation gives from this state.
    vni_rng rng = {{1, 2, 3, 4}};
    assert_true(vni_rng_next(&rng) == 11520);
    assert_true(vni_rng_next(&rng) == 0);
    assert_true(vni_rng_next(&rng) == 1509978240);
    assert_true(vni_rng_next(&rng) == 1215971899390074240u);
}

static void splitmix64_is_as_published(void** state) {
    (void)state;
    uint64_t random = 0;
    assert_true(vn_random_next(&random) == 0xe220a8397b1dcdafu);
    assert_true(vn_random_next(&random) == 0x6e789e6aa1b965f4u);
    assert_true(vn_random_next(&random) == 0x06c45d188009454fu);
    assert_true(random == 3 * 0x9e3779b97f4a7c15u);
}

static void seeding_is_splitmix64(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(0);
    assert_true(rng.state[0] == 0xe220a8397b1dcdafu);
    assert_true(rng.state[1] == 0x6e789e6aa1b965f4u);
    assert_true(rng.state[2] == 0x06c45d188009454fu);
    vni_rng other = vni_rng_make(1);
    assert_true(vni_rng_next(&rng) != vni_rng_next(&other));
}

static void below_is_even(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rng/below", 41));
    uint32_t counts[7] = {0};
    for (int i = 0; i < 70000; ++i) {
        uint32_t x = vni_rng_below(&rng, 7);
        assert_true(x < 7);
        ++counts[x];
    }

    for (int i = 0; i < 7; ++i) // six standard deviations
        assert_in_range(counts[i], 9440, 10560);

    for (int i = 0; i < 100; ++i)
        assert_int_equal(vni_rng_below(&rng, 1), 0);
}

/// With a limit of 3 * 2^30, drawing without repetition would give the multiples of 3 twice as often as the
/// others.
static void below_has_no_bias(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rng/bias", 42));
    uint32_t counts[3] = {0};
    for (int i = 0; i < 30000; ++i)
        ++counts[vni_rng_below(&rng, 3u << 30) % 3];

    for (int i = 0; i < 3; ++i)
        assert_in_range(counts[i], 9500, 10500);
}

static void range_reaches_both_ends(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rng/range", 43));
    bool low = false, high = false;
    for (int i = 0; i < 1000; ++i) {
        int32_t x = vni_rng_range(&rng, -3, 4);
        assert_true(x >= -3);
        assert_true(x <= 4);
        low |= x == -3;
        high |= x == 4;
    }

    assert_true(low);
    assert_true(high);
    assert_int_equal(vni_rng_range(&rng, INT32_MIN, INT32_MIN), INT32_MIN);
    assert_int_equal(vni_rng_range(&rng, INT32_MAX, INT32_MAX), INT32_MAX);
    uint32_t negative = 0;
    for (int i = 0; i < 10000; ++i)
        negative += vni_rng_range(&rng, INT32_MIN, INT32_MAX) < 0;

    assert_in_range(negative, 4700, 5300);
}

static void real_stays_below_one(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rng/real", 44));
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        double x = vni_rng_real(&rng);
        assert_true(x >= 0);
        assert_true(x < 1);
        sum += x;
    }

    assert_true(sum > 49400);
    assert_true(sum < 50600);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_is_xoshiro256starstar),
        cmocka_unit_test(splitmix64_is_as_published),
        cmocka_unit_test(seeding_is_splitmix64),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_has_no_bias),
        cmocka_unit_test(range_reaches_both_ends),
        cmocka_unit_test(real_stays_below_one),
    };

    return cmocka_run_group_tests_name("base/rng", tests, NULL, NULL);
}
