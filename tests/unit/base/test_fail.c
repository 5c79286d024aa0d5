/// The formatter against snprintf, details, and the log.
#include "base/fail.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void texts_and_integers(void** state) {
    (void)state;
    char out[300];
    size_t length = vni_format(out, sizeof out, "%s|%c|%d|%u|%%|%zu", "text", 'x', -17, 17u, (size_t)99);
    assert_string_equal(out, "text|x|-17|17|%|99");
    assert_int_equal(length, strlen(out));
    vni_format(out, sizeof out, "%d %d %u %u", INT_MIN, INT_MAX, 0u, UINT_MAX);
    assert_string_equal(out, "-2147483648 2147483647 0 4294967295");
    vni_format(out, sizeof out, "%lld %lld %llu", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    assert_string_equal(out, "-9223372036854775808 9223372036854775807 18446744073709551615");
    vni_format(out, sizeof out, "%ld %lu %zu", -5L, 6UL, (size_t)0);
    assert_string_equal(out, "-5 6 0");
    vni_format(out, sizeof out, "%.3s|%.30s|%.0s|", "abcde", "abcde", "abcde");
    assert_string_equal(out, "abc|abcde||");
    vni_format(out, sizeof out, "%s", "");
    assert_string_equal(out, "");
}

static void long_text_is_cut(void** state) {
    (void)state;
    char out[8];
    for (size_t size = 1; size <= sizeof out; ++size) {
        memset(out, '#', sizeof out);
        size_t length = vni_format(out, size, "%s%d", "abcde", 12345);
        assert_int_equal(length, size - 1);
        assert_memory_equal(out, "abcde12", length);

        assert_int_equal(out[length], 0);
        for (size_t i = size; i < sizeof out; ++i)
            assert_int_equal(out[i], '#');
    }
}

static void check_double(double value) {
    char ours[64], theirs[64];
    vni_format(ours, sizeof ours, "%g", value);
    snprintf(theirs, sizeof theirs, "%.9g", value);
    assert_string_equal(ours, theirs);
}

static void doubles_by_name(void** state) {
    (void)state;
    char out[64];
    vni_format(out, sizeof out, "%g %g %g", 0.5, -12.25, 1e300);
    assert_string_equal(out, "0.5 -12.25 1e+300");
    vni_format(out, sizeof out, "%g %g %g", (double)INFINITY, (double)-INFINITY, (double)NAN);
    assert_string_equal(out, "inf -inf nan");
    const double values[] = {
        0.0,          -0.0,        1.0,          10.0,        100000000.0,       999999999.0,
        1e9,          999999999.5, 1234567890.0, 0.0001,      0.00001,           0.00012345,
        DBL_MAX,      DBL_MIN,     DBL_EPSILON,  5e-324,      -2.5e-310,         0.1,
        (double)0.1f, 1.0 / 3.0,   100000000.5,  100000001.5, 9.9999999949,      9.9999999951,
        123456789.0,  12345678.25, 1e22,         1e23,        4503599627370496.5};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        check_double(values[i]);
        check_double(-values[i]);
    }

    for (int e = -1074; e <= 1023; ++e)
        check_double(ldexp(1.0, e));
}

static void doubles_at_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fail/doubles", 31));
    uint32_t count = vnt_scale(20000, 300000);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t bits = vni_rng_next(&rng);
        double any;
        memcpy(&any, &bits, sizeof any);
        if (!isnan(any))
            check_double(any);

        check_double((double)vni_rng_range(&rng, -2000000, 2000000) / 1024.0);
        check_double((double)(float)(vni_rng_real(&rng) * 1e6));
    }
}

static void detail_is_filled(void** state) {
    (void)state;
    vn_detail detail;
    memset(&detail, 0x55, sizeof detail);
    assert_int_equal(vni_fail(&detail, VN_BAD_DATA, "vertex is %g", 0.5), VN_BAD_DATA);
    assert_int_equal(detail.status, VN_BAD_DATA);
    assert_int_equal(detail.line, 0);
    assert_true(detail.index == VN_NO_INDEX);
    assert_string_equal(detail.text, "vertex is 0.5");

    assert_int_equal(vni_fail_index(&detail, VN_STALE_ID, 123, "id %u", 9u), VN_STALE_ID);
    assert_int_equal(detail.status, VN_STALE_ID);
    assert_int_equal(detail.line, 0);
    assert_true(detail.index == 123);
    assert_string_equal(detail.text, "id 9");

    assert_int_equal(vni_fail_line(&detail, VN_BAD_FORMAT, 7, "%s", "no number"), VN_BAD_FORMAT);
    assert_int_equal(detail.status, VN_BAD_FORMAT);
    assert_int_equal(detail.line, 7);
    assert_true(detail.index == VN_NO_INDEX);
    assert_string_equal(detail.text, "no number");
}

static void detail_may_be_null_and_is_cut(void** state) {
    (void)state;
    assert_int_equal(vni_fail(NULL, VN_IO, "%s", "x"), VN_IO);
    assert_int_equal(vni_fail_index(NULL, VN_IO, 1, "%s", "x"), VN_IO);
    assert_int_equal(vni_fail_line(NULL, VN_IO, 1, "%s", "x"), VN_IO);
    char text[1000];
    memset(text, 'y', sizeof text);
    text[sizeof text - 1] = 0;
    vn_detail detail;
    vni_fail(&detail, VN_IO, "%s", text);
    assert_int_equal(strlen(detail.text), sizeof detail.text - 1);
}

static vn_log_level logged_level;
static char logged_text[64];
static int logged_count;

static void remember(void* user, vn_log_level level, const char* message) {
    assert_ptr_equal(user, &logged_count);
    logged_level = level;
    strncpy(logged_text, message, sizeof logged_text - 1);
    ++logged_count;
}

static void log_reaches_the_handler(void** state) {
    (void)state;
    vni_log(VN_LOG_INFO, "nobody hears %d", 1);
    vn_set_log_handler(remember, &logged_count);
    vni_log(VN_LOG_WARNING, "%u of %s", 3u, "them");
    vn_set_log_handler(NULL, NULL);
    vni_log(VN_LOG_ERROR, "nobody hears %d", 2);
    assert_int_equal(logged_count, 1);
    assert_int_equal(logged_level, VN_LOG_WARNING);
    assert_string_equal(logged_text, "3 of them");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_integers),      cmocka_unit_test(long_text_is_cut),
        cmocka_unit_test(doubles_by_name),         cmocka_unit_test(doubles_at_random),
        cmocka_unit_test(detail_is_filled),        cmocka_unit_test(detail_may_be_null_and_is_cut),
        cmocka_unit_test(log_reaches_the_handler),
    };

    return cmocka_run_group_tests_name("base/fail", tests, NULL, NULL);
}
