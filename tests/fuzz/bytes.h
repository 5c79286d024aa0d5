/// tests/fuzz/bytes.h: bytes in memory as sources and sinks, and conditions that must hold.
#ifndef VNF_BYTES_H
#define VNF_BYTES_H

#include "volnav/base.h"

/// Stops the program with the condition and the place.
#define VNF_REQUIRE(condition) ((condition) ? (void)0 : vnf_failed(#condition, __FILE__, __LINE__, ""))

/// The same with a sentence of what was found.
#define VNF_REQUIRE_OK(status, detail)                                                                       \
    ((status) == VN_OK ? (void)0 : vnf_failed(#status " is VN_OK", __FILE__, __LINE__, (detail).text))
void vnf_failed(const char* condition, const char* file, int line, const char* text);

/// Bytes in memory as a source.
typedef struct vnf_bytes {
    const uint8_t* data;
    size_t left;
} vnf_bytes;

/// Valid as long as `bytes`.
vn_source vnf_source(vnf_bytes* bytes);

/// Bytes in memory as a sink that grows. Free `data`.
typedef struct vnf_page {
    uint8_t* data;
    size_t size, capacity;
} vnf_page;

vn_sink vnf_sink(vnf_page* page);

/// malloc up to `most` bytes at a time, above which it refuses; not for several threads.
typedef struct vnf_purse {
    uint64_t most, live;
} vnf_purse;

vn_allocator vnf_purse_allocator(vnf_purse* purse);

#endif
