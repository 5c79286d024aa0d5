/// tests/unit/tool/test_stats.c: intervals of confidence against figures from tables.
#include "apps/volnav/shell/stats.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

static void shares(void** state) {
    (void)state;
    static const struct {
        uint64_t hits, count;
        double low, high;
    } known[] = {
        {0, 4, 0, 0.4899}, {10, 10, 0.7225, 1}, {50, 100, 0.4038, 0.5962}, {1, 1000, 0.000177, 0.00564}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const stats_interval found = stats_wilson(known[i].hits, known[i].count);
        assert_near(found.low, known[i].low, 1e-4);
        assert_near(found.high, known[i].high, 1e-4);
    }
    assert_true(isnan(stats_wilson(0, 0).low));
    assert_true(stats_wilson(1000, 1000).high == 1);
    assert_true(stats_wilson(0, 1000).low == 0);
}

static void means(void** state) {
    (void)state;
    const double five[] = {1, 2, 3, 4, 5}, few[] = {0, 0, 0, 4}, none[100] = {0};
    stats_interval found = stats_mean_interval(five, 5);
    assert_near(found.low, 1.0371, 1e-3);
    assert_near(found.high, 4.9629, 1e-3);
    found = stats_mean_interval(few, 4);
    assert_true(found.low == 0);
    assert_near(found.high, 1 + 3.182, 1e-3);
    found = stats_mean_interval(none, 100);
    assert_true(found.low == 0);
    assert_near(found.high, 0.0369, 1e-4);
    assert_true(isnan(stats_mean_interval(five, 1).low));
    assert_true(isnan(stats_mean_interval(five, 0).low));
}

/// The 97.5 % points of Student's distribution, beyond the table too.
static void student_points(void** state) {
    (void)state;
    assert_near(student(1), 12.706, 1e-3);
    assert_near(student(30), 2.042, 1e-3);
    assert_near(student(31), 2.0395, 3e-3);
    assert_near(student(60), 2.0003, 3e-3);
    assert_near(student(1000), 1.9623, 3e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares), cmocka_unit_test(means),
                                       cmocka_unit_test(student_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
