/// tests/unit/avoid/test_straits.c: who passes a strait when: whole batches of one direction, in single file,
/// whatever stands behind the exit.
#include "cmocka_all.h"
#include "crowd.h"
#include "support.h"

/// The middle of the wall of vnt_door, and of its strait.
#define MIDDLE 20.25

static vnt_crowd door_with_strait(uint32_t count, bool mixed, uint64_t seed) {
    vn_avoid_strait strait;
    uint32_t straits;
    vnt_crowd crowd = vnt_door(count, mixed, seed);
    assert_int_equal(vn_avoid_find_straits(crowd.space, 0.375f, &strait, 1, &straits), VN_OK);
    assert_int_equal(straits, 1);
    assert_int_equal(vn_avoid_add_strait(crowd.avoid, &strait, NULL), VN_OK);
    return crowd;
}

/// Who has gone through the middle of the door.
typedef struct crossings {
    uint32_t count, changes; ///< and how often the direction was another than the last
    uint32_t back;           ///< away from the own goal
    int last;
} crossings;

static void note(crossings* c, const vnt_walker* w, double before) {
    if ((before < MIDDLE) == (w->position.x < MIDDLE))
        return;
    const int way = before < MIDDLE ? 1 : -1;
    ++c->count;
    c->changes += way == -c->last;
    c->back += (w->goal.x > MIDDLE) != (way > 0);
    c->last = way;
}

static crossings watch(vnt_crowd* crowd, float dt, double seconds) {
    crossings c = {0};
    vnt_crowd_report report = {0};
    while (report.arrived < crowd->count && (double)report.steps * (double)dt < seconds) {
        double before[128];
        assert_true(crowd->count <= 128);
        for (uint32_t i = 0; i < crowd->count; ++i)
            before[i] = crowd->walkers[i].position.x;
        vnt_crowd_step(crowd, dt, &report);
        for (uint32_t i = 0; i < crowd->count; ++i)
            note(&c, &crowd->walkers[i], before[i]);
    }

    assert_int_equal(report.arrived, crowd->count);
    return c;
}

/// 60 from each side in batches of 24 change the direction five times, and a few times more at the beginning
/// and the end, when few are there. None is pushed back.
static void test_batches(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("batches", 3);
    for (uint32_t i = 0; i < vnt_scale(2, 10); ++i) {
        vnt_crowd crowd = door_with_strait(60, i & 1, seed + i);
        const crossings c = watch(&crowd, 1.0f / 30, 300);
        print_message("%u crossings, %u changes of direction, %u back\n", c.count, c.changes, c.back);
        assert_int_equal(c.count, crowd.count);
        assert_int_equal(c.back, 0);
        assert_in_range(c.changes, 1, 9);
        vnt_crowd_free(&crowd);
    }
}

/// Takes all but the first of one side out of the scene; the first stands before the door.
static void leave_one(vnt_crowd* crowd) {
    for (uint32_t i = 2; i < crowd->count; i += 2) {
        assert_int_equal(vn_avoid_remove_agent(crowd->avoid, crowd->walkers[i].id), VN_OK);
        crowd->walkers[i].arrived = true;
    }

    vnt_walker* first = &crowd->walkers[0];
    first->heading = (vn_vec3){1, 0, 0};
    first->position = (vn_dvec3){18, 2.125, 9.875};
    assert_int_equal(vn_avoid_set_state(crowd->avoid, first->id, first->position, (vn_vec3){0}), VN_OK);
}

/// One comes out and then hardly moves on. Those of the other side wait a while, and get past it.
static void test_one_stays_at_the_exit(void** state) {
    (void)state;
    const uint32_t count = 8;
    vnt_crowd crowd = door_with_strait(count, false, 5);
    vnt_walker* first = &crowd.walkers[0];
    vnt_crowd_report report = {0};
    leave_one(&crowd);
    for (uint32_t i = 0; i < 300 && first->position.x < 21.3; ++i)
        vnt_crowd_step(&crowd, 1.0f / 30, &report);
    assert_true(first->position.x >= 21.3);
    assert_true(first->position.x < 21.5);

    first->speed = 0.001f;
    for (uint32_t i = 0; i < 3600 && report.arrived < count; ++i)
        vnt_crowd_step(&crowd, 1.0f / 30, &report);
    assert_int_equal(report.arrived, count);
    vnt_crowd_free(&crowd);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches),
                                       cmocka_unit_test(test_one_stays_at_the_exit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
