/// The pool: every index once, the same results for any number of workers, nested and many small loops,
/// refused memory.
#include "base/jobs.h"
#include "base/threads.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORKERS 8
#define MOST         20000

#if VOLNAV_THREADS
static const uint32_t worker_counts[] = {1, 2, 3, 8};
#else
static const uint32_t worker_counts[] = {1};
#endif
#define WORKER_COUNTS (sizeof worker_counts / sizeof worker_counts[0])

/// A loop that writes a value that depends on the index alone, and finds out whether two ranges share a
/// worker number.
typedef struct work {
    uint64_t results[MOST];
    vni_atomic times[MOST];
    vni_atomic busy[MOST_WORKERS];
    vni_atomic faults; ///< cmocka's asserts may not be used on worker threads
    uint32_t count, min_range, workers;
} work;

static uint64_t value_of(uint32_t index) {
    uint64_t x = index + 1;
    for (uint32_t i = 0; i < index % 50; ++i)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static void compute(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    work* w = context;
    bool wrong = begin >= end || end > w->count || worker >= w->workers;
    wrong |= end - begin < w->min_range && end != w->count;
    wrong |= worker < MOST_WORKERS && vni_atomic_add(&w->busy[worker], 1) != 0;
    for (uint32_t i = begin; i < end && !wrong; ++i) {
        w->results[i] = value_of(i);
        vni_atomic_add(&w->times[i], 1);
    }

    if (wrong)
        vni_atomic_add(&w->faults, 1);

    if (worker < MOST_WORKERS)
        vni_atomic_add(&w->busy[worker], UINT32_MAX);
}

static void prepare(work* w, const vn_jobs* jobs, uint32_t count, uint32_t min_range) {
    memset(w, 0, sizeof *w);
    w->count = count;
    w->min_range = min_range;
    w->workers = jobs->worker_count;
}

static void check_work(work* w) {
    assert_int_equal(vni_atomic_load(&w->faults), 0);
    for (uint32_t i = 0; i < MOST; ++i) {
        assert_int_equal(vni_atomic_load(&w->times[i]), i < w->count);
        assert_true(w->results[i] == (i < w->count ? value_of(i) : 0));
    }
}

static vn_pool* make_pool(uint32_t workers) {
    vn_allocator a = vn_default_allocator();
    vn_pool* pool = NULL;
    assert_int_equal(vn_pool_create(&a, workers, &pool), VN_OK);
    assert_non_null(pool);
    vn_jobs jobs = vn_pool_jobs(pool);
    assert_true(vni_jobs_are_valid(&jobs));
    assert_int_equal(jobs.worker_count, workers);

    return pool;
}

static void same_results_for_any_workers(void** state) {
    (void)state;
    const uint32_t counts[] = {0, 1, 2, 65, 1000, MOST}, ranges[] = {1, 3, 100, MOST};
    work* w = malloc(sizeof *w);
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        vn_jobs jobs = vn_pool_jobs(pool);
        for (uint32_t c = 0; c < 6; ++c) {
            for (uint32_t g = 0; g < 4; ++g) {
                prepare(w, &jobs, counts[c], ranges[g]);
                vni_parallel_for(&jobs, counts[c], ranges[g], compute, w);
                check_work(w);
            }
        }

        vn_pool_destroy(pool);
    }

    free(w);
}

static void several_loops_may_be_open(void** state) {
    (void)state;
    enum { LOOPS = 40 }; // more than the pool keeps
    work* loops = malloc(LOOPS * sizeof *loops);
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        vn_jobs jobs = vn_pool_jobs(pool);
        void* handles[LOOPS];
        for (uint32_t order = 0; order < 2; ++order) {
            for (uint32_t i = 0; i < LOOPS; ++i) {
                prepare(&loops[i], &jobs, 200 + i * 7, 1);
                handles[i] = jobs.enqueue(jobs.user, compute, &loops[i], loops[i].count, 1);
            }

            for (uint32_t i = 0; i < LOOPS; ++i) {
                uint32_t k = order ? LOOPS - 1 - i : i;
                if (handles[k] != NULL)
                    jobs.finish(jobs.user, handles[k]);
                check_work(&loops[k]);
            }
        }

        vn_pool_destroy(pool);
    }

    free(loops);
}

/// Counts on the workers; on the thread that finishes (worker 0) each range runs a loop of its own.
typedef struct nest {
    vn_jobs jobs;
    vni_atomic outer, inner, loops;
} nest;

static void count_inner(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    vni_atomic_add(&((nest*)context)->inner, end - begin);
}

static void count_outer(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    nest* n = context;
    vni_atomic_add(&n->outer, end - begin);
    if (worker != 0)
        return;
    vni_atomic_add(&n->loops, 1);
    vni_parallel_for(&n->jobs, 100, 1, count_inner, n);
}

static void loops_nest_on_the_calling_thread(void** state) {
    (void)state;
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        nest n = {.jobs = vn_pool_jobs(pool)};
        for (int round = 0; round < 20; ++round) {
            vni_parallel_for(&n.jobs, 500, 1, count_outer, &n);
            assert_int_equal(vni_atomic_load(&n.outer), 500 * (round + 1));
            assert_int_equal(vni_atomic_load(&n.inner), vni_atomic_load(&n.loops) * 100);
        }

        vn_pool_destroy(pool);
    }
}

static void add_indices(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    uint32_t* sums = context; // one for each worker: no atomics, so that a race shows
    for (uint32_t i = begin; i < end; ++i)
        sums[worker] += i;
}

static void many_small_loops(void** state) {
    (void)state;
    uint32_t rounds = vnt_scale(3000, 100000);
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        vn_jobs jobs = vn_pool_jobs(pool);
        for (uint32_t round = 0; round < rounds; ++round) {
            uint32_t sums[MOST_WORKERS] = {0}, count = round % 23, sum = 0;
            vni_parallel_for(&jobs, count, 1 + round % 3, add_indices, sums);
            for (uint32_t i = 0; i < MOST_WORKERS; ++i)
                sum += sums[i];
            assert_int_equal(sum, count * (count - 1) / 2);
        }

        vn_pool_destroy(pool);
    }
}

#if VOLNAV_THREADS

typedef struct meeting {
    vni_monitor* monitor;
    uint32_t expected, arrived; ///< inside the monitor
    uint32_t seen[MOST_WORKERS];
    uint32_t strangers;
} meeting;

/// Returns when all ranges are being run.
static void meet(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    meeting* m = context;
    vni_monitor_enter(m->monitor);
    if (worker < MOST_WORKERS && end == begin + 1)
        ++m->seen[worker];
    else
        ++m->strangers;

    ++m->arrived;
    vni_monitor_wake_all(m->monitor);
    while (m->arrived < m->expected)
        vni_monitor_wait(m->monitor);

    vni_monitor_leave(m->monitor);
}

static void all_workers_work_at_once(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        vn_jobs jobs = vn_pool_jobs(pool);
        for (int round = 0; round < 20; ++round) {
            meeting m = {.monitor = vni_monitor_create(&a), .expected = worker_counts[p]};
            vni_parallel_for(&jobs, m.expected, 1, meet, &m);
            assert_int_equal(m.strangers, 0);
            for (uint32_t i = 0; i < MOST_WORKERS; ++i)
                assert_int_equal(m.seen[i], i < m.expected);
            vni_monitor_destroy(&a, m.monitor);
        }

        vn_pool_destroy(pool);
    }
}

#endif

static void touch(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    vni_atomic* ranges = context;
    vni_atomic_add(&ranges[0], end - begin);
    vni_atomic_add(&ranges[1], 1);
}

static void the_largest_count_does_not_overflow(void** state) {
    (void)state;
    for (uint32_t p = 0; p < WORKER_COUNTS; ++p) {
        vn_pool* pool = make_pool(worker_counts[p]);
        vn_jobs jobs = vn_pool_jobs(pool);
        const uint32_t ranges[] = {1, 1u << 20, 1u << 31, UINT32_MAX};
        for (uint32_t g = 0; g < 4; ++g) {
            vni_atomic seen[2] = {0, 0};
            vni_parallel_for(&jobs, UINT32_MAX, ranges[g], touch, seen);
            assert_true(vni_atomic_load(&seen[0]) == UINT32_MAX);
            assert_in_range(vni_atomic_load(&seen[1]), 1, 64 * MOST_WORKERS);
        }

        vn_pool_destroy(pool);
    }
}

static void pools_start_and_stop(void** state) {
    (void)state;
    vn_pool_destroy(NULL);
    for (int i = 0; i < 50; ++i)
        vn_pool_destroy(make_pool(worker_counts[(uint32_t)i % WORKER_COUNTS]));

    vn_allocator a = vn_default_allocator();
    vn_pool* pool = NULL;
    assert_int_equal(vn_pool_create(&a, 0, &pool), VN_OK);
    assert_int_equal(vn_pool_jobs(pool).worker_count, vni_processor_count());
    vn_pool_destroy(pool);
}

static void too_many_workers_are_refused(void** state) {
    (void)state;
    vn_allocator a = vn_default_allocator();
    vn_pool* pool = (vn_pool*)&a;
    assert_int_equal(vn_pool_create(&a, UINT32_MAX, &pool), VN_UNSUPPORTED);
    assert_null(pool);
#if !VOLNAV_THREADS
    assert_int_equal(vn_pool_create(&a, 2, &pool), VN_UNSUPPORTED);
    assert_null(pool);
#endif
}

static void refused_memory_leaks_nothing(void** state) {
    (void)state;
    uint32_t workers = worker_counts[WORKER_COUNTS - 1];
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator a = vnt_memory_allocator(&memory);
        vn_pool* pool = NULL;
        vn_status status = vn_pool_create(&a, workers, &pool);
        done = status == VN_OK;
        assert_int_equal(done, !memory.failed);
        assert_int_equal(status, done ? VN_OK : VN_OUT_OF_MEMORY);
        assert_int_equal(pool != NULL, done);

        uint64_t calls = memory.calls;
        if (done) { // enqueueing takes no memory
            vn_jobs jobs = vn_pool_jobs(pool);
            vni_atomic seen[2] = {0, 0};
            vni_parallel_for(&jobs, 1000, 1, touch, seen);
            assert_int_equal(memory.calls, calls);
        }

        vn_pool_destroy(pool);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_results_for_any_workers),
        cmocka_unit_test(several_loops_may_be_open),
        cmocka_unit_test(loops_nest_on_the_calling_thread),
        cmocka_unit_test(many_small_loops),
#if VOLNAV_THREADS
        cmocka_unit_test(all_workers_work_at_once),
#endif
        cmocka_unit_test(the_largest_count_does_not_overflow),
        cmocka_unit_test(pools_start_and_stop),
        cmocka_unit_test(too_many_workers_are_refused),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("base/pool", tests, NULL, NULL);
}
