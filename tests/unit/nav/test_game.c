/// nav: sample 11 as a whole: how often paths are told to be blocked, with a horizon and without, and whether
/// agents stay out of the boxes.
#include "cmocka_all.h"
#include "support.h"

#define main sample_main
int sample_main(int argc, char** argv);
#include "../../../samples/11-frame-loop-game.c"
#undef main

#include <string.h>

#define HALF_BOX 1.5

typedef struct outcome {
    int paths, blocked, inside;
    vn_dvec3 at[AGENTS];
} outcome;

static bool is_inside(const agent* a, int frame) {
    bool inside = false;
    for (int i = 0; i < BOXES; ++i) {
        const vn_vec3 b = box_at(i, frame).position;
        inside = inside || (fabs(a->at.x - (double)b.x) < HALF_BOX &&
                            fabs(a->at.y - (double)b.y) < HALF_BOX && fabs(a->at.z - (double)b.z) < HALF_BOX);
    }

    return inside;
}

static outcome run(double horizon, int seconds) {
    game g = {.horizon = horizon, .random = 1};
    outcome out = {0};
    start(&g);
    for (int frame = 0; frame < seconds * HZ; ++frame) {
        play(&g, frame);
        for (int i = 0; i < AGENTS; ++i) {
            out.inside += is_inside(&g.agents[i], frame);
        }
    }

    out.paths = g.paths;
    out.blocked = g.blocked;
    for (int i = 0; i < AGENTS; ++i) {
        out.at[i] = g.agents[i].at;
    }

    vn_nav_destroy(g.nav);
    print_message("%s: %d paths, %d times blocked, %d of %d agent-frames inside a box\n",
                  horizon > 0 ? "2 s ahead " : "whole path", out.paths, out.blocked, out.inside,
                  seconds * HZ * AGENTS);
    return out;
}

static void test_horizon(void** state) {
    const int seconds = (int)vnt_scale(10, 60);
    const outcome ahead = run(2, seconds), whole = run(0, seconds);
    (void)state;
    assert_true(ahead.paths > seconds * AGENTS / 10);
    assert_true(ahead.blocked > 0);
    assert_true(ahead.blocked < whole.blocked);

    // A box may run into an agent before a version shows it: one frame in a thousand at most.
    assert_true(ahead.inside * 1000 <= seconds * HZ * AGENTS);
    assert_true(whole.inside * 1000 <= seconds * HZ * AGENTS);
}

static void test_the_same_each_time(void** state) {
    const outcome once = run(2, 3), again = run(2, 3);
    (void)state;
    assert_memory_equal(&once.at, &again.at, sizeof once.at);
    assert_int_equal(once.paths, again.paths);
    assert_int_equal(once.blocked, again.blocked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_horizon),
                                       cmocka_unit_test(test_the_same_each_time)};
    return cmocka_run_group_tests_name("nav/game", tests, NULL, NULL);
}
