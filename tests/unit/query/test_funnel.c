/// The funnel in the cells search: valid by the checker, never longer than the path as found, shorter when
/// pruned; with limits, costs, connections and goals that are not points; and not on the grid.
#include "terms_oracle.h"

#include "space/space.h"

static vn_path_result find(const scene* s, vn_path_request request, vn_refine refine) {
    vn_path_result result;
    request.refine = refine;
    assert_int_equal(vn_query_find_path(s->query, &request, &result, NULL), VN_OK);
    check_legs(s, &request, &result);
    return result;
}

typedef struct tally {
    double found, funnel, pruned, taut;
    uint32_t requests, shorter;
} tally;

/// Quality best may choose the other of its two paths, so that only sums can be compared.
static void check_request(const scene* s, vn_path_request request, tally* t) {
    vn_path_result found, funnel, pruned;
    if (vn_query_find_path(s->query, &request, &found, NULL) != VN_OK)
        return;

    found = find(s, request, VN_REFINE_NONE);
    funnel = find(s, request, VN_REFINE_FUNNEL);
    pruned = find(s, request, VN_REFINE_FUNNEL_PRUNE);
    if (request.quality != VN_QUALITY_BEST && !request.has_limits && request.goal_kind == VN_GOAL_POINT) {
        assert_true(funnel.cost <= found.cost * (1 + 1e-9));
        assert_true(pruned.cost <= funnel.cost * (1 + 1e-9));
    }

    t->found += found.cost;
    t->funnel += funnel.cost;
    t->pruned += pruned.cost;
    t->taut += find(s, request, VN_REFINE_TAUT).cost;
    t->shorter += funnel.cost < found.cost * (1 - 1e-6);
    ++t->requests;
}

static vn_box random_box(vni_rng* rng, vn_point around) {
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        float at = (float)(&around.x)[i] / VN_LATTICE;
        low[i] = at - (float)vni_rng_below(rng, 5000) / 1000;
        high[i] = at + (float)vni_rng_below(rng, 5000) / 1000;
    }

    vn_box box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

/// One thing more than length, by turns.
static void add_terms(vni_rng* rng, uint32_t world, vn_path_request* request, vn_zone* zone) {
    if (world % 4 == 1) {
        request->has_limits = true;
        request->limits = random_box(rng, request->start);
    }

    if (world % 4 == 2) {
        zone->box = random_box(rng, request->start);
        zone->factor = 5;
        request->zones = zone;
        request->zone_count = 1;
    }

    if (world % 4 == 3) {
        request->goal_kind = VN_GOAL_SPHERE;
        request->goal_distance = vni_rng_real(rng) * 4;
    }
}

static void test_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("query/funnel", 701));
    tally t = {0};
    for (uint32_t world = 0; world < vnt_scale(240, 8000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        for (uint32_t i = 0; i < 4 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                             vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            vn_zone zone = {0};
            request.start = i == 3 ? vnt_random_point(&rng, s.voxels.dims, 512) : vn_voxel_center(a);
            request.goal = i == 3 ? vnt_random_point(&rng, s.voxels.dims, 1024) : vn_voxel_center(b);
            request.quality = (vn_quality)vni_rng_below(&rng, VN_QUALITY_COUNT);
            add_terms(&rng, world, &request, &zone);
            check_request(&s, request, &t);
        }

        free_scene(&s);
    }

    print_message("%u requests, %u shorter; over the path found: funnel %.4f, pruned %.4f, taut %.4f\n",
                  t.requests, t.shorter, t.funnel / t.found, t.pruned / t.found, t.taut / t.found);
    assert_true(t.requests > 300);
    assert_true(t.shorter > 50);
    assert_true(t.funnel < t.found);
    assert_true(t.pruned < t.funnel);
}

/// A partial path stays as the search left it, as with a taut string; with a connection each leg has its
/// funnel.
static void test_partial_and_links(void** state) {
    (void)state;
    const vn_voxel dims = {30, 12, 12}, a = {1, 1, 1}, b = {28, 10, 10};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 144; ++i) {
        vnt_voxels_block(&voxels, 20, i % 12, i / 12);
        if (i % 12 > 1)
            vnt_voxels_block(&voxels, 8, i % 12, i / 12);
        if (i % 12 < 9)
            vnt_voxels_block(&voxels, 14, i % 12, i / 12);
    }

    scene s = make_scene(voxels);
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    request.refine = VN_REFINE_FUNNEL_PRUNE;
    request.allow_partial = true;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_PARTIAL);
    check_legs(&s, &request, &result);
    const vn_connection connection = {{18.5f, 2.5f, 2.5f}, {22.5f, 9.5f, 2.5f}, 1, true, 7};
    request.connections = &connection;
    request.connection_count = 1;
    double found = find(&s, request, VN_REFINE_NONE).cost, funnel = find(&s, request, VN_REFINE_FUNNEL).cost;
    assert_true(funnel <= found);
    assert_true(find(&s, request, VN_REFINE_FUNNEL_PRUNE).cost <= funnel);
    assert_int_equal(find(&s, request, VN_REFINE_FUNNEL).connections_used, 1);
    free_scene(&s);
}

/// A space so long that floats tell places in it apart by 16 lattice steps, with a wall across that has a
/// hole of one voxel.
static vn_space* make_long_space(float size) {
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_world* world;
    vn_space* space;

    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (int side = 0; side < 2; ++side) {
        const float from = side ? 200011.125f : 199900.0f, to = side ? 200100.0f : 200009.875f;
        const vn_vec3 low = {from * size, 1.125f * size, 0}, high = {to * size, 1.875f * size, 2 * size};
        const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {low, high}};
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }

    def.resolution = size;
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){200200 * size, 3 * size, 2 * size};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);

    return space;
}

/// Limits that leave a few steps of the hole: the path passes within them, though floats cannot tell.
static void test_limits_far_away(void** state) {
    (void)state;
    const float size = 0.7f;
    vn_space* space = make_long_space(size);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    uint32_t found = 0;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center((vn_voxel){200005, 0, 0});
    request.goal = vn_voxel_center((vn_voxel){200004, 2, 1});
    request.refine = VN_REFINE_FUNNEL;
    request.has_limits = true;

    request.limits = (vn_box){{139900, 0, 0}, {140005, 10, 10}};
    for (float high = 200009.9f * size; high < 200010.9f * size; high += 1.0f / 64) {
        vn_path_result result;
        uint32_t count;
        request.limits.max.x = high;
        vn_status status = vn_query_find_path(query, &request, &result, NULL);
        assert_true(status == VN_OK || status == VN_NO_PATH);

        const vn_point* points = vn_query_points(query, &count);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(points[i].x <= floor((double)high / (double)size * VN_LATTICE));

        assert_true(status != VN_OK || vn_space_check_path(space, points, count, NULL));
        found += status == VN_OK;
    }

    assert_true(found > 20);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void test_not_on_the_grid(void** state) {
    (void)state;
    const vn_voxel dims = {6, 6, 6};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_jobs serial = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vnt_memory memory = vnt_memory_make();
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_detail detail;
    vn_path_result result;
    def.scratch = VN_SCRATCH_ALL;
    def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    uint64_t calls = memory.calls;
    vn_path_request request = vn_default_path_request();

    request.goal = (vn_point){5000, 4000, 3000};
    for (int refine = VN_REFINE_SMOOTH; refine < VN_REFINE_COUNT; ++refine) {
        request.refine = (vn_refine)refine;
        request.algo = VN_ALGO_ASTAR;
        assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "volnav_classic"));
        request.algo = VN_ALGO_CELLS;
        assert_int_equal(vn_query_find_path(query, &request, &result, &detail),
                         refine == VN_REFINE_SMOOTH ? VN_UNSUPPORTED : VN_OK);
    }

    assert_int_equal(memory.calls, calls); // finding a path allocates nothing
    vn_query_destroy(query);
    assert_int_equal(memory.live_blocks, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_partial_and_links),
        cmocka_unit_test(test_limits_far_away),
        cmocka_unit_test(test_not_on_the_grid),
    };

    return cmocka_run_group_tests_name("query/funnel", tests, NULL, NULL);
}
