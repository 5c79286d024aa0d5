/// Random free points: every one free, all voxels equally often, the same numbers again for the same seed.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"

#include <math.h>
#include <stdlib.h>

/// Pearson's statistic of counts that should be equal, as a number of standard deviations (by the cube root,
/// which is close to normal even for few bins).
static double excess(const uint32_t* counts, size_t bins, double expected) {
    double sum = 0, freedom = (double)bins - 1, spread = 2 / (9 * freedom);
    for (size_t i = 0; i < bins; ++i)
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    return (cbrt(sum / freedom) - (1 - spread)) / sqrt(spread);
}

/// Draws `each` points a free voxel: voxels, and eighths of voxels along each axis, come up equally often.
static void check_uniform(const vnt_voxels* voxels, uint64_t seed, uint32_t each) {
    vn_space* space = vnt_voxels_space(voxels);
    const vn_voxel dims = voxels->dims;
    size_t all = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z, bins = 0;
    uint32_t* counts = calloc(all, sizeof *counts);
    uint32_t eighths[512] = {0};
    assert_non_null(counts);

    size_t free_voxels = all - space->occupancy.blocked_voxels, draws = each * free_voxels;
    for (size_t i = 0; i < draws; ++i) {
        vn_point p;
        assert_int_equal(vn_space_random_point(space, &seed, &p), VN_OK);
        assert_true(vn_space_point_free(space, p));
        const vn_voxel v = {p.x >> 10, p.y >> 10, p.z >> 10}; // never the upper face: voxels do not overlap
        assert_true(vnt_voxels_are_free(voxels, v.x, v.y, v.z));
        ++counts[(size_t)v.x + (size_t)dims.x * ((size_t)v.y + (size_t)dims.y * (size_t)v.z)];
        ++eighths[(p.x & 1023) >> 7 | (p.y & 1023) >> 7 << 3 | (p.z & 1023) >> 7 << 6];
    }

    for (size_t i = 0; i < all; ++i)
        if (!voxels->blocked[i])
            counts[bins++] = counts[i];

    assert_int_equal(bins, free_voxels);
    assert_true(bins == 1 || fabs(excess(counts, bins, each)) < 5);
    assert_true(draws < 5000 || fabs(excess(eighths, 512, (double)draws / 512)) < 5);
    free(counts);
    vn_space_destroy(space);
}

static void test_uniform(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random free", 81));
    for (uint32_t world = 0; world < vnt_scale(60, 1000); ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 9);
        if (world % 5 == 0)
            dims.y += 60; // two blocks, the second with a rim

        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        voxels.blocked[0] = 0;
        check_uniform(&voxels, vni_rng_next(&rng), 40);
        vnt_voxels_free(&voxels);
    }
}

/// So few free voxels that they have to be counted: in several blocks, chunks and bricks, at rims and
/// corners.
static void test_nearly_full(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random free, nearly full", 82));
    const vn_voxel dims = {101, 67, 130};
    for (uint32_t world = 0; world < vnt_scale(6, 100); ++world) {
        vnt_voxels voxels = vnt_voxels_make(dims);
        size_t all = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z;
        for (size_t i = 0; i < all; ++i)
            voxels.blocked[i] = 1;

        for (uint32_t i = 0; i < 30; ++i)
            voxels.blocked[vni_rng_below(&rng, (uint32_t)all)] = 0;

        voxels.blocked[all - 1] = 0;
        check_uniform(&voxels, vni_rng_next(&rng), 100);
        vnt_voxels_free(&voxels);
    }
}

static void test_one_in_a_million(void** state) {
    (void)state;
    const vn_voxel dims = {100, 100, 100};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < 1000000; ++i)
        voxels.blocked[i] = 1;

    vn_space* full = vnt_voxels_space(&voxels);
    voxels.blocked[77 + 100 * (88 + 100 * 99)] = 0;
    vn_space* space = vnt_voxels_space(&voxels);
    uint64_t random = 1;

    vn_point p;
    for (uint32_t i = 0; i < 20; ++i) {
        assert_int_equal(vn_space_random_point(space, &random, &p), VN_OK);
        assert_true(p.x >> 10 == 77);
        assert_true(p.y >> 10 == 88);
        assert_true(p.z >> 10 == 99);
    }

    assert_int_equal(vn_space_random_point(full, &random, &p), VN_NOT_FOUND);
    vn_space_destroy(space);
    vn_space_destroy(full);
    vnt_voxels_free(&voxels);
}

/// Equal seeds give equal points; neighbouring seeds, and the calls of one, do not.
static void test_seeds(void** state) {
    (void)state;
    const vn_voxel dims = {200, 200, 200};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    uint64_t a = 0, b = 0, c = 1;
    vn_point first, p, q, r;
    assert_int_equal(vn_space_random_point(space, &a, &first), VN_OK);
    assert_int_equal(vn_space_random_point(space, &b, &p), VN_OK);
    assert_int_equal(vn_space_random_point(space, &a, &q), VN_OK);
    assert_int_equal(vn_space_random_point(space, &c, &r), VN_OK);
    assert_memory_equal(&first, &p, sizeof p);
    assert_memory_not_equal(&first, &q, sizeof p);
    assert_memory_not_equal(&first, &r, sizeof p);
    assert_true(first.x == 152052);
    assert_true(first.y == 49691);
    assert_true(first.z == 189598); // the same on every machine
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ---------------------------------------------------------------------------------------------- reachable

/// Two rooms, divided by a wall.
static vnt_voxels two_rooms(vn_voxel dims, int32_t wall) {
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            vnt_voxels_block(&voxels, wall, y, z);
    return voxels;
}

/// Draws from the room of `from`: every voxel of it equally often, none of the other.
static void check_reachable(const vnt_voxels* voxels, int32_t wall, vn_voxel from, uint64_t seed) {
    const vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(voxels, &jobs);
    const vn_voxel dims = voxels->dims;
    const bool low = from.x < wall;
    const size_t width = (size_t)(low ? wall : dims.x - wall - 1),
                 bins = width * (size_t)dims.y * (size_t)dims.z;
    uint32_t* counts = calloc(bins, sizeof *counts);
    assert_non_null(counts);

    for (size_t i = 0; i < 40 * bins; ++i) {
        vn_point p;
        assert_int_equal(vn_space_random_reachable(space, vn_voxel_center(from), &seed, &p), VN_OK);
        const vn_voxel v = {(p.x >> 10) - (low ? 0 : wall + 1), p.y >> 10, p.z >> 10};
        assert_true(v.x >= 0 && (size_t)v.x < width);
        ++counts[(size_t)v.x + width * ((size_t)v.y + (size_t)dims.y * (size_t)v.z)];
    }

    assert_true(fabs(excess(counts, bins, 40)) < 5);
    free(counts);
    vn_space_destroy(space);
}

static void test_reachable(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("random reachable", 82);
    vnt_voxels even = two_rooms((vn_voxel){11, 4, 4}, 5);
    check_reachable(&even, 5, (vn_voxel){0, 0, 0}, seed);
    check_reachable(&even, 5, (vn_voxel){10, 3, 3}, seed + 1);
    vnt_voxels_free(&even);

    // One voxel in 200: nearly all points are drawn by rank.
    vnt_voxels uneven = two_rooms((vn_voxel){202, 2, 3}, 1);
    check_reachable(&uneven, 1, (vn_voxel){0, 1, 2}, seed + 2);
    vnt_voxels_free(&uneven);
}

static void test_reachable_statuses(void** state) {
    (void)state;
    const vn_jobs jobs = vn_serial_jobs();
    vnt_voxels voxels = two_rooms((vn_voxel){9, 4, 4}, 5);
    vn_space *cells = vnt_voxels_cells(&voxels, &jobs), *none = vnt_voxels_space(&voxels);
    const vn_point wall = vn_voxel_center((vn_voxel){5, 1, 1}), room = vn_voxel_center((vn_voxel){1, 1, 1});
    uint64_t a = 5, b = 5;
    vn_point p, q;
    vn_dvec3 position;
    assert_int_equal(vn_space_random_reachable(cells, wall, &a, &p), VN_BLOCKED);
    assert_int_equal(vn_space_random_reachable(cells, (vn_point){-1, 0, 0}, &a, &p), VN_OUTSIDE);
    assert_int_equal(vn_space_random_reachable(none, room, &a, &p), VN_UNSUPPORTED);
    assert_true(a == 5); // nothing was drawn
    assert_int_equal(vn_space_random_reachable(cells, room, &a, &p), VN_OK);
    assert_int_equal(vn_space_random_reachable_position(cells, (vn_dvec3){1.5, 1.5, 1.5}, &b, &position),
                     VN_OK);
    assert_true(a == b);
    assert_int_equal(vn_space_point_from_world(cells, position, &q), VN_OK);
    assert_memory_equal(&p, &q, sizeof p);
    vn_space_destroy(cells);
    vn_space_destroy(none);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),          cmocka_unit_test(test_nearly_full),
        cmocka_unit_test(test_one_in_a_million), cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_reachable),        cmocka_unit_test(test_reachable_statuses),
    };

    return cmocka_run_group_tests_name("space/random", tests, NULL, NULL);
}
