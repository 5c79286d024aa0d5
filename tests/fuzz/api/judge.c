/// tests/fuzz/api/judge.c: what must hold of every call.
#include "tests/fuzz/api/api.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0x5a

static bool is_verbose(void) {
    static int verbose = -1;
    if (verbose < 0)
        verbose = getenv("VN_FUZZ_VERBOSE") != NULL;
    return verbose > 0;
}

vn_detail* vnf_detail(vnf_api* api) {
    memset(&api->detail, UNTOUCHED, sizeof api->detail);
    vnf_begin_call(api);
    return &api->detail;
}

void vnf_begin_call(vnf_api* api) {
    api->failures_before = atomic_load(&api->heap.failures);
}

vn_status vnf_judge_plain(vnf_api* api, vn_status status) {
    VNF_REQUIRE((unsigned)status < VN_STATUS_COUNT);
    if (is_verbose())
        fprintf(stderr, "    %s\n", vn_status_word(status));
    if (status == VN_OUT_OF_MEMORY)
        VNF_REQUIRE(atomic_load(&api->heap.failures) != api->failures_before);
    return status;
}

static bool is_untouched(const vn_detail* detail) {
    vn_detail fresh;
    memset(&fresh, UNTOUCHED, sizeof fresh);
    return memcmp(&fresh, detail, sizeof fresh) == 0;
}

vn_status vnf_judge(vnf_api* api, vn_status status) {
    vnf_judge_plain(api, status);
    if (status == VN_OK) {
        VNF_REQUIRE(is_untouched(&api->detail));
        vnf_success(api);
    } else {
        VNF_REQUIRE(api->detail.status == status);
        VNF_REQUIRE(memchr(api->detail.text, '\0', sizeof api->detail.text) != NULL);
        VNF_REQUIRE(api->detail.text[0] != '\0');
    }

    return status;
}

void vnf_success(vnf_api* api) {
    ++api->successes;
}

void vnf_note(const char* name, bool wild, uint32_t countdown) {
    if (!is_verbose())
        return;

    fprintf(stderr, "%s%s", name, wild ? " (wild)" : "");
    if (countdown > 0)
        fprintf(stderr, " (allocation %u fails)", countdown);

    fprintf(stderr, "\n");
}

// ---------------------------------------------------------------------------------------------- drawing

static void draw_line(void* user, vn_dvec3 a, vn_dvec3 b, vn_color color) {
    (void)a, (void)b, (void)color;
    ++*(uint32_t*)user;
}

static void draw_triangle(void* user, vn_dvec3 a, vn_dvec3 b, vn_dvec3 c, vn_color color) {
    (void)c;
    draw_line(user, a, b, color);
}

static void draw_text(void* user, vn_dvec3 at, const char* text, vn_color color) {
    VNF_REQUIRE(text != NULL);
    draw_line(user, at, at, color);
}

vn_draw vnf_draw(uint32_t* calls, uint32_t limit) {
    const vn_draw draw = {draw_line, draw_line, draw_triangle, draw_text, calls, limit};
    return draw;
}
