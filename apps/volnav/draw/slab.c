/// volnav/draw/slab.c: collecting a layer.
#include "draw/slab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

#define MAX_PLACES (1ull << 28)

void layer_axes(int axis, int* right, int* other) {
    *right = axis == 0 ? 2 : 0;
    *other = axis == 1 ? 2 : 1;
}

layer_rect layer_extent(const vn_space* space, int axis) {
    int right, other;
    vn_space_info info;
    vn_space_get_info(space, &info);
    layer_axes(axis, &right, &other);
    return (layer_rect){{0, 0}, {layer_of(info.dims, right), layer_of(info.dims, other)}};
}

/// The voxel at (a, b) of layer c.
static vn_voxel voxel_at(const layer* l, int32_t a, int32_t b, int32_t c) {
    int32_t at[3];
    at[l->right] = a;
    at[l->other] = b;
    at[l->axis] = c;
    return (vn_voxel){at[0], at[1], at[2]};
}

/// The array with room for one more.
static void* reserve(void* array, size_t count, size_t* capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    *capacity = 2 * *capacity + 64;
    return say_resize(array, *capacity, size);
}

// ----------------------------------------------------------------------------------------------- blocked

typedef struct bitmap {
    layer* l;
    uint8_t* places; ///< of the window, row after row
    int32_t wide, high;
} bitmap;

static bool mark_run(void* user, vn_voxel first, int32_t length) {
    bitmap* map = user;
    const layer* l = map->l;
    for (int32_t i = 0; i < length; i++) {
        const vn_voxel v = {first.x + i, first.y, first.z};
        const size_t a = (size_t)(layer_of(v, l->right) - l->window.low[0]);
        const size_t b = (size_t)(layer_of(v, l->other) - l->window.low[1]);
        map->places[b * (size_t)map->wide + a] = 1;
    }

    map->l->blocked_voxels += (uint64_t)length;
    return true;
}

/// Adds the run [from, to) of row b: as one more row of the rectangle above it if that is as wide. `above`
/// holds by first column 1 + the rectangle that was last added there.
static void add_run(layer* l, size_t* above, int32_t from, int32_t to, int32_t b) {
    const size_t column = (size_t)(from - l->window.low[0]);
    if (above[column] > 0) {
        layer_rect* rect = &l->blocked[above[column] - 1];
        if (rect->high[0] == to && rect->high[1] == b) {
            rect->high[1] = b + 1;
            return;
        }
    }

    l->blocked = reserve(l->blocked, l->blocked_count, &l->blocked_capacity, sizeof *l->blocked);
    l->blocked[l->blocked_count++] = (layer_rect){{from, b}, {to, b + 1}};
    above[column] = l->blocked_count;
}

static void join_runs(const bitmap* map) {
    layer* l = map->l;
    size_t* above = say_alloc((size_t)map->wide, sizeof *above);
    for (int32_t b = 0; b < map->high; b++) {
        const uint8_t* row = map->places + (size_t)b * (size_t)map->wide;
        for (int32_t a = 0; a < map->wide; a++) {
            int32_t end = a;
            while (end < map->wide && row[end] != 0) {
                end++;
            }

            if (end > a) {
                add_run(l, above, l->window.low[0] + a, l->window.low[0] + end, l->window.low[1] + b);
                a = end;
            }
        }
    }

    free(above);
}

static int find_blocked(layer* l) {
    bitmap map = {l, NULL, l->window.high[0] - l->window.low[0], l->window.high[1] - l->window.low[1]};
    const uint64_t places = (uint64_t)map.wide * (uint64_t)map.high;
    if (places > MAX_PLACES) {
        return say_bad("the slice has %llu voxels, too many for a picture; give a coarser --resolution, or "
                       "smaller --bounds",
                       (unsigned long long)places);
    }

    map.places = say_alloc((size_t)places, 1);
    vn_space_visit_blocked(l->space, voxel_at(l, l->window.low[0], l->window.low[1], l->number),
                           voxel_at(l, l->window.high[0], l->window.high[1], l->number + 1), mark_run, &map);
    join_runs(&map);
    free(map.places);

    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------------- cells

static bool add_cell(void* user, vn_voxel low, vn_voxel high) {
    layer* l = user;
    l->cells = reserve(l->cells, l->cell_count, &l->cell_capacity, sizeof *l->cells);
    layer_cell* cell = &l->cells[l->cell_count++];
    cell->rect.low[0] = layer_of(low, l->right);
    cell->rect.low[1] = layer_of(low, l->other);
    cell->rect.high[0] = layer_of(high, l->right);
    cell->rect.high[1] = layer_of(high, l->other);
    cell->volume = (uint64_t)(high.x - low.x) * (uint64_t)(high.y - low.y) * (uint64_t)(high.z - low.z);

    return true;
}

static int by_right(const void* x, const void* y) {
    const layer_cell *a = x, *b = y;
    const int order = (a->rect.low[0] > b->rect.low[0]) - (a->rect.low[0] < b->rect.low[0]);
    return order != 0 ? order : (a->rect.low[1] > b->rect.low[1]) - (a->rect.low[1] < b->rect.low[1]);
}

static int by_other(const void* x, const void* y) {
    const layer_cell *a = x, *b = y;
    const int order = (a->rect.low[1] > b->rect.low[1]) - (a->rect.low[1] < b->rect.low[1]);
    return order != 0 ? order : (a->rect.low[0] > b->rect.low[0]) - (a->rect.low[0] < b->rect.low[0]);
}

/// The first cell, in their order along `across`, that begins at `at` or later.
static size_t first_from(const layer* l, int across, int32_t at) {
    size_t low = 0, high = l->cell_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (l->cells[middle].rect.low[across] < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return low;
}

/// Portals over the lines where a cell ends along `across` and others begin; sorts the cells.
static void find_portals(layer* l, int across) {
    const int along = 1 - across;
    if (l->cell_count > 0) {
        qsort(l->cells, l->cell_count, sizeof *l->cells, across == 0 ? by_right : by_other);
    }

    for (size_t i = 0; i < l->cell_count; i++) {
        const layer_rect* a = &l->cells[i].rect;
        const int32_t at = a->high[across];
        for (size_t k = first_from(l, across, at); k < l->cell_count; k++) {
            const layer_rect* b = &l->cells[k].rect;
            if (b->low[across] != at || b->low[along] >= a->high[along]) {
                break;
            }

            const int32_t low = a->low[along] > b->low[along] ? a->low[along] : b->low[along];
            const int32_t high = a->high[along] < b->high[along] ? a->high[along] : b->high[along];
            if (low < high) {
                l->portals = reserve(l->portals, l->portal_count, &l->portal_capacity, sizeof *l->portals);
                l->portals[l->portal_count++] = (layer_portal){across, at, low, high};
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- the whole

int layer_make(const vn_space* space, int axis, int32_t number, layer_rect window, layer* out) {
    assert(axis >= 0 && axis < 3 && number >= 0);
    assert(window.low[0] < window.high[0] && window.low[1] < window.high[1]);
    memset(out, 0, sizeof *out);
    out->space = space;
    out->axis = axis;
    out->number = number;
    out->window = window;
    vn_space_get_info(space, &out->info);
    layer_axes(axis, &out->right, &out->other);

    const int code = find_blocked(out);
    if (code == EXIT_DONE) {
        vn_space_visit_cells(space, voxel_at(out, window.low[0], window.low[1], number),
                             voxel_at(out, window.high[0], window.high[1], number + 1), add_cell, out);
        find_portals(out, 1);
        find_portals(out, 0);
    }

    return code;
}

void layer_free(layer* l) {
    free(l->cells);
    free(l->blocked);
    free(l->portals);
    memset(l, 0, sizeof *l);
}
