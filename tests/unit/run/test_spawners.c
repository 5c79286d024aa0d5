/// tests/unit/run/test_spawners.c: spawners of asteroids: how many appear, where, at what they are aimed, and
/// when they are gone.
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "run/spawners.h"
#include "support.h"

enum { MOST = VNI_SPAWNED_MOST };

static vni_spawners_def make_def(void) {
    vni_spawners_def def = {.allocator = vn_default_allocator(),
                            .seed = 7,
                            .boxes = {{{0, 0, 0}, {10, 10, 10}}, {{50, 0, 0}, {60, 10, 5}}},
                            .box_count = 2,
                            .rate = 0.002,
                            .lifetime = 20,
                            .bounds = {{-100, -100, -100}, {100, 100, 100}},
                            .speed = 0.8,
                            .spread = 0.2,
                            .radius = {0.4, 0.6}};
    return def;
}

static vni_spawners* make(const vni_spawners_def* def) {
    vni_spawners* s;
    assert_int_equal(vni_spawners_create(def, &s), VN_OK);
    return s;
}

static void run(vni_spawners* s, int from, int to, const vni_spawners_ship* ship) {
    for (int i = from; i < to; ++i)
        vni_spawners_step(s, 0.1 * i, 0.1, ship);
}

static uint32_t all(const vni_spawners* s, double seconds, vn_asteroid* out) {
    uint32_t count;
    assert_int_equal(vni_spawners_near(s, seconds, (vn_dvec3){0, 0, 0}, 1000, out, MOST, &count), VN_OK);
    return count;
}

static double apart(vn_dvec3 a, vn_dvec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/// Two a second from the first box, one from the second; in flight are those of the last 20 seconds.
static void test_rate(void** state) {
    (void)state;
    const vni_spawners_def def = make_def();
    const vni_spawners_ship ship = {{30, 5, 60}, {0, 0, 0}, 4};
    vni_spawners* s = make(&def);
    uint64_t appeared;
    uint32_t flying;
    run(s, 1, 101, &ship);
    vni_spawners_count(s, &appeared, &flying);
    assert_in_range(appeared, 29, 31);
    assert_int_equal(flying, appeared);
    run(s, 101, 1001, &ship);
    vni_spawners_count(s, &appeared, &flying);
    assert_in_range(appeared, 299, 301);
    assert_in_range(flying, 58, 62);
    vni_spawners_destroy(s);
}

/// Speeds, radii and places are as told; each flies straight on, and through the ship that stands.
static void test_aim(void** state) {
    (void)state;
    const vni_spawners_def def = make_def();
    const vni_spawners_ship ship = {{30, 5, 30}, {0, 0, 0}, 4};
    vn_asteroid *now = calloc(MOST, sizeof *now), *later = calloc(MOST, sizeof *later);
    vni_spawners* s = make(&def);
    run(s, 1, 101, &ship);
    const uint32_t count = all(s, 10, now);
    run(s, 101, 111, &ship);
    const uint32_t next = all(s, 11, later);
    assert_true(count > 20);
    assert_true(next > count);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_asteroid* a = &now[i];
        const double speed = apart(a->velocity, (vn_dvec3){0, 0, 0});
        const double far = apart(ship.position, a->position);
        assert_in_range((uintmax_t)(1e6 * speed), 639999, 960001);
        assert_true(a->radius >= 0.4);
        assert_true(a->radius <= 0.6);
        assert_int_equal(later[i].id, a->id);
        const vn_dvec3 moved = {a->position.x + a->velocity.x, a->position.y + a->velocity.y,
                                a->position.z + a->velocity.z};
        assert_true(apart(moved, later[i].position) < 1e-9);
        const vn_dvec3 there = {a->position.x + far / speed * a->velocity.x,
                                a->position.y + far / speed * a->velocity.y,
                                a->position.z + far / speed * a->velocity.z};
        assert_true(apart(there, ship.position) < 1e-9);
    }
    vni_spawners_destroy(s);
    free(now);
    free(later);
}

/// A ship that comes by at a steady speed is met if it can be: least distances are 0, or the asteroid is too
/// slow and aims at where the ship was.
static void test_lead(void** state) {
    (void)state;
    vni_spawners_def def = make_def();
    const double speeds[] = {0.3, 0.8, 3};
    vn_asteroid* list = calloc(MOST, sizeof *list);
    for (int k = 0; k < 3; ++k) {
        const vni_spawners_ship ship = {{80, 5, 5}, {-speeds[k], 0, 0}, 4};
        vni_spawners* s = make(&def);
        vni_spawners_step(s, 0, 5, &ship);
        const uint32_t count = all(s, 0, list);
        assert_true(count >= 10);
        for (uint32_t i = 0; i < count; ++i) {
            // straight on, both: the least distance within 400 seconds
            const vn_dvec3 p = {list[i].position.x - ship.position.x, list[i].position.y - ship.position.y,
                                list[i].position.z - ship.position.z};
            const vn_dvec3 v = {list[i].velocity.x + speeds[k], list[i].velocity.y, list[i].velocity.z};
            const double t = -(p.x * v.x + p.y * v.y + p.z * v.z) / (v.x * v.x + v.y * v.y + v.z * v.z);
            const vn_dvec3 at = {p.x + t * v.x, p.y + t * v.y, p.z + t * v.z};
            assert_true(t > 0);
            assert_true(t < 400);
            assert_true(apart(at, (vn_dvec3){0, 0, 0}) < 1e-6);
        }
        vni_spawners_destroy(s);
    }

    // away from all of them, and faster: never met
    const vni_spawners_ship ship = {{80, 5, 5}, {3, 0, 0}, 4};
    vni_spawners* s = make(&def);
    vni_spawners_step(s, 0, 5, &ship);
    const uint32_t count = all(s, 0, list);
    for (uint32_t i = 0; i < count; ++i) {
        const double speed = apart(list[i].velocity, (vn_dvec3){0, 0, 0});
        const double far = apart(ship.position, list[i].position) / speed;
        const vn_dvec3 there = {list[i].position.x + far * list[i].velocity.x,
                                list[i].position.y + far * list[i].velocity.y,
                                list[i].position.z + far * list[i].velocity.z};
        assert_true(apart(there, ship.position) < 1e-9);
    }
    vni_spawners_destroy(s);
    free(list);
}

/// None appears near the ship, none stays outside the bounds, and one not born yet is not seen.
static void test_rules(void** state) {
    (void)state;
    vni_spawners_def def = make_def();
    def.bounds = (vn_box){{-1, -1, -1}, {70, 12, 12}};
    def.rate = 0.02;
    const vni_spawners_ship ship = {{5, 5, 5}, {0, 0, 0}, 4};
    vn_asteroid* list = calloc(MOST, sizeof *list);
    vni_spawners* s = make(&def);
    uint32_t left_out = 0;
    for (int i = 1; i <= 600; ++i) {
        vni_spawners_step(s, 0.1 * i, 0.1, &ship);
        const uint32_t count = all(s, 0.1 * i, list), before = all(s, 0.1 * (i - 1), list);
        left_out += count > before;
        all(s, 0.1 * i, list);
        for (uint32_t k = before; k < count; ++k)
            assert_true(apart(list[k].position, ship.position) - list[k].radius >= 4);
        for (uint32_t k = 0; k < count; ++k) {
            assert_true(list[k].position.x <= 70.1);
            assert_true(list[k].position.z <= 12.1);
            assert_true(list[k].position.y >= -1.1);
        }
    }

    uint64_t appeared;
    uint32_t flying;
    vni_spawners_count(s, &appeared, &flying);
    assert_true(left_out > 100);
    assert_true(appeared < 1700); // of 1,800: the others would have been too near
    assert_true(appeared > 1000);
    vni_spawners_destroy(s);
    free(list);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        vni_spawners_def def = make_def();
        vni_spawners* s;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        const vn_status status = vni_spawners_create(&def, &s);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vni_spawners_destroy(s);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rate), cmocka_unit_test(test_aim),
                                       cmocka_unit_test(test_lead), cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
