/// volnav/shell/system.h: what differs between operating systems: clocks, the terminal, files that appear
/// whole or not at all.
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stdio.h>

#include "volnav/io.h"

/// Seconds of processor time of the calling thread where the system counts it, else wall time. For
/// differences only.
double system_thread_seconds(void);

/// Seconds of wall time. For differences only.
double system_wall_seconds(void);

/// Waits for so many seconds; none if that is not above 0.
void system_sleep(double seconds);

/// True when standard error is a terminal that understands "erase line".
bool system_terminal(void);

/// A file that is saved as vn_saving says: it takes its name only when everything has been written.
typedef struct system_output {
    FILE* file;
    vn_saving* saving;
} system_output;

/// Returns EXIT_DONE, or EXIT_BAD after a message with the reason.
int system_create(const char* path, system_output* out);

/// Takes the target's name; on any error removes what was written, leaves the target as it was and returns
/// EXIT_BAD after a message.
int system_commit(system_output* out);

/// Flushes standard output; EXIT_BAD after a message if something of it could not be written, else `code`.
int system_flush(int code);

/// True for something that is there and is neither a file nor a folder: a device or a pipe.
bool system_is_special(const char* path);

/// Size of a file in bytes; 0 if it is not there.
uint64_t system_file_size(const char* path);

/// The bytes of a file, with a zero byte after them. Free `data`.
typedef struct system_bytes {
    uint8_t* data;
    size_t size;
} system_bytes;

/// Reads a whole file. EXIT_DONE, or EXIT_BAD after a message: not a file, or larger than `most`; then there
/// are no bytes.
int system_read(const char* path, size_t most, system_bytes* out);

/// The folder that the tool itself lies in, links followed, into `out` (VN_PATH_SIZE bytes). False if the
/// system does not say.
bool system_own_folder(char* out);

/// Opens a file in the program that the desktop has for it, and does not wait. False if there is no desktop
/// (xdg-open, or open on macOS; none on Windows).
bool system_open(const char* path);

/// The path from the root on, links followed, into `out` (VN_PATH_SIZE bytes); as it is where that fails.
void system_full_path(const char* path, char* out);

/// True when the file name ends with `ending` (lower case, with its dot), in any case.
bool system_ends_with(const char* path, const char* ending);

#endif
