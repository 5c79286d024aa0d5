/// volnav/world.h: obstacles and zones, as shapes. A bake (volnav/space.h) computes the free space around the
/// obstacles.
///
/// Shapes are validated and copied when they are added; the world keeps no pointer to the caller's arrays.
/// Ids carry a generation, so the id of a removed obstacle is detected. One thread at a time may change a
/// world; while none does, any number of threads may read it.
#ifndef VOLNAV_WORLD_H
#define VOLNAV_WORLD_H

#include "volnav/math.h"

typedef struct vn_world vn_world;

typedef struct vn_world_def {
    vn_allocator allocator;
    vn_dvec3 origin; ///< world position of local (0, 0, 0), metres
    uint32_t cookie; ///< set by vn_default_world_def
} vn_world_def;

/// Default allocator, origin (0, 0, 0).
VN_API vn_world_def vn_default_world_def(void);

/// Creates an empty world. VN_BAD_DEF: the def was not initialised by vn_default_world_def. VN_BAD_ARGUMENT:
/// the allocator lacks a function, or the origin is not finite.
VN_NODISCARD vn_status vn_world_create(const vn_world_def* def, vn_world** out);

/// Null is allowed. Spaces baked from the world remain valid.
VN_API void vn_world_destroy(vn_world* world);

// ---------------------------------------------------------------------------------------------- shapes

typedef enum vn_shape_kind {
    VN_SHAPE_BOX = 1,      ///< axis-aligned box
    VN_SHAPE_ORIENTED = 2, ///< rotated box
    VN_SHAPE_SPHERE = 3,
    VN_SHAPE_HULL = 4,    ///< convex polyhedron
    VN_SHAPE_MESH = 5,    ///< triangles; closed or open, concave, with holes
    VN_SHAPE_VOXELS = 6,  ///< a set of cubes on its own grid
    VN_SHAPE_CAPSULE = 7, ///< all points within a radius of a segment
    VN_SHAPE_CYLINDER = 8 ///< round, with flat caps
} vn_shape_kind;

/// A shape in local coordinates. Arrays belong to the caller and must stay valid during the call only.
///
/// A point agent may touch volumes (box, oriented box, sphere, hull, voxels, capsule, cylinder) but not enter
/// them. It may not even touch surfaces (the triangles of a mesh, and flat volumes).
typedef struct vn_shape {
    vn_shape_kind kind;
    union {
        vn_box box;
        struct {
            vn_vec3 center;
            vn_vec3 half;     ///< half extents along the axes of the box, >= 0
            vn_quat rotation; ///< unit length within 1e-3; it is normalised
        } oriented;
        struct {
            vn_vec3 center;
            float radius; ///< >= 0
        } sphere;
        struct {
            const vn_vec3* vertices;
            uint32_t vertex_count;
            const uint32_t* indices; ///< three per triangle, counter-clockwise seen from outside
            uint32_t triangle_count;
        } hull;
        struct {
            const vn_vec3* vertices;
            uint32_t vertex_count;
            const uint32_t* indices; ///< three per triangle
            uint32_t triangle_count;
            bool solid; ///< also block the interior; ignored if the mesh is not fillable (vn_obstacle_info)
        } mesh;
        struct {
            vn_vec3 low;   ///< low corner of voxel (0, 0, 0)
            float size;    ///< edge of a voxel, metres, > 0
            vn_voxel dims; ///< size of the grid, 1 to 2^20 on each axis; every voxel lies in [0, dims)
            const vn_voxel* voxels; ///< in any order, possibly none; duplicates are dropped and counted
            uint64_t voxel_count;
            const vn_voxel_box* boxes; ///< more voxels, as boxes within dims. Boxes may overlap each other
                                       ///< and `voxels` (not counted as duplicates); empty ones are skipped
            uint64_t box_count;
            bool sensed; ///< its voxels change later: vn_world_sense, vn_nav_sense. Static obstacles only
        } voxels;
        struct {
            vn_vec3 a, b; ///< ends of its axis; if they are equal, it is a sphere
            float radius; ///< >= 0
        } capsule;
        struct {
            vn_vec3 a, b; ///< centres of its caps, which are square to the axis; not equal
            float radius; ///< >= 0
        } cylinder;
    } as;
} vn_shape;

/// Reserved flag, the highest bit: the shape is not an obstacle but marks unknown (never observed) space.
/// vn_space_def.unknown determines how a bake treats it.
#define VN_FLAG_UNKNOWN 0x80000000u

/// Reserved flag, the next bit: the obstacle is the body of an agent. Requests and watches of a nav may name
/// it (vn_path_request.inside), so that the agent does not block itself. Every version keeps its footprint:
/// 48 bytes for each brick of 4^3 voxels, and as much work as moving it. No effect elsewhere, except that
/// open_flags may have this bit, as any other.
#define VN_FLAG_BODY 0x40000000u

/// The id of an obstacle. index1 is 0 in the null id, otherwise the slot + 1.
typedef struct vn_obstacle_id {
    uint32_t index1;
    uint32_t generation;
} vn_obstacle_id;

/// Properties of an obstacle, computed when its shape was added.
///
/// `fillable`: vertices at equal positions are welded. Each connected set of open edges is a hole, which a
/// fan of triangles from its centre would close. A mesh is fillable if the area of all fans is at most 5% of
/// the area of the mesh, and no hole is larger than 10% of the area that faces in the hole's direction (each
/// triangle weighted by the squared cosine of its angle to that direction). Fillable meshes are: closed
/// meshes, facing outwards or inwards, also with repeated or overlapping parts, cracks or small holes. Not
/// fillable are: a height field, a single triangle, a box without its lid, a straight tube open at both ends.
/// A long bent tube counts as fillable.
typedef struct vn_obstacle_info {
    vn_shape_kind kind;
    uint32_t flags;               ///< see vn_world_set_flags
    vn_box bounds;                ///< rounded outwards to float; voxel set: its whole grid
    uint32_t vertices, triangles; ///< hull and mesh
    uint32_t degenerate;          ///< mesh: triangles without area; they block as a segment or a point

    /// Mesh: edges whose adjacent triangles do not cancel (as many in one direction as in the other), after
    /// welding equal vertices.
    uint32_t open_edges;
    double area; ///< mesh, hull: square metres

    /// Cubic metres. Mesh: the signed volume, positive if the mesh is closed and faces outwards.
    double volume;
    bool fillable;       ///< mesh: closed, or with small holes only, so it can be solid; see above
    uint64_t voxels;     ///< voxel set: distinct voxels
    uint64_t duplicates; ///< voxel set: voxels that were given more than once
} vn_obstacle_info;

/// Adds an obstacle; `*out` (may be null) receives its id. Coordinates must lie within 1e6 metres of the
/// origin (the far corner of a voxel set's grid: 2^20), and lengths must not exceed 1e6. A mesh that is
/// requested solid but is not fillable is added as a surface, with a warning in the log. Cost: O(n log n) in
/// the elements of the shape; hulls: vertices times triangles.
///
/// VN_BAD_DATA: invalid geometry; the world is unchanged. detail->index is the vertex, triangle, voxel or box
/// of voxels at fault (not finite, index out of range, outside dims, hull not convex or inside out); for a
/// box, oriented box, sphere, capsule or cylinder it is the axis (0 to 2). Also: no vertices or no triangles,
/// min above max, a negative half extent or radius, a rotation that is not of unit length, a cylinder whose
/// ends are equal. VN_TOO_LARGE: dims above 2^20, more
/// than 2^30 vertices or triangles, voxels in 2^32 or more of the 4x4x4 cubes in which they are stored (16
/// bytes each). VN_BAD_ARGUMENT: an unknown kind.
VN_NODISCARD vn_status vn_world_add(vn_world* world, const vn_shape* shape, vn_obstacle_id* out,
                                    vn_detail* detail);

/// A convex hull made of points. The arrays belong to it.
typedef struct vn_hull {
    vn_vec3* vertices; ///< ascending by x, then y, then z
    uint32_t* indices; ///< three per triangle, counter-clockwise seen from outside
    uint32_t vertex_count, triangle_count;
    vn_allocator allocator;
} vn_hull;

/// The convex hull of 4 to 2^24 points, in the form that VN_SHAPE_HULL takes; free it with vn_hull_free.
/// `allocator` may be null. Decided exactly, for any input: duplicates, points in a plane or on a line with
/// others, nearly flat sets. Only extreme points become vertices. The same set of points gives the same
/// bytes, in any order and on every machine. Cost: n log n, plus the faces that each point sees (up to n^2
/// for points on one curve), plus vertices times triangles for the checks of vn_world_add, which therefore
/// accepts it.
///
/// VN_DEGENERATE: all points lie in one plane, on one line, or are equal, or the hull is thinner than 1e-5 of
/// its largest extent. VN_BAD_DATA: a point is not finite or beyond 1e6 metres (detail->index).
/// VN_TOO_LARGE; VN_OUT_OF_MEMORY. On failure `*out` is empty.
VN_NODISCARD vn_status vn_hull_from_points(const vn_allocator* allocator, const vn_vec3* points,
                                           uint32_t count, vn_hull* out, vn_detail* detail);

/// Null and empty hulls are allowed.
VN_API void vn_hull_free(vn_hull* hull);

/// The hull as a shape, which points to its arrays.
VN_API vn_shape vn_hull_shape(const vn_hull* hull);

/// Removes an obstacle. VN_STALE_ID.
VN_API vn_status vn_world_remove(vn_world* world, vn_obstacle_id id);

/// Sets the flags of an obstacle: bits whose meaning the caller defines, such as a door or a team's force
/// field. A bake whose vn_space_def.open_flags contains one of the bits omits the obstacle. 0 (the default):
/// the obstacle blocks every agent. VN_STALE_ID.
VN_API vn_status vn_world_set_flags(vn_world* world, vn_obstacle_id id, uint32_t flags);

/// 64-bit hash of the origin and all obstacles (shapes and flags, in slot order), the same on every machine.
/// Use it to check whether a bake is up to date. O(size of all shapes).
VN_API uint64_t vn_world_hash(const vn_world* world);

VN_API bool vn_world_has(const vn_world* world, vn_obstacle_id id);
VN_NODISCARD vn_status vn_world_get_info(const vn_world* world, vn_obstacle_id id, vn_obstacle_info* out);
VN_API uint32_t vn_world_count(const vn_world* world);

/// Bounding box of all obstacles; false and a zero box if there are none. O(1).
VN_API bool vn_world_get_bounds(const vn_world* world, vn_box* out);
VN_API vn_dvec3 vn_world_origin(const vn_world* world);

/// Finds the obstacles whose bounds touch `box`, in slot order. Writes at most `capacity` ids and sets
/// `*count` to the total number. VN_CAPACITY: the total exceeds `capacity`, and the ids written are those of
/// the lowest slots. VN_BAD_ARGUMENT: min above max, or NaN; infinite boxes are allowed. `out` may be null if
/// `capacity` is 0. Allocates nothing. O(log n + hits log(written)).
VN_NODISCARD vn_status vn_world_query_box(const vn_world* world, const vn_box* box, vn_obstacle_id* out,
                                          uint32_t capacity, uint32_t* count);

VN_API void vn_world_get_memory(const vn_world* world, vn_memory* out);

/// Increases with every change of an obstacle, velocities included: equal numbers mean that nothing changed
/// in between.
VN_API uint64_t vn_world_revision(const vn_world* world);

// ------------------------------------------------------------------------------------------- sensed voxels
// A map that a robot builds: voxels that a depth camera or a lidar has seen occupied or free, and the rest,
// which is unknown. It is two static voxel sets on one grid, both added with `sensed`: the occupied voxels,
// and the unknown ones with VN_FLAG_UNKNOWN (vn_space_def.unknown says how they count). A map that begins
// unknown begins with one box of all its voxels in the second set. Everything above applies to both: flags,
// removal, info, hash and bakes see the voxels as they are now, and a set that was sensed is the same, in its
// hash too, as one that was added with these voxels.

typedef enum vn_voxel_state {
    VN_VOXEL_FREE = 0,
    VN_VOXEL_OCCUPIED = 1,
    VN_VOXEL_UNKNOWN = 2 ///< no longer known
} vn_voxel_state;

/// What a sensor delivers at once. Arrays belong to the caller and must stay valid during the call only. The
/// last entry for a voxel wins.
typedef struct vn_sense_batch {
    vn_obstacle_id occupied;   ///< a sensed voxel set
    vn_obstacle_id unknown;    ///< another one on the same grid; the null id: unknown voxels count as free
    const vn_voxel* voxels;    ///< on the grid of the sets; may be null: then `positions` are read
    const vn_dvec3* positions; ///< in the world, metres: each stands for the voxel that holds it, the upper
                               ///< one on a face
    const uint8_t* states;     ///< vn_voxel_state of each entry; may be null: then all have `state`
    vn_voxel_state state;
    uint32_t count;
} vn_sense_batch;

/// Sets the voxels of a batch: an occupied one joins the set `occupied` and leaves `unknown`, an unknown one
/// the other way round, a free one leaves both. Entries outside the grid are skipped, and `*outside` (may be
/// null) receives their number. VN_STALE_ID. VN_UNSUPPORTED: not a sensed voxel set, or the two have
/// different grids. VN_BAD_DATA: a position that is not finite or a state that does not exist
/// (detail->index). VN_BAD_ARGUMENT: no voxels and no positions, or the same set twice. VN_OUT_OF_MEMORY. On
/// failure nothing has changed. O(n log n) for a batch of n, plus, if 4x4x4 cubes come or go, a move of the
/// array of the set (16 bytes for each cube that is not empty).
VN_NODISCARD vn_status vn_world_sense(vn_world* world, const vn_sense_batch* batch, uint32_t* outside,
                                      vn_detail* detail);

// ------------------------------------------------------------------------------------ moving obstacles
// Everything above applies to moving obstacles too, at their current transform: removal, flags, info (a
// rotated box is reported as VN_SHAPE_ORIENTED), hash, bounds, queries and bakes.

/// Most triangles of a mesh that moves: it bounds what one move costs.
#define VN_MAX_MOVING_TRIANGLES 65536u

/// Adds an obstacle that can move: `shape` is given in the obstacle's own frame, and `transform` maps that
/// frame to local coordinates. A voxel set can be moved, scaled and rotated by quarter turns; any other
/// rotation is VN_UNSUPPORTED. A rotation whose axes are within 1e-6 of quarter turns is rounded to them, so
/// axis-aligned boxes stay exact. Work that does not depend on the transform is done once, here. The limits
/// of vn_world_add apply to the shape both in its own frame and transformed; everything else is as in
/// vn_world_add.
///
/// A mesh moves as it is: each transform turns its vertices (rounded to float), so it blocks exactly what the
/// same mesh blocks as a static obstacle, its interior too if it is solid. VN_TOO_LARGE: more than
/// VN_MAX_MOVING_TRIANGLES. It costs more than a hull does: every move goes over its vertices and triangles,
/// every update of a space over the triangles again, and a solid one also fills its interior. It keeps a
/// second copy.
VN_NODISCARD vn_status vn_world_add_moving(vn_world* world, const vn_shape* shape,
                                           const vn_transform* transform, vn_obstacle_id* out,
                                           vn_detail* detail);

/// Sets the transform of a moving obstacle. The result depends only on the shape and the transform, not on
/// earlier ones. VN_STALE_ID. VN_UNSUPPORTED: not added by vn_world_add_moving, or a rotation that the shape
/// does not support. VN_BAD_DATA: the transform is not finite, too far away, or its scale is not positive. On
/// failure nothing has changed. Allocates nothing. O(log n); hulls and meshes: plus their vertices and
/// triangles; rotated voxel sets: plus n log n of their voxels.
VN_NODISCARD vn_status vn_world_move(vn_world* world, vn_obstacle_id id, const vn_transform* transform,
                                     vn_detail* detail);

/// The transform set last. VN_STALE_ID; VN_UNSUPPORTED: not a moving obstacle.
VN_NODISCARD vn_status vn_world_get_transform(const vn_world* world, vn_obstacle_id id, vn_transform* out);

/// Velocity in metres per second; initially zero. Stored for the caller: only vn_world_get_velocity reads it,
/// and vn_nav_get_velocity if the world is given to a nav. It affects neither the transform, nor bakes and
/// searches, nor the hash. VN_STALE_ID; VN_UNSUPPORTED: not a moving obstacle; VN_BAD_ARGUMENT: not finite.
VN_NODISCARD vn_status vn_world_set_velocity(vn_world* world, vn_obstacle_id id, vn_vec3 velocity);
VN_NODISCARD vn_status vn_world_get_velocity(const vn_world* world, vn_obstacle_id id, vn_vec3* out);

// -------------------------------------------------------------------------------------------------- zones
// Zones block nothing and are not part of a space: they change the cost of a path. A request lists its zones
// (volnav/query.h), for example those of the world; a nav (volnav/nav.h) adds its world's zones to every
// request.

/// Maximum number of zones in a request or a world.
#define VN_MAX_ZONES 64

/// Maximum number of planes of all these zones together.
#define VN_MAX_ZONE_PLANES 512

typedef enum vn_zone_kind {
    VN_ZONE_BOX = 0,    ///< axis-aligned
    VN_ZONE_SPHERE = 1, ///< center and radius
    VN_ZONE_HULL = 2,   ///< the points behind all of its planes: a rotated box, a convex hull, a half-space
    VN_ZONE_KIND_COUNT
} vn_zone_kind;

/// A plane. The points p with normal . p <= offset lie behind it.
typedef struct vn_plane {
    vn_vec3 normal; ///< local, outwards, of any length > 0
    float offset;   ///< metres times the length of the normal
} vn_plane;

/// A region in which every metre of a path costs `factor` metres: rain, fog, an area under observation; below
/// 1, a preferred region. Where zones overlap, the largest factor applies. Of the fields after `flags`, only
/// those of the kind are read; all zero means a box.
typedef struct vn_zone {
    vn_box box;     ///< VN_ZONE_BOX: local
    float factor;   ///< 1e-6 to 1e6
    uint32_t flags; ///< 0: applies to all requests; otherwise to those with one of these bits in zone_flags
    vn_zone_kind kind;
    vn_vec3 center;         ///< VN_ZONE_SPHERE: local
    float radius;           ///< VN_ZONE_SPHERE: metres, >= 0
    const vn_plane* planes; ///< VN_ZONE_HULL
    uint32_t plane_count;   ///< 1 or more
} vn_zone;

/// A zone of a world: a shape in its own frame, and the transform of that frame.
typedef struct vn_zone_def {
    vn_shape shape;         ///< box, oriented box, sphere or hull
    vn_transform transform; ///< default: vn_transform_identity
    float factor;           ///< 1e-6 to 1e6; default 1
    uint32_t flags;         ///< as in vn_zone
    uint32_t cookie;
} vn_zone_def;

VN_API vn_zone_def vn_default_zone_def(void);

/// The id of a zone. index1 is 0 in the null id, otherwise the slot + 1.
typedef struct vn_zone_id {
    uint32_t index1;
    uint32_t generation;
} vn_zone_id;

/// Adds a zone; `*out` (may be null) receives its id. Zones affect neither the obstacles nor the hash and the
/// revision of the world. VN_BAD_DEF. VN_UNSUPPORTED: a mesh, voxel set, capsule or cylinder. VN_CAPACITY:
/// more than VN_MAX_ZONES zones or VN_MAX_ZONE_PLANES planes; a box needs up to 6, a hull one for each flat
/// face. VN_BAD_DATA: as in vn_world_add_moving; also a factor out of range, or a hull without volume. On
/// failure nothing has changed.
VN_NODISCARD vn_status vn_world_add_zone(vn_world* world, const vn_zone_def* def, vn_zone_id* out,
                                         vn_detail* detail);

/// Sets the transform of a zone. Allocates nothing. VN_STALE_ID; VN_BAD_DATA as in vn_world_move. On failure
/// nothing has changed.
VN_NODISCARD vn_status vn_world_move_zone(vn_world* world, vn_zone_id id, const vn_transform* transform,
                                          vn_detail* detail);

/// Removes a zone. VN_STALE_ID.
VN_API vn_status vn_world_remove_zone(vn_world* world, vn_zone_id id);
VN_API bool vn_world_has_zone(const vn_world* world, vn_zone_id id);

/// The transform set last. VN_STALE_ID.
VN_NODISCARD vn_status vn_world_get_zone_transform(const vn_world* world, vn_zone_id id, vn_transform* out);

/// Writes all zones at their current transforms, in slot order, in the form that requests take. Writes at
/// most `capacity` zones and sets `*count` to the total number; VN_CAPACITY: the total exceeds `capacity`.
/// Planes belong to the world and stay valid until their zone is moved or removed. They are float, like all
/// local values: at D metres from the origin, the face of a hull or rotated box is off by about D / 10^7
/// metres.
VN_NODISCARD vn_status vn_world_get_zones(const vn_world* world, vn_zone* out, uint32_t capacity,
                                          uint32_t* count);

/// Increases with every change of a zone: equal numbers mean that no zone changed in between.
VN_API uint64_t vn_world_zone_revision(const vn_world* world);

#endif
