/// volnav/shell/scaling.h: throughput of a task on one thread and on several, beside what the machine gains
/// on a loop that needs no memory.
#ifndef SCALING_H
#define SCALING_H

#include "volnav/base.h"

/// Wall-clock rates on one thread and on all workers.
typedef struct scaling_rates {
    double one, all; ///< a second
} scaling_rates;

typedef struct scaling_result {
    scaling_rates work;        ///< items of the task
    scaling_rates calibration; ///< steps of the calibration loop
} scaling_result;

/// Runs `task` over [0, count) on one thread and with all workers of `jobs`, in rotated turns with the
/// calibration loop, `rounds` times (once if it lasts seconds), and keeps the best rate of each. Short tasks
/// are repeated within a round, so that the indices run up to a multiple of `count`: the task takes them
/// modulo `count`.
scaling_result scaling_measure(const vn_jobs* jobs, vn_task* task, void* context, uint32_t count,
                               uint64_t rounds);

/// all / one; not a number if nothing was measured.
double scaling_gain(const scaling_rates* rates);

/// Steps a second on this thread: chains of integer operations in registers, the same work everywhere. Takes
/// some hundredths of a second.
double scaling_calibration(void);

#endif
