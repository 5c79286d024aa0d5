/// voxelise/fill.h: finds the voxels inside a closed mesh, and keeps the free region around a seed.
#ifndef VNI_VOXELISE_FILL_H
#define VNI_VOXELISE_FILL_H

#include "voxelise/voxelise.h"

/// The inside of one mesh, prepared for vni_inside_mark.
///
/// Rule (votes of several directions: after Nooruddin and Turk 2003). Through the centre of every voxel run
/// three lines, along x, y and z, each across the whole mesh. A line records the triangles that it crosses,
/// +1 from the front (going in), -1 from the back (going out), and votes on each of its voxels:
///   * the signs add up to 0: inside where the sum so far is not 0 (nonzero winding);
///   * they do not, but the number of crossings is even: some triangles are flipped; inside where the count
///   so
///     far is odd;
///   * the number is odd: the line runs through a hole, and abstains.
/// A voxel is inside if at least two of its three lines say so. One line may be missing or wrong: a hole does
/// no harm to voxels that see it along one axis only.
///
/// Exactness. Vertices are snapped to 2^-20 voxel. Whether a line passes through a triangle is decided
/// exactly, for a line that is displaced by an infinitesimal step, the same for all triangles (the symbolic
/// perturbation of Edelsbrunner and Muecke 1990): a line through an edge or a vertex counts as passing on one
/// side of it. So a closed mesh always gives an even number of crossings, and signs that add up to 0 if it is
/// oriented, wherever its vertices lie. The position of a crossing along the line is rounded, but moves only
/// within voxels that the triangle itself blocks.
///
/// Consequences: inside-out meshes are filled like others; overlapping parts of one mesh are both filled; a
/// cavity whose walls face it stays free, one whose walls face away from it is filled. Each mesh is filled
/// separately.
///
/// Limits. A voxel that sees holes along two axes stays free (its surface stays blocked: the shape is hollow
/// there, never leaky where it has triangles). A line through two holes may vote wrongly; it is outvoted
/// unless a second one is wrong too. If every triangle is given twice, facing both ways, the signs cancel and
/// nothing is inside.
typedef struct vni_inside vni_inside;

/// Prepares the crossings of the mesh with the lines of the grid of `dims` voxels. O(triangles + columns
/// under the mesh + crossings log crossings) in time, 4 bytes a column and a crossing in memory.
/// VN_OUT_OF_MEMORY; VN_TOO_LARGE beyond 2^32 crossings.
vn_status vni_inside_make(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                          const int32_t dims[3], vni_inside** out);

/// The same in slices: a single triangle may take seconds on a fine grid. Call `begin`, which may fail as
/// above, then `step` while it returns VN_RUNNING, each for about `work` columns. On failure free *out. The
/// mesh must not change before the last step.
vn_status vni_inside_begin(const vn_allocator* allocator, const vni_mesh* mesh, const vni_frame* frame,
                           const int32_t dims[3], vni_inside** out);
vn_status vni_inside_step(const vn_allocator* allocator, vni_inside* inside, uint64_t work);

/// Fraction done, 0 to 1, approximate; never decreases.
double vni_inside_progress(const vni_inside* inside);

/// Null is allowed.
void vni_inside_free(const vn_allocator* allocator, vni_inside* inside);

/// Sets in `dense` (4096 brick words, as vni_block_pack) the voxels of block (bx, by, bz) that are inside and
/// within the dims. Thread-safe.
void vni_inside_mark(const vni_inside* inside, int32_t bx, int32_t by, int32_t bz, uint64_t* dense);

/// Blocks every free voxel that is not face-connected with `seed` (which must be free). Progress stage
/// "region". On VN_OUT_OF_MEMORY and VN_CANCELLED nothing changes. Needs 33 KB for each reached block that is
/// not all free, and a few bytes for each other block.
vn_status vni_keep_region(vni_occupancy* occupancy, vn_voxel seed, vn_progress* progress,
                          void* progress_user);

#endif
