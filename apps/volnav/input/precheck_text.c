/// volnav/input/precheck_text.c: OBJ and text STL, line by line.
#include "input/precheck_text.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shell/args.h"

static const char blanks[] = " \t\v\f";

/// A file and its present line. A line ends with \n, \r or both; after a backslash it goes on in the next.
typedef struct lines {
    const char* path;
    FILE* file;
    char* text; ///< ended by 0
    size_t capacity, size;
    uint64_t number, next; ///< of the first line of `text`, and of the line after it; from 1
    bool zero;             ///< it ends before a byte 0: this is no text
    bool ended;            ///< false for a last line that ends with the file
} lines;

static int wrong(const lines* in, const char* reason) {
    return say_bad("%s:%llu: %s", in->path, (unsigned long long)in->number, reason);
}

static void put(lines* in, int c) {
    if (in->size + 1 >= in->capacity) {
        in->capacity = in->capacity == 0 ? 256 : 2 * in->capacity;
        in->text = say_resize(in->text, in->capacity, 1);
    }
    in->text[in->size++] = (char)c;
}

/// One byte of the file; \r and \r\n become \n.
static int get(lines* in) {
    int c = fgetc(in->file);
    if (c == '\r') {
        const int after = fgetc(in->file);
        if (after != '\n') {
            ungetc(after, in->file);
        }
        c = '\n';
    }

    in->next += c == '\n' ? 1 : 0;
    return c;
}

/// The next line into `text`; false at the end of the file.
static bool next_line(lines* in) {
    in->size = 0;
    in->number = in->next;
    int c = get(in);
    if (c == EOF) {
        return false;
    }

    for (; c != EOF && c != '\0'; c = get(in)) {
        const bool goes_on = c == '\n' && in->size > 0 && in->text[in->size - 1] == '\\';
        if (goes_on) {
            in->text[in->size - 1] = ' ';
        } else if (c == '\n') {
            break;
        } else {
            put(in, c);
        }
    }

    in->ended = c == '\n';
    in->zero = c == '\0';
    put(in, '\0');
    return true;
}

static void rewind_lines(lines* in) {
    rewind(in->file);
    in->next = 1;
    in->zero = false;
}

// --------------------------------------------------------------------------------------------------- OBJ

typedef enum obj_word { OBJ_OTHER, OBJ_VERTEX, OBJ_POINT, OBJ_LINE, OBJ_FACE } obj_word;

/// What the present line defines. `*rest` is what follows its first word.
static obj_word word_of(const lines* in, char** rest) {
    static const struct {
        char name;
        obj_word word;
    } words[] = {{'v', OBJ_VERTEX}, {'p', OBJ_POINT}, {'l', OBJ_LINE}, {'f', OBJ_FACE}};
    char* at = in->text + strspn(in->text, blanks);

    *rest = at + strcspn(at, blanks);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (*rest == at + 1 && *at == words[i].name) {
            return words[i].word;
        }
    }

    return OBJ_OTHER;
}

/// x y z, with a weight or a colour after them.
static int check_coordinates(const lines* in, char* rest) {
    int count = 0;
    for (char* word = strtok(rest, blanks); word != NULL; word = strtok(NULL, blanks)) {
        double value = 0;
        if (!args_real(word, &value) || fabs(value) > (double)FLT_MAX) {
            return say_bad("%s:%llu: '%.40s' is not a finite number", in->path,
                           (unsigned long long)in->number, word);
        }
        ++count;
    }

    return count == 3 || count == 4 || count == 6
               ? EXIT_DONE
               : wrong(in, "expected: v x y z, and perhaps a weight or a colour");
}

/// One corner: v, v/vt, v//vn or v/vt/vn; a negative v counts back from the last vertex so far.
static int check_corner(const lines* in, const char* word, uint64_t vertices, uint64_t so_far) {
    char* end = NULL;
    errno = 0;
    const long long index = strtoll(word, &end, 10);
    if (end == word || (*end != '\0' && *end != '/') || strspn(end, "-0123456789/") != strlen(end)) {
        return say_bad("%s:%llu: '%.40s' is not the number of a vertex", in->path,
                       (unsigned long long)in->number, word);
    }

    const bool there = index > 0 ? (uint64_t)index <= vertices
                                 : index < 0 && index > -LLONG_MAX && (uint64_t)-index <= so_far;
    if (errno != 0 || !there) {
        return say_bad("%s:%llu: there is no vertex %.*s; the file has %llu, counted from 1", in->path,
                       (unsigned long long)in->number, (int)(end - word), word, (unsigned long long)vertices);
    }

    return EXIT_DONE;
}

static int check_corners(const lines* in, obj_word kind, char* rest, uint64_t vertices, uint64_t so_far) {
    int count = 0;
    rest[strcspn(rest, "#")] = '\0';
    for (char* word = strtok(rest, blanks); word != NULL; word = strtok(NULL, blanks)) {
        const int code = check_corner(in, word, vertices, so_far);
        if (code != EXIT_DONE) {
            return code;
        }
        ++count;
    }

    if (count > PRECHECK_MAX_CORNERS) {
        return say_bad("%s:%llu: a face of %d corners: cut it up; %d at most", in->path,
                       (unsigned long long)in->number, count, PRECHECK_MAX_CORNERS);
    }

    const bool enough = count >= (kind == OBJ_FACE ? 3 : kind == OBJ_LINE ? 2 : 1);
    return enough ? EXIT_DONE : wrong(in, "a face needs three vertices or more, a line two, a point one");
}

static int check_obj_line(const lines* in, uint64_t vertices, uint64_t* so_far) {
    char* rest = NULL;
    const obj_word word = word_of(in, &rest);
    if (in->zero) {
        return wrong(in, "this is not text");
    }

    if (word == OBJ_OTHER) {
        return EXIT_DONE;
    }

    if (in->text[0] == ' ' || in->text[0] == '\t') {
        return wrong(in, "blanks before the first word, which the importer would skip; remove them");
    }

    if (word == OBJ_VERTEX) {
        ++*so_far;
        return check_coordinates(in, rest);
    }

    return check_corners(in, word, rest, vertices, *so_far);
}

/// Faces may name vertices that come later, so the vertices are counted first.
int precheck_obj(const char* path, FILE* file, say_warnings* warnings) {
    lines in = {.path = path, .file = file, .next = 1, .ended = true};
    uint64_t vertices = 0, so_far = 0;
    char* rest = NULL;
    while (!in.zero && next_line(&in)) { // what is no text is refused below, and need not be read whole
        vertices += word_of(&in, &rest) == OBJ_VERTEX ? 1 : 0;
    }

    rewind_lines(&in);
    int code = EXIT_DONE;
    while (code == EXIT_DONE && next_line(&in)) {
        code = check_obj_line(&in, vertices, &so_far);
    }

    assert(code != EXIT_DONE || so_far == vertices);
    if (code == EXIT_DONE && !in.ended) {
        say_warning(warnings, "%s:%llu: the last line has no end; the file may be truncated", path,
                    (unsigned long long)in.number);
    }

    free(in.text);
    return code;
}

// --------------------------------------------------------------------------------------------------- STL

/// The coordinates that follow the word vertex, wherever the lines break.
static int check_stl_line(const lines* in, int* missing, int* corners) {
    for (char* word = strtok(in->text, blanks); word != NULL; word = strtok(NULL, blanks)) {
        double value = 0;
        if (*missing > 0) {
            if (!args_real(word, &value) || fabs(value) > (double)FLT_MAX) {
                return say_bad("%s:%llu: '%.40s' is not a finite number; expected: vertex x y z", in->path,
                               (unsigned long long)in->number, word);
            }
            *corners += --*missing == 0 ? 1 : 0;
        } else if (strcmp(word, "vertex") == 0) {
            *missing = 3;
        } else if (strcmp(word, "endfacet") == 0) {
            if (*corners != 3) {
                return wrong(in, "a facet has three vertices; this one does not");
            }
            *corners = 0;
        }
    }

    return EXIT_DONE;
}

int precheck_text_stl(const char* path, FILE* file) {
    lines in = {.path = path, .file = file, .next = 1, .ended = true};
    int code = EXIT_DONE, missing = 0, corners = 0;
    while (code == EXIT_DONE && next_line(&in)) {
        if (in.zero) {
            code = wrong(&in, "this is not text");
            break;
        }
        const bool name = strncmp(in.text, "solid", 5) == 0 || strncmp(in.text, "endsolid", 8) == 0;
        code = name && missing == 0 ? EXIT_DONE : check_stl_line(&in, &missing, &corners);
    }

    free(in.text);
    return code;
}
