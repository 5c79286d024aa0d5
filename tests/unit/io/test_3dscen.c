/// Scenarios from text: what is accepted, what is refused and at which line, and whether they belong to a
/// map.
#include "base/rng.h"
#include "support.h"
#include "tests/unit/io/text.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD "version 1\nSimple.3dmap\n"

static vn_status read_text(const char* bytes, size_t size, size_t chunk, const vn_allocator* allocator,
                           vn_3dscen* scen, vn_detail* detail) {
    vnt_text text = vnt_text_of(bytes, size);
    text.chunk = chunk;
    vn_source source = vnt_text_source(&text);
    return vn_3dscen_read(&source, allocator, scen, detail);
}

static vn_3dscen accept(const char* bytes, uint64_t count) {
    vn_3dscen scen;
    vn_detail detail = {.line = 77};
    for (size_t chunk = 1; chunk < 40; chunk += 5) {
        assert_int_equal(read_text(bytes, strlen(bytes), chunk, NULL, &scen, &detail), VN_OK);
        assert_int_equal(detail.line, 77);
        assert_int_equal(scen.line_count, count);
        vn_3dscen_free(&scen);
        assert_null(scen.lines);
    }

    assert_int_equal(read_text(bytes, strlen(bytes), SIZE_MAX, NULL, &scen, &detail), VN_OK);
    return scen;
}

static void good_scenarios(void** state) {
    (void)state;
    vn_3dscen scen = accept(HEAD "56 76 52 48 85 45 15.31710829 1.054\n\n57 47 47 45 67 56 28 1\n", 2);
    assert_string_equal(scen.map, "Simple.3dmap");
    assert_int_equal(scen.lines[0].start.x, 56);
    assert_int_equal(scen.lines[0].start.z, 52);
    assert_int_equal(scen.lines[0].goal.x, 48);
    assert_int_equal(scen.lines[0].goal.z, 45);
    assert_true(scen.lines[0].cost == 15.31710829);
    assert_true(scen.lines[0].ratio == 1.054);
    assert_int_equal(scen.lines[0].line, 3);
    assert_int_equal(scen.lines[1].line, 5);
    assert_true(scen.lines[1].cost == 28);
    vn_3dscen_free(&scen);
    scen = accept("\r\nversion 1\r\n\r\n  my map (2).3dmap \t\r\n1 2 3 4 5 6 1e1 .5", 1);
    assert_string_equal(scen.map, "my map (2).3dmap");
    assert_int_equal(scen.lines[0].line, 5);
    assert_true(scen.lines[0].cost == 10);
    assert_true(scen.lines[0].ratio == 0.5);
    vn_3dscen_free(&scen);
    scen = accept(HEAD, 0);
    vn_3dscen_free(&scen);
    vn_3dscen_free(&scen);
    vn_3dscen_free(NULL);
}

static void refuse_bytes(const char* bytes, size_t size, uint32_t line) {
    for (size_t chunk = 1; chunk < 40; chunk += 9) {
        vn_3dscen scen;
        vn_detail detail = {0};
        assert_int_equal(read_text(bytes, size, chunk, NULL, &scen, &detail), VN_BAD_FORMAT);
        assert_int_equal(detail.line, line);
        assert_int_equal(detail.status, VN_BAD_FORMAT);
        assert_true(strlen(detail.text) > 10);
        assert_null(scen.lines);
        assert_int_equal(scen.line_count, 0);
        assert_int_equal(scen.map[0], 0);
    }
}

static void refuse(const char* text, uint32_t line) {
    refuse_bytes(text, strlen(text), line);
}

static void bad_heads(void** state) {
    (void)state;
    refuse("", 1);
    refuse("\n\n", 3);
    refuse("voxel 3 4 5\n", 1);
    refuse("version\n1\n", 1);
    refuse("version 2\nSimple.3dmap\n", 1);
    refuse("version 1 1\nSimple.3dmap\n", 1);
    refuse("version 1\n", 2);
    refuse("version 1", 1);
    refuse("\nversion 1\n\n\n", 5);
    refuse_bytes("version 1\na\0b\n", 14, 2);
    refuse_bytes("version 1\n\x01\x02\n", 13, 2);
    char text[400] = "version 1\n";
    memset(text + 10, 'm', 256);
    refuse(text, 2);
    text[10 + 255] = 0;
    vn_3dscen scen = accept(text, 0);
    assert_int_equal(strlen(scen.map), 255);
    vn_3dscen_free(&scen);
}

static void bad_lines(void** state) {
    (void)state;
    const char* bad[] = {
        "1 2 3 4 5 6 7.5",
        "1 2 3 4 5 6",
        "1",
        "1 2 3 4 5 6 7 8 9",
        "1 2 3 4 5 x 7 8",
        "1 2 3 4 5 6 x 8",
        "1 2 3 4 5 6 7 y",
        "1 2 3 4 5 6 -1 1",
        "1 2 3 4 5 6 1 -0.5",
        "1 2 3 4 5 6 nan 1",
        "1 2 3 4 5 6 inf 1",
        "1 2 3 4 5 6 1e400 1",
        "1 2 3 4 5 6 1 1e99999",
        "-1 2 3 4 5 6 7 8",
        "1 2 3 4 5 1048576 7 8",
        "1 2 3 4 5 6.5 7 8",
        "1 2 3 4 5 6 1,5 1",
        "1 2 3 4 5 6 0x1p3 1",
        "99999999999999999999 2 3 4 5 6 7 8",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char text[200];
        snprintf(text, sizeof text, HEAD "1 1 1 2 2 2 3 1\n\n%s\n1 1 1 2 2 2 3 1\n", bad[i]);
        refuse(text, 5);
        snprintf(text, sizeof text, HEAD "\r\n%s", bad[i]);
        refuse(text, 4);
    }
}

static void failing_source(void** state) {
    (void)state;
    const char* bytes = HEAD "1 1 1 2 2 2 3 1\n1 1 1 2 2 2 3 1\n";
    for (size_t at = 0; at < strlen(bytes); ++at) {
        vnt_text text = vnt_text_of(bytes, strlen(bytes));
        text.chunk = 1;
        text.fail_at = at;
        vn_source source = vnt_text_source(&text);
        vn_3dscen scen;
        assert_int_equal(vn_3dscen_read(&source, NULL, &scen, NULL), VN_IO);
        assert_null(scen.lines);
    }
}

static void check_belongs_to_map(void** state) {
    (void)state;
    vn_3dscen scen = accept(HEAD "0 0 0 9 9 9 3 1\n5 5 5 6 6 6 2 1\n", 2);
    const vn_voxel fits = {10, 10, 10};
    vn_detail detail = {0};
    assert_int_equal(vn_3dscen_check(&scen, "Simple.3dmap", fits, &detail), VN_OK);
    assert_int_equal(vn_3dscen_check(&scen, "/some/where/Simple.3dmap", fits, &detail), VN_OK);
    assert_int_equal(vn_3dscen_check(&scen, "C:\\maps\\Simple.3dmap", fits, &detail), VN_OK);
    assert_int_equal(vn_3dscen_check(&scen, NULL, fits, &detail), VN_OK);
    assert_int_equal(vn_3dscen_check(&scen, "maps/Complex.3dmap", fits, &detail), VN_MISMATCH);
    assert_int_equal(detail.line, 0);
    assert_non_null(strstr(detail.text, "Complex.3dmap"));
    assert_non_null(strstr(detail.text, "Simple.3dmap"));
    assert_int_equal(vn_3dscen_check(&scen, NULL, (vn_voxel){10, 10, 9}, &detail), VN_MISMATCH);
    assert_int_equal(detail.line, 3);
    assert_int_equal(detail.index, 0);
    vn_3dscen_free(&scen);
    scen = accept(HEAD "0 0 0 4 4 4 3 1\n\n5 5 5 1 1 1 2 1\n", 2);
    assert_int_equal(vn_3dscen_check(&scen, NULL, (vn_voxel){5, 9, 9}, &detail), VN_MISMATCH);
    assert_int_equal(detail.line, 5);
    assert_int_equal(detail.index, 1);
    assert_int_equal(vn_3dscen_check(&scen, NULL, (vn_voxel){5, 9, 9}, NULL), VN_MISMATCH);
    vn_3dscen_free(&scen);
}

static void running_out_of_memory(void** state) {
    (void)state;
    char bytes[8192] = HEAD;
    for (int i = 0; i < 300; ++i)
        strcat(bytes, "1 1 1 2 2 2 3.5 1\n");

    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_3dscen scen;
        vn_detail detail = {0};
        vn_status status = read_text(bytes, strlen(bytes), SIZE_MAX, &allocator, &scen, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(scen.line_count, memory.failed ? 0 : 300);
        assert_int_equal(memory.live_bytes, memory.failed ? 0 : 300 * sizeof(vn_scen_line));
        vn_3dscen_free(&scen);
        assert_int_equal(memory.live_blocks, 0);

        assert_false(memory.mismatch);
        if (!memory.failed) {
            assert_true(fail_at >= 3);
            break;
        }
    }
}

static void hostile_bytes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/3dscen hostile", 61));
    const char* seed_text = HEAD "56 76 52 48 85 45 15.31710829 1.054\r\n\n57 47 47 45 67 56 28.1e0 1\n";
    for (uint32_t round = 0; round < vnt_scale(20000, 1000000); ++round) {
        size_t size;
        char* bytes = vnt_text_spoil(&rng, seed_text, &size);
        vn_3dscen scen;
        vn_detail detail = {0};
        vn_status status = read_text(bytes, size, 1 + vni_rng_below(&rng, 64), NULL, &scen, &detail);

        assert_true(status == VN_OK || (status == VN_BAD_FORMAT && detail.line >= 1 && detail.line <= 80));
        for (uint64_t i = 0; i < scen.line_count; ++i) {
            const vn_scen_line* line = &scen.lines[i];
            assert_true(line->cost >= 0);
            assert_true(line->cost - line->cost == 0);
            assert_true(line->ratio >= 0);
            assert_true(line->ratio - line->ratio == 0);
            assert_true(line->start.x >= 0);
            assert_true(line->goal.z >= 0);
        }

        vn_3dscen_free(&scen);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_scenarios),
        cmocka_unit_test(bad_heads),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(failing_source),
        cmocka_unit_test(check_belongs_to_map),
        cmocka_unit_test(running_out_of_memory),
        cmocka_unit_test(hostile_bytes),
    };

    return cmocka_run_group_tests_name("io/3dscen", tests, NULL, NULL);
}
