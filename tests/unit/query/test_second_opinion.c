/// The second search of a request over cells: with a preferred clearance the short route, led away from the
/// walls; at the best quality the route from the goal to the start. Cancelled one expansion before its end,
/// the request still has the route of the first search, so the two can be compared.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <string.h>

enum { LEAST_GAIN_PERCENT = 1 };

typedef struct vnt_gain {
    uint32_t requests; ///< that have a path
    uint32_t better;   ///< whose second search found a path that costs less
    uint32_t by_much;  ///< by LEAST_GAIN_PERCENT or more
} vnt_gain;

/// Runs the request one expansion at a time, `limit` of them at most. Returns the number of steps.
static uint64_t run(vn_query* query, const vn_path_request* request, uint64_t limit, vn_path_result* out) {
    uint64_t steps = 0;
    vn_status status = vn_query_begin(query, request, NULL);
    if (status == VN_OK)
        status = VN_RUNNING;
    for (; status == VN_RUNNING && steps < limit; ++steps)
        status = vn_query_step(query, 1);
    vn_query_finish(query, out);
    return steps;
}

static void check_points(const vn_space* space, const vn_query* query, const vn_path_request* request) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    assert_true(count >= 1);
    assert_memory_equal(&points[0], &request->start, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &request->goal, sizeof points[0]);
    assert_true(vn_space_check_path(space, points, count, NULL));
}

/// The path of both searches costs no more than that of the first alone.
static void compare(const vn_space* space, vn_query* query, const vn_path_request* request, vnt_gain* gain) {
    vn_path_result both, first;
    uint64_t steps = run(query, request, UINT64_MAX, &both);
    if (both.status != VN_OK)
        return;
    assert_int_equal(both.reason, VN_OK);
    check_points(space, query, request);

    // The second search takes one step at least, so the first has ended before the last step.
    assert_true(steps >= 2);
    run(query, request, steps - 1, &first);
    assert_int_equal(first.status, VN_OK);
    assert_int_equal(first.reason, VN_CANCELLED);
    check_points(space, query, request);

    assert_true(first.expanded <= both.expanded);
    assert_true(both.cost <= first.cost);
    ++gain->requests;
    gain->better += both.cost < first.cost;
    gain->by_much += both.cost * 100 < first.cost * (100 - LEAST_GAIN_PERCENT);
}

static vnt_gain measure(vn_path_request request, uint64_t seed) {
    vni_rng rng = vni_rng_make(seed);
    vn_jobs serial = vn_serial_jobs();
    vnt_gain gain = {0};
    for (uint32_t world = 0; world < vnt_scale(60, 1000); ++world) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 24));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);

        vn_voxel a, b;
        for (uint32_t i = 0; i < 4; ++i) {
            if (!vnt_random_free_voxel(&rng, &voxels, &a) || !vnt_random_free_voxel(&rng, &voxels, &b))
                break;
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            if (memcmp(&a, &b, sizeof a) != 0)
                compare(space, query, &request, &gain);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("%u requests; the second search is better in %u, by %d %% or more in %u\n", gain.requests,
                  gain.better, LEAST_GAIN_PERCENT, gain.by_much);
    return gain;
}

static void test_with_a_preferred_clearance(void** state) {
    (void)state;
    vn_path_request request = vn_default_path_request();
    request.preferred_clearance = 3;
    vnt_gain gain = measure(request, vnt_seed("second opinion, clearance", 1201));
    assert_true(gain.requests > 100);
    assert_true(gain.by_much * 50 > gain.requests);
}

static void test_at_the_best_quality(void** state) {
    (void)state;
    vn_path_request request = vn_default_path_request();
    request.quality = VN_QUALITY_BEST;
    vnt_gain gain = measure(request, vnt_seed("second opinion, best", 1202));
    assert_true(gain.requests > 100);
    assert_true(gain.better * 50 > gain.requests);
}

/// The other requests have one search: one step before its end there is no path.
static void test_elsewhere_there_is_none(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("no second opinion", 1203));
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_random(&rng, (vn_voxel){24, 24, 24});
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    vn_path_request request = vn_default_path_request();

    uint32_t cancelled = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        vn_voxel a, b;
        assert_true(vnt_random_free_voxel(&rng, &voxels, &a));
        assert_true(vnt_random_free_voxel(&rng, &voxels, &b));
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.quality = i % 2 == 0 ? VN_QUALITY_STANDARD : VN_QUALITY_FAST;
        request.preferred_clearance = request.quality == VN_QUALITY_FAST ? 3.0f : 0.0f;

        vn_path_result result;
        uint64_t steps = run(query, &request, UINT64_MAX, &result);
        if (result.status == VN_OK && steps >= 2) {
            run(query, &request, steps - 1, &result);
            assert_int_equal(result.status, VN_CANCELLED);
            ++cancelled;
        }
    }

    assert_true(cancelled > 20);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_with_a_preferred_clearance),
                                       cmocka_unit_test(test_at_the_best_quality),
                                       cmocka_unit_test(test_elsewhere_there_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
