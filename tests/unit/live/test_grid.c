/// The live grid: after every change its graph is that of brute force, the delta names exactly the voxels
/// that came, went or have other edges, and cells have the costs of their zones.
#include "live_scene.h"

#include "live/grid.h"

#include <math.h>

static bool is_free(const vn_space* space, int32_t x, int32_t y, int32_t z) {
    return vni_occupancy_free_at(&space->occupancy, x, y, z);
}

/// May one step from v by d? All voxels of the box that it spans are free.
static bool steps(const vn_space* space, vn_voxel v, vn_voxel d) {
    for (int i = 0; i < 8; ++i)
        if (!is_free(space, v.x + (i & 1 ? d.x : 0), v.y + (i & 2 ? d.y : 0), v.z + (i & 4 ? d.z : 0)))
            return false;
    return true;
}

static vn_voxel direction(int i) {
    return (vn_voxel){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
}

/// Bits of the directions, of 27, in which a voxel has edges.
static uint32_t edges_at(const vn_space* space, vn_voxel v, uint32_t neighbours) {
    uint32_t edges = 0;
    for (int i = 0; i < 27; ++i) {
        const vn_voxel d = direction(i);
        const int moved = d.x * d.x + d.y * d.y + d.z * d.z;
        if (moved > 0 && (neighbours == 26 || moved == 1) && steps(space, v, d))
            edges |= 1u << i;
    }
    return edges;
}

static void check_graph(const vn_graph* g, const vn_space* space, uint32_t neighbours,
                        const double* factors) {
    const int32_t* dims = space->occupancy.dims;
    for (int32_t z = 0; z < dims[2]; ++z)
        for (int32_t y = 0; y < dims[1]; ++y)
            for (int32_t x = 0; x < dims[0]; ++x) {
                const vn_voxel v = {x, y, z};
                const uint32_t id = g->cells->node(g->cells->self, v);
                const vn_voxel back = g->cells->voxel(g->cells->self, id);
                assert_memory_equal(&back, &v, sizeof v);
                double cost;
                g->cells->costs(g->cells->self, &v, 1, &cost);
                assert_true(cost == (is_free(space, x, y, z) ? factors[x] : HUGE_VAL));
                if (!is_free(space, x, y, z))
                    continue;

                live_node node = {0};
                live_copy_edges(g, id, &node);
                const uint32_t edges = edges_at(space, v, neighbours);
                uint32_t found = 0, count = 0;
                for (uint32_t i = 0; i < node.count; ++i) {
                    const vn_voxel to = g->cells->voxel(g->cells->self, node.edges[i].to);
                    found |= 1u << ((to.x - x + 1) + 3 * (to.y - y + 1) + 9 * (to.z - z + 1));
                }
                for (uint32_t bits = edges; bits != 0; bits &= bits - 1)
                    ++count;
                assert_int_equal(found, edges);
                assert_int_equal(node.count, count);
                free(node.edges);
            }
}

static bool has(const vni_id_list* list, uint32_t id) {
    bool found = false;
    for (uint32_t i = 0; i < list->count; ++i) {
        assert_false(found && list->items[i] == id); // once
        found = found || list->items[i] == id;
    }
    return found;
}

/// With a region of other costs: the free voxels of which an edge meets it count as changed.
static void check_delta(const vn_space* before, const vn_space* now, uint32_t neighbours,
                        const vni_box* costs, const vni_grid_delta* delta, const vni_live_grid* grid) {
    const int32_t* dims = now->occupancy.dims;
    uint32_t came = 0, went = 0, changed = 0;
    for (int32_t z = 0; z < dims[2]; ++z)
        for (int32_t y = 0; y < dims[1]; ++y)
            for (int32_t x = 0; x < dims[0]; ++x) {
                const vn_voxel v = {x, y, z};
                const uint32_t id = vni_live_grid_node(grid, v);
                const bool was = is_free(before, x, y, z), is = is_free(now, x, y, z);
                bool other = edges_at(before, v, neighbours) != edges_at(now, v, neighbours);
                if (costs != NULL)
                    other = other || (x + 1.5 >= costs->low[0] && x - 0.5 <= costs->high[0] &&
                                      y + 1.5 >= costs->low[1] && y - 0.5 <= costs->high[1] &&
                                      z + 1.5 >= costs->low[2] && z - 0.5 <= costs->high[2]);
                if (!was && is) {
                    assert_true(has(&delta->came, id));
                    ++came;
                } else if (was && !is) {
                    assert_true(has(&delta->went, id));
                    ++went;
                } else if (was && other) {
                    assert_true(has(&delta->changed, id));
                    ++changed;
                }
            }
    assert_int_equal(delta->came.count, came);
    assert_int_equal(delta->went.count, went);
    assert_int_equal(delta->changed.count, changed);
}

static void deltas_are_exact(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live grid", 710));
    const vn_allocator allocator = vn_default_allocator();
    for (uint32_t round = 0; round < vnt_scale(16, 300); ++round) {
        live_scene s = live_scene_make(&rng, 12, NULL);
        const uint32_t neighbours = round % 2 ? 26 : 6;
        vni_difference d = {0};
        vni_grid_delta delta = {0};
        uint64_t number, next;
        const vn_space* before = vni_dynamic_pin(s.dynamic, &number);
        for (uint32_t step = 0; step < 6; ++step) {
            live_scene_change(&s, &rng);
            live_scene_update(&s);
            const vn_space* now = vni_dynamic_pin(s.dynamic, &next);
            vni_box costs;
            for (int i = 0; i < 3; ++i) {
                costs.low[i] = vni_rng_range(&rng, -1, now->occupancy.dims[i] + 1);
                costs.high[i] = costs.low[i] + vni_rng_range(&rng, 0, 3);
            }
            const bool with_costs = step % 3 == 2;
            assert_true(vni_compare_spaces(&allocator, before, now, &d));
            assert_true(vni_live_grid_compare(&allocator, &before->occupancy, &now->occupancy, d.bricks,
                                              d.brick_count, &costs, with_costs, neighbours, &delta));
            vni_live_grid grid;
            assert_int_equal(vni_live_grid_make(&now->occupancy, neighbours, NULL, &grid, NULL), VN_OK);
            check_delta(before, now, neighbours, with_costs ? &costs : NULL, &delta, &grid);
            const vn_graph g = vni_live_grid_graph(&grid);
            static double ones[200];
            for (int i = 0; i < 200; ++i)
                ones[i] = 1;
            check_graph(&g, now, neighbours, ones);
            vni_dynamic_unpin(s.dynamic, number);
            before = now;
            number = next;
        }
        vni_difference_free(&allocator, &d);
        vni_grid_delta_free(&allocator, &delta);
        vni_dynamic_unpin(s.dynamic, number);
        live_scene_free(&s);
    }
}

static void cells_and_edges_have_the_costs_of_zones(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(711);
    live_scene s = live_scene_make(&rng, 12, NULL);
    uint64_t number;
    const vn_space* space = vni_dynamic_pin(s.dynamic, &number);
    const vni_zone box = {{2, -1, -1}, {5, 100, 100}, 3};
    const vni_zones zones = vni_zones_make(&box, 1);
    vni_live_grid grid;
    assert_int_equal(vni_live_grid_make(&space->occupancy, 26, &zones, &grid, NULL), VN_OK);
    const vn_graph g = vni_live_grid_graph(&grid);
    static double factors[200];
    for (int i = 0; i < 200; ++i)
        factors[i] = i >= 2 && i < 5 ? 3 : 1;
    check_graph(&g, space, 26, factors);

    // around a corner, outside counts as blocked
    double around[8];
    g.cells->around(g.cells->self, (vn_voxel){0, 1, 1}, around);
    for (int i = 0; i < 8; ++i) {
        const bool free = is_free(space, (i & 1) - 1, i >> 1 & 1, i >> 2);
        assert_true(around[i] == (free ? 1 : HUGE_VAL));
    }

    // an end lies on its voxel's node, at cost 0; along x from 1.5 to 2.5 half a voxel costs three times
    const int32_t* dims = space->occupancy.dims;
    for (int32_t z = 0; z < dims[2]; ++z)
        for (int32_t y = 0; y < dims[1]; ++y) {
            const vn_voxel a = {1, y, z}, b = {2, y, z};
            if (!is_free(space, 1, y, z) || !is_free(space, 2, y, z))
                continue;
            assert_true(vni_live_grid_set_end(&grid, 0, a));
            live_node node = {0};
            live_copy_edges(&g, VN_START_NODE, &node);
            assert_int_equal(node.count, 1);
            assert_int_equal(node.edges[0].to, vni_live_grid_node(&grid, a));
            assert_true(node.edges[0].cost == 0);
            live_copy_edges(&g, vni_live_grid_node(&grid, a), &node);
            assert_int_equal(node.edges[0].to, VN_START_NODE);
            for (uint32_t i = 0; i < node.count; ++i)
                if (node.edges[i].to == vni_live_grid_node(&grid, b))
                    assert_true(node.edges[i].cost == 2);
            free(node.edges);
        }
    assert_false(vni_live_grid_set_end(&grid, 0, (vn_voxel){-1, 0, 0}));
    vni_dynamic_unpin(s.dynamic, number);
    live_scene_free(&s);
}

static void without_memory_nothing_is_left(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(712);
    live_scene s = live_scene_make(&rng, 12, NULL);
    uint64_t first, second;
    const vn_space* before = vni_dynamic_pin(s.dynamic, &first);
    for (int i = 0; i < 5; ++i)
        live_scene_change(&s, &rng);
    live_scene_update(&s);
    const vn_space* now = vni_dynamic_pin(s.dynamic, &second);
    bool ok = false;
    for (uint64_t k = 0; !ok; ++k) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_difference d = {0};
        vni_grid_delta delta = {0};
        memory.fail_at = k;
        ok = vni_compare_spaces(&allocator, before, now, &d) &&
             vni_live_grid_compare(&allocator, &before->occupancy, &now->occupancy, d.bricks, d.brick_count,
                                   NULL, 0, 26, &delta);
        assert_true(ok != memory.failed);
        vni_difference_free(&allocator, &d);
        vni_grid_delta_free(&allocator, &delta);
        assert_int_equal(memory.live_blocks, 0);
    }
    vni_dynamic_unpin(s.dynamic, first);
    vni_dynamic_unpin(s.dynamic, second);
    live_scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deltas_are_exact),
        cmocka_unit_test(cells_and_edges_have_the_costs_of_zones),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
