/// volnav/input/precheck.c: which check for which file; PLY by its own header, STL by its end.
#include "input/precheck.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/precheck_text.h"
#include "shell/args.h"
#include "shell/system.h"

enum { MAX_PROPERTIES = 64, MAX_ELEMENTS = 16, MAX_WORD = 256 };

typedef struct property {
    int size, count_size; ///< bytes of the value and, for a list, of its count (0: no list)
    bool real, count_real, indices;
} property;

typedef struct element {
    char name[64];
    uint64_t count;
    property properties[MAX_PROPERTIES];
    int property_count;
} element;

typedef struct ply {
    const char* path;
    FILE* file;
    unsigned line;
    bool ascii, big_endian;
    element elements[MAX_ELEMENTS];
    int element_count;
    uint64_t vertices;
} ply;

static int wrong(const ply* p, const char* reason) {
    if (p->line > 0) {
        return say_bad("%s:%u: %s", p->path, p->line, reason);
    }
    return say_bad("%s: %s", p->path, reason);
}

// ------------------------------------------------------------------------------------------------ header

/// One line of the header, without its end. False at the end of the file or if it is too long.
static bool header_line(ply* p, char* line, size_t size) {
    size_t used = 0;
    int c = fgetc(p->file);
    for (; c != EOF && c != '\n' && used + 1 < size; c = fgetc(p->file)) {
        if (c != '\r') {
            line[used++] = (char)c;
        }
    }

    line[used] = '\0';
    ++p->line;
    return c == '\n';
}

static bool type_of(const char* word, int* size, bool* real) {
    static const struct {
        const char* name;
        int size;
    } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
                 {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};

    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        if (strcmp(word, types[i].name) == 0) {
            *size = types[i].size;
            *real = types[i].name[0] == 'f' || types[i].name[0] == 'd';
            return true;
        }
    }

    return false;
}

static int add_element(ply* p, const char* name, const char* count) {
    if (p->element_count == MAX_ELEMENTS) {
        return wrong(p, "more than 16 elements");
    }

    element* e = &p->elements[p->element_count++];
    snprintf(e->name, sizeof e->name, "%.63s", name);
    if (!args_count(count, &e->count)) {
        return wrong(p, "expected: element NAME COUNT");
    }

    if (strcmp(name, "vertex") == 0) {
        p->vertices = e->count;
    }

    return EXIT_DONE;
}

static int add_property(ply* p, char words[5][MAX_WORD], int count) {
    element* e = p->element_count > 0 ? &p->elements[p->element_count - 1] : NULL;
    if (e == NULL || e->property_count == MAX_PROPERTIES) {
        return wrong(p, e == NULL ? "a property before the first element" : "more than 64 properties");
    }

    property* q = &e->properties[e->property_count++];
    const bool list = strcmp(words[1], "list") == 0;
    const int type = list ? 3 : 1;
    const bool good = count == (list ? 5 : 3) && type_of(words[type], &q->size, &q->real) &&
                      (!list || type_of(words[2], &q->count_size, &q->count_real));

    if (!good || (list && q->count_real)) {
        return wrong(p, "expected: property TYPE NAME or property list TYPE TYPE NAME");
    }

    q->indices = list && (strcmp(words[4], "vertex_indices") == 0 || strcmp(words[4], "vertex_index") == 0);
    return EXIT_DONE;
}

static int set_format(ply* p, const char* word) {
    p->ascii = strcmp(word, "ascii") == 0;
    p->big_endian = strcmp(word, "binary_big_endian") == 0;
    const bool known = p->ascii || p->big_endian || strcmp(word, "binary_little_endian") == 0;
    return known ? EXIT_DONE : wrong(p, "unknown format");
}

/// Reads up to and with end_header.
static int read_header(ply* p) {
    char line[1024], words[5][MAX_WORD];
    bool formatted = false;
    if (!header_line(p, line, sizeof line) || strcmp(line, "ply") != 0) {
        return wrong(p, "this is not a PLY file");
    }

    for (int code = EXIT_DONE; code == EXIT_DONE;) {
        if (!header_line(p, line, sizeof line)) {
            return wrong(p, "the header has no end_header");
        }

        const int count =
            sscanf(line, "%255s%255s%255s%255s%255s", words[0], words[1], words[2], words[3], words[4]);
        if (count < 1 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0) {
            continue;
        }

        if (strcmp(words[0], "end_header") == 0) {
            return formatted ? EXIT_DONE : wrong(p, "the header names no format");
        }

        if (strcmp(words[0], "format") == 0 && count == 3) {
            formatted = true;
            code = set_format(p, words[1]);
        } else if (strcmp(words[0], "element") == 0 && count == 3) {
            code = add_element(p, words[1], words[2]);
        } else if (strcmp(words[0], "property") == 0) {
            code = add_property(p, words, count);
        } else {
            code = wrong(p, "unknown line in the header");
        }
    }

    return EXIT_BAD;
}

// -------------------------------------------------------------------------------------------------- body

static bool ascii_value(ply* p, double* out) {
    char word[64];
    size_t used = 0;
    int c = fgetc(p->file);
    for (; c != EOF && isspace(c) != 0; c = fgetc(p->file)) {
        p->line += c == '\n' ? 1 : 0;
    }

    for (; c != EOF && isspace(c) == 0 && used + 1 < sizeof word; c = fgetc(p->file)) {
        word[used++] = (char)c;
    }

    word[used] = '\0';
    ungetc(c, p->file);
    return args_real(word, out);
}

static bool binary_value(ply* p, int size, bool real, double* out) {
    unsigned char bytes[8];
    if (fread(bytes, 1, (size_t)size, p->file) != (size_t)size) {
        return false;
    }

    uint64_t bits = 0;
    for (int i = 0; i < size; ++i) {
        bits |= (uint64_t)bytes[p->big_endian ? size - 1 - i : i] << (8 * i);
    }

    *out = real ? 0 : (double)bits; // whether a coordinate is finite is for the world to say
    return true;
}

static bool value(ply* p, int size, bool real, double* out) {
    return p->ascii ? ascii_value(p, out) : binary_value(p, size, real, out);
}

static int read_property(ply* p, const property* q) {
    double count = 1, v = 0;
    if (q->count_size > 0 && !value(p, q->count_size, false, &count)) {
        return wrong(p, "the file ends too early, or this is not a number");
    }

    if (count < 0 || (q->indices && (count < 3 || count > PRECHECK_MAX_CORNERS))) {
        return wrong(p, "a face needs three vertices or more, and 16384 at most");
    }

    for (double i = 0; i < count; ++i) {
        if (!value(p, q->size, q->real, &v)) {
            return wrong(p, "the file ends too early, or this is not a finite number");
        }
        if (q->indices && !(v >= 0 && v < (double)p->vertices)) {
            return wrong(p, "a face names a vertex that does not exist");
        }
    }

    return EXIT_DONE;
}

static int read_body(ply* p) {
    p->line = p->ascii ? p->line + 1 : 0;
    for (int e = 0; e < p->element_count; ++e) {
        const element* one = &p->elements[e];
        for (uint64_t i = 0; i < one->count && one->property_count > 0; ++i) {
            for (int q = 0; q < one->property_count; ++q) {
                const int code = read_property(p, &one->properties[q]);
                if (code != EXIT_DONE) {
                    return code;
                }
            }
        }
    }

    return EXIT_DONE;
}

/// An element takes a byte for each property at least, in text two. So what the header announces is compared
/// with what is there before it is followed.
static int check_counts(ply* p) {
    const uint64_t size = system_file_size(p->path);
    for (int e = 0; e < p->element_count; ++e) {
        const element* one = &p->elements[e];
        uint64_t least = 0;
        for (int q = 0; q < one->property_count; ++q) {
            const property* each = &one->properties[q];
            least += p->ascii ? 2 : (uint64_t)(each->count_size > 0 ? each->count_size : each->size);
        }

        if (least > 0 && one->count > size / least + 1) {
            return say_bad("%s: the file ends too early for the %llu elements '%s' that it announces",
                           p->path, (unsigned long long)one->count, one->name);
        }
    }

    return EXIT_DONE;
}

static int check_ply(const char* path, FILE* file) {
    ply* p = say_alloc(1, sizeof *p);
    p->path = path;
    p->file = file;
    int code = read_header(p);
    if (code == EXIT_DONE) {
        code = check_counts(p);
    }

    if (code == EXIT_DONE) {
        code = read_body(p);
    }

    free(p);
    return code;
}

// --------------------------------------------------------------------------------------------------- STL

/// A text STL ends with endsolid; the length of a binary one follows from its count.
static int check_stl(const char* path, FILE* file) {
    unsigned char head[84];
    char tail[4097] = "";
    const size_t got = fread(head, 1, sizeof head, file);
    const bool sought = fseek(file, 0, SEEK_END) == 0;
    const long size = sought ? ftell(file) : -1;
    const uint32_t count = got < sizeof head ? 0
                                             : (uint32_t)head[80] | (uint32_t)head[81] << 8 |
                                                   (uint32_t)head[82] << 16 | (uint32_t)head[83] << 24;

    if (got == sizeof head && count == 0 && memcmp(head, "solid", 5) != 0) {
        return say_bad("%s: there are no triangles in it", path);
    }

    if (size < 0 || (got == sizeof head && (int64_t)size >= 84 + 50 * (int64_t)count)) {
        return EXIT_DONE;
    }

    if (got < 5 || memcmp(head, "solid", 5) != 0) {
        return say_bad("%s: the file ends too early for the %u triangles that it announces", path,
                       (unsigned)count);
    }

    fseek(file, size > 4096 ? size - 4096 : 0, SEEK_SET);
    tail[fread(tail, 1, 4096, file)] = '\0';
    if (strstr(tail, "endsolid") == NULL) {
        return say_bad("%s: the file ends before endsolid", path);
    }

    rewind(file);
    return precheck_text_stl(path, file);
}

int precheck_mesh(const char* path, say_warnings* warnings) {
    const bool is_ply = system_ends_with(path, ".ply"), is_stl = system_ends_with(path, ".stl");
    const bool known = is_ply || is_stl || system_ends_with(path, ".obj");
    FILE* file = known ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return EXIT_DONE; // the importer says why it cannot be opened
    }

    const int code = is_ply   ? check_ply(path, file)
                     : is_stl ? check_stl(path, file)
                              : precheck_obj(path, file, warnings);
    fclose(file);
    return code;
}
