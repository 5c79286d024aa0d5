/// Graphs over cells follow when a reader asks: whoever reads how often, a version has the same graph up to
/// names, and what did not change keeps its name; and readers for whom memory runs out go on later.
#include "changes_check.h"
#include "changes_scene.h"

enum { CELL_KINDS = 2 };
static const vn_nav_graph_kind cell_kinds[CELL_KINDS] = {VN_NAV_CELLS_PORTAL, VN_NAV_CELLS_CENTRE};

static vn_nav_graph* open_graph(vn_nav* nav, vn_nav_graph_kind kind) {
    vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_nav_graph* graph;
    def.kind = kind;
    def.zones = true;
    assert_int_equal(vn_nav_graph_create(nav, &def, &graph, NULL), VN_OK);
    return graph;
}

static scene start(uint64_t seed, const vn_allocator* allocator) {
    scene s;
    vn_nav_def def = changes_def(0, VN_NAV_REALTIME);
    def.space.bounds = (vn_box){{0, 0, 0}, {70, 12, 10}};
    if (allocator == NULL) {
        scene_start(&s, seed, &def);
        return s;
    }

    vn_world* world = scene_world(&s, seed, allocator);
    assert_non_null(world);
    def.allocator = *allocator;
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
    return s;
}

// ---------- up to names

/// Ids are replaced by the order of keys: two copies of the same graph are then equal.
static uint32_t* order_by_key(const live_copy* copy, uint32_t* count) {
    uint32_t* ids = calloc(copy->limit + 1, sizeof *ids);
    assert_non_null(ids);
    *count = 0;
    for (uint32_t id = 0; id < copy->limit; ++id) {
        if (!copy->nodes[id].exists)
            continue;
        uint32_t at = (*count)++;
        for (; at > 0 && copy->nodes[ids[at - 1]].key > copy->nodes[id].key; --at)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
    return ids;
}

/// Each edge of a node is in the other, which has as many.
static void compare_edges(const live_copy* a, const live_node* x, const live_copy* b, const live_node* y) {
    assert_int_equal(x->count, y->count);
    for (uint32_t i = 0; i < x->count; ++i) {
        bool found = false;
        for (uint32_t k = 0; k < y->count && !found; ++k)
            found = a->nodes[x->edges[i].to].key == b->nodes[y->edges[k].to].key &&
                    x->edges[i].cost == y->edges[k].cost;
        assert_true(found);
    }
}

static void compare_up_to_names(const live_copy* a, const live_copy* b) {
    uint32_t a_count, b_count;
    uint32_t *a_ids = order_by_key(a, &a_count), *b_ids = order_by_key(b, &b_count);
    assert_int_equal(a_count, b_count);
    for (uint32_t i = 0; i < a_count; ++i) {
        const live_node *x = &a->nodes[a_ids[i]], *y = &b->nodes[b_ids[i]];
        assert_int_equal(x->key, y->key);
        assert_memory_equal(&x->point, &y->point, sizeof x->point);
        compare_edges(a, x, b, y);
    }
    free(a_ids);
    free(b_ids);
}

/// Nodes of both, by key and point, have the same id; returns their number.
static uint32_t compare_names(const live_copy* before, const live_copy* now) {
    uint32_t count, same = 0, other;
    uint32_t *ids = order_by_key(before, &count), *now_ids = order_by_key(now, &other);
    for (uint32_t i = 0, k = 0; i < count && k < other;) {
        const live_node *x = &before->nodes[ids[i]], *y = &now->nodes[now_ids[k]];
        if (x->key == y->key && memcmp(&x->point, &y->point, sizeof x->point) == 0) {
            assert_int_equal(ids[i], now_ids[k]);
            ++same;
        }
        const bool first = x->key <= y->key, second = y->key <= x->key;
        i += first;
        k += second;
    }
    free(ids);
    free(now_ids);
    return same;
}

/// Two navs that are told the same; one is read in each version, the other now and then, also after more
/// versions than are kept.
static void graphs_do_not_depend_on_who_reads_when(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav follow", 24);
    scene often = start(seed, NULL), seldom = start(seed, NULL);
    vn_zone_id zones[2] = {{0, 0}, {0, 0}};
    vn_nav_graph *a[CELL_KINDS], *b[CELL_KINDS];
    live_copy before[CELL_KINDS];
    for (int i = 0; i < CELL_KINDS; ++i) {
        a[i] = open_graph(often.nav, cell_kinds[i]);
        b[i] = open_graph(seldom.nav, cell_kinds[i]);
        before[i] = copy_graph(b[i]);
    }

    vni_rng rng = vni_rng_make(seed);
    uint64_t version = 1;
    uint32_t same = 0, stale = 0, followed = 0;
    for (uint32_t step = 0; step < vnt_scale(12, 200); ++step) {
        const uint32_t gap = 1 + vni_rng_below(&rng, 2 * HISTORY);
        for (uint32_t k = 0; k < gap; ++k, ++version) {
            change(&often, &zones[0]);
            change(&seldom, &zones[1]);
            next_version(&often, version);
            next_version(&seldom, version);
            for (int i = 0; i < CELL_KINDS; ++i)
                assert_int_equal(vn_nav_graph_advance(a[i]), VN_OK);
        }

        for (int i = 0; i < CELL_KINDS; ++i) {
            const vn_status status = vn_nav_graph_advance(b[i]);
            assert_int_equal(status, gap > HISTORY ? VN_STALE : VN_OK);
            stale += status == VN_STALE;
            followed += status == VN_OK;
            assert_int_equal(vn_nav_graph_version(b[i]), version);
            live_copy expected = copy_graph(a[i]), now = copy_graph(b[i]);
            compare_up_to_names(&expected, &now);
            if (status == VN_STALE) // otherwise what went in between may have come again
                same += compare_names(&before[i], &now);
            live_copy_free(&expected);
            live_copy_free(&before[i]);
            before[i] = now;
        }
    }

    assert_true(same > 100 && stale > 0 && followed > 0);
    for (int i = 0; i < CELL_KINDS; ++i) {
        live_copy_free(&before[i]);
        vn_nav_graph_destroy(a[i]);
        vn_nav_graph_destroy(b[i]);
    }
    vn_nav_destroy(often.nav);
    vn_nav_destroy(seldom.nav);
}

// ---------- memory

/// A reader goes on over `gap` versions, and an allocation fails: it stays where it was, with the changes
/// that it held, and goes on later, to what is expected up to names. False if none failed.
static bool survive(uint32_t gap, uint64_t fail_at, const live_copy* expected) {
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_shared_allocator(&memory);
    scene s = start(8, &allocator);
    vn_zone_id zone = {0, 0};
    vn_nav_graph* graph = open_graph(s.nav, VN_NAV_CELLS_PORTAL);
    change(&s, &zone);
    next_version(&s, 1);
    assert_int_equal(vn_nav_graph_advance(graph), VN_OK);
    live_copy before = copy_graph(graph);
    for (uint32_t i = 0; i < gap; ++i) {
        change(&s, &zone);
        next_version(&s, i + 2);
    }

    memory.fail_at = memory.calls + fail_at;
    const vn_status status = vn_nav_graph_advance(graph);
    const bool failed = memory.failed;
    memory.fail_at = UINT64_MAX;
    vn_node_changes held;
    const vn_status good = gap > HISTORY ? VN_STALE : VN_OK;
    if (status == VN_OUT_OF_MEMORY) {
        assert_true(failed);
        assert_int_equal(vn_nav_graph_version(graph), 2);
        assert_int_equal(vn_nav_graph_get_changes(graph, 2, &held), VN_OK);
        live_copy still = copy_graph(graph);
        live_copy_compare(&before, &still);
        live_copy_free(&still);
        assert_int_equal(vn_nav_graph_advance(graph), good);
    } else {
        assert_int_equal(status, good);
    }

    live_copy now = copy_graph(graph);
    assert_int_equal(vn_nav_graph_version(graph), gap + 2);
    if (good == VN_OK) {
        replay(graph, 2, &before);
        live_copy_compare(&before, &now);
    }
    compare_up_to_names(expected, &now);
    live_copy_free(&before);
    live_copy_free(&now);
    vn_nav_graph_destroy(graph);
    vn_nav_destroy(s.nav);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    return failed;
}

/// The graph after the same changes, by a reader of each version.
static live_copy expect(uint32_t gap) {
    scene s = start(8, NULL);
    vn_zone_id zone = {0, 0};
    vn_nav_graph* graph = open_graph(s.nav, VN_NAV_CELLS_PORTAL);
    for (uint32_t i = 0; i < gap + 1; ++i) {
        change(&s, &zone);
        next_version(&s, i + 1);
        assert_int_equal(vn_nav_graph_advance(graph), VN_OK);
    }

    const live_copy copy = copy_graph(graph);
    vn_nav_graph_destroy(graph);
    vn_nav_destroy(s.nav);
    return copy;
}

static void fail_everywhere(uint32_t gap) {
    live_copy expected = expect(gap);
    uint64_t k = 0;
    while (survive(gap, k, &expected))
        ++k;
    assert_true(k > 20);
    live_copy_free(&expected);
}

static void a_reader_without_memory_goes_on_later(void** state) {
    (void)state;
    fail_everywhere(4);
}

static void also_beyond_what_is_kept(void** state) {
    (void)state;
    fail_everywhere(HISTORY + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_do_not_depend_on_who_reads_when),
        cmocka_unit_test(a_reader_without_memory_goes_on_later),
        cmocka_unit_test(also_beyond_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
