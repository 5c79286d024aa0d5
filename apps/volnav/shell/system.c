/// volnav/shell/system.c: clocks, the terminal, whole files.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "shell/system.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

#include "shell/say.h"

#ifdef _WIN32
double system_wall_seconds(void) {
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

double system_thread_seconds(void) {
    return system_wall_seconds();
}

void system_sleep(double seconds) {
    if (seconds > 0) {
        Sleep((DWORD)(seconds * 1000));
    }
}

bool system_terminal(void) {
    return _isatty(_fileno(stderr)) != 0;
}

bool system_is_special(const char* path) {
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DEVICE) != 0;
}
#else
static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double system_wall_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double system_thread_seconds(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
#else
    return seconds_of(CLOCK_MONOTONIC);
#endif
}

void system_sleep(double seconds) {
    if (seconds > 0) {
        struct timespec time = {.tv_sec = (time_t)seconds};
        time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
        nanosleep(&time, NULL);
    }
}

bool system_terminal(void) {
    const char* kind = getenv("TERM");
    return isatty(fileno(stderr)) != 0 && kind != NULL && strcmp(kind, "dumb") != 0;
}

bool system_is_special(const char* path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}
#endif

int system_create(const char* path, system_output* out) {
    vn_detail detail = {0};
    out->saving = say_alloc(1, sizeof *out->saving);
    const vn_status status = vn_saving_begin(path, out->saving, &detail);
    out->file = status == VN_OK ? fopen(out->saving->temporary, "wb") : NULL;
    if (out->file != NULL) {
        return EXIT_DONE;
    }

    int code = EXIT_BAD;
    if (status != VN_OK) {
        say_status(path, status, &detail);
    } else {
        code = say_bad("%s: cannot be written: %s", path, strerror(errno));
        (void)vn_saving_finish(out->saving, false, NULL); // only removes what was begun
    }

    free(out->saving);
    return code;
}

int system_commit(system_output* out) {
    const bool failed = ferror(out->file) != 0;
    const int earlier = failed ? errno : 0;
    errno = 0;
    const bool written = fflush(out->file) == 0 && !failed;
    const bool closed = fclose(out->file) == 0, whole = written && closed;

    int code = EXIT_DONE;
    if (!whole) {
        const int error = errno != 0 ? errno : earlier;
        code = say_bad("%s: cannot be written: %s", out->saving->target,
                       error != 0 ? strerror(error) : "write error");
    }

    vn_detail detail = {0};
    const vn_status status = vn_saving_finish(out->saving, whole, &detail);
    if (status != VN_OK) {
        code = say_status(out->saving->target, status, &detail);
    }

    free(out->saving);
    return code;
}

int system_flush(int code) {
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        return say_bad("standard output cannot be written: %s", errno != 0 ? strerror(errno) : "write error");
    }
    return code;
}

uint64_t system_file_size(const char* path) {
    struct stat about;
    return stat(path, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
}

bool system_ends_with(const char* path, const char* ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    if (length < tail) {
        return false;
    }

    for (size_t i = 0; i < tail; ++i) {
        if (tolower((unsigned char)path[length - tail + i]) != ending[i]) {
            return false;
        }
    }

    return true;
}

int system_read(const char* path, size_t most, system_bytes* out) {
    *out = (system_bytes){NULL, 0};
    if (system_is_special(path)) {
        return say_bad("%s: a pipe or device; save it as a file first", path);
    }

    errno = 0;
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return say_bad("%s: %s", path, strerror(errno));
    }

    size_t capacity = 1 << 16;
    out->data = say_alloc(capacity, 1);
    for (;;) {
        out->size += fread(out->data + out->size, 1, capacity - out->size - 1, file);
        if (out->size + 1 < capacity || out->size > most) {
            break;
        }
        capacity *= 2;
        out->data = say_resize(out->data, capacity, 1);
    }

    const bool failed = ferror(file) != 0;
    fclose(file);
    out->data[out->size] = 0;
    if (!failed && out->size <= most) {
        return EXIT_DONE;
    }

    free(out->data);
    *out = (system_bytes){NULL, 0};
    return failed ? say_bad("%s: cannot be read; is it a file?", path)
                  : say_bad("%s: larger than %llu MB", path, (unsigned long long)(most >> 20));
}
