/// 03-many-queries: a thousand questions on all processors. The space is shared, each worker has a query
/// object of its own, and the answers do not depend on how many workers there are.
#include "hall.h"

#include <stdlib.h>

enum { QUESTIONS = 1000, MAX_WORKERS = 64 };

typedef struct crowd {
    const vn_space* space;
    vn_query* queries[MAX_WORKERS];
    vn_path_request requests[QUESTIONS];
    double lengths[QUESTIONS]; ///< below 0: no path
} crowd;

/// The questions [begin, end), as worker `worker`.
static void answer(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    crowd* c = context;
    for (uint32_t i = begin; i < end; ++i) {
        vn_path_result result;
        vn_status status = vn_query_find_path(c->queries[worker], &c->requests[i], &result, NULL);
        c->lengths[i] = status == VN_OK ? result.length : -1;
    }
}

static vn_status make_crowd(const vn_space* space, uint32_t workers, crowd* c) {
    vn_query_def def = vn_default_query_def();
    def.max_points = 1024; // long enough for this hall, and less memory for each worker
    uint64_t random = 2026;
    vn_status status = VN_OK;

    c->space = space;
    for (uint32_t i = 0; i < workers && status == VN_OK; ++i)
        status = vn_query_create(space, &def, &c->queries[i], NULL);

    for (uint32_t i = 0; i < QUESTIONS && status == VN_OK; ++i) {
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

    vn_status status = c ? hall_world(false, &world) : VN_OUT_OF_MEMORY;
    if (status == VN_OK && vn_pool_create(&allocator, 0, &pool) != VN_OK) // 0: a worker for each processor
        status = vn_pool_create(&allocator, 1, &pool);                    // a build without threads

    vn_jobs jobs = pool ? vn_pool_jobs(pool) : vn_serial_jobs();
    jobs.worker_count = jobs.worker_count < MAX_WORKERS ? jobs.worker_count : MAX_WORKERS;

    vn_space_def def = hall_space_def();
    def.jobs = jobs; // baking uses the same workers
    if (status == VN_OK)
        status = vn_space_bake(world, &def, &space, NULL);
    if (status == VN_OK)
        status = make_crowd(space, jobs.worker_count, c);
    if (status == VN_OK) {
        void* handle = jobs.enqueue(jobs.user, answer, c, QUESTIONS, 16);
        if (handle)
            jobs.finish(jobs.user, handle);

        uint32_t found = 0;
        double sum = 0;
        for (uint32_t i = 0; i < QUESTIONS; ++i) {
            found += c->lengths[i] >= 0;
            sum += c->lengths[i] >= 0 ? c->lengths[i] : 0;
        }

        printf("%u of %d questions have a path, %.3f m in all\n", (unsigned)found, QUESTIONS, sum);
        status = found > QUESTIONS / 2 ? VN_OK : VN_NO_PATH; // the vault and the unseen corner have none
    }

    for (uint32_t i = 0; c && i < MAX_WORKERS; ++i)
        vn_query_destroy(c->queries[i]);

    free(c);
    vn_space_destroy(space);
    vn_world_destroy(world);
    vn_pool_destroy(pool);
    return status == VN_OK ? 0 : 1;
}
