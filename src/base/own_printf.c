/// base/own_printf.c: vsnprintf by the formatter of fail.c, for a program without stdio: the readers of io in
/// WebAssembly, where libc's would import a console and bring arithmetic of 128 bits along. What it returns
/// for a text that does not fit is the length of what did. Only with VNI_OWN_PRINTF.
#ifdef VNI_OWN_PRINTF

#include "base/fail.h"

int vsnprintf(char* out, size_t size, const char* format, va_list list);

int vsnprintf(char* out, size_t size, const char* format, va_list list) {
    return (int)vni_format_list(out, size, format, list);
}

#else
typedef int vni_own_printf_is_off;
#endif
