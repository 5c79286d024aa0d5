/// volnav/input/precheck_text.h: a look at the mesh formats that are lines of text, OBJ and the text form of
/// STL.
///
/// assimp 5.2 names no line when it refuses one, takes coordinates that are not numbers for zero or not a
/// number, and drops indented lines and faces of two vertices without a word: an obstacle with a hole.
#ifndef PRECHECK_TEXT_H
#define PRECHECK_TEXT_H

#include <stdio.h>

#include "shell/say.h"

/// Of one face. assimp cuts a face into triangles in time that grows with the square of its corners.
#define PRECHECK_MAX_CORNERS 16384

/// EXIT_DONE, or EXIT_BAD after a message with file, line and reason. The file stands at its beginning.
/// An OBJ file has no mark at its end: that it was cut between two lines cannot be told. That its last line
/// has no end is a warning.
int precheck_obj(const char* path, FILE* file, say_warnings* warnings);
int precheck_text_stl(const char* path, FILE* file);

#endif
