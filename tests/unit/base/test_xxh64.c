/// XXH64 against the library that it was published with, where that is installed, and against fixed numbers
/// everywhere.
#include "base/rng.h"
#include "base/xxh64.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<xxhash.h>)
#define HAS_XXHASH 1
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif
#endif

#define BYTES 300

static void fill(uint8_t* bytes, size_t size, uint64_t seed) {
    vni_rng rng = vni_rng_make(seed);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (uint8_t)vni_rng_next(&rng);
}

/// Numbers that libxxhash gave: every way through the function, on machines that do not have it.
static void known_numbers(void** state) {
    (void)state;
    static const struct {
        size_t size;
        uint64_t seed, hash;
    } known[] = {
        {0, 0x0u, 0xef46db3751d8e999u},
        {1, 0x1u, 0x653ce83baffa4f91u},
        {3, 0x123456789abcdefu, 0xdcee5fb6f091a017u},
        {4, 0x0u, 0xfb1e5cf2f1ae4d95u},
        {7, 0x1u, 0xe75581b7bfa15ec7u},
        {8, 0x123456789abcdefu, 0x32ba9cba145aa3afu},
        {12, 0x0u, 0x2f53b00266039e64u},
        {31, 0x1u, 0x30c494e3d8ea5c92u},
        {32, 0x123456789abcdefu, 0x360bf82de03aed92u},
        {33, 0x0u, 0x35ec49850475a832u},
        {63, 0x1u, 0x09abc95b9a7fa569u},
        {64, 0x123456789abcdefu, 0x5ff03629286b7838u},
        {100, 0x0u, 0x4826e367566ea023u},
        {255, 0x1u, 0x6c102d1fbdaed12fu},
        {300, 0x123456789abcdefu, 0x7338a210ad8dbd9bu},
    };

    uint8_t bytes[BYTES];
    for (size_t i = 0; i < BYTES; ++i)
        bytes[i] = (uint8_t)(i * 37 + 11);

    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        assert_true(vni_xxh64(bytes, known[i].size, known[i].seed) == known[i].hash);

    assert_true(vni_xxh64(NULL, 0, 0) == 0xef46db3751d8e999u);
}

#ifdef HAS_XXHASH
static void equals_the_library(void** state) {
    (void)state;
    uint64_t seed = vnt_seed("equals_the_library", 1);
    vni_rng rng = vni_rng_make(seed);
    uint8_t bytes[BYTES + 16];

    fill(bytes, sizeof bytes, seed);
    for (size_t size = 0; size <= BYTES; ++size)
        for (size_t from = 0; from < 16; ++from) {
            uint64_t hash_seed = from == 0 ? 0 : vni_rng_next(&rng);
            assert_true(vni_xxh64(bytes + from, size, hash_seed) == XXH64(bytes + from, size, hash_seed));
        }
}
#endif

static void any_bit_changes_it(void** state) {
    (void)state;
    uint8_t bytes[100];
    fill(bytes, sizeof bytes, 2);
    for (size_t size = 1; size <= sizeof bytes; size += 11) {
        uint64_t hash = vni_xxh64(bytes, size, 5);
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(vni_xxh64(bytes, size, 5) != hash);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
#ifdef HAS_XXHASH
        cmocka_unit_test(equals_the_library),
#endif
        cmocka_unit_test(any_bit_changes_it),
    };
    return cmocka_run_group_tests_name("base/xxh64", tests, NULL, NULL);
}
