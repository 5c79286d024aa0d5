/// Hashing, and the map against a plain array.
#include "base/hash.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#define KEYS 600

static void hash_depends_on_everything(void** state) {
    (void)state;
    unsigned char bytes[40];
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)(i * 37);

    for (size_t size = 0; size <= sizeof bytes; ++size) {
        uint64_t hash = vni_hash_bytes(bytes, size, 1);
        assert_true(hash == vni_hash_bytes(bytes, size, 1));
        assert_true(hash != vni_hash_bytes(bytes, size, 2));
        if (size > 0)
            assert_true(hash != vni_hash_bytes(bytes, size - 1, 1));

        for (size_t i = 0; i < size * 8; ++i) {
            bytes[i / 8] ^= (unsigned char)(1 << i % 8);
            uint64_t changed = vni_hash_bytes(bytes, size, 1);
            bytes[i / 8] ^= (unsigned char)(1 << i % 8);
            assert_true(changed != hash);
        }
    }
}

static void hash_spreads_zeros_and_is_fixed(void** state) {
    (void)state;
    static const unsigned char zeros[64];
    uint64_t seen[65];
    for (size_t size = 0; size <= sizeof zeros; ++size) {
        seen[size] = vni_hash_bytes(zeros, size, 0);
        for (size_t k = 0; k < size; ++k)
            assert_true(seen[k] != seen[size]);
    }

    // Saved content may carry these: they must stay what they are, on every machine and at any address.
    char text[] = "_volnav hashes bytes";
    memmove(text, text + 1, sizeof text - 1);
    assert_true(vni_hash_bytes("volnav hashes bytes", 19, 5) == vni_hash_bytes(text, 19, 5));
    assert_true(vni_hash_bytes("volnav", 6, 0) == 0xfbac0693a9d451f8u);
    assert_true(vni_hash_bytes("volnav hashes bytes", 19, 5) == 0x7e86f38a723459e6u);
}

/// Keys that crowd, and keys that do not.
static uint64_t key_of(uint32_t index) {
    return index % 2 ? (uint64_t)index << 32 : index / 2;
}

typedef struct model {
    bool there[KEYS];
    uint32_t values[KEYS];
    uint32_t count;
} model;

static void check_map(const vni_map* map, const model* m) {
    assert_int_equal(map->count, m->count);
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint32_t* found = vni_map_find(map, key_of(i));
        assert_int_equal(found != NULL, m->there[i]);
        if (found != NULL)
            assert_int_equal(*found, m->values[i]);
    }
}

/// One random change to both; false if memory was refused.
static bool change(vni_map* map, model* m, vni_rng* rng) {
    uint32_t i = vni_rng_below(rng, KEYS), value = (uint32_t)vni_rng_next(rng);
    if (vni_rng_below(rng, 5) < 3) {
        if (!vni_map_put(map, key_of(i), value))
            return false;
        m->count += !m->there[i];
        m->there[i] = true;
        m->values[i] = value;
    } else {
        assert_int_equal(vni_map_remove(map, key_of(i)), m->there[i]);
        m->count -= m->there[i];
        m->there[i] = false;
    }

    return true;
}

static void map_equals_an_array(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_rng rng = vni_rng_make(vnt_seed("hash/map", 51));
    vni_map map = vni_map_make(&a);
    static model m;
    memset(&m, 0, sizeof m);
    check_map(&map, &m);
    assert_false(vni_map_remove(&map, 5));

    uint32_t steps = vnt_scale(20000, 500000);
    for (uint32_t step = 0; step < steps; ++step) {
        assert_true(change(&map, &m, &rng));
        if (step % 100 == 0)
            check_map(&map, &m);

        if (step % 5000 == 4999) {
            vni_map_clear(&map);
            memset(&m, 0, sizeof m);
            check_map(&map, &m);
        }

        assert_int_equal(vni_map_bytes(&map), memory.live_bytes);
    }

    vni_map_destroy(&map);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

/// Removals from a table that is as full as it gets, where runs are long and wrap around its end.
static void removal_closes_holes(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("hash/holes", 52));
    for (int round = 0; round < 200; ++round) {
        vni_map map = vni_map_make(&a);
        uint64_t keys[48];
        for (uint32_t i = 0; i < 48; ++i) {
            keys[i] = vni_rng_next(&rng);
            assert_true(vni_map_put(&map, keys[i], i));
        }

        assert_int_equal(map.capacity, 64);
        for (uint32_t gone = 0; gone < 48; ++gone) {
            assert_true(vni_map_remove(&map, keys[gone]));
            for (uint32_t i = 0; i < 48; ++i) {
                const uint32_t* found = vni_map_find(&map, keys[i]);
                assert_int_equal(found != NULL, i > gone);
                if (found != NULL)
                    assert_int_equal(*found, i);
            }
        }

        vni_map_destroy(&map);
    }
}

static void reserve_saves_allocations(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    vni_map map = vni_map_make(&a);
    assert_true(vni_map_reserve(&map, 0));
    assert_int_equal(memory.calls, 0);
    assert_true(vni_map_reserve(&map, 1000));

    uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < 1000; ++i)
        assert_true(vni_map_put(&map, i, i));

    vni_map_clear(&map);
    assert_true(vni_map_reserve(&map, 500));
    assert_int_equal(memory.calls, calls);
    assert_false(vni_map_reserve(&map, UINT32_MAX));
    assert_int_equal(memory.calls, calls);
    vni_map_destroy(&map);
    assert_int_equal(memory.live_blocks, 0);
}

static void refused_memory_changes_nothing(void** state) {
    (void)state;
    uint64_t seed = vnt_seed("hash/memory", 53);
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator a = vnt_memory_allocator(&memory);
        vni_map map = vni_map_make(&a);
        vni_rng rng = vni_rng_make(seed);
        static model m;
        memset(&m, 0, sizeof m);

        done = true;
        for (int step = 0; step < 2000; ++step) {
            if (!change(&map, &m, &rng)) {
                done = false;
                check_map(&map, &m);
            }
        }

        assert_int_equal(done, !memory.failed);
        check_map(&map, &m);
        vni_map_destroy(&map);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_depends_on_everything), cmocka_unit_test(hash_spreads_zeros_and_is_fixed),
        cmocka_unit_test(map_equals_an_array),        cmocka_unit_test(removal_closes_holes),
        cmocka_unit_test(reserve_saves_allocations),  cmocka_unit_test(refused_memory_changes_nothing),
    };
    return cmocka_run_group_tests_name("base/hash", tests, NULL, NULL);
}
