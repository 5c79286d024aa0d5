/// volnav/commands/sim_campaign.c: the runs of a campaign on a pool of threads.
#include "commands/sim_campaign.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "input/load.h"
#include "shell/progress.h"
#include "shell/system.h"

/// Seconds of wall time between two checkpoints.
#define SAVE_EVERY 5

/// What the workers share. Each outcome is written by one worker; `ready` says that it can be read.
typedef struct flight {
    sim_campaign* campaign;
    atomic_bool* ready;
    atomic_uint_fast64_t next, done;
    atomic_bool stop;
    progress_bar bar;
    double saved; ///< when the last checkpoint was written

    // Of the first run by seed that could not go on; one worker at a time writes it.
    atomic_flag busy;
    uint64_t failed_seed;
    vn_status failed;
    vn_detail detail;
} flight;

static int class_of(double seconds) {
    const double place = seconds > 1e-7 ? 8 * log2(seconds * 1e7) : 0;
    return place < SIM_CLASSES - 1 ? (int)place : SIM_CLASSES - 1;
}

static vn_status fly(const vn_run_def* def, sim_outcome* out, vn_detail* detail) {
    vn_run* run = NULL;
    vn_status status = vn_run_create(def, &run, detail);
    if (status != VN_OK) {
        return status;
    }

    double before = 0;
    do {
        status = vn_run_step(run, detail);
        vn_run_get_result(run, &out->result);
        ++out->times[class_of(out->result.path_seconds - before)];
        before = out->result.path_seconds;
    } while (status == VN_RUNNING);

    vn_run_destroy(run);
    return status;
}

/// Keeps the failure of the lowest seed, so that the message does not depend on who was first.
static void note_failure(flight* f, uint64_t seed, vn_status status, const vn_detail* detail) {
    atomic_store(&f->stop, true);
    while (atomic_flag_test_and_set(&f->busy)) {
    }

    if (f->failed == VN_OK || seed < f->failed_seed) {
        f->failed = status;
        f->failed_seed = seed;
        f->detail = *detail;
    }
    atomic_flag_clear(&f->busy);
}

/// Between two runs of the thread that started them: the bar, and from time to time the checkpoint.
static void report(flight* f) {
    sim_campaign* c = f->campaign;
    const uint64_t done = atomic_load(&f->done);
    char stage[64];
    snprintf(stage, sizeof stage, "%" PRIu64 " of %" PRIu64 " runs", done, c->runs);
    progress_report(&f->bar, stage, (double)done / (double)c->runs);

    if (c->checkpoint == NULL || system_wall_seconds() - f->saved < SAVE_EVERY) {
        return;
    }
    for (uint64_t i = 0; i < c->runs; ++i) {
        c->outcomes[i].done = atomic_load(&f->ready[i]);
    }
    if (sim_checkpoint_write(c) != EXIT_DONE) {
        atomic_store(&f->stop, true);
    }
    f->saved = system_wall_seconds();
}

/// Takes runs until none is left. The pool's worker 0 is the thread that waits for the others.
static void work(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    flight* f = context;
    sim_campaign* c = f->campaign;
    (void)begin, (void)end;
    while (!atomic_load(&f->stop)) {
        const uint64_t i = atomic_fetch_add(&f->next, 1);
        if (i >= c->runs) {
            return;
        }
        if (atomic_load(&f->ready[i])) {
            continue;
        }

        vn_detail detail = {0};
        vn_run_def def = c->def;
        def.seed += i;
        const vn_status status = fly(&def, &c->outcomes[i], &detail);
        if (status != VN_OK) {
            note_failure(f, def.seed, status, &detail);
            return;
        }

        atomic_store(&f->ready[i], true);
        atomic_fetch_add(&f->done, 1);
        if (worker == 0) {
            report(f);
        }
    }
}

/// EXIT_DONE, or the message about the run that could not go on.
static int conclude(flight* f) {
    sim_campaign* c = f->campaign;
    for (uint64_t i = 0; i < c->runs; ++i) {
        c->outcomes[i].done = atomic_load(&f->ready[i]);
    }

    int code = c->checkpoint != NULL ? sim_checkpoint_write(c) : EXIT_DONE;
    if (f->failed != VN_OK) {
        char name[128];
        snprintf(name, sizeof name, "%s, seed %" PRIu64, c->def.scene, f->failed_seed);
        code = say_status(name, f->failed, &f->detail);
    }
    return code;
}

static int fly_all(sim_campaign* c, vn_pool* pool) {
    const vn_jobs jobs = vn_pool_jobs(pool);
    flight* f = say_alloc(1, sizeof *f);
    f->campaign = c;
    f->ready = say_alloc(c->runs, sizeof *f->ready);
    f->bar = progress_begin(c->quiet);
    f->saved = system_wall_seconds() - SAVE_EVERY; // the first run that is done is saved at once
    atomic_init(&f->next, 0);
    atomic_init(&f->done, c->resumed);
    atomic_init(&f->stop, false);
    atomic_flag_clear(&f->busy);
    for (uint64_t i = 0; i < c->runs; ++i) {
        atomic_init(&f->ready[i], c->outcomes[i].done);
    }

    // One loop for each worker, each of which takes the next run when it is ready for one.
    void* handle = jobs.enqueue(jobs.user, work, f, jobs.worker_count, 1);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }

    progress_end(&f->bar);
    const int code = conclude(f);
    free(f->ready);
    free(f);
    return code;
}

int sim_campaign_run(sim_campaign* c) {
    c->outcome_count = c->runs;
    c->outcomes = say_alloc(c->runs, sizeof *c->outcomes);
    c->def.clock = system_thread_seconds;
    int code = c->checkpoint != NULL ? sim_checkpoint_read(c) : EXIT_DONE;
    for (uint64_t i = 0; i < c->runs; ++i) {
        c->resumed += c->outcomes[i].done;
    }
    if (code != EXIT_DONE || c->resumed == c->runs) {
        return code;
    }
    if (c->checkpoint != NULL && sim_checkpoint_write(c) != EXIT_DONE) {
        return EXIT_BAD; // now, not after hours
    }

    vn_pool* pool = NULL;
    say_warnings warnings = {.quiet = c->quiet};
    code = load_start_pool(c->threads, &warnings, &pool);
    if (code == EXIT_DONE) {
        code = fly_all(c, pool);
    }

    vn_pool_destroy(pool);
    say_free_warnings(&warnings);
    return code;
}

void sim_campaign_free(sim_campaign* c) {
    free(c->outcomes);
    c->outcomes = NULL;
}
