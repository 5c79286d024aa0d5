/// volnav/experiment/flights.c: simulated runs of an experiment, on all cores.
#include "experiment/flights.h"

#include <stdatomic.h>

#include "input/load.h"

typedef struct batch {
    experiment* e;
    const char* stage;
    flights_one* flights;
    uint32_t count;
    atomic_uint_fast32_t done;
} batch;

int flights_start_pool(const experiment* e, vn_pool** out) {
    say_warnings warnings = {.quiet = true}; // without threads one worker flies all of them
    const int code = load_start_pool(e->options->has_threads ? e->options->threads : 0, &warnings, out);
    say_free_warnings(&warnings);
    return code;
}

static void fly(flights_one* f) {
    vn_run* run = NULL;
    f->status = vn_run_create(&f->def, &run, &f->detail);
    if (f->status != VN_OK) {
        return;
    }

    do {
        f->status = vn_run_step(run, &f->detail);
    } while (f->status == VN_RUNNING);
    vn_run_get_result(run, &f->result);
    vn_run_destroy(run);
}

static void fly_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* b = context;
    for (uint32_t i = begin; i < end; ++i) {
        fly(&b->flights[i]);
        const uint32_t done = (uint32_t)atomic_fetch_add(&b->done, 1) + 1;
        if (worker == 0) { // the bar is the first worker's
            progress_report(&b->e->bar, b->stage, (double)done / b->count);
        }
    }
}

int flights_fly(experiment* e, vn_pool* pool, const char* stage, flights_one* flights, uint32_t count) {
    batch b = {.e = e, .stage = stage, .flights = flights, .count = count};
    const vn_jobs jobs = vn_pool_jobs(pool);
    atomic_init(&b.done, 0);
    void* handle = jobs.enqueue(jobs.user, fly_range, &b, count, 1);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }

    for (uint32_t i = 0; i < count; ++i) {
        if (flights[i].status != VN_OK) {
            return say_status(stage, flights[i].status, &flights[i].detail);
        }
    }
    return EXIT_DONE;
}
