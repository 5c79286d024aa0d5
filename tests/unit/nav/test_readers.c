/// Readers of changes and graphs: in lockstep the same for any number of workers; and on threads of their own
/// while updates run.
#include "changes_scene.h"

#include "base/threads.h"
#include "base/xxh64.h"

// ---------- lockstep

static uint64_t hash_list(uint64_t hash, const void* data, size_t size) {
    return vni_xxh64(data, size, hash);
}

/// All changes of a run, in lockstep.
static uint64_t run_lockstep(uint32_t workers) {
    scene s;
    vn_nav_def def = changes_def(workers, VN_NAV_LOCKSTEP);
    scene_start(&s, 9, &def);
    vn_zone_id zone = {0, 0};
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    vn_nav_graph* graph;
    assert_int_equal(vn_nav_graph_create(s.nav, &graph_def, &graph, NULL), VN_OK);
    uint64_t hash = 0;
    for (uint32_t tick = 0; tick < 40; ++tick) {
        change(&s, &zone);
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
        const uint64_t from = vn_nav_graph_version(graph);
        assert_int_equal(vn_nav_graph_advance(graph), VN_OK);
        for (uint64_t v = from + 1; v <= vn_nav_graph_version(graph); ++v) {
            const vn_changes* c;
            vn_node_changes n;
            assert_int_equal(vn_nav_get_changes(s.nav, v, &c), VN_OK);
            assert_int_equal(vn_nav_graph_get_changes(graph, v, &n), VN_OK);
            hash = hash_list(hash, &v, sizeof v);
            for (uint32_t i = 0; i < c->layers[0].brick_count; ++i) { // field by field: there is padding
                const vn_brick_change* brick = &c->layers[0].bricks[i];
                hash = hash_list(hash, &brick->low, sizeof brick->low);
                hash = hash_list(hash, &brick->after, sizeof brick->after);
            }
            hash = hash_list(hash, n.came, n.came_count * sizeof *n.came);
            hash = hash_list(hash, n.went, n.went_count * sizeof *n.went);
            hash = hash_list(hash, n.changed, n.changed_count * sizeof *n.changed);
            vn_nav_release_changes(s.nav, c);
        }
    }

    assert_true(vn_nav_graph_version(graph) > 10);
    vn_nav_graph_destroy(graph);
    vn_nav_destroy(s.nav);
    return hash;
}

static void in_lockstep_deltas_are_the_same_for_any_workers(void** state) {
    (void)state;
    const uint64_t alone = run_lockstep(0);
    if (!scene_has_threads())
        return;
    assert_true(run_lockstep(1) == alone);
    assert_true(run_lockstep(3) == alone);
}

// ---------- threads

#if VOLNAV_THREADS
typedef struct reader {
    vn_nav* nav;
    vni_atomic stop;
    const vni_atomic* newest;
    uint32_t versions, faults, stale;
    vn_nav_graph_kind kind;
    uint64_t patience; ///< versions that it lets go by before it goes on
} reader;

/// Walks the graph: every edge has its reverse, and ids are below the limit.
static uint32_t walk(const vn_graph* g, uint32_t seed) {
    uint32_t at = VN_START_NODE, faults = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        uint32_t to[VN_EDGE_BATCH], back[VN_EDGE_BATCH], cursor = 0;
        double cost[VN_EDGE_BATCH];
        const vn_edges out = {to, cost}, reverse = {back, cost};
        const uint32_t count = g->expand(g->self, at, &cursor, &out);
        if (count == 0)
            break;
        const uint32_t next = to[(seed + 7 * i) % count];
        faults += next >= g->node_limit;
        bool found = false;
        cursor = 0;
        do {
            const uint32_t more = g->predecessors(g->self, next, &cursor, &reverse);
            for (uint32_t k = 0; k < more; ++k)
                found = found || back[k] == at;
        } while (cursor != 0);
        faults += !found;
        at = next;
    }
    return faults;
}

static void read_graphs(void* argument) {
    reader* r = argument;
    vn_nav_graph_def def = vn_default_nav_graph_def();
    def.kind = r->kind;
    vn_nav_graph* graph;
    if (vn_nav_graph_create(r->nav, &def, &graph, NULL) != VN_OK) {
        r->faults = 1000;
        return;
    }

    while (!vni_atomic_load(&r->stop)) {
        const uint64_t from = vn_nav_graph_version(graph);
        if (vni_atomic_load(r->newest) < from + r->patience)
            continue;
        const vn_status status = vn_nav_graph_advance(graph);
        r->stale += status == VN_STALE;
        for (uint64_t v = from + 1; status == VN_OK && v <= vn_nav_graph_version(graph); ++v) {
            vn_node_changes c;
            const vn_changes* changes;
            r->faults += vn_nav_graph_get_changes(graph, v, &c) != VN_OK;
            for (uint32_t i = 0; i < c.came_count; ++i)
                r->faults += c.came[i] < VN_FIRST_NODE;
            if (vn_nav_get_changes(r->nav, v, &changes) == VN_OK) {
                for (uint32_t i = 0; i < changes->obstacle_count; ++i)
                    r->faults += changes->obstacles[i].shape->kind == 0;
                vn_nav_release_changes(r->nav, changes);
            }
            ++r->versions;
        }
        (void)vn_nav_graph_set_end(graph, 0, scene_point(2, 2, 2));
        r->faults += walk(vn_nav_graph_get(graph), r->versions);
    }
    vn_nav_graph_destroy(graph);
}

/// Readers on threads of their own, while versions come.
static void run_readers(uint64_t seed, reader* readers, uint32_t count) {
    scene s;
    vn_nav_def def = changes_def(2, VN_NAV_REALTIME);
    scene_start(&s, seed, &def);
    const vn_allocator allocator = vn_default_allocator();
    vni_atomic newest = 1;
    vni_thread* threads[4];
    assert_true(count <= 4);
    for (uint32_t i = 0; i < count; ++i) {
        readers[i].nav = s.nav;
        readers[i].newest = &newest;
        assert_int_equal(vni_thread_start(&allocator, read_graphs, &readers[i], &threads[i]), VN_OK);
    }

    vn_zone_id zone = {0, 0};
    uint64_t version = 1;
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        change(&s, &zone);
        next_version(&s, version);
        vn_nav_stats stats;
        vn_nav_get_stats(s.nav, &stats);
        version = stats.version;
        vni_atomic_store(&newest, (uint32_t)version);
    }

    for (uint32_t i = 0; i < count; ++i) {
        vni_atomic_store(&readers[i].stop, 1);
        vni_thread_join(&allocator, threads[i]);
        assert_int_equal(readers[i].faults, 0);
    }
    vn_nav_destroy(s.nav);
}

static void readers_and_updates_run_at_once(void** state) {
    (void)state;
    reader readers[2] = {{.kind = VN_NAV_CELLS_PORTAL}, {.kind = VN_NAV_GRID26}};
    run_readers(vnt_seed("nav readers", 23), readers, 2);
}

/// Three take one graph along, each in its own time.
static void readers_share_a_graph(void** state) {
    (void)state;
    reader readers[3] = {{.kind = VN_NAV_CELLS_PORTAL},
                         {.kind = VN_NAV_CELLS_CENTRE, .patience = 3},
                         {.kind = VN_NAV_CELLS_PORTAL, .patience = HISTORY + 2}};
    run_readers(vnt_seed("nav shared readers", 25), readers, 3);
}

/// Both come after more versions than are kept, and bring the graph up to date at once.
static void late_readers_share_a_graph(void** state) {
    (void)state;
    reader readers[2] = {{.kind = VN_NAV_CELLS_PORTAL, .patience = HISTORY + 1},
                         {.kind = VN_NAV_CELLS_CENTRE, .patience = HISTORY + 1}};
    run_readers(vnt_seed("nav late readers", 26), readers, 2);
    assert_true(readers[0].stale + readers[1].stale > 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_lockstep_deltas_are_the_same_for_any_workers),
#if VOLNAV_THREADS
        cmocka_unit_test(readers_and_updates_run_at_once),
        cmocka_unit_test(readers_share_a_graph),
        cmocka_unit_test(late_readers_share_a_graph),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
