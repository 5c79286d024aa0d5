/// volnav/input/scene.h: the text format `.scene`: a world in a few lines.
///
/// One command a line, `#` starts a comment, metres everywhere:
///   resolution M                                edge of a voxel
///   bounds X Y Z  X Y Z                         low and high corner of the space
///   box X Y Z  X Y Z                            low and high corner
///   oriented CX CY CZ  HX HY HZ  AX AY AZ  DEG  centre, half extents, axis and angle of its rotation
///   sphere CX CY CZ  R
///   capsule AX AY AZ  BX BY BZ  R               ends of its axis, radius
///   cylinder AX AY AZ  BX BY BZ  R              centres of its flat caps, radius
///   hull X Y Z  X Y Z ...                       convex hull of four points or more
///   mesh FILE [solid]                           a file beside the scene
///   repeat N  DX DY DZ ... end                  N copies of what is inside, each shifted by that much more
///   route NAME  X Y Z  X Y Z                    a named start and goal, for `volnav demo`
///   flags N                                     marks the obstacles that follow (doors, teams); 0: none
///   unknown                                     what follows is unknown space; `flags` ends it
///   zone X Y Z  X Y Z  FACTOR                   a box in which a metre costs FACTOR metres
///   zone-oriented ... FACTOR                    the same with the shape of `oriented`, `sphere` or `hull`
///   zone-sphere CX CY CZ  R  FACTOR
///   zone-hull X Y Z  X Y Z ...  FACTOR
///   link X Y Z  X Y Z  COST [both]              a connection that the path may take, one way or both ways
#ifndef SCENE_H
#define SCENE_H

#include "input/import.h"
#include "volnav/query.h"

typedef struct scene_route {
    char name[32];
    double from[3], to[3];
} scene_route;

typedef struct scene_info {
    bool has_resolution, has_bounds;
    double resolution;
    double bounds[6];
    scene_route* routes;
    size_t route_count;
    vn_zone zones[VN_MAX_ZONES]; ///< of the world, which has their planes
    uint32_t zone_count;
    vn_connection connections[VN_MAX_CONNECTIONS]; ///< `id` is the line
    uint32_t connection_count;
} scene_info;

/// Adds the scene's obstacles and zones to the world. `meshes` says how to import the meshes that it names.
/// Returns EXIT_DONE, or EXIT_BAD after a message with file, line and reason. Free `out` with scene_free
/// either way.
int scene_read(vn_world* world, const char* path, const import_options* meshes, say_warnings* warnings,
               import_report* report, scene_info* out);
void scene_free(scene_info* scene);

#endif
