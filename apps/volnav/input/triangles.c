/// volnav/input/triangles.c: placing, sending and taking triangles.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "input/triangles.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/apart.h"

/// Files that one input may name and that count; further ones are read without more room for them.
#define MAX_OPENED 256

#define MAX_TEXT 4096

/// Elements that are read at once; what has arrived is what memory is taken for.
#define CHUNK ((size_t)1 << 16)

#define MAGIC 0x736d6574u

struct opened {
    uint64_t device, file;
};

typedef struct record_head {
    uint32_t magic, kind;
    uint64_t text; ///< bytes of the name or the reason; of TRIANGLES_GREW: by how much
    uint64_t vertices, indices;
} record_head;

void triangles_free(triangles* t) {
    free(t->vertices);
    free(t->indices);
    memset(t, 0, sizeof *t);
}

// ------------------------------------------------------------------------------------------------ placing

bool triangles_is_mirrored(const float m[16]) {
    const double a1 = (double)m[0], a2 = (double)m[1], a3 = (double)m[2];
    const double b1 = (double)m[4], b2 = (double)m[5], b3 = (double)m[6];
    const double c1 = (double)m[8], c2 = (double)m[9], c3 = (double)m[10];
    return a1 * (b2 * c3 - b3 * c2) - a2 * (b1 * c3 - b3 * c1) + a3 * (b1 * c2 - b2 * c1) < 0;
}

static double row(const float* m, double x, double y, double z) {
    return (double)m[0] * x + (double)m[1] * y + (double)m[2] * z + (double)m[3];
}

vn_vec3 triangles_place(const import_options* options, const float m[16], const float v[3]) {
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2], s = options->scale;
    const double px = s * row(m, x, y, z), py = s * row(m + 4, x, y, z), pz = s * row(m + 8, x, y, z);
    vn_dvec3 out = {px, py, pz};
    if (options->up == 'z') {
        out = (vn_dvec3){px, pz, -py};
    } else if (options->up == 'x') {
        out = (vn_dvec3){-py, px, pz};
    }

    const vn_dvec3 shift = options->shift;
    return (vn_vec3){(float)(out.x + shift.x), (float)(out.y + shift.y), (float)(out.z + shift.z)};
}

// ------------------------------------------------------------------------------------------------ sending

static void send(triangles_sink* sink, const void* data, size_t size) {
    if (size > 0) {
        fwrite(data, 1, size, sink->out); // the parent sees that something is missing
    }
}

static void send_head(triangles_sink* sink, triangles_record kind, uint64_t text, const triangles* t) {
    record_head head = {MAGIC, (uint32_t)kind, text, 0, 0};
    if (t != NULL) {
        head.vertices = t->vertex_count;
        head.indices = t->index_count;
    }
    send(sink, &head, sizeof head);
}

int triangles_check_capacity(triangles_sink* sink, uint64_t bytes) {
    const uint64_t most = apart_memory(sink->bytes);
    return bytes <= most && sink->sent <= most - bytes
               ? EXIT_DONE
               : triangles_refuse(sink, "it places more than %llu MB of triangles; is it a real model?",
                                  (unsigned long long)(most >> 20));
}

int triangles_send(triangles_sink* sink, const char* name, const triangles* t) {
    const size_t length = strlen(name) < TRIANGLES_NAME ? strlen(name) : TRIANGLES_NAME - 1;
    if (t->index_count == 0) {
        return EXIT_DONE;
    }

    if (t->vertex_count > UINT32_MAX || t->index_count / 3 > UINT32_MAX) {
        return triangles_refuse(sink, "mesh '%.200s' has more than 2^32 vertices or triangles", name);
    }

    const uint64_t bytes = t->vertex_count * sizeof *t->vertices + t->index_count * sizeof *t->indices;
    const int code = triangles_check_capacity(sink, bytes);
    if (code != EXIT_DONE) {
        return code;
    }

    sink->sent += bytes;
    send_head(sink, TRIANGLES_OBJECT, length, t);
    send(sink, name, length);
    send(sink, t->vertices, t->vertex_count * sizeof *t->vertices);
    send(sink, t->indices, t->index_count * sizeof *t->indices);

    return EXIT_DONE;
}

int triangles_refuse(triangles_sink* sink, const char* format, ...) {
    char text[MAX_TEXT];
    int length = snprintf(text, sizeof text / 2, "%s: ", sink->path);
    if (length >= (int)sizeof text / 2) {
        length = (int)sizeof text / 2 - 1;
    }

    va_list args;
    va_start(args, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, args);
    va_end(args);
    send_head(sink, TRIANGLES_REFUSED, strlen(text), NULL);
    send(sink, text, strlen(text));

    return EXIT_BAD;
}

void triangles_end(triangles_sink* sink) {
    send_head(sink, TRIANGLES_END, 0, NULL);
    free(sink->opened);
    sink->opened = NULL;
}

/// The first time: the limits grow, here and in what the parent says about them.
static void count(triangles_sink* sink, const struct stat* found) {
    const struct opened file = {(uint64_t)found->st_dev, (uint64_t)found->st_ino};
    for (size_t i = 0; i < sink->opened_count; ++i) {
        if (sink->opened[i].device == file.device && sink->opened[i].file == file.file) {
            return;
        }
    }

    if (sink->opened_count == MAX_OPENED) {
        return;
    }

    if (sink->opened == NULL) {
        sink->opened = say_alloc(MAX_OPENED, sizeof *sink->opened);
    }

    sink->opened[sink->opened_count++] = file;
    if (sink->opened_count == 1) {
        return; // the input itself, which counts from the beginning
    }

    sink->bytes += (uint64_t)found->st_size;
    send_head(sink, TRIANGLES_GREW, (uint64_t)found->st_size, NULL);
    apart_grow((uint64_t)found->st_size);
}

FILE* triangles_open(triangles_sink* sink, const char* path, uint64_t* size) {
    struct stat found;
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode)) {
        return NULL;
    }

    FILE* file = fopen(path, "rb");
    if (file != NULL) {
        *size = (uint64_t)found.st_size;
        count(sink, &found);
    }

    return file;
}

// ------------------------------------------------------------------------------------------------- taking

/// Reads `count` elements into an array that grows as they arrive.
static bool take_array(FILE* in, void** array, size_t* capacity, uint64_t count, size_t size) {
    for (size_t done = 0; done < count;) {
        const size_t left = (size_t)(count - done), now = left < CHUNK ? left : CHUNK;
        if (done + now > *capacity) {
            const size_t twice = 2 * *capacity, more = twice > done + now ? twice : done + now;
            *capacity = more < count ? more : (size_t)count;
            *array = say_resize(*array, *capacity, size);
        }

        if (fread((char*)*array + done * size, size, now, in) != now) {
            return false;
        }

        done += now;
    }

    return true;
}

static bool take_object(FILE* in, const record_head* head, triangles_taken* out) {
    triangles* t = &out->object;
    void *vertices = t->vertices, *indices = t->indices;
    if (head->text >= TRIANGLES_NAME || head->vertices > UINT32_MAX || head->indices > 3ull * UINT32_MAX ||
        head->indices % 3 != 0 || fread(out->name, 1, (size_t)head->text, in) != head->text) {
        return false;
    }

    out->name[head->text] = '\0';
    bool good = take_array(in, &vertices, &t->vertex_capacity, head->vertices, sizeof *t->vertices);
    good = good && take_array(in, &indices, &t->index_capacity, head->indices, sizeof *t->indices);
    t->vertices = vertices;
    t->indices = indices;
    t->vertex_count = (size_t)head->vertices;

    t->index_count = (size_t)head->indices;
    for (size_t i = 0; good && i < t->index_count; ++i) {
        good = t->indices[i] < t->vertex_count;
    }

    return good;
}

static bool take_text(FILE* in, uint64_t length, triangles_taken* out) {
    if (length >= MAX_TEXT) {
        return false;
    }
    free(out->text);
    out->text = say_alloc((size_t)length + 1, 1);
    return fread(out->text, 1, (size_t)length, in) == length;
}

triangles_record triangles_take(FILE* in, triangles_taken* out) {
    record_head head;
    if (fread(&head, 1, sizeof head, in) != sizeof head || head.magic != MAGIC) {
        return TRIANGLES_BROKEN;
    }
    switch (head.kind) {
    case TRIANGLES_OBJECT: return take_object(in, &head, out) ? TRIANGLES_OBJECT : TRIANGLES_BROKEN;
    case TRIANGLES_GREW: out->bytes = head.text; return TRIANGLES_GREW;
    case TRIANGLES_REFUSED: return take_text(in, head.text, out) ? TRIANGLES_REFUSED : TRIANGLES_BROKEN;
    case TRIANGLES_END: return TRIANGLES_END;
    default: return TRIANGLES_BROKEN;
    }
}

void triangles_free_taken(triangles_taken* taken) {
    triangles_free(&taken->object);
    free(taken->text);
    taken->text = NULL;
}
