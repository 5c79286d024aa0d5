/// Readers of roadmaps: in turn with the roadmaps that follow, and on threads of their own meanwhile.
#include "base/threads.h"
#include "roadmap_stage.h"
#include "volnav/classic.h"
#include "volnav/path.h"

typedef struct reader {
    const stage* s;
    vn_roadmap* roadmap;
    vn_roadmap_view* view;
    vn_graph_query* query;
    uint64_t last; ///< version
    vni_atomic stop;
    uint32_t rounds, versions, paths, faults;
} reader;

/// Every id that came or changed is a node, or was one: none is an end.
static void read_changes(reader* r, uint64_t version) {
    vn_held_changes held;
    const vn_status status = vn_roadmap_hold_changes(r->roadmap, version, &held);
    r->faults += status != VN_OK && status != VN_STALE;
    if (status != VN_OK)
        return;
    r->faults += held.nodes.version != version;
    for (uint32_t i = 0; i < held.nodes.changed_count; ++i)
        r->faults += held.nodes.changed[i] < VN_FIRST_NODE;
    vn_roadmap_release_changes(r->roadmap, &held);
}

/// A path in the version of the view is free in the space of the view.
static void find_path(reader* r, vn_roadmap_view* view, vn_graph_query* query) {
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_moving_scene_get_info(r->s->scene, &info);
    if (vn_moving_scene_get_goal(r->s->scene, 0, &goal, NULL) != VN_OK) {
        ++r->faults;
        return;
    }

    const vn_space* space = vn_roadmap_view_space(view);
    const vn_vec3 places[2] = {info.start, goal};
    for (uint32_t i = 0; i < 2; ++i) {
        vn_point point;
        if (vn_space_point_from_local(space, places[i], &point) != VN_OK ||
            vn_roadmap_view_set_end(view, i, point) != VN_OK)
            return; // something stands there now
    }

    const vn_graph* graph = vn_roadmap_view_graph(view);
    const vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    uint32_t count;
    if (vn_graph_query_grow(query, graph->node_limit, NULL) != VN_OK) {
        ++r->faults;
        return;
    }

    const vn_status status = vn_graph_query_find_path(query, graph, &request, &result, NULL);
    r->faults += status != VN_OK && status != VN_NO_PATH;
    if (status == VN_OK) {
        const vn_point* points = vn_graph_query_points(query, &count);
        r->faults += !vn_space_check_path(space, points, count, NULL);
        ++r->paths;
    }
}

static void open_reader(reader* r) {
    const vn_graph_query_def def = vn_default_graph_query_def();
    if (vn_graph_query_create(&def, &r->query, NULL) != VN_OK ||
        vn_roadmap_view_create(r->roadmap, &r->view, NULL) != VN_OK)
        r->faults += 1000;
}

static void close_reader(reader* r) {
    vn_roadmap_view_destroy(r->view);
    vn_graph_query_destroy(r->query);
}

/// The view advances, and now and then is made anew.
static void read_round(reader* r) {
    if (++r->rounds % 4 == 0) {
        vn_roadmap_view_destroy(r->view);
        r->view = NULL;
        r->faults += vn_roadmap_view_create(r->roadmap, &r->view, NULL) != VN_OK;
    } else {
        vn_roadmap_view_advance(r->view);
    }

    if (r->view == NULL)
        return;
    const uint64_t version = vn_roadmap_view_version(r->view);
    r->faults += version < r->last;
    r->versions += version != r->last;
    if (version > 1)
        read_changes(r, version);
    r->last = version;
    find_path(r, r->view, r->query);
}

static void readers_take_turns_with_updates(void** state) {
    (void)state;
    const uint32_t frames = 12;
    stage s = start(3, 3, vn_default_allocator());
    for (uint32_t i = 0; i < 2; ++i) {
        reader r = {.s = &s, .roadmap = s.roads[i]};
        open_reader(&r);
        for (uint32_t frame = 1; frame <= frames; ++frame) {
            move_to(&s, 0.1 * (frame + i * frames));
            follow(&s);
            read_round(&r);
        }
        close_reader(&r);
        assert_int_equal(r.faults, 0);
        assert_int_equal(r.versions, frames);
        assert_true(r.paths > 0);
    }
    stop(&s);
}

#if VOLNAV_THREADS
static void read_roadmap(void* argument) {
    reader* r = argument;
    open_reader(r);
    while (r->faults == 0 && !vni_atomic_load(&r->stop))
        read_round(r);
    close_reader(r);
}

static void readers_and_updates_run_at_once(void** state) {
    (void)state;
    const uint32_t frames = vnt_scale(25, 300);
    stage s = start(4, 3, vn_default_allocator());
    const vn_allocator allocator = vn_default_allocator();
    reader readers[4];
    vni_thread* threads[4];
    memset(readers, 0, sizeof readers);
    for (int i = 0; i < 4; ++i) {
        readers[i].s = &s;
        readers[i].roadmap = s.roads[i % 2];
        assert_int_equal(vni_thread_start(&allocator, read_roadmap, &readers[i], &threads[i]), VN_OK);
    }

    for (uint32_t frame = 1; frame <= frames; ++frame) {
        move_to(&s, frame * 0.1);
        follow(&s);
    }

    uint32_t versions = 0, paths = 0;
    for (int i = 0; i < 4; ++i) {
        vni_atomic_store(&readers[i].stop, 1);
        vni_thread_join(&allocator, threads[i]);
        versions += readers[i].versions;
        paths += readers[i].paths;
        assert_int_equal(readers[i].faults, 0);
    }

    print_message("%u frames; readers saw %u versions and found %u paths\n", frames, versions, paths);
    assert_true(versions >= 4);
    stop(&s);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_take_turns_with_updates),
#if VOLNAV_THREADS
        cmocka_unit_test(readers_and_updates_run_at_once),
#endif
    };
    return cmocka_run_group_tests_name("classic/roadmap_readers", tests, NULL, NULL);
}
