/// volnav/input/gltf.h: the geometry of glTF 2.0 files, .gltf and .glb.
///
/// Nodes, meshes and accessors only; materials, skins and animations do not move what stands still. Positions
/// may be quantised (KHR_mesh_quantization). An extension that the file requires and that changes geometry or
/// its data in another way is refused by name.
#ifndef GLTF_H
#define GLTF_H

#include "input/triangles.h"

/// Sends one object for each node with triangles, depth first. `*other` is true if the file is of an older
/// version of glTF: then nothing has been sent. Returns EXIT_DONE, or EXIT_BAD after a refusal.
int gltf_read(triangles_sink* sink, const import_options* options, bool* other);

#endif
