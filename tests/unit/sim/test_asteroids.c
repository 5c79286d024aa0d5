/// tests/unit/sim/test_asteroids.c: asteroid fields: how many, how fast, where they may be, and that all of
/// it follows from time and seed; and the rocks around them.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000 };

static const vn_dvec3 route[] = {{10, 18, 10}, {100, 50, 60}, {190, 82, 190}};

static vn_asteroids* make_field(uint64_t seed, double aimed) {
    vn_asteroids_def def = vn_default_asteroids_def();
    vn_asteroids* field;
    def.seed = seed;
    def.aimed = aimed;
    def.route = route;
    def.route_count = 3;
    def.seconds = 100;
    assert_int_equal(vn_asteroids_create(&def, &field, NULL), VN_OK);
    return field;
}

static uint32_t look(const vn_asteroids* field, double t, vn_dvec3 p, double reach, vn_asteroid* out) {
    uint32_t count;
    assert_int_equal(vn_asteroids_near(field, t, p, reach, out, MOST, &count), VN_OK);
    return count;
}

static double apart(vn_dvec3 a, vn_dvec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static const vn_asteroid* find(const vn_asteroid* list, uint32_t count, uint64_t id) {
    for (uint32_t i = 0; i < count; ++i)
        if (list[i].id == id)
            return &list[i];
    return NULL;
}

/// Without aimed ones: 50 in each 30^3, everywhere and at all times; speeds and radii as told.
static void test_density(void** state) {
    (void)state;
    vn_asteroid* list = calloc(MOST, sizeof *list);
    vn_asteroids* field = make_field(1, 0);
    const double volume = 4.0 / 3 * 3.14159265358979 * 60 * 60 * 60;
    for (int i = 0; i < 10; ++i) {
        const uint32_t count = look(field, 1000.0 * i, (vn_dvec3){1000.0 * i, -300, 7}, 60, list);
        assert_in_range(count, (uintmax_t)(0.97 * volume * 50 / 27000),
                        (uintmax_t)(1.08 * volume * 50 / 27000));
        for (uint32_t k = 0; k < count; ++k) {
            const double speed = apart(list[k].velocity, (vn_dvec3){0, 0, 0});
            assert_true(speed >= 0.64 - 1e-9);
            assert_true(speed <= 0.96 + 1e-9);
            assert_true(list[k].radius >= 0.4);
            assert_true(list[k].radius <= 0.6);
            assert_true(find(list + k + 1, count - k - 1, list[k].id) == NULL);
        }
    }

    vn_asteroids_destroy(field);
    free(list);
}

/// By its id, each goes straight on; one that was there before and is now within reach is in both lists.
static void test_motion(void** state) {
    (void)state;
    vn_asteroid *a = calloc(MOST, sizeof *a), *b = calloc(MOST, sizeof *b);
    vn_asteroids *field = make_field(2, 0.5), *same = make_field(2, 0.5);
    for (int i = 0; i < 40; ++i) {
        const double t = 2.3 * i;
        const vn_dvec3 p = {10 + 4.5 * i, 18 + 1.6 * i, 10 + 2.5 * i};
        const uint32_t na = look(field, t, p, 20, a), nb = look(same, t + 0.5, p, 25, b);
        uint32_t followed = 0;
        for (uint32_t k = 0; k < na; ++k) {
            const vn_asteroid* later = find(b, nb, a[k].id);
            if (later == NULL) // aimed, and gone
                continue;
            ++followed;
            const vn_dvec3 to = {a[k].position.x + 0.5 * a[k].velocity.x,
                                 a[k].position.y + 0.5 * a[k].velocity.y,
                                 a[k].position.z + 0.5 * a[k].velocity.z};
            assert_true(apart(to, later->position) < 1e-9);
            assert_true(apart(a[k].position, p) - a[k].radius <= 20);
        }

        assert_true(na > 20);
        assert_true(followed + 6 >= na);
    }

    vn_asteroids_destroy(field);
    vn_asteroids_destroy(same);
    free(a);
    free(b);
}

/// How many aimed ones are on their way at all times, also after the last has passed the route, and whether
/// each comes once and goes once.
static void test_spans(void** state) {
    (void)state;
    enum { IDS = 4096 };
    const vn_dvec3 middle = {100, 50, 100};
    vn_asteroid* list = calloc(MOST, sizeof *list);
    int *first = calloc(IDS, sizeof *first), *last = calloc(IDS, sizeof *last);
    int* times = calloc(IDS, sizeof *times);
    vn_asteroids* field = make_field(4, 1);
    for (int i = 1; i <= 400; ++i) {
        const uint32_t count = look(field, 0.5 * i, middle, 400, list);
        for (uint32_t k = 0; k < count; ++k) {
            assert_true(list[k].id < IDS);
            const uint64_t id = list[k].id;
            assert_true(k == 0 || id > list[k - 1].id);
            first[id] = first[id] == 0 ? i : first[id];
            last[id] = i;
            ++times[id];
        }

        // 2 x 22 m at 0.8 m/s: as many as the density has, until those that pass at the end are gone
        if (i <= 200)
            assert_in_range(count, 350, 520);
        if (i >= 325)
            assert_int_equal(count, 0);
    }

    for (int id = 0; id < IDS; ++id) {
        assert_int_equal(times[id], first[id] > 0 ? last[id] - first[id] + 1 : 0);
        if (first[id] > 1)
            assert_true(times[id] >= 2 * (int)(2 * 22 / 0.97));
    }
    vn_asteroids_destroy(field);
    free(list);
    free(first);
    free(last);
    free(times);
}

static double from_route(vn_dvec3 p) {
    double least = HUGE_VAL;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k <= 1000; ++k) {
            const double s = k / 1000.0;
            const vn_dvec3 at = {route[i].x + s * (route[i + 1].x - route[i].x),
                                 route[i].y + s * (route[i + 1].y - route[i].y),
                                 route[i].z + s * (route[i + 1].z - route[i].z)};
            least = fmin(least, apart(p, at));
        }

    return least;
}

/// The start is clear at time 0; none appears near the route; and those aimed at it do come there.
static void test_near_the_route(void** state) {
    (void)state;
    vn_asteroid *before = calloc(MOST, sizeof *before), *now = calloc(MOST, sizeof *now);
    const vn_dvec3 middle = {100, 50, 60};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        vn_asteroids* field = make_field(seed, 0.5);
        assert_int_equal(look(field, 0, route[0], 5.99, now), 0);
        vn_asteroids_destroy(field);
    }

    vn_asteroids *field = make_field(3, 0.5), *even = make_field(3, 0);
    uint32_t appeared = 0, aimed = 0, plain = 0;
    for (int i = 1; i < 60; ++i) {
        const uint32_t count = look(field, i - 1, middle, 62, before), next = look(field, i, middle, 60, now);
        for (uint32_t k = 0; k < next; ++k)
            if (find(before, count, now[k].id) == NULL) {
                ++appeared;
                assert_true(from_route(now[k].position) > 11 - 1);
            }

        aimed += look(field, i, middle, 6, now);
        plain += look(even, i, middle, 6, now);
    }

    assert_true(appeared > 20);
    assert_true(aimed > 1.5 * plain);
    vn_asteroids_destroy(field);
    vn_asteroids_destroy(even);
    free(before);
    free(now);
}

static void test_refused(void** state) {
    (void)state;
    vn_asteroids* field = (vn_asteroids*)1;
    vn_detail detail;
    vn_asteroids_def d = {0};
    assert_int_equal(vn_asteroids_create(&d, &field, &detail), VN_BAD_DEF);
    assert_null(field);

#define REFUSED(name, value)                                                                                 \
    d = vn_default_asteroids_def();                                                                          \
    d.name = (value);                                                                                        \
    assert_int_equal(vn_asteroids_create(&d, &field, &detail), VN_BAD_ARGUMENT)
    REFUSED(count, 60001);
    REFUSED(tile, 0);
    REFUSED(radius_min, 0);
    REFUSED(radius_max, 0.3);
    REFUSED(speed, NAN);
    REFUSED(speed_spread, 1);
    REFUSED(aimed, 1.1);
    REFUSED(entry, 0);
    REFUSED(spread, -1);
    REFUSED(clear, INFINITY);
    REFUSED(seconds, -1);
    REFUSED(route_count, 1);
    REFUSED(allocator.release, NULL);
#undef REFUSED

    d = vn_default_asteroids_def();
    d.count = 60000;
    d.route = route;
    d.route_count = 3;
    assert_int_equal(vn_asteroids_create(&d, &field, &detail), VN_TOO_LARGE);

    uint32_t count;
    vn_asteroid one[1];
    field = make_field(5, 0.5);
    assert_int_equal(vn_asteroids_near(field, -1, route[0], 4, one, 1, &count), VN_BAD_ARGUMENT);
    assert_int_equal(vn_asteroids_near(field, 1, (vn_dvec3){NAN, 0, 0}, 4, one, 1, &count), VN_BAD_ARGUMENT);
    assert_int_equal(vn_asteroids_near(field, 1, route[0], 1001, one, 1, &count), VN_BAD_ARGUMENT);
    assert_int_equal(vn_asteroids_near(field, 1, route[0], 50, one, 1, &count), VN_CAPACITY);
    assert_true(count > 100);
    vn_asteroids_destroy(field);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_asteroids_def def = vn_default_asteroids_def();
        vn_asteroids* field;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        def.route = route;
        def.route_count = 3;
        const vn_status status = vn_asteroids_create(&def, &field, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vn_asteroids_destroy(field);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }
}

/// As many nodes as promised, at any radius up to the gap; start and goal are connected.
static void test_rocks(void** state) {
    (void)state;
    static const uint64_t counts[VN_ROCK_LAYOUT_COUNT] = {2079, 10000, 8 * (25 * 50 - 9), 10915, 240, 1796, 14370};
    for (int layout = 0; layout < VN_ROCK_LAYOUT_COUNT; ++layout) {
        const vn_dvec3 size = vn_rocks_size((vn_rock_layout)layout);
        for (uint64_t seed = 0; seed < 4; ++seed) {
            vn_world_def world_def = vn_default_world_def();
            vn_world* world;
            vn_space* space;
            vn_space_info info;
            vn_space_def def = vn_default_space_def();
            assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
            assert_int_equal(vn_rocks_build((vn_rock_layout)layout, seed, 0.75f, world, NULL), VN_OK);
            def.resolution = VN_ROCK_NODE;
            def.radius = seed % 2 == 0 ? 0 : 0.74f;
            def.has_bounds = true;
            def.bounds.max = (vn_vec3){(float)size.x, (float)size.y, (float)size.z};
            assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
            vn_space_get_info(space, &info);
            assert_int_equal(info.blocked_voxels, counts[layout]);
            assert_true(vn_space_reachable_positions(space, vn_rocks_start(),
                                                     vn_rocks_goal_of((vn_rock_layout)layout)));
            vn_space_destroy(space);
            vn_world_destroy(world);
        }
    }

    vn_detail detail;
    assert_int_equal(vn_rocks_build(VN_ROCK_LAYOUT_COUNT, 0, 0.5f, NULL, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_rocks_build(VN_ROCKS_SPARSE, 0, 1.6f, NULL, &detail), VN_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_density), cmocka_unit_test(test_motion),
        cmocka_unit_test(test_spans),   cmocka_unit_test(test_near_the_route),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_rocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
