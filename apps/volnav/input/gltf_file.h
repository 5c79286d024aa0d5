/// volnav/input/gltf_file.h: a glTF file in memory, and where its JSON and its binary part are.
#ifndef GLTF_FILE_H
#define GLTF_FILE_H

#include "input/triangles.h"

/// Make it with {0}.
typedef struct gltf_file {
    char* bytes; ///< all of it, and a 0 behind it
    uint64_t size;
    char* text; ///< the JSON; the byte behind it may be overwritten
    uint64_t text_size;
    uint8_t* binary; ///< of a .glb; may be null
    uint64_t binary_size;
    bool old; ///< a .glb of version 1: nothing else is set
} gltf_file;

/// Reads the whole file and finds its parts; lengths are compared with the bytes that are there. Returns
/// EXIT_DONE, or EXIT_BAD after a refusal; call gltf_file_free either way.
int gltf_file_load(triangles_sink* sink, gltf_file* p);
void gltf_file_free(gltf_file* p);

#endif
