/// io/file.h: files as sources and sinks.
#ifndef VNI_IO_FILE_H
#define VNI_IO_FILE_H

#include "io/common.h"
#include <stdio.h>

/// Longest path of a file to be written, its end included.
#define VNI_PATH_SIZE 4096

typedef struct vni_file_source {
    FILE* file;
    int error; ///< errno of the first failed read, 0 if none
} vni_file_source;

/// VN_IO with the path and the system's reason.
vn_status vni_file_open(vni_file_source* source, const char* path, vn_detail* detail);

/// Valid as long as `source`.
vn_source vni_file_as_source(vni_file_source* source);

/// Closes the file and passes on what came of reading it; a VN_IO gets the path and the system's reason.
vn_status vni_file_close(vni_file_source* source, const char* path, vn_status status, vn_detail* detail);

/// A file that appears whole or not at all: written beside its target under another name and then renamed. A
/// symbolic link as target is replaced. Targets that are no regular files (devices, pipes) are written
/// directly.
typedef struct vni_file_sink {
    FILE* file;
    const char* path;
    bool renames;
    int error;                     ///< errno of the first failed write, 0 if none
    char temporary[VNI_PATH_SIZE]; ///< the name until then
} vni_file_sink;

/// `path` must outlive the sink.
vn_status vni_file_create(vni_file_sink* sink, const char* path, vn_detail* detail);

/// Valid as long as `sink`.
vn_sink vni_file_as_sink(vni_file_sink* sink);

/// If `status` is VN_OK, flushes to the disk and renames; else, or if that fails, removes the temporary file.
/// Returns what came of it.
vn_status vni_file_commit(vni_file_sink* sink, vn_status status, vn_detail* detail);

#endif
