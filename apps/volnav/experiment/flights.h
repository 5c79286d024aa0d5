/// volnav/experiment/flights.h: simulated runs of an experiment, on all cores.
#ifndef EXPERIMENT_FLIGHTS_H
#define EXPERIMENT_FLIGHTS_H

#include "experiment/experiment.h"
#include "volnav/run.h"

/// One flight: fill in `def`.
typedef struct flights_one {
    vn_run_def def;
    vn_run_result result;
    vn_status status;
    vn_detail detail;
} flights_one;

/// The threads that --threads asks for; without it one for each processor. EXIT_BAD after a message.
int flights_start_pool(const experiment* e, vn_pool** out);

/// Flies all of them; results do not depend on the number of threads. `stage` is what the progress bar says.
/// EXIT_BAD after a message if one could not be flown.
int flights_fly(experiment* e, vn_pool* pool, const char* stage, flights_one* flights, uint32_t count);

#endif
