/// tests/unit/query/passages.h: the widest path by brute force: every width as a threshold, and flood fills.
#ifndef VNT_PASSAGES_H
#define VNT_PASSAGES_H

#include "cmocka_all.h"

#include "base/bits.h"
#include "space/space.h"
#include "volnav/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A space as arrays.
typedef struct dense {
    int32_t x, y, z, count;
    bool* free;
    double* width; ///< metres, of free voxels
} dense;

static inline dense dense_of(const vn_space* space) {
    const int32_t* dims = space->occupancy.dims;
    dense d = {dims[0], dims[1], dims[2], dims[0] * dims[1] * dims[2], NULL, NULL};
    d.free = calloc((uint32_t)d.count, sizeof *d.free);
    d.width = calloc((uint32_t)d.count, sizeof *d.width);
    for (int32_t i = 0; i < d.count; ++i)
        d.free[i] = vn_space_voxel_free(space, (vn_voxel){i % d.x, i / d.x % d.y, i / d.x / d.y});

    return d;
}

static inline void dense_free(dense* d) {
    free(d->free);
    free(d->width);
}

static inline int32_t index_of(const dense* d, vn_voxel v) {
    return v.x + d->x * (v.y + d->y * v.z);
}

/// Voxels between two on an axis.
static inline int32_t gap(int32_t a, int32_t b) {
    int32_t apart = a < b ? b - a : a - b;
    return apart > 0 ? apart - 1 : 0;
}

#define NOTHING 1000000

/// near2[i] = the least of from2[j] + the squared gap from i to j, over all j in line with i along an axis.
static inline void nearest_along(const dense* d, int axis, const int32_t* from2, int32_t* near2) {
    const int32_t stride = axis == 0 ? 1 : axis == 1 ? d->x : d->x * d->y;
    const int32_t dim = axis == 0 ? d->x : axis == 1 ? d->y : d->z;
    for (int32_t i = 0; i < d->count; ++i) {
        int32_t at = i / stride % dim;
        near2[i] = NOTHING;
        for (int32_t k = 0; k < dim; ++k) {
            int32_t away2 = from2[i + (k - at) * stride] + gap(at, k) * gap(at, k);
            near2[i] = away2 < near2[i] ? away2 : near2[i];
        }
    }
}

/// Least squared distances to a blocked cube, in voxels; NOTHING if there is none. The caller frees it.
static inline int32_t* nearest_blocked2(const dense* d) {
    int32_t *a = calloc((uint32_t)d->count, sizeof *a), *b = calloc((uint32_t)d->count, sizeof *b);
    for (int32_t i = 0; i < d->count; ++i)
        a[i] = d->free[i] ? NOTHING : 0;

    nearest_along(d, 0, a, b);
    nearest_along(d, 1, b, a);
    nearest_along(d, 2, a, b);
    free(a);
    return b;
}

/// `wider` may be null. No width counts for more than `most`.
static inline void measure(dense* d, const vn_space* layer, const vn_space* wider, double most) {
    int32_t* near2 = nearest_blocked2(d);
    for (int32_t i = 0; i < d->count; ++i) {
        double width = near2[i] >= NOTHING
                           ? HUGE_VAL
                           : (double)layer->radius + sqrt((double)near2[i]) * (double)layer->resolution;
        vn_voxel v = {i % d->x, i / d->x % d->y, i / d->x / d->y};
        if (wider != NULL && vn_space_voxel_free(wider, v) && width < (double)wider->radius)
            width = (double)wider->radius;

        d->width[i] = width < most ? width : most;
    }

    free(near2);
}

/// Marks what can be reached from `from` over free voxels of at least this width, never through `without`.
static inline void flood(const dense* d, int32_t from, double least, int32_t without, bool* seen) {
    int32_t* stack = calloc((uint32_t)d->count, sizeof *stack);
    int32_t top = 0;
    memset(seen, 0, (size_t)d->count * sizeof *seen);
    if (d->free[from] && d->width[from] >= least && from != without) {
        seen[from] = true;
        stack[top++] = from;
    }

    while (top > 0) {
        int32_t at = stack[--top];
        const int32_t x = at % d->x, y = at / d->x % d->y, z = at / d->x / d->y;
        const int32_t next[6] = {x > 0 ? at - 1 : -1,           x + 1 < d->x ? at + 1 : -1,
                                 y > 0 ? at - d->x : -1,        y + 1 < d->y ? at + d->x : -1,
                                 z > 0 ? at - d->x * d->y : -1, z + 1 < d->z ? at + d->x * d->y : -1};

        for (int i = 0; i < 6; ++i)
            if (next[i] >= 0 && !seen[next[i]] && d->free[next[i]] && d->width[next[i]] >= least &&
                next[i] != without) {
                seen[next[i]] = true;
                stack[top++] = next[i];
            }
    }

    free(stack);
}

static inline int compare_down(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x > y ? -1 : x < y;
}

/// The largest width at which the goal is reached; below 0 if there is none.
static inline double widest(const dense* d, int32_t start, int32_t goal) {
    double* levels = calloc((uint32_t)d->count, sizeof *levels);
    bool* seen = calloc((uint32_t)d->count, sizeof *seen);
    int32_t count = 0;
    for (int32_t i = 0; i < d->count; ++i)
        if (d->free[i])
            levels[count++] = d->width[i];

    qsort(levels, (size_t)count, sizeof *levels, compare_down);
    double found = -1;
    for (int32_t i = 0; i < count && found < 0; ++i) {
        if (i > 0 && levels[i] == levels[i - 1])
            continue;
        flood(d, start, levels[i], -1, seen);
        if (seen[goal])
            found = levels[i];
    }

    free(levels);
    free(seen);
    return found;
}

/// Is there a path of this width that visits no voxel twice and goes through `middle`? By Menger: no other
/// voxel may cut it off from both ends.
static inline bool lies_on_way(const dense* d, int32_t start, int32_t goal, int32_t middle, double least) {
    bool* seen = calloc((uint32_t)d->count, sizeof *seen);
    flood(d, middle, least, -1, seen);
    bool good = seen[start] && seen[goal];
    for (int32_t i = 0; good && middle != start && middle != goal && i < d->count; ++i) {
        if (!d->free[i] || i == middle || d->width[i] < least)
            continue;
        flood(d, middle, least, i, seen);
        good = (i != start && seen[start]) || (i != goal && seen[goal]);
    }

    free(seen);
    return good;
}

// ---------------------------------------------------------------------------------- the layers, by the book

/// Layers of a query, or its one space.
typedef struct house {
    const vn_space* spaces[VN_MAX_LAYERS];
    uint32_t count;
} house;

static inline bool opens_only(const vn_space* space, uint32_t flags) {
    return (space->open_flags & ~flags) == 0;
}

/// Are both free in the layer and joined there? Of the voxels that touch them, the first pair that is joined.
static inline bool joins(const vn_space* layer, vn_point start, vn_point goal, vn_voxel* s, vn_voxel* g) {
    vn_voxel starts[8], goals[8];
    uint32_t start_count = vni_voxels_around(start, starts), goal_count = vni_voxels_around(goal, goals);
    bool joined = false;
    dense d = dense_of(layer);

    bool* seen = calloc((uint32_t)d.count, sizeof *seen);
    for (uint32_t i = 0; i < start_count && !joined; ++i) {
        if (!vn_space_voxel_free(layer, starts[i]))
            continue;
        flood(&d, index_of(&d, starts[i]), 0, -1, seen);
        for (uint32_t k = 0; k < goal_count && !joined; ++k) {
            joined = vn_space_voxel_free(layer, goals[k]) && seen[index_of(&d, goals[k])];
            *s = starts[i];
            *g = goals[k];
        }
    }

    free(seen);
    dense_free(&d);
    return joined;
}

/// The layer that is searched: the widest that joins, then the one that opens most; null if none does.
static inline const vn_space* expected_layer(const house* h, uint32_t flags, vn_point start, vn_point goal) {
    const vn_space* best = NULL;
    vn_voxel s, g;
    for (uint32_t i = 0; i < h->count; ++i) {
        const vn_space* layer = h->spaces[i];
        bool better = best == NULL || layer->radius > best->radius ||
                      (layer->radius == best->radius &&
                       vni_popcount(layer->open_flags) > vni_popcount(best->open_flags));
        if (better && opens_only(layer, flags) && joins(layer, start, goal, &s, &g))
            best = layer;
    }

    return best;
}

/// Of the layers wider than this one that open no more: the one that opens most, then the narrowest.
static inline const vn_space* next_layer(const house* h, const vn_space* layer) {
    const vn_space* best = NULL;
    for (uint32_t i = 0; i < h->count; ++i) {
        const vn_space* wider = h->spaces[i];
        if (wider->radius > layer->radius && opens_only(wider, layer->open_flags) &&
            vni_space_has_cells(wider) &&
            (best == NULL || vni_popcount(wider->open_flags) > vni_popcount(best->open_flags)))
            best = wider;
    }

    return best;
}

static inline house house_of(const vn_space* space, const vn_layers* layers) {
    house h = {{space}, 1};
    if (layers)
        h.count = vn_layers_count(layers);
    for (uint32_t i = 0; layers != NULL && i < h.count; ++i)
        h.spaces[i] = vn_layers_space(layers, i);
    return h;
}

/// The result by brute force.
typedef struct expected {
    const vn_space* layer; ///< null: there is none
    double radius;
    bool limited;
    dense d;
    int32_t start, goal;
} expected;

static inline expected expected_of(const house* h, uint32_t flags, vn_point start, vn_point goal,
                                   double up_to) {
    expected a = {.layer = expected_layer(h, flags, start, goal)};
    if (a.layer == NULL)
        return a;

    const vn_space* wider = next_layer(h, a.layer);
    vn_voxel s, g, in_s, in_g;
    a.d = dense_of(a.layer);
    assert_true(joins(a.layer, start, goal, &s, &g));
    a.start = index_of(&a.d, s);
    a.goal = index_of(&a.d, g);
    double most = up_to > (double)a.layer->radius ? up_to : (double)a.layer->radius;
    bool parted = wider != NULL && wider->open_flags == a.layer->open_flags &&
                  (double)wider->radius <= most &&
                  (vn_space_voxel_free(wider, s) || vn_space_voxel_free(wider, g)) &&
                  !joins(wider, vn_voxel_center(s), vn_voxel_center(g), &in_s, &in_g);
    measure(&a.d, a.layer, wider, parted ? (double)wider->radius : most);
    a.radius = widest(&a.d, a.start, a.goal);
    a.limited = !parted && a.radius >= most;

    return a;
}

#endif
