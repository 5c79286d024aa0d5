/// tests/unit/run/test_krafft.c: flights through Krafft's scene: arrival, latencies, the same bytes with any
/// number of workers, refusals, failing allocations.
#include "fly.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "volnav/run.h"

static vn_run_def def_of(const char* algo, const char* space) {
    vn_run_def def = vn_default_run_def();
    def.scene = "krafft";
    def.algo = algo;
    def.space = space;
    return def;
}

static void expect_arrival(const vn_run_def* def) {
    const vn_run_result result = fly(def);
    assert_int_equal(result.end, VN_RUN_ARRIVED);
    assert_int_equal(result.arrived, 1);
    assert_int_equal(result.collisions, 0);
    assert_int_equal(result.wall_hits, 0);
    assert_int_equal(result.unverified, 0);
    assert_true(result.clearance > 0.09 && result.wall_clearance > 0.09);
    assert_true(result.length > 60 && result.length < 6 * result.seconds);
}

static void test_cells(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("krafft/cells", 900000);
    const uint32_t runs = vnt_scale(4, 200);
    vn_run_def def = def_of(NULL, NULL);
    for (uint32_t i = 0; i < runs; ++i) {
        def.seed = seed + i;
        def.variant = i % 2 == 0 ? "vertical" : "horizontal";
        expect_arrival(&def);
    }
}

/// What the agent knows is old: it keeps its distance all the same.
static void test_latency(void** state) {
    (void)state;
    vn_run_def def = def_of("cells", "cells");
    def.seed = vnt_seed("krafft/latency", 910000);
    def.latency = 0.282;
    expect_arrival(&def);
    def.latency = 0.328;
    expect_arrival(&def);
}

static void test_grid(void** state) {
    (void)state;
    vn_run_def def = def_of("mtdstar", "grid");
    def.seed = vnt_seed("krafft/grid", 920000);
    expect_arrival(&def);
}

/// It comes to stand between a rotor and a wall, more than four metres from all ways that nothing reaches.
static void test_beside_rotor(void** state) {
    (void)state;
    vn_run_def def = def_of("mtdstar", "grid");
    def.seed = 500379;
    expect_arrival(&def);
}

/// Beside a wall the nearest free point is on the face of a blocked voxel: a path begins in the free one.
static void test_beside_wall(void** state) {
    (void)state;
    vn_run_def def = def_of("mtdstar", "grid");
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_run_view view;
    uint32_t lost = 0;
    def.seed = 800375;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_OK);
    while (vn_run_step(run, &detail) == VN_RUNNING) {
        vn_run_get_view(run, &view);
        lost += view.path_count == 0;
    }

    vn_run_destroy(run);
    assert_int_equal(lost, 0);
    expect_arrival(&def);
}

/// A faster scene, longer steps and rarer plans.
static void test_settings(void** state) {
    (void)state;
    vn_run_def def = def_of("cells", "cells");
    def.seed = 3;
    def.speed = 1.3;
    def.step = 0.05;
    def.replan = 0.2;
    expect_arrival(&def);
}

/// By the rules of the theses: along the newest path, at constant speed, whatever comes.
static void test_thesis(void** state) {
    (void)state;
    vn_run_def def = def_of("mtdstar", "grid");
    def.rules = VN_RUN_THESIS;
    def.limit = 4;
    def.seed = 5;
    const vn_run_result now = fly(&def);
    assert_true(now.calls >= 40 || now.end != VN_RUN_TIMEOUT);
    assert_true(now.length > 0.5 * 6 * now.seconds && now.length <= 6 * now.seconds + 1e-9);
    def.latency = 0.328;
    assert_true(fly(&def).expanded != now.expanded);
}

/// One whose own voxel is blocked begins in a free one beside it, and no path is no reason to stop: A* on the
/// grid of Krafft 2019 is never without one, and arrives.
static void test_thesis_start(void** state) {
    (void)state;
    vn_run_def def = def_of("astar", "grid");
    def.rules = VN_RUN_THESIS;
    def.seed = 1000004;
    const vn_run_result result = fly(&def);
    assert_int_equal(result.end, VN_RUN_ARRIVED);
    assert_int_equal(result.collisions + result.wall_hits, 0);
    assert_int_equal(result.stopped, 0);
}

/// Graphs are updated one after the other: who learns late also plans seldom.
static void test_thesis_updates(void** state) {
    (void)state;
    vn_run_def def = def_of("astar", "hybrid");
    def.rules = VN_RUN_THESIS;
    def.limit = 3;
    def.latency = 0.05;
    assert_int_equal(fly(&def).calls, 30);
    def.latency = 0.3;
    assert_int_equal(fly(&def).calls, 10);
    def.replan = 0.1;
    assert_int_equal(fly(&def).calls, 30);
}

/// A weight on the heuristic and passes that fall faster expand less.
static void test_weights(void** state) {
    (void)state;
    static const char* const pairs[][2] = {{"astar", "astar-2"},
                                           {"theta", "theta-2"},
                                           {"dstar-lite", "dstar-lite-2"},
                                           {"ad-star", "ad-star-04"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        vn_run_def def = def_of(pairs[i][0], "grid");
        def.rules = VN_RUN_THESIS;
        def.limit = 0.2;
        def.seed = 12;
        const vn_run_result one = fly(&def);
        def.algo = pairs[i][1];
        const vn_run_result two = fly(&def);
        assert_int_equal(one.calls, two.calls);
        assert_true(two.expanded > 0 && two.expanded < one.expanded);
    }
}

static bool has_threads(void) {
    vn_run_def def = def_of("cells", "cells");
    vn_run* run = NULL;
    def.workers = 3;
    const vn_status status = vn_run_create(&def, &run, NULL);
    vn_run_destroy(run);
    return status == VN_OK;
}

static void test_workers(void** state) {
    (void)state;
    static const char* const pairs[][2] = {{"cells", "cells"}, {"mtdstar", "grid"}, {"theta", "grid"}};
    for (int i = 0; i < 3; ++i) {
        vn_run_def def = def_of(pairs[i][0], pairs[i][1]);
        def.limit = i == 0 ? 8 : 1.5;
        def.seed = 77;
        const vn_run_result alone = fly(&def);
        assert_true(fly(&def).hash == alone.hash);
        def.workers = has_threads() ? 3 : 0;
        const vn_run_result many = fly(&def);
        assert_true(many.hash == alone.hash);
        assert_int_equal(many.expanded, alone.expanded);
        assert_true(many.length == alone.length);
    }
}

/// Each pair flies a little, or is refused with a reason.
static void test_pairs(void** state) {
    (void)state;
    static const char* const algos[] = {"cells",   "astar",        "theta",          "theta-fast",
                                        "ara",     "dstar-lite",   "ad-star",        "mtdstar-basic",
                                        "mtdstar", "aamtdstar",    "aamtdstar-fast", "astar-2",
                                        "theta-2", "dstar-lite-2", "ara-04",         "ad-star-04"};
    static const char* const spaces[] = {"cells", "grid", "hybrid", "waypoints"};
    static const char* const refused[] = {
        "cells/grid",           "cells/hybrid",        "cells/waypoints",
        "theta-fast/cells",     "theta-fast/grid",     "theta-fast/waypoints",
        "aamtdstar-fast/cells", "aamtdstar-fast/grid", "aamtdstar-fast/waypoints"};
    const uint32_t every = vnt_scale(3, 1); // some of them; all in long runs
    uint32_t number = 0;
    for (size_t a = 0; a < sizeof algos / sizeof *algos; ++a)
        for (size_t s = 0; s < sizeof spaces / sizeof *spaces; ++s) {
            char name[64];
            bool is_refused = false;
            (void)snprintf(name, sizeof name, "%s/%s", algos[a], spaces[s]);
            for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
                is_refused = is_refused || strcmp(refused[i], name) == 0;
            vn_run_def def = def_of(algos[a], spaces[s]);
            vn_detail detail = {0};
            vn_run* run = NULL;
            if (!is_refused && number++ % every != 0)
                continue;
            const vn_status status = vn_run_create(&def, &run, &detail);
            assert_int_equal(status, is_refused ? VN_UNSUPPORTED : VN_OK);
            if (is_refused)
                assert_true(strlen(detail.text) > 5);
            for (int i = 0; i < 2 && run != NULL; ++i)
                assert_int_equal(vn_run_step(run, &detail), VN_RUNNING);
            vn_run_destroy(run);
        }
}

static void expect_refusal(const vn_run_def* def, vn_status expected) {
    vn_detail detail = {0};
    vn_run* run = NULL;
    assert_int_equal(vn_run_create(def, &run, &detail), expected);
    assert_null(run);
    assert_true(strlen(detail.text) > 5);
}

static void test_refusals(void** state) {
    (void)state;
    vn_run_def def = def_of(NULL, NULL);
    def.agents = 2;
    expect_refusal(&def, VN_UNSUPPORTED);
    def = def_of(NULL, NULL);
    def.obstacles = 3;
    expect_refusal(&def, VN_UNSUPPORTED);
    def = def_of(NULL, NULL);
    def.autopilot = VN_PILOT_RADAR;
    expect_refusal(&def, VN_UNSUPPORTED);
    def = def_of(NULL, NULL);
    def.radar = 4;
    expect_refusal(&def, VN_UNSUPPORTED);
    def = def_of(NULL, NULL);
    def.step = 0.01;
    expect_refusal(&def, VN_UNSUPPORTED);
    def = def_of(NULL, NULL);
    def.latency = 200;
    expect_refusal(&def, VN_UNSUPPORTED);
    expect_refusal(&(vn_run_def){.cookie = 0, .scene = "krafft"}, VN_BAD_DEF);
    def = def_of("jps", NULL);
    expect_refusal(&def, VN_NOT_FOUND);
}

static void test_view(void** state) {
    (void)state;
    vn_run_def def = def_of(NULL, NULL);
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_run_view view;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_OK);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(vn_run_step(run, &detail), VN_RUNNING);
    vn_run_get_view(run, &view);
    assert_true(view.seconds > 0.99 && view.seconds < 1.01);
    assert_non_null(view.world);
    assert_int_equal(view.agent_count, 1);
    assert_true(view.agents[0].position.x > 1.5);
    assert_true(view.thing_count >= 13 && view.thing_count <= 16);
    assert_true(view.path_count >= 2);
    vn_run_destroy(run);
}

/// Creates and steps a run with one allocation that fails.
static bool fails_cleanly(vn_run_def* def, vnt_memory* memory, uint64_t at) {
    *memory = vnt_memory_make();
    memory->fail_at = at;
    def->allocator = vnt_memory_allocator(memory);
    vn_detail detail = {0};
    vn_run* run = NULL;
    vn_status status = vn_run_create(def, &run, &detail);
    for (int i = 0; i < 3 && (status == VN_OK || status == VN_RUNNING); ++i)
        status = vn_run_step(run, &detail);
    assert_true(status == VN_RUNNING || status == VN_OUT_OF_MEMORY);
    vn_run_destroy(run);
    assert_int_equal(memory->live_blocks, 0);
    assert_false(memory->mismatch);
    return status == VN_OUT_OF_MEMORY;
}

static void test_memory(void** state) {
    (void)state;
    static const char* const pairs[][2] = {{"cells", "cells"}, {"mtdstar", "grid"}};
    for (int p = 0; p < 2; ++p) {
        vn_run_def def = def_of(pairs[p][0], pairs[p][1]);
        vnt_memory memory;
        assert_false(fails_cleanly(&def, &memory, UINT64_MAX));
        const uint64_t calls = memory.calls, tries = vnt_scale(20, 400);
        const uint64_t stride = calls / tries > 0 ? calls / tries : 1;
        uint64_t failed = 0, tried = 0;
        for (uint64_t at = 0; at < calls; at += stride, ++tried)
            failed += fails_cleanly(&def, &memory, at);
        assert_true(failed > tried / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),          cmocka_unit_test(test_latency),
        cmocka_unit_test(test_grid),           cmocka_unit_test(test_beside_rotor),
        cmocka_unit_test(test_beside_wall),    cmocka_unit_test(test_thesis_start),
        cmocka_unit_test(test_thesis_updates), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_thesis),         cmocka_unit_test(test_weights),
        cmocka_unit_test(test_workers),        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_view),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
