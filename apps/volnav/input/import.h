/// volnav/input/import.h: files that hold geometry become obstacles of a world: maps by maps.h, glTF by
/// gltf.h, other meshes by assimp.
#ifndef IMPORT_H
#define IMPORT_H

#include "shell/say.h"
#include "volnav/world.h"

typedef struct import_options {
    double scale;   ///< applied to every coordinate of a mesh, a .bt, .ot or .map
    char up;        ///< 'y', 'z' or 'x': the axis of the file that becomes +Y
    bool solid;     ///< fill closed meshes
    bool hull;      ///< take the convex hull of each object instead of its triangles
    vn_dvec3 shift; ///< metres, added last
    uint32_t flags; ///< of every obstacle that is made
    bool has_up;    ///< `up` was asked for; otherwise a .map, where z is up by its format, has 'z'
} import_options;

/// Doors of a .map have this flag: `--open 1` passes them.
#define IMPORT_DOOR_FLAG 1u

/// What came in; sums over all files.
typedef struct import_report {
    uint64_t meshes;    ///< mesh objects (and hulls made of them)
    double mesh_volume; ///< signed, cubic metres
    uint64_t triangles;
    uint64_t duplicates; ///< voxels that a map gives more than once
    bool has_map;
    double resolution;        ///< of a map of its own size of voxels, metres; 0: none
    uint64_t brushes, doors;  ///< of a .map: those that block, and those of them that are doors
    uint64_t skipped_brushes; ///< of a .map: those that block nothing
    uint64_t occupied_voxels, free_voxels, unknown_voxels; ///< of voxel maps
} import_report;

/// True for a map by its ending: .3dmap, OctoMap's .bt and .ot, Quake's .map.
bool import_is_map(const char* path);

/// True for an OctoMap tree by its ending.
bool import_is_octomap(const char* path);

/// True for a map of brushes by its ending.
bool import_is_brush_map(const char* path);

/// A position of the file, in doubles: scale, up axis and shift of the options.
vn_dvec3 import_place(const import_options* options, double x, double y, double z);

/// Adds what the file holds to the world. All meshes of one node of the file become one obstacle, because
/// importers split an object by material. A mesh is read by a child process under limits (apart.h), so that
/// nothing that a file does to an importer reaches the tool. Returns EXIT_DONE, or EXIT_BAD after a message
/// that names the file and the reason.
int import_file(vn_world* world, const char* path, const import_options* options, say_warnings* warnings,
                import_report* report);

#endif
