/// volnav/input/apart.c: fork, limits, a pipe, and what became of the child.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "input/apart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

#ifndef _WIN32
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

#define MB ((uint64_t)1 << 20)

uint64_t apart_memory(uint64_t bytes) {
    return 512 * MB + 20 * (bytes < UINT64_MAX / 64 ? bytes : UINT64_MAX / 64);
}

uint64_t apart_seconds(uint64_t bytes) {
    return 10 + 4 * (bytes / MB);
}

#ifdef _WIN32

void apart_grow(uint64_t bytes) {
    (void)bytes;
}

/// Everything is written before anything is read.
void apart_run(const apart_task* task, char* reason, size_t size) {
    FILE* between = tmpfile();
    reason[0] = '\0';
    if (between == NULL) {
        snprintf(reason, size, "no temporary file: %s", strerror(errno));
        return;
    }

    if (task->work(task->context, between) != EXIT_DONE) {
        snprintf(reason, size, "the importer ran out of memory");
    }

    rewind(between);
    task->take(task->context, between);
    fclose(between);
}

#else

#define STACK_LIMIT (64 * MB)

/// Of this process, once it is a child: the input so far, and the address space that it began with.
static uint64_t input_bytes, inherited_bytes;

// --------------------------------------------------------------------------------------------- the child

static void limit(int resource, uint64_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) == 0) {
        now.rlim_cur =
            now.rlim_max == RLIM_INFINITY || (rlim_t)most < now.rlim_max ? (rlim_t)most : now.rlim_max;
        setrlimit(resource, &now); // a system that refuses the limit does without
    }
}

/// The address space that is in use already: a limit on it counts what the parent had mapped. 0: not known.
static uint64_t mapped_bytes(void) {
    unsigned long long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }

    const bool read = fscanf(file, "%llu", &pages) == 1;
    fclose(file);
    return read ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void set_limits(void) {
    if (HAS_SANITIZER) {
        return;
    }
#ifdef RLIMIT_AS
    limit(RLIMIT_AS, inherited_bytes + apart_memory(input_bytes));
#endif
    limit(RLIMIT_CPU, apart_seconds(input_bytes));
    limit(RLIMIT_STACK, STACK_LIMIT);
    limit(RLIMIT_CORE, 0);
}

void apart_grow(uint64_t bytes) {
    input_bytes += bytes;
    set_limits();
}

/// What a dying library prints is no message of ours. Under a sanitizer it is wanted.
static void silence(void) {
    const int nothing = HAS_SANITIZER ? -1 : open("/dev/null", O_WRONLY);
    if (nothing >= 0) {
        dup2(nothing, STDERR_FILENO);
        close(nothing);
    }
}

_Noreturn static void be_child(const apart_task* task, int handle) {
    FILE* out = fdopen(handle, "wb");
    silence();
    input_bytes = task->bytes;
    inherited_bytes = mapped_bytes();
    set_limits();

    const int code = out == NULL ? EXIT_BAD : task->work(task->context, out);
    if (out != NULL) {
        fflush(out);
    }

    _Exit(code); // the parent's buffers and exit handlers are the parent's
}

// -------------------------------------------------------------------------------------------- the parent

/// What the child died of.
static void explain(const apart_task* task, int status, char* reason, size_t size) {
    const unsigned long long megabytes = apart_memory(task->bytes) / MB;
    const unsigned long long seconds = apart_seconds(task->bytes);
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE) {
        reason[0] = '\0';
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_BAD) {
        snprintf(reason, size, "the importer needed more than %llu MB for it", megabytes);
    } else if (number == SIGXCPU) {
        snprintf(reason, size, "the importer took longer than %llu s for it", seconds);
    } else if (number == SIGKILL) {
        snprintf(reason, size, "the importer was killed; the system may be out of memory");
    } else {
        snprintf(reason, size, "the importer crashed on this file (%s)",
                 number != 0 ? strsignal(number) : "it exited");
    }
}

/// Reads what comes. A child that is not wanted any more is ended, or it would be waited for.
static int take_and_wait(const apart_task* task, pid_t child, int handle) {
    FILE* in = fdopen(handle, "rb");
    const bool wanted = in != NULL && task->take(task->context, in);
    if (in != NULL) {
        fclose(in);
    } else {
        close(handle);
    }

    int status = 0;
    if (!wanted) {
        kill(child, SIGKILL);
    }

    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }

    return status;
}

void apart_run(const apart_task* task, char* reason, size_t size) {
    int ends[2];
    reason[0] = '\0';
    fflush(NULL); // or the child would have a copy of what is still in the buffers
    if (pipe(ends) != 0) {
        snprintf(reason, size, "the importer cannot be started: %s", strerror(errno));
        return;
    }

    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(task, ends[1]);
    }

    close(ends[1]);
    if (child < 0) {
        snprintf(reason, size, "the importer cannot be started: %s", strerror(errno));
        close(ends[0]);
        return;
    }

    explain(task, take_and_wait(task, child, ends[0]), reason, size);
}

#endif
