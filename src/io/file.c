/// io/file.c: the only place that opens files.
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
#include <unistd.h>
#endif

/// Names that are tried for the temporary file before giving up.
#define TEMPORARY_NAMES 1000

/// How much of a path an error shows: its end.
#define SHOWN_PATH 120

// --------------------------------------------------------------------------------------- the system's calls

#ifdef _WIN32

static FILE* create_exclusively(const char* path) {
    int handle = _open(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    if (handle < 0)
        return NULL;
    FILE* file = _fdopen(handle, "wb");
    if (file == NULL) {
        int error = errno;
        _close(handle);
        remove(path);
        errno = error;
    }
    return file;
}

static bool flush_to_disk(FILE* file) {
    return fflush(file) == 0 && _commit(_fileno(file)) == 0;
}

static bool replace_file(const char* from, const char* to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return true;
    errno = EACCES;
    return false;
}

#else

static FILE* create_exclusively(const char* path) {
    int handle = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (handle < 0)
        return NULL;
    FILE* file = fdopen(handle, "wb");
    if (file == NULL) {
        int error = errno;
        close(handle);
        unlink(path);
        errno = error;
    }
    return file;
}

/// A file system that cannot flush (EINVAL) is no failure.
static bool flush_to_disk(FILE* file) {
    return fflush(file) == 0 && (fsync(fileno(file)) == 0 || errno == EINVAL);
}

static bool replace_file(const char* from, const char* to) {
    return rename(from, to) == 0;
}

#endif

static vn_status fail(vn_detail* detail, const char* verb, const char* path, int error) {
    size_t length = strlen(path);
    bool cut = length > SHOWN_PATH, no_folder = error == ENOENT && strcmp(verb, "write") == 0;
    return vni_io_fail(detail, VN_IO, 0, "cannot %s '%s%s': %s%s", verb, cut ? "..." : "",
                       cut ? path + length - SHOWN_PATH : path,
                       error != 0 ? strerror(error) : "unknown reason",
                       no_folder ? "; its folder must exist" : "");
}

// ------------------------------------------------------------------------------------------------- reading

vn_status vni_file_open(vni_file_source* source, const char* path, vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && path != NULL);
    errno = 0;
    source->error = 0;
    source->file = fopen(path, "rb");
    if (source->file == NULL)
        return fail(detail, "open", path, errno);
    setvbuf(source->file, NULL, _IONBF, 0); // the reader has its own buffer
    return VN_OK;
}

static int64_t read_file(void* user, void* buffer, size_t size) {
    vni_file_source* source = user;
    errno = 0;
    size_t got = fread(buffer, 1, size, source->file);
    if (ferror(source->file) && source->error == 0)
        source->error = errno;
    return got == 0 && ferror(source->file) ? -1 : (int64_t)got;
}

vn_source vni_file_as_source(vni_file_source* source) {
    VNI_IO_ASSERT(source->file != NULL);
    return (vn_source){read_file, source};
}

vn_status vni_file_close(vni_file_source* source, const char* path, vn_status status, vn_detail* detail) {
    VNI_IO_ASSERT(source->file != NULL);
    fclose(source->file);
    source->file = NULL;
    return status == VN_IO ? fail(detail, "read", path, source->error) : status;
}

// ------------------------------------------------------------------------------------------------- writing

/// Something that is there and is no regular file.
static bool is_special(const char* path, bool* is_directory) {
    struct stat found;
    bool special = stat(path, &found) == 0 && !S_ISREG(found.st_mode);
    *is_directory = special && S_ISDIR(found.st_mode);
    return special;
}

static bool open_temporary(vni_file_sink* sink) {
    for (int i = 0; i < TEMPORARY_NAMES; ++i) {
        int length = snprintf(sink->temporary, sizeof sink->temporary, "%s.tmp-%04d", sink->path, i);
        if (length < 0 || (size_t)length >= sizeof sink->temporary) {
            errno = ENAMETOOLONG;
            return false;
        }
        sink->file = create_exclusively(sink->temporary);
        if (sink->file != NULL || errno != EEXIST)
            return sink->file != NULL;
    }
    return false;
}

vn_status vni_file_create(vni_file_sink* sink, const char* path, vn_detail* detail) {
    VNI_IO_ASSERT(sink != NULL && path != NULL);
    sink->path = path;
    sink->file = NULL;
    sink->error = 0;
    bool is_directory;
    sink->renames = !is_special(path, &is_directory);
    if (is_directory)
        return fail(detail, "write", path, EISDIR);
    errno = 0;
    if (!sink->renames)
        sink->file = fopen(path, "wb");
    if (sink->renames ? !open_temporary(sink) : sink->file == NULL)
        return fail(detail, "write", path, errno);
    return VN_OK;
}

static bool write_file(void* user, const void* data, size_t size) {
    vni_file_sink* sink = user;
    errno = 0;
    if (fwrite(data, 1, size, sink->file) == size)
        return true;
    sink->error = errno;
    return false;
}

vn_sink vni_file_as_sink(vni_file_sink* sink) {
    VNI_IO_ASSERT(sink->file != NULL);
    return (vn_sink){write_file, sink};
}

/// Flushes and closes; false with errno kept in the sink.
static bool finish(vni_file_sink* sink) {
    errno = 0;
    bool done = sink->renames ? flush_to_disk(sink->file) : fflush(sink->file) == 0;
    int error = errno;
    bool closed = fclose(sink->file) == 0;
    sink->error = done ? errno : error;
    sink->file = NULL;
    return done && closed;
}

vn_status vni_file_commit(vni_file_sink* sink, vn_status status, vn_detail* detail) {
    VNI_IO_ASSERT(sink->file != NULL);
    if (status == VN_IO)
        fail(detail, "write", sink->path, sink->error);
    if (status != VN_OK) {
        fclose(sink->file);
    } else if (!finish(sink)) {
        status = fail(detail, "write", sink->path, sink->error);
    } else if (sink->renames && !replace_file(sink->temporary, sink->path)) {
        status = fail(detail, "replace", sink->path, errno);
    }
    if (status != VN_OK && sink->renames)
        remove(sink->temporary);
    sink->file = NULL;
    return status;
}
