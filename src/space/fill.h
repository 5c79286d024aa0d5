/// space/fill.h: the inside of meshes, and the outside of a region.
#ifndef VNI_SPACE_FILL_H
#define VNI_SPACE_FILL_H

#include "space/voxelise.h"

/// The inside of one mesh, ready to be asked block by block.
///
/// Rule: through the centre of every voxel run three lines, along x, y and z. Each counts the triangles that it crosses, +1 or -1 by the side that it comes
/// from. A line whose total is not 0 runs through a hole and has no vote. A voxel is inside when at least two of its three lines
/// vote and every... (see fill.c for the exact rule and its limits)
typedef struct vni_inside vni_inside;

/// Prepares the crossings of the mesh with all lines of the occupancy's grid. O(triangles + crossings log crossings).
vn_status vni_inside_make(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame, const int32_t dims[3], vni_inside** out);
void vni_inside_free(const vn_allocator* allocator, vni_inside* inside);

/// Sets in `dense` (4096 brick words, as vni_block_pack) the voxels of block (bx, by, bz) that are inside and within dims. Any thread.
void vni_inside_mark(const vni_inside* inside, int32_t bx, int32_t by, int32_t bz, uint64_t* dense);

/// Blocks every free voxel that is not face-connected with `seed` (which must be free).
vn_status vni_keep_region(vni_occupancy* occupancy, vn_voxel seed, vn_progress* progress, void* progress_user);

#endif
