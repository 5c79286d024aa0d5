/// store/bytes.h: writing values into a buffer that grows, and reading them from one that may lie.
#ifndef VNI_STORE_BYTES_H
#define VNI_STORE_BYTES_H

#include "volnav/math.h"

/// Bytes to be written. When memory runs out, `failed` is set and everything after that is ignored.
typedef struct vni_bytes {
    vn_allocator allocator;
    uint8_t* data;
    uint64_t size, capacity;
    bool failed;
} vni_bytes;

vni_bytes vni_bytes_make(const vn_allocator* allocator);
void vni_bytes_free(vni_bytes* bytes);

/// Appends `size` uninitialised bytes and returns where they begin; null if there is no memory.
uint8_t* vni_bytes_add(vni_bytes* bytes, uint64_t size);
void vni_bytes_put(vni_bytes* bytes, const void* data, uint64_t size);
void vni_put_u32(vni_bytes* bytes, uint32_t value);
void vni_put_u64(vni_bytes* bytes, uint64_t value);
void vni_put_f32(vni_bytes* bytes, float value);
void vni_put_f64(vni_bytes* bytes, double value);
void vni_put_point(vni_bytes* bytes, vn_point point);
void vni_put_vec(vni_bytes* bytes, vn_vec3 vec);
void vni_put_box(vni_bytes* bytes, const vn_box* box);

/// Bytes to be read, at any address. Reading beyond the end sets `failed`, and gives zeros from then on.
typedef struct vni_reader {
    const uint8_t* at;
    uint64_t left;
    bool failed;
} vni_reader;

/// Copies `size` bytes; false, and nothing copied, if there are fewer.
bool vni_read(vni_reader* reader, void* out, uint64_t size);

/// Skips `size` bytes and returns where they begin; null, and nothing skipped, if there are fewer.
const uint8_t* vni_read_in_place(vni_reader* reader, uint64_t size);
uint32_t vni_read_u32(vni_reader* reader);
uint64_t vni_read_u64(vni_reader* reader);
float vni_read_f32(vni_reader* reader);
double vni_read_f64(vni_reader* reader);

/// 0 or 1; any other number is a failure.
bool vni_read_bool(vni_reader* reader);
vn_point vni_read_point(vni_reader* reader);
vn_vec3 vni_read_vec(vni_reader* reader);
vn_box vni_read_box(vni_reader* reader);

/// Everything has been read, and nothing was missing.
bool vni_read_all(const vni_reader* reader);

#endif
