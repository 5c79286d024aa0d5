/// Rotated turns: every position and every neighbour equally often.
#include "apps/volnav/shell/rotation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 12 };

/// How often each contender had each position, and how often each directly followed each other one.
typedef struct tally {
    uint32_t positions[MOST][MOST];
    uint32_t followed[MOST][MOST];
} tally;

static tally count_turns(uint32_t count, uint64_t first_round) {
    tally out = {{{0}}, {{0}}};
    for (uint64_t round = first_round; round < first_round + 2 * (uint64_t)count; ++round) {
        for (uint32_t turn = 0; turn < count; ++turn) {
            const uint32_t now = rotation_at(count, round, turn);
            assert_true(now < count);
            ++out.positions[now][turn];
            if (turn > 0) {
                ++out.followed[rotation_at(count, round, turn - 1)][now];
            }
        }
    }
    return out;
}

static void test_balance(void** state) {
    (void)state;
    for (uint32_t count = 1; count <= MOST; ++count) {
        const tally t = count_turns(count, 4 * count);
        for (uint32_t a = 0; a < count; ++a) {
            for (uint32_t b = 0; b < count; ++b) {
                assert_int_equal(t.positions[a][b], 2);
                assert_int_equal(t.followed[a][b], a == b ? 0 : 2);
            }
        }
    }
}

static void test_two_take_turns_to_be_first(void** state) {
    (void)state;
    const uint32_t firsts[4] = {rotation_at(2, 0, 0), rotation_at(2, 1, 0), rotation_at(2, 2, 0),
                                rotation_at(2, 3, 0)};
    assert_int_equal(firsts[0] + firsts[1], 1);
    assert_int_equal(firsts[2] + firsts[3], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balance),
                                       cmocka_unit_test(test_two_take_turns_to_be_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
