/// Views of trees and roadmaps as sources: their changes are those that the spaces hold, their bricks those
/// of the nav, versions that were left out are bridged, and an end that has no place is gone.
#include "plan_cases.h"

static uint32_t edges_of(const vn_graph* graph, uint32_t node) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0, count = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    do
        count += graph->expand(graph->self, node, &cursor, &edges);
    while (cursor != 0);
    return count;
}

static void check_ids(const uint32_t* a, uint32_t a_count, const uint32_t* b, uint32_t b_count) {
    assert_int_equal(a_count, b_count);
    if (a_count > 0)
        assert_memory_equal(a, b, a_count * sizeof *a);
}

static void check_changes(plan_space* s) {
    vn_node_changes changes;
    vn_held_changes held;
    const bool centres = s->kind == SPACE_OCTREE_CENTRES || s->kind == SPACE_MERGED_CENTRES;
    assert_int_equal(s->source.get_changes(s->source.self, s->version, &changes), VN_OK);
    assert_int_equal(changes.version, s->version);
    assert_int_equal(s->tree != NULL
                         ? vn_classic_hold_changes(s->tree, centres ? VN_GRAPH_CENTRES : VN_GRAPH_TRANSITIONS,
                                                   s->version, &held, NULL)
                         : vn_roadmap_hold_changes(s->road, s->version, &held),
                     VN_OK);
    check_ids(changes.came, changes.came_count, held.nodes.came, held.nodes.came_count);
    check_ids(changes.went, changes.went_count, held.nodes.went, held.nodes.went_count);
    check_ids(changes.changed, changes.changed_count, held.nodes.changed, held.nodes.changed_count);
    if (s->tree != NULL)
        vn_classic_release_changes(s->tree, &held);
    else
        vn_roadmap_release_changes(s->road, &held);
}

static void check_bricks(plan_space* s) {
    const vn_brick_change* bricks;
    const vn_changes* changes;
    uint32_t count;
    assert_int_equal(s->source.get_bricks(s->source.self, s->version, &bricks, &count), VN_OK);
    assert_int_equal(vn_nav_get_changes(s->world.nav, s->version, &changes), VN_OK);
    assert_int_equal(count, changes->layers[0].brick_count);
    if (count > 0)
        assert_memory_equal(bricks, changes->layers[0].bricks, count * sizeof *bricks);
    vn_nav_release_changes(s->world.nav, changes);
    assert_int_equal(s->source.get_bricks(s->source.self, s->version + 1, &bricks, &count), VN_STALE);
    assert_int_equal(count, 0);
}

static void test_changes(void** state) {
    (void)state;
    for (uint32_t kind = SPACE_OCTREE_CENTRES; kind < SPACE_COUNT; ++kind) {
        plan_space s;
        space_make(&s, (plan_space_kind)kind, 21, NULL);
        assert_int_equal(s.source.get_bricks != NULL, s.road != NULL);
        for (uint32_t i = 0; i < 12; ++i) {
            const uint64_t before = s.version;
            world_change(&s.world);
            assert_int_equal(s.source.advance(s.source.self, 0), VN_OK);
            if (s.version == before)
                continue;
            check_changes(&s);
            if (s.road != NULL)
                check_bricks(&s);
        }
        space_free(&s);
    }
}

/// Trees and the hybrid graph that leave out versions: the planner repairs all the same.
static void test_gaps(void** state) {
    (void)state;
    for (uint32_t kind = SPACE_OCTREE_CENTRES; kind < SPACE_WAYPOINTS; ++kind) {
        plan_space s;
        space_make(&s, (plan_space_kind)kind, 23, NULL);
        s.may_skip = true;
        const vn_replan_def def = plan_case_def(&plan_cases[0]);
        vn_planner p;
        vn_plan plan;
        assert_int_equal(vn_replan_create(&s.source, &def, &p, NULL), VN_OK);
        const vn_point start = world_point(&s.world, space_voxels(&s)),
                       goal = world_point(&s.world, space_voxels(&s));
        assert_int_equal(p.begin(p.self, 0, start, goal, NULL), VN_OK);

        uint32_t gaps = 0;
        for (uint32_t i = 0; i < 60; ++i) {
            const uint64_t before = s.version;
            world_change(&s.world);
            gaps += s.version > before + 1;
            assert_int_equal(p.advance(p.self, 0, NULL), VN_OK);
            while (p.step(p.self, 100) == VN_RUNNING)
                continue;
        }
        (void)p.path(p.self, &plan);
        assert_int_equal(plan.restarts, 1);
        assert_true(gaps > 0);
        p.free(p.self);
        space_free(&s);
    }
}

static void test_ends(void** state) {
    (void)state;
    for (uint32_t kind = 0; kind < SPACE_COUNT; ++kind) {
        plan_space s;
        space_make(&s, (plan_space_kind)kind, 29, NULL);
        const vn_graph* graph = s.source.graph(s.source.self);
        vn_point at, blocked = {0, 0, 0};
        do
            at = world_point(&s.world, space_voxels(&s));
        while (!vn_space_point_free(space_voxels(&s), at));
        for (int32_t x = 0; x < s.world.dims.x * s.world.dims.y * s.world.dims.z; ++x) {
            const vn_point point =
                vn_voxel_center((vn_voxel){x % s.world.dims.x, x / s.world.dims.x % s.world.dims.y,
                                           x / (s.world.dims.x * s.world.dims.y)});
            if (!vn_space_point_free(space_voxels(&s), point))
                blocked = point;
        }

        assert_int_equal(s.source.set_end(s.source.self, VN_START_NODE, at), VN_OK);
        assert_int_equal(s.source.set_end(s.source.self, VN_GOAL_NODE, at), VN_OK);
        assert_true(edges_of(graph, VN_START_NODE) > 0);
        assert_int_equal(s.source.set_end(s.source.self, VN_START_NODE, blocked), VN_BLOCKED);
        assert_int_equal(edges_of(graph, VN_START_NODE), 0);
        assert_int_equal(s.source.set_end(s.source.self, VN_GOAL_NODE, vn_point_outside()), VN_OUTSIDE);
        assert_int_equal(edges_of(graph, VN_GOAL_NODE), 0);
        assert_ptr_equal(s.source.graph(s.source.self), graph);
        world_change(&s.world);
        (void)s.source.advance(s.source.self, 0);
        assert_ptr_equal(s.source.graph(s.source.self), graph);
        space_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
