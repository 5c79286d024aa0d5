/// tests/unit/base/test_simd.c: four floats at a time against one at a time.
#include "base/rng.h"
#include "base/simd.h"
#include "cmocka_all.h"
#include "support.h"

#include <math.h>

/// Few values, so that equal ones meet.
static void fill(vni_rng* rng, float out[4]) {
    static const float values[] = {-1.5f, -0.0f, 0, 1e-30f, 2, 3e30f, INFINITY, NAN};
    for (int i = 0; i < 4; ++i)
        out[i] = values[vni_rng_below(rng, 8)];
}

static void test_comparisons(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("simd", 1));
    for (int turn = 0; turn < 10000; ++turn) {
        float a[4], b[4];
        uint32_t below = 0, equal = 0;
        fill(&rng, a);
        fill(&rng, b);
        for (int i = 0; i < 4; ++i) {
            below |= (uint32_t)(a[i] <= b[i]) << i;
            equal |= (uint32_t)(a[i] == b[i]) << i;
        }
        assert_int_equal(vni_f4_not_above(vni_f4_load(a), vni_f4_load(b)), below);
        assert_int_equal(vni_f4_equal(vni_f4_load(a), vni_f4_load(b)), equal);
    }
}

static void test_arithmetic(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("simd arithmetic", 1));
    for (int turn = 0; turn < 10000; ++turn) {
        float a[5], sum[4], product[4];
        for (int i = 0; i < 5; ++i)
            a[i] = (float)(vni_rng_real(&rng) - 0.5);
        // any address will do
        vni_f4_store(sum, vni_f4_add(vni_f4_load(a), vni_f4_load(a + 1)));
        vni_f4_store(product, vni_f4_mul(vni_f4_sub(vni_f4_load(a), vni_f4_load(a + 1)), vni_f4_all(a[0])));
        for (int i = 0; i < 4; ++i) {
            assert_true(sum[i] == a[i] + a[i + 1]);
            assert_true(product[i] == (a[i] - a[i + 1]) * a[0]);
        }
    }
}

static void test_transpose(void** state) {
    (void)state;
    vni_f4 rows[4];
    for (int i = 0; i < 4; ++i) {
        const float first = (float)(4 * i);
        rows[i] = vni_f4_of(first, first + 1, first + 2, first + 3);
    }

    vni_f4_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int i = 0; i < 4; ++i) {
        float out[4];
        vni_f4_store(out, rows[i]);
        for (int k = 0; k < 4; ++k)
            assert_true(out[k] == (float)(4 * k + i));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_comparisons), cmocka_unit_test(test_arithmetic),
                                       cmocka_unit_test(test_transpose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
