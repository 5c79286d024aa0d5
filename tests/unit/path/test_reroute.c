/// Exchanging vertices: only where it is cheaper, free, plain, inside the box and within the capacity; what
/// is left out costs no more than what was gained.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "graph/zones.h"
#include "path/refine.h"
#include "path/reroute.h"
#include "space/space.h"

#include <string.h>

/// A point in halves of a voxel.
static vn_point at(int32_t x, int32_t y, int32_t z) {
    vn_point p = {x * VN_LATTICE / 2, y * VN_LATTICE / 2, z * VN_LATTICE / 2};
    return p;
}

typedef struct place {
    vnt_voxels voxels;
    vn_space* space;
    vni_cost cost;
    vn_point points[8];
    vni_reroute route;
} place;

/// 8 x 8 x 2 voxels; blocked where it says so, on both levels.
static void make(place* p, const vn_voxel* blocked, uint32_t blocked_count, const vn_point* points,
                 uint32_t count, uint32_t capacity) {
    assert_true(count <= capacity);
    assert_true(capacity <= 8);
    p->voxels = vnt_voxels_make((vn_voxel){8, 8, 2});
    for (uint32_t i = 0; i < blocked_count; ++i)
        for (int32_t z = 0; z < 2; ++z)
            vnt_voxels_block(&p->voxels, blocked[i].x, blocked[i].y, z);

    p->space = vnt_voxels_space(&p->voxels);
    p->cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    memcpy(p->points, points, count * sizeof *points);
    vni_reroute_begin(&p->route, &p->space->occupancy, &p->cost, p->points, count, capacity, NULL, NULL);
}

static void unmake(place* p) {
    vn_space_destroy(p->space);
    vnt_voxels_free(&p->voxels);
}

static bool is_at(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void test_replace(void** state) {
    (void)state;
    const vn_point points[] = {{512, 512, 512}, {512, 7 * 1024, 512}, {7 * 1024, 7 * 1024, 512}};
    const vn_point nearer = at(4, 10, 1), two[2] = {at(2, 6, 1), at(6, 12, 1)};
    place p;
    make(&p, NULL, 0, points, 3, 4);
    double cost = vni_reroute_corner_cost(&p.route, 1), before = cost;
    assert_true(cost == vni_polyline_cost(&p.cost, points, 3));
    assert_true(vni_reroute_replace(&p.route, 1, 2, &nearer, 1, &cost));
    assert_true(cost < before);
    assert_true(cost == vni_reroute_corner_cost(&p.route, 1));
    assert_true(p.route.gained == before - cost);
    double same = cost;
    assert_false(vni_reroute_replace(&p.route, 1, 2, &nearer, 1, &same)); // not cheaper
    same = 1e9;
    assert_true(vni_reroute_replace(&p.route, 1, 2, two, 2, &same)); // one more
    assert_int_equal(p.route.count, 4);
    assert_true(is_at(p.points[1], two[0]));
    assert_true(is_at(p.points[2], two[1]));
    assert_true(is_at(p.points[3], points[2]));
    same = 1e9;
    assert_false(vni_reroute_replace(&p.route, 1, 1, &nearer, 1, &same)); // over its capacity
    assert_true(vni_reroute_replace(&p.route, 1, 3, &nearer, 1, &same));
    assert_int_equal(p.route.count, 3);
    assert_true(is_at(p.points[1], nearer));
    assert_true(is_at(p.points[2], points[2]));
    unmake(&p);
}

/// Two pillars that meet at an edge: a vertex on it would slip through between them.
static void test_plain(void** state) {
    (void)state;
    const vn_voxel pillars[] = {{3, 3, 0}, {4, 4, 0}};
    const vn_point around[] = {{5 * 1024, 3 * 1024, 512}, {2048, 512, 512}, {3 * 1024, 5 * 1024, 512}};
    const vn_point edge = at(8, 8, 1), beside = at(5, 5, 1);
    place p;
    make(&p, pillars, 2, around, 3, 8);
    double cost = vni_reroute_corner_cost(&p.route, 1);
    assert_false(vni_reroute_replace(&p.route, 1, 2, &edge, 1, &cost));
    assert_true(vni_reroute_replace(&p.route, 1, 2, &beside, 1, &cost));
    unmake(&p);
}

static void test_walls_and_box(void** state) {
    (void)state;
    const vn_voxel wall[] = {{4, 3, 0}, {4, 4, 0}, {4, 5, 0}};
    const vn_point around[] = {{1024, 4096, 512}, {4608, 512, 512}, {7 * 1024, 4096, 512}};
    const vn_point low = at(0, 0, 0), high = at(16, 4, 4), through = at(9, 8, 1), aslant = at(4, 8, 1),
                   inside = at(9, 4, 1), nearer = at(9, 5, 1), outside = at(9, -1, 1);
    place p;
    make(&p, wall, 3, around, 3, 8);
    double cost = vni_reroute_corner_cost(&p.route, 1), any = 1e9;
    assert_false(vni_reroute_replace(&p.route, 1, 2, &through, 1, &cost));
    assert_false(vni_reroute_replace(&p.route, 1, 2, &aslant, 1, &cost));
    assert_false(vni_reroute_replace(&p.route, 1, 2, &outside, 1, &any));
    p.route.low = &low;
    p.route.high = &high;
    assert_false(vni_reroute_allows(&p.route, nearer));
    assert_true(vni_reroute_allows(&p.route, inside));
    assert_false(vni_reroute_replace(&p.route, 1, 2, &nearer, 1, &cost));
    assert_true(vni_reroute_replace(&p.route, 1, 2, &inside, 1, &cost));
    unmake(&p);
}

/// A vertex may be left out at a loss only as far as something has been gained.
static void test_drop(void** state) {
    (void)state;
    // A cost by which the straight segment is dearer: a zone that the vertex leads around.
    const vni_zone zone = {{3, 0, 0}, {5, 3.5, 2}, 4};
    const vni_zones zones = vni_zones_make(&zone, 1);
    const vn_point points[] = {{512, 3072, 512}, {4096, 3600, 512}, {7 * 1024, 3072, 512}};
    const vn_point nearer = {4096, 3584, 512};
    place p;
    make(&p, NULL, 0, points, 3, 3);
    p.cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &zones);
    assert_false(vni_reroute_drop(&p.route, 1, 1e9));
    double cost = vni_reroute_corner_cost(&p.route, 1);
    bool moved = vni_reroute_replace(&p.route, 1, 2, &nearer, 1, &cost);
    assert_true(moved || p.route.gained == 0);
    double gained = p.route.gained;
    double loss = vni_polyline_cost(&p.cost, (const vn_point[]){points[0], points[2]}, 2) -
                  vni_polyline_cost(&p.cost, p.points, 3);
    assert_true(loss > 0.5 * gained);
    assert_false(vni_reroute_drop(&p.route, 1, 1e9));
    p.route.gained = 2.5 * loss;
    assert_false(vni_reroute_drop(&p.route, 1, 0.9 * loss));
    assert_true(vni_reroute_drop(&p.route, 1, 1e9));
    assert_int_equal(p.route.count, 2);
    assert_true(p.route.gained >= 0);
    assert_true(p.route.gained <= 1.5 * loss + 1e-6);
    unmake(&p);
}

/// Stretches begin and end at new points, or at vertices that are near.
static void test_stretches(void** state) {
    (void)state;
    const vni_zone zone = {{3, 2, 0}, {5, 4.5, 2}, 4};
    const vni_zones zones = vni_zones_make(&zone, 1);
    const vn_point points[] = {{512, 4096, 512}, {7 * 1024, 4096, 512}};
    const vn_point pair[2] = {{3000, 4700, 512}, {5200, 4700, 512}};
    place p;
    make(&p, NULL, 0, points, 2, 8);
    p.cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &zones);
    vni_stretch all = vni_reroute_cut(&p.route, 1, 1, 0.2, 6.4, 0.5);
    assert_false(all.is_new[0]);
    assert_false(all.is_new[1]);
    assert_true(is_at(all.ends[0], points[0]));
    assert_true(is_at(all.ends[1], points[1]));
    vni_stretch part = vni_reroute_cut(&p.route, 1, 1, 1.5, 5.5, 0.5);
    assert_true(part.is_new[0]);
    assert_true(part.is_new[1]);
    assert_true(is_at(part.ends[0], at(4, 8, 1)));
    assert_true(is_at(part.ends[1], at(12, 8, 1)));
    assert_int_equal(vni_reroute_lead(&p.route, &part, pair, 2, 1e6), 0); // not worth that much
    assert_int_equal(p.route.count, 2);
    assert_int_equal(vni_reroute_lead(&p.route, &part, pair, 2, 10), 5);
    assert_int_equal(p.route.count, 6);
    assert_true(is_at(p.points[1], part.ends[0]));
    assert_true(is_at(p.points[2], pair[0]));
    assert_true(is_at(p.points[4], part.ends[1]));
    assert_true(is_at(p.points[5], points[1]));
    unmake(&p);
}

/// A stretch with vertices in it.
static void test_stretch_of_vertices(void** state) {
    (void)state;
    const vn_point points[] = {{512, 4096, 512}, {2048, 7168, 512}, {5120, 7168, 512}, {7168, 4096, 512}};
    const vn_point one = {4096, 6144, 512}, higher = {4096, 8000, 512};
    place p;
    make(&p, NULL, 0, points, 4, 8);
    vni_stretch s = vni_reroute_cut(&p.route, 1, 3, 1, 1, 0.5);
    assert_true(s.is_new[0]);
    assert_true(s.is_new[1]);
    assert_int_equal(vni_reroute_lead(&p.route, &s, &higher, 1, 0), 0);
    double before = vni_reroute_cost(&p.route, p.points, 4);
    assert_int_equal(vni_reroute_lead(&p.route, &s, &one, 1, 0), 4);
    assert_int_equal(p.route.count, 5);
    assert_true(is_at(p.points[1], s.ends[0]));
    assert_true(is_at(p.points[2], one));
    assert_true(is_at(p.points[3], s.ends[1]));
    assert_true(is_at(p.points[0], points[0]));
    assert_true(is_at(p.points[4], points[3]));
    assert_true(p.route.gained > 0);
    assert_true(vni_reroute_cost(&p.route, p.points, 5) <= before - p.route.gained + 1e-6);
    unmake(&p);
}

/// What is remembered of one path is never told of another.
static void test_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("reroute", 321));
    const vn_point points[] = {{0, 0, 0}, {8192, 8192, 2048}};
    place p;

    make(&p, NULL, 0, points, 2, 2);
    for (uint32_t i = 0; i < vnt_scale(5000, 100000); ++i) {
        vn_point route[2] = {vnt_random_point(&rng, p.voxels.dims, 1024),
                             vnt_random_point(&rng, p.voxels.dims, 1024)};
        double cost = vni_reroute_cost(&p.route, route, 2);
        assert_true(cost == vni_leg_cost(&p.cost, route[0], route[1]));
    }

    unmake(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace),       cmocka_unit_test(test_plain),
        cmocka_unit_test(test_walls_and_box), cmocka_unit_test(test_drop),
        cmocka_unit_test(test_stretches),     cmocka_unit_test(test_stretch_of_vertices),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("path/reroute", tests, NULL, NULL);
}
