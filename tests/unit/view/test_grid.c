/// The voxel grid as a graph, against the rule spelled out: a step needs every voxel of the box that it spans
/// to be free.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "view/grid.h"

#include <math.h>
#include <string.h>

static bool may_step(const vnt_voxels* voxels, vn_voxel v, int32_t dx, int32_t dy, int32_t dz) {
    for (int32_t z = dz < 0 ? dz : 0; z <= (dz > 0 ? dz : 0); ++z)
        for (int32_t y = dy < 0 ? dy : 0; y <= (dy > 0 ? dy : 0); ++y)
            for (int32_t x = dx < 0 ? dx : 0; x <= (dx > 0 ? dx : 0); ++x)
                if (!vnt_voxels_are_free(voxels, v.x + x, v.y + y, v.z + z))
                    return false;
    return true;
}

/// All edges of one node: each must be allowed, none may be missing, and the cost is the length of the step.
static void check_node(const vnt_voxels* voxels, const vni_grid* grid, const vn_graph* graph, vn_voxel v) {
    uint32_t to[VNI_GRID_DIRECTIONS], want = 0, node = vni_grid_node(grid, v);
    double cost[VNI_GRID_DIRECTIONS];
    const vn_edges edges = {to, cost};
    assert_true(node < graph->node_limit);
    vn_voxel back = vni_grid_voxel(grid, node);
    assert_memory_equal(&back, &v, sizeof v);
    uint32_t cursor = 0, count = graph->expand(graph->self, node, &cursor, &edges);

    assert_int_equal(cursor, 0);
    for (uint32_t i = 0; i < count; ++i) {
        vn_voxel w = vni_grid_voxel(grid, to[i]);
        int32_t dx = w.x - v.x, dy = w.y - v.y, dz = w.z - v.z;
        assert_true(dx >= -1);
        assert_true(dx <= 1);
        assert_true(dy >= -1);
        assert_true(dy <= 1);
        assert_true(dz >= -1);
        assert_true(dz <= 1);
        assert_true(may_step(voxels, v, dx, dy, dz));

        double length = sqrt((double)(dx * dx + dy * dy + dz * dz));
        assert_true(cost[i] == ceil(length * 268435456.0) / 268435456.0); // up to a multiple of 2^-28
        for (uint32_t k = 0; k < i; ++k)
            assert_int_not_equal(to[i], to[k]);
    }

    for (int32_t i = 0; i < 27; ++i) {
        int32_t dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1, axes = dx * dx + dy * dy + dz * dz;
        if (axes != 0 && (grid->neighbours == 26 || axes == 1))
            want += may_step(voxels, v, dx, dy, dz);
    }

    assert_int_equal(count, want);
}

static void check_world(const vnt_voxels* voxels, const vn_space* space, uint32_t neighbours) {
    vni_grid grid;
    assert_int_equal(vni_grid_make(&space->occupancy, neighbours, &grid, NULL), VN_OK);
    vn_graph graph = vni_grid_graph(&grid);
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x) {
                vn_voxel v = {x, y, z};
                if (vnt_voxels_are_free(voxels, x, y, z))
                    check_node(voxels, &grid, &graph, v);
            }
}

static void test_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("grid", 51));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vn_voxel dims = vnt_random_dims(&rng, 12);
        if (i % 10 == 0)
            dims.x = 60 + dims.x; // across a block's face

        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_space(&voxels);
        check_world(&voxels, space, 26);
        check_world(&voxels, space, 6);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Steps of straight runs, counted; their length is the true one, whatever the order of the runs.
static void test_lengths(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    const vn_voxel dims = {40, 40, 40};
    vni_occupancy o;
    vni_grid grid;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &o, NULL), VN_OK);
    assert_int_equal(vni_grid_make(&o, 26, &grid, NULL), VN_OK);

    const vn_voxel at[5] = {{3, 9, 30}, {10, 2, 23}, {10, 2, 12}, {5, 2, 17}, {5, 2, 18}};
    vni_step_counts there = {0, 0, 0}, back = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        vni_grid_add_steps(&grid, vni_grid_node(&grid, at[i]), vni_grid_node(&grid, at[i + 1]), &there);
        vni_grid_add_steps(&grid, vni_grid_node(&grid, at[4 - i]), vni_grid_node(&grid, at[3 - i]), &back);
    }

    assert_int_equal(there.corner, 7);
    assert_int_equal(there.straight, 11 + 1);
    assert_int_equal(there.edge, 5);
    assert_memory_equal(&there, &back, sizeof there);
    assert_true(fabs(vni_grid_length(&there) - (12 + 5 * 1.4142135623730951 + 7 * 1.7320508075688772)) <
                1e-14);
    vni_occupancy_free(&o);
}

static void test_refusals(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    const vn_voxel dims = {1300, 1300, 1300}; // 2.2e9 voxels
    vni_occupancy o;
    vni_grid grid;
    vn_detail detail;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &o, NULL), VN_OK);
    assert_int_equal(vni_grid_make(&o, 26, &grid, &detail), VN_TOO_LARGE);
    assert_int_equal(vni_grid_make(&o, 18, &grid, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "18"));
    vni_occupancy_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("space/grid", tests, NULL, NULL);
}
