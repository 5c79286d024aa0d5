/// base/jobs.c: serial jobs, and the parallel loop over any jobs.
#include "base/jobs.h"

#include "base/assert.h"

/// A long loop is cut into about this many batches, with progress after each; or more, so that none has more
/// than so many ranges for each worker: between two calls of progress less than a tenth of a second passes.
#define VNI_PROGRESS_BATCHES 64
#define VNI_PROGRESS_RANGES  32

static void* serial_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)user;
    (void)min_range;
    VNI_ASSERT(task);
    if (count > 0)
        task(context, 0, count, 0);
    return NULL;
}

static void serial_finish(void* user, void* handle) {
    (void)user;
    (void)handle;
    VNI_ASSERT(!handle);
}

vn_jobs vn_serial_jobs(void) {
    return (vn_jobs){.worker_count = 1, .enqueue = serial_enqueue, .finish = serial_finish};
}

bool vni_jobs_are_valid(const vn_jobs* jobs) {
    return jobs && jobs->worker_count >= 1 && jobs->enqueue && jobs->finish;
}

void vni_parallel_for(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task, void* context) {
    VNI_ASSERT(vni_jobs_are_valid(jobs) && task);
    if (count == 0)
        return;
    void* handle = jobs->enqueue(jobs->user, task, context, count, min_range > 0 ? min_range : 1);
    if (handle)
        jobs->finish(jobs->user, handle);
}

typedef struct batch {
    vn_task* task;
    void* context;
    uint32_t first;
} batch;

static void run_batch(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const batch* b = context;
    b->task(b->context, b->first + begin, b->first + end, worker);
}

/// A multiple of min_range that keeps all workers busy, so that only the last range of the whole loop may be
/// shorter.
static uint64_t batch_size(uint32_t workers, uint32_t count, uint32_t min_range) {
    uint64_t ranges = count / min_range / VNI_PROGRESS_BATCHES + 1;
    uint64_t fewest = (uint64_t)workers * 4, most = (uint64_t)workers * VNI_PROGRESS_RANGES;
    ranges = ranges < most ? ranges : most;
    return (ranges > fewest ? ranges : fewest) * min_range;
}

bool vni_parallel_for_progress(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task,
                               void* context, vn_progress* progress, void* progress_user, const char* stage) {
    VNI_ASSERT(vni_jobs_are_valid(jobs) && task && stage);

    if (!progress) {
        vni_parallel_for(jobs, count, min_range, task, context);
        return true;
    }

    if (min_range == 0)
        min_range = 1;

    uint64_t size = batch_size(jobs->worker_count, count, min_range);
    for (uint64_t done = 0; done < count;) {
        uint64_t left = count - done;
        uint32_t now = (uint32_t)(left < size ? left : size);
        batch b = {task, context, (uint32_t)done};
        vni_parallel_for(jobs, now, min_range, run_batch, &b);
        done += now;

        if (!progress(progress_user, stage, (double)done / count))
            return false;
    }

    return true;
}
