/// volnav/draw/road_slice.h: hybrid graph or waypoints as a flat picture: one slab of voxels, nodes by kind,
/// edges.
#ifndef ROAD_SLICE_H
#define ROAD_SLICE_H

#include <stdint.h>

#include "volnav/roadmap.h"

/// Of a hybrid graph the nodes in the slab and the edges between these; waypoints, which are few, all of them
/// as seen along the axis, on the slab. Returns EXIT_DONE, or EXIT_BAD after a message; a file that cannot be
/// written whole is not written at all.
int road_slice_write(const char* path, const vn_space* space, vn_roadmap* roadmap, const char* title,
                     int axis, int32_t number);

#endif
