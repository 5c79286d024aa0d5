/// volnav/input/mesh_file.h: the mesh formats that assimp reads.
#ifndef MESH_FILE_H
#define MESH_FILE_H

#include "input/triangles.h"

/// Does assimp know the ending of this name? Without VOLNAV_MESHES: is it a common one?
bool mesh_file_is_known(const char* path);

/// Sends one object for each node with triangles. Returns EXIT_DONE, or EXIT_BAD after a refusal; EXIT_BAD
/// without one if there was no memory. What assimp opens goes through triangles_open: regular files only.
/// assimp may crash or never return: run it apart.
int mesh_file_read(triangles_sink* sink, const import_options* options);

#endif
