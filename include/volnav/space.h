/// volnav/space.h: free space for an agent of one radius: a world cut into voxels, and what can be asked of
/// them.
///
/// A space is immutable once baked: any number of threads may read it. It keeps nothing of the world.
#ifndef VOLNAV_SPACE_H
#define VOLNAV_SPACE_H

#include "volnav/world.h"

typedef struct vn_space vn_space;

/// What a bake makes of space that nobody has seen (obstacles with VN_FLAG_UNKNOWN).
typedef enum vn_unknown_policy {
    VN_UNKNOWN_BLOCKED = 0, ///< an obstacle like any other
    VN_UNKNOWN_FREE = 1,    ///< nothing is there
    VN_UNKNOWN_REFUSED = 2  ///< an obstacle, and a query whose end lies in it answers VN_UNKNOWN_SPACE
} vn_unknown_policy;

typedef struct vn_space_def {
    vn_allocator allocator;
    vn_jobs jobs;
    float resolution; ///< edge of a voxel, metres, 1e-9 to 1e9
    float radius;     ///< of the agent, metres, >= 0: a voxel is blocked exactly when its closed cube comes
                      ///< closer than this to a shape
    uint32_t open_flags; ///< obstacles that have one of these flags are not there (default 0)
    vn_unknown_policy unknown;  ///< what to make of space that nobody has seen (default VN_UNKNOWN_BLOCKED)
    bool has_bounds;     ///< false: the world's bounds, grown by the margin
    vn_box bounds;       ///< local; the space spans whole voxels from bounds.min that cover it
    float margin;        ///< metres around the world's bounds when has_bounds is false, >= 0
    bool has_seed;       ///< true: only the region that is face-connected with the seed's voxel stays free
    vn_vec3 seed;        ///< local
    bool cells; ///< cut the free voxels into cells for the fast search (default true); without them only grid
                ///< searches run
    vn_progress* progress; ///< may be null
    void* progress_user;
    uint32_t cookie; ///< set by vn_default_space_def
} vn_space_def;

/// Resolution 1, radius 0, every obstacle, the world's bounds without margin, with cells, serial jobs.
VN_API vn_space_def vn_default_space_def(void);

/// Voxelises the world. Conservative: no voxel that a surface touches is missed. The same bytes for any
/// number of workers. If there are no bounds, and all obstacles are voxel sets of one and the same grid whose
/// voxels have this resolution, the space takes over that grid. Obstacles that open_flags or `unknown` leave
/// out count for the bounds all the same, so that spaces of one world share a grid.
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
    uint32_t open_flags;
    vn_unknown_policy unknown;
    vn_dvec3 origin; ///< the world's
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0), relative to origin
    uint64_t blocked_voxels;
    uint64_t free_voxels;
    uint64_t unknown_voxels; ///< blocked because nobody has seen them; counted with VN_UNKNOWN_REFUSED only
    uint64_t cells;          ///< convex boxes of free space; 0 if the space was baked without them
    uint64_t links;          ///< from cell to cell, counted once for each direction
    uint64_t components;     ///< regions that cannot reach each other; 0 without cells
} vn_space_info;

VN_API void vn_space_get_info(const vn_space* space, vn_space_info* out);
VN_API void vn_space_get_memory(const vn_space* space, vn_memory* out);

/// Checks a space from the ground up: blocks in order, free voxels covered by cells exactly once, links
/// symmetric, geometrically true and complete, lookup right, components right, unknown voxels blocked. VN_OK,
/// VN_BAD_DATA with what is wrong in `detail`, or VN_OUT_OF_MEMORY. O(stored bricks + cells + links).
VN_API vn_status vn_space_validate(const vn_space* space, vn_detail* detail);

/// 64-bit hash of the content (dimensions, blocked and unknown voxels, cells and links): equal for equal
/// spaces on every machine.
VN_API uint64_t vn_space_content_hash(const vn_space* space);

// ------------------------------------------------------------------------------------------ coordinates

/// The lattice point nearest to a world position (origin included). VN_OUTSIDE if it is outside the space;
/// then `*out` is a point of its boundary.
VN_API vn_status vn_space_point_from_world(const vn_space* space, vn_dvec3 position, vn_point* out);

/// The same for a local position (relative to the origin).
VN_API vn_status vn_space_point_from_local(const vn_space* space, vn_vec3 position, vn_point* out);

/// World position of a lattice point. Exact when the resolution is a power of two.
VN_API vn_dvec3 vn_space_point_to_world(const vn_space* space, vn_point point);

/// The voxel that holds a point: on a shared face the higher one, at the upper bound the last one. Points
/// outside are moved to the boundary first.
VN_API vn_voxel vn_space_voxel_at(const vn_space* space, vn_point point);

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
/// voxel). Radius 0 is vn_space_visible; one below 0 or NaN never fits.
VN_API bool vn_space_sweep_free(const vn_space* space, vn_point a, vn_point b, float radius);

/// The free point nearest to a world position, whether that is free, blocked or outside, within
/// `max_distance` metres (infinity is allowed). Ties go to the lowest voxel in z, y, x order. The point lies
/// on the lattice, in a free voxel, so that its distance may exceed the true one by up to one lattice step.
/// VN_NO_PATH if there is none; VN_BAD_ARGUMENT if the position is not finite or the distance below 0.
VN_API vn_status vn_space_nearest_free(const vn_space* space, vn_dvec3 position, double max_distance,
                                       vn_point* out, double* distance);

/// True when the point lies in unseen space that the bake refused (VN_UNKNOWN_REFUSED): an unknown voxel
/// touches it, and no free one does.
VN_API bool vn_space_point_unknown(const vn_space* space, vn_point point);

/// Can a path join the two points, by the rules of contact? False if one is not free. A point on an edge may
/// belong to two regions that do not reach each other: it is reachable from both. O(1) with cells; without
/// them false.
VN_API bool vn_space_reachable(const vn_space* space, vn_point a, vn_point b);

// ------------------------------------------------------------------------------------------------ hits

/// Where a ray or a ball is stopped.
typedef struct vn_hit {
    double at;         ///< 0 to 1: how far along the way
    vn_dvec3 position; ///< of the ray's tip or the ball's centre there, world coordinates
    vn_dvec3
        contact; ///< what it touches: of a ray the same as position; of a ball the nearest point of the voxel
    vn_vec3 normal;          ///< unit; away from what it touches, against the way; zero if it starts inside
    vn_voxel voxel;          ///< the blocked voxel; beyond the bounds if the way leaves the space
    bool outside;            ///< the way leaves the space there
    bool inside;             ///< it starts blocked (at is 0), or outside: then both are true
    vn_obstacle_id obstacle; ///< see vn_space_obstacle_at; the null id if no world was given, or none
} vn_hit;

/// Follows the straight way from a to b, which may lie anywhere; true if something stops it before b. Exact:
/// false exactly when vn_space_visible is true, and `at` is the last point that the rules of contact allow
/// (the same that vn_space_check_path finds). The normal is that of the face that the ray meets; where it
/// meets several at an edge or a corner, the unit sum of theirs; a wall of many voxels is flat also where two
/// of them join. If nothing stops it, `at` is 1, the positions are b's and the rest is zero. `world` may be
/// null. Leaps over free blocks. Allocates nothing. Any thread.
VN_API bool vn_space_raycast(const vn_space* space, const vn_world* world, vn_point a, vn_point b,
                             vn_hit* out);

/// The same for a ball of `radius` metres (> 0; 0 is vn_space_raycast): stopped where it would come closer
/// than its radius to a blocked voxel, or its centre would leave the bounds. In double, to about 1e-9 of a
/// voxel; for radii from 0 on true exactly when vn_space_sweep_free is false. It is `inside` if it is too
/// close to something already at a; then `voxel` and `contact` are the nearest there. A radius that is below
/// 0 or NaN counts as 0.
VN_API bool vn_space_sweep(const vn_space* space, const vn_world* world, vn_point a, vn_point b, float radius,
                           vn_hit* out);

/// The obstacle that blocks a voxel: among the shapes that the space was baked from (open_flags left out) the
/// one nearest to the voxel's closed cube, no farther than the space's radius. The inside of a solid mesh
/// counts as distance 0. Ties go to a shape that reaches into the cube before one that only touches it, then
/// to the lower slot. The null id if there is none: a voxel that is free or outside, or far from all shapes
/// and closed because it is not connected with the seed. `world` is the one baked from, unchanged. Cost:
/// O(log n + shapes and triangles near the voxel), and the triangles on three lines through it for each solid
/// mesh around it. Allocates nothing.
VN_API vn_obstacle_id vn_space_obstacle_at(const vn_space* space, const vn_world* world, vn_voxel voxel);

/// The nearest wall.
typedef struct vn_wall {
    double distance;  ///< metres; 0 inside a blocked voxel and on its skin
    vn_dvec3 nearest; ///< point of the wall, world coordinates
    vn_vec3 normal;   ///< unit, from there to the point; zero at distance 0
    vn_voxel voxel;   ///< the blocked voxel
} vn_wall;

/// Distance from a point to the nearest blocked voxel's closed cube, if that is no more than `max_distance`
/// metres (infinity is allowed); the bounds of the space are no wall. Ties go to the lowest voxel in z, y, x
/// order. VN_NO_PATH if there is none within that distance; VN_BAD_ARGUMENT if it is negative or NaN. A space
/// of radius r keeps its agents another r away from the shapes. Allocates nothing.
VN_API vn_status vn_space_nearest_wall(const vn_space* space, vn_point point, double max_distance, vn_wall* out);

/// A random free point, uniform by volume, on the lattice. `random` is the caller's generator: any number to
/// begin with; each call changes it, and the same number gives the same point on every machine. VN_NO_PATH if
/// nothing is free. O(1) as long as a good part of the space is free, else O(blocks). Allocates nothing.
VN_API vn_status vn_space_random_point(const vn_space* space, uint64_t* random, vn_point* out);

// -------------------------------------------------------------------------------------------- visiting

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
