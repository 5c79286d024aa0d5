/// base/jobs.c: the serial task system, and the parallel loop over any task system.
#include "base/jobs.h"

#include "base/assert.h"

/// A loop with progress is divided into about VNI_PROGRESS_BATCHES batches, or more: none has more than
/// VNI_PROGRESS_RANGES ranges per worker, which keeps the time between two calls of progress below a tenth of
/// a second.
#define VNI_PROGRESS_BATCHES 64
#define VNI_PROGRESS_RANGES  32

/// Fewest ranges of a batch per worker, so that workers do not idle at the end of each batch.
#define VNI_BATCH_RANGES 4

static void* serial_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    (void)user;
    (void)min_range;
    VNI_ASSERT(task != NULL);
    if (count > 0)
        task(context, 0, count, 0);
    return NULL;
}

static void serial_finish(void* user, void* handle) {
    (void)user;
    (void)handle;
    VNI_ASSERT(handle == NULL);
}

vn_jobs vn_serial_jobs(void) {
    return (vn_jobs){.worker_count = 1, .enqueue = serial_enqueue, .finish = serial_finish};
}

bool vni_jobs_are_valid(const vn_jobs* jobs) {
    return jobs != NULL && jobs->worker_count >= 1 && jobs->enqueue != NULL && jobs->finish != NULL;
}

void vni_parallel_for(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task, void* context) {
    VNI_ASSERT(vni_jobs_are_valid(jobs) && task != NULL);
    if (count == 0)
        return;
    void* handle = jobs->enqueue(jobs->user, task, context, count, min_range > 0 ? min_range : 1);
    if (handle != NULL)
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

/// Indices per batch. A multiple of min_range, so only the last range of the whole loop may be shorter.
static uint64_t batch_size(uint32_t workers, uint32_t count, uint32_t min_range) {
    uint64_t ranges = count / min_range / VNI_PROGRESS_BATCHES + 1;
    uint64_t fewest = (uint64_t)workers * VNI_BATCH_RANGES, most = (uint64_t)workers * VNI_PROGRESS_RANGES;
    ranges = ranges < most ? ranges : most;
    return (ranges > fewest ? ranges : fewest) * min_range;
}

bool vni_parallel_for_progress(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task,
                               void* context, vn_progress* progress, void* progress_user, const char* stage) {
    VNI_ASSERT(vni_jobs_are_valid(jobs) && task != NULL && stage != NULL);

    if (progress == NULL) {
        vni_parallel_for(jobs, count, min_range, task, context);
        return true;
    }

    if (min_range == 0)
        min_range = 1;

    // Progress must run on this thread, and a task system offers no way to call it from inside a loop: so one
    // loop for each batch. 64-bit counters, because done + size may exceed 32 bits.
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
