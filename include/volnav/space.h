/// volnav/space.h: the free space of a world for an agent of one radius: voxels, the cells made from them,
/// and spatial queries (free, visible, nearest, hit).
///
/// A space is immutable: any number of threads may read it. It keeps no reference to the world.
#ifndef VOLNAV_SPACE_H
#define VOLNAV_SPACE_H

#include "volnav/world.h"

typedef struct vn_space vn_space;

/// How a bake treats unknown space (shapes with VN_FLAG_UNKNOWN).
typedef enum vn_unknown_policy {
    VN_UNKNOWN_BLOCKED = 0, ///< as an obstacle
    VN_UNKNOWN_FREE = 1,    ///< as free space
    VN_UNKNOWN_REFUSED = 2  ///< as an obstacle; a path query with an end in it returns VN_UNKNOWN_SPACE
} vn_unknown_policy;

typedef struct vn_space_def {
    vn_allocator allocator;
    vn_jobs jobs;
    float resolution; ///< edge of a voxel, metres, 1e-9 to 1e9
    float radius;     ///< of the agent, metres, >= 0: a voxel is blocked if and only if the distance from its
                      ///< closed cube to a shape is less than this
    uint32_t open_flags;       ///< obstacles with one of these flags are omitted (default 0)
    vn_unknown_policy unknown; ///< treatment of unknown space (default VN_UNKNOWN_BLOCKED)
    bool has_bounds;           ///< false: use the world's bounds, extended by `margin`
    vn_box bounds;             ///< local; the space covers it with whole voxels, starting at bounds.min
    float margin;              ///< metres added around the world's bounds if has_bounds is false, >= 0
    bool has_seed;             ///< true: keep free only the region face-connected to the seed's voxel
    vn_vec3 seed;              ///< local
    bool cells; ///< divide free space into cells (default true); without them only grid searches run
    vn_progress* progress; ///< may be null
    void* progress_user;
    uint32_t cookie; ///< set by vn_default_space_def
} vn_space_def;

/// Resolution 1, radius 0, all obstacles, the world's bounds without margin, cells, serial jobs.
VN_API vn_space_def vn_default_space_def(void);

/// Voxelises the world and divides its free space into cells. Conservative: every voxel that a surface
/// touches is blocked. The result is the same, byte for byte, for any number of workers. Without has_bounds,
/// if all obstacles are voxel sets of one common grid at this resolution, the space uses that grid. Obstacles
/// omitted because of open_flags or `unknown` still count for the bounds, so all spaces of a world share one
/// grid.
///
/// VN_BAD_DEF, VN_BAD_ARGUMENT: an invalid def, with the reason in `detail`. VN_BAD_DATA: an empty world
/// without bounds. VN_TOO_LARGE: more than 2^20 voxels along an axis, or 2^22 blocks of 64^3 voxels in total.
/// VN_OUTSIDE, VN_BLOCKED: the seed lies outside the space, or in a blocked voxel. VN_OUT_OF_MEMORY,
/// VN_CANCELLED.
VN_NODISCARD vn_status vn_space_bake(const vn_world* world, const vn_space_def* def, vn_space** out,
                                     vn_detail* detail);

/// Null is allowed. No query on the space may be in progress.
VN_API void vn_space_destroy(vn_space* space);

typedef struct vn_space_info {
    vn_voxel dims;    ///< in voxels
    float resolution; ///< metres
    float radius;     ///< metres
    uint32_t open_flags;
    vn_unknown_policy unknown;
    vn_dvec3 origin; ///< of the world
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0), relative to `origin`
    uint64_t blocked_voxels;
    uint64_t free_voxels;
    uint64_t unknown_voxels; ///< voxels blocked as unknown; counted with VN_UNKNOWN_REFUSED only
    uint64_t cells;          ///< boxes of free voxels; 0 if baked without cells
    uint64_t links;          ///< between adjacent cells, counted once per direction
    uint64_t components;     ///< sets of cells that reach each other; 0 without cells
} vn_space_info;

VN_API void vn_space_get_info(const vn_space* space, vn_space_info* out);
VN_API void vn_space_get_memory(const vn_space* space, vn_memory* out);

/// Checks the consistency of a space: blocks sorted; every free voxel in exactly one cell; links symmetric,
/// geometrically correct and complete; cell lookup and components correct; unknown voxels blocked. VN_OK,
/// VN_BAD_DATA with the fault in `detail`, or VN_OUT_OF_MEMORY. O(stored bricks + cells + links).
VN_API vn_status vn_space_validate(const vn_space* space, vn_detail* detail);

/// 64-bit hash of the content (dimensions, blocked and unknown voxels, cells and links): the same for equal
/// spaces, on every machine.
VN_API uint64_t vn_space_content_hash(const vn_space* space);

// ------------------------------------------------------------------------------------------ coordinates

// Positions and points. A position (vn_dvec3) is in world metres; a point (vn_point) is exact, on the lattice
// of one space and of all layers baked with it. A call that takes or gives points has a form for positions,
// named by one rule: `position` (of several: `positions`) takes the place of `point` in the name, or else
// follows it: vn_space_point_free and vn_space_position_free, vn_space_raycast and
// vn_space_raycast_positions. In structs the field beside `point` is `position`. It rounds each to the
// nearest lattice point, by half a step (resolution / 2048) at most along each axis, and goes on as the call
// with points. Positions outside the space stay outside: none is moved unless the call is about moving it
// (nearest, snap).

/// The lattice point nearest to a world position (origin included). VN_OUTSIDE: the position is outside the
/// space or not finite, and `*out` is vn_point_outside, which every other call refuses.
VN_NODISCARD vn_status vn_space_point_from_world(const vn_space* space, vn_dvec3 position, vn_point* out);

/// The same for a local position (relative to the world's origin).
VN_NODISCARD vn_status vn_space_point_from_local(const vn_space* space, vn_vec3 position, vn_point* out);

/// World position of a lattice point. Exact when the resolution is a power of two.
VN_API vn_dvec3 vn_space_point_to_world(const vn_space* space, vn_point point);

/// The same for several at once: the points of a path or the corners of a patrol. VN_OUTSIDE: at least one is
/// outside; the others are converted.
VN_NODISCARD vn_status vn_space_points_from_world(const vn_space* space, const vn_dvec3* positions,
                                                  uint32_t count, vn_point* out);
VN_API void vn_space_points_to_world(const vn_space* space, const vn_point* points, uint32_t count,
                                     vn_dvec3* out);

/// The voxel that contains a point: on a shared face the higher one, at the upper bound of the space the last
/// one. For a point outside the space it lies outside too.
VN_API vn_voxel vn_space_voxel_at(const vn_space* space, vn_point point);

// --------------------------------------------------------------------------------------------- queries

/// False outside the space.
VN_API bool vn_space_voxel_free(const vn_space* space, vn_voxel voxel);

/// True if a point agent may be at this point: a free voxel touches it.
VN_API bool vn_space_point_free(const vn_space* space, vn_point point);

/// The same for a position. False outside the space.
VN_API bool vn_space_position_free(const vn_space* space, vn_dvec3 position);

/// True if all voxels of [low, high) are inside the space and free; true for an empty box. Skips free blocks.
VN_API bool vn_space_box_free(const vn_space* space, vn_voxel low, vn_voxel high);

/// Line of sight: true if the segment from a to b is free under the rules of contact (docs/contact.md). It
/// may touch blocked voxels, but neither enter one nor pass between two that meet at an edge or a corner.
/// Exact and symmetric. False if an end is outside the space.
VN_API bool vn_space_visible(const vn_space* space, vn_point a, vn_point b);
VN_API bool vn_space_visible_positions(const vn_space* space, vn_dvec3 from, vn_dvec3 to);

/// True if a ball of `radius` metres can move straight from a to b: its centre stays inside the bounds and
/// never comes closer to a blocked voxel than the radius (in double, to about 1e-12 of a voxel). Radius 0 is
/// vn_space_visible; false for a negative radius or NaN.
VN_API bool vn_space_sweep_free(const vn_space* space, vn_point a, vn_point b, float radius);

/// The free point nearest to a world position (free, blocked or outside), within `max_distance` metres
/// (infinity is allowed). Ties go to the lowest voxel in z, y, x order. The point lies on the lattice, in a
/// free voxel, so its distance may exceed the exact one by up to one lattice step. VN_NOT_FOUND: there is
/// none within that distance. VN_BAD_ARGUMENT: the position is not finite, or the distance is negative or
/// NaN.
VN_NODISCARD vn_status vn_space_nearest_free(const vn_space* space, vn_dvec3 position, double max_distance,
                                             vn_point* out, double* distance);

/// The same, as a position. `distance` (metres) may be null.
VN_NODISCARD vn_status vn_space_nearest_free_position(const vn_space* space, vn_dvec3 position,
                                                      double max_distance, vn_dvec3* out, double* distance);

/// True if the point lies in unknown space that the bake refused (VN_UNKNOWN_REFUSED): an unknown voxel
/// touches it, and no free voxel does.
VN_API bool vn_space_point_unknown(const vn_space* space, vn_point point);

/// True if a path joins the two points under the rules of contact; false if one of them is not free. A point
/// on an edge may belong to two components: it is reachable from both. O(1). Always false in a
/// space without cells.
VN_API bool vn_space_reachable(const vn_space* space, vn_point a, vn_point b);
VN_API bool vn_space_reachable_positions(const vn_space* space, vn_dvec3 from, vn_dvec3 to);

// ------------------------------------------------------------------------------------------------ hits

/// The first hit of a ray or a swept ball.
typedef struct vn_hit {
    double fraction;   ///< 0 at a, 1 at b: where on the segment it stops
    vn_dvec3 position; ///< of the ray's tip or the ball's centre there, world coordinates
    vn_dvec3 contact;  ///< the point touched: for a ray the same as position, for a ball the nearest point of
                       ///< the voxel
    vn_vec3 normal;    ///< unit, away from the surface touched and against the motion; zero if starts_blocked
    vn_voxel voxel;    ///< the blocked voxel; beyond the bounds if leaves_space
    bool leaves_space; ///< it stops at the bounds of the space
    bool starts_blocked;     ///< a is blocked (fraction is 0) or outside; if outside, both flags are true
    vn_obstacle_id obstacle; ///< see vn_space_obstacle_at; the null id without a world, or if there is none
} vn_hit;

/// Casts a ray from a to b, which may lie anywhere. Returns true if something stops it before b. Exact: false
/// if and only if vn_space_visible is true, and `fraction` is that of the last point that the rules of
/// contact allow (the same that vn_space_check_path finds). The normal is that of the face hit; at an edge or
/// a corner it is the normalised sum over the faces hit; a flat wall of many voxels has one normal, also
/// where two of them join. If nothing is hit, `fraction` is 1, the positions are those of b and the other
/// fields are zero. `world` may be null. Skips free blocks. Allocates nothing. Any thread.
VN_API bool vn_space_raycast(const vn_space* space, const vn_world* world, vn_point a, vn_point b,
                             vn_hit* out);

/// The same between two positions, which may be any distance apart: `to` may be far beyond the bounds. A
/// position that is not finite is outside.
VN_API bool vn_space_raycast_positions(const vn_space* space, const vn_world* world, vn_dvec3 from,
                                       vn_dvec3 to, vn_hit* out);

/// The same for a ball of `radius` metres; 0 is vn_space_raycast. It stops where it would come closer to a
/// blocked voxel than its radius, or where its centre would leave the bounds. In double, to about 1e-9 of a
/// voxel; for radii >= 0, true if and only if vn_space_sweep_free is false. starts_blocked: the ball is
/// already too close to a voxel at a; `voxel` and `contact` are then the nearest there. A negative radius or
/// NaN counts as 0.
VN_API bool vn_space_sweep(const vn_space* space, const vn_world* world, vn_point a, vn_point b, float radius,
                           vn_hit* out);
VN_API bool vn_space_sweep_positions(const vn_space* space, const vn_world* world, vn_dvec3 from, vn_dvec3 to,
                                     float radius, vn_hit* out);

/// The obstacle that blocks a voxel: of the shapes in the bake (those with open_flags are not), the one
/// nearest to the voxel's closed cube, at most the space's radius away. The interior of a solid mesh is at
/// distance 0. Ties go to a shape that overlaps the cube before one that only touches it, then to the lower
/// slot. The null id if there is none: the voxel is free, outside, or away from all shapes and closed because
/// it is not connected to the seed. `world` must be the one baked from, unchanged. Cost: O(log n + shapes and
/// triangles near the voxel), plus, for each solid mesh around it, the triangles on three lines through the
/// voxel. Allocates nothing.
VN_API vn_obstacle_id vn_space_obstacle_at(const vn_space* space, const vn_world* world, vn_voxel voxel);

/// The nearest wall.
typedef struct vn_wall {
    double distance;  ///< metres; 0 in a blocked voxel or on its surface
    vn_dvec3 nearest; ///< nearest point of the wall, world coordinates
    vn_vec3 normal;   ///< unit, from `nearest` to the query point; zero at distance 0
    vn_voxel voxel;   ///< the blocked voxel
} vn_wall;

/// The nearest blocked voxel (as a closed cube) within `max_distance` metres of a point (infinity is
/// allowed). The bounds of the space are not walls. Ties go to the lowest voxel in z, y, x order. In a space
/// of radius r, the shapes themselves are another r away. VN_NOT_FOUND: there is none within that distance.
/// VN_BAD_ARGUMENT: the distance is negative or NaN. VN_OUTSIDE: vn_point_outside. Allocates nothing.
VN_NODISCARD vn_status vn_space_nearest_wall(const vn_space* space, vn_point point, double max_distance,
                                             vn_wall* out);

/// The same for a position. VN_OUTSIDE: it is outside the space.
VN_NODISCARD vn_status vn_space_nearest_wall_position(const vn_space* space, vn_dvec3 position,
                                                      double max_distance, vn_wall* out);

/// A random free point on the lattice, uniformly distributed by volume. `random` is the state of the caller's
/// generator: start with any number; each call changes it, and the same number gives the same point on every
/// machine. VN_NOT_FOUND: nothing is free. O(1) if much of the space is free, otherwise O(blocks). Allocates
/// nothing.
VN_NODISCARD vn_status vn_space_random_point(const vn_space* space, uint64_t* random, vn_point* out);
VN_NODISCARD vn_status vn_space_random_position(const vn_space* space, uint64_t* random, vn_dvec3* out);

/// The same over the component of a point: over all free voxels that a path from `from` reaches (of a point
/// on an edge, perhaps those of two components). VN_OUTSIDE, VN_BLOCKED, VN_UNKNOWN_SPACE: `from` is not
/// free. VN_UNSUPPORTED: a space without cells. O(1) if much of the space is reachable, otherwise O(cells).
VN_NODISCARD vn_status vn_space_random_reachable(const vn_space* space, vn_point from, uint64_t* random,
                                                 vn_point* out);
VN_NODISCARD vn_status vn_space_random_reachable_position(const vn_space* space, vn_dvec3 from,
                                                          uint64_t* random, vn_dvec3* out);

// -------------------------------------------------------------------------------------------- visiting

/// Visits the blocked voxels of [low, high) as runs along x, in z, y, x order. Stops when `visit` returns
/// false.
typedef bool vn_visit_run(void* user, vn_voxel first, int32_t length);
VN_API void vn_space_visit_blocked(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_run* visit,
                                   void* user);

/// Visits the cells that touch the voxel box [low, high), block by block. Stops when `visit` returns false.
/// Without cells there is nothing to visit.
typedef bool vn_visit_cell(void* user, vn_voxel low, vn_voxel high);
VN_API void vn_space_visit_cells(const vn_space* space, vn_voxel low, vn_voxel high, vn_visit_cell* visit,
                                 void* user);

#endif
