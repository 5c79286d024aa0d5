/// nav against its model while allocations fail: every allocation of a random script in turn, alone or with
/// all that follow for a while, without and with workers. A failed call returns VN_OUT_OF_MEMORY and changes
/// nothing; once allocations succeed again, everything agrees with the model, and nothing leaks.
///
/// With VN_SOAK_ROUNDS=n in the environment it runs the scripts of n seeds from VN_SEED on.
#include "cmocka_all.h"
#include "nav_model.h"
#include "scene.h"

#include <stdio.h>

/// Counts of what was run.
typedef struct tally {
    uint64_t scripts, runs, failures, stillborn; ///< `stillborn`: the nav could not be made
    vnt_model sums;
} tally;

/// One run of a script; false if no allocation failed in it.
static bool run_once(const vnt_script* plan, vnt_memory* memory, tally* t) {
    vnt_script script = *plan;
    script.memory = memory;
    t->stillborn += !vnt_script_run(&script, &t->sums);
    ++t->runs;

    t->failures += memory->failures;
    if (memory->live_blocks != 0 || memory->mismatch) {
        fprintf(stderr, "nav model: VN_SEED=%llu, allocation %llu fails: %llu blocks left, mismatch %d\n",
                (unsigned long long)plan->seed, (unsigned long long)memory->fail_at,
                (unsigned long long)memory->live_blocks, memory->mismatch);
        fail();
    }

    return memory->failed;
}

/// Every allocation of the script fails in turn, alone or with all that follow until a call of the script.
static void fail_all(const vnt_script* plan, bool keeps_failing, tally* t) {
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        memory.keeps_failing = keeps_failing;
        vnt_script script = *plan;
        script.memory_back_at = keeps_failing ? 1 + (uint32_t)(k * 7 % plan->calls) : UINT32_MAX;

        if (!run_once(&script, &memory, t))
            return;
    }
}

static void run_script(uint64_t seed, tally* t) {
    vnt_script script = {.seed = seed, .calls = 20 + (uint32_t)(seed % 21)};
    script.mode = seed % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
    fail_all(&script, false, t);
    fail_all(&script, true, t);
    ++t->scripts;

    script.slots = 1 + (uint32_t)(seed % 2);
    fail_all(&script, seed % 4 >= 2, t);
    script.slots = 0;
    if (!scene_has_threads())
        return;
    script.workers = 1 + (uint32_t)(seed / 2 % 3);
    script.slow_host = seed % 8 == 0 || seed % 8 == 2;
    fail_all(&script, seed % 4 < 2, t);
}

static void run_scripts(uint64_t seed, uint32_t count) {
    static tally t;
    memset(&t, 0, sizeof t);
    for (uint32_t i = 0; i < count; ++i)
        run_script(seed + i, &t);

    fprintf(stderr, "%llu scripts, %llu runs, %llu allocations failed, %llu times no nav could be made\n",
            (unsigned long long)t.scripts, (unsigned long long)t.runs, (unsigned long long)t.failures,
            (unsigned long long)t.stillborn);
    vnt_script_print("runs", &t.sums, t.runs);
    assert_true(t.failures > 0);
    assert_true(t.sums.excuses > 0);
}

static void test_scripts(void** state) {
    (void)state;
    run_scripts(vnt_seed("nav model oom", 1), vnt_is_slow_build() ? vnt_scale(6, 60) : vnt_scale(12, 150));
}

static void test_soak(void** state) {
    (void)state;
    const char* rounds = getenv("VN_SOAK_ROUNDS");
    run_scripts(vnt_seed("nav model oom", 1), rounds != NULL ? (uint32_t)strtoul(rounds, NULL, 0) : 1);
}

int main(void) {
    const struct CMUnitTest soak[] = {cmocka_unit_test(test_soak)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scripts)};
    const bool soaks = getenv("VN_SOAK_ROUNDS") != NULL;
    return soaks ? cmocka_run_group_tests_name("nav/model_oom", soak, NULL, NULL)
                 : cmocka_run_group_tests_name("nav/model_oom", tests, NULL, NULL);
}
