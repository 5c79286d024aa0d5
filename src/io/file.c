/// io/file.c: the only place that opens files.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "io/file.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

/// How much of a path an error shows: its end.
#define SHOWN_PATH 120

/// What a pipe may give before it counts as endless, bytes.
#define PIPE_LIMIT ((uint64_t)1 << 30)

// --------------------------------------------------------------------------------------- the system's calls

#ifdef _WIN32

static bool flush_to_disk(FILE* file) {
    return fflush(file) == 0 && _commit(_fileno(file)) == 0;
}

#else

/// A file system that cannot flush (EINVAL) is no failure.
static bool flush_to_disk(FILE* file) {
    return fflush(file) == 0 && (fsync(fileno(file)) == 0 || errno == EINVAL);
}

#endif

/// The end of a path that is too long for a message.
static const char* shown(const char* path) {
    size_t length = strlen(path);
    return length > SHOWN_PATH ? path + length - SHOWN_PATH : path;
}

vn_status vni_file_refuse(vn_detail* detail, const char* path, const char* reason) {
    return vni_io_fail(detail, VN_IO, 0, "cannot read '%s%s': %s", shown(path) != path ? "..." : "",
                       shown(path), reason);
}

vn_status vni_file_fail(vn_detail* detail, const char* verb, const char* path, int error) {
    bool no_folder = error == ENOENT && strcmp(verb, "write") == 0;
    return vni_io_fail(detail, VN_IO, 0, "cannot %s '%s%s': %s%s", verb, shown(path) != path ? "..." : "",
                       shown(path), error != 0 ? strerror(error) : "unknown reason",
                       no_folder ? "; its folder must exist" : "");
}

// ------------------------------------------------------------------------------------------------- reading

/// Looks before it opens: a pipe that has no writer would hold up the open itself.
static vn_status check_kind(vni_file_source* source, const char* path, vni_file_kind kind,
                            vn_detail* detail) {
    struct stat found;
    if (stat(path, &found) != 0)
        return vni_file_fail(detail, "open", path, errno);

    source->size = S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
    source->left = S_ISREG(found.st_mode) ? UINT64_MAX : PIPE_LIMIT;
    if (S_ISREG(found.st_mode) || (S_ISFIFO(found.st_mode) && kind == VNI_FILE_OR_PIPE))
        return VN_OK;
    if (S_ISDIR(found.st_mode))
        return vni_file_fail(detail, "read", path, EISDIR);

    return vni_file_refuse(detail, path, "it is a pipe or a device; save it as a file first");
}

vn_status vni_file_open(vni_file_source* source, const char* path, vni_file_kind kind, vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && path != NULL);
    errno = 0;
    *source = (vni_file_source){0};
    vn_status status = check_kind(source, path, kind, detail);
    if (status != VN_OK)
        return status;

    source->file = fopen(path, "rb");
    if (source->file == NULL)
        return vni_file_fail(detail, "open", path, errno);

    setvbuf(source->file, NULL, _IONBF, 0); // the reader has its own buffer
    return VN_OK;
}

static int64_t read_file(void* user, void* buffer, size_t size) {
    vni_file_source* source = user;
    errno = 0;
    size_t got = fread(buffer, 1, size, source->file);
    bool endless = got > source->left;
    if ((ferror(source->file) || endless) && source->error == 0)
        source->error = endless ? EFBIG : errno;

    source->left -= endless ? 0 : got;
    return endless || (got == 0 && ferror(source->file)) ? -1 : (int64_t)got;
}

vn_source vni_file_as_source(vni_file_source* source) {
    VNI_IO_ASSERT(source->file != NULL);
    return (vn_source){read_file, source};
}

vn_status vni_file_close(vni_file_source* source, const char* path, vn_status status, vn_detail* detail) {
    VNI_IO_ASSERT(source->file != NULL);
    fclose(source->file);
    source->file = NULL;
    return status == VN_IO ? vni_file_fail(detail, "read", path, source->error) : status;
}

vn_status vni_file_read(const char* path, vni_read_source* read, void* out, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && read != NULL);
    vni_file_source file;
    vn_status status = vni_file_open(&file, path, VNI_FILE_OR_PIPE, detail);
    if (status != VN_OK)
        return status;

    const vn_source source = vni_file_as_source(&file);
    return vni_file_close(&file, path, read(&source, out, detail), detail);
}

// ------------------------------------------------------------------------------------------------- writing

vn_status vni_file_create(vni_file_sink* sink, const char* path, vn_detail* detail) {
    VNI_IO_ASSERT(sink != NULL && path != NULL);
    sink->path = path;
    sink->error = 0;
    vn_status status = vn_saving_begin(path, &sink->saving, detail);
    if (status != VN_OK)
        return status;

    errno = 0;
    sink->file = fopen(sink->saving.temporary, "wb");
    if (sink->file != NULL)
        return VN_OK;

    int error = errno;
    (void)vn_saving_finish(&sink->saving, false, NULL); // only removes what was begun
    return vni_file_fail(detail, "write", path, error);
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
    bool done = sink->saving.renames ? flush_to_disk(sink->file) : fflush(sink->file) == 0;
    int error = errno;
    bool closed = fclose(sink->file) == 0;
    sink->error = done ? errno : error;
    return done && closed;
}

vn_status vni_file_commit(vni_file_sink* sink, vn_status status, vn_detail* detail) {
    VNI_IO_ASSERT(sink->file != NULL);
    if (status == VN_IO)
        vni_file_fail(detail, "write", sink->path, sink->error);

    if (status != VN_OK)
        fclose(sink->file);
    else if (!finish(sink))
        status = vni_file_fail(detail, "write", sink->path, sink->error);

    sink->file = NULL;

    vn_status saved = vn_saving_finish(&sink->saving, status == VN_OK, detail);
    return status == VN_OK ? saved : status;
}

vn_status vni_file_write(const char* path, vni_write_sink* write, const void* what, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && write != NULL);
    vni_file_sink file;
    vn_status status = vni_file_create(&file, path, detail);
    if (status != VN_OK)
        return status;

    const vn_sink sink = vni_file_as_sink(&file);
    return vni_file_commit(&file, write(what, &sink, detail), detail);
}
