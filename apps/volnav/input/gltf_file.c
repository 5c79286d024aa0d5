/// volnav/input/gltf_file.c: the container of glTF: text alone, or the chunks of a .glb.
#include "input/gltf_file.h"

#include <stdlib.h>
#include <string.h>

static uint32_t word(const char* bytes) {
    uint32_t out = 0;
    for (int i = 0; i < 4; ++i) {
        out |= (uint32_t)(unsigned char)bytes[i] << (8 * i);
    }
    return out;
}

#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN  0x004e4942u

/// A .glb: head, chunk of JSON, chunk of data.
static int split(triangles_sink* sink, gltf_file* p) {
    const uint64_t total = p->size >= 12 ? word(p->bytes + 8) : UINT64_MAX;
    p->old = p->size >= 12 && word(p->bytes + 4) == 1;
    if (p->old) {
        return EXIT_DONE;
    }

    if (total > p->size || total < 20) {
        return triangles_refuse(sink, "the file ends too early, or its head is wrong: it has %llu bytes",
                                (unsigned long long)p->size);
    }

    const uint64_t text = word(p->bytes + 12);
    if (word(p->bytes + 16) != CHUNK_JSON || text > total - 20) {
        return triangles_refuse(sink, "its first chunk is not JSON, or goes beyond the end of the file");
    }

    p->text = p->bytes + 20;
    p->text_size = text;
    const uint64_t next = 20 + text;
    if (total - next >= 8 && word(p->bytes + next + 4) == CHUNK_BIN) {
        p->binary_size = word(p->bytes + next);
        p->binary = (uint8_t*)p->bytes + next + 8;
        if (p->binary_size > total - next - 8) {
            return triangles_refuse(sink, "its chunk of data goes beyond the end of the file");
        }
    }

    return EXIT_DONE;
}

int gltf_file_load(triangles_sink* sink, gltf_file* p) {
    FILE* file = triangles_open(sink, sink->path, &p->size);
    if (file == NULL) {
        return triangles_refuse(sink, "it cannot be read");
    }

    char first[4] = "";
    const size_t got = fread(first, 1, sizeof first, file);
    const bool is_binary = got == 4 && memcmp(first, "glTF", 4) == 0;
    if (!is_binary && (got == 0 || strchr("{ \t\r\n\xef", first[0]) == NULL || first[0] == '\0')) {
        fclose(file);
        return triangles_refuse(sink, "this is not glTF: it begins neither with glTF nor with {");
    }

    rewind(file);
    p->bytes = say_alloc((size_t)p->size + 1, 1);
    p->size = fread(p->bytes, 1, (size_t)p->size, file);
    fclose(file);
    p->text = p->bytes;
    p->text_size = p->size;

    return is_binary ? split(sink, p) : EXIT_DONE;
}

void gltf_file_free(gltf_file* p) {
    free(p->bytes);
}
