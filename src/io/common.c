/// io/common.c: failing with a text, and arrays that grow.
#include "io/common.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64

void vni_io_assert_failed(const char* condition, const char* file, int line) {
    fprintf(stderr, "%s:%d: assert failed: %s\n", file, line, condition);
    abort();
}

vn_status vni_io_fail(vn_detail* detail, vn_status status, uint32_t line, const char* format, ...) {
    VNI_IO_ASSERT(status != VN_OK && format != NULL);
    if (detail == NULL)
        return status;

    detail->status = status;
    detail->line = line;
    detail->index = VN_NO_INDEX;
    va_list list;
    va_start(list, format);
    vsnprintf(detail->text, sizeof detail->text, format, list);
    va_end(list);

    return status;
}

/// The pointer behind `data`, whatever its type is.
static void* load(const void* data) {
    void* block;
    memcpy(&block, data, sizeof block);
    return block;
}

bool vni_io_grow(const vn_allocator* allocator, void* data, uint64_t* capacity, size_t size) {
    uint64_t more = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    VNI_IO_ASSERT(size > 0 && more > *capacity);
    if (more > SIZE_MAX / size)
        return false;

    void* old = load(data);
    void* block =
        old == NULL ? allocator->alloc(allocator->user, (size_t)more * size)
                    : allocator->resize(allocator->user, old, (size_t)*capacity * size, (size_t)more * size);
    if (block == NULL)
        return false;

    memcpy(data, &block, sizeof block);
    *capacity = more;
    return true;
}

bool vni_io_shrink(const vn_allocator* allocator, void* data, uint64_t capacity, uint64_t count,
                   size_t size) {
    VNI_IO_ASSERT(count <= capacity && (count > 0 || capacity == 0));
    if (count == capacity)
        return true;

    void* block =
        allocator->resize(allocator->user, load(data), (size_t)capacity * size, (size_t)count * size);
    if (block == NULL)
        return false;

    memcpy(data, &block, sizeof block);
    return true;
}

vn_allocator vni_io_allocator(const vn_allocator* allocator) {
    vn_allocator chosen = allocator != NULL ? *allocator : vn_default_allocator();
    VNI_IO_ASSERT(chosen.alloc != NULL && chosen.resize != NULL && chosen.release != NULL);
    return chosen;
}
