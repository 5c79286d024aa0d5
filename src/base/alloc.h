/// base/alloc.h: typed calls to a vn_allocator. Sizes are checked for overflow. A count of 0 returns null,
/// which is not a failure.
#ifndef VNI_BASE_ALLOC_H
#define VNI_BASE_ALLOC_H

#include "volnav/base.h"

/// Memory for `count` elements of `size` bytes, not initialised; null if memory runs out or the product
/// overflows.
void* vni_alloc(const vn_allocator* allocator, uint64_t count, size_t size);

/// The same, zeroed.
void* vni_alloc_zero(const vn_allocator* allocator, uint64_t count, size_t size);

/// Null is allowed. `count` and `size` must be those of the allocation.
void vni_free(const vn_allocator* allocator, void* block, uint64_t count, size_t size);

/// Grows the array at `*data` to hold at least `need` elements; the capacity at least doubles. False if
/// memory runs out, with nothing changed. `data` is the address of a pointer of any object type.
bool vni_grow(const vn_allocator* allocator, void* data, uint64_t* capacity, uint64_t need, size_t size);

/// True if no function is missing.
bool vni_allocator_is_valid(const vn_allocator* allocator);

/// Adds a part to a report.
void vni_memory_add(vn_memory* memory, const char* name, size_t bytes);

#define VNI_NEW(allocator, type)              ((type*)vni_alloc_zero((allocator), 1, sizeof(type)))
#define VNI_DELETE(allocator, pointer)        vni_free((allocator), (pointer), 1, sizeof *(pointer))
#define VNI_NEW_ARRAY(allocator, type, count) ((type*)vni_alloc((allocator), (count), sizeof(type)))
#define VNI_DELETE_ARRAY(allocator, pointer, count)                                                          \
    vni_free((allocator), (pointer), (count), sizeof *(pointer))

#endif
