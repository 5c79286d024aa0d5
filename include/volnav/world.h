/// volnav/world.h: the obstacles, as shapes. What they leave free becomes a space (volnav/space.h).
///
/// Shapes are copied in and validated when they are added; the world keeps no pointer to the caller's arrays.
/// Obstacles are named by ids with generations: an id outlives its obstacle safely. A world is changed by one
/// thread at a time; while nobody changes it, any number of threads may read it.
#ifndef VOLNAV_WORLD_H
#define VOLNAV_WORLD_H

#include "volnav/math.h"

typedef struct vn_world vn_world;

typedef struct vn_world_def {
    vn_allocator allocator;
    vn_dvec3 origin; ///< the point of the planet that local (0, 0, 0) stands for, metres
    uint32_t cookie; ///< set by vn_default_world_def
} vn_world_def;

/// The default allocator, origin (0, 0, 0).
VN_API vn_world_def vn_default_world_def(void);

/// VN_BAD_DEF if the def was not made by vn_default_world_def, VN_BAD_ARGUMENT if the allocator lacks a
/// function or the origin is not finite.
VN_API vn_status vn_world_create(const vn_world_def* def, vn_world** out);

/// Null is allowed. Spaces baked from the world live on without it.
VN_API void vn_world_destroy(vn_world* world);

// ---------------------------------------------------------------------------------------------- shapes

typedef enum vn_shape_kind {
    VN_SHAPE_BOX = 1,      ///< axis-aligned box
    VN_SHAPE_ORIENTED = 2, ///< box with a rotation
    VN_SHAPE_SPHERE = 3,
    VN_SHAPE_HULL = 4,  ///< convex polyhedron
    VN_SHAPE_MESH = 5,  ///< triangles: closed, open, concave, with holes
    VN_SHAPE_VOXELS = 6 ///< a set of cubes on a grid of its own
} vn_shape_kind;

/// One shape in local coordinates. Arrays belong to the caller and are needed only during the call.
///
/// What a shape blocks for a point agent: volumes (box, oriented box, sphere, hull, voxels) may be touched
/// but not entered; surfaces (the triangles of a mesh, and volumes that are flat) may not even be touched.
typedef struct vn_shape {
    vn_shape_kind kind;
    union {
        vn_box box;
        struct {
            vn_vec3 center;
            vn_vec3 half;     ///< half extents along its own axes, >= 0
            vn_quat rotation; ///< of unit length within 1e-3; it is made exact
        } oriented;
        struct {
            vn_vec3 center;
            float radius; ///< >= 0
        } sphere;
        struct {
            const vn_vec3* vertices;
            uint32_t vertex_count;
            const uint32_t* indices; ///< triangles, counter-clockwise seen from outside
            uint32_t triangle_count;
        } hull;
        struct {
            const vn_vec3* vertices;
            uint32_t vertex_count;
            const uint32_t* indices; ///< three a triangle
            uint32_t triangle_count;
            bool solid; ///< also block the inside; no effect if it is not fillable: see vn_obstacle_info
        } mesh;
        struct {
            vn_vec3 low;            ///< low corner of voxel (0, 0, 0)
            float size;             ///< edge of a voxel, metres, > 0
            vn_voxel dims;          ///< every voxel lies in [0, dims); each 1 to 2^20
            const vn_voxel* voxels; ///< in any order; duplicates are dropped and counted; there may be none
            uint64_t voxel_count;
            const vn_voxel_box* boxes; ///< more voxels, as boxes within dims; they may overlap, also with
                                       ///< `voxels` (no duplicates); empty ones are skipped
            uint64_t box_count;
        } voxels;
    } as;
} vn_shape;

/// The highest flag of an obstacle is ours: what it covers is not an obstacle but space that nobody has seen.
/// vn_space_def.unknown says what a bake makes of it.
#define VN_FLAG_UNKNOWN 0x80000000u

/// index1 is 0 for the null id, else the slot + 1.
typedef struct vn_obstacle_id {
    uint32_t index1;
    uint32_t generation;
} vn_obstacle_id;

/// What the world found out about a shape while copying it in.
///
/// `fillable`: vertices at equal positions are welded; the open edges that hang together are a hole; a fan of
/// triangles from the hole's centre would close it. The mesh is fillable if its fans together have at most 5%
/// of its own area, and no hole is larger than 10% of the area that faces the same way (each triangle
/// weighted by the squared cosine of its angle to the hole's direction). So a closed mesh is, facing out or
/// in, with parts that repeat or overlap, with cracks and with small holes; a height field, a single
/// triangle, a box without its lid and a straight tube open at both ends are not. A long bent tube counts as
/// fillable.
typedef struct vn_obstacle_info {
    vn_shape_kind kind;
    uint32_t flags;               ///< see vn_world_set_flags
    vn_box bounds;                ///< rounded outwards to float; of a voxel set: its whole grid
    uint32_t vertices, triangles; ///< hull and mesh
    uint32_t degenerate; ///< mesh: triangles without area; they block as the segment or point that they are

    /// Mesh: edges along which not as many triangles run one way as the other, equal vertices welded.
    uint32_t open_edges;
    double area; ///< mesh, hull: square metres

    /// Cubic metres. Of a mesh the signed volume: positive if it is closed and faces outwards.
    double volume;
    bool fillable;       ///< mesh: closed, or with small holes only, so that it can be solid; see above
    uint64_t voxels;     ///< voxel set: distinct voxels
    uint64_t duplicates; ///< voxel set: how many of the voxels given were there already
} vn_obstacle_info;

/// Adds a shape. On VN_OK `*out` (may be null) names it. VN_BAD_DATA tells by detail->index which vertex,
/// triangle, voxel or box of voxels is at fault (not finite, index out of range, outside its dims, hull not
/// convex or inside out), for a box, oriented box or sphere which axis (0 to 2), and leaves the world as it
/// was. Coordinates must lie within 1e6 metres of the origin (the far corner of a voxel set's grid: 2^20),
/// and lengths must not be above 1e6. VN_BAD_DATA also: no vertices or no triangles, min above max, negative
/// half extent or radius, a rotation that is not of unit length. VN_TOO_LARGE: dims above 2^20, more than
/// 2^30 vertices or triangles, voxels in 2^32 or more of the cubes of 4x4x4 that they are stored in (16 bytes
/// each). A mesh that was to be solid and is not fillable is added as a surface, with a warning in the log.
/// VN_BAD_ARGUMENT: an unknown kind. Cost: O(n log n) in the shape's elements; of a hull: vertices times
/// triangles.
VN_API vn_status vn_world_add(vn_world* world, const vn_shape* shape, vn_obstacle_id* out, vn_detail* detail);

/// VN_STALE_ID if it has been removed before.
VN_API vn_status vn_world_remove(vn_world* world, vn_obstacle_id id);

/// Marks an obstacle with bits of the caller's meaning: a door, a team's force field. 0 (the default): solid
/// for everybody. A bake whose vn_space_def.open_flags has one of the bits leaves the obstacle out.
/// VN_STALE_ID.
VN_API vn_status vn_world_set_flags(vn_world* world, vn_obstacle_id id, uint32_t flags);

/// 64-bit hash of the origin and of all obstacles (shapes and flags, in order of slot), the same on every
/// machine: tells whether something baked from a world is still up to date. O(everything).
VN_API uint64_t vn_world_hash(const vn_world* world);

VN_API bool vn_world_has(const vn_world* world, vn_obstacle_id id);
VN_API vn_status vn_world_get_info(const vn_world* world, vn_obstacle_id id, vn_obstacle_info* out);
VN_API uint32_t vn_world_count(const vn_world* world);

/// Box around all obstacles; false and a zero box if there are none. O(1).
VN_API bool vn_world_get_bounds(const vn_world* world, vn_box* out);
VN_API vn_dvec3 vn_world_origin(const vn_world* world);

/// The obstacles whose bounds touch `box`, in order of slot. Writes up to `capacity` ids, always sets
/// `*count` to the number there is; VN_CAPACITY if that is more than was written: the written ones are those
/// of the lowest slots. VN_BAD_ARGUMENT if a min is above its max or NaN; infinite boxes are allowed. `out`
/// may be null if `capacity` is 0. Allocates nothing. O(log n + hits log(written)).
VN_API vn_status vn_world_query_box(const vn_world* world, const vn_box* box, vn_obstacle_id* out,
                                    uint32_t capacity, uint32_t* count);

VN_API void vn_world_get_memory(const vn_world* world, vn_memory* out);

/// Grows with every change of the world; two equal numbers mean that nothing has changed in between.
VN_API uint64_t vn_world_revision(const vn_world* world);

// ------------------------------------------------------------------------------------ moving obstacles
// Everything above works for them as for others, and sees them where they are now: removing, flags, info
// (a box that is turned is VN_SHAPE_ORIENTED), hash, bounds, queries, and every bake.

/// Adds an obstacle that moves: `shape` in a frame of its own, `place` says where that frame is. Boxes,
/// oriented boxes, spheres, hulls and voxel sets; a mesh is VN_UNSUPPORTED (take its hull). A voxel set can
/// be moved, scaled and turned by quarter turns; others are VN_UNSUPPORTED. A rotation whose axes are within
/// 1e-6 of quarter turns is made one exactly, so that boxes that stand straight stay exact. What does not
/// depend on the place is prepared once. Both the shape as it is and where it is must be within the limits
/// of vn_world_add, to which this is equal in everything else.
VN_API vn_status vn_world_add_moving(vn_world* world, const vn_shape* shape, const vn_transform* transform,
                                     vn_obstacle_id* out, vn_detail* detail);

/// Moves, turns or scales it. Allocates nothing. VN_STALE_ID; VN_UNSUPPORTED: not added by
/// vn_world_add_moving, or a turn that its shape cannot take; VN_BAD_DATA: the place is not finite, too far
/// away, or has no scale: then nothing has changed. The result depends on the shape and the place alone, not
/// on the way there. O(log n); of a hull also its vertices; of a voxel set that is turned n log n of its
/// voxels.
VN_API vn_status vn_world_move(vn_world* world, vn_obstacle_id id, const vn_transform* transform,
                               vn_detail* detail);

/// The place as it was given last. VN_STALE_ID; VN_UNSUPPORTED if the obstacle cannot move.
VN_API vn_status vn_world_get_transform(const vn_world* world, vn_obstacle_id id, vn_transform* out);

/// Metres a second; what agents expect of it. Zero at first. No effect on where it is, nor on the hash.
/// VN_STALE_ID; VN_UNSUPPORTED if the obstacle cannot move; VN_BAD_ARGUMENT if it is not finite.
VN_API vn_status vn_world_set_velocity(vn_world* world, vn_obstacle_id id, vn_vec3 velocity);
VN_API vn_status vn_world_get_velocity(const vn_world* world, vn_obstacle_id id, vn_vec3* out);

// -------------------------------------------------------------------------------------------------- zones
// Zones do not block anything and are no part of a space: they change what a way costs. A request brings its
// own (volnav/query.h), or those that the world keeps; a nav (volnav/nav.h) adds its world's to every
// request.

/// Zones that a request, or a world, may have.
#define VN_MAX_ZONES 64

/// Planes that all of these together may have.
#define VN_MAX_ZONE_PLANES 512

typedef enum vn_zone_kind {
    VN_ZONE_BOX = 0,    ///< axis-aligned
    VN_ZONE_SPHERE = 1, ///< by center and radius
    VN_ZONE_HULL = 2,   ///< what lies behind all of its planes: a turned box, a convex hull, a half-space
    VN_ZONE_KIND_COUNT
} vn_zone_kind;

/// The points p with normal . p <= offset lie behind it.
typedef struct vn_plane {
    vn_vec3 normal; ///< local, outwards; of any length above 0
    float offset;   ///< metres times the length of the normal
} vn_plane;

/// A place in which every metre of way costs `factor` metres: rain, fog, a place that others watch; below 1,
/// a place that is liked. Where zones overlap, the largest factor counts. Of the fields that follow `flags`
/// only those of the kind are read; with all of them zero it is a box.
typedef struct vn_zone {
    vn_box box;     ///< VN_ZONE_BOX: local
    float factor;   ///< 1e-6 to 1e6
    uint32_t flags; ///< 0: for everybody; else for requests that have one of these in zone_flags
    vn_zone_kind kind;
    vn_vec3 center;         ///< VN_ZONE_SPHERE: local
    float radius;           ///< VN_ZONE_SPHERE: metres, >= 0
    const vn_plane* planes; ///< VN_ZONE_HULL
    uint32_t plane_count;   ///< 1 or more
} vn_zone;

/// A zone that a world keeps: a shape in a frame of its own, and where that frame is.
typedef struct vn_zone_def {
    vn_shape shape;     ///< box, oriented box, sphere or hull
    vn_transform transform; ///< default: vn_transform_identity
    float factor;       ///< 1e-6 to 1e6; default 1
    uint32_t flags;     ///< as in vn_zone
    uint32_t cookie;
} vn_zone_def;

VN_API vn_zone_def vn_default_zone_def(void);

/// index1 is 0 for the null id, else the slot + 1.
typedef struct vn_zone_id {
    uint32_t index1;
    uint32_t generation;
} vn_zone_id;

/// Adds a zone; `*out` (may be null) names it. VN_BAD_DEF; VN_UNSUPPORTED: a mesh or a voxel set;
/// VN_CAPACITY: more than VN_MAX_ZONES, or too many planes: a box may need 6, a hull needs one for each of
/// its flat faces. VN_BAD_DATA: as for vn_world_add_moving, also a factor out of its range or a hull without
/// an inside. On failure nothing has changed. Neither the obstacles nor the hash and the revision of the
/// world know of zones.
VN_API vn_status vn_world_add_zone(vn_world* world, const vn_zone_def* def, vn_zone_id* out,
                                   vn_detail* detail);

/// Moves, turns or scales it. Allocates nothing. VN_STALE_ID; VN_BAD_DATA as vn_world_move: then nothing has
/// changed.
VN_API vn_status vn_world_move_zone(vn_world* world, vn_zone_id id, const vn_transform* transform,
                                    vn_detail* detail);

/// VN_STALE_ID if it has been removed before.
VN_API vn_status vn_world_remove_zone(vn_world* world, vn_zone_id id);
VN_API bool vn_world_has_zone(const vn_world* world, vn_zone_id id);

/// The place as it was given last. VN_STALE_ID.
VN_API vn_status vn_world_get_zone_transform(const vn_world* world, vn_zone_id id, vn_transform* out);

/// All zones where they are now, in order of slot, ready for a request. Writes up to `capacity`, always sets
/// `*count` to the number there is; VN_CAPACITY if that is more. Planes belong to the world and live until
/// the zone is moved or removed. They are float, as all local numbers: D metres from the origin, a face of a
/// hull or of a turned box is off by about D / 10^7.
VN_API vn_status vn_world_get_zones(const vn_world* world, vn_zone* out, uint32_t capacity, uint32_t* count);

/// Grows with every change of a zone; two equal numbers mean that no zone has changed in between.
VN_API uint64_t vn_world_zone_revision(const vn_world* world);

#endif
