/// base/assert.h: asserts against bugs. Enabled in debug and sanitizer builds (VOLNAV_ASSERTS=1); free
/// otherwise.
#ifndef VNI_BASE_ASSERT_H
#define VNI_BASE_ASSERT_H

#include "volnav/base.h"

/// Calls the handler, and stops the program if that returns true.
void vni_assert_failed(const char* condition, const char* file, int line);

#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
#define VNI_ASSERT(condition) ((condition) ? (void)0 : vni_assert_failed(#condition, __FILE__, __LINE__))
#else
#define VNI_ASSERT(condition) ((void)(0 && (condition)))
#endif

#endif
