/// Every combination of space, graph, algorithm and refinement on random worlds: refused as the headers say,
/// or answered with a free path, at equal cost where theory says so; the core's answers; determinism.
#include "classic_scene.h"

#include "path/polyline.h"
#include "path/shorten.h"
#include "space/space.h"

/// Does the algorithm find the least cost on its graph?
static bool is_exact(vn_classic_algo algo) {
    return algo != VN_CLASSIC_GREEDY && !vnt_is_any_angle(algo);
}

/// Lengths after each refinement: never longer than without, and pruning after the funnel no longer than the
/// funnel.
static void check_refinements(const vnt_classics* s, vn_classic_kind kind, vn_classic_request r,
                              const vn_classic_result* plain) {
    double funnel = plain->path.length;
    for (int refine = 0; refine < VN_REFINE_COUNT; ++refine) {
        vn_classic_result result;
        vn_detail detail = {0};
        r.refine = (vn_refine)refine;
        vn_status status = vn_classic_query_find_path(s->queries[kind], &r, &result, &detail);

        assert_int_equal(vn_classic_supports(s->kinds[kind], &r, NULL) == VN_OK, vnt_should_work(kind, &r));
        if (!vnt_should_work(kind, &r)) {
            assert_int_equal(status, VN_UNSUPPORTED);
            assert_true(strlen(detail.text) > 20);
            continue;
        }

        assert_int_equal(status, VN_OK);
        vnt_check_answer(s->space, s->queries[kind], &result, r.start, r.goal);
        assert_true(result.search_cost == plain->search_cost);
        assert_true(result.path.bound == plain->path.bound);
        assert_true(result.path.length <= plain->path.length * (1 + 1e-12));
        if (refine == VN_REFINE_FUNNEL)
            funnel = result.path.length;

        if (refine == VN_REFINE_FUNNEL_PRUNE)
            assert_true(result.path.length <= funnel * (1 + 1e-12));

        if (refine == VN_REFINE_SMOOTH || refine == VN_REFINE_PRUNE)
            assert_true(result.path.point_count <= 2 || result.sight_checks > plain->sight_checks);
    }
}

/// All algorithms between two points on one graph.
static void check_graph(const vnt_classics* s, vn_classic_kind kind, vn_classic_request r, bool is_joined) {
    double least = -1, straight = 0;
    for (size_t i = 0; i < VNT_ALGO_COUNT; ++i) {
        vn_classic_result result;
        r.algo = vnt_algos[i];
        if (!vnt_should_work(kind, &r) || (r.algo == VN_CLASSIC_JPS6 && r.neighbours != 6)) {
            assert_int_equal(vn_classic_supports(s->kinds[kind], &r, NULL) == VN_OK,
                             vnt_should_work(kind, &r));
            continue;
        }

        vn_status status = vn_classic_query_find_path(s->queries[kind], &r, &result, NULL);
        assert_int_equal(status, is_joined ? VN_OK : VN_NO_PATH);
        assert_int_equal(result.path.reason, status);
        if (status != VN_OK)
            continue;

        vnt_check_answer(s->space, s->queries[kind], &result, r.start, r.goal);
        if (r.algo == VN_CLASSIC_ASTAR) {
            double x = (double)r.goal.x - r.start.x, y = (double)r.goal.y - r.start.y,
                   z = (double)r.goal.z - r.start.z;
            straight = sqrt(x * x + y * y + z * z) / VN_LATTICE;
            least = result.search_cost;
        }

        if (is_exact(r.algo)) {
            assert_true(fabs(result.search_cost - least) <= 1e-9 * (1 + least));
            assert_true(fabs(result.path.length - least) <= 1e-9 * (1 + least));
            assert_true(result.path.bound == 1);
        }

        assert_true(result.search_cost >= straight - 1e-9);
        assert_true(result.path.length >= straight - 1e-9);
        if (r.algo == VN_CLASSIC_GREEDY) {
            assert_true(result.search_cost >= least - 1e-9);
            assert_true(result.path.bound == 0);
        }

        if (vnt_is_any_angle(r.algo))
            assert_true(result.path.bound == 0);

        assert_true(result.path.touched >= result.closed);
        assert_true(result.closed > 0 || r.algo == VN_CLASSIC_ARA);
        assert_true(r.algo == VN_CLASSIC_ARA ? result.passes > 0 : result.path.expanded == result.closed);
        check_refinements(s, kind, r, &result);
    }
}

static void check_world(vni_rng* rng, const vnt_classics* s) {
    vn_voxel a, b;
    for (int pairs = 0; pairs < 2; ++pairs) {
        if (!vnt_random_free_voxel(rng, &s->voxels, &a) || !vnt_random_free_voxel(rng, &s->voxels, &b))
            return;
        if (vni_rng_below(rng, 6) == 0)
            b = a;

        vn_classic_request r = vn_default_classic_request();
        r.start = vnt_point_in(rng, a);
        r.goal = vnt_point_in(rng, b);
        unsigned char* joined = vnt_flood(&s->voxels, r.start);
        unsigned char* back = vnt_flood(&s->voxels, r.goal);

        bool is_joined = false;
        for (int32_t i = 0; i < s->voxels.dims.x * s->voxels.dims.y * s->voxels.dims.z; ++i)
            is_joined |= joined[i] && back[i];

        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
            for (int graph = 0; graph < VN_GRAPH_COUNT; ++graph) {
                r.graph = (vn_classic_graph)graph;
                r.neighbours = vni_rng_below(rng, 2) ? 6 : 26;
                check_graph(s, (vn_classic_kind)kind, r, is_joined);
            }

        free(joined);
        free(back);
    }
}

static void test_combinations(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic combinations", 911));
    for (uint32_t i = 0; i < vnt_scale(25, 300); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 9)));
        check_world(&rng, &s);
        vnt_classics_free(&s);
    }
}

/// A* and its kin on the grid: the same points and the same cost as vn_query_find_path.
static void test_the_core_agrees(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic and core", 912));
    static const vn_classic_algo algos[4] = {VN_CLASSIC_ASTAR, VN_CLASSIC_DIJKSTRA, VN_CLASSIC_GREEDY,
                                             VN_CLASSIC_ASTAR_LIST};
    for (uint32_t i = 0; i < vnt_scale(40, 500); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 12)));
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vn_voxel a, b;
        def.scratch = VN_SCRATCH_GRID;

        assert_int_equal(vn_query_create(s.space, &def, &query, NULL), VN_OK);
        for (int k = 0; k < 8 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                        vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++k) {
            vn_path_request core = vn_default_path_request();
            vn_classic_request ours = vn_default_classic_request();
            vn_path_result want;
            vn_classic_result result;
            core.start = ours.start = vnt_point_in(&rng, a);
            core.goal = ours.goal = vnt_point_in(&rng, b);
            ours.algo = algos[k % 4];
            assert_true(vn_algo_from_name(vn_classic_algo_name(ours.algo), &core.algo));
            core.neighbours = ours.neighbours = vni_rng_below(&rng, 2) ? 6 : 26;
            core.heuristic = ours.heuristic = (vn_heuristic)vni_rng_below(&rng, VN_HEURISTIC_COUNT);
            core.weight = ours.weight = k < 4 ? 0 : 1.7;
            core.budget = ours.budget = k == 7 ? 5 : 0;
            vn_query_find_path(query, &core, &want, NULL);
            vn_classic_query_find_path(s.queries[VN_CLASSIC_GRID], &ours, &result, NULL);
            assert_int_equal(result.path.status, want.status);
            assert_true(result.search_cost == want.cost);
            assert_true(result.path.length == want.length);
            assert_true(result.path.bound == want.bound);
            assert_true(result.path.weight == want.weight);
            assert_true(result.path.expanded == want.expanded);
            assert_true(result.path.touched == want.touched);
            uint32_t count, other;
            const vn_point* points = vn_query_points(query, &count);
            const vn_point* same = vn_classic_query_points(s.queries[VN_CLASSIC_GRID], &other);
            assert_int_equal(count, other);
            assert_memory_equal(points, same, count * sizeof *points);
        }

        vn_query_destroy(query);
        vnt_classics_free(&s);
    }
}

/// A query that has served other requests, and a new one, give the same bytes.
static void test_determinism(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic determinism", 917));
    vnt_classics s = vnt_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (size_t i = 0; i < VNT_ALGO_COUNT; ++i) {
            vn_classic_request r = vnt_through_the_window();
            vn_classic_query_def def = vn_default_classic_query_def();
            vn_classic_query* fresh;
            vn_classic_result first, second;
            r.algo = vnt_algos[i];
            r.refine = VN_REFINE_PRUNE;

            if (!vnt_should_work((vn_classic_kind)kind, &r))
                continue;
            assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &fresh, NULL), VN_OK);
            assert_int_equal(vn_classic_query_find_path(s.queries[kind], &r, &first, NULL), VN_OK);
            assert_int_equal(vn_classic_query_find_path(fresh, &r, &second, NULL), VN_OK);
            uint32_t count, other;
            const vn_point* points = vn_classic_query_points(s.queries[kind], &count);
            const vn_point* same = vn_classic_query_points(fresh, &other);
            assert_true(count == other);
            assert_true(first.search_cost == second.search_cost);
            assert_memory_equal(points, same, count * sizeof *points);
            vn_classic_query_destroy(fresh);
        }

    vnt_classics_free(&s);
}

/// Weights and first weights: no dearer than the bound says.
static void test_bounds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic bounds", 913));
    static const vn_classic_algo algos[] = {VN_CLASSIC_ASTAR, VN_CLASSIC_ASTAR_LIST, VN_CLASSIC_JPS,
                                            VN_CLASSIC_JPS6, VN_CLASSIC_ARA};
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 12)));
        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_classic_request r = vn_default_classic_request();
            vn_classic_kind kind = (vn_classic_kind)vni_rng_below(&rng, VN_CLASSIC_KIND_COUNT);
            vn_classic_result least, result;
            r.start = vn_voxel_center(a);
            r.goal = vn_voxel_center(b);

            r.graph = (vn_classic_graph)vni_rng_below(&rng, VN_GRAPH_COUNT);
            for (size_t k = 0; k < sizeof algos / sizeof algos[0]; ++k) {
                r.neighbours = algos[k] == VN_CLASSIC_JPS6 ? 6 : 26;
                r.algo = VN_CLASSIC_DIJKSTRA;
                r.weight = 0;
                r.heuristic = VN_HEURISTIC_DEFAULT;
                vn_status status = vn_classic_query_find_path(s.queries[kind], &r, &least, NULL);
                r.algo = algos[k];
                r.weight = 1 + 2 * vni_rng_real(&rng);
                r.heuristic = (vn_heuristic)vni_rng_below(&rng, VN_HEURISTIC_COUNT);
                r.budget = r.algo == VN_CLASSIC_ARA ? vni_rng_below(&rng, 60) : 0;
                vn_status found = vn_classic_query_find_path(s.queries[kind], &r, &result, NULL);
                r.budget = 0;

                if (found == VN_UNSUPPORTED)
                    continue;
                assert_true(found == status || result.path.reason == VN_BUDGET_SPENT);
                if (found != VN_OK)
                    continue;

                assert_true(result.search_cost >= least.search_cost - 1e-9);
                if (result.path.bound > 0)
                    assert_true(result.search_cost <= result.path.bound * least.search_cost + 1e-9);

                bool steps = kind == VN_CLASSIC_GRID && r.graph != VN_GRAPH_TRANSITIONS;
                bool octile_is_true = steps || r.heuristic != VN_HEURISTIC_OCTILE;
                bool is_true = r.heuristic <= VN_HEURISTIC_EUCLIDEAN && octile_is_true;
                if (is_true && r.algo != VN_CLASSIC_ARA)
                    assert_true(result.path.bound == r.weight);

                if (!is_true && !(steps && r.neighbours == 6))
                    assert_true(result.path.bound == 0);
            }
        }

        vnt_classics_free(&s);
    }
}

/// The centres of all voxels on the last path, whose legs are runs of steps.
static uint32_t every_voxel(const vn_classic_query* query, vn_point* out) {
    uint32_t found, count = 1;
    const vn_point* points = vn_classic_query_points(query, &found);
    out[0] = points[0];
    for (uint32_t k = 1; k < found; ++k)
        while (memcmp(&out[count - 1], &points[k], sizeof points[k]) != 0) {
            vn_point at = out[count - 1], to = points[k];
            at.x += VN_LATTICE * ((to.x > at.x) - (to.x < at.x));
            at.y += VN_LATTICE * ((to.y > at.y) - (to.y < at.y));
            at.z += VN_LATTICE * ((to.z > at.z) - (to.z < at.z));
            out[count++] = at;
        }

    return count;
}

/// What pruning and smoothing make of every voxel on the path of A*; JPS, which names few of them, sees them
/// all too.
static void test_shortening_sees_every_node(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic shortening", 928));
    static vn_point all[4096];
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 14)));
        vn_classic_query* query = s.queries[VN_CLASSIC_GRID];
        vn_classic_request r = vn_default_classic_request();
        vn_classic_result result;

        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            r.start = vn_voxel_center(a);
            r.goal = vn_voxel_center(b);
            r.algo = i % 2 ? VN_CLASSIC_JPS : VN_CLASSIC_ASTAR;
            if (vn_classic_query_find_path(query, &r, &result, NULL) == VN_OK) {
                uint32_t count = every_voxel(query, all), found;
                vni_sight_log checks = {0, NULL};
                r.refine = i % 4 < 2 ? VN_REFINE_PRUNE : VN_REFINE_SMOOTH;
                count = i % 4 < 2 ? vni_prune_from_goal(&s.space->occupancy, all, count, &checks)
                                  : vni_post_smooth(&s.space->occupancy, all, count, &checks);
                count = vni_polyline_tidy(all, count);
                assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OK);
                const vn_point* points = vn_classic_query_points(query, &found);
                assert_true(found == count);
                assert_true(result.sight_checks == checks.count);
                assert_memory_equal(points, all, count * sizeof *points);
            }
        }

        vnt_classics_free(&s);
    }
}

/// Paths over the centres of trees bend where their edges do, though a straight segment might be free: they
/// are as long as they cost.
static void test_bent_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic bends", 929));
    for (uint32_t i = 0; i < vnt_scale(150, 2000); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 9)));
        for (int k = 0; k < 6; ++k) {
            vn_classic_request r = vn_default_classic_request();
            vn_classic_result result;
            vn_voxel a, b;
            if (!vnt_random_free_voxel(&rng, &s.voxels, &a) || !vnt_random_free_voxel(&rng, &s.voxels, &b))
                break;

            vn_classic_query* query = s.queries[k % 2 ? VN_CLASSIC_MERGED : VN_CLASSIC_OCTREE];
            r.start = vnt_point_in(&rng, a);
            r.goal = vnt_point_in(&rng, b);
            r.graph = VN_GRAPH_CENTRES;
            if (vn_classic_query_find_path(query, &r, &result, NULL) != VN_OK)
                continue;

            vnt_check_answer(s.space, query, &result, r.start, r.goal);
            assert_true(fabs(result.path.length - result.search_cost) <= 1e-9 * (1 + result.search_cost));
        }

        vnt_classics_free(&s);
    }
}

/// Two tunnels that meet at an edge only: a point on that edge belongs to both, and with cells reaches both.
static void test_a_point_between_two_regions(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 4});
    memset(voxels.blocked, 1, 8 * 8 * 4);
    for (int32_t x = 0; x < 4; ++x)
        voxels.blocked[x + 8 * (3 + 8 * 1)] = voxels.blocked[7 - x + 8 * (4 + 8 * 1)] = 0;

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    const vn_point edge = {4 * VN_LATTICE, 4 * VN_LATTICE, VN_LATTICE + 512};
    const vn_voxel ends[2] = {{0, 3, 1}, {7, 4, 1}};
    for (int i = 0; i < 4 * VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query_def = vn_default_classic_query_def();
        vn_classic* classic;
        vn_classic_query* query;
        vn_classic_request r = vn_default_classic_request();
        vn_classic_result result;
        def.kind = (vn_classic_kind)(i / 4);
        assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);
        r.start = i & 1 ? edge : vn_voxel_center(ends[i >> 1 & 1]);
        r.goal = i & 1 ? vn_voxel_center(ends[i >> 1 & 1]) : edge;
        assert_int_equal(vn_classic_query_find_path(query, &r, &result, NULL), VN_OK);
        vnt_check_answer(space, query, &result, r.start, r.goal);
        vn_classic_query_destroy(query);
        vn_classic_destroy(classic);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// --------------------------------------------------------------------------------------------- weights

/// The same work and the same path.
static void assert_same(vn_classic_query* query, const vn_classic_request* a, const vn_classic_request* b) {
    vn_classic_result first, second;
    vn_status status = vn_classic_query_find_path(query, a, &first, NULL);
    assert_int_equal(vn_classic_query_find_path(query, b, &second, NULL), status);
    assert_int_equal(first.closed, second.closed);
    assert_true(first.search_cost == second.search_cost);
    assert_true(first.path.bound == second.path.bound);
}

/// Albertini 2022, 5.1.4: Dijkstra, greedy and A* are corners of one square.
static void test_free_weights(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic weights", 931));
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 12)));
        vn_voxel a, b;
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                           vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++kind) {
            vn_classic_request plain = vn_default_classic_request(), free_weights;
            plain.start = vn_voxel_center(a);
            plain.goal = vn_voxel_center(b);
            free_weights = plain;
            free_weights.g_weight = free_weights.h_weight = 0.5;
            assert_same(s.queries[kind], &plain, &free_weights);
            free_weights.algo = plain.algo = VN_CLASSIC_LAZY_THETA;
            assert_same(s.queries[kind], &plain, &free_weights);
            free_weights.algo = VN_CLASSIC_ASTAR;

            plain.algo = VN_CLASSIC_DIJKSTRA;
            free_weights.g_weight = 1, free_weights.h_weight = 0;
            assert_same(s.queries[kind], &plain, &free_weights);
            plain.algo = VN_CLASSIC_GREEDY;
            free_weights.g_weight = 0, free_weights.h_weight = 1;
            assert_same(s.queries[kind], &plain, &free_weights);

            vn_classic_result result;
            free_weights.g_weight = 0.4;
            if (vn_classic_query_find_path(s.queries[kind], &free_weights, &result, NULL) == VN_OK)
                assert_true(result.path.bound == 2.5);
        }

        vnt_classics_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_combinations),
                                       cmocka_unit_test(test_the_core_agrees),
                                       cmocka_unit_test(test_free_weights),
                                       cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_shortening_sees_every_node),
                                       cmocka_unit_test(test_determinism),
                                       cmocka_unit_test(test_bent_edges),
                                       cmocka_unit_test(test_a_point_between_two_regions)};

    return cmocka_run_group_tests_name("classic/classic", tests, NULL, NULL);
}
