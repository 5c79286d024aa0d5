/// tests/support/voxels.h: small voxel worlds as plain arrays of bytes, for brute force, and the same worlds
/// as spaces.
#ifndef VNT_VOXELS_H
#define VNT_VOXELS_H

#include "base/rng.h"
#include "volnav/space.h"

typedef struct vnt_voxels {
    vn_voxel dims;
    unsigned char* blocked; ///< x fastest; 1 = blocked
} vnt_voxels;

/// All free. Aborts the test if there is no memory.
vnt_voxels vnt_voxels_make(vn_voxel dims);
void vnt_voxels_free(vnt_voxels* voxels);

/// Outside counts as not free.
bool vnt_voxels_are_free(const vnt_voxels* voxels, int32_t x, int32_t y, int32_t z);
void vnt_voxels_block(vnt_voxels* voxels, int32_t x, int32_t y, int32_t z);

/// A random world: dust of random density, boxes, walls with windows, or a mixture; sometimes quite empty, so
/// that leaps matter.
vnt_voxels vnt_voxels_random(vni_rng* rng, vn_voxel dims);

/// Random dimensions in [1, limit] on each axis.
vn_voxel vnt_random_dims(vni_rng* rng, int32_t limit);

/// The same voxels as a space of resolution 1 with its low corner at the origin. vn_space_destroy frees it.
vn_space* vnt_voxels_space(const vnt_voxels* voxels);

/// The same with cells, cut with these jobs.
vn_space* vnt_voxels_cells(const vnt_voxels* voxels, const vn_jobs* jobs);

/// A random free voxel; false if none was found in 200 tries.
bool vnt_random_free_voxel(vni_rng* rng, const vnt_voxels* voxels, vn_voxel* out);

/// A random lattice point of the closed bounds, whose coordinates are multiples of `step`.
vn_point vnt_random_point(vni_rng* rng, vn_voxel dims, int32_t step);

#endif
