/// tests/unit/base/test_sets.c: disjoint sets against labels that are painted over.
#include "base/rng.h"
#include "base/sets.h"
#include "cmocka_all.h"
#include "support.h"

#define ITEMS 200

static void begin(uint32_t* parents, uint32_t* labels) {
    for (uint32_t i = 0; i < ITEMS; ++i)
        parents[i] = labels[i] = i;
}

/// The label of a set is its lowest item.
static void paint(uint32_t* labels, uint32_t a, uint32_t b) {
    uint32_t low = labels[a] < labels[b] ? labels[a] : labels[b];
    uint32_t high = labels[a] < labels[b] ? labels[b] : labels[a];
    for (uint32_t i = 0; i < ITEMS; ++i)
        labels[i] = labels[i] == high ? low : labels[i];
}

static void roots_are_the_lowest_items(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("base/sets", 31));
    for (uint32_t round = 0; round < vnt_scale(50, 2000); ++round) {
        uint32_t parents[ITEMS], labels[ITEMS];
        begin(parents, labels);
        for (uint32_t joins = vni_rng_below(&rng, 2 * ITEMS); joins > 0; --joins) {
            uint32_t a = vni_rng_below(&rng, ITEMS), b = vni_rng_below(&rng, ITEMS);
            paint(labels, a, b);
            assert_int_equal(vni_sets_join(parents, a, b), labels[a]);
            uint32_t probe = vni_rng_below(&rng, ITEMS);
            assert_int_equal(vni_sets_find(parents, probe), labels[probe]);
        }

        for (uint32_t i = 0; i < ITEMS; ++i)
            assert_int_equal(vni_sets_find(parents, i), labels[i]);
    }
}

/// A chain joined from its high end is as long as it can be; asking shortens it.
static void asking_shortens_the_way(void** state) {
    (void)state;
    uint32_t parents[ITEMS], labels[ITEMS];
    begin(parents, labels);
    for (uint32_t i = ITEMS - 1; i > 0; --i)
        assert_int_equal(vni_sets_join(parents, i, i - 1), i - 1);

    assert_int_equal(parents[ITEMS - 1], ITEMS - 2);
    assert_int_equal(vni_sets_find(parents, ITEMS - 1), 0);
    assert_int_equal(parents[ITEMS - 1], ITEMS - 3);
    for (uint32_t i = 0; i < 10; ++i)
        vni_sets_find(parents, ITEMS - 1);

    assert_int_equal(parents[ITEMS - 1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_the_lowest_items),
        cmocka_unit_test(asking_shortens_the_way),
    };
    return cmocka_run_group_tests_name("base/sets", tests, NULL, NULL);
}
