/// Searches that mind zones: on the grid A* = Dijkstra in cost; over cells the way is valid, its cost is what
/// its points cost, and it is cheaper than a way that minds length alone.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "graph/zones.h"
#include "path/refine.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>

enum { ZONES = 5 };

static vni_zones random_zones(vni_rng* rng, vn_voxel dims, vni_zone* zones) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    for (uint32_t i = 0; i < ZONES; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, size[k] - 1);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, size[k] / 2 + 1);
        }
        zones[i].factor = i == 0 ? 0.5 : 1 + vni_rng_range(rng, 0, 112) / 16.0; // exact in float
    }
    return vni_zones_make(zones, ZONES);
}

/// The same zones as a request has them: resolution 1, low corner at the origin.
static void to_request(const vni_zones* zones, vn_zone* out, vn_path_request* request) {
    for (uint32_t i = 0; i < zones->count; ++i) {
        const vni_zone* z = &zones->zones[i];
        out[i].box.min = (vn_vec3){(float)z->low[0], (float)z->low[1], (float)z->low[2]};
        out[i].box.max = (vn_vec3){(float)z->high[0], (float)z->high[1], (float)z->high[2]};
        out[i].factor = (float)z->factor;
        out[i].flags = 0;
    }
    request->zones = out;
    request->zone_count = zones->count;
}

/// Cost of the query's points by its zones, metres.
static double cost_of_points(const vn_query* query, const vni_zones* zones) {
    vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, zones);
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    return vni_polyline_cost(&cost, points, count) / VN_LATTICE;
}

static void check_question(const vn_space* space, vn_query* query, const vni_zones* zones,
                           vn_path_request request, double sums[4]) {
    vn_path_result dijkstra, astar, result;
    uint32_t count;
    vn_zone items[ZONES];
    to_request(zones, items, &request);
    request.algo = VN_ALGO_DIJKSTRA;
    vn_find_path(query, &request, &dijkstra, NULL);
    request.algo = VN_ALGO_ASTAR;
    vn_find_path(query, &request, &astar, NULL);
    assert_int_equal(astar.status, dijkstra.status);
    assert_true(fabs(astar.cost - dijkstra.cost) <= 1e-9 * (1 + dijkstra.cost));
    if (astar.status == VN_OK)
        assert_true(fabs(astar.cost - cost_of_points(query, zones)) <= 1e-6 * (1 + astar.cost));
    request.algo = VN_ALGO_CELLS;
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        request.quality = (vn_quality)quality;
        assert_int_equal(vn_find_path(query, &request, &result, NULL), dijkstra.status);
        if (result.status != VN_OK)
            return;
        const vn_point* points = vn_query_points(query, &count);
        assert_true(vn_check_path_space(space, points, count, NULL));
        assert_true(fabs(result.cost - cost_of_points(query, zones)) <= 1e-9 * (1 + result.cost));
        assert_true(result.cost >= zones->least * result.length * (1 - 1e-9));
        if (quality == VN_QUALITY_STANDARD)
            sums[0] += result.cost;
        if (quality == VN_QUALITY_BEST)
            sums[1] += result.cost;
    }
    request.zone_count = 0;
    request.quality = VN_QUALITY_BEST;
    assert_int_equal(vn_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - result.length) <= 1e-9 * (1 + result.length));
    sums[2] += cost_of_points(query, zones);
    sums[3] += dijkstra.cost;
}

static void test_zones(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zone searches", 151));
    vn_jobs serial = vn_serial_jobs();
    double sums[4] = {0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(60, 800); ++world) {
        vn_voxel dims = {vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26)},
                 a, b;
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vni_zone items[ZONES];
        vni_zones zones = random_zones(&rng, dims, items);
        def.room = VN_ROOM_ALL;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
        for (uint32_t i = 0;
             i < 4 && vnt_random_free_voxel(&rng, &voxels, &a) && vnt_random_free_voxel(&rng, &voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            check_question(space, query, &zones, request, sums);
        }
        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
    print_message("cost over the grid's optimum: standard %.4f, best %.4f, minding length alone %.4f\n",
                  sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]);
    assert_true(sums[0] < 0.95 * sums[2]);
    assert_true(sums[1] < sums[0] * 1.01);
}

/// One dear box in open space: the way goes around it.
static void test_goes_around(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40}, a = {2, 20, 20}, b = {57, 20, 20};
    const vni_zone rain = {{25, 12, 5}, {35, 28, 35}, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vni_zones zones = vni_zones_make(&rain, 1);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    vn_zone item;
    to_request(&zones, &item, &request);
    assert_int_equal(vn_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(result.cost < 1.15 * 55 && result.length > 55.5); // straight through would cost 245
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// The dearest zone there can be, over everything: nothing overflows, and the way is still found.
static void test_dearest_zone(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40}, a = {2, 20, 20}, b = {57, 20, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 39; ++y)
        for (int32_t z = 0; z < 40; ++z)
            vnt_voxels_block(&voxels, 30, y, z);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    const vn_zone zones[2] = {{{{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}}, 1e6f, 0},
                              {{{5, 0, 0}, {20, 40, 40}}, 1e-6f, 0}};
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.quality = (vn_quality)quality;
        request.zones = zones;
        request.zone_count = 2;
        request.check = true;
        assert_int_equal(vn_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.checked && fabs(result.cost / result.length / 1e6 - 1) < 1e-6);
    }
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// A zone with flags is there for those who ask for one of them.
static void test_flags(void** state) {
    (void)state;
    const vn_voxel dims = {16, 8, 8}, a = {1, 1, 1}, b = {14, 1, 1};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    const vn_zone zone = {{{0, 0, 0}, {16, 8, 8}}, 3, 6};
    const uint32_t asked[4] = {0, 1, 2, 12};
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int i = 0; i < 4; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.zones = &zone;
        request.zone_count = 1;
        request.zone_flags = asked[i];
        assert_int_equal(vn_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(fabs(result.cost - (asked[i] & 6 ? 39 : 13)) < 1e-9);
    }
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_bad_zones(void** state) {
    (void)state;
    const vn_voxel dims = {8, 8, 8}, a = {1, 1, 1};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    request.start = request.goal = vn_voxel_center(a);
    static vn_zone zones[VN_MAX_ZONES + 1];
    for (int i = 0; i <= VN_MAX_ZONES; ++i)
        zones[i] = (vn_zone){{{0, 0, 0}, {1, 1, 1}}, 2, 0};
    request.zones = zones;
    request.zone_count = VN_MAX_ZONES + 1;
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_CAPACITY);
    request.zone_count = VN_MAX_ZONES;
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_OK);
    zones[7].factor = 0;
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(detail.index, 7);
    zones[7].factor = 1e30f;
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_BAD_ARGUMENT);
    zones[7].factor = NAN;
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_BAD_ARGUMENT);
    zones[7] = (vn_zone){{{2, 0, 0}, {1, 1, 1}}, 2, 0};
    assert_int_equal(vn_find_path(query, &request, &result, &detail), VN_BAD_ARGUMENT);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_zones), cmocka_unit_test(test_goes_around),
                                       cmocka_unit_test(test_dearest_zone), cmocka_unit_test(test_flags),
                                       cmocka_unit_test(test_bad_zones)};
    return cmocka_run_group_tests_name("query/zones", tests, NULL, NULL);
}
