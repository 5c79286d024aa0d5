/// volnav/commands/info_inside.h: the command info in parts: info.c reads saved files, info_world.c inputs.
#ifndef INFO_INSIDE_H
#define INFO_INSIDE_H

#include "input/load.h"

/// Reads an input, bakes nothing, and prints what it holds: bounds, counts and a resolution to begin with.
/// EXIT_DONE, or EXIT_BAD after a message.
int info_world(const char* path, const load_options* options);

#endif
