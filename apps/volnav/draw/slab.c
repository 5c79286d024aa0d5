/// volnav/draw/slab.c: collects blocked voxels, cells and portals of a slab.
#include "draw/slab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "shell/say.h"

#define MAX_PLACES (1ull << 28)

void slab_axes(int axis, int* right, int* other) {
    *right = axis == 0 ? 2 : 0;
    *other = axis == 1 ? 2 : 1;
}

slab_rect slab_extent(const vn_space* space, int axis) {
    int right, other;
    vn_space_info info;
    vn_space_get_info(space, &info);
    slab_axes(axis, &right, &other);
    return (slab_rect){{0, 0}, {slab_along(info.dims, right), slab_along(info.dims, other)}};
}

/// The voxel at (a, b) of slab c.
static vn_voxel voxel_at(const slab* s, int32_t a, int32_t b, int32_t c) {
    int32_t at[3];
    at[s->right] = a;
    at[s->other] = b;
    at[s->axis] = c;
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
    slab* s;
    uint8_t* places; ///< of the window, row after row
    int32_t wide, high;
} bitmap;

static bool mark_run(void* user, vn_voxel first, int32_t length) {
    bitmap* map = user;
    const slab* s = map->s;
    for (int32_t i = 0; i < length; ++i) {
        const vn_voxel v = {first.x + i, first.y, first.z};
        const size_t a = (size_t)(slab_along(v, s->right) - s->window.low[0]);
        const size_t b = (size_t)(slab_along(v, s->other) - s->window.low[1]);
        map->places[b * (size_t)map->wide + a] = 1;
    }

    map->s->blocked_voxels += (uint64_t)length;
    return true;
}

/// Adds the run [from, to) of row b: as one more row of the rectangle above it if that is as wide. `above`
/// holds by first column 1 + the rectangle that was last added there.
static void add_run(slab* s, size_t* above, int32_t from, int32_t to, int32_t b) {
    const size_t column = (size_t)(from - s->window.low[0]);
    if (above[column] > 0) {
        slab_rect* rect = &s->blocked[above[column] - 1];
        if (rect->high[0] == to && rect->high[1] == b) {
            rect->high[1] = b + 1;
            return;
        }
    }

    s->blocked = reserve(s->blocked, s->blocked_count, &s->blocked_capacity, sizeof *s->blocked);
    s->blocked[s->blocked_count++] = (slab_rect){{from, b}, {to, b + 1}};
    above[column] = s->blocked_count;
}

static void join_runs(const bitmap* map) {
    slab* s = map->s;
    size_t* above = say_alloc((size_t)map->wide, sizeof *above);
    for (int32_t b = 0; b < map->high; ++b) {
        const uint8_t* row = map->places + (size_t)b * (size_t)map->wide;
        for (int32_t a = 0; a < map->wide; ++a) {
            int32_t end = a;
            while (end < map->wide && row[end] != 0) {
                ++end;
            }

            if (end > a) {
                add_run(s, above, s->window.low[0] + a, s->window.low[0] + end, s->window.low[1] + b);
                a = end;
            }
        }
    }

    free(above);
}

static int find_blocked(slab* s) {
    bitmap map = {s, NULL, s->window.high[0] - s->window.low[0], s->window.high[1] - s->window.low[1]};
    const uint64_t places = (uint64_t)map.wide * (uint64_t)map.high;
    if (places > MAX_PLACES) {
        return say_bad("the slice has %llu voxels, too many for a picture; give a coarser --resolution, or "
                       "smaller --bounds",
                       (unsigned long long)places);
    }

    map.places = say_alloc((size_t)places, 1);
    vn_space_visit_blocked(s->space, voxel_at(s, s->window.low[0], s->window.low[1], s->number),
                           voxel_at(s, s->window.high[0], s->window.high[1], s->number + 1), mark_run, &map);
    join_runs(&map);
    free(map.places);

    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------------- cells

static bool add_cell(void* user, vn_voxel low, vn_voxel high) {
    slab* s = user;
    s->cells = reserve(s->cells, s->cell_count, &s->cell_capacity, sizeof *s->cells);
    slab_cell* cell = &s->cells[s->cell_count++];
    cell->rect.low[0] = slab_along(low, s->right);
    cell->rect.low[1] = slab_along(low, s->other);
    cell->rect.high[0] = slab_along(high, s->right);
    cell->rect.high[1] = slab_along(high, s->other);
    cell->volume = (uint64_t)(high.x - low.x) * (uint64_t)(high.y - low.y) * (uint64_t)(high.z - low.z);

    return true;
}

static int by_right(const void* x, const void* y) {
    const slab_cell *a = x, *b = y;
    const int order = (a->rect.low[0] > b->rect.low[0]) - (a->rect.low[0] < b->rect.low[0]);
    return order != 0 ? order : (a->rect.low[1] > b->rect.low[1]) - (a->rect.low[1] < b->rect.low[1]);
}

static int by_other(const void* x, const void* y) {
    const slab_cell *a = x, *b = y;
    const int order = (a->rect.low[1] > b->rect.low[1]) - (a->rect.low[1] < b->rect.low[1]);
    return order != 0 ? order : (a->rect.low[0] > b->rect.low[0]) - (a->rect.low[0] < b->rect.low[0]);
}

/// The first cell, in their order along `across`, that begins at `at` or later.
static size_t first_from(const slab* s, int across, int32_t at) {
    size_t low = 0, high = s->cell_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->cells[middle].rect.low[across] < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return low;
}

/// Portals over the lines where a cell ends along `across` and others begin; sorts the cells.
static void find_portals(slab* s, int across) {
    const int along = 1 - across;
    if (s->cell_count > 0) {
        qsort(s->cells, s->cell_count, sizeof *s->cells, across == 0 ? by_right : by_other);
    }

    for (size_t i = 0; i < s->cell_count; ++i) {
        const slab_rect* a = &s->cells[i].rect;
        const int32_t at = a->high[across];
        for (size_t k = first_from(s, across, at); k < s->cell_count; ++k) {
            const slab_rect* b = &s->cells[k].rect;
            if (b->low[across] != at || b->low[along] >= a->high[along]) {
                break;
            }

            const int32_t low = a->low[along] > b->low[along] ? a->low[along] : b->low[along];
            const int32_t high = a->high[along] < b->high[along] ? a->high[along] : b->high[along];
            if (low < high) {
                s->portals = reserve(s->portals, s->portal_count, &s->portal_capacity, sizeof *s->portals);
                s->portals[s->portal_count++] = (slab_portal){across, at, low, high};
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- the whole

static void find_cells(slab* s, const vn_classic* tree) {
    const vn_voxel low = voxel_at(s, s->window.low[0], s->window.low[1], s->number),
                   high = voxel_at(s, s->window.high[0], s->window.high[1], s->number + 1);
    if (tree == NULL) {
        vn_space_visit_cells(s->space, low, high, add_cell, s);
        return;
    }

    vn_classic_info info;
    vn_classic_get_info(tree, &info);
    s->info.cells = info.cells;
    s->info.links = 2 * info.portals;
    vn_classic_visit_boxes(tree, low, high, add_cell, s);
}

int slab_make(const vn_space* space, const vn_classic* tree, int axis, int32_t number, slab_rect window,
              slab* out) {
    assert(axis >= 0 && axis < 3 && number >= 0);
    assert(window.low[0] < window.high[0] && window.low[1] < window.high[1]);
    memset(out, 0, sizeof *out);
    out->space = space;
    out->axis = axis;
    out->number = number;
    out->window = window;
    vn_space_get_info(space, &out->info);
    slab_axes(axis, &out->right, &out->other);

    const int code = find_blocked(out);
    if (code == EXIT_DONE) {
        find_cells(out, tree);
        find_portals(out, 1);
        find_portals(out, 0);
    }

    return code;
}

void slab_free(slab* s) {
    free(s->cells);
    free(s->blocked);
    free(s->portals);
    memset(s, 0, sizeof *s);
}
