/// The pieces of a lattice segment against pieces worked out from sorted fractions.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "geom/lattice.h"

#include <stdlib.h>
#include <string.h>

/// A parameter n / d along the segment, d > 0.
typedef struct fraction {
    int64_t n, d;
} fraction;

static int compare(const void* a, const void* b) {
    const fraction *p = a, *q = b;
    int64_t left = p->n * q->d, right = q->n * p->d;
    return (left > right) - (left < right);
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// The voxels whose closed cubes hold the point at `t`.
static void around(const int32_t a[3], const int32_t b[3], fraction t, vni_lattice_piece* out) {
    for (int i = 0; i < 3; ++i) {
        int64_t at = a[i] * t.d + ((int64_t)b[i] - a[i]) * t.n; // times d
        int64_t unit = VN_LATTICE * t.d;
        out->high[i] = (int32_t)floor_div(at, unit);
        out->low[i] = (int32_t)(floor_div(at, unit) - (at % unit == 0));
    }
}

static uint32_t cuts(const int32_t a[3], const int32_t b[3], fraction* out) {
    uint32_t count = 0;
    out[count++] = (fraction){0, 1};
    for (int i = 0; i < 3; ++i) {
        int64_t d = (int64_t)b[i] - a[i];
        int32_t low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        for (int64_t plane = floor_div(low, VN_LATTICE); d != 0 && plane * VN_LATTICE <= high; ++plane) {
            int64_t n = plane * VN_LATTICE - a[i];
            fraction t = {d < 0 ? -n : n, d < 0 ? -d : d};
            if (t.n > 0 && t.n < t.d)
                out[count++] = t;
        }
    }

    out[count++] = (fraction){1, 1};
    qsort(out, count, sizeof *out, compare);
    return count;
}

static void check_piece(vni_lattice_walk* walk, const vni_lattice_piece* want, bool is_point) {
    vni_lattice_piece got;
    assert_true(vni_lattice_next(walk, &got));
    assert_int_equal(got.is_point, is_point);
    assert_memory_equal(got.low, want->low, sizeof got.low);
    assert_memory_equal(got.high, want->high, sizeof got.high);
}

static void check_segment(const int32_t a[3], const int32_t b[3]) {
    static fraction t[4096];
    vn_point from = {a[0], a[1], a[2]}, to = {b[0], b[1], b[2]};
    vni_lattice_walk walk = vni_lattice_begin(from, to);
    vni_lattice_piece want, got;
    uint32_t count = memcmp(a, b, 3 * sizeof *a) ? cuts(a, b, t) : 1;

    t[0] = (fraction){0, 1};
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0 && compare(&t[i - 1], &t[i]) == 0)
            continue;
        if (i > 0) { // the middle of the stretch before this point: between n/d and m/e lies (n+m)/(d+e)
            fraction middle = {t[i - 1].n + t[i].n, t[i - 1].d + t[i].d};
            around(a, b, middle, &want);
            check_piece(&walk, &want, false);
        }

        around(a, b, t[i], &want);
        check_piece(&walk, &want, true);
    }

    assert_false(vni_lattice_next(&walk, &got));
}

static void test_random_segments(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("lattice", 21));
    for (uint32_t round = 0; round < vnt_scale(20000, 500000); ++round) {
        static const int32_t steps[4] = {1, 256, 512, 1024};
        int32_t step = steps[vni_rng_below(&rng, 4)], a[3], b[3];
        for (int i = 0; i < 3; ++i) {
            a[i] = vni_rng_range(&rng, -8 * 1024 / step, 8 * 1024 / step) * step;
            b[i] = vni_rng_below(&rng, 5) == 0
                       ? a[i]
                       : vni_rng_range(&rng, -8 * 1024 / step, 8 * 1024 / step) * step;
        }

        check_segment(a, b);
    }
}

static void test_far_coordinates(void** state) {
    (void)state;
    const vn_point a = {VNI_LATTICE_LIMIT, VNI_LATTICE_LIMIT - 1, 5},
                   b = {-VNI_LATTICE_LIMIT, -VNI_LATTICE_LIMIT, 6};
    vni_lattice_walk walk = vni_lattice_begin(a, b);
    vni_lattice_piece piece;

    uint32_t points = 0;
    while (vni_lattice_next(&walk, &piece))
        points += piece.is_point;

    assert_true(points > 2u * VNI_LATTICE_LIMIT / VN_LATTICE);
    assert_int_equal(piece.low[0], -VNI_LATTICE_LIMIT / VN_LATTICE - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_segments),
                                       cmocka_unit_test(test_far_coordinates)};
    return cmocka_run_group_tests_name("geom/lattice", tests, NULL, NULL);
}
