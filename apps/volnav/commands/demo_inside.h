/// volnav/commands/demo_inside.h: the command demo in parts: demo.c flies the routes of a scene,
/// demo_moving.c agents among moving obstacles, demo_krafft.c draws a scene with a clock.
#ifndef DEMO_INSIDE_H
#define DEMO_INSIDE_H

#include <stdbool.h>

/// Draws agents among moving obstacles as an animated SVG. The exit code.
int demo_moving(const char* picture, bool as_json);

/// Draws the moving scene of Krafft 2019 at four times, with a path in each. The exit code.
int demo_krafft(const char* picture, bool as_json);

#endif
