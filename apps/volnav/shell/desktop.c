/// volnav/shell/desktop.c: where the tool lies, and what the desktop opens.
#ifndef _WIN32
#define _XOPEN_SOURCE 700
#endif
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#endif

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "shell/system.h"

/// Cuts the last part off a path; false if there is no folder in it.
static bool cut_name(char* path) {
    char* slash = strrchr(path, '/');
#ifdef _WIN32
    char* back = strrchr(path, '\\');
    slash = back != NULL && (slash == NULL || back > slash) ? back : slash;
#endif
    if (slash != NULL) {
        *slash = '\0';
    }
    return slash != NULL;
}

#ifdef _WIN32
bool system_own_folder(char* out) {
    const DWORD length = GetModuleFileNameA(NULL, out, VN_PATH_SIZE);
    return length > 0 && length < VN_PATH_SIZE && cut_name(out);
}

void system_full_path(const char* path, char* out) {
    if (_fullpath(out, path, VN_PATH_SIZE) == NULL) {
        snprintf(out, VN_PATH_SIZE, "%s", path);
    }
}

bool system_open(const char* path) {
    (void)path;
    return false;
}
#else

#ifdef __APPLE__
static bool own_path(char* out) {
    uint32_t size = VN_PATH_SIZE;
    return _NSGetExecutablePath(out, &size) == 0;
}

static const char* opener(void) {
    return "open";
}
#else
static bool own_path(char* out) {
    const ssize_t length = readlink("/proc/self/exe", out, VN_PATH_SIZE - 1);
    out[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/// Without a display xdg-open would look for a browser in the terminal.
static const char* opener(void) {
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    const bool has_display = (x11 != NULL && x11[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
    return has_display ? "xdg-open" : NULL;
}
#endif

bool system_own_folder(char* out) {
    return own_path(out) && cut_name(out);
}

void system_full_path(const char* path, char* out) {
    char* full = realpath(path, NULL);
    snprintf(out, VN_PATH_SIZE, "%s", full != NULL ? full : path);
    free(full);
}

/// Its output goes nowhere: browsers have a lot to say.
static bool start(const char* program, char* path) {
    extern char** environ;
    pid_t child;
    char name[32];
    posix_spawn_file_actions_t actions;
    snprintf(name, sizeof name, "%s", program);
    char* arguments[] = {name, path, NULL};
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }

    bool done = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0;
    done = done && posix_spawnp(&child, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return done;
}

bool system_open(const char* path) {
    char full[VN_PATH_SIZE];
    const char* program = opener();
    system_full_path(path, full);
    return program != NULL && start(program, full);
}
#endif
