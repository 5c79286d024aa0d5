/// Jump point search = A* = Dijkstra = relaxing until nothing changes, in cost, to the last bit, with 26 and
/// with 6 neighbours, by rows and by bricks; its legs are straight and free; capacities, budgets, slices and
/// weights hold.
#include "cmocka_all.h"
#include "support.h"

#include "classic/jps.h"
#include "graph/zones.h"
#include "jps_worlds.h"
#include "search/best_first.h"
#include "space/space.h"
#include "volnav/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED 1e300

/// What a step along so many axes costs: sqrt 2 and sqrt 3 rounded up to multiples of 2^-28.
static double step_cost(int32_t axes) {
    return ceil(sqrt((double)axes) * 268435456.0) / 268435456.0;
}

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vni_grid grids[2]; // 6 and 26 neighbours
    vn_graph graphs[2];
    vni_jps_rows rows;
    vni_jps_index indexes[2][2]; // of each grid: by bricks and by rows
    vni_scratch scratch;
    vni_scratch other; // for a second search beside the first
} scene;

static void open_scene(scene* s, vnt_voxels voxels) {
    vn_allocator allocator = vn_default_allocator();
    s->voxels = voxels;
    s->space = vnt_voxels_space(&voxels);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vni_grid_make(&s->space->occupancy, i ? 26 : 6, &s->grids[i], NULL), VN_OK);
        s->graphs[i] = vni_grid_graph(&s->grids[i]);
    }

    assert_int_equal(vni_jps_rows_make(&allocator, &s->grids[1], &s->rows, NULL), VN_OK);
    for (int i = 0; i < 2; ++i) {
        vni_jps_index_make(&s->grids[i], NULL, &s->indexes[i][0]);
        vni_jps_index_make(&s->grids[i], &s->rows, &s->indexes[i][1]);
    }

    uint32_t limit = s->graphs[0].node_limit;
    assert_int_equal(vni_scratch_make(&allocator, limit, limit, &s->scratch), VN_OK);
    assert_int_equal(vni_scratch_make(&allocator, limit, limit, &s->other), VN_OK);
}

static void close_scene(scene* s) {
    vni_scratch_free(&s->scratch);
    vni_scratch_free(&s->other);
    vni_jps_rows_free(&s->rows);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

static bool ends_of(const scene* s, vni_rng* rng, uint32_t* start, uint32_t* goal) {
    vn_voxel a, b;
    if (!vnt_random_free_voxel(rng, &s->voxels, &a) || !vnt_random_free_voxel(rng, &s->voxels, &b))
        return false;
    *start = vni_grid_node(&s->grids[0], a);
    *goal = vni_grid_node(&s->grids[0], b);
    return true;
}

static vni_cost metric(int grid) {
    return vni_cost_length(grid ? VNI_METRIC_OCTILE : VNI_METRIC_MANHATTAN, grid ? 26 : 6);
}

static vn_status best_first(scene* s, int grid, double h_weight, uint32_t start, uint32_t goal,
                            vni_best_first* out) {
    static vni_cost cost;
    cost = metric(grid);
    vni_best_first_def def = {1, h_weight, false, true, 0};
    assert_int_equal(vni_best_first_begin(out, &def, &s->graphs[grid], &cost, &s->other, start, goal), VN_OK);
    return vni_best_first_step(out, UINT64_MAX);
}

static vn_status jump(scene* s, int grid, int by_rows, const vni_jps_def* def, const vni_cost* cost,
                      uint32_t start, uint32_t goal, vni_jps* out) {
    assert_int_equal(vni_jps_begin(out, def, &s->indexes[grid][by_rows], cost, &s->scratch, start, goal),
                     VN_OK);
    return vni_jps_step(out, UINT64_MAX);
}

// --------------------------------------------------------------------------------------------- checking

/// Is one step in the array of bytes allowed: all voxels of its box free?
static bool may_step(const vnt_voxels* v, vn_voxel at, const int32_t by[3]) {
    for (int32_t i = 0; i < 8; ++i)
        if (!vnt_voxels_are_free(v, at.x + (i & 1 ? by[0] : 0), at.y + (i & 2 ? by[1] : 0),
                                 at.z + (i & 4 ? by[2] : 0)))
            return false;
    return true;
}

/// Walks one leg voxel by voxel; returns its cost.
static double walk_leg(const scene* s, int grid, vn_voxel from, vn_voxel to) {
    int32_t d[3] = {to.x - from.x, to.y - from.y, to.z - from.z}, by[3], length = 0, moved = 0;
    for (int i = 0; i < 3; ++i) {
        by[i] = (d[i] > 0) - (d[i] < 0);
        length = abs(d[i]) > length ? abs(d[i]) : length;
        moved += by[i] != 0;
    }

    assert_true(length > 0);
    assert_true(grid == 1 || moved == 1);
    for (int i = 0; i < 3; ++i)
        assert_true(d[i] == by[i] * length); // straight along one direction

    for (int32_t k = 0; k < length; ++k) {
        assert_true(may_step(&s->voxels, from, by));
        from.x += by[0];
        from.y += by[1];
        from.z += by[2];
    }

    return length * step_cost(moved);
}

/// Walks the parents from `node` to the start; returns the cost of the path.
static double walk_back(const scene* s, int grid, const vni_jps* search, uint32_t node) {
    double cost = 0, g = vni_jps_g(search, node);
    uint32_t legs = 0;
    while (node != search->start) {
        uint32_t parent = vni_jps_parent(search, node);
        cost +=
            walk_leg(s, grid, vni_grid_voxel(&s->grids[grid], parent), vni_grid_voxel(&s->grids[grid], node));
        node = parent;
        assert_true(++legs < 1000000);
    }

    assert_int_equal(vni_jps_parent(search, node), VN_NO_NODE);
    assert_true(cost == g);
    return cost;
}

/// Both forms of a search, which differ only in how a row is looked at.
static void check_search(scene* s, int grid, uint32_t start, uint32_t goal, vn_status status, double want,
                         double nearest_h) {
    vni_cost cost = metric(grid);
    const vni_jps_def def = {1, false, 0}, tracking = {1, true, 0};
    uint64_t expanded[2];
    for (int by_rows = 0; by_rows < 2; ++by_rows) {
        vni_jps search;
        assert_int_equal(jump(s, grid, by_rows, &def, &cost, start, goal, &search), status);
        assert_true(vni_heap_is_valid(&search.open));
        if (status == VN_OK) {
            double got = walk_back(s, grid, &search, goal);
            if (got != want)
                printf("%s: %.12f, should be %.12f\n", grid ? "26" : "6", got, want);
            assert_true(got == want);
        }

        expanded[by_rows] = search.expanded;
        assert_int_equal(jump(s, grid, by_rows, &tracking, &cost, start, goal, &search), status);
        walk_back(s, grid, &search, search.nearest);
        vn_point nearest = vn_voxel_center(vni_grid_voxel(&s->grids[grid], search.nearest)), to;
        to = vn_voxel_center(vni_grid_voxel(&s->grids[grid], goal));
        double h;
        cost.lower_bounds(cost.self, &nearest, 1, to, &h);

        assert_true(h == search.nearest_h);
        if (status == VN_OK) // by another path perhaps: what was passed ends other runs
            assert_true(walk_back(s, grid, &search, goal) == want);
        else
            assert_true(search.nearest_h == nearest_h);
    }

    assert_int_equal(expanded[0], expanded[1]);
}

// --------------------------------------------------------------------------- against the other searches

static void test_equals_astar(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps against A*", 331));
    uint32_t found = 0, worlds = vnt_scale(1000, 20000);
    for (uint32_t i = 0; i < worlds; ++i) {
        scene s;
        uint32_t start, goal;
        open_scene(&s, vnt_jps_world(&rng, i % 50 == 0 ? 90 : i % 5 == 0 ? 30 : 12));
        for (uint32_t k = 0; k < 3 && ends_of(&s, &rng, &start, &goal); ++k)
            for (int grid = 0; grid < 2; ++grid) {
                vni_best_first astar, dijkstra;
                vn_status status = best_first(&s, grid, 1, start, goal, &astar);
                double want = status == VN_OK ? vni_best_first_g(&astar, goal) : 0, h = astar.nearest_h;
                if (i % 5 != 0) {
                    assert_int_equal(best_first(&s, grid, 0, start, goal, &dijkstra), status);
                    if (status == VN_OK)
                        assert_true(vni_best_first_g(&dijkstra, goal) == want);
                }

                found += status == VN_OK;
                check_search(&s, grid, start, goal, status, want, h);
            }

        close_scene(&s);
    }

    printf("%u worlds, %u paths\n", worlds, found);
    assert_true(found > worlds);
}

/// Least costs from the start to all voxels, by relaxing until nothing changes.
static double* relax_all(const scene* s, int grid, uint32_t start) {
    vn_voxel dims = s->voxels.dims, from = vni_grid_voxel(&s->grids[grid], start);
    size_t count = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z;
    double* cost = malloc(count * sizeof *cost);
    assert_non_null(cost);
    for (size_t i = 0; i < count; ++i)
        cost[i] = UNREACHED;

    cost[from.x + dims.x * (from.y + dims.y * from.z)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < (int32_t)count; ++i) {
            vn_voxel at = {i % dims.x, i / dims.x % dims.y, i / dims.x / dims.y};
            for (int32_t k = 0; cost[i] < UNREACHED && k < 27; ++k) {
                const int32_t by[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                int32_t moved = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
                if (moved == 0 || (grid == 0 && moved > 1) || !may_step(&s->voxels, at, by))
                    continue;

                double* to = &cost[i + by[0] + dims.x * (by[1] + dims.y * by[2])];
                if (cost[i] + step_cost(moved) < *to) {
                    *to = cost[i] + step_cost(moved);
                    changed = true;
                }
            }
        }
    }

    return cost;
}

/// From one start to every voxel of small worlds.
static void test_equals_relaxing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps against relaxing", 332));
    for (uint32_t i = 0; i < vnt_scale(24, 2000); ++i) {
        scene s;
        uint32_t start, goal;
        open_scene(&s, vnt_jps_world(&rng, 7));
        vn_voxel dims = s.voxels.dims;

        int grid = (int)(i & 1);
        if (ends_of(&s, &rng, &start, &goal)) {
            double* least = relax_all(&s, grid, start);
            vni_cost cost = metric(grid);
            const vni_jps_def def = {1, false, 0};
            for (int32_t k = 0; k < dims.x * dims.y * dims.z; ++k) {
                vn_voxel to = {k % dims.x, k / dims.x % dims.y, k / dims.x / dims.y};
                vni_jps search;
                goal = vni_grid_node(&s.grids[grid], to);
                vn_status status = jump(&s, grid, (int)(i >> 1 & 1), &def, &cost, start, goal, &search);

                assert_int_equal(status, least[k] < UNREACHED ? VN_OK : VN_NO_PATH);
                if (status == VN_OK)
                    assert_true(walk_back(&s, grid, &search, goal) == least[k]);
            }

            free(least);
        }

        close_scene(&s);
    }
}

/// Other bounds give the same cost; a weight, at most so many times it; and the checker takes the path.
static void test_bounds_and_weights(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps weights", 333));
    for (uint32_t i = 0; i < vnt_scale(60, 2000); ++i) {
        scene s;
        uint32_t start, goal;
        open_scene(&s, vnt_jps_world(&rng, 20));
        vni_best_first astar;
        if (ends_of(&s, &rng, &start, &goal) && best_first(&s, 1, 1, start, goal, &astar) == VN_OK) {
            double want = vni_best_first_g(&astar, goal);
            vni_cost euclidean = vni_cost_length(VNI_METRIC_EUCLIDEAN_GRID, 26), octile = metric(1);
            vni_cost guess = vni_cost_length(VNI_METRIC_MANHATTAN, 26);
            vni_jps_def def = {1, false, 0};
            vni_jps search;
            assert_int_equal(jump(&s, 1, 1, &def, &euclidean, start, goal, &search), VN_OK);
            assert_true(walk_back(&s, 1, &search, goal) == want);
            assert_int_equal(jump(&s, 1, 1, &def, &guess, start, goal, &search), VN_OK);
            assert_true(walk_back(&s, 1, &search, goal) <= sqrt(3.0) * want + 1e-9);
            def.weight = 1 + 3 * vni_rng_real(&rng);
            assert_int_equal(jump(&s, 1, (int)(i & 1), &def, &octile, start, goal, &search), VN_OK);
            assert_true(walk_back(&s, 1, &search, goal) <= def.weight * want + 1e-9);

            vn_point points[2000];
            uint32_t count = 0;
            for (uint32_t at = goal; at != VN_NO_NODE && count < 2000; at = vni_jps_parent(&search, at))
                points[count++] = vn_voxel_center(vni_grid_voxel(&s.grids[1], at));

            assert_true(vn_space_check_path(s.space, points, count, NULL));
        }

        close_scene(&s);
    }
}

// ------------------------------------------------------------------------------------------- behaviour

static void open_room(scene* s) {
    vni_rng rng = vni_rng_make(7);
    vn_voxel dims = {40, 30, 20};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < 2000; ++i)
        vnt_voxels_block(&voxels, vni_rng_range(&rng, 1, 38), vni_rng_range(&rng, 1, 28),
                         vni_rng_range(&rng, 1, 18));

    open_scene(s, voxels);
}

static void test_slices_and_budget(void** state) {
    (void)state;
    scene s;
    open_room(&s);
    vni_cost cost = metric(1);
    uint32_t start = 0, goal = vni_grid_node(&s.grids[1], (vn_voxel){39, 29, 19});
    vni_jps whole, sliced;
    vni_jps_def def = {1, false, 0};
    assert_int_equal(jump(&s, 1, 1, &def, &cost, start, goal, &whole), VN_OK);
    double g = vni_jps_g(&whole, goal);
    assert_true(whole.expanded > 10);
    assert_true(whole.scanned > whole.expanded);
    assert_true(whole.touched >= whole.expanded);

    assert_int_equal(vni_jps_begin(&sliced, &def, &s.indexes[1][1], &cost, &s.scratch, start, goal), VN_OK);
    for (uint64_t i = 1; i < whole.expanded; ++i) {
        assert_int_equal(vni_jps_step(&sliced, 1), VN_RUNNING);
        assert_int_equal(sliced.expanded, i);
    }

    assert_int_equal(vni_jps_step(&sliced, 1), VN_OK);
    assert_true(vni_jps_g(&sliced, goal) == g);
    assert_true(sliced.scanned == whole.scanned);
    assert_int_equal(vni_jps_step(&sliced, 1), VN_OK); // once ended, stays ended

    def.budget = whole.expanded;
    assert_int_equal(jump(&s, 1, 1, &def, &cost, start, goal, &sliced), VN_OK);
    def.budget = 5;
    def.track_nearest = true;
    assert_int_equal(jump(&s, 1, 1, &def, &cost, start, goal, &sliced), VN_BUDGET_SPENT);
    assert_int_equal(sliced.expanded, 5);
    walk_back(&s, 1, &sliced, sliced.nearest);
    close_scene(&s);
}

/// However small the scratch, the search says so, or finds the same path.
static void test_capacity(void** state) {
    (void)state;
    scene s;
    open_room(&s);
    vni_cost cost = metric(1);
    uint32_t goal = vni_grid_node(&s.grids[1], (vn_voxel){39, 29, 19});
    vni_jps whole, small;
    vni_jps_def def = {1, true, 0};
    assert_int_equal(jump(&s, 1, 1, &def, &cost, 0, goal, &whole), VN_OK);
    double g = vni_jps_g(&whole, goal);

    uint32_t pages = s.scratch.pages_used, refused = 0;
    for (uint32_t k = 1; k <= pages; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_scratch scratch;
        assert_int_equal(vni_scratch_make(&allocator, s.graphs[1].node_limit, k * 64, &scratch), VN_OK);
        uint64_t calls = memory.calls;
        assert_int_equal(vni_jps_begin(&small, &def, &s.indexes[1][1], &cost, &scratch, 0, goal), VN_OK);
        vn_status status = vni_jps_step(&small, UINT64_MAX);
        assert_int_equal(status, k < pages ? VN_CAPACITY : VN_OK);

        refused += status == VN_CAPACITY;
        if (status == VN_OK)
            assert_true(vni_jps_g(&small, goal) == g);

        assert_int_equal(memory.calls, calls); // searching allocates nothing
        vni_scratch_free(&scratch);
    }

    assert_int_equal(refused, pages - 1);

    vni_scratch tiny;
    vn_allocator allocator = vn_default_allocator();
    assert_int_equal(vni_scratch_make(&allocator, 64, 64, &tiny), VN_OK);
    assert_int_equal(vni_jps_begin(&small, &def, &s.indexes[1][1], &cost, &tiny, 0, goal), VN_CAPACITY);
    assert_int_equal(vni_jps_step(&small, 1), VN_BAD_ORDER);
    vni_scratch_free(&tiny);
    close_scene(&s);
}

static double no_segment(const void* self, vn_point a, vn_point b) {
    (void)self, (void)a, (void)b;
    return 1;
}

static void test_refuses(void** state) {
    (void)state;
    scene s;
    open_room(&s);
    vni_cost cost = metric(1);
    cost.is_length = false;
    cost.segment = no_segment;
    vni_jps search;
    vni_jps_def def = {1, false, 0};
    assert_int_equal(vni_jps_begin(&search, &def, &s.indexes[1][1], &cost, &s.scratch, 0, 64),
                     VN_UNSUPPORTED);
    assert_int_equal(vni_jps_step(&search, 1), VN_BAD_ORDER);
    close_scene(&s);
}

/// A start at the goal; blocked ends; neighbours; a space of one voxel.
static void test_ends(void** state) {
    (void)state;
    scene s;
    vn_voxel dims = {5, 4, 3};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 2, 2, 1);
    open_scene(&s, voxels);
    vni_cost cost = metric(1);
    vni_jps_def def = {1, false, 0};
    vni_jps search;

    uint32_t blocked = vni_grid_node(&s.grids[1], (vn_voxel){2, 2, 1});
    for (int by_rows = 0; by_rows < 2; ++by_rows) {
        assert_int_equal(jump(&s, 1, by_rows, &def, &cost, 0, 0, &search), VN_OK);
        assert_true(vni_jps_g(&search, 0) == 0);
        assert_true(search.expanded == 1);
        assert_int_equal(jump(&s, 1, by_rows, &def, &cost, 0, 1, &search), VN_OK);
        assert_true(vni_jps_g(&search, 1) == 1);
        assert_int_equal(jump(&s, 1, by_rows, &def, &cost, 0, blocked, &search), VN_NO_PATH);
        assert_int_equal(jump(&s, 1, by_rows, &def, &cost, blocked, 0, &search), VN_NO_PATH);
    }

    close_scene(&s);
    dims = (vn_voxel){1, 1, 1};
    open_scene(&s, vnt_voxels_make(dims));
    assert_int_equal(jump(&s, 1, 1, &def, &cost, 0, 0, &search), VN_OK);
    close_scene(&s);
}

/// In the open, few nodes are enough, however far it is.
static void test_open_space(void** state) {
    (void)state;
    scene s;
    vn_voxel dims = {300, 200, 100};
    open_scene(&s, vnt_voxels_make(dims));
    vni_cost cost = metric(1);
    vni_jps_def def = {1, false, 0};
    vni_jps search;
    uint32_t start = vni_grid_node(&s.grids[1], (vn_voxel){3, 5, 7});
    uint32_t goal = vni_grid_node(&s.grids[1], (vn_voxel){291, 150, 80});
    assert_int_equal(jump(&s, 1, 1, &def, &cost, start, goal, &search), VN_OK);
    walk_back(&s, 1, &search, goal);
    assert_true(search.expanded < 100);

    // What leads away from a goal nearby is not looked at.
    start = vni_grid_node(&s.grids[1], (vn_voxel){150, 100, 50});
    goal = vni_grid_node(&s.grids[1], (vn_voxel){156, 103, 50});
    assert_int_equal(jump(&s, 1, 1, &def, &cost, start, goal, &search), VN_OK);
    assert_true(search.scanned < 60);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_astar),
        cmocka_unit_test(test_equals_relaxing),
        cmocka_unit_test(test_bounds_and_weights),
        cmocka_unit_test(test_slices_and_budget),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_open_space),
    };

    return cmocka_run_group_tests_name("classic/jps", tests, NULL, NULL);
}
