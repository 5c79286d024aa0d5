/// Every combination of space, graph, algorithm and refinement on random worlds: refused as the headers say,
/// or answered with a free path, at equal cost where theory says so; every status; determinism; memory.
#include "classic_scene.h"

#include "path/polyline.h"
#include "path/shorten.h"
#include "space/space.h"

// -------------------------------------------------------------------------------------------- combinations

static const vn_algo all_algos[] = {VN_ALGO_ASTAR,      VN_ALGO_DIJKSTRA, VN_ALGO_GREEDY,
                                    VN_ALGO_ASTAR_LIST, VN_ALGO_ARA,      VN_ALGO_JPS,
                                    VN_ALGO_JPS6,       VN_ALGO_THETA,    VN_ALGO_LAZY_THETA};
#define ALGO_COUNT (sizeof all_algos / sizeof all_algos[0])

static bool is_any_angle(vn_algo algo) {
    return algo == VN_ALGO_THETA || algo == VN_ALGO_LAZY_THETA;
}

/// What the header promises to be there.
static bool should_work(vn_classic_kind kind, const vn_classic_request* r) {
    bool centres = r->graph == VN_GRAPH_CENTRES || (r->graph == VN_GRAPH_DEFAULT && kind == VN_CLASSIC_GRID);
    bool voxels = kind == VN_CLASSIC_GRID && centres;
    uint32_t neighbours = r->algo == VN_ALGO_JPS6 ? 6 : r->neighbours;
    if (r->algo == VN_ALGO_CELLS || r->refine == VN_REFINE_TAUT)
        return false;
    if (r->algo == VN_ALGO_JPS && (!voxels || neighbours != 26))
        return false;
    if (r->algo == VN_ALGO_JPS6 && !voxels)
        return false;
    bool funnel = r->refine == VN_REFINE_FUNNEL || r->refine == VN_REFINE_FUNNEL_PRUNE;
    return !funnel || (!is_any_angle(r->algo) && !(voxels && neighbours == 26));
}

/// Does the algorithm find the least cost on its graph?
static bool is_exact(vn_algo algo) {
    return algo != VN_ALGO_GREEDY && !is_any_angle(algo);
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
        vn_status status = vn_classic_find_path(s->queries[kind], &r, &result, &detail);
        assert_int_equal(vn_classic_supports(s->kinds[kind], &r, NULL) == VN_OK, should_work(kind, &r));
        if (!should_work(kind, &r)) {
            assert_int_equal(status, VN_UNSUPPORTED);
            assert_true(strlen(detail.text) > 20);
            continue;
        }
        assert_int_equal(status, VN_OK);
        vnt_check_answer(s->space, s->queries[kind], &result, r.start, r.goal);
        assert_true(result.search_cost == plain->search_cost && result.path.bound == plain->path.bound);
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
    for (size_t i = 0; i < ALGO_COUNT; ++i) {
        vn_classic_result result;
        r.algo = all_algos[i];
        if (!should_work(kind, &r) || (r.algo == VN_ALGO_JPS6 && r.neighbours != 6)) {
            assert_int_equal(vn_classic_supports(s->kinds[kind], &r, NULL) == VN_OK, should_work(kind, &r));
            continue;
        }
        vn_status status = vn_classic_find_path(s->queries[kind], &r, &result, NULL);
        assert_int_equal(status, is_joined ? VN_OK : VN_NO_PATH);
        assert_int_equal(result.path.reason, status);
        if (status != VN_OK)
            continue;
        vnt_check_answer(s->space, s->queries[kind], &result, r.start, r.goal);
        if (r.algo == VN_ALGO_ASTAR) {
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
        assert_true(result.search_cost >= straight - 1e-9 && result.path.length >= straight - 1e-9);
        if (r.algo == VN_ALGO_GREEDY)
            assert_true(result.search_cost >= least - 1e-9 && result.path.bound == 0);
        if (is_any_angle(r.algo))
            assert_true(result.path.bound == 0);
        assert_true(result.path.touched >= result.closed && (result.closed > 0 || r.algo == VN_ALGO_ARA));
        assert_true(r.algo == VN_ALGO_ARA ? result.passes > 0 : result.path.expanded == result.closed);
        check_refinements(s, kind, r, &result);
    }
}

static bool touches_one_voxel(vn_point p) {
    return p.x % VN_LATTICE && p.y % VN_LATTICE && p.z % VN_LATTICE;
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
        vn_space_info info;
        vn_space_get_info(s->space, &info);
        if (info.components == 0) { // without cells a point stands in one of the voxels that it touches
            r.start = touches_one_voxel(r.start) ? r.start : vn_voxel_center(a);
            r.goal = touches_one_voxel(r.goal) ? r.goal : vn_voxel_center(b);
        }
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

// ----------------------------------------------------------------------------------- the same as the core's

/// A* and its kin on the grid: the same points and the same cost as vn_find_path.
static void test_the_core_agrees(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic and core", 912));
    static const vn_algo algos[4] = {VN_ALGO_ASTAR, VN_ALGO_DIJKSTRA, VN_ALGO_GREEDY, VN_ALGO_ASTAR_LIST};
    for (uint32_t i = 0; i < vnt_scale(40, 500); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 12)));
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vn_voxel a, b;
        def.room = VN_ROOM_GRID;
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
            core.algo = ours.algo = algos[k % 4];
            core.neighbours = ours.neighbours = vni_rng_below(&rng, 2) ? 6 : 26;
            core.heuristic = ours.heuristic = (vn_heuristic)vni_rng_below(&rng, VN_HEURISTIC_COUNT);
            core.weight = ours.weight = k < 4 ? 0 : 1.7;
            core.budget = ours.budget = k == 7 ? 5 : 0;
            vn_find_path(query, &core, &want, NULL);
            vn_classic_find_path(s.queries[VN_CLASSIC_GRID], &ours, &result, NULL);
            assert_int_equal(result.path.status, want.status);
            assert_true(result.search_cost == want.cost && result.path.length == want.length);
            assert_true(result.path.bound == want.bound && result.path.weight == want.weight);
            assert_true(result.path.expanded == want.expanded && result.path.touched == want.touched);
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

// ---------------------------------------------------------------------------------------------- bounds,
// passes

/// Weights and first weights: no dearer than the bound says.
static void test_bounds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic bounds", 913));
    static const vn_algo algos[] = {VN_ALGO_ASTAR, VN_ALGO_ASTAR_LIST, VN_ALGO_JPS, VN_ALGO_JPS6,
                                    VN_ALGO_ARA};
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
                r.neighbours = algos[k] == VN_ALGO_JPS6 ? 6 : 26;
                r.algo = VN_ALGO_DIJKSTRA;
                r.weight = 0;
                r.heuristic = VN_HEURISTIC_DEFAULT;
                vn_status status = vn_classic_find_path(s.queries[kind], &r, &least, NULL);
                r.algo = algos[k];
                r.weight = 1 + 2 * vni_rng_real(&rng);
                r.heuristic = (vn_heuristic)vni_rng_below(&rng, VN_HEURISTIC_COUNT);
                r.budget = r.algo == VN_ALGO_ARA ? vni_rng_below(&rng, 60) : 0;
                vn_status found = vn_classic_find_path(s.queries[kind], &r, &result, NULL);
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
                if (is_true && r.algo != VN_ALGO_ARA)
                    assert_true(result.path.bound == r.weight);
                if (!is_true && !(steps && r.neighbours == 6))
                    assert_true(result.path.bound == 0);
            }
        }
        vnt_classics_free(&s);
    }
}

typedef struct passes {
    const vn_space* space;
    uint32_t count, stop_after;
    double cost, bound, weight;
} passes;

static bool on_pass(void* user, const vn_classic_pass* pass) {
    passes* p = user;
    assert_int_equal(pass->number, p->count++);
    assert_true(pass->cost <= p->cost + 1e-9 && pass->bound <= p->bound && pass->weight < p->weight);
    assert_true(pass->bound >= 1 && pass->weight >= 1);
    assert_true(pass->point_count > 0);
    assert_true(vn_check_path_space(p->space, pass->points, pass->point_count, NULL));
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
            r.algo = VN_ALGO_ARA;
            r.on_pass = on_pass;
            r.on_pass_user = &p;
            vn_status status = vn_classic_find_path(s.queries[kind], &r, &result, NULL);
            assert_int_equal(result.passes, p.count);
            if (status == VN_OK) {
                several += p.count > 1;
                assert_true(p.stop_after == 0 || p.count <= p.stop_after);
                assert_true(result.path.bound == p.bound && fabs(result.search_cost - p.cost) <= 1e-9);
                assert_true(p.stop_after || p.bound == 1);
                vnt_check_answer(s.space, s.queries[kind], &result, r.start, r.goal);
            } else {
                assert_true(p.count == 0 && status == VN_NO_PATH);
            }
        }
        vnt_classics_free(&s);
    }
    assert_true(several > 3);
}

// ------------------------------------------------------------------------------------------------ statuses

/// Two rooms of 8 x 8 x 8 with a wall between them at x = 8 that has a window when `open`.
static vnt_classics make_rooms(vni_rng* rng, bool open) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){17, 8, 8});
    for (int32_t z = 0; z < 8; ++z)
        for (int32_t y = 0; y < 8; ++y)
            if (!open || y != 4 || z != 4)
                vnt_voxels_block(&voxels, 8, y, z);
    return vnt_classics_make(rng, voxels);
}

static vn_classic_request through_the_window(void) {
    vn_classic_request r = vn_default_classic_request();
    r.start = vn_voxel_center((vn_voxel){1, 1, 1});
    r.goal = vn_voxel_center((vn_voxel){15, 6, 6});
    return r;
}

static void test_statuses(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic statuses", 915));
    for (int open = 0; open < 2; ++open) {
        vnt_classics s = make_rooms(&rng, open);
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
            for (size_t i = 0; i < ALGO_COUNT; ++i) {
                vn_classic_request r = through_the_window();
                vn_classic_result result;
                r.algo = all_algos[i];
                if (!should_work((vn_classic_kind)kind, &r))
                    continue;
                assert_int_equal(vn_classic_find_path(s.queries[kind], &r, &result, NULL),
                                 open ? VN_OK : VN_NO_PATH);
                if (!open)
                    continue;
                assert_true((result.sight_checks > 0) == is_any_angle(r.algo));
                assert_true((result.scanned > 0) == (r.algo == VN_ALGO_JPS || r.algo == VN_ALGO_JPS6));
                r.budget = 1;
                assert_int_equal(vn_classic_find_path(s.queries[kind], &r, &result, NULL), VN_BUDGET_SPENT);
                assert_true(result.path.expanded == 1 && result.path.bound == 0);
                uint32_t count;
                vn_classic_query_points(s.queries[kind], &count);
                assert_int_equal(count, 0);
                vn_classic_query_def def = vn_default_classic_query_def();
                vn_classic_query* small;
                def.max_nodes = 64;
                def.max_points = 2;
                r.budget = 0;
                assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &small, NULL), VN_OK);
                assert_int_equal(vn_classic_find_path(small, &r, &result, NULL), VN_CAPACITY);
                vn_classic_query_destroy(small);
            }
        vnt_classics_free(&s);
    }
}

/// ARA* that is cut short after its first path says so, and promises what its last pass did.
static void test_passes_cut_short(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic cut short", 920));
    vnt_classics s = make_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_request r = through_the_window();
        vn_classic_result whole, result;
        r.algo = VN_ALGO_ARA;
        r.graph = VN_GRAPH_CENTRES;
        uint32_t cut_short = 0;
        assert_int_equal(vn_classic_find_path(s.queries[kind], &r, &whole, NULL), VN_OK);
        for (r.budget = 1; r.budget < whole.path.expanded; ++r.budget) {
            vn_status status = vn_classic_find_path(s.queries[kind], &r, &result, NULL);
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
    assert_int_equal(vn_classic_find_path((vn_classic_query*)(uintptr_t)query, r, &result, &detail), want);
    assert_int_equal(result.path.status, want);
    assert_int_equal(result.path.reason, want);
    if (!strstr(detail.text, word))
        fail_msg("'%s' lacks '%s'", detail.text, word);
}

static void test_bad_requests(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic requests", 916));
    vnt_classics s = make_rooms(&rng, true);
    vn_classic_query *grid = s.queries[VN_CLASSIC_GRID], *tree = s.queries[VN_CLASSIC_OCTREE];
    const vn_classic_request good = through_the_window();
    vn_classic_request r = good;
    r.cookie = 0;
    expect(grid, &r, VN_BAD_DEF, "vn_default_classic_request");
    r = good, r.algo = (vn_algo)99;
    expect(grid, &r, VN_UNSUPPORTED, "99");
    r = good, r.algo = VN_ALGO_CELLS;
    expect(grid, &r, VN_UNSUPPORTED, "vn_find_path");
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
    r = good, r.algo = VN_ALGO_JPS;
    expect(tree, &r, VN_UNSUPPORTED, "grid view");
    r.graph = VN_GRAPH_TRANSITIONS;
    expect(grid, &r, VN_UNSUPPORTED, "grid view");
    r = good, r.algo = VN_ALGO_JPS, r.neighbours = 6;
    expect(grid, &r, VN_UNSUPPORTED, "jps6");
    r = good, r.refine = VN_REFINE_FUNNEL;
    expect(grid, &r, VN_UNSUPPORTED, "corridor");
    r.algo = VN_ALGO_LAZY_THETA;
    expect(tree, &r, VN_UNSUPPORTED, "lazy-theta");
    r = good, r.weight = 0.5;
    expect(grid, &r, VN_BAD_ARGUMENT, "0.5");
    r.weight = (double)NAN;
    expect(grid, &r, VN_BAD_ARGUMENT, "weight");
    r = good, r.snap_distance = -1;
    expect(grid, &r, VN_BAD_ARGUMENT, "snap");
    r = good, r.algo = VN_ALGO_ARA, r.ara_first = 0;
    expect(grid, &r, VN_BAD_ARGUMENT, "ara");
    r = good, r.algo = VN_ALGO_ARA, r.ara_step = 0;
    expect(tree, &r, VN_BAD_ARGUMENT, "pass");
    r.ara_step = 1e-9;
    expect(tree, &r, VN_BAD_ARGUMENT, "pass");
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

// ------------------------------------------------------------------------------------- determinism, memory

/// A query that has answered other questions, and a new one, give the same bytes.
static void test_determinism(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic determinism", 917));
    vnt_classics s = make_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (size_t i = 0; i < ALGO_COUNT; ++i) {
            vn_classic_request r = through_the_window();
            vn_classic_query_def def = vn_default_classic_query_def();
            vn_classic_query* fresh;
            vn_classic_result first, second;
            r.algo = all_algos[i];
            r.refine = VN_REFINE_PRUNE;
            if (!should_work((vn_classic_kind)kind, &r))
                continue;
            assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &fresh, NULL), VN_OK);
            assert_int_equal(vn_classic_find_path(s.queries[kind], &r, &first, NULL), VN_OK);
            assert_int_equal(vn_classic_find_path(fresh, &r, &second, NULL), VN_OK);
            uint32_t count, other;
            const vn_point* points = vn_classic_query_points(s.queries[kind], &count);
            const vn_point* same = vn_classic_query_points(fresh, &other);
            assert_true(count == other && first.search_cost == second.search_cost);
            assert_memory_equal(points, same, count * sizeof *points);
            vn_classic_query_destroy(fresh);
        }
    vnt_classics_free(&s);
}

static void test_no_allocation_in_a_search(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic allocation", 918));
    vnt_classics s = make_rooms(&rng, true);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vnt_memory memory = vnt_memory_make();
        vn_classic_query_def def = vn_default_classic_query_def();
        def.allocator = vnt_memory_allocator(&memory);
        vn_classic_query* query;
        assert_int_equal(vn_classic_query_create(s.kinds[kind], &def, &query, NULL), VN_OK);
        uint64_t calls = memory.calls;
        vn_memory report;
        vn_classic_query_memory(query, &report);
        assert_int_equal(report.total, memory.live_bytes);
        for (size_t i = 0; i < ALGO_COUNT; ++i)
            for (int refine = 0; refine < VN_REFINE_COUNT; ++refine) {
                vn_classic_request r = through_the_window();
                vn_classic_result result;
                r.algo = all_algos[i];
                r.refine = (vn_refine)refine;
                r.check = true;
                if (!should_work((vn_classic_kind)kind, &r))
                    continue;
                assert_int_equal(vn_classic_find_path(query, &r, &result, NULL), VN_OK);
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
    vnt_classics s = make_rooms(&rng, true);
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
                vn_classic_memory(classic, &report);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_combinations),
                                       cmocka_unit_test(test_the_core_agrees),
                                       cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_passes),
                                       cmocka_unit_test(test_statuses),
                                       cmocka_unit_test(test_passes_cut_short),
                                       cmocka_unit_test(test_shortening_sees_every_node),
                                       cmocka_unit_test(test_a_point_between_two_regions),
                                       cmocka_unit_test(test_bad_requests),
                                       cmocka_unit_test(test_too_many_faces),
                                       cmocka_unit_test(test_determinism),
                                       cmocka_unit_test(test_no_allocation_in_a_search),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("classic/classic", tests, NULL, NULL);
}
