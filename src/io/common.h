/// io/common.h: what the readers and writers share. The library volnav_io uses the public functions of volnav
/// alone, so that it also links against the shared library, whose inner symbols are hidden.
#ifndef VNI_IO_COMMON_H
#define VNI_IO_COMMON_H

#include "volnav/io.h"

/// Most voxels of a map on an axis.
#define VNI_IO_DIM_LIMIT (1 << 20)

#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
#define VNI_IO_ASSERT(condition)                                                                             \
    ((condition) ? (void)0 : vni_io_assert_failed(#condition, __FILE__, __LINE__))
#else
#define VNI_IO_ASSERT(condition) ((void)(0 && (condition)))
#endif

/// Says on standard error what failed and stops the program.
void vni_io_assert_failed(const char* condition, const char* file, int line);

#if defined(__GNUC__)
#define VNI_IO_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VNI_IO_PRINTF(text, first)
#endif

/// Fills `detail` (may be null) and returns `status`. `line` 0: none. Only %s, %d and %u, which mean the same
/// everywhere.
vn_status vni_io_fail(vn_detail* detail, vn_status status, uint32_t line, const char* format, ...)
    VNI_IO_PRINTF(4, 5);

/// Doubles the array at `data`, the address of a typed pointer, to at least 64 elements. False if there is no
/// memory: nothing has changed then.
bool vni_io_grow(const vn_allocator* allocator, void* data, uint64_t* capacity, size_t size);

/// Gives back what lies beyond the first `count` elements, of which there is one at least unless capacity is
/// 0. False if the allocator refuses: nothing has changed then.
bool vni_io_shrink(const vn_allocator* allocator, void* data, uint64_t capacity, uint64_t count, size_t size);

static inline bool vni_io_is_within(int64_t x, int64_t y, int64_t z, vn_voxel dims) {
    return x >= 0 && y >= 0 && z >= 0 && x < dims.x && y < dims.y && z < dims.z;
}

/// `allocator`, or the default one if it is null.
vn_allocator vni_io_allocator(const vn_allocator* allocator);

#endif
