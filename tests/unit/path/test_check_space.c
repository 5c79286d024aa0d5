/// tests/unit/path/test_check_space.c: the exact checker on voxel maps: the rules of contact by hand, and
/// against brute force.
#include "base/rng.h"
#include "spaces.h"
#include "support.h"
#include "tests/oracle/contact.h"
#include "volnav/path.h"
#include <string.h>

#define L             VN_LATTICE
#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

/// The checker's word on a path through a map of 2 x 2 x 2 (bit x + 2 y + 4 z of `blocked`), asked forwards
/// and backwards.
static vn_check_fault ask8(uint32_t blocked, const vn_point* points, uint32_t count) {
    uint8_t map[8];
    vn_point back[8];
    for (uint32_t i = 0; i < 8; ++i)
        map[i] = blocked >> i & 1;

    for (uint32_t i = 0; i < count; ++i)
        back[i] = points[count - 1 - i];

    vn_space space = vnt_space_make(2, 2, 2, 1.0f, map);
    vn_check_result result;
    bool free = vn_space_check_path(&space, points, count, &result);
    assert_int_equal(free, result.fault == VN_CHECK_FREE);
    assert_int_equal(free, vn_space_check_path(&space, points, count, NULL));
    assert_int_equal(free, vn_space_check_path(&space, back, count, NULL));
    vnt_space_free(&space);

    return result.fault;
}

#define ASK(blocked, ...)                                                                                    \
    ask8((blocked), (const vn_point[]){__VA_ARGS__}, LENGTH(((const vn_point[]){__VA_ARGS__})))

/// Bits of the voxels of the 2 x 2 x 2 map.
enum {
    V000 = 1,
    V100 = 2,
    V010 = 4,
    V110 = 8,
    V001 = 16,
    V101 = 32,
    V011 = 64,
    V111 = 128,
    LOW_LAYER = 15,
    HIGH_LAYER = 240
};

static void through_and_along_a_face(void** state) {
    (void)state;
    assert_int_equal(ASK(0, {100, 100, 100}, {2000, 100, 100}), VN_CHECK_FREE);
    assert_int_equal(ASK(V100, {100, 100, 100}, {2000, 100, 100}), VN_CHECK_BLOCKED);
    assert_int_equal(ASK(V100, {100, 100, 100}, {L, 100, 100}), VN_CHECK_FREE);
    assert_int_equal(ASK(V100, {100, 100, 100}, {L + 1, 100, 100}), VN_CHECK_BLOCKED);
    assert_int_equal(ASK(V100, {L, 100, 100}, {L, 900, 900}), VN_CHECK_FREE);
    assert_int_equal(ASK(V000, {L, 100, 100}, {L, 900, 900}), VN_CHECK_FREE);
    assert_int_equal(ASK(V000 | V100, {L, 100, 100}, {L, 900, 900}), VN_CHECK_BLOCKED);

    // along the wall's face, around its end, and from the other side of a face between two blocked voxels
    assert_int_equal(ASK(V100 | V010, {L, 100, 100}, {L, 1100, 100}), VN_CHECK_SQUEEZED);
    assert_int_equal(ASK(V100 | V110, {L, 100, 100}, {L, 1100, 100}), VN_CHECK_FREE);
}

static void along_an_edge(void** state) {
    (void)state;
    const uint32_t pair_a = V000 | V001, pair_b = V100 | V101, pair_c = V010 | V011, pair_d = V110 | V111;
    assert_int_equal(ASK(pair_a | pair_d, {L, L, 100}, {L, L, 2000}), VN_CHECK_FREE);
    assert_int_equal(ASK(pair_a | pair_b | pair_c, {L, L, 100}, {L, L, 2000}), VN_CHECK_FREE);
    assert_int_equal(ASK(pair_a | pair_b | pair_c | pair_d, {L, L, 100}, {L, L, 2000}), VN_CHECK_BLOCKED);

    // one diagonal pair free below, the other above: no face joins any of them across the middle
    assert_int_equal(ASK(V000 | V110 | V101 | V011, {L, L, 100}, {L, L, 2000}), VN_CHECK_SQUEEZED);

    // free below: x0y0 and x1y1; above: x1y0 and x1y1
    assert_int_equal(ASK(V100 | V010 | V001 | V011, {L, L, 100}, {L, L, 2000}), VN_CHECK_FREE);

    // comes along the edge on either side of a diagonal and leaves into one of the two
    assert_int_equal(ASK(pair_b | pair_c, {L, L, 100}, {L, L, 900}, {1500, 1500, 900}), VN_CHECK_FREE);

    // comes from one of them, runs along the edge, and leaves into the other: never
    assert_int_equal(ASK(pair_b | pair_c, {500, 500, 100}, {L, L, 100}, {L, L, 900}, {1500, 1500, 900}),
                     VN_CHECK_SQUEEZED);
    assert_int_equal(ASK(pair_b, {500, 500, 100}, {L, L, 100}, {L, L, 900}, {1500, 1500, 900}),
                     VN_CHECK_FREE);
}

static void through_an_edge(void** state) {
    (void)state;
    assert_int_equal(ASK(V100 | V010, {500, 500, 500}, {1548, 1548, 500}), VN_CHECK_SQUEEZED);
    assert_int_equal(ASK(V100, {500, 500, 500}, {1548, 1548, 500}), VN_CHECK_FREE);
    assert_int_equal(ASK(V010, {500, 500, 500}, {1548, 1548, 500}), VN_CHECK_FREE);

    // with a vertex on the edge, once and repeated
    assert_int_equal(ASK(V100 | V010, {500, 500, 500}, {L, L, 500}, {1548, 1548, 500}), VN_CHECK_SQUEEZED);
    assert_int_equal(ASK(V100 | V010, {500, 500, 500}, {L, L, 500}, {L, L, 500}, {1100, 1900, 500}),
                     VN_CHECK_SQUEEZED);
    assert_int_equal(ASK(V010, {500, 500, 500}, {L, L, 500}, {L, L, 500}, {1100, 1900, 500}), VN_CHECK_FREE);

    // start or end on the edge
    assert_int_equal(ASK(V100 | V010, {L, L, 500}, {1548, 1548, 500}), VN_CHECK_FREE);
    assert_int_equal(ASK(V100 | V010, {L, L, 500}, {500, 500, 500}), VN_CHECK_FREE);

    // touches the edge, and turns back
    assert_int_equal(ASK(V100 | V010 | V110, {500, 500, 500}, {L, L, 500}, {100, 500, 500}), VN_CHECK_FREE);

    // the path around lies in the layer above, which the edge inside the lower one does not touch
    assert_int_equal(ASK(V100 | V010, {500, 500, 500}, {L, L, L}, {1548, 1548, 500}), VN_CHECK_FREE);
}

static void through_a_corner(void** state) {
    (void)state;
    const vn_point route[] = {{500, 500, 500}, {1548, 1548, 1548}};
    const vn_point bent[] = {{500, 500, 500}, {L, L, L}, {1500, 1200, 1700}};
    const uint32_t between = V100 | V010 | V110 | V001 | V101 | V011;

    assert_int_equal(ask8(between, route, 2), VN_CHECK_SQUEEZED);
    for (uint32_t blocked = 0; blocked < 256; ++blocked) {
        uint32_t free = ~blocked & 255;
        bool ends = (free & V000) && (free & V111);

        // from one corner of a cube to the opposite one there are exactly six paths of three steps
        bool joined = ((free & V100) && (free & (V110 | V101))) ||
                      ((free & V010) && (free & (V110 | V011))) || ((free & V001) && (free & (V101 | V011)));
        vn_check_fault expected = !ends ? VN_CHECK_BLOCKED : joined ? VN_CHECK_FREE : VN_CHECK_SQUEEZED;
        assert_int_equal(ask8(blocked, route, 2), expected);
        assert_int_equal(ask8(blocked, bent, 3), expected);
    }
}

static void points_alone(void** state) {
    (void)state;
    assert_int_equal(ASK(0, {L, L, L}), VN_CHECK_FREE);
    assert_int_equal(ASK(255 - V101, {L, L, L}), VN_CHECK_FREE);
    assert_int_equal(ASK(255, {L, L, L}), VN_CHECK_BLOCKED);
    assert_int_equal(ASK(V000, {500, 500, 500}), VN_CHECK_BLOCKED);
    assert_int_equal(ASK(V000, {L, 500, 500}, {L, 500, 500}, {L, 500, 500}), VN_CHECK_FREE);
    assert_int_equal(ASK(0, {0, 0, 0}), VN_CHECK_FREE);
    assert_int_equal(ASK(0, {2 * L, 2 * L, 2 * L}), VN_CHECK_FREE);
    assert_int_equal(ASK(0, {-1, 0, 0}), VN_CHECK_OUTSIDE);
    assert_int_equal(ASK(0, {0, 0, 2 * L + 1}), VN_CHECK_OUTSIDE);
    assert_int_equal(ask8(0, NULL, 0), VN_CHECK_EMPTY);
}

static void at_the_bounds(void** state) {
    (void)state;
    assert_int_equal(ASK(0, {0, 0, 0}, {2 * L, 0, 0}, {2 * L, 2 * L, 2 * L}), VN_CHECK_FREE);
    assert_int_equal(ASK(V000, {0, 0, 0}, {2 * L, 0, 0}), VN_CHECK_BLOCKED);
    assert_int_equal(ASK(0, {500, 500, 500}, {500, 500, -1}), VN_CHECK_OUTSIDE);
    assert_int_equal(ASK(0, {500, 500, 500}, {500, 500, 0}, {500, 500, 2 * L}), VN_CHECK_FREE);

    // the outside joins nothing: diagonal voxels at the bounds stay apart
    assert_int_equal(ASK(V100 | V010, {500, 500, 0}, {1548, 1548, 0}), VN_CHECK_SQUEEZED);

    // far outside, beyond what the lattice of a space can reach
    assert_int_equal(ASK(0, {1, 2, 3}, {INT32_MAX, INT32_MIN, INT32_MAX}), VN_CHECK_OUTSIDE);
    assert_int_equal(ASK(0, {INT32_MIN, 5, 5}, {5, 5, 5}), VN_CHECK_OUTSIDE);
}

static void says_where(void** state) {
    (void)state;
    uint8_t map[64] = {0};
    map[2 + 4 * (1 + 4 * 0)] = 1; // voxel (2, 1, 0)
    vn_space space = vnt_space_make(4, 4, 4, 0.5f, map);
    space.origin = (vn_dvec3){1000.0, 0.0, -8.0};
    space.low = (vn_dvec3){1.0, 2.0, 3.0};
    vn_check_result r;
    const vn_point into[] = {{512, 512, 512}, {512, 1536, 512}, {4096, 1536, 512}};
    assert_false(vn_space_check_path(&space, into, 3, &r));
    assert_int_equal(r.fault, VN_CHECK_BLOCKED);
    assert_int_equal(r.segment, 1);
    assert_true(r.fraction == 1536.0 / 3584.0);
    assert_true(r.voxel.x == 2);
    assert_true(r.voxel.y == 1);
    assert_true(r.voxel.z == 0);
    assert_true(r.position.x == 1000.0 + 1.0 + 1.0);
    assert_true(r.position.y == 2.75);
    assert_true(r.position.z == -8.0 + 3.25);
    assert_true(r.obstacle.index1 == 0);
    const vn_point out[] = {{512, 512, 512}, {512, 512, 1024}, {512, 512, 5120}};
    assert_false(vn_space_check_path(&space, out, 3, &r));
    assert_int_equal(r.fault, VN_CHECK_OUTSIDE);
    assert_int_equal(r.segment, 1);
    assert_true(r.fraction == 0.75);
    assert_true(r.voxel.z == 4);
    assert_true(vn_space_check_path(&space, out, 2, &r));
    assert_int_equal(r.fault, VN_CHECK_FREE);
    vnt_space_free(&space);
}

static void words(void** state) {
    (void)state;
    assert_string_equal(vn_check_fault_word(VN_CHECK_FREE), "free");
    assert_string_equal(vn_check_fault_word(VN_CHECK_SQUEEZED), "squeezed");
    assert_string_equal(vn_check_fault_word((vn_check_fault)99), "unknown");
}

// --------------------------------------------------------------------------------------------- properties

#define SIDE 4

/// A random map; some are nearly empty, some nearly full, some a checkerboard with noise.
static void random_map(vni_rng* rng, uint8_t* map) {
    uint32_t blocked_of_8 = vni_rng_below(rng, 7), board = vni_rng_below(rng, 4);
    for (int32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        bool odd = ((i ^ i / SIDE ^ i / (SIDE * SIDE)) & 1) != 0;
        map[i] = board == 0 && vni_rng_below(rng, 6) != 0 ? odd : vni_rng_below(rng, 8) < blocked_of_8;
    }
}

/// On a grid of 1024, 512, 256 or 1 lattice step, now and then outside.
static vn_point random_point(vni_rng* rng) {
    static const int32_t steps[] = {1024, 1024, 1024, 512, 512, 256, 1};
    int32_t step = steps[vni_rng_below(rng, LENGTH(steps))];
    int32_t margin = vni_rng_below(rng, 16) == 0 ? L : 0, low = -margin / step,
            high = (SIDE * L + margin) / step;
    vn_point p = {vni_rng_range(rng, low, high) * step, vni_rng_range(rng, low, high) * step,
                  vni_rng_range(rng, low, high) * step};

    return p;
}

static uint32_t random_path(vni_rng* rng, vn_point* points) {
    uint32_t count = 1 + vni_rng_below(rng, 5);
    for (uint32_t i = 0; i < count; ++i) {
        points[i] = random_point(rng);
        if (i > 0 && vni_rng_below(rng, 2) == 0) { // a step along axes and diagonals only
            points[i] = points[i - 1];
            int32_t step = vni_rng_range(rng, -2, 2) * 512;
            points[i].x += vni_rng_range(rng, -1, 1) * step;
            points[i].y += vni_rng_range(rng, -1, 1) * step;
            points[i].z += vni_rng_range(rng, -1, 1) * step;
        }
    }

    return count;
}

static void agrees_with_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_space brute force", 20240601));
    uint32_t faults[6] = {0}, maps = vnt_scale(600, 20000);
    for (uint32_t round = 0; round < maps; ++round) {
        uint8_t map[SIDE * SIDE * SIDE];
        random_map(&rng, map);
        vn_space space = vnt_space_make(SIDE, SIDE, SIDE, 1.0f, map);
        vnt_contact_map oracle_map = {{SIDE, SIDE, SIDE}, map};
        for (uint32_t k = 0; k < 60; ++k) {
            vn_point points[8];
            uint32_t count = random_path(&rng, points);
            vn_check_result r;
            bool free = vn_space_check_path(&space, points, count, &r);
            vnt_contact expected = vnt_contact_check(&oracle_map, points, count);
            assert_int_equal(r.fault, expected.fault);
            assert_int_equal(free, expected.fault == VN_CHECK_FREE);
            ++faults[r.fault];

            if (free)
                continue;
            assert_int_equal(r.segment, expected.segment);
            assert_true(r.fraction == expected.at);
            bool in_map =
                (uint32_t)r.voxel.x < SIDE && (uint32_t)r.voxel.y < SIDE && (uint32_t)r.voxel.z < SIDE;

            assert_int_equal(in_map, r.fault != VN_CHECK_OUTSIDE);
            if (in_map)
                assert_int_equal(map[r.voxel.x + SIDE * (r.voxel.y + SIDE * r.voxel.z)], 1);
        }

        vnt_space_free(&space);
    }

    // the random paths are worth something only if every result occurs often
    assert_true(faults[VN_CHECK_FREE] > maps);
    assert_true(faults[VN_CHECK_BLOCKED] > maps);
    assert_true(faults[VN_CHECK_SQUEEZED] > maps / 4);
    assert_true(faults[VN_CHECK_OUTSIDE] > maps);
}

static int32_t greatest_divisor(int32_t a, int32_t b) {
    while (b != 0) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/// Inserts lattice points that lie exactly on the segments, and repeats some.
static uint32_t split(vni_rng* rng, const vn_point* points, uint32_t count, vn_point* out) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i) {
        out[total++] = points[i];
        if (i + 1 == count)
            break;

        vn_point d = {points[i + 1].x - points[i].x, points[i + 1].y - points[i].y,
                      points[i + 1].z - points[i].z};
        int32_t parts = greatest_divisor(greatest_divisor(d.x, d.y), d.z);
        int32_t at = 0;
        for (uint32_t k = 0; k < 5 && parts > 1; ++k) {
            at = vni_rng_range(rng, at, parts);
            vn_point p = {points[i].x + d.x / parts * at, points[i].y + d.y / parts * at,
                          points[i].z + d.z / parts * at};
            out[total++] = p;
        }
    }

    return total;
}

static void does_not_depend_on_direction_or_splitting(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_space splitting", 77));
    for (uint32_t round = 0; round < vnt_scale(2000, 50000); ++round) {
        uint8_t map[SIDE * SIDE * SIDE];
        random_map(&rng, map);
        vn_space space = vnt_space_make(SIDE, SIDE, SIDE, 1.0f, map);
        for (uint32_t k = 0; k < 30; ++k) {
            vn_point points[8], parts[64], back[64];
            uint32_t count = random_path(&rng, points), total = split(&rng, points, count, parts);
            for (uint32_t i = 0; i < total; ++i)
                back[i] = parts[total - 1 - i];

            bool free = vn_space_check_path(&space, points, count, NULL);
            assert_int_equal(vn_space_check_path(&space, parts, total, NULL), free);
            assert_int_equal(vn_space_check_path(&space, back, total, NULL), free);
        }

        vnt_space_free(&space);
    }
}

/// A random walk over free voxels by shared faces is free; moved by 0.01 voxel (10 lattice steps) from a face
/// it runs along into the wall behind, it is not.
static void shifted_into_a_wall(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_space shifted", 5));
    uint32_t tried = 0;
    for (uint32_t round = 0; round < vnt_scale(3000, 100000); ++round) {
        uint8_t map[SIDE * SIDE * SIDE];
        random_map(&rng, map);
        vn_space space = vnt_space_make(SIDE, SIDE, SIDE, 1.0f, map);
        int32_t x = vni_rng_range(&rng, 0, SIDE - 2), y = vni_rng_range(&rng, 0, SIDE - 1),
                z = vni_rng_range(&rng, 0, SIDE - 1);

        if (vni_occupancy_free_at(&space.occupancy, x, y, z) &&
            !vni_occupancy_free_at(&space.occupancy, x + 1, y, z)) {
            ++tried;
            vn_point p = {(x + 1) * L, y * L + vni_rng_range(&rng, 1, L - 1),
                          z * L + vni_rng_range(&rng, 1, L - 1)};
            vn_point q = {(x + 1) * L, y * L + vni_rng_range(&rng, 1, L - 1),
                          z * L + vni_rng_range(&rng, 1, L - 1)};
            vn_point path[] = {{x * L + 512, p.y, p.z}, p, q, {x * L + 1, q.y, q.z}};
            assert_true(vn_space_check_path(&space, path, 4, NULL));
            for (uint32_t i = 0; i < 4; ++i)
                path[i].x += 10;
            vn_check_result r;
            assert_false(vn_space_check_path(&space, path, 4, &r));
            assert_int_equal(r.fault, VN_CHECK_BLOCKED);
            assert_true(r.voxel.x == x + 1);
            assert_true(r.voxel.y == y);
            assert_true(r.voxel.z == z);
        }

        vnt_space_free(&space);
    }

    assert_true(tried > 100);
}

/// The largest coordinates that a space can have; a wall with one hole at the far end.
static void exact_at_the_largest_size(void** state) {
    (void)state;
    const int32_t n = VNI_MAX_DIM, last = n * L;
    vn_space space = vnt_space_make(n, 2, 2, 1.0f, NULL);
    const vn_point route[] = {{0, 1, 1}, {last, 2 * L - 1, 2 * L}};
    assert_true(vn_space_check_path(&space, route, 2, NULL));
    uint64_t* dense = calloc(VNI_BLOCK_BRICKS, sizeof *dense);

    assert_non_null(dense);
    for (int32_t y = 0; y < 2; ++y)
        for (int32_t z = 0; z < 2; ++z)
            dense[vni_chunk_of(63, y, z) * 64 + vni_brick_of(63, y, z)] |= (uint64_t)(y + z < 2)
                                                                           << vni_bit_of(63, y, z);

    vni_block* block = NULL;
    assert_true(vni_block_pack(&space.allocator, dense, &block));
    free(dense);
    vni_occupancy_set_block(&space.occupancy, vni_occupancy_block_count(&space.occupancy) - 1, block);

    // the last slice is free at y1 z1 only: the corner of its opening lies at x = last - L
    const vn_point touch[] = {{0, L, L}, {last, L, L}};
    const vn_point below[] = {{0, L - 1, L}, {last, L, L}};
    const vn_point above[] = {{1, L - 1, L}, {last - L, L, L}, {last, L + 1, L}};
    assert_true(vn_space_check_path(&space, touch, 2, NULL));
    vn_check_result r;
    assert_false(vn_space_check_path(&space, below, 2, &r));
    assert_true(r.fault == VN_CHECK_BLOCKED);
    assert_true(r.voxel.x == n - 1);
    assert_true(r.fraction == (double)(last - L) / (double)last);
    assert_true(vn_space_check_path(&space, above, 3, NULL));
    vnt_space_free(&space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_and_along_a_face),
        cmocka_unit_test(along_an_edge),
        cmocka_unit_test(through_an_edge),
        cmocka_unit_test(through_a_corner),
        cmocka_unit_test(points_alone),
        cmocka_unit_test(at_the_bounds),
        cmocka_unit_test(says_where),
        cmocka_unit_test(words),
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(does_not_depend_on_direction_or_splitting),
        cmocka_unit_test(shifted_into_a_wall),
        cmocka_unit_test(exact_at_the_largest_size),
    };

    return cmocka_run_group_tests_name("path/check_space", tests, NULL, NULL);
}
