/// tests/unit/sim/test_emulate.c: nodes of a path that are blocked at a rate: how many, which, and for how
/// long.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"
#include <string.h>

enum { NODES = 40 };

static void make_path(vn_voxel* path, int32_t y) {
    for (int32_t i = 0; i < NODES; ++i) {
        path[i] = (vn_voxel){i, y, -3};
    }
}

static void test_counts(void** state) {
    (void)state;
    vn_voxel path[NODES];
    make_path(path, 0);
    for (uint32_t length = 0; length <= NODES; ++length) {
        for (uint32_t nodes = 0; nodes < 6; ++nodes) {
            for (uint32_t spared = 0; spared < 5; ++spared) {
                vn_emulated_def def = vn_default_emulated_def();
                uint32_t out[NODES], count = 99;
                def.nodes = nodes, def.spared = spared, def.seed = length;
                assert_int_equal(vn_emulate_blocks(&def, 7, path, length, out, NODES, &count), VN_OK);
                const uint32_t first = spared > 1 ? spared : 1;
                const uint32_t candidates = length > first + 1 ? length - 1 - first : 0;
                assert_int_equal(count, nodes < candidates ? nodes : candidates);
                for (uint32_t i = 0; i < count; ++i) {
                    assert_true(out[i] >= first);
                    assert_true(out[i] + 1 < length);
                    assert_true(i == 0 || out[i] > out[i - 1]);
                }
            }
        }
    }
}

/// The same for a whole interval, then others; every node is as likely as any other.
static void test_rate(void** state) {
    (void)state;
    vn_voxel path[NODES];
    vn_emulated_def def = vn_default_emulated_def();
    uint32_t times[NODES] = {0}, changes = 0, last[3] = {0};
    make_path(path, 0);
    def.nodes = 3;
    def.interval = 5;
    for (uint64_t step = 0; step < 50000; ++step) {
        uint32_t out[3], count;
        assert_int_equal(vn_emulate_blocks(&def, step, path, NODES, out, 3, &count), VN_OK);
        for (uint32_t i = 0; i < 3; ++i) {
            ++times[out[i]];
        }
        if (memcmp(out, last, sizeof out) != 0) {
            assert_true(step % 5 == 0);
            ++changes;
        }
        memcpy(last, out, sizeof out);
    }

    assert_in_range(changes, 9900, 10000);
    assert_int_equal(times[0], 0);
    assert_int_equal(times[NODES - 1], 0);
    for (uint32_t i = 1; i + 1 < NODES; ++i) {
        assert_in_range(times[i], 3500, 4400); // 50000 * 3 / 38 = 3947
    }
}

/// A function of seed, step and path: another of these, other nodes.
static void test_function(void** state) {
    (void)state;
    vn_voxel a[NODES], b[NODES];
    vn_emulated_def def = vn_default_emulated_def();
    uint32_t out[4][5], count;
    make_path(a, 0);
    make_path(b, 1);
    def.nodes = 5;
    assert_int_equal(vn_emulate_blocks(&def, 3, a, NODES, out[0], 5, &count), VN_OK);
    assert_int_equal(vn_emulate_blocks(&def, 4, a, NODES, out[1], 5, &count), VN_OK);
    assert_int_equal(vn_emulate_blocks(&def, 3, b, NODES, out[2], 5, &count), VN_OK);
    def.seed = 1;
    assert_int_equal(vn_emulate_blocks(&def, 3, a, NODES, out[3], 5, &count), VN_OK);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_not_equal(out[0], out[2], sizeof out[0]);
    assert_memory_not_equal(out[0], out[3], sizeof out[0]);

    // The same on every machine.
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 5; ++k) {
            hash = (hash ^ out[i][k]) * 0x100000001b3u;
        }
    }
    print_message("0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x13360c379adda5b9u);
}

static void test_refusals(void** state) {
    (void)state;
    vn_voxel path[NODES];
    vn_emulated_def def = vn_default_emulated_def();
    uint32_t all[5], few[2], count = 9;
    make_path(path, 0);
    def.nodes = 5;
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, all, 5, &count), VN_OK);
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, few, 2, &count), VN_CAPACITY);
    assert_int_equal(count, 5);
    assert_memory_equal(all, few, sizeof few);
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, NULL, 0, &count), VN_CAPACITY);
    assert_int_equal(vn_emulate_blocks(&def, 0, NULL, 0, NULL, 0, &count), VN_OK);
    assert_int_equal(count, 0);
    def.spared = UINT32_MAX;
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, NULL, 0, &count), VN_OK);
    def.interval = 0;
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, all, 5, &count), VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_emulate_blocks(&def, 0, path, NODES, all, 5, &count), VN_BAD_DEF);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_rate),
                                       cmocka_unit_test(test_function), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("sim/emulate", tests, NULL, NULL);
}
