/// Costs of ways through zones against fine sampling; the same in both directions, the same in parts; lower
/// bounds that hold.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "graph/zones.h"

#include <math.h>
#include <stdlib.h>

enum { ZONES = 6 };

static vni_zones random_zones(vni_rng* rng, vni_zone* zones) {
    for (uint32_t i = 0; i < ZONES; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, 15);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, 10);
        }
        zones[i].factor = 0.25 * vni_rng_range(rng, 1, 40);
    }
    return vni_zones_make(zones, ZONES);
}

static double factor_at(const vni_zones* zones, const double p[3]) {
    double factor = 0;
    for (uint32_t i = 0; i < zones->count; ++i) {
        const vni_zone* z = &zones->zones[i];
        if (p[0] > z->low[0] && p[0] < z->high[0] && p[1] > z->low[1] && p[1] < z->high[1] &&
            p[2] > z->low[2] && p[2] < z->high[2])
            factor = z->factor > factor ? z->factor : factor;
    }
    return factor > 0 ? factor : 1;
}

static double length(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double sampled_cost(const vni_zones* zones, const double a[3], const double b[3]) {
    enum { PARTS = 20000 };
    double sum = 0;
    for (int i = 0; i < PARTS; ++i) {
        double t = (i + 0.5) / PARTS, p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = a[k] + (b[k] - a[k]) * t;
        sum += factor_at(zones, p);
    }
    return sum / PARTS * length(a, b);
}

static void random_end(vni_rng* rng, double p[3]) {
    for (int k = 0; k < 3; ++k)
        p[k] = vni_rng_real(rng) * 30 - 3;
}

static void test_costs(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones", 141));
    for (uint32_t i = 0; i < vnt_scale(300, 5000); ++i) {
        vni_zone items[ZONES];
        vni_zones zones = random_zones(&rng, items);
        double a[3], b[3], middle[3];
        random_end(&rng, a);
        random_end(&rng, b);
        double cost = vni_zones_cost(&zones, a, b);
        assert_true(fabs(cost - sampled_cost(&zones, a, b)) <= 1e-3 * cost + 0.02);
        assert_true(fabs(cost - vni_zones_cost(&zones, b, a)) <= 1e-9 * cost);
        for (int k = 0; k < 3; ++k)
            middle[k] = a[k] + 0.375 * (b[k] - a[k]);
        assert_true(fabs(cost - vni_zones_cost(&zones, a, middle) - vni_zones_cost(&zones, middle, b)) <=
                    1e-9 * cost + 1e-9);
        assert_true(cost >= zones.least * length(a, b) * (1 - 1e-12));
    }
}

/// The cost object: its bound times its least never exceeds the cost of a segment.
static void test_lower_bounds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zone bounds", 142));
    for (uint32_t i = 0; i < vnt_scale(300, 5000); ++i) {
        vni_zone items[ZONES];
        vni_zones zones = random_zones(&rng, items);
        vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &zones);
        vn_point a = {vni_rng_range(&rng, 0, 25000), vni_rng_range(&rng, 0, 25000),
                      vni_rng_range(&rng, 0, 25000)};
        vn_point b = {vni_rng_range(&rng, 0, 25000), vni_rng_range(&rng, 0, 25000),
                      vni_rng_range(&rng, 0, 25000)};
        double bound;
        cost.lower_bounds(cost.self, &a, 1, b, &bound);
        assert_true(bound * cost.least <= cost.segment(cost.self, a, b) * (1 + 1e-12));
        assert_false(cost.is_length);
    }
}

static void test_no_zones_is_length(void** state) {
    (void)state;
    const vni_zones none = vni_zones_make(NULL, 0);
    const double a[3] = {1, 2, 3}, b[3] = {4, 6, 3};
    assert_true(vni_zones_cost(&none, a, b) == 5);
    assert_true(vni_zones_cost(&none, a, a) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs), cmocka_unit_test(test_lower_bounds),
                                       cmocka_unit_test(test_no_zones_is_length)};
    return cmocka_run_group_tests_name("graph/zones", tests, NULL, NULL);
}
