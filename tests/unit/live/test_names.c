/// Searches on live graphs: the same path whatever ids the nodes got in the course of time.
#include "live_scene.h"

#include "live/boxes_view.h"
#include "live/cells.h"
#include "live/compare.h"
#include "search/best_first.h"

/// Live boxes over a space, from nothing: ids in the order of cells.
static vni_live_boxes* fresh_boxes(const vn_space* space, vni_difference* d) {
    const vn_allocator allocator = vn_default_allocator();
    vni_live_boxes_def def = {.allocator = allocator, .history = 1, .graphs = 3};
    memcpy(def.dims, space->occupancy.dims, sizeof def.dims);
    vni_live_boxes* live;
    assert_int_equal(vni_live_boxes_make(&def, &live, NULL), VN_OK);
    assert_true(vni_list_cells(&allocator, space, d));
    const vni_box_changes changes = {.came = d->came, .came_count = d->came_count};
    const vni_boxes_source source = vni_cells_source(&space->cells);
    assert_int_equal(vni_live_boxes_advance(live, 1, &changes, &source, NULL), VN_OK);
    return live;
}

/// The points of A*'s path from start to goal in `out`; with weight 0 all nodes tie, and only their order
/// counts; returns their number, 0 if there is none.
static uint32_t find(vni_live_boxes* live, const vn_space* space, vni_boxes_graph kind, double weight,
                     vn_voxel start, vn_voxel goal, vn_point* out, uint64_t* expanded) {
    const vni_slot_version* version = vni_live_boxes_pin(live);
    vni_boxes_view view;
    vni_boxes_view_make(version, space->occupancy.dims, &space->occupancy, kind, NULL, &view);
    vn_voxel low;
    assert_true(vni_cells_low_at(&space->cells, start, &low));
    assert_true(vni_boxes_view_set_end(&view, 0, vn_voxel_center(start), low));
    assert_true(vni_cells_low_at(&space->cells, goal, &low));
    assert_true(vni_boxes_view_set_end(&view, 1, vn_voxel_center(goal), low));

    const vn_graph graph = vni_boxes_view_graph(&view);
    const vn_allocator allocator = vn_default_allocator();
    const vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    const vni_best_first_def def = {.g_weight = weight, .h_weight = weight};
    vni_scratch scratch;
    vni_best_first search;
    assert_int_equal(vni_scratch_make(&allocator, graph.node_limit, graph.node_limit, &scratch), VN_OK);
    assert_int_equal(
        vni_best_first_begin(&search, &def, &graph, &cost, &scratch, VN_START_NODE, VN_GOAL_NODE), VN_OK);
    const vn_status status = vni_best_first_step(&search, UINT64_MAX);
    uint32_t count = 0;
    for (uint32_t at = VN_GOAL_NODE; status == VN_OK && at != VN_NO_NODE;
         at = vni_best_first_parent(&search, at))
        graph.points(graph.self, &at, 1, &out[count++]);
    *expanded = search.expanded;
    vni_scratch_free(&scratch);
    vni_live_boxes_unpin(live, version);
    return count;
}

static bool random_free(vni_rng* rng, const vn_space* space, vn_voxel* out) {
    const int32_t* dims = space->occupancy.dims;
    for (int i = 0; i < 100; ++i) {
        *out = (vn_voxel){vni_rng_range(rng, 0, dims[0] - 1), vni_rng_range(rng, 0, dims[1] - 1),
                          vni_rng_range(rng, 0, dims[2] - 1)};
        if (vni_occupancy_free_at(&space->occupancy, out->x, out->y, out->z))
            return true;
    }
    return false;
}

static void paths_do_not_depend_on_history(void** state) {
    (void)state;
    static vn_point paths[2][20000];
    vni_rng rng = vni_rng_make(vnt_seed("live names", 720));
    const vn_allocator allocator = vn_default_allocator();
    uint32_t compared = 0;
    for (uint32_t round = 0; round < vnt_scale(20, 200); ++round) {
        live_scene s = live_scene_make(&rng, 20, NULL);
        vni_difference d = {0};
        uint64_t number;
        const vn_space* before = vni_dynamic_pin(s.dynamic, &number);
        vni_live_boxes* old = fresh_boxes(before, &d);
        for (uint32_t step = 0; step < 15; ++step) {
            uint64_t next;
            live_scene_change(&s, &rng);
            live_scene_update(&s);
            const vn_space* now = vni_dynamic_pin(s.dynamic, &next);
            assert_true(vni_compare_spaces(&allocator, before, now, &d));
            const vni_box_changes changes = {d.went, d.came, d.went_count, d.came_count, NULL, 0, false};
            const vni_boxes_source source = vni_cells_source(&now->cells);
            assert_int_equal(vni_live_boxes_advance(old, step + 2, &changes, &source, NULL), VN_OK);
            vni_dynamic_unpin(s.dynamic, number);
            before = now;
            number = next;
        }

        vni_live_boxes* fresh = fresh_boxes(before, &d);
        for (uint32_t i = 0; i < 20; ++i) {
            vn_voxel start, goal;
            if (!random_free(&rng, before, &start) || !random_free(&rng, before, &goal))
                continue;
            const vni_boxes_graph kind = i % 2 ? VNI_BOXES_CENTRES : VNI_BOXES_TRANSITIONS;
            const double weight = i % 4 < 2 ? 1 : 0;
            uint64_t expanded[2];
            const uint32_t a = find(old, before, kind, weight, start, goal, paths[0], &expanded[0]);
            const uint32_t b = find(fresh, before, kind, weight, start, goal, paths[1], &expanded[1]);
            assert_int_equal(a, b);
            assert_true(expanded[0] == expanded[1]);
            if (a > 0)
                assert_memory_equal(paths[0], paths[1], a * sizeof *paths[0]);
            compared += a > 2;
        }

        vni_live_boxes_free(old);
        vni_live_boxes_free(fresh);
        vni_difference_free(&allocator, &d);
        vni_dynamic_unpin(s.dynamic, number);
        live_scene_free(&s);
    }
    assert_true(compared > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_do_not_depend_on_history)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
