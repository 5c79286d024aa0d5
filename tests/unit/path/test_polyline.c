/// A polyline that grows backwards: against leaving out the points of the whole one by one, and its limits.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "path/polyline.h"

#include <string.h>

#define MAX_POINTS 40

static bool is_same(vn_point a, vn_point b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/// b on the straight segment from a to c, by ratios of lengths along each axis.
static bool is_on_the_way(vn_point a, vn_point b, vn_point c) {
    const int64_t u[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, v[3] = {c.x - b.x, c.y - b.y, c.z - b.z};
    for (int i = 0; i < 3; ++i) {
        if (u[i] * v[i] < 0)
            return false;
        for (int k = 0; k < 3; ++k)
            if (u[i] * v[k] != u[k] * v[i])
                return false;
    }

    return true;
}

/// From the end: points that come twice go, and points in line with both neighbours.
static uint32_t tidy_by_force(vn_point* points, uint32_t count, bool every) {
    for (uint32_t i = count; i-- > 1;)
        if (is_same(points[i - 1], points[i])) {
            memmove(points + i - 1, points + i, (count - i) * sizeof *points);
            --count;
        }

    for (uint32_t i = count > 2 && !every ? count - 2 : 0; i > 0; --i)
        if (is_on_the_way(points[i - 1], points[i], points[i + 1])) {
            memmove(points + i, points + i + 1, (count - i - 1) * sizeof *points);
            --count;
        }

    return count;
}

/// Few directions, so that many points are in line, there and back.
static uint32_t random_route(vni_rng* rng, vn_point* out) {
    vn_point at = {500, 500, 500};
    uint32_t count = vni_rng_below(rng, MAX_POINTS + 1);
    for (uint32_t i = 0; i < count; ++i) {
        out[i] = at;
        int32_t step = vni_rng_range(rng, -2, 2);
        uint32_t axis = vni_rng_below(rng, 4);
        at.x += axis == 0 || axis == 3 ? step : 0;
        at.y += axis == 1 || axis == 3 ? step : 0;
        at.z += axis == 2 ? step : 0;
    }

    return count;
}

static void test_growing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("polyline", 951));
    for (uint32_t i = 0; i < vnt_scale(20000, 400000); ++i) {
        vn_point route[MAX_POINTS], want[MAX_POINTS], grown[MAX_POINTS];
        uint32_t count = random_route(&rng, route);
        const bool every = i % 3 == 0;
        memcpy(want, route, sizeof want);
        uint32_t expected = tidy_by_force(want, count, every);

        vni_polyline line = {grown, MAX_POINTS, 0, every};
        for (uint32_t k = count; k > 0; --k)
            assert_true(vni_polyline_prepend(&line, route[k - 1]));

        vni_polyline_settle(&line);
        assert_int_equal(line.count, expected);
        assert_memory_equal(grown, want, expected * sizeof *want);
        if (!every) {
            assert_int_equal(vni_polyline_tidy(route, count), expected);
            assert_memory_equal(route, want, expected * sizeof *want);
        }
    }
}

static void test_no_room(void** state) {
    (void)state;
    vn_point buffer[2];
    vni_polyline line = {buffer, 2, 0, false};
    assert_true(vni_polyline_prepend(&line, (vn_point){9, 0, 0}));
    assert_true(vni_polyline_prepend(&line, (vn_point){9, 0, 0}));
    assert_true(vni_polyline_prepend(&line, (vn_point){5, 0, 0}));
    assert_true(vni_polyline_prepend(&line, (vn_point){1, 0, 0})); // in line
    assert_false(vni_polyline_prepend(&line, (vn_point){1, 1, 0}));
    assert_false(vni_polyline_prepend(&line, (vn_point){7, 0, 0})); // in line, but back
    assert_int_equal(line.count, 2);
    line.every = true;
    assert_false(vni_polyline_prepend(&line, (vn_point){0, 0, 0}));
    vni_polyline_settle(&line);
    assert_true(buffer[0].x == 1);
    assert_true(buffer[1].x == 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing), cmocka_unit_test(test_no_room)};
    return cmocka_run_group_tests_name("path/polyline", tests, NULL, NULL);
}
