/// volnav/commands/demo_inside.h: the command demo in parts: demo.c flies the routes of a scene,
/// demo_moving.c agents among moving obstacles.
#ifndef DEMO_INSIDE_H
#define DEMO_INSIDE_H

#include <stdbool.h>

/// Draws agents among moving obstacles as an animated SVG. The exit code.
int demo_moving(const char* picture, bool as_json);

#endif
