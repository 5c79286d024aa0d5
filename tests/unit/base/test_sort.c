/// Sorting against counting: random arrays of several sizes, with equal elements.
#include "base/rng.h"
#include "base/sort.h"
#include "cmocka_all.h"
#include "support.h"

#include <string.h>

/// 12 bytes, ordered by the first four.
typedef struct item {
    uint32_t key, twin, more;
} item;

static int compare(const void* a, const void* b) {
    const item *x = (const item*)a, *y = (const item*)b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void test_sorts(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sort", 1));
    for (uint32_t round = 0; round < vnt_scale(300, 20000); ++round) {
        item items[200], spare;
        uint32_t counts[64] = {0};
        const uint32_t count = vni_rng_below(&rng, 201), keys = 1 + vni_rng_below(&rng, 64);
        for (uint32_t i = 0; i < count; ++i) {
            items[i].key = vni_rng_below(&rng, keys);
            items[i].twin = ~items[i].key;
            items[i].more = items[i].key * 3;
            ++counts[items[i].key];
        }

        vni_sort(items, count, sizeof *items, compare, &spare);
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(i == 0 || items[i - 1].key <= items[i].key);
            assert_true(items[i].twin == ~items[i].key && items[i].more == items[i].key * 3);
            --counts[items[i].key];
        }
        for (uint32_t i = 0; i < 64; ++i)
            assert_int_equal(counts[i], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sorts)};
    return cmocka_run_group_tests_name("base/sort", tests, NULL, NULL);
}
