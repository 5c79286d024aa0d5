/// Passes of ARA*, every status, bad requests, memory.
#include "classic_scene.h"

#include "space/space.h"

typedef struct passes {
    const vn_space* space;
    uint32_t count, stop_after;
    double cost, bound, weight;
} passes;

static bool on_pass(void* user, const vn_classic_pass* pass) {
    passes* p = user;
    assert_int_equal(pass->number, p->count++);
    assert_true(pass->cost <= p->cost + 1e-9);
    assert_true(pass->bound <= p->bound);
    assert_true(pass->weight < p->weight);
    assert_true(pass->bound >= 1);
    assert_true(pass->weight >= 1);
    assert_true(pass->point_count > 0);
    assert_true(vn_space_check_path(p->space, pass->points, pass->point_count, NULL));
    p->cost = pass->cost;
    p->bound = pass->bound;
    p->weight = pass->weight;

    return p->count != p->stop_after;
}

static void test_passes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic passes", 914));
    uint32_t several = 0;
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 14)));
        vn_voxel a, b;
        vn_classic_kind kind = (vn_classic_kind)vni_rng_below(&rng, VN_CLASSIC_KIND_COUNT);
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_classic_request r = vn_default_classic_request();
            vn_classic_result result;
            passes p = {s.space, 0, i % 3 ? 0 : 1, HUGE_VAL, HUGE_VAL, HUGE_VAL};
            r.start = vn_voxel_center(a);
            r.goal = vn_voxel_center(b);
            r.algo = VN_CLASSIC_ARA;
            r.on_pass = on_pass;
            r.on_pass_user = &p;
            vn_status status = vn_classic_query_find_path(s.queries[kind], &r, &result, NULL);

            assert_int_equal(result.passes, p.count);
            if (status == VN_OK) {
                several += p.count > 1;
                assert_true(p.stop_after == 0 || p.count <= p.stop_after);
                assert_true(result.path.bound == p.bound);
                assert_true(fabs(result.search_cost - p.cost) <= 1e-9);
                assert_true(p.stop_after || p.bound == 1);
                vnt_check_answer(s.space, s.queries[kind], &result, r.start, r.goal);
            } else {
                assert_true(p.count == 0);
                assert_true(status == VN_NO_PATH);
            }
        }

        vnt_classics_free(&s);
    }

    assert_true(several > 3);
}

static void test_statuses(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic statuses", 915));
    for (int open = 0; open < 2; ++open) {
        vnt_classics s = vnt_rooms(&rng, open);
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
            for (size_t i = 0; i < VNT_ALGO_COUNT; ++i) {
                vn_classic_request r = vnt_through_the_window();
                vn_classic_result result;
                r.algo = vnt_algos[i];
                if (!vnt_should_work((vn_classic_kind)kind, &r))
                    continue;

                assert_int_equal(vn_classic_query_find_path(s.queries[kind], &r, &result, NULL),
                                 open ? VN_OK : VN_NO_PATH);
                if (!open)
                    continue;

                assert_true((result.sight_checks > 0) == vnt_is_any_angle(r.algo));
                assert_true((result.scanned > 0) == (r.algo == VN_CLASSIC_JPS || r.algo == VN_CLASSIC_JPS6));
                r.budget = 1;
                assert_int_equal(vn_classic_query_find_path(s.queries[kind], &r, &result, NULL),
                                 VN_BUDGET_SPENT);
                assert_true(result.path.expanded == 1);
                assert_true(result.path.bound == 0);
                uint32_t count;
                vn_classic_query_points(s.queries[kind], &count);
                assert_int_equal(count, 0);
                vn_classic_query_def def = vn_default_classic_query_def();
                vn_classic_query* small;
                def.max_nodes = 64;
                def.max_points = 2;
                r.budget = 0;
                assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &small, NULL), VN_OK);
                vn_detail detail = {0};
                assert_int_equal(vn_classic_query_find_path(small, &r, &result, &detail), VN_CAPACITY);
                assert_non_null(strstr(detail.text, "max_"));
                vn_classic_query_destroy(small);
            }

        vnt_classics_free(&s);
    }
}

/// ARA* that is cut short after its first path says so, and promises what its last pass did.
static void test_passes_cut_short(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic cut short", 920));
    vnt_classics s = vnt_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_request r = vnt_through_the_window();
        vn_classic_result whole, result;
        r.algo = VN_CLASSIC_ARA;
        r.graph = VN_GRAPH_CENTRES;
        uint32_t cut_short = 0;

        assert_int_equal(vn_classic_query_find_path(s.queries[kind], &r, &whole, NULL), VN_OK);
        for (r.budget = 1; r.budget < whole.path.expanded; ++r.budget) {
            vn_status status = vn_classic_query_find_path(s.queries[kind], &r, &result, NULL);
            assert_int_equal(result.path.reason, VN_BUDGET_SPENT);
            assert_true(status == VN_OK || (status == VN_BUDGET_SPENT && result.path.bound == 0));
            if (status != VN_OK)
                continue;

            vnt_check_answer(s.space, s.queries[kind], &result, r.start, r.goal);
            assert_true(result.path.bound == 0 ||
                        result.search_cost <= result.path.bound * whole.search_cost + 1e-9);
            ++cut_short;
        }

        assert_true(cut_short > 0 || whole.passes == 1);
    }

    vnt_classics_free(&s);
}

static void expect(const vn_classic_query* query, const vn_classic_request* r, vn_status want,
                   const char* word) {
    vn_classic_result result;
    vn_detail detail = {0};
    assert_int_equal(vn_classic_query_find_path((vn_classic_query*)(uintptr_t)query, r, &result, &detail),
                     want);
    assert_int_equal(result.path.status, want);

    assert_int_equal(result.path.reason, want);
    if (strstr(detail.text, word) == NULL)
        fail_msg("'%s' lacks '%s'", detail.text, word);

    uint32_t count; // a refused request leaves no path of the one before
    vn_classic_query_points(query, &count);
    assert_true((count > 0) == (want == VN_OK));
}

static void check_algos(const vnt_classics* s) {
    for (int algo = 0; algo <= VN_CLASSIC_ALGO_COUNT; ++algo) {
        // theta-fast runs on graphs with kinds of nodes only, which no classic has
        bool exists = algo < VN_CLASSIC_ALGO_COUNT && algo != VN_CLASSIC_THETA_FAST,
             jumps = algo == VN_CLASSIC_JPS || algo == VN_CLASSIC_JPS6;
        assert_int_equal(vn_classic_has_algo(s->kinds[VN_CLASSIC_GRID], (vn_classic_algo)algo), exists);
        assert_int_equal(vn_classic_has_algo(s->kinds[VN_CLASSIC_OCTREE], (vn_classic_algo)algo),
                         exists && !jumps);
    }
}

/// Words that do not exist, and combinations that no search serves.
static void check_bad_words(vn_classic_query* grid, vn_classic_query* tree, const vn_classic_request good) {
    vn_classic_request r = good;
    r.cookie = 0;
    expect(grid, &r, VN_BAD_DEF, "vn_default_classic_request");
    r = good, r.algo = (vn_classic_algo)99;
    expect(grid, &r, VN_UNSUPPORTED, "99");
    r = good, r.graph = (vn_classic_graph)7;
    expect(grid, &r, VN_UNSUPPORTED, "7");
    r = good, r.heuristic = (vn_heuristic)99;
    expect(grid, &r, VN_UNSUPPORTED, "99");
    r = good, r.refine = (vn_refine)99;
    expect(grid, &r, VN_UNSUPPORTED, "99");
    r = good, r.refine = VN_REFINE_TAUT;
    expect(tree, &r, VN_UNSUPPORTED, "taut");
    r = good, r.neighbours = 18;
    expect(grid, &r, VN_UNSUPPORTED, "18");
    r = good, r.algo = VN_CLASSIC_JPS;
    expect(tree, &r, VN_UNSUPPORTED, "grid view");
    r.graph = VN_GRAPH_TRANSITIONS;
    expect(grid, &r, VN_UNSUPPORTED, "grid view");
    r = good, r.algo = VN_CLASSIC_JPS, r.neighbours = 6;
    expect(grid, &r, VN_UNSUPPORTED, "jps6");
    r = good, r.refine = VN_REFINE_FUNNEL;
    expect(grid, &r, VN_UNSUPPORTED, "corridor");
    r.algo = VN_CLASSIC_LAZY_THETA;
    expect(tree, &r, VN_UNSUPPORTED, "lazy-theta");
}

static void check_bad_numbers(vn_classic_query* grid, vn_classic_query* tree, const vn_classic_request good) {
    vn_classic_request r = good;
    r.weight = 0.5;
    expect(grid, &r, VN_BAD_ARGUMENT, "0.5");
    r.weight = (double)NAN;
    expect(grid, &r, VN_BAD_ARGUMENT, "weight");
    r = good, r.g_weight = 1.5;
    expect(grid, &r, VN_BAD_ARGUMENT, "1.5");
    r.g_weight = r.h_weight = 0;
    expect(tree, &r, VN_BAD_ARGUMENT, "both 0");
    r.g_weight = (double)NAN;
    expect(tree, &r, VN_BAD_ARGUMENT, "weights");
    r = good, r.algo = VN_CLASSIC_GREEDY, r.h_weight = 0.5;
    expect(grid, &r, VN_UNSUPPORTED, "greedy");
    r = good, r.snap_distance = -1;
    expect(grid, &r, VN_BAD_ARGUMENT, "snap");
    r = good, r.algo = VN_CLASSIC_ARA, r.ara_first = 0;
    expect(grid, &r, VN_BAD_ARGUMENT, "ara");
    r = good, r.algo = VN_CLASSIC_ARA, r.ara_step = 0;
    expect(tree, &r, VN_BAD_ARGUMENT, "pass");
    r.ara_step = 1e-9;
    expect(tree, &r, VN_BAD_ARGUMENT, "pass");
}

static void test_bad_requests(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic requests", 916));
    vnt_classics s = vnt_rooms(&rng, true);
    vn_classic_query *grid = s.queries[VN_CLASSIC_GRID], *tree = s.queries[VN_CLASSIC_OCTREE];
    const vn_classic_request good = vnt_through_the_window();
    expect(grid, &good, VN_OK, "");
    expect(tree, &good, VN_OK, "");
    check_algos(&s);
    check_bad_words(grid, tree, good);
    check_bad_numbers(grid, tree, good);
    expect(grid, &good, VN_OK, "");
    vnt_classics_free(&s);
}

/// Ids of faces do not fit where those of voxels do.
static void test_too_many_faces(void** state) {
    (void)state;
    vnt_voxels voxels = {{1200, 1200, 1100}, NULL};
    vn_allocator allocator = vn_default_allocator();
    vn_space space = {.allocator = allocator, .resolution = 1};
    assert_int_equal(vni_occupancy_make(&allocator, voxels.dims, &space.occupancy, NULL), VN_OK);
    vn_classic_def def = vn_default_classic_def();
    vn_classic* classic;
    vn_classic_request r = vn_default_classic_request();
    vn_detail detail;
    assert_int_equal(vn_classic_build(&space, &def, &classic, NULL), VN_OK);
    assert_int_equal(vn_classic_supports(classic, &r, NULL), VN_OK);
    r.graph = VN_GRAPH_TRANSITIONS;
    assert_int_equal(vn_classic_supports(classic, &r, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "face"));
    vn_classic_destroy(classic);
    vni_occupancy_free(&space.occupancy);
}

static void test_no_allocation_in_a_search(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic allocation", 918));
    vnt_classics s = vnt_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vnt_memory memory = vnt_memory_make();
        vn_classic_query_def def = vn_default_classic_query_def();
        def.allocator = vnt_memory_allocator(&memory);
        vn_classic_query* query;
        assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &query, NULL), VN_OK);
        uint64_t calls = memory.calls;
        vn_memory report;
        vn_classic_query_get_memory(query, &report);

        assert_int_equal(report.total, memory.live_bytes);
        for (size_t i = 0; i < VNT_ALGO_COUNT; ++i)
            for (int refine = 0; refine < VN_REFINE_COUNT; ++refine) {
                vn_classic_request r = vnt_through_the_window();
                vn_classic_result result;
                r.algo = vnt_algos[i];
                r.refine = (vn_refine)refine;
                r.check = true;

                if (!vnt_should_work((vn_classic_kind)kind, &r))
                    continue;
                assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OK);
                assert_true(result.path.checked);
            }

        assert_int_equal(memory.calls, calls);
        vn_classic_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
    }

    vnt_classics_free(&s);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic memory", 919));
    vnt_classics s = vnt_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (uint64_t k = 0;; ++k) {
            vnt_memory memory = vnt_memory_make();
            memory.fail_at = k;
            vn_classic_def def = vn_default_classic_def();
            vn_classic_query_def query_def = vn_default_classic_query_def();
            def.allocator = query_def.allocator = vnt_memory_allocator(&memory);
            def.kind = (vn_classic_kind)kind;
            vn_classic* classic;
            vn_classic_query* query = NULL;
            vn_detail detail = {0};

            vn_status status = vn_classic_build(s.space, &def, &classic, &detail);
            if (status == VN_OK) {
                vn_memory report;
                vn_classic_get_memory(classic, &report);
                assert_int_equal(report.total, memory.live_bytes);
                status = vn_classic_query_create(classic, &query_def, &query, &detail);
            }

            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_int_equal(detail.text[0] != 0, memory.failed);
            vn_classic_query_destroy(query);
            vn_classic_destroy(classic);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);

            if (!memory.failed)
                break;
        }

    vnt_classics_free(&s);
}

/// After a request that is refused there are no points of the one before.
static void test_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic refused", 921));
    vnt_classics s = vnt_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (int many = 0; many < 2; ++many) {
            vn_classic_query* query = s.queries[kind];
            vn_classic_request right = vnt_through_the_window(), wrong = right;
            vn_classic_result result;
            vn_classic_target target;
            uint32_t count;
            assert_int_equal(vn_classic_query_find_path(query, &right, &result, NULL), VN_OK);
            vn_classic_query_points(query, &count);
            assert_true(count > 0);
            wrong.weight = -1;
            vn_status status = many ? vn_classic_query_find_many(query, &wrong, &right.goal, 1,
                                                                 (vn_classic_sharing)0, &target, NULL, NULL)
                                    : vn_classic_query_find_path(query, &wrong, &result, NULL);
            assert_true(status != VN_OK);
            vn_classic_query_points(query, &count);
            assert_int_equal(count, 0);
        }

    vnt_classics_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),           cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_passes_cut_short), cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_too_many_faces),   cmocka_unit_test(test_no_allocation_in_a_search),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("classic/classic_statuses", tests, NULL, NULL);
}
