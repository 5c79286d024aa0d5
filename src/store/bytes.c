/// store/bytes.c: values to bytes and back. Both are little-endian, as every file is (vni_bundle_open refuses
/// other machines).
#include "store/bytes.h"
#include "base/alloc.h"
#include "base/assert.h"

#include <string.h>

vni_bytes vni_bytes_make(const vn_allocator* allocator) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    return (vni_bytes){.allocator = *allocator};
}

void vni_bytes_free(vni_bytes* bytes) {
    VNI_ASSERT((bytes->data != NULL) == (bytes->capacity > 0));
    VNI_DELETE_ARRAY(&bytes->allocator, bytes->data, bytes->capacity);
    bytes->data = NULL;
    bytes->size = bytes->capacity = 0;
}

uint8_t* vni_bytes_add(vni_bytes* bytes, uint64_t size) {
    VNI_ASSERT(bytes->size <= bytes->capacity);

    if (bytes->failed || size > UINT64_MAX - bytes->size ||
        !vni_grow(&bytes->allocator, &bytes->data, &bytes->capacity, bytes->size + size, 1)) {
        bytes->failed = true;
        return NULL;
    }

    uint8_t* at = bytes->data + bytes->size;
    bytes->size += size;
    return at;
}

void vni_bytes_put(vni_bytes* bytes, const void* data, uint64_t size) {
    if (size == 0)
        return;
    VNI_ASSERT(data != NULL);
    uint8_t* at = vni_bytes_add(bytes, size);
    if (at != NULL)
        memcpy(at, data, (size_t)size);
}

void vni_put_u32(vni_bytes* bytes, uint32_t value) {
    vni_bytes_put(bytes, &value, sizeof value);
}

void vni_put_u64(vni_bytes* bytes, uint64_t value) {
    vni_bytes_put(bytes, &value, sizeof value);
}

void vni_put_f32(vni_bytes* bytes, float value) {
    vni_bytes_put(bytes, &value, sizeof value);
}

void vni_put_f64(vni_bytes* bytes, double value) {
    vni_bytes_put(bytes, &value, sizeof value);
}

void vni_put_point(vni_bytes* bytes, vn_point point) {
    vni_put_u32(bytes, (uint32_t)point.x);
    vni_put_u32(bytes, (uint32_t)point.y);
    vni_put_u32(bytes, (uint32_t)point.z);
}

void vni_put_vec(vni_bytes* bytes, vn_vec3 vec) {
    vni_put_f32(bytes, vec.x);
    vni_put_f32(bytes, vec.y);
    vni_put_f32(bytes, vec.z);
}

void vni_put_box(vni_bytes* bytes, const vn_box* box) {
    vni_put_vec(bytes, box->min);
    vni_put_vec(bytes, box->max);
}

// ------------------------------------------------------------------------------------------------ reading

bool vni_read(vni_reader* reader, void* out, uint64_t size) {
    VNI_ASSERT(out != NULL || size == 0);

    if (reader->failed || size > reader->left) {
        reader->failed = true;
        return false;
    }

    if (size > 0)
        memcpy(out, reader->at, (size_t)size);

    reader->at += size;
    reader->left -= size;
    return true;
}

const uint8_t* vni_read_in_place(vni_reader* reader, uint64_t size) {
    if (reader->failed || size > reader->left) {
        reader->failed = true;
        return NULL;
    }

    const uint8_t* at = reader->at;
    reader->at += size;
    reader->left -= size;
    return at;
}

uint32_t vni_read_u32(vni_reader* reader) {
    uint32_t value = 0;
    vni_read(reader, &value, sizeof value);
    return value;
}

uint64_t vni_read_u64(vni_reader* reader) {
    uint64_t value = 0;
    vni_read(reader, &value, sizeof value);
    return value;
}

float vni_read_f32(vni_reader* reader) {
    float value = 0;
    vni_read(reader, &value, sizeof value);
    return value;
}

double vni_read_f64(vni_reader* reader) {
    double value = 0;
    vni_read(reader, &value, sizeof value);
    return value;
}

bool vni_read_bool(vni_reader* reader) {
    uint32_t value = vni_read_u32(reader);
    reader->failed |= value > 1;
    return value == 1;
}

vn_point vni_read_point(vni_reader* reader) {
    vn_point point = {0, 0, 0};
    vni_read(reader, &point, sizeof point);
    return point;
}

vn_vec3 vni_read_vec(vni_reader* reader) {
    vn_vec3 vec = {0, 0, 0};
    vni_read(reader, &vec, sizeof vec);
    return vec;
}

vn_box vni_read_box(vni_reader* reader) {
    vn_box box;
    box.min = vni_read_vec(reader);
    box.max = vni_read_vec(reader);
    return box;
}

bool vni_read_all(const vni_reader* reader) {
    return !reader->failed && reader->left == 0;
}

_Static_assert(sizeof(vn_point) == 12 && sizeof(vn_vec3) == 12, "points and vectors are read as they lie");
