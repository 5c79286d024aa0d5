/// voxelise/fill.h: the inside of meshes, and the outside of a region.
#ifndef VNI_VOXELISE_FILL_H
#define VNI_VOXELISE_FILL_H

#include "voxelise/voxelise.h"

/// The inside of one mesh, ready to be asked block by block.
///
/// Rule. Through the centre of every voxel run three lines, along x, y and z, each over the whole mesh. A
/// line notes the triangles that it crosses, +1 where it comes from the front (goes in), -1 where it comes
/// from the back (goes out), and has a vote on each of its voxels:
///   * the signs add up to 0: inside where the sum so far is not 0 (nonzero winding);
///   * they do not, but the number of crossings is even: triangles face the wrong way; inside where the count
///     so far is odd;
///   * the number is odd: the line runs through a hole, and abstains.
/// A voxel is inside when at least two of its three lines say so. So one line may be missing or wrong: a hole
/// is survived where it is seen from one axis only.
///
/// Exactness. Vertices are snapped to 2^-20 voxel, and whether a line passes through a triangle is decided
/// exactly, for a line moved aside by an infinitely small step (the same for all triangles): a line through
/// an edge or a vertex counts as passing on one side of it. So a closed mesh always gives an even number of
/// crossings, and signs that add up to 0 if it is oriented, wherever its vertices lie. How far along the line
/// a crossing lies is rounded, but only moves within voxels that the triangle itself blocks.
///
/// What follows: inside-out meshes fill like others; overlapping parts of one mesh fill both; a cavity whose
/// walls face it stays free, one whose walls face away from it fills up. Several meshes are each filled
/// alone.
///
/// Limits. Holes that two axes see through the same voxel leave that voxel free (its surface stays blocked:
/// the shape is then hollow there, never leaky where there are triangles). A line that runs through two holes
/// may vote wrongly; it is outvoted unless a second one does too. Where every triangle is given twice, facing
/// both ways, the signs cancel and nothing is inside.
typedef struct vni_inside vni_inside;

/// Prepares the crossings of the mesh with the lines of the grid of `dims` voxels. O(triangles + columns
/// under the mesh + crossings log crossings) in time, 4 bytes a column and a crossing in memory.
/// VN_OUT_OF_MEMORY; VN_TOO_LARGE beyond 2^32 crossings.
vn_status vni_inside_make(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                          const int32_t dims[3], vni_inside** out);

/// The same in slices: a single triangle may take seconds on a fine grid. `begin`, which may fail as above,
/// then `step` while it says VN_RUNNING, each for about `work` columns; on failure *out is to be freed. The
/// mesh stays as it is until the last step.
vn_status vni_inside_begin(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                           const int32_t dims[3], vni_inside** out);
vn_status vni_inside_step(const vn_allocator* allocator, vni_inside* inside, uint64_t work);

/// How much of it is done, from 0 to 1, roughly; never less than before.
double vni_inside_progress(const vni_inside* inside);

/// Null is allowed.
void vni_inside_free(const vn_allocator* allocator, vni_inside* inside);

/// Sets in `dense` (4096 brick words, as vni_block_pack) the voxels of block (bx, by, bz) that are inside and
/// within dims. Any thread.
void vni_inside_mark(const vni_inside* inside, int32_t bx, int32_t by, int32_t bz, uint64_t* dense);

/// Blocks every free voxel that is not face-connected with `seed` (which must be free). Progress stage
/// "region". On VN_OUT_OF_MEMORY and VN_CANCELLED nothing has changed. Needs 33 KB for each block that is
/// reached and not all free, and a few bytes for the others.
vn_status vni_keep_region(vni_occupancy* occupancy, vn_voxel seed, vn_progress* progress,
                          void* progress_user);

#endif
