/// Swept balls: the first contact against brute force over all blocked voxels, and the cases that have a
/// name.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "geom/shapes.h"
#include "space/space.h"

#include <math.h>
#include <stdlib.h>

#define NEAR 1e-9

static vni_vec in_voxels(vn_point p) {
    return vni_v(p.x / 1024.0, p.y / 1024.0, p.z / 1024.0);
}

static double distance_to(vni_vec at, vn_voxel v) {
    vni_aabb cube = vni_aabb_of_voxel(v.x, v.y, v.z);
    return sqrt(vni_point_box_distance2(at, &cube));
}

/// A world, as brute force wants it.
typedef struct scene {
    vn_voxel dims;
    vn_voxel* blocked;
    uint32_t count;
    vn_space* space;
} scene;

/// Takes over the voxels.
static scene scene_make(vnt_voxels* voxels) {
    scene s = {.dims = voxels->dims, .space = vnt_voxels_space(voxels)};
    s.blocked = malloc((s.space->occupancy.blocked_voxels + 1) * sizeof *s.blocked);
    assert_non_null(s.blocked);
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z))
                    s.blocked[s.count++] = (vn_voxel){x, y, z};

    vnt_voxels_free(voxels);
    return s;
}

static void scene_free(scene* s) {
    free(s->blocked);
    vn_space_destroy(s->space);
}

/// The least distance from the segment to a blocked voxel, and from its start.
static double least_distance(const scene* s, vni_vec a, vni_vec b, double* at_start) {
    double least = HUGE_VAL, start = HUGE_VAL;
    for (uint32_t i = 0; i < s->count; ++i) {
        vni_aabb cube = vni_aabb_of_voxel(s->blocked[i].x, s->blocked[i].y, s->blocked[i].z);
        double d = vni_segment_box_distance2(a, b, &cube), from = vni_point_box_distance2(a, &cube);
        least = d < least ? d : least;
        start = from < start ? from : start;
    }

    *at_start = sqrt(start);
    return sqrt(least);
}

typedef struct tally {
    uint32_t total, hits, inside, outside, faces, edges, corners;
} tally;

static bool is_in_bounds(vn_voxel dims, vn_point p) {
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= dims.x * 1024 && p.y <= dims.y * 1024 &&
           p.z <= dims.z * 1024;
}

static bool is_voxel_of(vn_voxel dims, vn_voxel v) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < dims.x && v.y < dims.y && v.z < dims.z;
}

/// The ball touches its voxel there and comes too close to it just after; before, it was too close to
/// nothing.
static void check_contact(const scene* s, const vn_hit* hit, vni_vec a, vni_vec b, double radius, tally* t) {
    vni_vec along = vni_sub(b, a), center = vni_v(hit->position.x, hit->position.y, hit->position.z);
    vni_vec contact = vni_v(hit->contact.x, hit->contact.y, hit->contact.z), off = vni_sub(center, contact);
    double start;
    assert_false(vn_space_voxel_free(s->space, hit->voxel));
    assert_true(is_voxel_of(s->dims, hit->voxel));
    assert_true(vni_length(vni_sub(vni_add_scaled(a, along, hit->fraction), center)) < NEAR);
    assert_true(fabs(distance_to(center, hit->voxel) - radius) < NEAR);
    assert_true(distance_to(contact, hit->voxel) < NEAR);
    assert_true(fabs(vni_length(off) - radius) < NEAR);
    assert_true(least_distance(s, a, center, &start) > radius - NEAR);
    assert_true(start >= radius);
    vni_vec normal = vni_v_from(hit->normal);
    assert_true(fabs(vni_length(normal) - 1) < 1e-6);
    assert_true(vni_dot(normal, along) < 1e-6 * vni_length(along));
    assert_true(radius < 1e-3 || vni_length(vni_sub(normal, vni_scale(off, 1 / radius))) < 1e-5);
    int parts = (fabs(off.x) > 1e-9) + (fabs(off.y) > 1e-9) + (fabs(off.z) > 1e-9);
    t->faces += parts == 1;
    t->edges += parts == 2;
    t->corners += parts == 3;
}

/// The ball's centre is on the bounds, and the segment continues beyond.
static void check_leaving(vn_voxel dims, const vn_hit* hit, vn_point to) {
    const double at[3] = {hit->position.x, hit->position.y, hit->position.z};
    const double high[3] = {dims.x, dims.y, dims.z}, end[3] = {to.x / 1024.0, to.y / 1024.0, to.z / 1024.0};
    const int32_t voxel[3] = {hit->voxel.x, hit->voxel.y, hit->voxel.z};
    const float normal[3] = {hit->normal.x, hit->normal.y, hit->normal.z};

    bool beyond = false;
    for (int i = 0; i < 3; ++i) {
        assert_true(at[i] >= -NEAR);
        assert_true(at[i] <= high[i] + NEAR);
        if (normal[i] > 0) {
            assert_true(fabs(at[i]) < NEAR);
            assert_true(end[i] < 0);
            assert_true(voxel[i] == -1);
        }
        if (normal[i] < 0) {
            assert_true(fabs(at[i] - high[i]) < NEAR);
            assert_true(end[i] > high[i]);
            assert_true(voxel[i] == (int32_t)high[i]);
        }
        beyond = beyond || normal[i] != 0;
    }

    assert_true(beyond);
}

static void check_sweep(const scene* s, vn_point p, vn_point q, float radius, tally* t) {
    vni_vec a = in_voxels(p), b = in_voxels(q);
    vn_hit hit;
    double start, least = least_distance(s, a, b, &start);
    bool got = vn_space_sweep(s->space, NULL, p, q, radius, &hit);
    assert_int_equal(got, !vn_space_sweep_free(s->space, p, q, radius));
    assert_int_equal(got, least < (double)radius || !is_in_bounds(s->dims, q));
    ++t->total;
    t->hits += got;

    assert_true(hit.fraction >= 0);
    assert_true(hit.fraction <= 1);
    if (!got) {
        assert_true(hit.fraction == 1);
        assert_true(hit.position.x == b.x);
        assert_true(hit.position.y == b.y);
        assert_true(hit.position.z == b.z);
        return;
    }

    assert_int_equal(hit.starts_blocked, start < (double)radius);
    t->inside += hit.starts_blocked;
    t->outside += hit.leaves_space;
    if (hit.starts_blocked) {
        vni_vec contact = vni_v(hit.contact.x, hit.contact.y, hit.contact.z);
        assert_true(hit.fraction == 0);
        assert_true(fabs(vni_length(vni_sub(a, contact)) - start) < NEAR);
        assert_true(fabs(distance_to(a, hit.voxel) - start) < NEAR);
        assert_true(hit.normal.x == 0);
        assert_true(hit.normal.y == 0);
        assert_true(hit.normal.z == 0);
    } else if (hit.leaves_space) {
        vni_vec center = vni_v(hit.position.x, hit.position.y, hit.position.z);
        check_leaving(s->dims, &hit, q);
        assert_true(least_distance(s, a, center, &start) > (double)radius - NEAR);
    } else {
        check_contact(s, &hit, a, b, (double)radius, t);
    }
}

/// Each kind of end must come up at least `least` times.
static void check_worlds(const char* name, uint64_t fallback, uint32_t worlds, int32_t limit, uint32_t sweeps,
                         double largest, uint32_t least) {
    vni_rng rng = vni_rng_make(vnt_seed(name, fallback));
    tally t = {0, 0, 0, 0, 0, 0, 0};
    for (uint32_t world = 0; world < worlds; ++world) {
        vn_voxel dims = vnt_random_dims(&rng, limit);
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        scene s = scene_make(&voxels);
        for (uint32_t i = 0; i < sweeps; ++i) {
            int32_t step = i % 2 ? 1 : 512;
            vn_point p = vnt_random_point(&rng, dims, step), q = vnt_random_point(&rng, dims, step);
            if (i % 8 == 7)
                q.x += vni_rng_range(&rng, -1, 1) * (dims.x + 5) * 1024;
            float radius = (float)(vni_rng_real(&rng) * vni_rng_real(&rng) * largest + 1e-3);
            check_sweep(&s, p, q, i % 3 == 2 ? (float)vni_rng_range(&rng, 1, 8) / 4 : radius, &t);
        }

        scene_free(&s);
    }

    print_message("%u sweeps: %u stopped, %u at the start, %u leave; %u faces, %u edges, %u corners\n",
                  t.total, t.hits, t.inside, t.outside, t.faces, t.edges, t.corners);
    assert_true(t.inside >= least);
    assert_true(t.outside >= least);
    assert_true(t.hits + least <= t.total);
    assert_true(t.faces >= least);
    assert_true(t.edges >= least);
    assert_true(t.corners >= least);
}

static void test_small_worlds(void** state) {
    (void)state;
    check_worlds("sweeps small", 61, vnt_scale(300, 6000), 9, 40, 3, 50);
}

/// Several blocks, and segments of several parts.
static void test_large_worlds(void** state) {
    (void)state;
    check_worlds("sweeps large", 62, vnt_scale(16, 400), 140, 24, 4, 5);
}

/// Long and narrow: segments of many parts, contacts far from the start, where digits are few.
static void test_long_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("sweeps long", 63));
    tally t = {0, 0, 0, 0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(20, 400); ++world) {
        const vn_voxel dims = {20000, 4, 3};
        vnt_voxels voxels = vnt_voxels_make(dims);
        for (int i = 0; i < 12; ++i)
            vnt_voxels_block(&voxels, vni_rng_range(&rng, 100, 19999), vni_rng_range(&rng, 0, 3),
                             vni_rng_range(&rng, 0, 2));

        scene s = scene_make(&voxels);
        vn_point p = vnt_random_point(&rng, dims, 1), q = vnt_random_point(&rng, dims, 1);
        p.x = world % 2 ? 20000 * 1024 : 0;
        q.x = world % 2 ? 0 : 20000 * 1024;
        check_sweep(&s, p, q, (float)(vni_rng_real(&rng) * 1.5 + 0.01), &t);
        scene_free(&s);
    }

    assert_true(t.hits > t.total / 2);
}

// ----------------------------------------------------------------------------------------- by their names

static void expect_normal(const vn_hit* hit, double x, double y, double z) {
    assert_true(fabs((double)hit->normal.x - x) < 1e-6);
    assert_true(fabs((double)hit->normal.y - y) < 1e-6);
    assert_true(fabs((double)hit->normal.z - z) < 1e-6);
}

static void test_face_edge_corner(void** state) {
    (void)state;
    const double half = sqrt(0.5), third = sqrt(1.0 / 3);
    const vn_voxel dims = {10, 10, 10};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 5, 5, 5);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point middle = {5632, 5632, 5632}, before = {1536, 5632, 5632}, aside = {1536, 1536, 5632},
                   corner = {1536, 1536, 1536};
    vn_hit hit;
    assert_true(vn_space_sweep(space, NULL, before, middle, 1.5f, &hit));
    assert_true(hit.fraction == 0.5);
    assert_true(hit.position.x == 3.5);
    assert_true(hit.contact.x == 5);
    assert_true(hit.contact.y == 5.5);
    expect_normal(&hit, -1, 0, 0);
    assert_true(vn_space_sweep(space, NULL, aside, middle, 1.5f, &hit));
    assert_true(fabs(hit.position.x - (5 - 1.5 * half)) < NEAR);
    assert_true(hit.contact.x == 5);
    assert_true(hit.contact.y == 5);
    expect_normal(&hit, -half, -half, 0);
    assert_true(vn_space_sweep(space, NULL, corner, middle, 1.5f, &hit));
    assert_true(fabs(hit.position.z - (5 - 1.5 * third)) < NEAR);
    assert_true(hit.contact.z == 5);
    expect_normal(&hit, -third, -third, -third);
    assert_true(hit.voxel.x == 5);
    assert_true(hit.voxel.y == 5);
    assert_true(hit.voxel.z == 5);
    assert_true(!hit.starts_blocked);
    assert_true(!hit.leaves_space);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_touching(void** state) {
    (void)state;
    const vn_voxel dims = {10, 10, 10};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 100; ++i)
        vnt_voxels_block(&voxels, 5, i % 10, i / 10);

    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point resting = {4096, 2048, 2048}, along = {4096, 8192, 9000}, into = {5000, 2048, 2048},
                   away = {1024, 2048, 2048}, closer = {4097, 2048, 2048};
    vn_hit hit;
    assert_true(vn_space_sweep(space, NULL, away, into, 1, &hit));
    assert_true(hit.voxel.x == 5);
    assert_true(hit.voxel.y == 1);
    assert_true(hit.voxel.z == 1); // the first of four
    assert_false(vn_space_sweep(space, NULL, resting, along, 1, &hit));
    assert_false(vn_space_sweep(space, NULL, resting, away, 1, &hit));
    assert_true(vn_space_sweep(space, NULL, resting, into, 1, &hit));
    assert_true(hit.fraction == 0);
    assert_true(!hit.starts_blocked);
    expect_normal(&hit, -1, 0, 0);
    assert_true(vn_space_sweep(space, NULL, closer, away, 1, &hit)); // even though it moves away
    assert_true(hit.fraction == 0);
    assert_true(hit.starts_blocked);
    assert_true(hit.contact.x == 5);
    expect_normal(&hit, 0, 0, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_odd_radii_and_ends(void** state) {
    (void)state;
    const vn_voxel dims = {10, 10, 10};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* empty = vnt_voxels_space(&voxels);
    vnt_voxels_block(&voxels, 5, 5, 5);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point before = {1536, 5632, 5632}, behind = {9000, 5632, 5632}, outside = {-1, 5632, 5632},
                   far_away = {INT32_MAX, INT32_MIN, 5632};
    vn_hit hit, ray;
    assert_true(vn_space_sweep(space, NULL, before, behind, 0, &hit));
    assert_true(vn_space_raycast(space, NULL, before, behind, &ray));
    assert_true(hit.fraction == ray.fraction);
    assert_true(hit.voxel.x == ray.voxel.x);
    assert_true(hit.contact.x == 5);
    assert_true(vn_space_sweep(space, NULL, before, behind, 1e-30f, &hit));
    assert_true(fabs(hit.fraction - ray.fraction) < 1e-12);
    expect_normal(&hit, -1, 0, 0);
    assert_true(vn_space_sweep(space, NULL, outside, behind, 1, &hit));
    assert_true(hit.fraction == 0);
    assert_true(hit.starts_blocked);
    assert_true(hit.leaves_space);
    assert_true(vn_space_sweep(space, NULL, before, outside, 0.5f, &hit));
    assert_true(hit.leaves_space);
    assert_true(hit.fraction == 1536.0 / 1537);
    assert_true(hit.position.x == 0);
    assert_true(vn_space_sweep(space, NULL, before, far_away, 0.5f, &hit));
    assert_true(hit.leaves_space);
    assert_true(hit.fraction < 1e-5);
    assert_true(vn_space_sweep(space, NULL, before, behind, HUGE_VALF, &hit));
    assert_true(hit.starts_blocked);
    assert_true(hit.voxel.x == 5);
    assert_false(vn_space_sweep(empty, NULL, before, behind, HUGE_VALF, &hit));
    assert_true(vn_space_sweep(empty, NULL, before, far_away, HUGE_VALF, &hit));
    assert_true(hit.leaves_space);
    vn_space_destroy(space);
    vn_space_destroy(empty);
    vnt_voxels_free(&voxels);
}

/// The segment stays in one block, what the ball touches lies in the next; and what it touches where it
/// leaves the bounds does not count.
static void test_beside_the_way(void** state) {
    (void)state;
    const vn_voxel dims = {130, 20, 20};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 64, 10, 10);
    vnt_voxels_block(&voxels, 20, 18, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_point a = {63 * 1024 + 512, 512, 10752}, b = {63 * 1024 + 512, 15000, 10752};
    const vn_point slanted = {20992, 15 * 1024, 1024}, out = {20992, 16 * 1024, 0},
                   beyond = {20992, 17 * 1024, -1024};
    vn_hit hit;
    assert_true(vn_space_sweep(space, NULL, a, b, 1, &hit));
    assert_true(hit.voxel.x == 64);
    assert_true(hit.voxel.y == 10);
    assert_true(hit.contact.x == 64);
    assert_true(!hit.leaves_space);
    assert_false(vn_space_sweep(space, NULL, slanted, out, 2, &hit));
    assert_true(vn_space_sweep(space, NULL, slanted, beyond, 2, &hit));
    assert_true(hit.leaves_space);
    assert_true(hit.fraction == 0.5);
    assert_true(hit.voxel.z == -1);
    expect_normal(&hit, 0, 0, 1);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// The radius is in metres, positions are in the world.
static void test_frame(void** state) {
    (void)state;
    const vn_voxel dims = {8, 1, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 6, 0, 0);
    vn_space* space = vnt_voxels_space(&voxels);
    space->resolution = 0.25f;
    space->origin = (vn_dvec3){1000, 0, 0};
    space->low = (vn_dvec3){-1, 2, 3};
    const vn_point a = {512, 512, 512}, b = {6144, 512, 512};
    vn_hit hit;
    assert_true(vn_space_sweep(space, NULL, a, b, 0.5f, &hit));
    assert_true(hit.position.x == 1000);
    assert_true(hit.contact.x == 1000.5);
    assert_true(hit.contact.y == 2.125);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_worlds),   cmocka_unit_test(test_large_worlds),
        cmocka_unit_test(test_long_worlds),    cmocka_unit_test(test_face_edge_corner),
        cmocka_unit_test(test_touching),       cmocka_unit_test(test_odd_radii_and_ends),
        cmocka_unit_test(test_beside_the_way), cmocka_unit_test(test_frame),
    };

    return cmocka_run_group_tests_name("space/sweep", tests, NULL, NULL);
}
