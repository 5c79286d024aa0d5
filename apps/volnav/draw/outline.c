/// volnav/draw/outline.c: tracing.
#include "draw/outline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Steps from one lattice point to the next, clockwise from straight down.
static const int steps[6][2] = {{0, 2}, {-1, 1}, {-1, -1}, {0, -2}, {1, -1}, {1, 1}};

/// Edges as sortable numbers: label, start point, direction.
typedef struct edge_list {
    uint64_t* keys;
    size_t count, capacity;
} edge_list;

static void push(edge_list* list, uint64_t key) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 1024;
        list->keys = say_resize(list->keys, list->capacity, sizeof *list->keys);
    }
    list->keys[list->count++] = key;
}

static int by_key(const void* a, const void* b) {
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/// True when the triangle's upright edge is its left one.
static bool leftward(const view* v, int u, int w) {
    return ((u + w - 1 + v->size[2]) & 1) == 0;
}

/// Index of a triangle, SIZE_MAX beyond the image.
static size_t triangle(const surface* s, int u, int w) {
    return u < 0 || w < 0 || u >= s->columns || w > s->rows ? SIZE_MAX : surface_at(s, u, w);
}

// ------------------------------------------------------------------------------------------------- areas

static uint64_t area_key(const surface* s, uint16_t label, int u, int v, int direction) {
    assert(u >= 0 && v >= -1 && direction >= 0 && direction < 6);
    const uint64_t point = (uint64_t)u * (uint64_t)(s->rows + 3) + (uint64_t)(v + 1);
    return (uint64_t)label << 48 | point << 4 | (uint64_t)direction;
}

static uint64_t key_point(uint64_t key) {
    return key >> 4 & 0xfffffffffffull;
}

/// Pushes the edges of a triangle beyond which the label changes, with the triangle on their right.
static void push_triangle(edge_list* list, const view* v, const surface* s, const uint16_t* labels, int u,
                          int w) {
    const uint16_t label = labels[surface_at(s, u, w)];
    const bool left = leftward(v, u, w);
    const int beyond[3][2] = {
        {left ? u : u + 1, left ? w - 1 : w}, {u, w + 1}, {left ? u - 1 : u, left ? w : w - 1}};
    const int start[3][2] = {{left ? u : u + 1, w - 1}, {u + 1, left ? w : w + 1}, {u, left ? w + 1 : w}};

    const int direction[3] = {left ? 5 : 0, left ? 1 : 2, left ? 3 : 4};
    for (int i = 0; i < 3; ++i) {
        const size_t other = triangle(s, beyond[i][0], beyond[i][1]);
        if (other == SIZE_MAX || labels[other] != label) {
            push(list, area_key(s, label, start[i][0], start[i][1], direction[i]));
        }
    }
}

/// The first edge of that label from that point that has not been used; the list's end if there is none.
static size_t find_edge(const edge_list* list, const uint8_t* used, uint64_t from) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->keys[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    for (; low < list->count && list->keys[low] >> 4 == from >> 4; ++low) {
        if (used[low] == 0) {
            return low;
        }
    }

    return list->count;
}

static void add_step(svg_text* out, int direction, int length) {
    if (length == 0) {
        return;
    }

    assert(direction >= 0 && direction < 6);
    if (steps[direction][0] == 0) {
        svg_add_char(out, 'v');
        svg_add_int(out, steps[direction][1] * length);
    } else {
        svg_add_char(out, 'l');
        svg_add_int(out, steps[direction][0] * length);
        svg_add_int(out, steps[direction][1] * length);
    }
}

/// One closed line, from edge `at`.
static void trace(svg_text* out, const edge_list* list, uint8_t* used, const surface* s, size_t at) {
    const uint64_t label = list->keys[at] >> 48, width = (uint64_t)s->rows + 3,
                   point = key_point(list->keys[at]);
    int u = (int)(point / width), v = (int)(point % width) - 1, direction = -1, length = 0;
    svg_add_char(out, 'M');
    svg_add_int(out, u);

    svg_add_int(out, v);
    while (at < list->count) {
        const int next = (int)(list->keys[at] & 15);
        used[at] = 1;
        if (next != direction && direction >= 0) {
            add_step(out, direction, length);
            length = 0;
        }

        direction = next;
        ++length;
        u += steps[next][0];
        v += steps[next][1];
        at = find_edge(list, used, area_key(s, (uint16_t)label, u, v, 0));
    }

    assert((uint64_t)u * width + (uint64_t)(v + 1) == point); // every outline is closed
    svg_add_char(out, 'z');                                   // closes along the last run
}

void outline_areas(svg_text* out, const view* v, const surface* s, const uint16_t* labels,
                   outline_open* open) {
    edge_list list = {0};
    for (int u = 0; u < s->columns; ++u) {
        for (int w = 0; w <= s->rows; ++w) {
            if (labels[surface_at(s, u, w)] != 0) {
                push_triangle(&list, v, s, labels, u, w);
            }
        }
    }

    if (list.count > 0) {
        qsort(list.keys, list.count, sizeof *list.keys, by_key);
    }

    uint8_t* used = say_alloc(list.count, 1);
    uint64_t current = 0;
    for (size_t i = 0; i < list.count; ++i) {
        if (used[i] != 0) {
            continue;
        }

        if (list.keys[i] >> 48 != current) {
            svg_add(out, "%s", current != 0 ? "\"/>\n" : "");
            current = list.keys[i] >> 48;
            open(out, (uint16_t)current);
            svg_add(out, " d=\"");
        }

        trace(out, &list, used, s, i);
    }

    svg_add(out, "%s", current != 0 ? "\"/>\n" : "");
    free(used);
    free(list.keys);
}

// ------------------------------------------------------------------------------------------------- lines

enum { UPRIGHT = 0, FALLING = 1, RISING = 2, LINE_SHIFT = 24, LINE_BIAS = 1 << 20 };

/// Lines as direction, which line, where on it.
static uint64_t line_key(int direction, int u, int v) {
    const int line = direction == UPRIGHT ? u : direction == FALLING ? v - u : v + u;
    const int place = direction == UPRIGHT ? v : u;
    return (uint64_t)direction << 50 | (uint64_t)(line + LINE_BIAS) << LINE_SHIFT | (uint64_t)(place + 1);
}

static void push_lines(edge_list* list, const view* v, const surface* s, outline_between* between, int u,
                       int w) {
    const bool left = leftward(v, u, w);
    const size_t here = triangle(s, u, w);
    if (between(v, s, here, triangle(s, u, w + 1))) {
        push(list, left ? line_key(RISING, u, w + 1) : line_key(FALLING, u, w));
    }

    if (left && between(v, s, here, triangle(s, u - 1, w))) {
        push(list, line_key(UPRIGHT, u, w - 1));
    }
}

static void add_line(svg_text* out, uint64_t key, int length) {
    const int direction = (int)(key >> 50), line = (int)(key >> LINE_SHIFT & 0x3ffffff) - LINE_BIAS;
    const int place = (int)(key & 0xffffff) - 1;
    svg_add_char(out, 'M');
    svg_add_int(out, direction == UPRIGHT ? line : place);
    svg_add_int(out, direction == UPRIGHT ? place : direction == FALLING ? line + place : line - place);
    add_step(out, direction == UPRIGHT ? 0 : direction == FALLING ? 5 : 4, length);
}

void outline_lines(svg_text* out, const view* v, const surface* s, outline_between* between) {
    edge_list list = {0};
    for (int u = 0; u < s->columns; ++u) {
        for (int w = 0; w < s->rows; ++w) {
            push_lines(&list, v, s, between, u, w);
        }
    }

    if (list.count > 0) {
        qsort(list.keys, list.count, sizeof *list.keys, by_key);
    }

    for (size_t i = 0; i < list.count;) {
        const uint64_t step = list.keys[i] >> 50 == UPRIGHT ? 2 : 1;
        size_t end = i + 1;
        while (end < list.count && list.keys[end] == list.keys[end - 1] + step) {
            ++end;
        }

        add_line(out, list.keys[i], (int)(end - i));
        i = end;
    }

    free(list.keys);
}
