/// volnav/space.h: free space for an agent of one radius: a world cut into voxels, and what can be asked of
/// them.
///
/// A space is immutable once baked: any number of threads may read it. It keeps nothing of the world.
#ifndef VOLNAV_SPACE_H
#define VOLNAV_SPACE_H

#include "volnav/world.h"

typedef struct vn_space vn_space;

typedef struct vn_space_def {
    vn_allocator allocator;
    vn_jobs jobs;
    float resolution; ///< edge of a voxel, metres, > 0
    float radius;     ///< of the agent, metres, >= 0: a voxel is blocked exactly when its closed cube comes
                      ///< closer than this to a shape
    bool has_bounds;  ///< false: the world's bounds, grown by the margin
    vn_box bounds;    ///< local; the space spans whole voxels from bounds.min that cover it
    float margin;     ///< metres around the world's bounds when has_bounds is false, >= 0
    bool has_seed;    ///< true: only the region that is face-connected with the seed's voxel stays free
    vn_vec3 seed;     ///< local
    bool cells; ///< cut the free voxels into cells for the fast search (default true); without them only grid
                ///< searches run
    vn_progress* progress; ///< may be null
    void* progress_user;
    uint32_t cookie; ///< set by vn_default_space_def
} vn_space_def;

/// Resolution 1, radius 0, the world's bounds without margin, with cells, serial jobs.
VN_API vn_space_def vn_default_space_def(void);

/// Voxelises the world. Conservative: no voxel that a surface touches is missed. The same bytes for any
/// number of workers. If the only obstacle is a voxel set whose voxels have this resolution, and there are no
/// bounds, the space takes over that set's grid.
///
/// VN_BAD_DEF, VN_BAD_ARGUMENT: the def, and what is wrong with it. VN_BAD_DATA: an empty world without
/// bounds. VN_TOO_LARGE: above 2^20 voxels along an axis, or 2^22 blocks of 64^3 voxels in all. VN_OUTSIDE,
/// VN_START_BLOCKED: the seed lies outside the space, or in a blocked voxel. VN_OUT_OF_MEMORY, VN_CANCELLED.
VN_API vn_status vn_space_bake(const vn_world* world, const vn_space_def* def, vn_space** out,
                               vn_detail* detail);

/// Null is allowed. No query on the space may be running.
VN_API void vn_space_destroy(vn_space* space);

typedef struct vn_space_info {
    vn_voxel dims;    ///< in voxels
    float resolution; ///< metres
    float radius;     ///< metres
    vn_dvec3 origin;  ///< the world's
    vn_dvec3 low;     ///< low corner of voxel (0, 0, 0), relative to origin
    uint64_t blocked_voxels;
    uint64_t free_voxels;
    uint64_t cells;      ///< convex boxes of free space; 0 if the space was baked without them
    uint64_t links;      ///< from cell to cell, counted once for each direction
    uint64_t components; ///< regions that cannot reach each other; 0 without cells
} vn_space_info;

VN_API void vn_space_get_info(const vn_space* space, vn_space_info* out);
VN_API void vn_space_memory(const vn_space* space, vn_memory* out);

/// Checks a space from the ground up: free voxels covered by cells exactly once, links symmetric,
/// geometrically true and complete, lookup right, components right. VN_OK, or VN_BAD_DATA with what is wrong
/// in `detail`. A space without cells has nothing to check. Slow: O(voxels).
VN_API vn_status vn_space_validate(const vn_space* space, vn_detail* detail);

/// 64-bit hash of the content (dimensions, blocked voxels, cells and links): equal for equal spaces on every
/// machine.
VN_API uint64_t vn_space_content_hash(const vn_space* space);

// ------------------------------------------------------------------------------------------ coordinates

/// The lattice point nearest to a world position (origin included). VN_OUTSIDE if it is outside the space;
/// then `*out` is a point of its boundary.
VN_API vn_status vn_space_point(const vn_space* space, vn_dvec3 position, vn_point* out);

/// The same for a local position (relative to the origin).
VN_API vn_status vn_space_local_point(const vn_space* space, vn_vec3 position, vn_point* out);

/// World position of a lattice point. Exact when the resolution is a power of two.
VN_API vn_dvec3 vn_space_position(const vn_space* space, vn_point point);

/// The voxel that holds a point: on a shared face the higher one, at the upper bound the last one. Points
/// outside are moved to the boundary first.
VN_API vn_voxel vn_space_voxel(const vn_space* space, vn_point point);

// ---------------------------------------------------------------------------------------------- asking

/// False outside the space.
VN_API bool vn_space_voxel_free(const vn_space* space, vn_voxel voxel);

/// True when a point agent may be there: a free voxel touches the point.
VN_API bool vn_space_point_free(const vn_space* space, vn_point point);

/// True when all voxels of [low, high) are inside and free; an empty box is. Leaps over free blocks.
VN_API bool vn_space_box_free(const vn_space* space, vn_voxel low, vn_voxel high);

/// True when the straight way from a to b is free under the rules of contact (docs/contact.md): it may
/// touch blocked voxels, never enter one, and never slips between two that meet at an edge or a corner.
/// Exact, symmetric. False if an end is outside.
VN_API bool vn_space_visible(const vn_space* space, vn_point a, vn_point b);

/// True when a ball of `radius` metres can be swept from a to b: its centre stays inside the space's bounds
/// and nowhere comes closer than its radius to a blocked voxel (computed in double, to about 1e-12 of a
/// voxel). Radius 0 is vn_space_visible.
VN_API bool vn_space_sweep_free(const vn_space* space, vn_point a, vn_point b, float radius);

/// The free point nearest to a world position, whether that is free, blocked or outside, within
/// `max_distance` metres (infinity is allowed). Ties go to the lowest voxel in z, y, x order. The point lies
/// on the lattice, in a free voxel, so that its distance may exceed the true one by up to one lattice step.
/// VN_NO_PATH if there is none; VN_BAD_ARGUMENT if the position is not finite or the distance below 0.
VN_API vn_status vn_space_nearest_free(const vn_space* space, vn_dvec3 position, double max_distance,
                                       vn_point* out, double* distance);

/// Visits the blocked voxels of [low, high) as runs along x, in z, y, x order; stops when `visit` returns
/// false.
typedef bool vn_visit_run(void* user, vn_voxel first, int32_t length);
VN_API void vn_space_visit_blocked(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_run* visit,
                                   void* user);

/// Visits the cells that touch the box [low, high) of voxels, block by block; stops when `visit` returns
/// false. A space without cells has none.
typedef bool vn_visit_cell(void* user, vn_voxel low, vn_voxel high);
VN_API void vn_space_visit_cells(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                                 void* user);

#endif
