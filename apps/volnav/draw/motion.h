/// volnav/draw/motion.h: a world that changes, from above, as an animated SVG that repeats itself.
#ifndef MOTION_H
#define MOTION_H

#include <stdbool.h>
#include <stddef.h>

/// A place at a time; between two of them things move straight and evenly.
typedef struct motion_key {
    double seconds, x, z; ///< metres
} motion_key;

/// Something that moves. A box has a size; an agent has none.
typedef struct motion_body {
    double wide, deep; ///< of the box, whose middle follows the keys; 0: an agent
    motion_key* keys;
    size_t count, capacity;
} motion_body;

/// A path of an agent, for as long as it was valid.
typedef struct motion_path {
    size_t agent; ///< whose colour it has
    double begin, end;
    bool blocked; ///< it ended because something moved into it
    motion_key* points;
    size_t count, capacity;
} motion_path;

typedef struct motion_wall {
    double x0, z0, x1, z1;
} motion_wall;

typedef struct motion_plan {
    const char *title, *subtitle;
    double wide, deep; ///< of the floor, metres
    double seconds;    ///< until it begins again
    const motion_wall* walls;
    size_t wall_count;
    const motion_body* boxes;
    size_t box_count;
    const motion_body* agents;
    size_t agent_count;
    const motion_path* paths;
    size_t path_count;
} motion_plan;

/// Appends a key; it may allocate.
void motion_add(motion_key** keys, size_t* count, size_t* capacity, motion_key key);

/// Returns EXIT_DONE, or EXIT_BAD after a message.
int motion_write(const char* path, const motion_plan* plan);

#endif
