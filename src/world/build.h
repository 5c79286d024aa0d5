/// world/build.h: makes records from the caller's shapes: validates, copies and measures them. Private to the
/// module.
#ifndef VNI_WORLD_BUILD_H
#define VNI_WORLD_BUILD_H

#include "world/world.h"

/// Largest coordinate or extent of a shape, metres.
#define VNI_WORLD_LIMIT 1e6

/// Most voxels of a voxel set along an axis; also the farthest coordinate of its grid in metres, so that a
/// full-sized map of 1 m voxels fits.
#define VNI_VOXELS_LIMIT (1 << 20)

/// Most vertices, and most triangles, of a mesh or hull.
#define VNI_MESH_LIMIT ((uint32_t)1 << 30)

/// Makes the record of a shape, except `leaf`. On failure nothing is held, and `detail` says why.
vn_status vni_obstacle_make(const vn_allocator* allocator, const vn_shape* shape, vni_obstacle* out,
                            vn_detail* detail);
void vni_obstacle_free(const vn_allocator* allocator, vni_obstacle* obstacle);

/// Heap memory behind the record, the record itself excluded.
size_t vni_obstacle_bytes(const vni_obstacle* obstacle);

// ------------------------------------------------------------ shape.c, for mesh.c, voxels.c and moving.c

/// Finite, and within +- VNI_WORLD_LIMIT.
bool vni_coordinate_is_valid(float value);

/// Checks that all coordinates are valid, that a rotation has unit length. `what` names it in the message.
vn_status vni_check_point(const char* what, vn_vec3 point, vn_detail* detail);
vn_status vni_check_rotation(const char* what, const vn_quat* quaternion, vn_detail* detail);

/// Counts within VNI_MESH_LIMIT and not 0, vertices valid, indices in range. `what` ("mesh", "hull") begins
/// the message.
vn_status vni_check_triangles(const char* what, const vn_vec3* vertices, uint32_t vertex_count,
                              const uint32_t* indices, uint32_t triangle_count, vn_detail* detail);

/// The smallest float box that holds [min, max]. Finite, far below the largest float.
vn_box vni_box_around(vni_vec min, vni_vec max);

// --------------------------------------------------------------------------------------- mesh.c, measure.c

/// Copies the mesh, builds its tree and fills in `info`. `out->solid` if the caller wants it and it is
/// fillable.
vn_status vni_mesh_make(const vn_allocator* allocator, const vn_shape* shape, vni_mesh* out,
                        vn_obstacle_info* info, vn_detail* detail);
void vni_mesh_free(const vn_allocator* allocator, vni_mesh* mesh);
size_t vni_mesh_bytes(const vni_mesh* mesh);

/// A copy of its own. On VN_OUT_OF_MEMORY `out` is empty.
vn_status vni_mesh_copy(const vn_allocator* allocator, const vni_mesh* mesh, vni_mesh* out);

/// Computes boxes and tree again after the vertices have changed.
void vni_mesh_refit(vni_mesh* mesh);

/// Area vector of a triangle: along its normal, with its area as length.
vni_vec vni_triangle_area_vector(const vni_triangle* triangle);

/// Six times the signed volume of the tetrahedron between a triangle and `apex`.
double vni_triangle_volume6(const vni_triangle* triangle, vni_vec apex);

/// Measures a mesh whose `info->bounds` are set: degenerate, open_edges, area, volume, fillable.
/// VN_OUT_OF_MEMORY leaves `info` as it was.
vn_status vni_mesh_measure(const vn_allocator* allocator, const vni_mesh* mesh, vn_obstacle_info* info);

// ------------------------------------------------------------------------------------------------ voxels.c

/// Sorts the listed voxels into bricks, counts duplicates, then adds the boxes. O(n) in listed voxels.
vn_status vni_voxels_make(const vn_allocator* allocator, const vn_shape* shape, vni_voxels* out,
                          vn_obstacle_info* info, vn_detail* detail);
void vni_voxels_free(const vn_allocator* allocator, vni_voxels* voxels);

/// Size, dims and both ends of the grid within the limits.
vn_status vni_check_grid(vn_vec3 low, float size, vn_voxel dims, vn_detail* detail);

/// Bounds of the whole grid, free voxels included.
vn_box vni_voxels_bounds(const vni_voxels* set);
size_t vni_voxels_bytes(const vni_voxels* voxels);

// ------------------------------------------------------------------------------------------- voxel_boxes.c

/// The bricks of all voxels that lie in one of the boxes, sorted by key; null if there are none. Empty boxes
/// are skipped. VN_BAD_DATA: a box reaches outside the dims; VN_TOO_LARGE: 2^32 bricks or more;
/// VN_OUT_OF_MEMORY. O(bricks written + boxes times the logarithm of dims), nothing per single voxel.
vn_status vni_voxel_boxes_make(const vn_allocator* allocator, const vn_voxel_box* boxes, uint64_t count,
                               vn_voxel dims, vni_voxel_brick** bricks, uint32_t* brick_count,
                               vn_detail* detail);

#endif
