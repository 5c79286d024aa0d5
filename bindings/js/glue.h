/// bindings/js/glue.h: the library as flat calls for JavaScript: numbers in, numbers out. A handle is a
/// pointer. What a call has to say beyond its status is in the array that js_out points to; the reason of a
/// failure is the text of js_detail. The modules of src/ are the only callers.
#ifndef GLUE_H
#define GLUE_H

#include "volnav/volnav.h"

#include <stddef.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

enum { GLUE_OUT = 96 };

extern double glue_out[GLUE_OUT];

/// Begins a call: the reason of the last failure is forgotten.
vn_detail* glue_begin(void);

/// Ends one; of success there is no reason.
int glue_done(vn_status status);

void glue_put(int at, vn_dvec3 v);
void glue_put_pointer(int at, const void* pointer);

/// As two halves, because a double has not all of its bits.
void glue_put_64(int at, uint64_t x);

vn_vec3 glue_vector(const float* v);
vn_dvec3 glue_position(const double* v);

/// Position, rotation; scale 1.
vn_transform glue_transform(const float* v);

/// From an array of numbers: a box is low and high, a sphere centre and radius, a capsule both ends and
/// radius.
vn_shape glue_shape(int kind, const float* v);

/// Bytes that grow. All zero is empty.
typedef struct glue_list {
    unsigned char* data;
    size_t size, capacity;
    bool failed; ///< something did not fit into memory
} glue_list;

/// Room for so many bytes more, behind all others; null without memory. Earlier bytes may move.
void* glue_more(glue_list* list, size_t size);

/// Empties it and makes room for so many bytes; null without memory.
void* glue_room(glue_list* list, size_t size);
void glue_free(glue_list* list);

/// A vn_sink's write, into a list.
bool glue_append(void* list, const void* data, size_t size);

/// A list for JavaScript, which frees it by js_free: out gets its address and its size in bytes. A list that
/// failed is freed, and gives VN_OUT_OF_MEMORY.
vn_status glue_give(int at, glue_list* list);

/// A section of a file that JavaScript has unpacked: where it lies in the file, where it is now, its size.
typedef struct glue_section {
    uint32_t offset, at, size;
} glue_section;

typedef struct glue_sections {
    const unsigned char* file;
    const glue_section* list;
    uint32_t count;
} glue_sections;

/// A codec that has everything unpacked already. `sections` outlives it.
vn_codec glue_codec(glue_sections* sections);

#endif
