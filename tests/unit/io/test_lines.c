/// The tokenizer and its numbers.
#include "base/rng.h"
#include "io/lines.h"
#include "support.h"
#include "tests/unit/io/text.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static vni_lines lines;
static vnt_text text;
static vn_source source;

static void begin(const char* bytes, size_t chunk) {
    text = vnt_text_of(bytes, strlen(bytes));
    text.chunk = chunk;
    source = vnt_text_source(&text);
    vni_lines_begin(&lines, &source);
}

static void expect_word(const char* word, uint32_t line) {
    assert_int_equal(vni_lines_next(&lines), VNI_TOKEN_WORD);
    assert_string_equal(lines.word, word);
    assert_int_equal(lines.length, strlen(word));
    assert_int_equal(lines.line, line);
}

static void expect(vni_token token, uint32_t line) {
    assert_int_equal(vni_lines_next(&lines), token);
    assert_int_equal(lines.line, line);
}

static void words_and_lines(void** state) {
    (void)state;
    for (size_t chunk = 1; chunk < 12; ++chunk) {
        begin("  a\tbc \r\n\n\r\nlast", chunk);
        expect_word("a", 1);
        expect_word("bc", 1);
        expect(VNI_TOKEN_LINE_END, 1);
        expect(VNI_TOKEN_LINE_END, 2);
        expect(VNI_TOKEN_LINE_END, 3);
        expect_word("last", 4);
        expect(VNI_TOKEN_TEXT_END, 4);
        expect(VNI_TOKEN_TEXT_END, 4);
        begin("\n\n x y  z \t\r\nw\n", chunk);
        char rest[4];
        size_t length;
        assert_int_equal(vni_lines_next_text(&lines, rest, sizeof rest, &length), VNI_TOKEN_WORD);
        assert_string_equal(rest, "x y");
        assert_int_equal(length, 6);
        assert_int_equal(lines.line, 3);
        expect(VNI_TOKEN_LINE_END, 3);
        assert_int_equal(vni_lines_next_text(&lines, rest, sizeof rest, &length), VNI_TOKEN_WORD);
        assert_string_equal(rest, "w");
        assert_int_equal(vni_lines_next_text(&lines, rest, sizeof rest, &length), VNI_TOKEN_TEXT_END);
        assert_int_equal(length, 0);
    }
}

static void blanks_and_words_of_any_length(void** state) {
    (void)state;
    static char long_text[3 * VNI_LINES_BUFFER + 1];
    memset(long_text, ' ', sizeof long_text - 1);
    long_text[2 * VNI_LINES_BUFFER - 1] = 'a';
    long_text[2 * VNI_LINES_BUFFER] = 'b'; // across the edge of the buffer
    begin(long_text, SIZE_MAX);
    expect_word("ab", 1);
    expect(VNI_TOKEN_TEXT_END, 1);
    memset(long_text, '7', sizeof long_text - 1);
    begin(long_text, SIZE_MAX);
    assert_int_equal(vni_lines_next(&lines), VNI_TOKEN_WORD);
    assert_int_equal(lines.length, 3 * VNI_LINES_BUFFER);
    assert_int_equal(strlen(lines.word), VNI_LINES_WORD - 1);
    int64_t value;
    double real;
    assert_false(vni_lines_integer(&lines, &value));
    assert_false(vni_lines_decimal(&lines, &real));
}

static void failing_sources(void** state) {
    (void)state;
    begin("a b\nc d\n", 3);
    text.fail_at = 6;
    expect_word("a", 1);
    expect_word("b", 1);
    expect(VNI_TOKEN_LINE_END, 1);
    expect_word("c", 2);
    expect(VNI_TOKEN_ERROR, 2);
    expect(VNI_TOKEN_ERROR, 2);
}

static bool parse(const char* word, int64_t* value) {
    begin(word, SIZE_MAX);
    assert_int_equal(vni_lines_next(&lines), VNI_TOKEN_WORD);
    return vni_lines_integer(&lines, value);
}

static void whole_numbers(void** state) {
    (void)state;
    const struct {
        const char* word;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"+7", 7},
                {"-12", -12},
                {"007", 7},
                {"1048576", 1048576},
                {"4294967296", 4294967296},
                {"999999999999999999", 999999999999999999}};

    int64_t value;
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        assert_true(parse(good[i].word, &value));
        assert_int_equal(value, good[i].value);
    }

    assert_true(parse("18446744073709551617", &value));
    assert_int_equal(value, VNI_LINES_INTEGER_LIMIT);
    assert_true(parse("-99999999999999999999999999", &value));
    assert_int_equal(value, -VNI_LINES_INTEGER_LIMIT);

    const char* bad[] = {"-", "+", "x", "1x", "1.0", "1e3", "--1", "0x10", "1-", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_false(parse(bad[i], &value));
}

static bool parse_decimal(const char* word, double* value) {
    begin(word, SIZE_MAX);
    assert_int_equal(vni_lines_next(&lines), VNI_TOKEN_WORD);
    return vni_lines_decimal(&lines, value);
}

static void decimals(void** state) {
    (void)state;
    double value;
    const char* good[] = {"0",      "15.31710829",     "1.054",    ".5",
                          "5.",     "-2.25",           "1e3",      "1E+3",
                          "2.5e-3", "123456789012345", "0.000001", "9007199254740993e0"};

    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        assert_true(parse_decimal(good[i], &value));
        assert_true(value == strtod(good[i], NULL));
    }

    const char* rough[] = {"3.14159265358979323846264338", "1e-300", "1.7976931348623157e308",
                           "12345678901234567890123", "0.00000000000000000000000000012345"};
    for (size_t i = 0; i < sizeof rough / sizeof *rough; ++i) {
        assert_true(parse_decimal(rough[i], &value));
        assert_true(fabs(value / strtod(rough[i], NULL) - 1) < 1e-14);
    }

    assert_true(parse_decimal("1e999", &value));
    assert_true(value > 1.7e308);
    assert_true(parse_decimal("1e-999", &value));
    assert_true(value == 0);
    assert_true(parse_decimal("0e999999999999", &value));
    assert_true(value == 0);
    const char* bad[] = {".",   "-",     "e5",    "1e",    "1e+", "nan", "inf",
                         "1,5", "1.2.3", "0x1p3", "1e5.0", "--1", "1f"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_false(parse_decimal(bad[i], &value));
}

/// The kind of numbers that scenarios hold, against the C library's own.
static void decimals_agree_with_the_c_library(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/lines decimals", 41));
    for (uint32_t i = 0; i < vnt_scale(20000, 1000000); ++i) {
        char word[32];
        double value;
        snprintf(word, sizeof word, "%u.%08u", vni_rng_below(&rng, 4000), vni_rng_below(&rng, 100000000));
        assert_true(parse_decimal(word, &value));
        assert_true(value == strtod(word, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_lines), cmocka_unit_test(blanks_and_words_of_any_length),
        cmocka_unit_test(failing_sources), cmocka_unit_test(whole_numbers),
        cmocka_unit_test(decimals),        cmocka_unit_test(decimals_agree_with_the_c_library),
    };
    return cmocka_run_group_tests_name("io/lines", tests, NULL, NULL);
}
