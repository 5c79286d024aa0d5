/// base/fail.h: error details and log messages, formatted without stdio.
#ifndef VNI_BASE_FAIL_H
#define VNI_BASE_FAIL_H

#include "volnav/base.h"
#include <stdarg.h>

#if defined(__MINGW32__) && !defined(__clang__)
#define VNI_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define VNI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VNI_PRINTF(text, first)
#endif

/// Formats text into `out` (always null-terminated, truncated if too long) and returns its length. A
/// locale-independent subset of printf: %s %.30s %c %d %u %ld %lu %lld %llu %zu %g %%. %g prints what printf
/// prints for %.9g: 9 significant digits without trailing zeros.
size_t vni_format(char* out, size_t size, const char* format, ...) VNI_PRINTF(3, 4);
size_t vni_format_list(char* out, size_t size, const char* format, va_list list);

/// Fills `detail` (may be null) with line 0 and no index, and returns `status`: `return vni_fail(detail,
/// VN_BAD_DATA, "…", i);`
vn_status vni_fail(vn_detail* detail, vn_status status, const char* format, ...) VNI_PRINTF(3, 4);

/// The same with the element at fault.
vn_status vni_fail_index(vn_detail* detail, vn_status status, uint64_t index, const char* format, ...)
    VNI_PRINTF(4, 5);

/// The same with the line at fault.
vn_status vni_fail_line(vn_detail* detail, vn_status status, uint32_t line, const char* format, ...)
    VNI_PRINTF(4, 5);

/// Sends one line to the log handler, if there is one.
void vni_log(vn_log_level level, const char* format, ...) VNI_PRINTF(2, 3);

#endif
