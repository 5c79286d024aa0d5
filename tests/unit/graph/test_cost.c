/// The lower bounds of the cost object: admissible where they say so, by the true distances on an empty grid.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "graph/cost.h"
#include "graph/fixed.h"

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

        cost += axes == 3 ? VNI_CORNER_STEP : axes == 2 ? VNI_EDGE_STEP : 1;
    }

    return cost;
}

static bool is_in_units(double cost) {
    return cost * 268435456.0 == floor(cost * 268435456.0);
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
        over += bound > least;
        if (metric == VNI_METRIC_OCTILE && neighbours == 26)
            assert_true(bound == least);
        assert_true(metric == VNI_METRIC_EUCLIDEAN || is_in_units(bound));
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
    check_metric(VNI_METRIC_EUCLIDEAN_GRID, 26, true);
    check_metric(VNI_METRIC_EUCLIDEAN_GRID, 6, true);
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
    assert_true(bound == 2 * VNI_CORNER_STEP + VNI_EDGE_STEP + 2);
    assert_true(fabs(bound - (2 * sqrt(3) + sqrt(2) + 2)) < 3 * VNI_COST_UNIT);
    cost = vni_cost_length(VNI_METRIC_R16, 26);
    cost.lower_bounds(cost.self, &a, 1, b, &bound);
    assert_true(bound == 5 * (floor(1.4 * 268435456.0) / 268435456.0));
    cost = vni_cost_length(VNI_METRIC_MANHATTAN, 26);
    cost.lower_bounds(cost.self, &a, 1, b, &bound);
    assert_true(bound == 10);
}

/// The steps are sqrt 2 and sqrt 3, rounded up by less than a unit; all in integers below 2^60.
static void test_steps(void** state) {
    (void)state;
    const int64_t one = (int64_t)1 << 28, edge = (int64_t)(VNI_EDGE_STEP * (double)one),
                  corner = (int64_t)(VNI_CORNER_STEP * (double)one);
    assert_true(VNI_COST_UNIT * (double)one == 1);
    assert_true(VNI_COST_SHIFT == VNI_COST_UNIT * 4503599627370496.0); // 2^52: the unit is its last bit
    assert_true(edge * edge >= 2 * one * one);
    assert_true((edge - 1) * (edge - 1) < 2 * one * one);
    assert_true(corner * corner >= 3 * one * one);
    assert_true((corner - 1) * (corner - 1) < 3 * one * one);
}

/// Rounding up and down, against the integers on both sides; and sums that do not depend on their order.
static void test_rounding(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rounding", 62));
    for (uint32_t i = 0; i < vnt_scale(20000, 500000); ++i) {
        double units = (double)(vni_rng_next(&rng) >> (vni_rng_next(&rng) % 40 + 12)),
               part = vni_rng_real(&rng);
        double cost = (units + (i % 4 == 0 ? 0 : part)) * VNI_COST_UNIT;
        assert_true(vni_cost_down(cost) == floor(cost / VNI_COST_UNIT) * VNI_COST_UNIT);
        assert_true(vni_cost_up(cost) == ceil(cost / VNI_COST_UNIT) * VNI_COST_UNIT);
    }

    // As long as the header says: 2^24 steps over corners, forwards in one sum and in two interleaved ones.
    double sum = 0, even = 0, odd = 0;
    for (uint32_t i = 0; i < 1u << 24; i += 2) {
        sum += i % 4 ? VNI_CORNER_STEP : VNI_EDGE_STEP;
        sum += VNI_CORNER_STEP;
        even += i % 4 ? VNI_CORNER_STEP : VNI_EDGE_STEP;
        odd += VNI_CORNER_STEP;
    }
    assert_true(sum == even + odd);
    assert_true(is_in_units(sum));
    assert_true(sum - odd == even);
    assert_true(((1 << 24) + (1 << 21)) * VNI_CORNER_STEP < 2 * VNI_COST_SHIFT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_admissibility),
                                       cmocka_unit_test(test_known_values), cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests_name("graph/cost", tests, NULL, NULL);
}
