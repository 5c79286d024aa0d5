/// Rays: where they stop against the path checker, what they meet against brute force around the stop, and
/// the cases that have a name.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "probe/sight.h"
#include "space/space.h"
#include "volnav/path.h"

#include <math.h>

static const int32_t steps[6] = {1, 1, 128, 512, 1024, 1024};

/// Mostly in the closed bounds, sometimes a little beyond them, sometimes as far as numbers go.
static int32_t random_coordinate(vni_rng* rng, int32_t dim, int32_t step, bool start) {
    switch (vni_rng_below(rng, start ? 400 : 40)) {
    case 0: return vni_rng_range(rng, INT32_MIN, INT32_MAX) & -step;
    case 1: return vni_rng_below(rng, 2) ? INT32_MAX : INT32_MIN + 1;
    case 2:
    case 3: return vni_rng_range(rng, -3 * VN_LATTICE / step, (dim + 3) * VN_LATTICE / step) * step;
    default: return vni_rng_range(rng, 0, dim * VN_LATTICE / step) * step;
    }
}

static void random_ends(vni_rng* rng, vn_voxel dims, int32_t step, vn_point ends[2]) {
    for (int i = 0; i < 2; ++i) {
        ends[i].x = random_coordinate(rng, dims.x, step, i == 0);
        ends[i].y = random_coordinate(rng, dims.y, step, i == 0);
        ends[i].z = random_coordinate(rng, dims.z, step, i == 0);
    }

    uint32_t same = vni_rng_below(rng, 12); // often in a lattice plane or along a lattice line
    if (same & 1)
        ends[1].x = ends[0].x;

    if (same & 2)
        ends[1].y = ends[0].y;

    if (same & 4)
        ends[1].z = ends[0].z;
}

// ---------------------------------------------------------------------------------- against the checker

typedef struct tally {
    uint32_t total, hits, inside, outside, squeezed;
} tally;

/// What must hold of the normal whatever is around: unit length, equal parts, against the segment.
static void check_normal(const vn_hit* hit, const vn_point ends[2]) {
    const float n[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    const int64_t along[3] = {(int64_t)ends[1].x - ends[0].x, (int64_t)ends[1].y - ends[0].y,
                              (int64_t)ends[1].z - ends[0].z};
    double length2 = 0;

    uint32_t parts = 0;
    for (int i = 0; i < 3; ++i) {
        length2 += (double)n[i] * (double)n[i];
        parts += n[i] != 0;
        if (n[i] != 0)
            assert_true(n[i] > 0 ? along[i] < 0 : along[i] > 0);
    }

    assert_int_equal(parts == 0, hit->starts_blocked);
    for (int i = 0; i < 3; ++i)
        if (n[i] != 0)
            assert_true(fabs(fabs((double)n[i]) - 1 / sqrt(parts)) < 1e-6);

    assert_true(hit->starts_blocked || fabs(length2 - 1) < 1e-6);
}

/// The voxel is blocked, or beyond the bounds if the segment leaves them, and the stop is on it.
static void check_voxel(const vn_space* space, const vn_hit* hit) {
    const vn_voxel v = hit->voxel;
    assert_false(vn_space_voxel_free(space, v));
    assert_int_equal(hit->leaves_space, !vni_occupancy_inside(&space->occupancy, v.x, v.y, v.z));
    const double at[3] = {hit->position.x, hit->position.y, hit->position.z};

    const double low[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        assert_true(at[i] >= low[i] - 1e-6);
        assert_true(at[i] <= low[i] + 1 + 1e-6);
    }
}

static void check_ray(const vn_space* space, const vn_point ends[2], tally* t) {
    vn_hit hit;
    vn_check_result want;
    bool free = vn_space_check_path(space, ends, 2, &want);
    assert_int_equal(vn_space_raycast(space, NULL, ends[0], ends[1], &hit), !free);
    assert_int_equal(vn_space_visible(space, ends[0], ends[1]), free);
    assert_true(hit.obstacle.index1 == 0);

    ++t->total;
    if (free) {
        vn_dvec3 end = vn_space_point_to_world(space, ends[1]);
        assert_true(hit.fraction == 1);
        assert_true(!hit.starts_blocked);
        assert_true(!hit.leaves_space);
        assert_memory_equal(&hit.position, &end, sizeof end);
        return;
    }

    assert_true(hit.fraction == want.fraction); // the same fraction, rounded once
    assert_int_equal(hit.leaves_space, want.fault == VN_CHECK_OUTSIDE);
    assert_int_equal(hit.starts_blocked, !vn_space_point_free(space, ends[0]));
    assert_memory_equal(&hit.contact, &hit.position, sizeof hit.contact);
    assert_true(fabs(hit.position.x - want.position.x) < 1e-6);
    assert_true(fabs(hit.position.y - want.position.y) < 1e-6);
    assert_true(fabs(hit.position.z - want.position.z) < 1e-6);
    check_normal(&hit, ends);
    check_voxel(space, &hit);
    ++t->hits;
    t->inside += hit.starts_blocked;
    t->outside += hit.leaves_space;
    t->squeezed += want.fault == VN_CHECK_SQUEEZED;
}

static void check_rays(const char* name, uint64_t fallback, uint32_t worlds, int32_t limit,
                       uint32_t first_step, uint32_t last_step) {
    vni_rng rng = vni_rng_make(vnt_seed(name, fallback));
    tally t = {0, 0, 0, 0, 0};
    for (uint32_t world = 0; world < worlds; ++world) {
        vn_voxel dims = vnt_random_dims(&rng, limit);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        for (uint32_t i = 0; i < 200; ++i) {
            vn_point ends[2];
            random_ends(&rng, dims, steps[first_step + vni_rng_below(&rng, last_step - first_step + 1)],
                        ends);
            check_ray(space, ends, &t);
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u rays: %u stopped, %u of them at the start, %u leave, %u squeezed\n", t.total, t.hits,
                  t.inside, t.outside, t.squeezed);
    assert_true(t.hits > t.total / 5);
    assert_true(t.hits < t.total - t.total / 20);
    assert_true(t.inside > 0);
    assert_true(t.outside > t.inside / 10);
    assert_true(t.hits > t.inside + t.outside / 2);
    assert_true(first_step == 0 || t.squeezed > 0);
}

static void test_random_rays(void** state) {
    (void)state;
    check_rays("rays random", 51, vnt_scale(500, 10000), 8, 0, 1);
}

static void test_lattice_rays(void** state) {
    (void)state;
    check_rays("rays lattice", 52, vnt_scale(700, 10000), 8, 2, 5);
}

/// Several blocks, so that leaps of all sizes are taken.
static void test_long_rays(void** state) {
    (void)state;
    check_rays("rays long", 53, vnt_scale(40, 400), 150, 0, 5);
}

// ------------------------------------------------------------------------- what is met, by brute force

/// The voxels around the stop of a segment in general position, as offsets 0 and 1 of each axis.
typedef struct surroundings {
    int64_t low[3], count[3]; ///< count: 1 or 2
    int32_t step[3];
    bool reached[2][2][2];
} surroundings;

static bool is_free_at(const vn_space* space, const surroundings* p, const int32_t at[3]) {
    const vn_voxel v = {(int32_t)p->low[0] + at[0], (int32_t)p->low[1] + at[1], (int32_t)p->low[2] + at[2]};
    return vn_space_voxel_free(space, v);
}

static surroundings find_surroundings(const vn_point ends[2], int64_t numerator, int64_t denominator) {
    const int64_t from[3] = {ends[0].x, ends[0].y, ends[0].z}, to[3] = {ends[1].x, ends[1].y, ends[1].z};
    surroundings p = {.low = {0}};
    for (int i = 0; i < 3; ++i) {
        int64_t scaled = from[i] * denominator + (to[i] - from[i]) * numerator,
                voxel = denominator * VN_LATTICE;
        int64_t floored = scaled >= 0 ? scaled / voxel : -((-scaled + voxel - 1) / voxel);
        bool on_plane = floored * voxel == scaled;
        p.step[i] = (to[i] > from[i]) - (to[i] < from[i]);
        p.low[i] = floored - on_plane;
        p.count[i] = on_plane ? 2 : 1;
    }

    return p;
}

static bool exists(const surroundings* p, const int32_t at[3]) {
    for (int i = 0; i < 3; ++i)
        if (at[i] < 0 || at[i] >= p->count[i])
            return false;
    return true;
}

static bool has_reached_neighbour(const surroundings* p, const int32_t at[3]) {
    for (int side = 0; side < 6; ++side) {
        int32_t next[3] = {at[0], at[1], at[2]};
        next[side % 3] += side < 3 ? 1 : -1;
        if (exists(p, next) && p->reached[next[0]][next[1]][next[2]])
            return true;
    }

    return false;
}

/// At the start every free voxel, later the one behind, and what hangs together with it by faces.
static void spread(const vn_space* space, surroundings* p, bool at_start) {
    for (int pass = 0; pass < 8; ++pass)
        for (int32_t i = 0; i < 8; ++i) {
            const int32_t at[3] = {i & 1, i >> 1 & 1, i >> 2};
            if (!exists(p, at) || !is_free_at(space, p, at))
                continue;

            bool behind = true;
            for (int k = 0; k < 3; ++k)
                behind = behind && (p->count[k] == 1 || at[k] == (p->step[k] < 0));

            if (at_start || behind || has_reached_neighbour(p, at))
                p->reached[at[0]][at[1]][at[2]] = true;
        }
}

static bool meets_face(const vn_space* space, const surroundings* p, int axis) {
    for (int32_t i = 0; i < 8; ++i) {
        int32_t at[3] = {i & 1, i >> 1 & 1, i >> 2};
        if (!exists(p, at) || !p->reached[at[0]][at[1]][at[2]])
            continue;
        at[axis] += p->step[axis];
        if (p->step[axis] != 0 && exists(p, at) && !is_free_at(space, p, at))
            return true;
    }

    return false;
}

static bool lies_in_plane(const vn_point ends[2]) {
    return (ends[0].x == ends[1].x && ends[0].x % VN_LATTICE == 0) ||
           (ends[0].y == ends[1].y && ends[0].y % VN_LATTICE == 0) ||
           (ends[0].z == ends[1].z && ends[0].z % VN_LATTICE == 0);
}

static void check_faces(const vn_space* space, const vn_point ends[2], uint32_t sums[4]) {
    vni_stop stop;
    if (lies_in_plane(ends) || !vni_sight_stop(&space->occupancy, ends[0], ends[1], &stop) || stop.inside)
        return;

    surroundings p = find_surroundings(ends, stop.numerator, stop.denominator);
    spread(space, &p, stop.numerator == 0);
    uint32_t parts = 0;
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(stop.normal[i], meets_face(space, &p, i) ? -p.step[i] : 0);
        parts += stop.normal[i] != 0;
    }

    ++sums[parts];
}

static void test_faces(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("ray faces", 54));
    uint32_t sums[4] = {0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(300, 6000); ++world) {
        vn_voxel dims = vnt_random_dims(&rng, 6);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        for (uint32_t i = 0; i < 100; ++i) {
            int32_t step = steps[vni_rng_below(&rng, 6)];
            vn_point ends[2] = {vnt_random_point(&rng, dims, step), vnt_random_point(&rng, dims, step)};
            ends[1].x += vni_rng_below(&rng, 5) ? 0 : vni_rng_range(&rng, -4, 4) * VN_LATTICE;
            check_faces(space, ends, sums);
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u hits of a face, %u of two, %u of three\n", sums[1], sums[2], sums[3]);
    assert_true(sums[0] == 0);
    assert_true(sums[1] > 1000);
    assert_true(sums[2] > 100);
    assert_true(sums[3] > 10);
}

// ----------------------------------------------------------------------------------------- by their names

static vn_hit cast(const vn_space* space, vn_point a, vn_point b) {
    vn_hit hit;
    assert_true(vn_space_raycast(space, NULL, a, b, &hit));
    return hit;
}

static void expect_normal(const vn_hit* hit, double x, double y, double z) {
    assert_true(fabs((double)hit->normal.x - x) < 1e-6);
    assert_true(fabs((double)hit->normal.y - y) < 1e-6);
    assert_true(fabs((double)hit->normal.z - z) < 1e-6);
}

static void expect_voxel(const vn_hit* hit, int32_t x, int32_t y, int32_t z) {
    assert_true(hit->voxel.x == x);
    assert_true(hit->voxel.y == y);
    assert_true(hit->voxel.z == z);
}

/// A wall of many voxels is flat, also where two of them meet; an edge that stands out is not.
static void test_walls_edges_corners(void** state) {
    (void)state;
    const double half = sqrt(0.5), third = sqrt(1.0 / 3);
    const vn_voxel dims = {8, 8, 8};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 64; ++i)
        vnt_voxels_block(&voxels, 7, i & 7, i >> 3);

    vnt_voxels_block(&voxels, 3, 3, 3);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point in_front = {4096, 512, 512}, at_seam = {4096, 1024, 2048};
    const vn_point behind = {8192, 1536, 512}, through_seam = {8192, 6144 - 1024, 6144};
    vn_hit hit = cast(space, in_front, behind);
    expect_normal(&hit, -1, 0, 0);
    expect_voxel(&hit, 7, 1, 0);
    assert_true(hit.fraction == 0.75);
    assert_true(hit.position.x == 7);
    hit = cast(space, at_seam, through_seam); // stops at (7, 4, 5): the corner of four voxels of the wall
    expect_normal(&hit, -1, 0, 0);
    expect_voxel(&hit, 7, 4, 5); // of the four the one that it runs into
    const vn_point low = {2048, 2048, 2048}, low_edge = {2048, 2048, 3500}, centre = {3584, 3584, 3584},
                   past_edge = {4000, 4000, 3501};
    hit = cast(space, low, centre);
    expect_normal(&hit, -third, -third, -third);
    expect_voxel(&hit, 3, 3, 3);
    hit = cast(space, low_edge, past_edge);
    expect_normal(&hit, -half, -half, 0);
    const vn_point high = {5120, 5120, 5120};
    hit = cast(space, high, centre);
    expect_normal(&hit, third, third, third);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Between two voxels that meet at an edge, and into the concave corner.
static void test_squeezed_and_cornered(void** state) {
    (void)state;
    const double half = sqrt(0.5);
    const vn_voxel dims = {4, 4, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 2, 1, 0);
    vnt_voxels_block(&voxels, 1, 2, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point a = {1024, 1024, 500}, b = {3072, 3072, 510};
    vn_hit hit = cast(space, a, b);
    assert_true(hit.fraction == 0.5);
    assert_true(!hit.leaves_space);
    assert_true(!hit.starts_blocked);
    expect_normal(&hit, -half, -half, 0);
    assert_false(vn_space_voxel_free(space, hit.voxel));
    vn_space_destroy(space);
    vnt_voxels_block(&voxels, 2, 2, 0);
    space = vnt_voxels_space(&voxels);
    hit = cast(space, a, b);
    expect_normal(&hit, -half, -half, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Along the face of a wall and along an edge of it: stopped only by what stands in the way.
static void test_sliding(void** state) {
    (void)state;
    const vn_voxel dims = {8, 3, 3};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t x = 0; x < 8; ++x)
        vnt_voxels_block(&voxels, x, 0, 0);

    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point on_face = {100, 1024, 500}, far_face = {8000, 1024, 500}, on_edge = {100, 1024, 1024},
                   far_edge = {8000, 1024, 1024};
    vn_hit hit;
    assert_false(vn_space_raycast(space, NULL, on_face, far_face, &hit));
    assert_false(vn_space_raycast(space, NULL, on_edge, far_edge, &hit));

    vn_space_destroy(space);
    for (int32_t y = 0; y < 9; ++y)
        vnt_voxels_block(&voxels, 5, y % 3, y / 3);

    space = vnt_voxels_space(&voxels);
    hit = cast(space, on_face, far_face);
    assert_true(hit.fraction == (5120.0 - 100) / 7900);
    expect_normal(&hit, -1, 0, 0);
    expect_voxel(&hit, 5, 1, 0); // not (5, 0, 0), which the segment does not reach
    hit = cast(space, far_edge, on_edge);
    assert_true(hit.fraction == (8000.0 - 6144) / 7900);
    expect_normal(&hit, 1, 0, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_bounds(void** state) {
    (void)state;
    const double half = sqrt(0.5);
    const vn_voxel dims = {4, 4, 4};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 0, 0, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point inside = {2048, 2048, 2000}, far_out = {INT32_MAX, 2048, 2000},
                   edge_out = {6144, -2048, 2000}, on_rim = {4096, 2000, 2000}, beyond = {4097, 2000, 2000},
                   solid = {512, 512, 512};
    vn_hit hit = cast(space, inside, far_out);
    assert_true(hit.leaves_space);
    assert_true(!hit.starts_blocked);
    assert_true(hit.fraction == 2048.0 / (INT32_MAX - 2048.0));
    expect_normal(&hit, -1, 0, 0);
    expect_voxel(&hit, 4, 1, 1); // the first of the two beside the plane
    hit = cast(space, inside, edge_out);
    assert_true(hit.leaves_space);
    assert_true(hit.fraction == 0.5);
    expect_normal(&hit, -half, half, 0);
    expect_voxel(&hit, 4, -1, 1);
    hit = cast(space, on_rim, beyond); // leaves at once
    assert_true(hit.leaves_space);
    assert_true(!hit.starts_blocked);
    assert_true(hit.fraction == 0);
    expect_normal(&hit, -1, 0, 0);
    hit = cast(space, beyond, inside);
    assert_true(hit.leaves_space);
    assert_true(hit.starts_blocked);
    assert_true(hit.fraction == 0);
    expect_normal(&hit, 0, 0, 0);
    hit = cast(space, solid, inside);
    assert_true(!hit.leaves_space);
    assert_true(hit.starts_blocked);
    assert_true(hit.fraction == 0);
    expect_voxel(&hit, 0, 0, 0);
    hit = cast(space, solid, solid);
    assert_true(hit.starts_blocked);
    assert_false(vn_space_raycast(space, NULL, inside, inside, &hit));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Positions are in the world, with the origin and the resolution.
static void test_frame(void** state) {
    (void)state;
    const vn_voxel dims = {4, 1, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 2, 0, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    space->resolution = 0.25f;
    space->origin = (vn_dvec3){1000, 0, 0};
    space->low = (vn_dvec3){-1, 2, 3};
    const vn_point a = {512, 512, 512}, b = {3584, 512, 512};
    vn_hit hit = cast(space, a, b);
    assert_true(hit.position.x == 999.5);
    assert_true(hit.position.y == 2.125);
    assert_true(hit.position.z == 3.125);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_rays),
        cmocka_unit_test(test_lattice_rays),
        cmocka_unit_test(test_long_rays),
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_walls_edges_corners),
        cmocka_unit_test(test_squeezed_and_cornered),
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_frame),
    };

    return cmocka_run_group_tests_name("space/raycast", tests, NULL, NULL);
}
