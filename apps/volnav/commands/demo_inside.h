/// volnav/commands/demo_inside.h: the command demo in parts: demo.c flies the routes of a scene,
/// demo_moving.c agents among moving obstacles, demo_krafft.c draws a scene with a clock, demo_flight.c flies
/// through asteroids.
#ifndef DEMO_INSIDE_H
#define DEMO_INSIDE_H

#include <stdbool.h>

/// Draws agents among moving obstacles as an animated SVG. The exit code.
int demo_moving(const char* picture, bool as_json);

/// Draws the moving scene of Krafft 2019 at four times, with a path in each. The exit code.
int demo_krafft(const char* picture, bool as_json);

/// Flies an asteroid field without avoidance and with the autopilot, as an animated SVG. EXIT_NO_PATH: the
/// autopilot touched something or did not arrive.
int demo_flight(const char* picture, bool as_json);

#endif
