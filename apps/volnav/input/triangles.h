/// volnav/input/triangles.h: objects made of triangles on their way from the process that reads a mesh file
/// to the one that uses them.
///
/// Records of fixed heads and plain numbers, each checked when it is taken: counts are believed only as far
/// as bytes arrive, and every index is compared with the number of vertices.
#ifndef TRIANGLES_H
#define TRIANGLES_H

#include <stdio.h>

#include "input/import.h"
#include "shell/say.h"

#define TRIANGLES_NAME 256

/// One object: the triangles of one node of a file, in world coordinates. Zero is empty.
typedef struct triangles {
    vn_vec3* vertices;
    uint32_t* indices;
    size_t vertex_count, index_count;
    size_t vertex_capacity, index_capacity;
} triangles;

void triangles_free(triangles* t);

/// A vertex of the file through the node's matrix (row by row, the last column moves), then scale, up axis
/// and shift of the options.
vn_vec3 triangles_place(const import_options* options, const float m[16], const float v[3]);

/// Does the matrix turn outside in?
bool triangles_is_mirrored(const float m[16]);

// ------------------------------------------------------------------------------------------------ sending

typedef struct triangles_sink {
    FILE* out;
    const char* path;      ///< of the file that is read, for messages
    uint64_t bytes;        ///< of all files that were opened for it
    uint64_t sent;         ///< bytes of triangles so far
    struct opened* opened; ///< files that have been counted
    size_t opened_count;
} triangles_sink;

/// Sends an object; one without triangles is left out. Returns EXIT_DONE, or EXIT_BAD after a refusal when
/// all objects together have more bytes than apart_memory allows for the input: a small file that places one
/// mesh a million times.
int triangles_send(triangles_sink* sink, const char* name, const triangles* t);

/// May so many bytes of triangles still be sent? Else EXIT_BAD after a refusal.
int triangles_check_capacity(triangles_sink* sink, uint64_t bytes);

/// Sends the reason why the file cannot be used, with its path before it, and returns EXIT_BAD. Nothing
/// follows.
int triangles_refuse(triangles_sink* sink, const char* format, ...) SAY_PRINTF(2, 3);

/// All has been sent.
void triangles_end(triangles_sink* sink);

/// Opens a file that the input names, or the input itself. Null, and no refusal, if it is not there or is not
/// a regular file. `*size` is its size; the first time that a file is opened it counts as part of the input.
FILE* triangles_open(triangles_sink* sink, const char* path, uint64_t* size);

// ------------------------------------------------------------------------------------------------- taking

typedef enum triangles_record {
    TRIANGLES_OBJECT,
    TRIANGLES_GREW,    ///< the input is larger by `bytes`
    TRIANGLES_REFUSED, ///< `text` is the reason
    TRIANGLES_END,
    TRIANGLES_BROKEN ///< the stream ends early, or is not one of triangles
} triangles_record;

typedef struct triangles_taken {
    triangles object;
    char name[TRIANGLES_NAME];
    char* text; ///< to be freed
    uint64_t bytes;
} triangles_taken;

/// The next record; `out` is used again for each, begins as zero and is freed with triangles_free_taken.
triangles_record triangles_take(FILE* in, triangles_taken* out);
void triangles_free_taken(triangles_taken* taken);

#endif
