/// The version, and the words and texts of all statuses.
#include "volnav/base.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

/// In the order of vn_status; tools and scripts rely on these words.
static const char* const expected_words[] = {
    "ok",           "running",    "partial",    "start-blocked", "goal-blocked",  "no-path",
    "budget-spent", "cancelled",  "capacity",   "unsupported",   "out-of-memory", "outside",
    "bad-argument", "bad-def",    "bad-order",  "stale-id",      "bad-data",      "too-large",
    "io-error",     "bad-format", "mismatch",   "too-narrow",    "unknown-space", "stale",
    "not-found",    "blocked",    "degenerate",
};

static void version_is_the_headers(void** state) {
    (void)state;
    assert_int_equal(vn_version(), VN_VERSION);
    assert_int_equal(VN_VERSION, VN_VERSION_MAJOR * 10000 + VN_VERSION_MINOR * 100 + VN_VERSION_PATCH);
}

static void words_are_stable(void** state) {
    (void)state;
    assert_int_equal(sizeof expected_words / sizeof expected_words[0], VN_STATUS_COUNT);
    for (int i = 0; i < VN_STATUS_COUNT; ++i)
        assert_string_equal(vn_status_word((vn_status)i), expected_words[i]);
    assert_string_equal(vn_status_word(VN_IO), "io-error");
    for (int i = 1; i < VN_STATUS_COUNT; ++i)
        assert_string_equal(vn_path_status_word((vn_status)i), expected_words[i]);
    assert_string_equal(vn_path_status_word(VN_OK), "path");
    assert_string_equal(vn_path_status_word(VN_STATUS_COUNT), "unknown");
    assert_string_equal(vn_status_word(VN_MISMATCH), "mismatch");
}

static void texts_are_sentences_of_their_own(void** state) {
    (void)state;
    for (int i = 0; i < VN_STATUS_COUNT; ++i) {
        const char* text = vn_status_text((vn_status)i);
        size_t length = strlen(text);
        assert_true(length > 10);
        assert_true(length < sizeof((vn_detail*)0)->text);
        assert_int_equal(text[length - 1], '.');

        assert_true(text[0] >= 'A');
        assert_true(text[0] <= 'Z');
        for (int k = 0; k < i; ++k)
            assert_string_not_equal(text, vn_status_text((vn_status)k));
    }
}

static void unknown_numbers_have_words_too(void** state) {
    (void)state;
    const int numbers[] = {VN_STATUS_COUNT, VN_STATUS_COUNT + 1, 1000};
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(vn_status_word((vn_status)numbers[i]), "unknown");
        assert_non_null(vn_status_text((vn_status)numbers[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_the_headers),
        cmocka_unit_test(words_are_stable),
        cmocka_unit_test(texts_are_sentences_of_their_own),
        cmocka_unit_test(unknown_numbers_have_words_too),
    };

    return cmocka_run_group_tests_name("base/status", tests, NULL, NULL);
}
