/// The assert handler gets what failed, and decides.
#include "base/assert.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

static char seen_condition[100];
static int seen_line;
static int seen_count;

static bool remember(const char* condition, const char* file, int line) {
    assert_non_null(strstr(file, "test_assert.c"));
    strncpy(seen_condition, condition, sizeof seen_condition - 1);
    seen_line = line;
    ++seen_count;
    return false;
}

static void handler_is_told_and_may_go_on(void** state) {
    (void)state;
    seen_count = 0;
    vn_set_assert_handler(remember);
    vni_assert_failed("1 + 1 == 3", __FILE__, 42);
    vn_set_assert_handler(NULL);
    assert_int_equal(seen_count, 1);
    assert_int_equal(seen_line, 42);
    assert_string_equal(seen_condition, "1 + 1 == 3");
}

static void macro_follows_the_build(void** state) {
    (void)state;
    seen_count = 0;
    int evaluated = 0;
    vn_set_assert_handler(remember);
    VNI_ASSERT(++evaluated == 1);
    VNI_ASSERT(++evaluated == 100);
    vn_set_assert_handler(NULL);
#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
    assert_int_equal(evaluated, 2);
    assert_int_equal(seen_count, 1);
    assert_string_equal(seen_condition, "++evaluated == 100");
#else
    assert_int_equal(evaluated, 0);
    assert_int_equal(seen_count, 0);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handler_is_told_and_may_go_on),
        cmocka_unit_test(macro_follows_the_build),
    };
    return cmocka_run_group_tests_name("base/assert", tests, NULL, NULL);
}
