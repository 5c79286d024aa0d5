/// Many threads, one space: each with a query of its own gets what a single thread gets.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/path.h"
#include "volnav/query.h"

#include <stdlib.h>

enum { REQUESTS = 200, WORKERS = 4 };

typedef struct work {
    const vn_space* space;
    vn_query* queries[WORKERS];
    vn_path_request requests[REQUESTS];
    vn_path_result results[REQUESTS];
    bool valid[REQUESTS];
} work;

/// No cmocka asserts here: this runs on workers.
static void run_requests(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    work* w = context;
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t count;
        vn_query_find_path(w->queries[worker], &w->requests[i], &w->results[i], NULL);
        const vn_point* points = vn_query_points(w->queries[worker], &count);
        w->valid[i] = w->results[i].status != VN_OK || vn_space_check_path(w->space, points, count, NULL);
    }
}

static void test_concurrent_queries(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("threads", 131));
    vn_allocator allocator = vn_default_allocator();
    vn_jobs serial = vn_serial_jobs();
    vn_query_def def = vn_default_query_def();
    static work one, many;
    const vn_voxel dims = {150, 90, 70};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);

    vn_pool* pool;
    if (vn_pool_create(&allocator, WORKERS, &pool) != VN_OK) {
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
        skip(); // a build without threads
    }

    one.space = many.space = space;
    def.scratch = VN_SCRATCH_ALL;
    for (uint32_t i = 0; i < WORKERS; ++i)
        assert_int_equal(vn_query_create(space, &def, &many.queries[i], NULL), VN_OK);

    one.queries[0] = many.queries[0];
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request* r = &one.requests[i];
        *r = vn_default_path_request();
        r->start = vnt_random_point(&rng, dims, 512);
        r->goal = vnt_random_point(&rng, dims, 512);
        r->quality = (vn_quality)(i % 3);
        r->algo = i % 20 == 0 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
        many.requests[i] = *r;
    }

    run_requests(&one, 0, REQUESTS, 0);
    vn_jobs jobs = vn_pool_jobs(pool);
    void* handle = jobs.enqueue(jobs.user, run_requests, &many, REQUESTS, 1);
    if (handle != NULL)
        jobs.finish(jobs.user, handle);

    for (uint32_t i = 0; i < REQUESTS; ++i) {
        assert_true(one.valid[i]);
        assert_true(many.valid[i]);
        assert_int_equal(one.results[i].status, many.results[i].status);
        assert_true(one.results[i].length == many.results[i].length);
        assert_true(one.results[i].expanded == many.results[i].expanded);
    }

    for (uint32_t i = 0; i < WORKERS; ++i)
        vn_query_destroy(many.queries[i]);

    vn_pool_destroy(pool);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_concurrent_queries)};
    return cmocka_run_group_tests_name("query/threads", tests, NULL, NULL);
}
