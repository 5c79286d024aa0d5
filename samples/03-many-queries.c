/// 03-many-queries: a thousand requests on all processors. The space is shared, each worker has its own query
/// object, and the results do not depend on the number of workers.
#include "hall.h"

#include <stdlib.h>

enum { REQUESTS = 1000, MAX_WORKERS = 64 };

typedef struct crowd {
    const vn_space* space;
    vn_query* queries[MAX_WORKERS];
    vn_path_request requests[REQUESTS];
    double lengths[REQUESTS]; ///< metres; negative: no path
} crowd;

/// Processes the requests [begin, end) as worker `worker`.
static void find_paths(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    crowd* c = context;
    for (uint32_t i = begin; i < end; ++i) {
        vn_path_result result;
        vn_status status = vn_query_find_path(c->queries[worker], &c->requests[i], &result, NULL);
        c->lengths[i] = status == VN_OK ? result.length : -1;
    }
}

static vn_status make_crowd(const vn_space* space, uint32_t workers, crowd* c) {
    vn_query_def def = vn_default_query_def();
    def.max_points = 1024; // enough for this hall, and less memory per worker
    uint64_t random = 2026;
    vn_status status = VN_OK;

    c->space = space;
    for (uint32_t i = 0; i < workers && status == VN_OK; ++i)
        status = vn_query_create(space, &def, &c->queries[i], NULL);

    for (uint32_t i = 0; i < REQUESTS && status == VN_OK; ++i) {
        c->requests[i] = vn_default_path_request();
        status = vn_space_random_point(space, &random, &c->requests[i].start);
        if (status == VN_OK)
            status = vn_space_random_point(space, &random, &c->requests[i].goal);
    }

    return status;
}

int main(void) {
    const vn_allocator allocator = vn_default_allocator();
    vn_pool* pool = NULL;
    vn_world* world = NULL;
    vn_space* space = NULL;
    crowd* c = calloc(1, sizeof *c);

    vn_status status = c != NULL ? hall_world(false, &world) : VN_OUT_OF_MEMORY;
    if (status == VN_OK && vn_pool_create(&allocator, 0, &pool) != VN_OK) // 0: one worker per processor
        status = vn_pool_create(&allocator, 1, &pool);                    // in a build without threads

    vn_jobs jobs = pool != NULL ? vn_pool_jobs(pool) : vn_serial_jobs();
    jobs.worker_count = jobs.worker_count < MAX_WORKERS ? jobs.worker_count : MAX_WORKERS;

    vn_space_def def = hall_space_def();
    def.jobs = jobs; // baking uses the same workers
    if (status == VN_OK)
        status = vn_space_bake(world, &def, &space, NULL);
    if (status == VN_OK)
        status = make_crowd(space, jobs.worker_count, c);
    if (status == VN_OK) {
        void* handle = jobs.enqueue(jobs.user, find_paths, c, REQUESTS, 16);
        if (handle != NULL)
            jobs.finish(jobs.user, handle);

        uint32_t found = 0;
        double sum = 0;
        for (uint32_t i = 0; i < REQUESTS; ++i) {
            found += c->lengths[i] >= 0;
            sum += c->lengths[i] >= 0 ? c->lengths[i] : 0;
        }

        printf("%u of %d requests have a path, %.3f m in total\n", (unsigned)found, REQUESTS, sum);
        status = found > REQUESTS / 2 ? VN_OK : VN_NO_PATH; // some start or end in the vault
    }

    for (uint32_t i = 0; c != NULL && i < MAX_WORKERS; ++i)
        vn_query_destroy(c->queries[i]);

    free(c);
    vn_space_destroy(space);
    vn_world_destroy(world);
    vn_pool_destroy(pool);
    return status == VN_OK ? 0 : 1;
}
