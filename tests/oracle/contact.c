/// tests/oracle/contact.c: the rules of contact as a graph search over exact rational places.
#include "tests/oracle/contact.h"
#include <assert.h>
#include <stdlib.h>

/// A place on the polyline: coordinates as fractions over one denominator.
typedef struct place {
    int64_t numerator[3], denominator;
    uint32_t segment;
    double at; ///< of the piece's beginning
} place;

typedef struct places {
    place* items;
    size_t count, capacity;
} places;

typedef struct fraction {
    int64_t n, d;
} fraction;

static void add_place(places* list, const vn_point* a, const vn_point* b, fraction t, uint32_t segment,
                      fraction begin) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        assert(list->items);
    }

    const int64_t from[3] = {a->x, a->y, a->z}, to[3] = {b->x, b->y, b->z};
    place* p = &list->items[list->count++];
    for (int i = 0; i < 3; ++i)
        p->numerator[i] = from[i] * t.d + (to[i] - from[i]) * t.n;

    p->denominator = t.d;
    p->segment = segment;
    p->at = (double)begin.n / (double)begin.d;
}

static int compare_fractions(const void* left, const void* right) {
    const fraction *a = left, *b = right;
    int64_t x = a->n * b->d, y = b->n * a->d;
    return (x > y) - (x < y);
}

/// Every parameter at which the segment meets a lattice plane, with both ends; sorted, each once.
static size_t all_cuts(const vn_point* a, const vn_point* b, fraction* cuts) {
    const int64_t from[3] = {a->x, a->y, a->z}, to[3] = {b->x, b->y, b->z};
    size_t count = 0, kept = 0;
    cuts[count++] = (fraction){0, 1};
    cuts[count++] = (fraction){1, 1};
    for (int i = 0; i < 3; ++i) {
        for (int64_t plane = -16 * VN_LATTICE; plane <= 16 * VN_LATTICE; plane += VN_LATTICE) {
            bool between = (from[i] < plane && plane < to[i]) || (to[i] < plane && plane < from[i]);
            if (between)
                cuts[count++] = (fraction){llabs(plane - from[i]), llabs(to[i] - from[i])};
        }
    }

    qsort(cuts, count, sizeof *cuts, compare_fractions);
    for (size_t i = 0; i < count; ++i) {
        if (kept == 0 || compare_fractions(&cuts[kept - 1], &cuts[i]) != 0)
            cuts[kept++] = cuts[i];
    }

    return kept;
}

/// Points and, for each stretch between two, the place in its middle, which stands for all of it.
static void add_segment(places* list, const vn_point* a, const vn_point* b, uint32_t segment) {
    fraction cuts[128];
    size_t count = all_cuts(a, b, cuts);
    for (size_t i = 0; i < count; ++i) {
        add_place(list, a, b, cuts[i], segment, cuts[i]);
        if (i + 1 < count) {
            fraction x = cuts[i], y = cuts[i + 1];
            fraction middle = {x.n * y.d + y.n * x.d, 2 * x.d * y.d};
            add_place(list, a, b, middle, segment, cuts[i]);
        }
    }
}

static bool holds(const place* p, int32_t x, int32_t y, int32_t z) {
    const int64_t voxel[3] = {x, y, z};
    for (int i = 0; i < 3; ++i) {
        if (p->numerator[i] < VN_LATTICE * voxel[i] * p->denominator ||
            p->numerator[i] > VN_LATTICE * (voxel[i] + 1) * p->denominator)
            return false;
    }

    return true;
}

typedef struct graph {
    const vnt_contact_map* map;
    places list;
    size_t voxels;
    uint8_t* seen; ///< by piece * voxels + voxel
    size_t* queue;
    size_t head, tail;
} graph;

static bool in_map(const vnt_contact_map* map, int32_t x, int32_t y, int32_t z) {
    return x >= 0 && y >= 0 && z >= 0 && x < map->dims.x && y < map->dims.y && z < map->dims.z;
}

static size_t index_of(const vnt_contact_map* map, int32_t x, int32_t y, int32_t z) {
    return (size_t)(x + map->dims.x * (y + map->dims.y * z));
}

/// Adds node (piece, voxel) to the queue if there is such a node and it is new.
static void reach(graph* g, size_t piece, int32_t x, int32_t y, int32_t z) {
    if (piece >= g->list.count || !in_map(g->map, x, y, z) || !holds(&g->list.items[piece], x, y, z))
        return;
    size_t voxel = index_of(g->map, x, y, z), node = piece * g->voxels + voxel;
    if (g->map->blocked[voxel] || g->seen[node])
        return;

    g->seen[node] = 1;
    g->queue[g->tail++] = node;
}

static size_t search(graph* g) {
    size_t farthest = 0; // one more than the last piece that was reached
    const vn_voxel dims = g->map->dims;
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                reach(g, 0, x, y, z);

    while (g->head < g->tail) {
        size_t node = g->queue[g->head++], piece = node / g->voxels, voxel = node % g->voxels;
        int32_t x = (int32_t)(voxel % (size_t)dims.x), y = (int32_t)(voxel / (size_t)dims.x % (size_t)dims.y),
                z = (int32_t)(voxel / ((size_t)dims.x * (size_t)dims.y));
        farthest = piece + 1 > farthest ? piece + 1 : farthest;
        reach(g, piece + 1, x, y, z);
        reach(g, piece, x - 1, y, z);
        reach(g, piece, x + 1, y, z);
        reach(g, piece, x, y - 1, z);
        reach(g, piece, x, y + 1, z);
        reach(g, piece, x, y, z - 1);
        reach(g, piece, x, y, z + 1);
    }

    return farthest;
}

/// Why no node of this piece was reached.
static vn_check_fault fault_of(const graph* g, const place* p) {
    const vn_voxel dims = g->map->dims;
    vn_check_fault fault = VN_CHECK_OUTSIDE;
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x) {
                if (!holds(p, x, y, z))
                    continue;
                if (!g->map->blocked[index_of(g->map, x, y, z)])
                    return VN_CHECK_SQUEEZED;
                fault = VN_CHECK_BLOCKED;
            }

    return fault;
}

vnt_contact vnt_contact_check(const vnt_contact_map* map, const vn_point* points, uint32_t count) {
    vnt_contact result = {VN_CHECK_EMPTY, 0, 0.0};
    if (count == 0)
        return result;

    graph g = {map, {0}, (size_t)map->dims.x * (size_t)map->dims.y * (size_t)map->dims.z, NULL, NULL, 0, 0};
    for (uint32_t i = 0; i + 1 < count || i == 0; ++i)
        add_segment(&g.list, &points[i], &points[i + 1 < count ? i + 1 : i], i);

    g.seen = calloc(g.list.count * g.voxels, 1);
    g.queue = malloc(g.list.count * g.voxels * sizeof *g.queue);
    assert(g.seen && g.queue);
    size_t farthest = search(&g);

    result.fault = VN_CHECK_FREE;
    if (farthest < g.list.count) {
        const place* p = &g.list.items[farthest];
        result.fault = fault_of(&g, p);
        result.segment = p->segment;
        result.at = p->at;
    }

    free(g.seen);
    free(g.queue);
    free(g.list.items);
    return result;
}
