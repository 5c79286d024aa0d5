/// tests/unit/classic/classic_scene.h: random worlds with their classics and queries.
#ifndef VNT_CLASSIC_SCENE_H
#define VNT_CLASSIC_SCENE_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "volnav/classic.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct vnt_classics {
    vnt_voxels voxels;
    vn_space* space;
    vn_classic* kinds[VN_CLASSIC_KIND_COUNT];
    vn_classic_query* queries[VN_CLASSIC_KIND_COUNT];
} vnt_classics;

/// Takes over the voxels.
static inline vnt_classics vnt_classics_make(vni_rng* rng, vnt_voxels voxels) {
    vnt_classics s = {.voxels = voxels};
    vn_jobs serial = vn_serial_jobs();
    s.space = vni_rng_below(rng, 2) ? vnt_voxels_space(&s.voxels) : vnt_voxels_cells(&s.voxels, &serial);
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_def def = vn_default_classic_def();
        vn_classic_query_def query = vn_default_classic_query_def();
        def.kind = (vn_classic_kind)kind;
        def.split_root = vni_rng_below(rng, 2);
        query.max_points = 4096;
        assert_int_equal(vn_classic_build(s.space, &def, &s.kinds[kind], NULL), VN_OK);
        assert_int_equal(vn_classic_query_create(s.kinds[kind], &query, &s.queries[kind], NULL), VN_OK);
    }

    return s;
}

static inline void vnt_classics_free(vnt_classics* s) {
    for (int kind = 0; kind < VN_CLASSIC_KIND_COUNT; ++kind) {
        vn_classic_query_destroy(s->queries[kind]);
        vn_classic_destroy(s->kinds[kind]);
    }
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// A point of the closed voxel: in its middle, inside it, or on a face, an edge or a corner.
static inline vn_point vnt_point_in(vni_rng* rng, vn_voxel v) {
    int32_t at[3];
    bool middle = vni_rng_below(rng, 3) == 0;
    for (int i = 0; i < 3; ++i) {
        uint32_t where = vni_rng_below(rng, 5);
        at[i] = middle       ? VN_LATTICE / 2
                : where == 0 ? 0
                : where == 1 ? VN_LATTICE
                             : vni_rng_range(rng, 0, VN_LATTICE);
    }

    return (vn_point){v.x * VN_LATTICE + at[0], v.y * VN_LATTICE + at[1], v.z * VN_LATTICE + at[2]};
}

/// The voxels that are joined over faces with one of the free voxels that touch the point, as 1; by the
/// array's index.
static inline unsigned char* vnt_flood(const vnt_voxels* v, vn_point from) {
    const int32_t X = v->dims.x, Y = v->dims.y, Z = v->dims.z;
    unsigned char* in = calloc((size_t)(X * Y * Z), 1);
    assert_non_null(in);
    bool changed = false;
    for (int32_t i = 0; i < X * Y * Z; ++i) {
        const int32_t x = i % X * VN_LATTICE, y = i / X % Y * VN_LATTICE, z = i / X / Y * VN_LATTICE;
        bool touches = from.x >= x && from.y >= y && from.z >= z && from.x <= x + VN_LATTICE &&
                       from.y <= y + VN_LATTICE && from.z <= z + VN_LATTICE;
        in[i] = touches && !v->blocked[i];
        changed |= in[i];
    }

    while (changed) {
        changed = false;
        for (int32_t i = 0; i < X * Y * Z; ++i) {
            const int32_t x = i % X, y = i / X % Y, z = i / X / Y;
            if (in[i] || v->blocked[i])
                continue;
            in[i] = (x > 0 && in[i - 1]) || (x + 1 < X && in[i + 1]) || (y > 0 && in[i - X]) ||
                    (y + 1 < Y && in[i + X]) || (z > 0 && in[i - X * Y]) || (z + 1 < Z && in[i + X * Y]);
            changed |= in[i];
        }
    }

    return in;
}

/// The path of the last answer: free, from end to end, as long as it says.
static inline void vnt_check_answer(const vn_space* space, const vn_classic_query* query,
                                    const vn_classic_result* result, vn_point start, vn_point goal) {
    uint32_t count;
    const vn_point* points = vn_classic_query_points(query, &count);
    assert_int_equal(result->path.status, VN_OK);
    assert_true(count > 0);
    assert_true(count == result->path.point_count);
    assert_memory_equal(&points[0], &start, sizeof start);
    assert_memory_equal(&points[count - 1], &goal, sizeof goal);
    assert_true(vn_space_check_path(space, points, count, NULL));

    double length = 0;
    for (uint32_t i = 1; i < count; ++i) {
        double x = (double)points[i].x - points[i - 1].x, y = (double)points[i].y - points[i - 1].y,
               z = (double)points[i].z - points[i - 1].z;
        length += sqrt(x * x + y * y + z * z) / VN_LATTICE;
    }

    assert_true(fabs(length - result->path.length) <= 1e-9 * (1 + length));
    assert_true(result->path.cost == result->path.length);
    assert_true(result->path.length <= result->search_cost + 1e-9 * (1 + length));
}

static const vn_classic_algo vnt_algos[] = {
    VN_CLASSIC_ASTAR, VN_CLASSIC_DIJKSTRA, VN_CLASSIC_GREEDY, VN_CLASSIC_ASTAR_LIST, VN_CLASSIC_ARA,
    VN_CLASSIC_JPS,   VN_CLASSIC_JPS6,     VN_CLASSIC_THETA,  VN_CLASSIC_LAZY_THETA};
#define VNT_ALGO_COUNT (sizeof vnt_algos / sizeof vnt_algos[0])

static inline bool vnt_is_any_angle(vn_classic_algo algo) {
    return algo == VN_CLASSIC_THETA || algo == VN_CLASSIC_LAZY_THETA;
}

/// What the header promises to be there.
static inline bool vnt_should_work(vn_classic_kind kind, const vn_classic_request* r) {
    bool centres = r->graph == VN_GRAPH_CENTRES || (r->graph == VN_GRAPH_DEFAULT && kind == VN_CLASSIC_GRID);
    bool voxels = kind == VN_CLASSIC_GRID && centres;
    uint32_t neighbours = r->algo == VN_CLASSIC_JPS6 ? 6 : r->neighbours;
    if (r->refine == VN_REFINE_TAUT)
        return false;
    if (r->algo == VN_CLASSIC_JPS && (!voxels || neighbours != 26))
        return false;
    if (r->algo == VN_CLASSIC_JPS6 && !voxels)
        return false;

    bool funnel = r->refine == VN_REFINE_FUNNEL || r->refine == VN_REFINE_FUNNEL_PRUNE;
    return !funnel || (!vnt_is_any_angle(r->algo) && !(voxels && neighbours == 26));
}

/// Two rooms of 8 x 8 x 8 with a wall between them at x = 8 that has a window when `open`.
static inline vnt_classics vnt_rooms(vni_rng* rng, bool open) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){17, 8, 8});
    for (int32_t z = 0; z < 8; ++z)
        for (int32_t y = 0; y < 8; ++y)
            if (!open || y != 4 || z != 4)
                vnt_voxels_block(&voxels, 8, y, z);
    return vnt_classics_make(rng, voxels);
}

static inline vn_classic_request vnt_through_the_window(void) {
    vn_classic_request r = vn_default_classic_request();
    r.start = vn_voxel_center((vn_voxel){1, 1, 1});
    r.goal = vn_voxel_center((vn_voxel){15, 6, 6});
    return r;
}

#endif
