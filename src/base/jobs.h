/// base/jobs.h: the parallel loop used by all modules.
#ifndef VNI_BASE_JOBS_H
#define VNI_BASE_JOBS_H

#include "volnav/base.h"

/// Runs `task` over [0, count) in ranges of at least `min_range` indices, and waits for it. Deterministic if
/// the results of the task depend on the indices alone.
void vni_parallel_for(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task, void* context);

/// The same in batches, with a call of `progress` (may be null) on the calling thread after each. False if
/// the callback cancelled: later batches were not run.
bool vni_parallel_for_progress(const vn_jobs* jobs, uint32_t count, uint32_t min_range, vn_task* task,
                               void* context, vn_progress* progress, void* progress_user, const char* stage);

bool vni_jobs_are_valid(const vn_jobs* jobs);

#endif
