/// The graphs over boxes and voxels against all pairs of boxes: nodes, edges, costs, bends.
#include "views_scene.h"

#include "probe/sight.h"

static bool is_cube(const vni_box* box) {
    int32_t edge = box->high[0] - box->low[0];
    return box->high[1] - box->low[1] == edge && box->high[2] - box->low[2] == edge;
}

/// The straight segment is free; of a bent one both parts are.
static void check_segment(const setting* s, uint32_t a, uint32_t b) {
    const spot *from = &s->nodes[a], *to = &s->nodes[b];
    const vni_occupancy* occupancy = &s->space->occupancy;
    vn_point at;
    if (vni_view_bend(&s->view, from->id, to->id, &at)) {
        assert_false(s->from == LEAVES && is_cube(&s->cells[from->cells[0]]) &&
                     is_cube(&s->cells[to->cells[0]]));
        assert_true(vni_sight(occupancy, from->point, at));
        assert_true(vni_sight(occupancy, at, to->point));
        assert_true(vni_point_is_plain(occupancy, at));
    } else {
        assert_true(vni_sight(occupancy, from->point, to->point));
        assert_true(s->graph.visible(s->graph.self, from->id, to->id));
    }
}

static void check_edges(setting* s, vni_rng* rng) {
    static double costs[MAX_NODES];
    (void)rng;
    uint32_t step = 1 + s->node_count / 200;
    for (uint32_t i = 0; i < s->node_count; i += i + 3 < s->node_count ? step : 1) {
        vn_point at;
        s->graph.points(s->graph.self, &s->nodes[i].id, 1, &at);
        assert_memory_equal(&at, &s->nodes[i].point, sizeof at);
        assert_true(is_end(s, i) || vni_point_is_plain(&s->space->occupancy, at));
        vni_box box = vni_view_box(&s->view, s->nodes[i].id);
        assert_memory_equal(&box, &s->cells[s->nodes[i].cells[0]], sizeof box);

        fill_edges(s, i, costs);
        for (uint32_t k = 0; k < s->node_count; ++k) {
            assert_int_equal(costs[k] >= 0, is_joined(s, i, k));
            if (costs[k] < 0)
                continue;
            assert_true(fabs(costs[k] - expected_cost(s, i, k)) <= 1e-9);
            assert_true(fabs(costs[k] - expected_cost(s, k, i)) <= 1e-9);
            check_segment(s, i, k);
        }
    }
}

static void test_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view edges", 901));
    for_scenes(&rng, vnt_scale(25, 400), 7, check_edges);
}

/// A plate with its voxels at z = `at` (0 or 1) made one box, and single voxels on its other side; `both`:
/// the ends lie in it, else one of them in a voxel.
static void make_plate(setting* s, vni_rng* rng, vn_voxel dims, int32_t at, bool both) {
    const uint32_t plate = (uint32_t)(dims.x * dims.y);
    vn_allocator allocator = vn_default_allocator();
    vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    while (1 << def.min_depth < dims.x || 1 << def.min_depth < dims.y)
        ++def.min_depth;

    s->from = BY_HAND;
    s->voxels = vnt_voxels_make(dims);
    s->space = vnt_voxels_space(&s->voxels);
    make_voxel_cells(s);
    if (at == 0)
        memmove(s->cells, s->cells + plate, plate * sizeof s->cells[0]);

    s->cells[plate] = (vni_box){{0, 0, at}, {dims.x, dims.y, at + 1}};
    s->cell_count = plate + 1;
    assert_int_equal(vni_octree_make(&allocator, &s->space->occupancy, &def, &s->tree, NULL), VN_OK);
    make_boxes_by_hand(s);
    const vn_voxel start = {1, 0, at}, goal = {3, 0, both ? at : 1 - at};
    make_view(s, point_in(rng, start), start, point_in(rng, goal), goal);
}

/// A bar beside a row of single voxels: as many portals as it is long, around the size of a batch; and a
/// plate.
static void test_batches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view batches", 902));
    for (int32_t length = 59; length <= 67; ++length)
        for (int i = 0; i < 8; ++i) {
            const vn_voxel dims = {length < 67 ? length : 17, length < 67 ? 1 : 11, 2};
            scene.kind = i & 1 ? VNI_VIEW_CENTRES : VNI_VIEW_TRANSITIONS;
            make_plate(&scene, &rng, dims, i >> 1 & 1, i & 4);
            check_edges(&scene, &rng);
            free_setting(&scene);
        }
}

static void test_centres_of_voxels(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view voxels", 905));
    const vn_voxel dims = {9, 6, 5}, start = {1, 2, 3}, goal = {7, 5, 0};
    setting* s = &scene;
    s->voxels = vnt_voxels_make(dims);
    s->space = vnt_voxels_space(&s->voxels);

    make_voxel_cells(s);
    for (uint32_t neighbours = 6; neighbours <= 26; neighbours += 20) {
        vni_view view;
        s->grid.neighbours = neighbours;
        assert_int_equal(vni_view_of_voxels(&s->grid, VNI_VIEW_CENTRES, point_in(&rng, start), start,
                                            point_in(&rng, goal), goal, &view),
                         VN_OK);
        assert_int_equal(vni_view_start(&view), vni_grid_node(&s->grid, start));
        assert_int_equal(vni_view_goal(&view), vni_grid_node(&s->grid, goal));
        vn_graph graph = vni_view_graph(&view);
        assert_true(graph.capabilities & VN_GRAPH_IS_GRID);
        assert_true(graph.grid == &s->grid);
        assert_int_equal(graph.node_limit, vni_view_limit_of_voxels(&s->grid, VNI_VIEW_CENTRES));

        uint32_t row[6];
        for (int32_t i = 0; i < 6; ++i)
            row[i] = vni_grid_node(&s->grid, (vn_voxel){1 + i, 2, 3});

        vni_portal portals[6];
        uint32_t found = vni_view_corridor(&view, row, 6, portals, NULL, 6);
        assert_int_equal(found, neighbours == 6 ? 5 : UINT32_MAX);
        for (int32_t i = 0; i < 5 && neighbours == 6; ++i) {
            const vni_portal want = {0, (float)(2 + i), {2, 3}, {3, 4}};
            assert_memory_equal(&portals[i], &want, sizeof want);
        }

        vni_box box = vni_view_box(&view, row[4]), want = {{5, 2, 3}, {6, 3, 4}};
        assert_memory_equal(&box, &want, sizeof box);
        vn_point at;
        assert_false(vni_view_bend(&view, row[0], row[1], &at));
        assert_int_equal(vni_view_corridor(&view, row, 1, portals, NULL, 6),
                         neighbours == 6 ? 0 : UINT32_MAX);
    }

    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// Ids of faces do not fit where those of voxels do.
static void test_too_large(void** state) {
    (void)state;
    const vn_voxel dims = {1200, 1200, 1200}, low = {0, 0, 0};
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy occupancy;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    vni_view view;
    vn_point at = {0, 0, 0};
    assert_int_equal(vni_grid_make(&occupancy, 26, &scene.grid, NULL), VN_OK);
    assert_int_equal(vni_view_of_voxels(&scene.grid, VNI_VIEW_CENTRES, at, low, at, low, &view), VN_OK);
    assert_int_equal(vni_view_of_voxels(&scene.grid, VNI_VIEW_TRANSITIONS, at, low, at, low, &view),
                     VN_TOO_LARGE);
    vni_occupancy_free(&occupancy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_batches),
                                       cmocka_unit_test(test_too_large),
                                       cmocka_unit_test(test_centres_of_voxels)};
    return cmocka_run_group_tests_name("classic/views", tests, NULL, NULL);
}
