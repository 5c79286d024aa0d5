/// Work that is done apart: what comes through, and what is said of a child that dies.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "apps/volnav/input/apart.c"
#include "apps/volnav/shell/say.c"

#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#ifndef _WIN32

/// What the parent has read.
static char taken[64];
static size_t taken_size;
static bool is_wanted = true;

static bool take(void* context, FILE* in) {
    (void)context;
    taken_size = fread(taken, 1, sizeof taken, in);
    return is_wanted;
}

/// Runs `work` and gives the reason; empty if it went well.
static const char* run(int (*work)(void*, FILE*), uint64_t bytes) {
    static char reason[160];
    taken_size = 0;
    const apart_task task = {work, take, NULL, bytes};
    apart_run(&task, reason, sizeof reason);
    return reason;
}

static int say_hello(void* context, FILE* out) {
    (void)context;
    fputs("hello", out);
    return EXIT_DONE;
}

static int say_hello_and_die(void* context, FILE* out) {
    say_hello(context, out);
    fflush(out);
    raise(SIGSEGV);
    return EXIT_DONE;
}

static int abort_at_once(void* context, FILE* out) {
    (void)context;
    (void)out;
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    return EXIT_DONE;
}

static int take_too_long(void* context, FILE* out) {
    (void)context;
    (void)out;
    raise(SIGXCPU); // what the system sends at the limit
    return EXIT_DONE;
}

/// EXIT_BAD if there is no memory; the bytes are what the context is of size_t.
static int take_megabytes(size_t megabytes) {
    volatile char* block = malloc(megabytes << 20); // volatile: clang drops a block that nothing reads
    if (block == NULL)
        return EXIT_BAD;

    for (size_t i = 0; i < megabytes; ++i)
        block[i << 20] = 1;

    free((void*)block);
    return EXIT_DONE;
}

static int take_much(void* context, FILE* out) {
    (void)context;
    (void)out;
    return take_megabytes(700);
}

static int take_much_of_a_grown_input(void* context, FILE* out) {
    apart_grow(20 << 20); // 20 times 20 MB on top
    return take_much(context, out);
}

static int never_end(void* context, FILE* out) {
    say_hello(context, out);
    fflush(out);
    fclose(out);
    while (pause() != 0) {
    }
    return EXIT_DONE;
}

static void bytes_come_through(void** state) {
    (void)state;
    assert_string_equal(run(say_hello, 0), "");
    assert_int_equal(taken_size, 5);
    assert_memory_equal(taken, "hello", 5);
}

static void a_crash_is_the_childs(void** state) {
    (void)state;
    signal(SIGSEGV, SIG_DFL); // cmocka's own handler would report it in the child
    assert_non_null(strstr(run(say_hello_and_die, 0), "crashed on this file"));
    assert_int_equal(taken_size, 5); // what it had written arrives
    assert_non_null(strstr(run(abort_at_once, 0), "crashed on this file"));
}

static void time_is_limited(void** state) {
    (void)state;
    assert_string_equal(run(take_too_long, 3 << 20), "the importer took longer than 22 s for it");
}

/// Emulators of another processor accept a limit on memory and ignore it.
static bool system_limits_memory(void) {
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {128 << 20, 128 << 20};
        setrlimit(RLIMIT_AS, &limit);
        _exit(take_megabytes(700) == EXIT_DONE ? 1 : 0);
    }

    int ended = 1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended == 0;
}

static void memory_is_limited(void** state) {
    (void)state;
    if (HAS_SANITIZER)
        skip();
    if (!system_limits_memory()) {
        print_message("skipped: this system ignores limits on memory\n");
        skip();
    }

    assert_string_equal(run(take_much, 1 << 20), "the importer needed more than 532 MB for it");
    assert_string_equal(run(take_much, 20 << 20), "");
    assert_string_equal(run(take_much_of_a_grown_input, 0), "");
}

static void a_child_that_is_not_wanted_is_ended(void** state) {
    (void)state;
    is_wanted = false;
    run(never_end, 0);
    is_wanted = true;
}

static void limits_grow_with_the_input(void** state) {
    (void)state;
    assert_int_equal(apart_memory(0), (uint64_t)512 << 20);
    assert_int_equal(apart_memory((uint64_t)500 << 20), (uint64_t)10512 << 20);
    assert_int_equal(apart_seconds(0), 10);
    assert_int_equal(apart_seconds((uint64_t)500 << 20), 2010);
    assert_true(apart_memory(UINT64_MAX) > apart_memory((uint64_t)1 << 40));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_through),
        cmocka_unit_test(a_crash_is_the_childs),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(a_child_that_is_not_wanted_is_ended),
        cmocka_unit_test(limits_grow_with_the_input),
    };

    return cmocka_run_group_tests_name("tool/apart", tests, NULL, NULL);
}

#else

int main(void) {
    return 0; // there is no child to be had
}

#endif
