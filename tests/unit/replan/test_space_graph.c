/// Graphs of a space that does not change: a single plan of every planner costs what A* of the core costs on
/// the grid, and what Dijkstra costs on the same graph of a nav; ends, zones, refusals, memory.
#include "plan_cases.h"

typedef struct still {
    replan_world world; ///< and a nav of its own world, of the same walls
    vn_space* space;
    vn_zone zones[2];
    vn_graph_query* query;
} still;

static void still_make(still* s, uint64_t seed) {
    replan_world same;
    world_begin(&same, seed, NULL);
    const vn_space_def def = world_space_def(&same);
    assert_int_equal(vn_space_bake(same.world, &def, &s->space, NULL), VN_OK);
    vn_world_destroy(same.world);

    s->zones[0] = (vn_zone){.kind = VN_ZONE_SPHERE, .center = {4, 4, 4}, .radius = 3.3f, .factor = 4};
    s->zones[1] = (vn_zone){.kind = VN_ZONE_BOX, .box = {{2, 0, 1}, {9, 3, 8}}, .factor = 0.5f};
    s->query = world_query();

    vn_zone_id id;
    vn_zone_def zones[2] = {vn_default_zone_def(), vn_default_zone_def()};
    zones[0].shape = vnt_sphere_shape(s->zones[0].center, s->zones[0].radius);
    zones[1].shape = vnt_box_shape(s->zones[1].box.min, s->zones[1].box.max);
    world_begin(&s->world, seed, NULL);
    for (uint32_t i = 0; i < 2; ++i) {
        zones[i].factor = s->zones[i].factor;
        assert_int_equal(vn_world_add_zone(s->world.world, &zones[i], &id, NULL), VN_OK);
    }
    world_start_nav(&s->world, VN_NAV_LOCKSTEP, 0, 0);
}

static void still_free(still* s) {
    vn_graph_query_destroy(s->query);
    vn_space_destroy(s->space);
    world_free(&s->world);
}

static vn_space_graph* open_graph(const still* s, vn_nav_graph_kind kind, bool zones) {
    vn_space_graph_def def = vn_default_space_graph_def();
    vn_space_graph* graph;
    def.kind = kind;
    def.zones = s->zones;
    def.zone_count = zones ? 2 : 0;
    assert_int_equal(vn_space_graph_create(s->space, &def, &graph, NULL), VN_OK);
    return graph;
}

/// Of the core's A*, in voxels of a metre; HUGE_VAL: no path.
static double core_cost(const still* s, uint32_t neighbours, bool zones, vn_point start, vn_point goal) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    def.scratch = VN_SCRATCH_GRID;
    assert_int_equal(vn_query_create(s->space, &def, &query, NULL), VN_OK);
    request.algo = VN_ALGO_ASTAR;
    request.neighbours = neighbours;
    request.start = start;
    request.goal = goal;
    request.zones = s->zones;
    request.zone_count = zones ? 2 : 0;
    const vn_status status = vn_query_find_path(query, &request, &result, NULL);
    vn_query_destroy(query);
    assert_true(status == VN_OK || status == VN_NO_PATH);
    return status == VN_OK ? result.cost : HUGE_VAL;
}

/// The same graph as a nav has it.
static double nav_cost(const still* s, vn_nav_graph_kind kind, bool zones, vn_point start, vn_point goal) {
    vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_nav_graph* graph;
    uint64_t expanded = 0;
    def.kind = kind;
    def.zones = zones;
    assert_int_equal(vn_nav_graph_create(s->world.nav, &def, &graph, NULL), VN_OK);
    assert_int_equal(vn_nav_graph_set_end(graph, VN_START_NODE, start), VN_OK);
    assert_int_equal(vn_nav_graph_set_end(graph, VN_GOAL_NODE, goal), VN_OK);
    const double cost = world_least(s->query, vn_nav_graph_get(graph), &expanded);
    vn_nav_graph_destroy(graph);
    return cost;
}

static void check_planner(const still* s, const vn_graph_source* source, const vn_replan_def* def,
                          double least, double bound, vn_point start, vn_point goal) {
    vn_planner p;
    vn_plan plan;
    assert_int_equal(vn_replan_create(source, def, &p, NULL), VN_OK);
    assert_int_equal(p.begin(p.self, 0, start, goal, NULL), VN_OK);
    for (uint32_t round = 0; round < 2; ++round) {
        assert_int_equal(p.step(p.self, UINT64_MAX), least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        assert_int_equal(p.path(p.self, &plan), least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        assert_int_equal(plan.restarts, 1);
        if (least < HUGE_VAL) {
            assert_true(plan.cost >= least - 1e-6 * (1 + least));
            assert_true(plan.cost <= bound * least + 1e-6 * (1 + least));
            assert_true(vn_space_check_path(s->space, plan.points, plan.point_count, NULL));
        }
        assert_int_equal(p.advance(p.self, 0, NULL), VN_OK); // there is nothing new
    }
    p.free(p.self);
}

static void check_kind(const still* s, vn_nav_graph_kind kind, bool zones, vn_point start, vn_point goal) {
    vn_space_graph* graph = open_graph(s, kind, zones);
    const vn_graph_source source = vn_space_graph_source(graph);
    uint64_t expanded = 0;
    assert_int_equal(source.version(source.self), 1);
    assert_int_equal(source.set_end(source.self, VN_START_NODE, start), VN_OK);
    assert_int_equal(source.set_end(source.self, VN_GOAL_NODE, goal), VN_OK);
    assert_int_equal(source.set_end(source.self, VN_FIRST_NODE, goal), VN_BAD_ARGUMENT);

    const double least = world_least(s->query, source.graph(source.self), &expanded);
    assert_true(least == nav_cost(s, kind, zones, start, goal));
    if (kind == VN_NAV_GRID6 || kind == VN_NAV_GRID26) {
        const double core = core_cost(s, kind == VN_NAV_GRID6 ? 6 : 26, zones, start, goal);
        assert_true(core == least || fabs(core - least) < 1e-6 * (1 + least));
    }

    for (uint32_t i = 0; i < PLAN_CASES; ++i) {
        const vn_replan_def def = plan_case_def(&plan_cases[i]);
        check_planner(s, &source, &def, least, plan_cases[i].weight, start, goal);
    }
    for (uint32_t i = VN_REPLAN_ADAPTIVE; i <= VN_REPLAN_TREE_ADAPTIVE; ++i) {
        vn_replan_def def = vn_default_replan_def();
        def.algo = (vn_replan_algo)i;
        check_planner(s, &source, &def, least, 1, start, goal);
    }

    vn_planner p;
    vn_replan_def def = vn_default_replan_def();
    def.algo = VN_REPLAN_AAMT;
    const vn_status made = vn_replan_create(&source, &def, &p, NULL);
    assert_int_equal(made, zones ? VN_UNSUPPORTED : VN_OK);
    if (made == VN_OK)
        p.free(p.self);
    vn_space_graph_destroy(graph);
}

static void test_costs(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("replan/space_graph", 1);
    uint32_t checked = 0;
    for (uint32_t i = 0; i < vnt_scale(25, 500); ++i) {
        still s;
        still_make(&s, seed + i);
        vn_point ends[2];
        for (uint32_t k = 0; k < 2; ++k) {
            ends[k] = world_point(&s.world, s.space);
            const vn_voxel v = vn_space_voxel_at(s.space, ends[k]);
            ends[k] = vn_voxel_center(v); // where grids put them
        }
        const bool free = vn_space_point_free(s.space, ends[0]) && vn_space_point_free(s.space, ends[1]);
        for (uint32_t kind = 0; kind < VN_NAV_GRAPH_KINDS && free; ++kind) {
            check_kind(&s, (vn_nav_graph_kind)kind, false, ends[0], ends[1]);
            check_kind(&s, (vn_nav_graph_kind)kind, true, ends[0], ends[1]);
            ++checked;
        }
        still_free(&s);
    }
    assert_true(checked > 40);
}

static void test_ends(void** state) {
    (void)state;
    replan_world w;
    world_begin(&w, 3, NULL);
    const vn_shape block = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1));
    vn_obstacle_id id;
    vn_space* space;
    assert_int_equal(vn_world_add(w.world, &block, &id, NULL), VN_OK);
    const vn_space_def def = world_space_def(&w);
    assert_int_equal(vn_space_bake(w.world, &def, &space, NULL), VN_OK);
    for (uint32_t kind = 0; kind < VN_NAV_GRAPH_KINDS; ++kind) {
        vn_space_graph_def graph_def = vn_default_space_graph_def();
        vn_space_graph* graph;
        graph_def.kind = (vn_nav_graph_kind)kind;
        assert_int_equal(vn_space_graph_create(space, &graph_def, &graph, NULL), VN_OK);
        const vn_graph_source source = vn_space_graph_source(graph);
        const vn_point blocked = vn_voxel_center((vn_voxel){0, 0, 0});
        assert_int_equal(source.set_end(source.self, VN_START_NODE, blocked), VN_BLOCKED);
        assert_int_equal(source.set_end(source.self, VN_START_NODE, vn_point_outside()), VN_OUTSIDE);
        vn_node_changes changes;
        assert_int_equal(source.get_changes(source.self, 2, &changes), VN_STALE);
        vn_space_graph_destroy(graph);
    }
    vn_space_destroy(space);
    vn_world_destroy(w.world);
}

static void test_refused(void** state) {
    (void)state;
    replan_world w;
    vn_space* space;
    vn_space_graph* graph;
    vn_detail detail = {0};
    world_begin(&w, 3, NULL);
    vn_space_def space_def = world_space_def(&w);
    space_def.cells = false;
    assert_int_equal(vn_space_bake(w.world, &space_def, &space, NULL), VN_OK);
    vn_space_graph_def def = vn_default_space_graph_def();
    def.kind = VN_NAV_CELLS_PORTAL;
    assert_int_equal(vn_space_graph_create(space, &def, &graph, &detail), VN_UNSUPPORTED);
    assert_null(graph);
    assert_non_null(strstr(detail.text, "no cells"));
    def.kind = VN_NAV_GRAPH_KINDS;
    assert_int_equal(vn_space_graph_create(space, &def, &graph, &detail), VN_BAD_ARGUMENT);
    const vn_zone bad = {.factor = -1};
    def = vn_default_space_graph_def();
    def.zones = &bad;
    def.zone_count = 1;
    assert_int_equal(vn_space_graph_create(space, &def, &graph, &detail), VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_space_graph_create(space, &def, &graph, &detail), VN_BAD_DEF);
    vn_space_graph_destroy(NULL);
    vn_space_destroy(space);
    vn_world_destroy(w.world);
}

static void test_memory(void** state) {
    (void)state;
    still s;
    still_make(&s, 5);
    for (uint32_t kind = 0; kind < VN_NAV_GRAPH_KINDS; ++kind) {
        bool done = false;
        for (uint64_t k = 0; !done; ++k) {
            vnt_memory memory = vnt_memory_make();
            vn_space_graph_def def = vn_default_space_graph_def();
            vn_space_graph* graph;
            memory.fail_at = k;
            def.allocator = vnt_memory_allocator(&memory);
            def.kind = (vn_nav_graph_kind)kind;
            def.zones = s.zones;
            def.zone_count = 2;
            const vn_status status = vn_space_graph_create(s.space, &def, &graph, NULL);
            done = status == VN_OK;
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            vn_space_graph_destroy(graph);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
        }
    }
    still_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
