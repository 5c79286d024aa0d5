/// base/jobs.h: the parallel loop that the rooms use.
#ifndef VNI_BASE_JOBS_H
#define VNI_BASE_JOBS_H

#include "volnav/base.h"

/// Runs `task` over [0, count) in ranges of at least `min_range` and waits. Deterministic if the task's
/// results depend on the indices alone.
void vni_parallel_for(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task, void* context);

/// The same in batches, with progress between them on the calling thread. False if the callback cancelled;
/// indices beyond the batch in which it did were not run. `progress` may be null.
bool vni_parallel_for_progress(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task,
                               void* context, vn_progress* progress, void* progress_user, const char* stage);

bool vni_jobs_are_valid(const vn_jobs* jobs);

#endif
