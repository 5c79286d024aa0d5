/// volnav/draw/cockpit.h: the page of the cockpit (web/), with a file of the user's inside.
///
/// The page is built by `make cockpit-build`. It is looked for, in this order: where VOLNAV_COCKPIT says;
/// beside the tool; in out/ beside the tool's folder, as in a build tree; in share/volnav of the prefix that
/// the tool is installed in.
#ifndef COCKPIT_H
#define COCKPIT_H

#include <stddef.h>
#include <stdint.h>

/// Finds the page. EXIT_DONE and its path in `out` (VN_PATH_SIZE bytes), or EXIT_BAD after a message that
/// says how to get it.
int cockpit_find(char* out);

/// A file to be put into the page; without bytes none is.
typedef struct cockpit_file {
    const char* name; ///< whose ending says what it is
    const uint8_t* bytes;
    size_t size;
} cockpit_file;

/// Writes the page `path` with the file in it to `output`. EXIT_DONE, or EXIT_BAD after a message.
int cockpit_write(const char* path, const cockpit_file* file, const char* output);

#endif
