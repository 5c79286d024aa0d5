/// tests/unit/io/octomap.h: reads OctoMap's files from memory, for their tests.
#ifndef VNT_IO_OCTOMAP_H
#define VNT_IO_OCTOMAP_H

#include "tests/unit/io/text.h"
#include "volnav/io.h"

/// The source gives at most `chunk` bytes at a time.
static inline vn_status vnt_octomap_read(const char* bytes, size_t size, size_t chunk,
                                         const vn_allocator* allocator, vn_octomap* map, vn_detail* detail) {
    vnt_text text = vnt_text_of(bytes, size);
    text.chunk = chunk;
    vn_source source = vnt_text_source(&text);
    return vn_octomap_read(&source, allocator, map, detail);
}

#endif
