/// volnav/draw/frames.h: a scene with a clock at a few times, each from the front (x to the right, y up), as
/// SVG.
#ifndef FRAMES_H
#define FRAMES_H

#include "volnav/sim.h"

/// The scene at one time, and a path in it.
typedef struct frames_one {
    double seconds;
    const vn_dvec3* points; ///< may be null
    uint32_t count;
    double length; ///< metres
} frames_one;

typedef struct frames_plan {
    const char* title;
    const vn_moving_scene* scene; ///< one with an agent
    const frames_one* frames;     ///< two in a row
    uint32_t count;
} frames_plan;

/// Returns EXIT_DONE, or EXIT_BAD after a message.
int frames_write(const char* path, const frames_plan* plan);

#endif
