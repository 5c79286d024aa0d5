/// tests/unit/curve/halls.h: small spaces of voxels with an edge of 1 m, and paths in them, for curves.
#ifndef VNT_CURVE_HALLS_H
#define VNT_CURVE_HALLS_H

#include "cmocka_all.h"
#include "judge.h"
#include "support.h"
#include "voxels.h"

#include <string.h>

/// A point by its metres.
static inline vn_point at(double x, double y, double z) {
    vn_point p = {(int32_t)(x * VN_LATTICE), (int32_t)(y * VN_LATTICE), (int32_t)(z * VN_LATTICE)};
    return p;
}

static inline void block(vnt_voxels* voxels, vn_voxel low, vn_voxel high, bool is_blocked) {
    for (int32_t z = low.z; z < high.z; ++z)
        for (int32_t y = low.y; y < high.y; ++y)
            for (int32_t x = low.x; x < high.x; ++x)
                voxels->blocked[x + voxels->dims.x * (y + voxels->dims.y * z)] = is_blocked;
}

/// All free.
static inline vn_space* open_hall(int32_t x, int32_t y, int32_t z) {
    vn_voxel dims = {x, y, z};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    return space;
}

/// A hall of 20 x 4 x 20 with a pillar from floor to ceiling in [8, 12)^2.
static inline vn_space* pillar_hall(void) {
    vn_voxel dims = {20, 4, 20}, low = {8, 0, 8}, high = {12, 4, 12};
    vnt_voxels voxels = vnt_voxels_make(dims);
    block(&voxels, low, high, true);
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    return space;
}

/// A tunnel one voxel wide: along x in [0, 6) at z = 0, then along z at x = 5.
static inline vn_space* tunnel(void) {
    vn_voxel dims = {6, 1, 6}, none = {0, 0, 0}, first = {6, 1, 1}, turn = {5, 0, 0};
    vnt_voxels voxels = vnt_voxels_make(dims);
    block(&voxels, none, dims, true);
    block(&voxels, none, first, false);
    block(&voxels, turn, dims, false);
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    return space;
}

/// A shaft of `wide` x `wide` voxels, 12 high, and a hall above and below it.
static inline vn_space* shaft(int32_t wide) {
    vn_voxel dims = {9, 16, 9}, low = {0, 2, 0}, high = {9, 14, 9};
    vn_voxel from = {4 - wide / 2, 2, 4 - wide / 2}, to = {from.x + wide, 14, from.z + wide};
    vnt_voxels voxels = vnt_voxels_make(dims);
    block(&voxels, low, high, true);
    block(&voxels, from, to, false);
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    return space;
}

/// A layer of n x n voxels; the diagonal touches a blocked one at every corner, left and right in turn.
static inline vn_space* slalom(int32_t n) {
    vn_voxel dims = {n, 1, n};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 1; i < n; ++i)
        vnt_voxels_block(&voxels, i % 2 ? i - 1 : i, 0, i % 2 ? i : i - 1);
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    return space;
}

static inline vn_curve* make_curve(const vn_space* space, const vn_point* points, uint32_t count,
                                   const vn_curve_def* def) {
    vn_detail detail = {0};
    vn_curve* curve;
    vn_status status = vn_curve_make(space, points, count, def, &curve, &detail);
    if (status != VN_OK)
        print_message("%s\n", detail.text);
    assert_int_equal(status, VN_OK);
    return curve;
}

static inline vn_curve_info info_of(const vn_curve* curve) {
    vn_curve_info info;
    vn_curve_get_info(curve, &info);
    return info;
}

static inline vn_trajectory* make_trajectory(const vn_curve* curve, double start, double end) {
    vn_trajectory_def def = vn_default_trajectory_def();
    vn_trajectory* trajectory;
    def.start_speed = start;
    def.end_speed = end;
    assert_int_equal(vn_trajectory_make(curve, &def, &trajectory, NULL), VN_OK);
    return trajectory;
}

/// Makes the curve and its trajectory, and judges both.
static inline vn_curve_info judge_path(const vn_space* space, const vn_point* points, uint32_t count,
                                       const vn_curve_def* def) {
    vn_curve* curve = make_curve(space, points, count, def);
    vn_trajectory* trajectory = make_trajectory(curve, 0, 0);
    judge_verdict v = judge_run(space, curve, trajectory, def, points[0], points[count - 1]);
    vn_curve_info info = info_of(curve);
    if (!judge_accepts(&v))
        judge_print(&v);

    assert_true(judge_accepts(&v));
    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    return info;
}

#endif
