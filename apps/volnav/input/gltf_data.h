/// volnav/input/gltf_data.h: the data of a glTF file: buffers, and accessors as numbers. Offsets, counts and
/// lengths are compared with the bytes that are there before anything is read.
#ifndef GLTF_DATA_H
#define GLTF_DATA_H

#include "input/json_read.h"
#include "input/triangles.h"

typedef struct gltf_buffer {
    uint8_t* data; ///< null: not loaded yet
    uint64_t size;
    bool borrowed; ///< it is the binary part of the file itself
} gltf_buffer;

typedef struct gltf_list {
    uint32_t* items; ///< values of the document
    size_t count;
} gltf_list;

/// A glTF 2.0 file. Fill `sink`, `document`, `binary`, then gltf_data_begin.
typedef struct gltf_data {
    triangles_sink* sink;
    const json_document* document;
    uint8_t* binary; ///< of a .glb; may be null
    uint64_t binary_size;
    gltf_list accessors, views, buffers;
    gltf_buffer* loaded; ///< one for each buffer
} gltf_data;

void gltf_data_begin(gltf_data* data);
void gltf_data_free(gltf_data* data);

/// The elements of a member of the document's root, to be freed.
gltf_list gltf_list_of(const json_document* document, const char* key);

/// How many elements the accessor says that it has. EXIT_BAD after a refusal.
int gltf_count(gltf_data* data, uint64_t accessor, uint64_t* out);

/// Positions as floats, three for each, to be freed: of any component type, so that KHR_mesh_quantization is
/// undone here, normalised or not; sparse ones too. EXIT_BAD after a refusal.
int gltf_positions(gltf_data* data, uint64_t accessor, float** out, uint64_t* count);

/// Indices, to be freed. EXIT_BAD after a refusal.
int gltf_indices(gltf_data* data, uint64_t accessor, uint32_t** out, uint64_t* count);

#endif
