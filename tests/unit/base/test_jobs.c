/// Serial jobs and the parallel loop: every index once, batches, progress, cancelling.
#include "base/jobs.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#define MOST 5000

typedef struct record {
    uint32_t times[MOST];
    uint32_t calls;
    uint32_t shortest; ///< range that does not end at `count`
    uint32_t count;
} record;

static void note(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    record* r = context;
    assert_true(begin < end);
    assert_true(end <= r->count);
    assert_true(worker < 3);
    for (uint32_t i = begin; i < end; ++i)
        ++r->times[i];

    if (end != r->count && end - begin < r->shortest)
        r->shortest = end - begin;

    ++r->calls;
}

static record* fresh_record(uint32_t count) {
    static record r;
    memset(&r, 0, sizeof r);
    r.shortest = UINT32_MAX;
    r.count = count;
    return &r;
}

static void check_once(const record* r, uint32_t done) {
    for (uint32_t i = 0; i < MOST; ++i)
        assert_int_equal(r->times[i], i < done);
}

/// A host's task system that cuts as finely as it may and works when it is asked to finish.
typedef struct late_loop {
    vn_task* task;
    void* context;
    uint32_t count, min_range;
    int open;
} late_loop;

static void* late_enqueue(void* user, vn_task* task, void* context, uint32_t count, uint32_t min_range) {
    late_loop* l = user;
    assert_true(count > 0);
    assert_true(min_range > 0);
    assert_int_equal(l->open, 0);
    *l = (late_loop){task, context, count, min_range, 1};
    return l;
}

static void late_finish(void* user, void* handle) {
    late_loop* l = user;
    assert_ptr_equal(handle, l);
    assert_int_equal(l->open, 1);
    for (uint32_t begin = 0; begin < l->count; begin += l->min_range) {
        uint32_t left = l->count - begin;
        l->task(l->context, begin, begin + (left < l->min_range ? left : l->min_range), begin % 3);
    }

    l->open = 0;
}

static vn_jobs late_jobs(late_loop* l) {
    memset(l, 0, sizeof *l);
    return (vn_jobs){.worker_count = 3, .enqueue = late_enqueue, .finish = late_finish, .user = l};
}

static void validity(void** state) {
    (void)state;
    vn_jobs jobs = vn_serial_jobs();
    assert_int_equal(jobs.worker_count, 1);
    assert_true(vni_jobs_are_valid(&jobs));
    assert_false(vni_jobs_are_valid(NULL));
    jobs.worker_count = 0;
    assert_false(vni_jobs_are_valid(&jobs));
    jobs = vn_serial_jobs();
    jobs.enqueue = NULL;
    assert_false(vni_jobs_are_valid(&jobs));
    jobs = vn_serial_jobs();
    jobs.finish = NULL;
    assert_false(vni_jobs_are_valid(&jobs));
}

static void every_index_once(void** state) {
    (void)state;
    late_loop l;
    const vn_jobs all[] = {vn_serial_jobs(), late_jobs(&l)};
    const uint32_t counts[] = {0, 1, 2, 63, 64, 1000, MOST}, ranges[] = {0, 1, 7, 64, MOST * 2};
    for (uint32_t j = 0; j < 2; ++j) {
        for (uint32_t c = 0; c < 7; ++c) {
            for (uint32_t g = 0; g < 5; ++g) {
                record* r = fresh_record(counts[c]);
                vni_parallel_for(&all[j], counts[c], ranges[g], note, r);
                check_once(r, counts[c]);
                assert_true(r->shortest >= ranges[g]);
                assert_int_equal(l.open, 0);
            }
        }
    }
}

typedef struct watcher {
    double last;
    uint32_t calls;
    uint32_t stop_after; ///< calls
    const record* seen;
} watcher;

static bool watch(void* user, const char* stage, double fraction) {
    watcher* w = user;
    assert_string_equal(stage, "testing");
    assert_true(fraction > w->last);
    assert_true(fraction <= 1);
    w->last = fraction;
    uint32_t done = (uint32_t)(fraction * w->seen->count + 0.5);

    assert_int_equal(w->seen->times[done - 1], 1);
    if (done < MOST)
        assert_int_equal(w->seen->times[done], 0);

    return ++w->calls < w->stop_after;
}

static void progress_goes_up_to_one(void** state) {
    (void)state;
    late_loop l;
    const vn_jobs all[] = {vn_serial_jobs(), late_jobs(&l)};
    const uint32_t counts[] = {1, 50, 777, MOST}, ranges[] = {0, 1, 10, 300};
    for (uint32_t j = 0; j < 2; ++j) {
        for (uint32_t c = 0; c < 4; ++c) {
            for (uint32_t g = 0; g < 4; ++g) {
                record* r = fresh_record(counts[c]);
                watcher w = {.stop_after = UINT32_MAX, .seen = r};
                assert_true(
                    vni_parallel_for_progress(&all[j], counts[c], ranges[g], note, r, watch, &w, "testing"));
                check_once(r, counts[c]);
                assert_true(w.last == 1);
                assert_true(w.calls <= 70 + counts[c] / 32); // no batch has more than 32 ranges a worker
                assert_true(r->shortest >= ranges[g]);
            }
        }
    }

    record* r = fresh_record(MOST);
    watcher w = {.stop_after = UINT32_MAX, .seen = r};
    vni_parallel_for_progress(&all[0], MOST, 1, note, r, watch, &w, "testing");
    assert_in_range(w.calls, MOST / 32, MOST / 32 + 1);
}

static void cancelling_stops_before_the_next_batch(void** state) {
    (void)state;
    late_loop l;
    vn_jobs jobs = late_jobs(&l);
    for (uint32_t stop = 1; stop < 5; ++stop) {
        record* r = fresh_record(MOST);
        watcher w = {.stop_after = stop, .seen = r};
        assert_false(vni_parallel_for_progress(&jobs, MOST, 1, note, r, watch, &w, "testing"));
        assert_int_equal(w.calls, stop);
        check_once(r, (uint32_t)(w.last * MOST + 0.5));
        assert_true(w.last < 0.5);
    }
}

static void progress_may_be_null(void** state) {
    (void)state;
    vn_jobs jobs = vn_serial_jobs();
    record* r = fresh_record(100);
    assert_true(vni_parallel_for_progress(&jobs, 100, 1, note, r, NULL, NULL, "testing"));
    check_once(r, 100);
    assert_int_equal(r->calls, 1);
    assert_true(vni_parallel_for_progress(&jobs, 0, 1, note, r, watch, NULL, "testing"));
    assert_int_equal(r->calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validity),
        cmocka_unit_test(every_index_once),
        cmocka_unit_test(progress_goes_up_to_one),
        cmocka_unit_test(cancelling_stops_before_the_next_batch),
        cmocka_unit_test(progress_may_be_null),
    };

    return cmocka_run_group_tests_name("base/jobs", tests, NULL, NULL);
}
