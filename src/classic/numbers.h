/// classic/numbers.h: little-endian numbers to a sink, and from bytes that are not trusted.
#ifndef VNI_CLASSIC_NUMBERS_H
#define VNI_CLASSIC_NUMBERS_H

#include "volnav/base.h"

#include <string.h>

/// Collects what the sink gets at once. Large: it belongs on the heap.
typedef struct vni_number_writer {
    const vn_sink* sink;
    uint8_t bytes[4096];
    size_t size;
    bool failed;
} vni_number_writer;

static inline void vni_numbers_flush(vni_number_writer* w) {
    w->failed = w->failed || (w->size > 0 && !w->sink->write(w->sink->user, w->bytes, w->size));
    w->size = 0;
}

/// `size`: up to 8.
static inline void vni_put_number(vni_number_writer* w, uint64_t value, uint32_t size) {
    if (w->size + size > sizeof w->bytes)
        vni_numbers_flush(w);
    for (uint32_t i = 0; i < size; ++i)
        w->bytes[w->size + i] = (uint8_t)(value >> 8 * i);
    w->size += size;
}

static inline void vni_put_float(vni_number_writer* w, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    vni_put_number(w, bits, 4);
}

static inline void vni_put_double(vni_number_writer* w, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    vni_put_number(w, bits, 8);
}

static inline uint64_t vni_get_number(const uint8_t* bytes, uint32_t size) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/// Bytes that are read from front to back. What is not there reads as 0, and `failed` stays set.
typedef struct vni_number_reader {
    const uint8_t* at;
    uint64_t left;
    bool failed;
} vni_number_reader;

/// `size`: up to 8.
static inline uint64_t vni_take_number(vni_number_reader* r, uint32_t size) {
    r->failed = r->failed || r->left < size;
    if (r->failed)
        return 0;
    const uint64_t value = vni_get_number(r->at, size);
    r->at += size;
    r->left -= size;
    return value;
}

static inline uint32_t vni_take_u32(vni_number_reader* r) {
    return (uint32_t)vni_take_number(r, 4);
}

static inline float vni_take_float(vni_number_reader* r) {
    const uint32_t bits = vni_take_u32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double vni_take_double(vni_number_reader* r) {
    const uint64_t bits = vni_take_number(r, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Are there as many elements left? What is allocated for them is then no more than what was given.
static inline bool vni_numbers_have(const vni_number_reader* r, uint64_t count, uint32_t size) {
    return !r->failed && count <= r->left / size;
}

#endif
