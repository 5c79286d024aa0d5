/// The lower bounds of the cost object: admissible where they say so, by the true distances on an empty grid.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "graph/cost.h"

#include <math.h>
#include <stdlib.h>

static vn_point centre(vni_rng* rng) {
    vn_voxel v = {vni_rng_range(rng, -50, 50), vni_rng_range(rng, -50, 50), vni_rng_range(rng, -50, 50)};
    return vn_voxel_center(v);
}

/// Least cost between two voxels on an empty grid: with 26 neighbours as many corner steps as possible, then
/// edge steps, then straight ones.
static double empty_grid_cost(vn_point a, vn_point b, uint32_t neighbours) {
    int d[3] = {abs(a.x - b.x) / VN_LATTICE, abs(a.y - b.y) / VN_LATTICE, abs(a.z - b.z) / VN_LATTICE};
    if (neighbours == 6)
        return d[0] + d[1] + d[2];

    double cost = 0;
    while (d[0] || d[1] || d[2]) {
        int axes = 0;
        for (int i = 0; i < 3; ++i)
            if (d[i] > 0) {
                --d[i];
                ++axes;
            }

        cost += sqrt(axes);
    }

    return cost;
}

static void check_metric(vni_metric metric, uint32_t neighbours, bool admissible) {
    vni_rng rng = vni_rng_make(vnt_seed("cost", 61));
    vni_cost cost = vni_cost_length(metric, neighbours);
    assert_int_equal(cost.admissible, admissible);
    uint32_t over = 0;
    for (uint32_t i = 0; i < vnt_scale(2000, 50000); ++i) {
        vn_point a = centre(&rng), b = centre(&rng);
        double bound, least = empty_grid_cost(a, b, neighbours);
        cost.lower_bounds(cost.self, &a, 1, b, &bound);
        over += bound > least * (1 + 1e-12) + 1e-12;
        assert_true(cost.segment(cost.self, a, b) <= least * (1 + 1e-12));
    }

    assert_int_equal(over > 0, !admissible);
}

static void test_admissibility(void** state) {
    (void)state;
    check_metric(VNI_METRIC_OCTILE, 26, true);
    check_metric(VNI_METRIC_OCTILE, 6, true);
    check_metric(VNI_METRIC_EUCLIDEAN, 26, true);
    check_metric(VNI_METRIC_EUCLIDEAN, 6, true);
    check_metric(VNI_METRIC_MANHATTAN, 26, false);
    check_metric(VNI_METRIC_MANHATTAN, 6, true);
    check_metric(VNI_METRIC_R16, 26, false);
    check_metric(VNI_METRIC_R16, 6, true);
}

static void test_known_values(void** state) {
    (void)state;
    const vn_voxel v = {0, 0, 0}, w = {5, 3, -2};
    vn_point a = vn_voxel_center(v), b = vn_voxel_center(w);
    double bound;
    vni_cost cost = vni_cost_length(VNI_METRIC_OCTILE, 26);
    cost.lower_bounds(cost.self, &a, 1, b, &bound);
    assert_true(fabs(bound - (2 * sqrt(3) + sqrt(2) + 2)) < 1e-12);
    cost = vni_cost_length(VNI_METRIC_R16, 26);
    cost.lower_bounds(cost.self, &a, 1, b, &bound);
    assert_true(fabs(bound - (1.4 * 5 + 0)) < 1e-12);
    cost = vni_cost_length(VNI_METRIC_MANHATTAN, 26);
    cost.lower_bounds(cost.self, &a, 1, b, &bound);
    assert_true(bound == 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_admissibility),
                                       cmocka_unit_test(test_known_values)};
    return cmocka_run_group_tests_name("graph/cost", tests, NULL, NULL);
}
