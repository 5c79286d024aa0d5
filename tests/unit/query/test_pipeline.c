/// From shapes to a checked path in one go: every allocation fails once; the result is the same for any
/// number of workers.
#include "cmocka_all.h"
#include "support.h"

#include "volnav/volnav.h"

/// A closed box as a mesh, so that voxelising, filling and the mesh's tree all allocate.
static const vn_vec3 corners[8] = {{2, 2, 2}, {6, 2, 2}, {2, 6, 2}, {6, 6, 2},
                                   {2, 2, 6}, {6, 2, 6}, {2, 6, 6}, {6, 6, 6}};
static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const vn_voxel dust[3] = {{0, 0, 0}, {1, 2, 1}, {3, 3, 3}};

static vn_status fill_world(vn_world* world, vn_detail* detail) {
    vn_shape shapes[6] = {
        {.kind = VN_SHAPE_BOX, .as.box = {{8, 0, 0}, {9, 9, 12}}},
        {.kind = VN_SHAPE_SPHERE, .as.sphere = {{11, 9, 6}, 1.5f}},
        {.kind = VN_SHAPE_ORIENTED,
         .as.oriented = {{4, 9, 4}, {1, 0.5f, 2}, {0, 0.38268343f, 0, 0.92387953f}}},
        {.kind = VN_SHAPE_MESH, .as.mesh = {corners, 8, faces, 12, true}},
        {.kind = VN_SHAPE_HULL, .as.hull = {corners, 8, faces, 12}},
        {.kind = VN_SHAPE_VOXELS,
         .as.voxels = {
             .low = {10, 1, 9}, .size = 0.5f, .dims = {4, 4, 4}, .voxels = dust, .voxel_count = 3}}};

    vn_status status = VN_OK;
    for (int i = 0; i < 6 && status == VN_OK; ++i)
        status = vn_world_add(world, &shapes[i], NULL, detail);

    return status;
}

static vn_status find(vn_query* query, const vn_space* space, vn_path_result* result) {
    vn_path_request request = vn_default_path_request();
    assert_int_equal(vn_space_point_from_local(space, (vn_vec3){1, 1, 1}, &request.start), VN_OK);
    assert_int_equal(vn_space_point_from_local(space, (vn_vec3){13, 1, 11}, &request.goal), VN_OK);
    return vn_query_find_path(query, &request, result, NULL);
}

static vn_status run(const vn_allocator* allocator, const vn_jobs* jobs, vn_path_result* result,
                     uint64_t* hash) {
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_query* query = NULL;
    vn_detail detail;
    vn_world_def world_def = vn_default_world_def();
    vn_space_def space_def = vn_default_space_def();
    vn_query_def query_def = vn_default_query_def();
    world_def.allocator = space_def.allocator = query_def.allocator = *allocator;
    space_def.jobs = *jobs;
    space_def.resolution = 0.5f;
    space_def.radius = 0.4f;
    space_def.has_bounds = true;
    space_def.bounds = (vn_box){{0, 0, 0}, {14, 12, 12}};
    space_def.has_seed = true;
    space_def.seed = (vn_vec3){1, 1, 1};

    vn_status status = vn_world_create(&world_def, &world);
    if (status == VN_OK)
        status = fill_world(world, &detail);
    if (status == VN_OK)
        status = vn_space_bake(world, &space_def, &space, &detail);
    if (status == VN_OK)
        status = vn_query_create(space, &query_def, &query, &detail);
    if (status == VN_OK)
        status = find(query, space, result);
    if (status == VN_OK) {
        uint32_t count;
        const vn_point* points = vn_query_points(query, &count);
        *hash = vn_space_content_hash(space);
        assert_true(vn_space_check_path(space, points, count, NULL));
        assert_true(vn_world_check_path(world, space, points, count, 0.4, NULL));
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status;
}

static void test_every_allocation_fails_once(void** state) {
    (void)state;
    vn_jobs serial = vn_serial_jobs();
    uint64_t k = 0, hash;
    for (;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_path_result result;
        vn_status status = run(&allocator, &serial, &result, &hash);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.live_bytes, 0);
        assert_false(memory.mismatch);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        if (!memory.failed)
            break;
    }

    print_message("%u allocations failed, each in turn\n", (unsigned)k);
    assert_true(k > 30);
}

static void test_any_number_of_workers(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vn_jobs serial = vn_serial_jobs();
    vn_path_result want, got;
    uint64_t want_hash, got_hash;

    assert_int_equal(run(&allocator, &serial, &want, &want_hash), VN_OK);
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        vn_pool* pool;
        vn_status status = vn_pool_create(&allocator, workers, &pool);
        if (status == VN_UNSUPPORTED) // a build without threads
            break;

        assert_int_equal(status, VN_OK);
        vn_jobs jobs = vn_pool_jobs(pool);
        assert_int_equal(run(&allocator, &jobs, &got, &got_hash), VN_OK);
        assert_true(got_hash == want_hash);
        assert_true(got.length == want.length);
        assert_true(got.expanded == want.expanded);
        vn_pool_destroy(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation_fails_once),
                                       cmocka_unit_test(test_any_number_of_workers)};
    return cmocka_run_group_tests_name("query/pipeline", tests, NULL, NULL);
}
