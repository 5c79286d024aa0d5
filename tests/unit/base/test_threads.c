/// Threads, monitors and atomics.
#include "base/threads.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void there_is_a_processor(void** state) {
    (void)state;
    assert_in_range(vni_processor_count(), 1, 100000);
}

static void atomics_count(void** state) {
    (void)state;
    vni_atomic value = 5;
    assert_int_equal(vni_atomic_add(&value, 3), 5);
    assert_int_equal(vni_atomic_load(&value), 8);
    vni_atomic_store(&value, 1);
    assert_int_equal(vni_atomic_load(&value), 1);
}

#if VOLNAV_THREADS

#define THREADS 4
#define ROUNDS  2000

typedef struct shared {
    vni_monitor* monitor;
    uint32_t turn;  ///< whose turn it is, inside the monitor
    uint32_t total; ///< inside the monitor
    vni_atomic added;
} shared;

typedef struct player {
    shared* s;
    uint32_t number;
} player;

/// Each waits for its turn, counts, and passes the turn on.
static void play(void* argument) {
    player* p = argument;
    shared* s = p->s;
    for (int i = 0; i < ROUNDS; ++i)
        vni_atomic_add(&s->added, 1);

    for (int i = 0; i < 50; ++i) {
        vni_monitor_enter(s->monitor);
        while (s->turn != p->number)
            vni_monitor_wait(s->monitor);

        ++s->total;
        s->turn = (s->turn + 1) % THREADS;
        vni_monitor_wake_all(s->monitor);
        vni_monitor_leave(s->monitor);
    }
}

static void threads_take_turns(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    shared s = {.monitor = vni_monitor_create(&a)};
    assert_non_null(s.monitor);
    player players[THREADS];

    vni_thread* threads[THREADS];
    for (uint32_t i = 0; i < THREADS; ++i) {
        players[i] = (player){&s, i};
        assert_int_equal(vni_thread_start(&a, play, &players[i], &threads[i]), VN_OK);
    }

    for (uint32_t i = 0; i < THREADS; ++i)
        vni_thread_join(&a, threads[i]);

    assert_int_equal(s.total, 50 * THREADS);
    assert_int_equal(vni_atomic_load(&s.added), ROUNDS * THREADS);
    vni_monitor_destroy(&a, s.monitor);
    vni_monitor_destroy(&a, NULL);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

static void refused_memory_starts_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator a = vnt_memory_allocator(&memory);
    memory.fail_at = 0;
    assert_null(vni_monitor_create(&a));
    memory.fail_at = 1;
    vni_thread* thread;
    assert_int_equal(vni_thread_start(&a, play, NULL, &thread), VN_OUT_OF_MEMORY);
    assert_null(thread);
    assert_int_equal(memory.live_blocks, 0);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_processor),
        cmocka_unit_test(atomics_count),
#if VOLNAV_THREADS
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(refused_memory_starts_nothing),
#endif
    };
    return cmocka_run_group_tests_name("base/threads", tests, NULL, NULL);
}
