/// Many targets: each as a search of its own finds it where that is promised, free paths always, and a status
/// for each.
#include "classic_scene.h"

#define MAX_TARGETS 12

static const vn_classic_algo algos[5] = {VN_CLASSIC_ASTAR, VN_CLASSIC_DIJKSTRA, VN_CLASSIC_GREEDY,
                                         VN_CLASSIC_THETA, VN_CLASSIC_LAZY_THETA};

static void check_points(const vnt_classics* s, vn_classic_kind kind, const vn_classic_target* t,
                         vn_point start, vn_point goal) {
    uint32_t count;
    const vn_point* points = vn_classic_query_points(s->queries[kind], &count);
    assert_true(t->point_count > 0);
    assert_true(t->first_point + t->point_count <= count);
    points += t->first_point;
    assert_memory_equal(&points[0], &start, sizeof start);
    assert_memory_equal(&points[t->point_count - 1], &goal, sizeof goal);
    assert_true(vn_space_check_path(s->space, points, t->point_count, NULL));

    double length = 0;
    for (uint32_t i = 1; i < t->point_count; ++i) {
        double x = (double)points[i].x - points[i - 1].x, y = (double)points[i].y - points[i - 1].y,
               z = (double)points[i].z - points[i - 1].z;
        length += sqrt(x * x + y * y + z * z) / VN_LATTICE;
    }

    assert_true(fabs(length - t->length) <= 1e-9 * (1 + length));
    assert_true(t->length <= t->cost + 1e-9);
}

static vn_classic_request random_request(vni_rng* rng, const vnt_classics* s, vn_classic_kind kind,
                                         vn_voxel start) {
    vn_classic_request r = vn_default_classic_request();
    r.start = vnt_point_in(rng, start);
    r.algo = algos[vni_rng_below(rng, 5)];
    r.graph = (vn_classic_graph)vni_rng_below(rng, VN_GRAPH_COUNT);
    r.neighbours = vni_rng_below(rng, 2) ? 6 : 26;

    r.refine = (vn_refine)vni_rng_below(rng, VN_REFINE_COUNT);
    if (vn_classic_supports(s->kinds[kind], &r, NULL) != VN_OK)
        r.refine = VN_REFINE_NONE;

    return r;
}

static uint32_t random_targets(vni_rng* rng, const vnt_classics* s, vn_point targets[MAX_TARGETS]) {
    uint32_t count = vni_rng_below(rng, MAX_TARGETS + 1);
    for (uint32_t i = 0; i < count; ++i) {
        targets[i] = vnt_random_point(rng, s->voxels.dims, vni_rng_below(rng, 2) ? VN_LATTICE / 2 : 37);
        if (i > 0 && vni_rng_below(rng, 4) == 0)
            targets[i] = targets[i - 1];
    }

    return count;
}

/// Each target as if it were searched alone: the same status, and the same cost where that is promised.
static void check_singly(const vnt_classics* s, vn_classic_kind kind, vn_classic_request r,
                         const vn_point* targets, uint32_t count, vn_classic_sharing sharing,
                         const vn_classic_target* out, uint64_t* expanded) {
    *expanded = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vn_classic_result single;
        r.goal = targets[i];
        vn_status want = vn_classic_query_find_path(s->queries[kind], &r, &single, NULL);
        *expanded += single.path.expanded;
        assert_int_equal(want, out[i].status);

        if (out[i].status != VN_OK)
            continue;
        double tolerance = 1e-9 * (1 + single.search_cost);
        bool kept = sharing == VN_SHARING_KEPT_KEYS, exact = sharing == VN_SHARING_EXACT;
        bool optimal = r.algo == VN_CLASSIC_DIJKSTRA || (r.algo == VN_CLASSIC_ASTAR && !kept);

        assert_true(optimal ? out[i].optimal : r.algo == VN_CLASSIC_ASTAR || !out[i].optimal);
        if (out[i].optimal || exact)
            assert_true(fabs(out[i].cost - single.search_cost) <= tolerance);
    }
}

/// Random targets, some at one place, some blocked; the sums are right.
static void check_many(vni_rng* rng, const vnt_classics* s, vn_classic_kind kind) {
    vn_point targets[MAX_TARGETS];
    vn_classic_target out[MAX_TARGETS];
    vn_classic_result total;
    vn_voxel v;

    if (!vnt_random_free_voxel(rng, &s->voxels, &v))
        return;
    const vn_classic_request r = random_request(rng, s, kind, v);
    const uint32_t count = random_targets(rng, s, targets);

    vn_classic_sharing sharing = (vn_classic_sharing)vni_rng_below(rng, VN_SHARING_COUNT);
    vn_status status =
        vn_classic_query_find_many(s->queries[kind], &r, targets, count, sharing, out, &total, NULL);
    vn_status first = VN_OK;
    double lengths = 0;

    uint32_t points = 0;
    for (uint32_t i = 0; i < count; ++i) {
        first = first == VN_OK ? out[i].status : first;
        if (out[i].status == VN_OK) {
            check_points(s, kind, &out[i], r.start, targets[i]);
            lengths += out[i].length;
            points += out[i].point_count;
        }
    }

    assert_int_equal(status, first);
    assert_true(total.path.status == status);
    assert_true(total.path.point_count == points);
    assert_true(fabs(total.path.length - lengths) <= 1e-9 * (1 + lengths));
    uint64_t singly;
    check_singly(s, kind, r, targets, count, sharing, out, &singly);
    if (r.algo == VN_CLASSIC_DIJKSTRA)
        assert_true(total.path.expanded <= singly);
}

static void test_many(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic many", 931));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 10)));
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
            for (int k = 0; k < 3; ++k)
                check_many(&rng, &s, (vn_classic_kind)kind);
        vnt_classics_free(&s);
    }
}

/// A*'s costs above the least, of random targets; each is flagged. `proven` counts those that are not.
static uint32_t count_lost(vn_classic_sharing sharing, uint32_t* proven) {
    vni_rng rng = vni_rng_make(vnt_seed("classic many kept", 934));
    uint32_t lost = 0;
    for (uint32_t i = 0; i < vnt_scale(20, 300); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 14)));
        vn_classic_request r = vn_default_classic_request();
        vn_point targets[MAX_TARGETS];
        vn_classic_target out[MAX_TARGETS];

        vn_voxel v;
        for (int k = -1; k < MAX_TARGETS && vnt_random_free_voxel(&rng, &s.voxels, &v); ++k)
            *(k < 0 ? &r.start : &targets[k]) = r.goal = vn_voxel_center(v);

        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT && vn_space_point_free(s.space, r.goal); ++kind) {
            vn_classic_query_find_many(s.queries[kind], &r, targets, MAX_TARGETS, sharing, out, NULL, NULL);
            for (int k = 0; k < MAX_TARGETS; ++k) {
                vn_classic_result single;
                r.goal = targets[k];
                if (vn_classic_query_find_path(s.queries[kind], &r, &single, NULL) != VN_OK)
                    continue;

                bool is_dearer = out[k].cost > single.search_cost * (1 + 1e-9);
                assert_false(is_dearer && out[k].optimal);
                lost += is_dearer;
                *proven += out[k].optimal;
            }
        }

        vnt_classics_free(&s);
    }

    return lost;
}

/// Keys that are kept lose the least cost of A*, and say where; new keys do not.
static void test_lost(void** state) {
    (void)state;
    uint32_t proven_new = 0, proven_kept = 0;
    assert_int_equal(count_lost(VN_SHARING_NEW_KEYS, &proven_new), 0);
    uint32_t lost = count_lost(VN_SHARING_KEPT_KEYS, &proven_kept);
    print_message("keys kept: %u of %u not the least, %u proven\n", lost, proven_new, proven_kept);
    assert_true(lost > 0);
    assert_true(proven_kept > 0);
    assert_true(proven_kept + lost <= proven_new);
}

/// The start touches two rooms that do not reach each other: each target is reached in its own.
static void test_two_rooms(void** state) {
    (void)state;
    vnt_classics s = {.voxels = vnt_voxels_make((vn_voxel){8, 8, 4})};
    vn_jobs serial = vn_serial_jobs();
    for (int32_t i = 0; i < 256; ++i)
        if ((i % 8 < 4) != (i / 8 % 8 < 4))
            vnt_voxels_block(&s.voxels, i % 8, i / 8 % 8, i / 64);

    s.space = vnt_voxels_cells(&s.voxels, &serial);
    const vn_point targets[4] = {{600, 600, 600}, {7000, 7000, 600}, {700, 3000, 700}, {5000, 5000, 2000}};
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query = vn_default_classic_query_def();
        vn_classic_request r = vn_default_classic_request();
        vn_classic_target out[4];
        vn_classic_result total;
        def.kind = (vn_classic_kind)kind;
        r.start = (vn_point){4 * VN_LATTICE, 4 * VN_LATTICE, 1000};
        assert_int_equal(vn_classic_build(s.space, &def, &s.kinds[kind], NULL), VN_OK);

        assert_int_equal(vn_classic_query_create(s.kinds[kind], &query, &s.queries[kind], NULL), VN_OK);
        for (int sharing = 0; sharing < VN_SHARING_COUNT; ++sharing) {
            r.budget = 0;
            assert_int_equal(vn_classic_query_find_many(s.queries[kind], &r, targets, 4,
                                                        (vn_classic_sharing)sharing, out, &total, NULL),
                             VN_OK);
            for (int i = 0; i < 4; ++i)
                check_points(&s, (vn_classic_kind)kind, &out[i], r.start, targets[i]);

            r.budget = total.path.expanded - 1;
            vn_status status = vn_classic_query_find_many(s.queries[kind], &r, targets, 4,
                                                          (vn_classic_sharing)sharing, out, &total, NULL);
            assert_int_equal(status, VN_BUDGET_SPENT);
            assert_true(out[0].status == VN_OK);
            assert_true(total.path.expanded == r.budget);
            r.budget = 1;
            vn_classic_query_find_many(s.queries[kind], &r, targets, 4, (vn_classic_sharing)sharing, out,
                                       &total, NULL);

            for (int i = 0; i < 4; ++i)
                assert_int_equal(out[i].status, VN_BUDGET_SPENT);

            assert_int_equal(total.path.expanded, 1);
        }
    }

    vnt_classics_free(&s);
}

/// One target each: reached, blocked, beyond a wall, outside, at the start.
static void check_statuses(vn_classic_query* query, vn_classic_request r, const vn_point targets[5],
                           vn_classic_sharing sharing) {
    const vn_status want[5] = {VN_OK, VN_GOAL_BLOCKED, VN_NO_PATH, VN_OUTSIDE, VN_OK};
    vn_classic_target out[5];
    vn_classic_result total;
    assert_int_equal(vn_classic_query_find_many(query, &r, targets, 5, sharing, out, &total, NULL),
                     VN_GOAL_BLOCKED);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(out[i].status, want[i]);

    assert_true(out[4].length == 0);
    assert_true(out[4].point_count == 1);
    assert_int_equal(vn_classic_query_find_many(query, &r, targets, 0, sharing, out, NULL, NULL), VN_OK);

    r.budget = 1;
    vn_classic_query_find_many(query, &r, targets, 5, sharing, out, &total, NULL);
    assert_int_equal(out[0].status, VN_BUDGET_SPENT);
    assert_true(total.path.expanded == 1);

    r.budget = 0;
    r.start = targets[1];
    assert_int_equal(vn_classic_query_find_many(query, &r, targets, 5, sharing, out, &total, NULL),
                     VN_START_BLOCKED);
    assert_true(out[3].status == VN_START_BLOCKED);
    assert_true(total.path.end == VN_END_START);
    assert_true(total.path.has_nearest);
}

/// What cannot be asked for with many targets.
static void check_unsupported(vn_classic_query* query, vn_classic_request r, const vn_point targets[5],
                              vn_classic_algo algo) {
    vn_classic_target out[5];
    vn_classic_result total;
    vn_detail detail;
    r.algo = algo;
    assert_int_equal(
        vn_classic_query_find_many(query, &r, targets, 5, VN_SHARING_NEW_KEYS, out, &total, &detail),
        VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "many targets"));
    assert_int_equal(total.path.status, VN_UNSUPPORTED);

    r.algo = VN_CLASSIC_ASTAR;
    assert_int_equal(vn_classic_query_find_many(query, &r, targets, 5, VN_SHARING_COUNT, out, NULL, &detail),
                     VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "sharing"));
}

static void test_statuses(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic many statuses", 932));
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){16, 8, 8});
    for (int32_t i = 0; i < 64; ++i)
        vnt_voxels_block(&voxels, 10, i % 8, i / 8);

    vnt_voxels_block(&voxels, 3, 3, 3);
    vnt_classics s = vnt_classics_make(&rng, voxels);
    const vn_point targets[5] = {vn_voxel_center((vn_voxel){6, 6, 6}), vn_voxel_center((vn_voxel){3, 3, 3}),
                                 vn_voxel_center((vn_voxel){12, 1, 1}), vn_voxel_center((vn_voxel){20, 1, 1}),
                                 vn_voxel_center((vn_voxel){1, 1, 1})};

    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (int k = 0; k < 15; ++k) {
            vn_classic_request r = vn_default_classic_request();
            r.start = vn_voxel_center((vn_voxel){1, 1, 1});
            r.algo = algos[k / VN_SHARING_COUNT];
            check_statuses(s.queries[kind], r, targets, (vn_classic_sharing)(k % VN_SHARING_COUNT));
            check_unsupported(s.queries[kind], r, targets, k % 2 ? VN_CLASSIC_ARA : VN_CLASSIC_ASTAR_LIST);
        }

    vnt_classics_free(&s);
}

/// Too many targets, too many points for all paths, and no allocation.
static void test_capacity(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic many capacity", 933));
    vnt_classics s = vnt_classics_make(&rng, vnt_voxels_make((vn_voxel){9, 9, 9}));
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vnt_memory memory = vnt_memory_make();
        vn_classic_query_def def = vn_default_classic_query_def();
        vn_classic_query* query;
        vn_classic_request r = vn_default_classic_request();
        vn_classic_target out[4];
        vn_detail detail;
        const vn_point targets[4] = {
            {4000, 100, 100}, {100, 4000, 5000}, {100, 100, 9000}, {9000, 9000, 9000}};
        def.max_targets = 3;
        def.max_points = 8;
        def.allocator = vnt_memory_allocator(&memory);
        assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &query, NULL), VN_OK);
        uint64_t calls = memory.calls;
        r.start = (vn_point){50, 50, 50};
        assert_int_equal(
            vn_classic_query_find_many(query, &r, targets, 4, VN_SHARING_EXACT, out, NULL, &detail),
            VN_CAPACITY);
        assert_non_null(strstr(detail.text, "max_targets"));
        r.refine = VN_REFINE_PRUNE;
        vn_status status =
            vn_classic_query_find_many(query, &r, targets, 3, VN_SHARING_EXACT, out, NULL, NULL);
        assert_int_equal(status, kind == VN_CLASSIC_GRID ? VN_CAPACITY : VN_OK);
        assert_int_equal(memory.calls, calls);
        vn_classic_query_destroy(query);
        assert_int_equal(memory.live_blocks, 0);
    }

    vnt_classics_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_lost),
                                       cmocka_unit_test(test_two_rooms), cmocka_unit_test(test_statuses),
                                       cmocka_unit_test(test_capacity)};
    return cmocka_run_group_tests_name("classic/classic_many", tests, NULL, NULL);
}
