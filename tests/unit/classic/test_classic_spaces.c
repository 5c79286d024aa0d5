/// What a classic tells of itself: figures, boxes, the nearest one; where the ends of a path are placed, on
/// trees of limited depth too; words; cancelling.
#include "classic_scene.h"

#include "space/space.h"

// -------------------------------------------------------------------------------------------- figures, boxes

static uint32_t index_of(const vnt_voxels* v, int32_t x, int32_t y, int32_t z) {
    return (uint32_t)(x + v->dims.x * (y + v->dims.y * z));
}

typedef struct cover {
    const vnt_voxels* voxels;
    unsigned char* times; ///< by voxel
    uint64_t boxes, stop_after;
} cover;

static bool add_box(void* user, vn_voxel low, vn_voxel high) {
    cover* c = user;
    assert_true(low.x < high.x);
    assert_true(low.y < high.y);
    assert_true(low.z < high.z);
    for (int32_t z = low.z; z < high.z; ++z)
        for (int32_t y = low.y; y < high.y; ++y)
            for (int32_t x = low.x; x < high.x; ++x) {
                assert_true(vnt_voxels_are_free(c->voxels, x, y, z));
                ++c->times[index_of(c->voxels, x, y, z)];
            }

    return ++c->boxes != c->stop_after;
}

/// Boxes hold each free voxel once; those of a part are those that have voxels in it.
static void check_boxes(vni_rng* rng, const vnt_classics* s, vn_classic_kind kind) {
    const vn_voxel dims = s->voxels.dims;
    const uint32_t count = (uint32_t)(dims.x * dims.y * dims.z);
    const vn_voxel below = {-3, -3, -3}, above = {dims.x + 3, dims.y + 3, dims.z + 3};
    cover c = {&s->voxels, calloc(count, 1), 0, 0};
    vn_classic_info info;
    vn_classic_get_info(s->kinds[kind], &info);
    vn_classic_visit_boxes(s->kinds[kind], below, above, add_box, &c);

    uint64_t free_voxels = 0;
    for (uint32_t i = 0; i < count; ++i) {
        free_voxels += !s->voxels.blocked[i];
        assert_int_equal(c.times[i], !s->voxels.blocked[i]);
    }

    assert_int_equal(info.kind, kind);
    assert_int_equal(info.cells, c.boxes);
    assert_true(info.cells <= info.leaves);
    assert_true(info.leaves <= free_voxels);
    if (kind == VN_CLASSIC_GRID) {
        assert_true(info.leaves == free_voxels);
        assert_true(info.portals == 0);
        assert_true(info.root_edge == 0);
    } else {
        assert_true(info.root_edge >= 1);
        assert_true(info.roots.x >= 1);
        assert_true(1 << info.depth <= info.root_edge);
    }

    vn_voxel low = {vni_rng_range(rng, 0, dims.x - 1), vni_rng_range(rng, 0, dims.y - 1),
                    vni_rng_range(rng, 0, dims.z - 1)};
    vn_voxel high = {low.x + 1, low.y + 2, low.z + 1};
    memset(c.times, 0, count);
    c.boxes = 0;
    vn_classic_visit_boxes(s->kinds[kind], low, high, add_box, &c);

    uint64_t inside = 0, covered = 0;
    for (int32_t y = low.y; y < high.y && y < dims.y; ++y) {
        inside += !s->voxels.blocked[index_of(&s->voxels, low.x, y, low.z)];
        covered += c.times[index_of(&s->voxels, low.x, y, low.z)];
    }

    assert_true(covered == inside);
    assert_true(c.boxes <= inside);
    assert_true((c.boxes > 0) == (inside > 0));
    c.boxes = 0;
    c.stop_after = 1;
    vn_classic_visit_boxes(s->kinds[kind], below, above, add_box, &c);
    assert_true(c.boxes <= 1);
    free(c.times);
}

/// Distance from a point to the nearest free voxel, metres; infinity if there is none.
static double nearest_by_force(const vnt_voxels* v, vn_point p) {
    double best = HUGE_VAL;
    for (int32_t z = 0; z < v->dims.z; ++z)
        for (int32_t y = 0; y < v->dims.y; ++y)
            for (int32_t x = 0; x < v->dims.x; ++x) {
                const int32_t low[3] = {x, y, z}, at[3] = {p.x, p.y, p.z};
                double sum = 0;
                for (int i = 0; i < 3; ++i) {
                    double below = (double)low[i] * VN_LATTICE - at[i],
                           above = at[i] - (low[i] + 1.0) * VN_LATTICE;
                    double apart = below > 0 ? below : above > 0 ? above : 0;
                    sum += apart * apart;
                }

                if (vnt_voxels_are_free(v, x, y, z) && sqrt(sum) / VN_LATTICE < best)
                    best = sqrt(sum) / VN_LATTICE;
            }

    return best;
}

static vn_point anywhere(vni_rng* rng, vn_voxel dims) {
    const int32_t d[3] = {dims.x, dims.y, dims.z};
    int32_t at[3];
    for (int i = 0; i < 3; ++i)
        at[i] = vni_rng_below(rng, 3) ? vni_rng_range(rng, -2 * VN_LATTICE, (d[i] + 2) * VN_LATTICE)
                                      : VN_LATTICE * vni_rng_range(rng, -1, d[i] + 1);
    return (vn_point){at[0], at[1], at[2]};
}

static void check_nearest(vni_rng* rng, const vnt_classics* s, vn_classic_kind kind) {
    for (int i = 0; i < 20; ++i) {
        vn_point p = anywhere(rng, s->voxels.dims);
        vn_voxel low, high;
        double distance = -1, want = nearest_by_force(&s->voxels, p);
        vn_status status = vn_classic_nearest_box(s->kinds[kind], p, &low, &high, &distance);
        assert_int_equal(status, want < HUGE_VAL ? VN_OK : VN_NOT_FOUND);

        if (status != VN_OK)
            continue;
        assert_true(fabs(distance - want) <= 1e-9);
        vnt_voxels all = {s->voxels.dims, s->voxels.blocked};
        assert_true(vnt_voxels_are_free(&all, low.x, low.y, low.z));
        assert_true(vnt_voxels_are_free(&all, high.x - 1, high.y - 1, high.z - 1));
    }
}

static void test_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic boxes", 921));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 12)));
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
            check_boxes(&rng, &s, (vn_classic_kind)kind);
            check_nearest(&rng, &s, (vn_classic_kind)kind);
        }
        vnt_classics_free(&s);
    }
}

// ----------------------------------------------------------------------------------------------------- ends

/// Ends anywhere: blocked and outside ones are told apart, with the nearest free point, and moved when that
/// is allowed.
static void check_ends(vni_rng* rng, const vnt_classics* s, vn_classic_kind kind) {
    vn_classic_request r = vn_default_classic_request();
    vn_classic_result result;
    const vn_voxel dims = s->voxels.dims;
    vn_voxel other;
    if (!vnt_random_free_voxel(rng, &s->voxels, &other))
        return;

    bool at_goal = vni_rng_below(rng, 2);
    vn_point p = anywhere(rng, dims);
    r.start = r.goal = vn_voxel_center(other);
    *(at_goal ? &r.goal : &r.start) = p;
    double distance = nearest_by_force(&s->voxels, p);

    vn_status status = vn_classic_query_find_path(s->queries[kind], &r, &result, NULL);
    if (distance == 0) {
        assert_true(status == VN_OK || status == VN_NO_PATH);
        assert_int_equal(result.path.end, VN_END_NONE);
        return;
    }

    bool outside = p.x < 0 || p.y < 0 || p.z < 0 || p.x > dims.x * VN_LATTICE || p.y > dims.y * VN_LATTICE ||
                   p.z > dims.z * VN_LATTICE;
    assert_int_equal(status, outside ? VN_OUTSIDE : at_goal ? VN_GOAL_BLOCKED : VN_START_BLOCKED);
    assert_int_equal(result.path.end, at_goal ? VN_END_GOAL : VN_END_START);
    assert_true(result.path.has_nearest);
    assert_true(fabs(result.path.nearest_distance - distance) <= 1e-9);
    assert_true(vn_space_point_free(s->space, result.path.nearest));
    r.snap_distance = distance + 0.001;
    status = vn_classic_query_find_path(s->queries[kind], &r, &result, NULL);

    assert_true(status == VN_OK || status == VN_NO_PATH);
    if (status == VN_OK) {
        vnt_check_answer(s->space, s->queries[kind], &result, result.path.start, result.path.goal);
        vn_point moved = at_goal ? result.path.goal : result.path.start;
        double x = (double)moved.x - p.x, y = (double)moved.y - p.y, z = (double)moved.z - p.z;
        assert_true(fabs(sqrt(x * x + y * y + z * z) / VN_LATTICE - distance) <= 1e-9);
    }
}

static void test_ends(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic ends", 922));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, vnt_random_dims(&rng, 9)));
        for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
            for (int k = 0; k < 10; ++k)
                check_ends(&rng, &s, (vn_classic_kind)kind);
        vnt_classics_free(&s);
    }
}

/// Nothing is free at all.
static void test_nothing_free(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic nothing", 923));
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){3, 4, 5});
    memset(voxels.blocked, 1, 3 * 4 * 5);

    vnt_classics s = vnt_classics_make(&rng, voxels);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_request r = vn_default_classic_request();
        vn_classic_result result;
        r.snap_distance = 100;
        assert_int_equal(vn_classic_query_find_path(s.queries[kind], &r, &result, NULL), VN_START_BLOCKED);
        assert_false(result.path.has_nearest);
        vn_classic_info info;
        vn_classic_get_info(s.kinds[kind], &info);
        assert_true(info.leaves == 0);
        assert_true(info.cells == 0);
        assert_true(info.portals == 0);
    }

    vnt_classics_free(&s);
}

/// The voxels that a tree has in boxes; all others are blocked.
static vnt_voxels voxels_of(const vn_classic* classic, const vnt_voxels* voxels) {
    const vn_voxel dims = voxels->dims, low = {0, 0, 0};
    const uint32_t count = (uint32_t)(dims.x * dims.y * dims.z);
    vnt_voxels out = vnt_voxels_make(dims);
    cover c = {voxels, calloc(count, 1), 0, 0};

    vn_classic_visit_boxes(classic, low, dims, add_box, &c);
    for (uint32_t i = 0; i < count; ++i)
        out.blocked[i] = !c.times[i];

    free(c.times);
    return out;
}

/// Is there a path through boxes that share faces? Of points that touch several voxels: from any to any.
static bool are_joined(const vnt_voxels* in_boxes, vn_point from, vn_point to) {
    unsigned char *a = vnt_flood(in_boxes, from), *b = vnt_flood(in_boxes, to);
    bool joined = false;
    for (int32_t i = 0; i < in_boxes->dims.x * in_boxes->dims.y * in_boxes->dims.z; ++i)
        joined |= a[i] && b[i];

    free(a);
    free(b);
    return joined;
}

/// A tree that does not go down to the voxel lacks free voxels: ends there are blocked, or move into a leaf;
/// what is left is connected as its leaves are.
static void check_shallow(vni_rng* rng, const vnt_voxels* voxels, const vn_space* space, uint32_t max_depth) {
    for (int kind = VN_CLASSIC_OCTREE; kind <= VN_CLASSIC_MERGED; ++kind) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query_def = vn_default_classic_query_def();
        vn_classic* classic;
        vn_classic_query* query;
        def.kind = (vn_classic_kind)kind;
        def.max_depth = max_depth;
        assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(classic, &query_def, &query, NULL), VN_OK);
        vnt_voxels in_boxes = voxels_of(classic, voxels);

        vn_voxel a, b;
        for (int i = 0;
             i < 10 && vnt_random_free_voxel(rng, voxels, &a) && vnt_random_free_voxel(rng, voxels, &b);
             ++i) {
            vn_classic_request r = vn_default_classic_request();
            vn_classic_result result;
            vn_voxel low, high;
            double distance = -1;
            r.start = i < 5 ? vn_voxel_center(a) : vnt_point_in(rng, a);
            r.goal = i < 5 ? vn_voxel_center(b) : vnt_point_in(rng, b);
            r.graph = i % 2 ? VN_GRAPH_CENTRES : VN_GRAPH_TRANSITIONS;
            vn_status status = vn_classic_query_find_path(query, &r, &result, NULL);
            if (vn_classic_nearest_box(classic, r.start, &low, &high, &distance) != VN_OK) {
                assert_int_equal(status, VN_START_BLOCKED);
                continue;
            }
            assert_int_equal(status == VN_START_BLOCKED, distance > 0);
            if (i < 5 && (status == VN_OK || status == VN_NO_PATH))
                assert_int_equal(status == VN_OK, are_joined(&in_boxes, r.start, r.goal));
            if (status == VN_START_BLOCKED) {
                assert_true(result.path.has_nearest);
                assert_true(result.path.nearest_distance == distance);
            }
            r.snap_distance = 1000;
            status = vn_classic_query_find_path(query, &r, &result, NULL);
            assert_true(status == VN_OK || status == VN_NO_PATH);
            if (status == VN_OK) {
                vnt_check_answer(space, query, &result, result.path.start, result.path.goal);
                assert_true(are_joined(&in_boxes, result.path.start, result.path.goal));
            }
        }

        vnt_voxels_free(&in_boxes);
        vn_classic_query_destroy(query);
        vn_classic_destroy(classic);
    }
}

static void test_shallow_trees(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic shallow", 924));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(60, 600); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 16));
        vn_space* space = i % 2 ? vnt_voxels_space(&voxels) : vnt_voxels_cells(&voxels, &serial);
        check_shallow(&rng, &voxels, space, vni_rng_below(&rng, 4));
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

// ------------------------------------------------------------------------------------- expanded, words, defs

static bool count_boxes(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    assert_true(low.x < high.x);
    assert_true(low.y < high.y);
    assert_true(low.z < high.z);
    assert_true(!in_corridor);
    ++*(uint64_t*)user;
    return true;
}

static bool stop_at_once(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)low;
    (void)high;
    (void)in_corridor;
    ++*(uint64_t*)user;
    return false;
}

static void test_expanded(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic expanded", 925));
    vnt_classics s = vnt_classics_make(&rng, vnt_voxels_random(&rng, (vn_voxel){12, 10, 9}));
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        uint64_t visited = 0;
        vn_classic_query_visit_expanded(s.queries[kind], count_boxes, &visited);
        assert_int_equal(visited, 0);
        for (int algo = VN_CLASSIC_ASTAR; algo < VN_CLASSIC_ALGO_COUNT; ++algo)
            for (int graph = VN_GRAPH_CENTRES; graph < VN_GRAPH_COUNT; ++graph) {
                vn_classic_request r = vn_default_classic_request();
                vn_classic_result result;
                vn_voxel a, b;
                assert_true(vnt_random_free_voxel(&rng, &s.voxels, &a));
                assert_true(vnt_random_free_voxel(&rng, &s.voxels, &b));
                r.start = vn_voxel_center(a);
                r.goal = vn_voxel_center(b);
                r.algo = (vn_classic_algo)algo;
                r.graph = (vn_classic_graph)graph;

                if (vn_classic_supports(s.kinds[kind], &r, NULL) != VN_OK)
                    continue;
                vn_classic_query_find_path(s.queries[kind], &r, &result, NULL);
                visited = 0;
                vn_classic_query_visit_expanded(s.queries[kind], count_boxes, &visited);
                bool jumps = algo == VN_CLASSIC_JPS || algo == VN_CLASSIC_JPS6;
                assert_true(jumps ? visited > 0 : visited == result.closed);
                visited = 0;
                vn_classic_query_visit_expanded(s.queries[kind], stop_at_once, &visited);
                assert_true(visited == (result.closed > 0));
                visited = 0; // what was touched and not taken out again
                vn_classic_query_visit_open(s.queries[kind], count_boxes, &visited);
                assert_true(jumps || algo == VN_CLASSIC_ARA ||
                            visited + result.closed == result.path.touched);
            }
    }

    vnt_classics_free(&s);
}

static void test_words(void** state) {
    (void)state;
    vn_classic_kind kind;
    vn_classic_graph graph;
    for (int i = 0; i < VN_CLASSIC_KIND_COUNT; ++i) {
        assert_true(vn_classic_kind_from_name(vn_classic_kind_name((vn_classic_kind)i), &kind));
        assert_true(kind == (vn_classic_kind)i);
    }

    for (int i = 0; i < VN_GRAPH_COUNT; ++i) {
        assert_true(vn_classic_graph_from_name(vn_classic_graph_name((vn_classic_graph)i), &graph));
        assert_true(graph == (vn_classic_graph)i);
    }

    vn_classic_algo algo;
    for (int i = 0; i < VN_CLASSIC_ALGO_COUNT; ++i) {
        assert_true(vn_classic_algo_from_name(vn_classic_algo_name((vn_classic_algo)i), &algo));
        assert_int_equal(algo, i);
    }

    // One name, one algorithm, in both libraries; the core's cells are no classic.
    for (int i = VN_ALGO_CELLS; i < VN_ALGO_COUNT; ++i)
        assert_int_equal(vn_classic_algo_from_name(vn_algo_name((vn_algo)i), &algo), i != VN_ALGO_CELLS);

    assert_null(vn_classic_algo_name(VN_CLASSIC_ALGO_COUNT));
    assert_false(vn_classic_algo_from_name("a-star", &algo));
    assert_false(vn_classic_kind_from_name("tree", &kind));
    assert_false(vn_classic_graph_from_name("", &graph));
    assert_null(vn_classic_kind_name(VN_CLASSIC_KIND_COUNT));
    assert_null(vn_classic_graph_name(VN_GRAPH_COUNT));
}

typedef struct progress {
    uint32_t calls, cancel_at;
} progress;

static bool on_progress(void* user, const char* stage, double fraction) {
    progress* p = user;
    assert_true(stage);
    assert_true(fraction >= 0);
    assert_true(fraction <= 1);
    return p->calls++ != p->cancel_at;
}

static void test_defs_and_cancelling(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("classic defs", 926));
    vnt_voxels voxels = vnt_voxels_random(&rng, (vn_voxel){9, 8, 7});
    vn_space* space = vnt_voxels_space(&voxels);
    vn_detail detail;
    vn_classic* classic;
    vn_classic_query* query;
    vn_classic_def zero, def = vn_default_classic_def();
    vn_classic_query_def query_zero, query_def = vn_default_classic_query_def();
    memset(&zero, 0, sizeof zero);
    memset(&query_zero, 0, sizeof query_zero);
    assert_int_equal(vn_classic_build(space, &zero, &classic, &detail), VN_BAD_DEF);
    def.kind = (vn_classic_kind)9;
    assert_int_equal(vn_classic_build(space, &def, &classic, &detail), VN_BAD_ARGUMENT);
    def = vn_default_classic_def();
    def.allocator.resize = NULL;
    assert_int_equal(vn_classic_build(space, &def, &classic, &detail), VN_BAD_ARGUMENT);
    def = vn_default_classic_def();
    def.kind = VN_CLASSIC_OCTREE;
    def.min_depth = 30;

    assert_int_equal(vn_classic_build(space, &def, &classic, &detail), VN_BAD_ARGUMENT);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind)
        for (uint32_t at = 0;; ++at) {
            vnt_memory memory = vnt_memory_make();
            progress p = {0, at};
            def = vn_default_classic_def();
            def.allocator = vnt_memory_allocator(&memory);
            def.kind = (vn_classic_kind)kind;
            def.progress = on_progress;
            def.progress_user = &p;
            vn_status status = vn_classic_build(space, &def, &classic, &detail);

            assert_int_equal(status, p.calls > at ? VN_CANCELLED : VN_OK);
            if (status == VN_OK) {
                assert_int_equal(vn_classic_query_create(classic, &query_zero, &query, &detail), VN_BAD_DEF);
                query_def.allocator.alloc = NULL;
                assert_int_equal(vn_classic_query_create(classic, &query_def, &query, &detail),
                                 VN_BAD_ARGUMENT);
            }

            vn_classic_destroy(classic);
            assert_int_equal(memory.live_blocks, 0);
            if (status == VN_OK)
                break;
        }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_nothing_free),
                                       cmocka_unit_test(test_shallow_trees),
                                       cmocka_unit_test(test_expanded),
                                       cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_defs_and_cancelling)};

    return cmocka_run_group_tests_name("classic/classic_spaces", tests, NULL, NULL);
}
