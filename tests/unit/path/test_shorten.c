/// Post-smoothing and pruning from the goal against the theses' listings written down plainly, with the
/// checker as their line of sight.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "path/shorten.h"
#include "space/space.h"
#include "volnav/path.h"

#include <string.h>

enum { CAPACITY = 200 };

typedef struct route {
    vn_point points[CAPACITY];
    uint32_t count;
} route;

static bool sees(const vn_space* space, vn_point a, vn_point b) {
    const vn_point two[2] = {a, b};
    return vn_space_check_path(space, two, 2, NULL);
}

static void add(route* w, vn_point p) {
    assert_true(w->count < CAPACITY);
    w->points[w->count++] = p;
}

static route reversed(const route* w) {
    route out = {.count = 0};
    for (uint32_t i = w->count; i > 0; --i)
        add(&out, w->points[i - 1]);
    return out;
}

/// Albertini's algorithm 8, with its loop carried on to the last vertex but one.
static route smooth_plainly(const vn_space* space, const route* w) {
    route out = {.count = 0};
    add(&out, w->points[0]);
    for (uint32_t i = 1; i + 1 < w->count; ++i)
        if (!sees(space, w->points[i + 1], out.points[out.count - 1]))
            add(&out, w->points[i]);

    if (w->count > 1)
        add(&out, w->points[w->count - 1]);

    return out;
}

/// Massonnat's algorithm 3. The neighbour of an anchor is always in sight.
static route prune_plainly(const vn_space* space, const route* w) {
    route out = {.count = 0};
    vn_point anchor = w->points[w->count - 1];
    add(&out, anchor);
    for (uint32_t i = w->count - 1; i > 0; --i)
        if (!sees(space, w->points[i - 1], anchor)) {
            anchor = w->points[i];
            add(&out, anchor);
        }

    if (w->count > 1)
        add(&out, w->points[0]);

    return reversed(&out);
}

/// From voxel to voxel over faces, at random: every vertex is a centre, and so plain.
static route wander(vni_rng* rng, const vnt_voxels* voxels, vn_voxel at, uint32_t steps) {
    route out = {.count = 0};
    int32_t v[3] = {at.x, at.y, at.z};
    int axis = 0, side = 1;
    add(&out, vn_voxel_center(at));
    for (uint32_t i = 0; i < steps; ++i) {
        if (vni_rng_below(rng, 3) == 0) {
            axis = (int)vni_rng_below(rng, 3);
            side = vni_rng_below(rng, 2) ? 1 : -1;
        }

        v[axis] += side;
        if (vnt_voxels_are_free(voxels, v[0], v[1], v[2])) {
            const vn_voxel next = {v[0], v[1], v[2]};
            add(&out, vn_voxel_center(next));
        } else {
            v[axis] -= side;
        }
    }

    return out;
}

typedef uint32_t shorten(const vni_occupancy* occupancy, vn_point* points, uint32_t count,
                         vni_sight_log* log);

static void check(const vn_space* space, const route* before, const route* expected, shorten* pass) {
    route w = *before, again = *before;
    vni_sight_log checks = {1000, NULL};
    w.count = pass(&space->occupancy, w.points, w.count, &checks);
    assert_int_equal(w.count, expected->count);
    assert_memory_equal(w.points, expected->points, w.count * sizeof *w.points);
    assert_int_equal(checks.count, 1000 + (before->count > 2 ? before->count - 2 : 0));
    assert_true(vn_space_check_path(space, w.points, w.count, NULL));
    assert_true(vni_polyline_length(w.points, w.count) <=
                vni_polyline_length(before->points, before->count) * (1 + 1e-12));
    assert_int_equal(pass(&space->occupancy, again.points, again.count, NULL), w.count);
    assert_memory_equal(w.points, again.points, w.count * sizeof *w.points);
}

static void test_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("shorten", 611));
    uint32_t different = 0;
    for (uint32_t world = 0; world < vnt_scale(300, 20000); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 14));
        vn_space* space = vnt_voxels_space(&voxels);
        vn_voxel at;
        for (uint32_t i = 0; i < 4 && vnt_random_free_voxel(&rng, &voxels, &at); ++i) {
            route before = wander(&rng, &voxels, at, vni_rng_below(&rng, CAPACITY - 1));
            route smooth = smooth_plainly(space, &before), pruned = prune_plainly(space, &before);
            check(space, &before, &smooth, vni_post_smooth);
            check(space, &before, &pruned, vni_prune_from_goal);
            different += smooth.count != pruned.count ||
                         memcmp(smooth.points, pruned.points, smooth.count * sizeof *smooth.points) != 0;
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    assert_true(different > 50);
}

/// Over a low wall, and back over it: from the start, the path is kept until the wall hides it.
static void test_wall(void** state) {
    (void)state;
    static const int32_t heights[10] = {0, 0, 0, 2, 4, 4, 2, 0, 0, 0};
    const vn_voxel dims = {10, 6, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 4; ++y) {
        vnt_voxels_block(&voxels, 4, y, 0);
        vnt_voxels_block(&voxels, 5, y, 0);
    }

    vn_space* space = vnt_voxels_space(&voxels);
    route w = {.count = 0};
    for (int32_t x = 0; x < 10; ++x) {
        const vn_voxel v = {x, heights[x], 0};
        add(&w, vn_voxel_center(v));
    }

    route other = w;
    vni_sight_log checks = {0, NULL};
    w.count = vni_post_smooth(&space->occupancy, w.points, w.count, &checks);
    assert_int_equal(checks.count, 8);
    other.count = vni_prune_from_goal(&space->occupancy, other.points, other.count, &checks);
    assert_int_equal(checks.count, 16);

    assert_int_equal(w.count, other.count); // the world is its own mirror image
    for (uint32_t i = 0; i < w.count; ++i) {
        const vn_point p = w.points[i], q = other.points[w.count - 1 - i];
        assert_int_equal(p.x, 10 * VN_LATTICE - q.x);
        assert_int_equal(p.y, q.y);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Nothing to leave out.
static void test_short_paths(void** state) {
    (void)state;
    const vn_voxel dims = {4, 4, 4};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    vn_point points[3] = {{1, 1, 1}, {2000, 3000, 4000}, {4096, 1, 1}};

    vni_sight_log checks = {0, NULL};
    for (uint32_t count = 0; count < 3; ++count) {
        assert_int_equal(vni_post_smooth(&space->occupancy, points, count, &checks), count);
        assert_int_equal(vni_prune_from_goal(&space->occupancy, points, count, &checks), count);
    }

    assert_int_equal(checks.count, 0);
    assert_int_equal(vni_prune_from_goal(&space->occupancy, points, 3, &checks), 2);
    assert_int_equal(checks.count, 1);
    assert_int_equal(points[1].x, 4096);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_wall),
        cmocka_unit_test(test_short_paths),
    };
    return cmocka_run_group_tests_name("path/shorten", tests, NULL, NULL);
}
