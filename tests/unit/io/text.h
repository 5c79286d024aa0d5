/// tests/unit/io/text.h: sources and sinks in memory for the tests of the readers.
#ifndef VNT_IO_TEXT_H
#define VNT_IO_TEXT_H

#include "base/rng.h"
#include "volnav/io.h"
#include <stdlib.h>
#include <string.h>

/// Bytes as a source that hands out at most `chunk` at a time and fails when `fail_at` bytes have been read.
typedef struct vnt_text {
    const char* bytes;
    size_t size, position, chunk, fail_at;
} vnt_text;

static inline int64_t vnt_text_read(void* user, void* buffer, size_t size) {
    vnt_text* text = user;
    if (text->position >= text->fail_at)
        return -1;

    size_t left = text->size - text->position;
    size_t count = size < text->chunk ? size : text->chunk;
    count = count < left ? count : left;
    memcpy(buffer, text->bytes + text->position, count);
    text->position += count;

    return (int64_t)count;
}

static inline vnt_text vnt_text_of(const char* bytes, size_t size) {
    vnt_text text = {bytes, size, 0, SIZE_MAX, SIZE_MAX};
    return text;
}

static inline vn_source vnt_text_source(vnt_text* text) {
    vn_source source = {vnt_text_read, text};
    return source;
}

/// A copy of the text with up to four edits: bytes flipped, replaced or cut off. `*size` becomes its length.
/// In a block of its own, so that reading beyond it is seen; free it.
static inline char* vnt_text_spoil(vni_rng* rng, const char* text, size_t* size) {
    *size = strlen(text);
    char* bytes = malloc(*size);
    if (bytes == NULL)
        abort();

    memcpy(bytes, text, *size);
    for (uint32_t edits = 1 + vni_rng_below(rng, 4); edits > 0; --edits) {
        size_t at = vni_rng_below(rng, (uint32_t)*size);
        uint32_t kind = vni_rng_below(rng, 4);
        if (kind == 0)
            bytes[at] = (char)vni_rng_below(rng, 256);
        else if (kind == 1)
            bytes[at] ^= (char)(1 << vni_rng_below(rng, 7));
        else if (kind == 2)
            bytes[at] = "0123456789 -\n\r\t.+e"[vni_rng_below(rng, 18)];
        else
            *size = at + 1;
    }

    return bytes;
}

#define VNT_PAGE_SIZE 4194304

/// A sink in memory that fails when it would hold more than `limit` bytes.
typedef struct vnt_page {
    size_t size, limit;
    char bytes[VNT_PAGE_SIZE];
} vnt_page;

static inline bool vnt_page_write(void* user, const void* data, size_t size) {
    vnt_page* page = user;
    if (size > page->limit - page->size)
        return false;
    memcpy(page->bytes + page->size, data, size);
    page->size += size;
    return true;
}

#endif
