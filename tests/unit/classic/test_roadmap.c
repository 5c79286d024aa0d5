/// Roadmaps that follow a nav on the theses' scene: states against those made anew, edges against the
/// checker, paths, changes by node, views that stay, statuses, memory.
#include "graph_lists.h"
#include "roadmap_stage.h"
#include "volnav/classic.h"
#include "volnav/path.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------- checks

static void check_hybrid(const stage* s) {
    const vni_roadmap_version* v = s->roads[0]->newest;
    vni_hybrid_state anew;
    assert_int_equal(vni_hybrid_state_make(&s->roads[0]->hybrid, &v->space->occupancy, &anew, NULL), VN_OK);
    assert_memory_equal(anew.open, v->hybrid.open,
                        vni_bits_words(s->roads[0]->hybrid.edge_count) * sizeof(uint64_t));
    vni_hybrid_state_free(&anew);
}

static void check_waypoints(const stage* s) {
    const vni_roadmap_version* v = s->roads[1]->newest;
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_roadmap* anew;
    def.allocator = s->allocator;
    def.indirect = INDIRECT;
    assert_int_equal(vn_roadmap_create_waypoints(s->nav->fixed.world, v->space, &def, &anew, NULL), VN_OK);
    const vni_waypoints *a = &v->waypoints, *b = &anew->newest->waypoints;
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->to_count, b->to_count);
    for (uint32_t i = 0; i < a->node_count; ++i)
        assert_memory_equal(&a->nodes[i].point, &b->nodes[i].point, sizeof a->nodes[i].point);
    assert_memory_equal(a->to, b->to, a->to_count * sizeof *a->to);
    vn_roadmap_destroy(anew);
}

/// Every edge of some nodes is a free line by the exact checker.
static void check_lines(vn_roadmap* roadmap, uint32_t first, uint32_t step) {
    vn_roadmap_view* view;
    assert_int_equal(vn_roadmap_view_create(roadmap, &view, NULL), VN_OK);
    const vn_graph* graph = vn_roadmap_view_graph(view);
    for (uint32_t id = VN_FIRST_NODE + first; id < graph->node_limit; id += step) {
        edge_list list;
        if (roadmap->kind == VN_ROADMAP_WAYPOINTS &&
            roadmap->newest->waypoints.nodes_of[id - VN_FIRST_NODE] == UINT32_MAX)
            continue;
        list_edges(graph, id, false, &list);
        for (uint32_t i = 0; i < list.count; ++i) {
            const uint32_t both[2] = {id, list.to[i]};
            vn_point line[2];
            graph->points(graph->self, both, 2, line);
            assert_true(vn_space_check_path(vn_roadmap_view_space(view), line, 2, NULL));
        }
    }
    vn_roadmap_view_destroy(view);
}

static uint32_t find_paths(const stage* s, vn_roadmap* roadmap, vn_graph_query* query, double seconds) {
    const vn_classic_algo algos[] = {VN_CLASSIC_ASTAR,      VN_CLASSIC_THETA, VN_CLASSIC_THETA_FAST,
                                     VN_CLASSIC_LAZY_THETA, VN_CLASSIC_ARA,   VN_CLASSIC_DIJKSTRA};
    vn_moving_scene_info info;
    vn_vec3 goal;
    vn_point ends[2];
    vn_roadmap_view* view;
    uint32_t found = 0;
    double least = 0;
    vn_moving_scene_get_info(s->scene, &info);
    assert_int_equal(vn_moving_scene_get_goal(s->scene, seconds, &goal, NULL), VN_OK);
    assert_int_equal(vn_roadmap_view_create(roadmap, &view, NULL), VN_OK);
    const vn_space* space = vn_roadmap_view_space(view);
    assert_int_equal(vn_space_point_from_local(space, info.start, &ends[0]), VN_OK);
    assert_int_equal(vn_space_point_from_local(space, goal, &ends[1]), VN_OK);
    const vn_graph* graph = vn_roadmap_view_graph(view);
    bool set = true;
    for (uint32_t i = 0; i < 2; ++i)
        set = vn_roadmap_view_set_end(view, i, ends[i]) == VN_OK && set;

    for (uint32_t i = 0; set && i < sizeof algos / sizeof *algos; ++i) {
        vn_graph_request request = vn_default_graph_request();
        vn_graph_result result;
        uint32_t count;
        request.algo = algos[i];
        assert_int_equal(vn_graph_query_grow(query, graph->node_limit, NULL), VN_OK);
        if (vn_graph_query_find_path(query, graph, &request, &result, NULL) != VN_OK)
            continue;
        const vn_point* points = vn_graph_query_points(query, &count);
        assert_true(vn_space_check_path(space, points, count, NULL));
        least = i == 0 ? result.cost : least;
        if (result.bound == 1)
            assert_true(fabs(result.cost - least) < 1e-9 * (1 + least));
        ++found;
    }
    vn_roadmap_view_destroy(view);
    return found;
}

static void test_scene(void** state) {
    (void)state;
    const uint32_t frames = vnt_scale(20, 400);
    stage s = start(frames * 0.1 + 8, 64, vn_default_allocator());
    vn_graph_query_def query_def = vn_default_graph_query_def();
    vn_graph_query* query;
    vn_roadmap_info info[2];
    uint32_t found[2] = {0};
    assert_int_equal(vn_graph_query_create(&query_def, &query, NULL), VN_OK);
    for (uint32_t frame = 1; frame <= frames; ++frame) {
        move_to(&s, frame * 0.1);
        follow(&s);
        if (frame % 5 == 0) {
            check_hybrid(&s);
            check_waypoints(&s);
        }
        check_lines(s.roads[0], frame % 50, 50);
        check_lines(s.roads[1], frame % 5, 5);
        for (int i = 0; i < 2; ++i)
            found[i] += find_paths(&s, s.roads[i], query, frame * 0.1);
    }

    for (int i = 0; i < 2; ++i)
        vn_roadmap_get_info(s.roads[i], &info[i]);
    print_message(
        "hybrid: %u nodes (%u static, %u dynamic, %u neighbours), %u edges; waypoints: %u nodes, %u edges; "
        "%u and %u paths in %u frames\n",
        info[0].nodes, info[0].static_nodes, info[0].dynamic_nodes, info[0].neighbour_nodes, info[0].edges,
        info[1].nodes, info[1].edges, found[0], found[1], frames);
    assert_int_equal(found[0], 6 * frames); // the hybrid graph always has a way here
    assert_true(found[1] > 2 * frames);     // the waypoints mostly; Theta* Fast is not for them
    vn_graph_query_destroy(query);
    stop(&s);
}

// -------------------------------------------------------------------------------------------------- versions

static void test_versions(void** state) {
    (void)state;
    stage s = start(6, 3, vn_default_allocator());
    vn_roadmap_view* old[2];
    vn_held_changes held, more;
    move_to(&s, 0.5);
    follow(&s);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vn_roadmap_view_create(s.roads[i], &old[i], NULL), VN_OK);
        assert_int_equal(vn_roadmap_view_version(old[i]), 2);
    }
    edge_list before, after;
    list_edges(vn_roadmap_view_graph(old[0]), VN_FIRST_NODE + 100, false, &before);
    assert_int_equal(vn_roadmap_hold_changes(s.roads[0], 2, &held), VN_OK);
    const uint32_t first = held.nodes.changed[0];

    for (int i = 2; i < 8; ++i) {
        move_to(&s, 0.5 * i);
        follow(&s);
    }
    list_edges(vn_roadmap_view_graph(old[0]), VN_FIRST_NODE + 100, false, &after);
    assert_int_equal(before.count, after.count);
    assert_true(held.nodes.changed[0] == first && held.nodes.version == 2);
    assert_int_equal(vn_roadmap_hold_changes(s.roads[0], 2, &more), VN_STALE);
    assert_int_equal(vn_roadmap_hold_changes(s.roads[0], s.version, &more), VN_OK);
    vn_roadmap_release_changes(s.roads[0], &more);
    assert_int_equal(vn_roadmap_hold_changes(s.roads[0], s.version + 1, &more), VN_BAD_ARGUMENT);
    vn_roadmap_release_changes(s.roads[0], &held);

    for (int i = 0; i < 2; ++i) {
        vn_roadmap_view_advance(old[i]);
        assert_int_equal(vn_roadmap_view_version(old[i]), s.version);
        vn_roadmap_view_destroy(old[i]);
    }
    stop(&s);
}

/// Versions 2 and 3 of the nav, and the changes of 3 alone: they do not lead there.
static void test_gap(void** state) {
    (void)state;
    stage s = start(2, 8, vn_default_allocator());
    const vn_changes *second, *third;
    uint64_t version;
    for (int i = 1; i < 3; ++i) {
        move_to(&s, 0.5 * i);
        assert_int_equal(vn_nav_tick(s.nav, NULL), VN_OK);
    }
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    assert_int_equal(version, 3);
    assert_int_equal(vn_nav_get_changes(s.nav, 2, &second), VN_OK);
    assert_int_equal(vn_nav_get_changes(s.nav, 3, &third), VN_OK);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(vn_roadmap_follow(s.roads[i], space, 3, third, 0, NULL), VN_STALE);
    assert_int_equal(vn_roadmap_follow(s.roads[0], space, 2, third, 0, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_roadmap_follow(s.roads[0], space, 3, NULL, 0, NULL), VN_OK);
    check_hybrid(&s);
    assert_int_equal(vn_roadmap_follow(s.roads[0], space, 4, second, 0, NULL), VN_BAD_ARGUMENT);
    vn_nav_release_changes(s.nav, second);
    vn_nav_release_changes(s.nav, third);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    stop(&s);
}

static void test_statuses(void** state) {
    (void)state;
    stage s = start(2, 8, vn_default_allocator());
    uint64_t version;
    vn_detail detail;
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    assert_int_equal(vn_roadmap_follow(s.roads[0], space, 1, NULL, 0, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_roadmap_follow(s.roads[1], space, 2, NULL, 0, &detail), VN_STALE);
    assert_non_null(strstr(detail.text, "anew"));
    assert_int_equal(vn_roadmap_follow(s.roads[0], space, 5, NULL, 0, &detail), VN_OK); // looks at everything
    check_hybrid(&s);

    vn_roadmap_view* view;
    assert_int_equal(vn_roadmap_view_create(s.roads[1], &view, NULL), VN_OK);
    assert_int_equal(vn_roadmap_view_set_end(view, VN_START_NODE, vn_point_outside()), VN_OUTSIDE);
    vn_roadmap_view_destroy(view);

    vn_roadmap_def def = vn_default_roadmap_def();
    vn_roadmap* road;
    vn_area* area;
    vn_space* other;
    vn_space_def small = vn_default_space_def();
    const vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    small.has_bounds = true;
    small.bounds.max = (vn_vec3){8, 8, 8};
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_space_bake(world, &small, &other, NULL), VN_OK);
    assert_int_equal(vn_area_create(&s.allocator, other, &area, NULL), VN_OK);
    assert_int_equal(vn_roadmap_create_hybrid(s.fixed, area, s.fixed, &def, &road, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_area_observe(area, s.fixed, s.fixed), VN_BAD_ARGUMENT);
    assert_int_equal(vn_roadmap_follow(s.roads[0], other, 9, NULL, 0, &detail), VN_BAD_ARGUMENT);
    def.indirect = 0;
    assert_int_equal(vn_roadmap_create_waypoints(world, other, &def, &road, &detail), VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_roadmap_create_waypoints(world, other, &def, &road, &detail), VN_BAD_DEF);

    vn_area_destroy(area);
    vn_space_destroy(other);
    vn_world_destroy(world);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    stop(&s);
}

// ---------------------------------------------------------------------------------------------------- memory

/// Each allocation of a step fails once: the last version stays, and the next try gives the right one.
static void test_memory(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    stage s = start(3, 4, vnt_memory_allocator(&memory));
    move_to(&s, 0.5);
    uint64_t version;
    const vn_changes* changes;
    const vn_space* space = vn_nav_pin(s.nav, 0, 0, &version);
    assert_int_equal(vn_nav_get_changes(s.nav, version, &changes), VN_OK);
    for (int i = 0; i < 2; ++i) {
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            memory.failed = false;
            memory.fail_at = memory.calls + k;
            status = vn_roadmap_follow(s.roads[i], space, version, changes, 0, NULL);
            assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
            assert_int_equal(status != VN_OK, memory.failed);
            assert_int_equal(s.roads[i]->newest->number, status == VN_OK ? version : 1);
        }
    }

    memory.fail_at = UINT64_MAX;
    check_hybrid(&s);
    check_waypoints(&s);
    vn_nav_release_changes(s.nav, changes);
    assert_int_equal(vn_nav_unpin(s.nav, version), VN_OK);
    stop(&s);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scene), cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_gap), cmocka_unit_test(test_statuses),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("classic/roadmap", tests, NULL, NULL);
}
