/// io/saving.c: a file that appears whole or not at all.
///
/// The temporary name carries the number of the process, so that two processes never want the same one, and
/// what a killed save left behind can be told from what is being written now.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
#else
#include <dirent.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

/// Names that are tried for the temporary file before giving up. Only threads of this process compete for
/// them, and what earlier processes with its number left.
#define TEMPORARY_NAMES 1000

#define TEMPORARY_MARK ".tmp-"

// --------------------------------------------------------------------------------------- the system's calls

#ifdef _WIN32

static bool create_exclusively(const char* path, unsigned mode) {
    (void)mode;
    int handle = _open(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    return handle >= 0 && _close(handle) == 0;
}

static bool replace_file(const char* from, const char* to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return true;
    errno = EACCES;
    return false;
}

static bool give_mode(const char* path, unsigned mode) {
    (void)path;
    (void)mode;
    return true;
}

static unsigned long process_number(void) {
    return (unsigned long)GetCurrentProcessId();
}

/// There are no symbolic links to follow that rename would not follow itself.
static bool follow_links(const char* path, char* out) {
    errno = ENAMETOOLONG;
    return snprintf(out, VN_PATH_SIZE, "%s", path) < VN_PATH_SIZE;
}

/// Temporary files left behind stay: this system cannot tell cheaply whether one is still being written.
static void sweep(const char* target) {
    (void)target;
}

#else

#define LINK_LIMIT        40

/// Seconds without a write after which a leftover may go: one whose process is gone, and one of an older
/// volnav, whose name does not tell the process.
#define STALE_SECONDS     60
#define STALE_OLD_SECONDS 3600

static bool create_exclusively(const char* path, unsigned mode) {
    int handle = open(path, O_CREAT | O_EXCL | O_WRONLY, (mode_t)mode);
    return handle >= 0 && close(handle) == 0;
}

static bool replace_file(const char* from, const char* to) {
    return rename(from, to) == 0;
}

static bool give_mode(const char* path, unsigned mode) {
    return chmod(path, (mode_t)mode) == 0;
}

static unsigned long process_number(void) {
    return (unsigned long)getpid();
}

/// `out` becomes what the link at `out` names, which may be relative to the folder of the link.
static bool follow_one(char* out, const char* link) {
    const char* slash = strrchr(out, '/');
    size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - out) + 1;
    if (folder + strlen(link) >= VN_PATH_SIZE) {
        errno = ENAMETOOLONG;
        return false;
    }

    memcpy(out + folder, link, strlen(link) + 1);
    return true;
}

/// Where a write to `path` would end; the last link may lead to a file that is not there yet.
static bool follow_links(const char* path, char* out) {
    char link[VN_PATH_SIZE];
    if (strlen(path) >= VN_PATH_SIZE) {
        errno = ENAMETOOLONG;
        return false;
    }

    memcpy(out, path, strlen(path) + 1);

    for (int i = 0; i < LINK_LIMIT; ++i) {
        ssize_t length = readlink(out, link, sizeof link - 1);
        if (length < 0)
            return true; // no link, or nothing there
        link[length] = 0;
        if (!follow_one(out, link))
            return false;
    }

    errno = ELOOP;
    return false;
}

static bool read_number(const char** text, unsigned long* out) {
    const char* at = *text;
    for (*out = 0; *at >= '0' && *at <= '9' && *out < 100000000; ++at)
        *out = *out * 10 + (unsigned long)(*at - '0');
    bool any = at != *text;
    *text = at;
    return any;
}

/// Is `name` the name of a temporary file for `base`? `*process` is 0 for the names of an older volnav, which
/// were counted only.
static bool is_temporary(const char* name, const char* base, unsigned long* process) {
    unsigned long number;
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 ||
        strncmp(name + length, TEMPORARY_MARK, strlen(TEMPORARY_MARK)) != 0)
        return false;

    const char* rest = name + length + strlen(TEMPORARY_MARK);
    const char* digits = rest;
    if (!read_number(&rest, process))
        return false;

    if (*rest == 0 && rest - digits == 4) {
        *process = 0;
        return true;
    }

    return *rest++ == '-' && read_number(&rest, &number) && *rest == 0;
}

/// A save that is still going on has a process, or has written something lately (its process may run on
/// another machine that shares the folder).
static bool is_stale(int folder, const char* name, unsigned long process) {
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
        return false;

    time_t age = time(NULL) - found.st_mtime;
    if (process == 0)
        return age >= STALE_OLD_SECONDS;
    return age >= STALE_SECONDS && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/// Removes what killed saves of `target` left. Whatever goes wrong here is no reason not to save.
static void sweep(const char* target) {
    char folder[VN_PATH_SIZE];
    const char* slash = strrchr(target, '/');
    const char* base = slash == NULL ? target : slash + 1;
    size_t length = (size_t)(base - target);
    memcpy(folder, length == 0 ? "./" : target, length == 0 ? 2 : length);
    folder[length == 0 ? 2 : length] = 0;

    DIR* dir = opendir(folder);
    if (dir == NULL)
        return;

    for (struct dirent* entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        unsigned long process;
        if (is_temporary(entry->d_name, base, &process) && is_stale(dirfd(dir), entry->d_name, process))
            unlinkat(dirfd(dir), entry->d_name, 0);
    }

    closedir(dir);
}

#endif

// -------------------------------------------------------------------------------------------------- saving

static bool create_temporary(vn_saving* saving) {
    // At no moment does the temporary file grant a right that the target does not.
    unsigned mode = saving->replaces ? (saving->mode & 0666u) | 0200u : 0666u;
    for (int i = 0; i < TEMPORARY_NAMES; ++i) {
        int length = snprintf(saving->temporary, sizeof saving->temporary, "%s" TEMPORARY_MARK "%lu-%d",
                              saving->target, process_number(), i);
        if (length < 0 || (size_t)length >= sizeof saving->temporary) {
            errno = ENAMETOOLONG;
            return false;
        }

        if (create_exclusively(saving->temporary, mode))
            return true;
        if (errno != EEXIST)
            return false;
    }

    return false;
}

vn_status vn_saving_begin(const char* path, vn_saving* out, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    *out = (vn_saving){.renames = true};
    if (!follow_links(path, out->target))
        return vni_file_fail(detail, "write", path, errno);

    struct stat found;
    out->replaces = stat(out->target, &found) == 0;
    out->mode = out->replaces ? (unsigned)found.st_mode & 07777u : 0;
    if (out->replaces && S_ISDIR(found.st_mode))
        return vni_file_fail(detail, "write", path, EISDIR);

    if (out->replaces && !S_ISREG(found.st_mode)) {
        // A rename would put a file in the place of the device.
        memcpy(out->temporary, out->target, sizeof out->temporary);
        out->renames = false;
        return VN_OK;
    }

    sweep(out->target);
    errno = 0;
    return create_temporary(out) ? VN_OK : vni_file_fail(detail, "write", path, errno);
}

vn_status vn_saving_finish(const vn_saving* saving, bool keep, vn_detail* detail) {
    VNI_IO_ASSERT(saving != NULL && saving->temporary[0] != 0);
    if (!saving->renames)
        return VN_OK;

    errno = 0;
    bool done = keep && (!saving->replaces || give_mode(saving->temporary, saving->mode)) &&
                replace_file(saving->temporary, saving->target);
    int error = errno;
    if (!done)
        remove(saving->temporary);

    return done || !keep ? VN_OK : vni_file_fail(detail, "replace", saving->target, error);
}
