/// JSON that others wrote: what is read, and what is refused.
#include "apps/volnav/input/json_read.c"
#include "apps/volnav/shell/say.c"

#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static json_document read_text(const char* text) {
    json_document d;
    unsigned line;
    assert_null(json_read(text, strlen(text), &d, &line));
    return d;
}

static void values_are_found(void** state) {
    (void)state;
    json_document d =
        read_text("\xef\xbb\xbf {\"a\": [1, -2.5e1, []], \"b\":{\"c\":\"x\"}, \"b\" : null, \"t\":true}\n");
    double number;
    uint64_t count;
    uint32_t a = json_member(&d, 0, "a"), first = json_first(&d, a), second = json_next(&d, a, first);
    assert_true(json_whole(&d, first, 0, &count));
    assert_true(count == 1);
    assert_true(json_number(&d, second, &number));
    assert_true(number == -25);
    assert_false(json_whole(&d, second, 0, &count));
    assert_true(json_is(&d, json_next(&d, a, second), JSON_ARRAY));
    assert_int_equal(json_next(&d, a, json_next(&d, a, second)), JSON_NONE);
    assert_true(json_equals(&d, json_member(&d, json_member(&d, 0, "b"), "c"), "x"));
    assert_true(json_is(&d, json_member(&d, 0, "t"), JSON_TRUE));
    assert_int_equal(json_member(&d, 0, "none"), JSON_NONE);
    assert_int_equal(json_member(&d, a, "a"), JSON_NONE);
    assert_true(json_whole(&d, JSON_NONE, 7, &count));
    assert_true(count == 7);
    size_t elements;
    uint32_t* list = json_elements(&d, a, &elements);
    assert_int_equal(elements, 3);
    assert_int_equal(list[1], second);
    free(list);
    json_free(&d);
}

static void escapes_are_undone(void** state) {
    (void)state;
    json_document d =
        read_text("[\"a\\/b\\n\\u0041\\u00e9\\u20ac\\ud83d\\ude00\", \"\\u0000\", \"\\x\", \"\\u12\", 5]");
    uint32_t v = json_first(&d, 0);
    char* text = json_string(&d, v);
    assert_string_equal(text, "a/b\nA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");

    free(text);
    for (v = json_next(&d, 0, v); v != JSON_NONE; v = json_next(&d, 0, v))
        assert_null(json_string(&d, v));

    json_free(&d);
}

static void what_is_no_json_is_refused(void** state) {
    (void)state;
    static const char* const wrong[] = {"",       "{",          "[1,]",   "[1 2]",   "{\"a\"}", "{\"a\":}",
                                        "{a:1}",  "[nul]",      "[NaN]",  "[1e999]", "[+1]",    "[--1]",
                                        "[0x10]", "\"a",        "\"\n\"", "[1] 2",   "[\"\\",   "]",
                                        "[tru",   "{\"a\":1,}", "[1e]",   "[-]",     ":",       "\"\\"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        json_document d;
        unsigned line;
        assert_non_null(json_read(wrong[i], strlen(wrong[i]), &d, &line));
        assert_null(d.values);
    }

    json_document d;
    unsigned line;
    assert_non_null(json_read("{\n\"a\":\n?}", 9, &d, &line));
    assert_int_equal(line, 3);
    assert_non_null(json_read("[1]\0[2]", 7, &d, &line)); // a byte 0 does not end the text
}

static void nesting_is_limited(void** state) {
    (void)state;
    char text[400];
    for (int depth = 60; depth < 70; ++depth) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        json_document d;
        unsigned line;
        const char* refused = json_read(text, strlen(text), &d, &line);
        assert_true((refused == NULL) == (depth <= 65));
        json_free(&d);
    }
}

/// Whatever the bytes are: read or refused, and every value inside the text.
static void any_bytes(void** state) {
    (void)state;
    static const char alphabet[] = "[]{}:,\"\\u0eE1-.tn \n";
    vni_rng rng = vni_rng_make(vnt_seed("any_bytes", 91));
    char text[64];
    for (uint32_t round = vnt_scale(200000, 5000000); round > 0; --round) {
        const size_t size = vni_rng_below(&rng, sizeof text);
        for (size_t i = 0; i < size; ++i)
            text[i] = alphabet[vni_rng_below(&rng, sizeof alphabet - 1)];

        text[size] = 0;
        json_document d;
        unsigned line;
        if (json_read(text, size, &d, &line) != NULL)
            continue;

        for (uint32_t v = 0; v < d.count; ++v) {
            assert_true(d.values[v].end > v);
            assert_true(d.values[v].end <= d.count);
            assert_true(d.values[v].begin + d.values[v].size <= size);
            free(json_string(&d, v));
        }

        json_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found),
        cmocka_unit_test(escapes_are_undone),
        cmocka_unit_test(what_is_no_json_is_refused),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(any_bytes),
    };

    return cmocka_run_group_tests_name("tool/json_read", tests, NULL, NULL);
}
