/// The same bytes everywhere: a fixed world, baked and searched, must give these numbers with every compiler,
/// instruction set and number of threads. And the scalar form of the cells search gives what the vector form
/// gives.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "base/hash.h"
#include "query/cells_search.h"
#include "space/space.h"
#include "volnav/volnav.h"

#include <string.h>

// The search once more, compiled without vector instructions, under other names.
#undef VOLNAV_SIMD
#define VOLNAV_SIMD 0
vn_status scalar_make(const vn_allocator* allocator, uint32_t capacity, vni_cells_search* out);
void scalar_free(vni_cells_search* search);
size_t scalar_bytes(const vni_cells_search* search);
vn_status scalar_begin(vni_cells_search* search, const vni_cells* cells, const float start[3],
                       vni_cell_ref start_cell, const float goal[3], vni_cell_ref goal_cell, float weight,
                       const vni_zones* zones, uint64_t budget, bool partial);
vn_status scalar_step(vni_cells_search* search, uint64_t max_expansions);
uint32_t scalar_corridor(const vni_cells_search* search, vni_cell_ref* out, float (*points)[3],
                         uint32_t capacity);
#define vni_cells_search_make     scalar_make
#define vni_cells_search_free     scalar_free
#define vni_cells_search_bytes    scalar_bytes
#define vni_cells_search_begin    scalar_begin
#define vni_cells_search_step     scalar_step
#define vni_cells_search_corridor scalar_corridor
#include "query/cells_search.c"
#undef vni_cells_search_make
#undef vni_cells_search_free
#undef vni_cells_search_begin
#undef vni_cells_search_step
#undef vni_cells_search_corridor

#define GOLDEN_CONTENT 0xea7ddd2cd8072c89u
#define GOLDEN_CELLS   0xc3ddddacea0fb56au
#define GOLDEN_GRID    0x80898a5b685b1282u

/// Shapes of every kind at odd places.
static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vni_rng rng = vni_rng_make(2024);
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t i = 0; i < 90; ++i) {
        vn_vec3 at = {(float)vni_rng_range(&rng, 0, 3000) / 16, (float)vni_rng_range(&rng, 0, 1500) / 16,
                      (float)vni_rng_range(&rng, 0, 2000) / 16};
        float size = 1 + (float)vni_rng_range(&rng, 0, 200) / 16;
        vn_shape shape = {.kind = VN_SHAPE_SPHERE, .as.sphere = {at, size}};
        if (i % 3 == 1)
            shape =
                (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {at, {at.x + size, at.y + 3 * size, at.z + 1}}};

        if (i % 3 == 2)
            shape = (vn_shape){.kind = VN_SHAPE_ORIENTED,
                               .as.oriented = {at, {size, 1, 2 * size}, {0.5f, 0.1f, 0.1f, 0.854400375f}}};

        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }

    return world;
}

static vn_space* make_space(void) {
    vn_world* world = make_world();
    vn_space_def def = vn_default_space_def();
    vn_space* space;
    def.radius = 0.75f;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {190, 95, 127}};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);

    return space;
}

static vn_voxel free_voxel(vni_rng* rng, const vn_space* space) {
    vn_voxel v;
    do {
        v.x = vni_rng_range(rng, 0, space->occupancy.dims[0] - 1);
        v.y = vni_rng_range(rng, 0, space->occupancy.dims[1] - 1);
        v.z = vni_rng_range(rng, 0, space->occupancy.dims[2] - 1);
    } while (!vn_space_voxel_free(space, v));

    return v;
}

static uint64_t hash_points(uint64_t hash, const vn_query* query) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    for (uint32_t i = 0; i < count; ++i)
        hash = vni_hash_mix(hash ^ (uint64_t)(uint32_t)points[i].x << 32 ^
                            (uint64_t)(uint32_t)points[i].y << 16 ^ (uint64_t)(uint32_t)points[i].z);
    return vni_hash_mix(hash ^ count);
}

static void test_golden(void** state) {
    (void)state;
    vn_space* space = make_space();
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vni_rng rng = vni_rng_make(7);
    uint64_t cells = 0, grid = 0, found = 0;
    def.scratch = VN_SCRATCH_ALL;

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (uint32_t i = 0; i < 60; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(free_voxel(&rng, space));
        request.goal = vn_voxel_center(free_voxel(&rng, space));
        request.algo = i % 10 == 9 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
        request.quality = (vn_quality)(i % 3);
        found += vn_query_find_path(query, &request, &result, NULL) == VN_OK;
        uint64_t* hash = request.algo == VN_ALGO_CELLS ? &cells : &grid;
        *hash = hash_points(*hash, query);
    }

    print_message("content %016llx, cells %016llx, grid %016llx, %u found\n",
                  (unsigned long long)vn_space_content_hash(space), (unsigned long long)cells,
                  (unsigned long long)grid, (unsigned)found);
    assert_true(found > 50);
    assert_true(vn_space_content_hash(space) == GOLDEN_CONTENT);
    assert_true(cells == GOLDEN_CELLS);
    assert_true(grid == GOLDEN_GRID);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void test_scalar_equals_vector(void** state) {
    (void)state;
    enum { MOST = 4096 };
    static vni_cell_ref a_cells[MOST], b_cells[MOST];
    static float a_points[MOST][3], b_points[MOST][3];
    vn_space* space = make_space();
    const vni_cells* cells = &space->cells;
    vn_allocator allocator = vn_default_allocator();
    vni_cells_search a, b;
    vni_rng rng = vni_rng_make(vnt_seed("scalar", 111));
    assert_int_equal(vni_cells_search_make(&allocator, vni_cells_count(cells), &a), VN_OK);

    assert_int_equal(scalar_make(&allocator, vni_cells_count(cells), &b), VN_OK);
    for (uint32_t i = 0; i < vnt_scale(200, 5000); ++i) {
        vn_voxel from = free_voxel(&rng, space), to = free_voxel(&rng, space);
        const float start[3] = {(float)from.x + 0.5f, (float)from.y + 0.25f, (float)from.z},
                    goal[3] = {(float)to.x, (float)to.y + 0.5f, (float)to.z + 1};
        vni_cell_ref s, g;
        assert_true(vni_cells_find(cells, from, &s));
        assert_true(vni_cells_find(cells, to, &g));
        assert_int_equal(vni_cells_search_begin(&a, cells, start, s, goal, g, 1.05f, NULL, 0, false), VN_OK);
        assert_int_equal(scalar_begin(&b, cells, start, s, goal, g, 1.05f, NULL, 0, false), VN_OK);
        assert_int_equal(vni_cells_search_step(&a, UINT64_MAX), scalar_step(&b, UINT64_MAX));
        assert_true(a.expanded == b.expanded);
        assert_true(a.best == b.best);
        uint32_t count = vni_cells_search_corridor(&a, a_cells, a_points, MOST);
        assert_int_equal(count, scalar_corridor(&b, b_cells, b_points, MOST));
        assert_true(count <= MOST);

        if (count == 0)
            continue;
        assert_memory_equal(a_cells, b_cells, count * sizeof *a_cells);
        assert_memory_equal(a_points, b_points, (count - 1) * sizeof *a_points);
    }

    vni_cells_search_free(&a);
    scalar_free(&b);
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden),
                                       cmocka_unit_test(test_scalar_equals_vector)};
    return cmocka_run_group_tests_name("query/golden", tests, NULL, NULL);
}
