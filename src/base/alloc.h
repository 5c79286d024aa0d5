/// base/alloc.h: typed calls to a vn_allocator. Sizes are checked for overflow; a count of 0 gives null and
/// is not a failure.
#ifndef VNI_BASE_ALLOC_H
#define VNI_BASE_ALLOC_H

#include "volnav/base.h"

/// Room for `count` elements of `size` bytes, not initialised; null if there is no memory, or the product
/// overflows.
void* vni_alloc(const vn_allocator* allocator, uint64_t count, size_t size);

/// The same, zeroed.
void* vni_alloc_zero(const vn_allocator* allocator, uint64_t count, size_t size);

/// Null block is allowed. `count` and `size` are those of the allocation.
void vni_free(const vn_allocator* allocator, void* block, uint64_t count, size_t size);

/// Grows the array at `*data` so that it holds at least `need` elements; capacity at least doubles. False if
/// there is no memory: then nothing has changed. `data` is the address of a typed pointer.
bool vni_grow(const vn_allocator* allocator, void* data, uint64_t* capacity, uint64_t need, size_t size);

/// All three functions are there.
bool vni_allocator_is_valid(const vn_allocator* allocator);

/// One more part of a report.
void vni_memory_add(vn_memory* memory, const char* name, size_t bytes);

#define VNI_NEW(allocator, type)              ((type*)vni_alloc_zero((allocator), 1, sizeof(type)))
#define VNI_DELETE(allocator, pointer)        vni_free((allocator), (pointer), 1, sizeof *(pointer))
#define VNI_NEW_ARRAY(allocator, type, count) ((type*)vni_alloc((allocator), (count), sizeof(type)))
#define VNI_DELETE_ARRAY(allocator, pointer, count)                                                          \
    vni_free((allocator), (pointer), (count), sizeof *(pointer))

#endif
