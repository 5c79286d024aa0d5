/// Line of sight against brute force, against itself backwards and in parts, and against the path checker in
/// large worlds.
#include "cmocka_all.h"
#include "support.h"
#include "tests/oracle/contact.h"
#include "voxels.h"

#include "probe/sight.h"
#include "space/space.h"

static const int32_t steps[6] = {1, 1, 128, 512, 1024, 1024};

static vn_point other_end(vni_rng* rng, vn_voxel dims, vn_point a, int32_t step) {
    vn_point b = vnt_random_point(rng, dims, step);
    uint32_t same = vni_rng_below(rng, 12); // often in a lattice plane or along a lattice line
    if (same & 1)
        b.x = a.x;

    if (same & 2)
        b.y = a.y;

    if (same & 4)
        b.z = a.z;

    return b;
}

/// Random segments (steps 1) and lattice-aligned ones, 10^5 of each at normal scale, in worlds small enough
/// for the brute force.
static void check_against_oracle(uint64_t seed, uint32_t first_step, uint32_t last_step) {
    vni_rng rng = vni_rng_make(seed);
    uint32_t worlds = vnt_scale(1000, 20000), seen = 0, total = 0;
    for (uint32_t world = 0; world < worlds; ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 8);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        const vnt_contact_map map = {dims, voxels.blocked};
        for (uint32_t i = 0; i < 100; ++i, ++total) {
            int32_t step = steps[first_step + vni_rng_below(&rng, last_step - first_step + 1)];
            vn_point ends[2];
            ends[0] = vnt_random_point(&rng, dims, step);
            ends[1] = other_end(&rng, dims, ends[0], step);
            bool want = vnt_contact_check(&map, ends, 2).fault == VN_CHECK_FREE;
            assert_int_equal(vni_sight(&space->occupancy, ends[0], ends[1]), want);
            assert_int_equal(vni_sight(&space->occupancy, ends[1], ends[0]), want);
            assert_int_equal(vni_sight_by_pieces(&space->occupancy, ends[0], ends[1]), want);
            seen += want;
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u of %u segments are free\n", seen, total);
    assert_true(seen > total / 10);
    assert_true(seen < total - total / 10); // both results well covered
}

static void test_random_segments(void** state) {
    (void)state;
    check_against_oracle(vnt_seed("sight random", 31), 0, 1);
}

static void test_lattice_segments(void** state) {
    (void)state;
    check_against_oracle(vnt_seed("sight lattice", 32), 2, 5);
}

/// Worlds of several blocks, so that leaps of 64, 16 and 4 are taken: the walk without leaps and the path
/// checker must agree.
static void test_leaps(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sight leaps", 33));
    uint32_t seen = 0, total = 0;
    for (uint32_t world = 0; world < vnt_scale(30, 300); ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 150);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        for (uint32_t i = 0; i < 500; ++i, ++total) {
            int32_t step = steps[vni_rng_below(&rng, 6)];
            vn_point ends[2];
            ends[0] = vnt_random_point(&rng, dims, step);
            ends[1] = other_end(&rng, dims, ends[0], step);
            bool got = vn_space_visible(space, ends[0], ends[1]);
            assert_int_equal(got, vni_sight_by_pieces(&space->occupancy, ends[0], ends[1]));
            assert_int_equal(got, vn_space_check_path(space, ends, 2, NULL));
            assert_int_equal(got, vn_space_visible(space, ends[1], ends[0]));
            seen += got;
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    assert_true(seen > total / 20);
    assert_true(seen < total);
}

/// A free segment is free in each part; and the parts joined (by the checker, which minds the vertex) give
/// the whole back.
static void test_splitting(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sight splitting", 34));
    for (uint32_t world = 0; world < vnt_scale(200, 4000); ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 30);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        for (uint32_t i = 0; i < 100; ++i) {
            int32_t parts = vni_rng_range(&rng, 2, 9), cut = vni_rng_range(&rng, 1, parts - 1);
            vn_point a = vnt_random_point(&rng, dims, steps[vni_rng_below(&rng, 6)]),
                     b = vnt_random_point(&rng, dims, 1);
            vn_point step = {(b.x - a.x) / parts, (b.y - a.y) / parts,
                             (b.z - a.z) / parts}; // so that the cut lies on the lattice
            vn_point end = {a.x + step.x * parts, a.y + step.y * parts, a.z + step.z * parts};
            vn_point middle = {a.x + step.x * cut, a.y + step.y * cut, a.z + step.z * cut};
            const vn_point joined[3] = {a, middle, end};

            bool whole = vn_space_visible(space, a, end);
            if (whole) {
                assert_true(vn_space_visible(space, a, middle));
                assert_true(vn_space_visible(space, middle, end));
            }

            assert_int_equal(whole, vn_space_check_path(space, joined, 3, NULL));
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_outside_is_never_visible(void** state) {
    (void)state;
    const vn_voxel dims = {4, 4, 4};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point inside = {10, 10, 10}, corner = {4096, 4096, 4096}, beyond = {4097, 4096, 4096},
                   before = {-1, 0, 0};
    assert_true(vn_space_visible(space, inside, corner));
    assert_true(vn_space_visible(space, corner, corner));
    assert_false(vn_space_visible(space, inside, beyond));
    assert_false(vn_space_visible(space, before, inside));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_segments),
        cmocka_unit_test(test_lattice_segments),
        cmocka_unit_test(test_leaps),
        cmocka_unit_test(test_splitting),
        cmocka_unit_test(test_outside_is_never_visible),
    };

    return cmocka_run_group_tests_name("space/sight", tests, NULL, NULL);
}
