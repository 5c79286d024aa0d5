/// tests/unit/pilot/test_weather.c: bad weather that autopilots avoid, if there is a way around that is worth
/// it.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/pilot.h"

#include <math.h>

/// Open space of 40 x 20 x 40 metres and so much beyond its low corner, nodes of 2 metres.
static vn_space* make_space(float beyond, bool cells) {
    const vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_space* space;
    vn_space_def def = vn_default_space_def();
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    def.resolution = 2;
    def.radius = 0.5f;
    def.cells = cells;
    def.has_bounds = true;
    def.bounds = (vn_box){{-beyond, -beyond, -beyond}, {40, 20, 40}};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

/// A cloud on the straight way, from the floor to the ceiling; `wide`: there is no way around.
static vn_zone make_cloud(float factor, bool wide) {
    return (vn_zone){.box = {{15, -20, wide ? -20.f : 0}, {25, 20, wide ? 40.f : 13}}, .factor = factor};
}

static vn_pilot_def def_in(const vn_space* space, int group, const vn_zone* cloud) {
    vn_pilot_def def = vn_default_pilot_def();
    def.group = (vn_pilot_group)group;
    def.space = space;
    def.radius = 0.5;
    def.position = (vn_dvec3){5, 9, 5};
    def.goal = (vn_dvec3){35, 9, 5};
    def.weather = cloud;
    def.weather_count = 1;
    return def;
}

/// Metres flown inside the cloud, more than a hand's breadth from its faces, along which paths lead; -1: it
/// does not arrive.
static double fly(vn_pilot* pilot, const vn_zone* cloud, int most) {
    vn_pilot_state s;
    double inside = 0;
    for (int i = 0; i < most; ++i) {
        assert_int_equal(vn_pilot_step(pilot, NULL, 0, &s), VN_OK);
        const vn_dvec3 p = s.position, v = s.velocity;
        const bool in = p.x > (double)cloud->box.min.x && p.x < (double)cloud->box.max.x &&
                        p.z > (double)cloud->box.min.z && p.z < (double)cloud->box.max.z - 0.1;
        inside += in ? 0.1 * sqrt(v.x * v.x + v.y * v.y + v.z * v.z) : 0;
        if (s.phase == VN_PILOT_ARRIVED)
            return inside;
    }
    return -1;
}

static void check_avoided(double inside) {
    assert_true(inside >= 0);
    assert_true(inside < 0.5);
}

static double fly_new(const vn_pilot_def* def, const vn_zone* cloud) {
    vn_pilot* pilot;
    assert_int_equal(vn_pilot_create(def, &pilot, NULL), VN_OK);
    const double inside = fly(pilot, cloud, 1000);
    vn_pilot_destroy(pilot);
    return inside;
}

/// Around it, but for group 0; through it if it is worth little or everywhere, or if none is told.
static void test_avoided(void** state) {
    (void)state;
    const vn_zone heavy = make_cloud(50, false), light = make_cloud(0.01f, false), wide = make_cloud(4, true);
    for (int cells = 0; cells < 2; ++cells) {
        vn_space* space = make_space(0, cells == 1);
        for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g) {
            vn_pilot_def def = def_in(space, g, &heavy);
            const double inside = fly_new(&def, &heavy);
            if (g == VN_PILOT_NONE)
                assert_true(inside > 9);
            else
                check_avoided(inside);
            def.weather = &light;
            assert_true(fly_new(&def, &light) > 9);
            def.weather = &wide;
            assert_true(fly_new(&def, &wide) > 9);
            def.weather_count = 0;
            assert_true(fly_new(&def, &heavy) > 9);
        }
        vn_space_destroy(space);
    }
}

/// A space with another low corner: the cloud stays where it is.
static void test_new_space(void** state) {
    (void)state;
    const vn_zone heavy = make_cloud(50, false);
    vn_space *first = make_space(0, true), *second = make_space(12, true);
    for (int g = 1; g < VN_PILOT_GROUP_COUNT; ++g) {
        const vn_pilot_def def = def_in(first, g, &heavy);
        vn_pilot* pilot;
        assert_int_equal(vn_pilot_create(&def, &pilot, NULL), VN_OK);
        assert_int_equal(vn_pilot_set_space(pilot, second, NULL), VN_OK);
        const double inside = fly(pilot, &heavy, 1000);
        check_avoided(inside);
        vn_pilot_destroy(pilot);
    }
    vn_space_destroy(first);
    vn_space_destroy(second);
}

static void test_refused(void** state) {
    (void)state;
    vn_space* space = make_space(0, true);
    vn_zone zones[VN_MAX_ZONES + 1], bad = make_cloud(0, false);
    vn_pilot* pilot;
    vn_pilot_def def = def_in(space, VN_PILOT_PREDICT, &bad);
    assert_int_equal(vn_pilot_create(&def, &pilot, NULL), VN_BAD_ARGUMENT);
    for (int i = 0; i <= VN_MAX_ZONES; ++i)
        zones[i] = make_cloud(2, false);
    def.weather = zones;
    def.weather_count = VN_MAX_ZONES + 1;
    assert_int_equal(vn_pilot_create(&def, &pilot, NULL), VN_CAPACITY);
    assert_null(pilot);
    vn_space_destroy(space);
}

static void test_memory(void** state) {
    (void)state;
    const vn_zone heavy = make_cloud(50, false);
    vn_space* space = make_space(0, true);
    for (int g = 0; g < VN_PILOT_GROUP_COUNT; ++g)
        for (uint64_t k = 0;; ++k) {
            vnt_memory memory = vnt_memory_make();
            vn_pilot_def def = def_in(space, g, &heavy);
            vn_pilot* pilot;
            memory.fail_at = k;
            def.allocator = vnt_memory_allocator(&memory);
            const vn_status status = vn_pilot_create(&def, &pilot, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            const uint64_t blocks = memory.live_blocks;
            if (status == VN_OK)
                assert_true(fly(pilot, &heavy, 1000) >= 0);
            assert_int_equal(memory.live_blocks, blocks); // a step allocates nothing
            vn_pilot_destroy(pilot);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
            if (!memory.failed)
                break;
        }
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_avoided), cmocka_unit_test(test_new_space),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
