/// volnav/shell/say.h: exit codes, messages on standard error, warnings that also go into the JSON, and
/// memory for the tool.
#ifndef SAY_H
#define SAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "volnav/base.h"

#if defined(__GNUC__)
#define SAY_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define SAY_PRINTF(format_at, args_at)
#endif

/// The exit codes of every command.
enum {
    EXIT_DONE = 0,    ///< done; of a query: a path was found
    EXIT_NO_PATH = 1, ///< no path, or a check failed
    EXIT_BAD = 2      ///< bad usage or bad input
};

/// Prints "volnav: ..." and a newline on standard error and returns EXIT_BAD, so that a caller can write
/// `return say_bad(...)`.
int say_bad(const char* format, ...) SAY_PRINTF(1, 2);

/// The same for a status of the library: "volnav: FILE:LINE: detail text". `file` may be null. The detail of
/// VN_IO names the file itself.
int say_status(const char* file, vn_status status, const vn_detail* detail);

/// Remarks about an input that is accepted all the same.
typedef struct say_warnings {
    char** texts;
    size_t count;
    bool quiet; ///< true: keep, but do not print
} say_warnings;

/// Prints "volnav: warning: ..." unless quiet, and keeps the text.
void say_warning(say_warnings* warnings, const char* format, ...) SAY_PRINTF(2, 3);
void say_free_warnings(say_warnings* warnings);

/// calloc and realloc that end the tool with EXIT_BAD and a message when there is no memory. `count * size`
/// may not overflow.
void* say_alloc(size_t count, size_t size);
void* say_resize(void* block, size_t count, size_t size);

#endif
