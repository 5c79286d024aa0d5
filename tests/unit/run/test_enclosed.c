/// tests/unit/run/test_enclosed.c: the proof that a ball had no way out.
#include "cmocka_all.h"

#include <stdlib.h>

#include "run/enclosed.h"

/// A room along x whose end walls close in, with a window in its floor or none.
typedef struct room {
    double speed;  ///< of each end wall, metres a step
    double window; ///< half of its width; below 0: none
} room;

static double smaller(double a, double b) {
    return a < b ? a : b;
}

/// Inside the room positive; the walls are solid for ever behind their faces.
static double distance(void* user, vn_dvec3 p, uint32_t step) {
    const room* r = user;
    const double x = 4 - r->speed * step - (p.x < 0 ? -p.x : p.x), y = 2 - (p.y < 0 ? -p.y : p.y);
    const double z = 2 - (p.z < 0 ? -p.z : p.z);
    const double open = r->window - (p.x < 0 ? -p.x : p.x);
    const double side = p.y < 0 && open > y ? open : y; // beyond the floor only the window is open
    return smaller(x, smaller(side, z));
}

static bool is_enclosed(room r, vn_dvec3 start, uint32_t steps) {
    uint8_t* scratch = malloc(vni_enclosed_bytes());
    assert_non_null(scratch);
    const vni_enclosure e = {.start = start,
                             .low = {-100, -100, -100},
                             .high = {100, 100, 100},
                             .radius = 0.4,
                             .reach = 0.6,
                             .steps = steps,
                             .distance = distance,
                             .user = &r};
    const bool enclosed = vni_is_enclosed(&e, scratch);
    free(scratch);
    return enclosed;
}

static void test_press(void** state) {
    (void)state;
    const vn_dvec3 middle = {0, 0, 0};
    assert_true(is_enclosed((room){.speed = 0.3, .window = -9}, middle, 20));
    assert_false(is_enclosed((room){.speed = 0.3, .window = -9}, middle, 8)); // not closed yet
    assert_false(is_enclosed((room){.speed = 0, .window = -9}, middle, 100));
}

/// Through the window the flood comes to the rim.
static void test_window(void** state) {
    (void)state;
    const vn_dvec3 middle = {0, 0, 0};
    assert_false(is_enclosed((room){.speed = 0.05, .window = 2}, middle, 100));
    assert_true(is_enclosed((room){.speed = 0.05, .window = -9}, middle, 100));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_press), cmocka_unit_test(test_window)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
