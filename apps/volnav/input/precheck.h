/// volnav/input/precheck.h: a look at mesh files before assimp sees them.
///
/// assimp 5.2 accepts truncated PLY and STL files in silence, ends the process on some PLY files and never
/// returns from others. So these formats, and OBJ (precheck_text.h), are followed to their end first.
#ifndef PRECHECK_H
#define PRECHECK_H

#include "shell/say.h"

/// EXIT_DONE, or EXIT_BAD after a message with file, line where there are lines, and reason. Other formats
/// pass.
int precheck_mesh(const char* path, say_warnings* warnings);

#endif
