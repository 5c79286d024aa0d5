/// volnav/input/maps.h: maps become obstacles: voxel maps (.3dmap), OctoMap's trees (.bt, .ot) and brushes of
/// level editors (.map).
#ifndef MAPS_H
#define MAPS_H

#include "input/import.h"

/// Adds what the map holds to the world. A .3dmap is taken as it is; trees are turned and scaled by the
/// options, unknown space becomes an obstacle with VN_FLAG_UNKNOWN; each brush becomes a hull. EXIT_DONE, or
/// EXIT_BAD after a message.
int maps_import(vn_world* world, const char* path, const import_options* options, say_warnings* warnings,
                import_report* report);

#endif
