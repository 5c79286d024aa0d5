/// volnav/shell/kinds.h: files that no command reads as a world.
#ifndef KINDS_H
#define KINDS_H

/// Says that this kind of file is not read, and what to do with one of its kind. Returns EXIT_BAD.
int kinds_refuse(const char* path);

#endif
