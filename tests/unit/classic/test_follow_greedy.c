/// A classic that follows changes by greedy merging: its boxes are free space, its portals those of all
/// pairs, its paths right; graphs made anew; times by the caller's clock; statuses; failing memory.
#include "live_world.h"

#include "volnav/classic.h"

static uint64_t tick(void* user) {
    return ++*(uint64_t*)user;
}

static vn_classic_def def_of(bool greedy) {
    vn_classic_def def = vn_default_classic_def();
    def.kind = VN_CLASSIC_MERGED;
    def.follows = true;
    def.greedy = greedy;
    return def;
}

static bool collect(void* user, vn_voxel low, vn_voxel high) {
    const vni_box box = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    set_add((box_set*)user, &box);
    return true;
}

static uint32_t count_pairs(const box_set* boxes) {
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < boxes->count; ++i)
        for (uint32_t k = 0; k < boxes->count; ++k) {
            vni_face face;
            pairs += vni_box_face(&boxes->at[i], &boxes->at[k], &face);
        }
    return pairs;
}

/// Boxes are disjoint and hold all free voxels; a portal for each pair that shares a face.
static void check(const live_world* w, const vn_classic* classic) {
    box_set boxes = {0};
    int64_t volume = 0, free_voxels = 0;
    vn_classic_visit_boxes(classic, (vn_voxel){0, 0, 0}, w->fixed.dims, collect, &boxes);
    for (size_t i = 0; i < live_volume(&w->all); ++i)
        free_voxels += !w->all.blocked[i];

    for (uint32_t i = 0; i < boxes.count; ++i) {
        const vni_box* b = &boxes.at[i];
        for (int32_t z = b->low[2]; z < b->high[2]; ++z)
            for (int32_t y = b->low[1]; y < b->high[1]; ++y)
                for (int32_t x = b->low[0]; x < b->high[0]; ++x, ++volume)
                    assert_true(vnt_voxels_are_free(&w->all, x, y, z));
        for (uint32_t k = 0; k < i; ++k)
            assert_false(vni_box_overlaps(b, &boxes.at[k]));
    }

    vn_classic_info info;
    vn_classic_get_info(classic, &info);
    assert_int_equal(volume, free_voxels);
    assert_int_equal(info.cells, boxes.count);
    assert_int_equal(info.portals, count_pairs(&boxes));
    set_free(&boxes);
}

typedef struct answer {
    vn_status status;
    double cost;
} answer;

static answer ask(const live_world* w, vn_classic_query* query, vni_rng rng) {
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result = {0};
    request.start = vnt_random_point(&rng, w->fixed.dims, 256);
    request.goal = vnt_random_point(&rng, w->fixed.dims, 256);
    request.snap_distance = 3;
    request.check = true;
    const vn_status status = vn_classic_query_find_path(query, &request, &result, NULL);
    if (status == VN_OK)
        assert_true(result.path.checked);
    return (answer){status, result.search_cost};
}

/// Both trees have the same way or none; graphs made anew give the same answer.
static void search(const live_world* w, vn_classic* greedy, const vn_classic* restored, vni_rng* rng) {
    vn_classic_query *a, *b;
    const vn_classic_query_def def = vn_default_classic_query_def();
    const vni_rng draw = vni_rng_make(vni_rng_next(rng));
    assert_int_equal(vn_classic_query_create(greedy, &def, &a, NULL), VN_OK);
    assert_int_equal(vn_classic_query_create(restored, &def, &b, NULL), VN_OK);
    const answer first = ask(w, a, draw), other = ask(w, b, draw);
    assert_int_equal(first.status, other.status);

    // The query goes on after it has let go of the old graph.
    uint32_t count;
    vn_classic_query_forget(a);
    vn_classic_query_points(a, &count);
    assert_int_equal(count, 0);
    assert_int_equal(vn_classic_rebuild_graph(greedy, vn_classic_version(greedy) + 1, NULL), VN_OK);
    check(w, greedy);
    const answer again = ask(w, a, draw);
    assert_int_equal(first.status, again.status);
    assert_true(first.cost == again.cost);
    vn_classic_query_destroy(a);
    vn_classic_query_destroy(b);
}

static void test_greedy_follows(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow greedy", 111));
    for (uint32_t i = vnt_scale(16, 200); i > 0; --i) {
        live_world w = live_random(&rng, 14);
        uint64_t clock = 0;
        vn_classic *greedy, *restored;
        vn_classic_def def = def_of(true);
        def.clock = tick;
        def.clock_user = &clock;
        const vn_classic_def other = def_of(false);
        assert_int_equal(vn_classic_build(w.space, &def, &greedy, NULL), VN_OK);
        assert_int_equal(vn_classic_build(w.space, &other, &restored, NULL), VN_OK);
        for (uint32_t k = 0; k < 8; ++k) {
            const uint64_t version = vn_classic_version(greedy) + 1;
            live_step(&w, &rng);
            assert_int_equal(vn_classic_follow(greedy, w.space, version, NULL, NULL), VN_OK);
            assert_int_equal(vn_classic_follow(restored, w.space, version, NULL, NULL), VN_OK);
            check(&w, greedy);
            search(&w, greedy, restored, &rng);
        }

        // The clock goes on by one at each look: once before, once between, once after an update.
        vn_classic_times times;
        vn_classic_get_times(greedy, &times);
        assert_int_equal(times.updates, 8);
        assert_int_equal(times.tree_ns, 8);
        assert_int_equal(times.graph_ns, 8);
        vn_classic_get_times(restored, &times);
        assert_int_equal(times.updates, 8);
        assert_int_equal(times.tree_ns, 0);
        vn_classic_destroy(greedy);
        vn_classic_destroy(restored);
        live_free(&w);
    }
}

static bool refuse_bytes(void* user, const void* data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return false;
}

static void test_statuses(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){5, 4, 3});
    vn_space* space = vnt_voxels_space(&voxels);
    vn_classic* classic;
    vn_classic_times times;
    vn_held_changes changes;
    vn_classic_def def = def_of(true);
    def.kind = VN_CLASSIC_OCTREE;
    assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_UNSUPPORTED);

    // Not saved, not loaded: what it is depends on history.
    def.kind = VN_CLASSIC_MERGED;
    assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
    assert_int_equal(vn_classic_write(classic, &(vn_sink){.write = refuse_bytes}, NULL), VN_UNSUPPORTED);
    vn_classic_destroy(classic);
    assert_int_equal(vn_classic_read(space, &def, "", 0, &classic, NULL), VN_UNSUPPORTED);
    assert_null(classic);

    def.kind = VN_CLASSIC_OCTREE;
    def.greedy = false;
    assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
    assert_int_equal(vn_classic_rebuild_graph(classic, 1, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_classic_rebuild_graph(classic, 2, NULL), VN_OK);
    assert_int_equal(vn_classic_version(classic), 2);
    assert_int_not_equal(vn_classic_hold_changes(classic, VN_GRAPH_CENTRES, 2, &changes, NULL), VN_OK);
    vn_classic_destroy(classic);

    def.follows = false;
    assert_int_equal(vn_classic_build(space, &def, &classic, NULL), VN_OK);
    assert_int_equal(vn_classic_rebuild_graph(classic, 2, NULL), VN_BAD_ARGUMENT);
    vn_classic_get_times(classic, &times);
    assert_int_equal(times.updates, 0);
    vn_classic_destroy(classic);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Each allocation of a new graph fails once: then the old one is there.
static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("follow greedy memory", 112));
    for (uint32_t i = vnt_scale(4, 20); i > 0; --i) {
        vnt_memory memory = vnt_memory_make();
        live_world w = live_random(&rng, 10);
        vn_classic* classic = NULL;
        vn_classic_def def = def_of(true);
        def.allocator = vnt_memory_allocator(&memory);
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            status = vn_classic_build(w.space, &def, &classic, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_true(status == VN_OK || memory.live_blocks == 0);
        }

        status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.fail_at = memory.calls + k;
            memory.failed = false;
            status = vn_classic_rebuild_graph(classic, 2, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_int_equal(vn_classic_version(classic), status == VN_OK ? 2 : 1);
            check(&w, classic);
        }

        vn_classic_destroy(classic);
        live_free(&w);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy_follows),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
