/// volnav/shell/scaling.c: the same work on one thread and on several.
#include "shell/scaling.h"

#include <assert.h>
#include <math.h>

#include "shell/rotation.h"
#include "shell/system.h"

enum {
    CHAINS = 4,
    STEPS = 1 << 17, ///< of each chain of the calibration loop, to one item
    ITEMS = 256,     ///< of the calibration loop, to one run
    REPEATS_MAX = 4096,
    RATES = 4
};

#define LEAST_SECONDS 0.1 ///< that a run should last
#define MOST_SECONDS  2.0 ///< a task that lasts longer gets one round

/// What keeps the compiler from dropping the calibration loop.
static volatile uint64_t drain;

/// Xorshift: each step waits for the one before.
static inline uint64_t step(uint64_t state) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ (state << 17);
}

/// Four chains at once keep a core's arithmetic busy: two threads that share one core gain little.
static void calibrate(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)context;
    (void)worker;
    for (uint32_t item = begin; item < end; ++item) {
        uint64_t a = item + 1, b = item + 7, c = item + 99, d = item + 1000;
        for (uint32_t i = 0; i < STEPS; ++i) {
            a = step(a);
            b = step(b);
            c = step(c);
            d = step(d);
        }

        if (a + b + c + d == 0) { // practically never, but the compiler cannot know
            drain = item;
        }
    }
}

static double seconds_of(const vn_jobs* jobs, vn_task* task, void* context, uint32_t count) {
    const double begin = system_wall_seconds();
    void* handle = jobs->enqueue(jobs->user, task, context, count, 1);
    if (handle != NULL) {
        jobs->finish(jobs->user, handle);
    }
    return system_wall_seconds() - begin;
}

/// Measures one run and keeps its rate if it is the best so far.
static void keep_best(double* rate, const vn_jobs* jobs, vn_task* task, void* context, uint32_t count,
                      double unit) {
    const double seconds = seconds_of(jobs, task, context, count);
    const double now = seconds > 0 ? unit * (double)count / seconds : 0;
    *rate = now > *rate ? now : *rate;
}

/// One of the rates that take turns.
typedef struct contender {
    double* best;
    const vn_jobs* jobs;
    vn_task* task;
    void* context;
    uint32_t count;
    double unit; ///< steps to an item
} contender;

scaling_result scaling_measure(const vn_jobs* jobs, vn_task* task, void* context, uint32_t count,
                               uint64_t rounds) {
    assert(count > 0 && rounds > 0 && jobs->worker_count >= 1);
    const vn_jobs serial = vn_serial_jobs();
    scaling_result out = {{0, 0}, {0, 0}};

    // A run of less than a tenth of a second says little by a wall clock: repeat it.
    const double once = seconds_of(&serial, task, context, count);
    const double wanted = once > 0 ? ceil(LEAST_SECONDS / once) : REPEATS_MAX;
    const uint32_t repeats = wanted < REPEATS_MAX ? (uint32_t)wanted : REPEATS_MAX;

    const uint32_t items = count <= UINT32_MAX / 2 / repeats ? count * repeats : count;
    const double steps = (double)CHAINS * STEPS;
    const contender rates[RATES] = {{&out.work.one, &serial, task, context, items, 1},
                                    {&out.work.all, jobs, task, context, items, 1},
                                    {&out.calibration.one, &serial, calibrate, NULL, ITEMS, steps},
                                    {&out.calibration.all, jobs, calibrate, NULL, ITEMS, steps}};
    for (uint64_t round = 0; round < (once > MOST_SECONDS ? 1 : rounds); ++round) {
        for (uint32_t turn = 0; turn < RATES; ++turn) {
            const contender* r = &rates[rotation_at(RATES, round, turn)];
            keep_best(r->best, r->jobs, r->task, r->context, r->count, r->unit);
        }
    }

    return out;
}

double scaling_gain(const scaling_rates* rates) {
    return rates->one > 0 ? rates->all / rates->one : NAN;
}

double scaling_calibration(void) {
    const vn_jobs serial = vn_serial_jobs();
    double rate = 0;
    for (int round = 0; round < 3; ++round) {
        keep_best(&rate, &serial, calibrate, NULL, ITEMS / 16, (double)CHAINS * STEPS);
    }
    return rate;
}
