/// io/file.h: files as sources and sinks.
#ifndef VNI_IO_FILE_H
#define VNI_IO_FILE_H

#include "io/common.h"
#include <stdio.h>

/// Fills `detail` (may be null) and returns VN_IO: "cannot <verb> '<path>': <the system's reason>".
vn_status vni_file_fail(vn_detail* detail, const char* verb, const char* path, int error);

/// The same for a file that we do not want to read.
vn_status vni_file_refuse(vn_detail* detail, const char* path, const char* reason);

/// What may be read: a format that is read from front to back may come through a pipe.
typedef enum vni_file_kind { VNI_FILE_REGULAR, VNI_FILE_OR_PIPE } vni_file_kind;

typedef struct vni_file_source {
    FILE* file;
    int error;     ///< errno of the first failed read, 0 if none
    uint64_t size; ///< of a regular file, bytes; 0: a pipe
    uint64_t left; ///< bytes that may still come before a pipe counts as endless
} vni_file_source;

/// VN_IO with the path and the reason: the system's, or that it is a device, or a pipe where `kind` wants
/// none. A pipe that gives more than 1 GiB fails as a file that is too large.
vn_status vni_file_open(vni_file_source* source, const char* path, vni_file_kind kind, vn_detail* detail);

/// Valid as long as `source`.
vn_source vni_file_as_source(vni_file_source* source);

/// Closes the file and passes on what came of reading it; a VN_IO gets the path and the system's reason.
vn_status vni_file_close(vni_file_source* source, const char* path, vn_status status, vn_detail* detail);

/// Reads what a source gives into `out`.
typedef vn_status vni_read_source(const vn_source* source, void* out, vn_detail* detail);

/// Opens the file or pipe, reads it with `read` and closes it.
vn_status vni_file_read(const char* path, vni_read_source* read, void* out, vn_detail* detail);

/// A file that is saved as vn_saving says.
typedef struct vni_file_sink {
    FILE* file;
    const char* path;
    int error; ///< errno of the first failed write, 0 if none
    vn_saving saving;
} vni_file_sink;

/// `path` must outlive the sink.
vn_status vni_file_create(vni_file_sink* sink, const char* path, vn_detail* detail);

/// Valid as long as `sink`.
vn_sink vni_file_as_sink(vni_file_sink* sink);

/// If `status` is VN_OK, flushes to the disk and renames; else, or if that fails, removes the temporary file.
/// Returns what came of it.
vn_status vni_file_commit(vni_file_sink* sink, vn_status status, vn_detail* detail);

/// Writes all that `what` points to.
typedef vn_status vni_write_sink(const void* what, const vn_sink* sink, vn_detail* detail);

/// Creates the file, writes it with `write` and commits it.
vn_status vni_file_write(const char* path, vni_write_sink* write, const void* what, vn_detail* detail);

#endif
