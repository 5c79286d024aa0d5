/// Words and sets of bits against loops over single bits.
#include "base/bits.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#define BITS  300
#define WORDS 5

static uint32_t count_slowly(uint64_t x) {
    uint32_t count = 0;
    for (int i = 0; i < 64; ++i)
        count += (uint32_t)(x >> i & 1);
    return count;
}

static void single_words(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("bits/words", 21));
    assert_int_equal(vni_popcount(0), 0);
    assert_int_equal(vni_popcount(UINT64_MAX), 64);
    for (uint32_t bit = 0; bit < 64; ++bit) {
        uint64_t one = (uint64_t)1 << bit;
        assert_int_equal(vni_lowest_bit(one), bit);
        assert_int_equal(vni_highest_bit(one), bit);
        assert_int_equal(vni_lowest_bit(UINT64_MAX << bit), bit);
        assert_int_equal(vni_highest_bit(UINT64_MAX >> bit), 63 - bit);
        uint64_t x = vni_rng_next(&rng);
        assert_int_equal(vni_popcount(x), count_slowly(x));
        assert_int_equal(vni_lowest_bit((x | 1) << bit), bit);
        assert_int_equal(vni_highest_bit((x | (uint64_t)1 << 63) >> bit), 63 - bit);
    }
}

static void words_for_bits(void** state) {
    (void)state;
    assert_int_equal(vni_bits_words(0), 0);
    assert_int_equal(vni_bits_words(1), 1);
    assert_int_equal(vni_bits_words(64), 1);
    assert_int_equal(vni_bits_words(65), 2);
    assert_int_equal(vni_bits_words((uint64_t)1 << 40), (uint64_t)1 << 34);
}

static void setting_and_clearing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("bits/set", 22));
    uint64_t words[WORDS] = {0};
    bool model[BITS] = {false};
    for (int step = 0; step < 5000; ++step) {
        uint32_t index = vni_rng_below(&rng, BITS);
        model[index] = vni_rng_below(&rng, 2) == 0;
        if (model[index])
            vni_bits_set(words, index);
        else
            vni_bits_clear(words, index);

        uint32_t probe = vni_rng_below(&rng, BITS);
        assert_int_equal(vni_bits_get(words, probe), model[probe]);
    }

    for (uint32_t bits = 0, count = 0; bits <= BITS; ++bits) {
        assert_int_equal(vni_bits_count(words, bits), count);
        if (bits < BITS)
            count += model[bits];
    }
}

static void ranges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("bits/range", 23));
    for (int step = 0; step < 3000; ++step) {
        uint64_t words[WORDS];
        bool model[BITS + 20];
        for (uint32_t w = 0; w < WORDS; ++w)
            words[w] = vni_rng_next(&rng) & vni_rng_next(&rng);

        uint32_t begin = vni_rng_below(&rng, 321), end = vni_rng_below(&rng, 321);
        if (step % 4 == 0) { // on the borders of words too
            begin &= ~63u;
            end &= ~63u;
        }

        if (begin > end) {
            uint32_t swap = begin;
            begin = end;
            end = swap;
        }

        for (uint32_t i = 0; i < 320; ++i)
            model[i] = vni_bits_get(words, i) || (i >= begin && i < end);

        vni_bits_set_range(words, begin, end);
        for (uint32_t i = 0; i < 320; ++i)
            assert_int_equal(vni_bits_get(words, i), model[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_words),
        cmocka_unit_test(words_for_bits),
        cmocka_unit_test(setting_and_clearing),
        cmocka_unit_test(ranges),
    };

    return cmocka_run_group_tests_name("base/bits", tests, NULL, NULL);
}
