/// nav against a plain model of it: random calls in every mode and policy, with 0 to 4 workers.
///
/// With VN_SOAK_ROUNDS=n in the environment it runs the scripts of n seeds from VN_SEED on, in both modes,
/// and nothing else: for long runs, and to reproduce a failure.
#include "cmocka_all.h"
#include "nav_model.h"
#include "scene.h"

#include <stdio.h>

enum { CALLS = 400 }; ///< of a script, about

static uint32_t workers_of(uint64_t seed) {
    return scene_has_threads() ? (uint32_t)(seed % 4) : 0;
}

static void run_realtime(uint64_t seed, vnt_model* sums) {
    const vnt_script script = {
        .seed = seed, .calls = CALLS, .mode = VN_NAV_REALTIME, .workers = workers_of(seed), .settles = true};
    assert_true(vnt_script_run(&script, sums));
}

/// Slots of the host in place of workers.
static void run_slots(uint64_t seed, vnt_model* sums) {
    const vnt_script script = {.seed = seed,
                               .calls = CALLS,
                               .mode = VN_NAV_REALTIME,
                               .slots = 1 + (uint32_t)(seed % 3),
                               .settles = true};
    assert_true(vnt_script_run(&script, sums));
}

/// The same calls give the same results and events with any number of workers and slots.
static void run_lockstep(uint64_t seed, vnt_model* sums) {
    vnt_script script = {
        .seed = seed, .calls = CALLS, .mode = VN_NAV_LOCKSTEP, .workers = workers_of(seed), .settles = true};
    static vnt_model none, some, slots;
    none.trace = some.trace = slots.trace = 0;
    assert_true(vnt_script_run(&script, &some));
    script.workers = 0;

    assert_true(vnt_script_run(&script, &none));
    script.slots = 1 + (uint32_t)(seed % 3);
    assert_true(vnt_script_run(&script, &slots));
    if (none.trace != some.trace || none.trace != slots.trace) {
        fprintf(stderr, "nav model: VN_SEED=%llu: %u workers (%d) or %u slots (%d) give other results\n",
                (unsigned long long)seed, workers_of(seed), none.trace != some.trace, script.slots,
                none.trace != slots.trace);
        fail();
    }

    vnt_script_add(sums, &some);
    vnt_script_add(sums, &none);
    vnt_script_add(sums, &slots);
    memset(&none, 0, sizeof none);
    memset(&some, 0, sizeof some);
    memset(&slots, 0, sizeof slots);
}

typedef void run_seed(uint64_t seed, vnt_model* sums);

/// Runs scripts up to a number of calls or of seeds.
static void run_many(const char* name, run_seed* run, uint64_t seed, uint64_t calls, uint64_t seeds) {
    static vnt_model sums;
    memset(&sums, 0, sizeof sums);
    uint64_t scripts = 0;
    while (sums.calls < calls || scripts < seeds)
        run(seed + scripts++, &sums);

    vnt_script_print(name, &sums, scripts);
    assert_true(seeds > 0 || (sums.paths > 0 && sums.cancelled > 0 && sums.blocked > 0 && sums.freed > 0 &&
                              sums.versions > 0 && sums.cost_events > 0 && sums.refused > 0));
}

/// Calls of each of the two big tests.
static uint32_t many_calls(void) {
    return vnt_is_slow_build() ? vnt_scale(30000, 200000) : vnt_scale(40000, 500000);
}

static void test_lockstep(void** state) {
    (void)state;
    run_many("lockstep", run_lockstep, vnt_seed("nav model", 1), many_calls(), 0);
}

static void test_realtime(void** state) {
    (void)state;
    run_many("realtime", run_realtime, vnt_seed("nav model", 1), many_calls(), 0);
}

static void test_slots(void** state) {
    (void)state;
    run_many("slots", run_slots, vnt_seed("nav model", 3), many_calls() / 2, 0);
}

/// More workers than processors.
static void run_with_four(uint64_t seed, vnt_model* sums) {
    const vnt_script script = {.seed = seed,
                               .calls = CALLS,
                               .mode = seed % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME,
                               .workers = 4,
                               .settles = true};
    assert_true(vnt_script_run(&script, sums));
}

static void test_four_workers(void** state) {
    (void)state;
    if (!scene_has_threads())
        skip();
    run_many("four workers", run_with_four, vnt_seed("nav model", 7), 10000, 0);
}

static void test_soak(void** state) {
    (void)state;
    const uint64_t rounds = strtoull(getenv("VN_SOAK_ROUNDS"), NULL, 0), seed = vnt_seed("nav model", 1);
    run_many("lockstep", run_lockstep, seed, 0, rounds);
    run_many("realtime", run_realtime, seed, 0, rounds);
    run_many("slots", run_slots, seed, 0, rounds);
    if (scene_has_threads())
        run_many("four workers", run_with_four, seed, 0, rounds);
}

int main(void) {
    const struct CMUnitTest soak[] = {cmocka_unit_test(test_soak)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lockstep),
        cmocka_unit_test(test_realtime),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_four_workers),
    };

    if (getenv("VN_SOAK_ROUNDS") != NULL)
        return cmocka_run_group_tests_name("nav/model", soak, NULL, NULL);
    return cmocka_run_group_tests_name("nav/model", tests, NULL, NULL);
}
