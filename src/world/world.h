/// world/world.h: keeps the obstacles and zones that callers add, as validated records by slot, with a tree
/// to find them and a journal of what changed.
#ifndef VNI_WORLD_WORLD_H
#define VNI_WORLD_WORLD_H

#include "base/assert.h"
#include "base/idpool.h"
#include "geom/bvh.h"
#include "geom/hull.h"
#include "geom/tree.h"
#include "volnav/world.h"
#include "world/journal.h"
#include "world/zones.h"

/// A triangle mesh, as copied in.
typedef struct vni_mesh {
    vn_vec3* vertices;
    uint32_t* indices;
    vn_box* boxes; ///< one a triangle
    vni_bvh bvh;   ///< over `boxes`
    uint32_t vertex_count, triangle_count;
    bool solid; ///< also blocks the inside: the caller wants it *and* the mesh is fillable (vn_obstacle_info)
} vni_mesh;

/// 4x4x4 voxels: bit x + 4 y + 16 z of the brick at brick coordinates (bx, by, bz).
typedef struct vni_voxel_brick {
    uint64_t key; ///< Morton code of (bx, by, bz)
    uint64_t bits;
} vni_voxel_brick;

/// Bits of the voxels [low, high] of a brick, each 0 to 3. Per axis a run of ones, repeated across the other
/// two by a multiplication; the box is where the three patterns overlap.
static inline uint64_t vni_brick_span(int32_t low_x, int32_t high_x, int32_t low_y, int32_t high_y,
                                      int32_t low_z, int32_t high_z) {
    VNI_ASSERT(0 <= low_x && low_x <= high_x && high_x < 4 && 0 <= low_y && low_y <= high_y && high_y < 4);
    VNI_ASSERT(0 <= low_z && low_z <= high_z && high_z < 4);
    uint64_t x = (uint64_t)(0xfu >> (3 - high_x + low_x)) << low_x;
    uint64_t y = (uint64_t)(0xffffu >> (4 * (3 - high_y + low_y))) << (4 * low_y);
    uint64_t z = (~(uint64_t)0 >> (16 * (3 - high_z + low_z))) << (16 * low_z);
    return x * 0x1111111111111111u & y * 0x0001000100010001u & z;
}

/// A set of voxels: bricks sorted by key, no two with the same key, none empty. The set may be empty.
typedef struct vni_voxels {
    vni_voxel_brick* bricks;
    uint32_t brick_count;
    uint32_t edited_count;
    uint64_t brick_capacity; ///< of a static set
    uint64_t* edited;        ///< sensed: keys of bricks changed since the journal was read, with duplicates
    uint64_t edited_capacity;
    bool sensed; ///< its voxels may change (world/sense.h)
    vn_vec3 low;
    float size;
    vn_voxel dims;
} vni_voxels;

/// The rest of a moving obstacle; see world/moving.h.
typedef struct vni_motion vni_motion;

typedef struct vni_obstacle {
    bool alive;
    bool flat;          ///< see vni_obstacle_is_flat
    uint32_t leaf;      ///< in the world's tree
    vni_motion* motion; ///< null: it is static. Else this record is the shape under its current transform
    double bulge;       ///< hull: greatest distance of a vertex above the plane of a face, metres
    vn_obstacle_info info;
    union {
        vni_aabb box;
        vni_obb oriented;
        struct {
            vni_vec center;
            double radius;
        } sphere;
        vni_hull hull;
        vni_mesh mesh;
        vni_voxels voxels;
        vni_capsule capsule;
        vni_cylinder cylinder;
    } as; ///< by info.kind; local frame, metres
} vni_obstacle;

struct vn_world {
    vn_allocator allocator;
    vn_dvec3 origin;
    vni_idpool ids;
    vni_obstacle* obstacles; ///< one a slot of `ids`
    uint64_t capacity;
    vni_tree tree; ///< items are slots
    vni_journal journal;
    uint64_t revision;
    vni_zone_table zones;
};

// ------------------------------------------------------------------------------------- changes in two halves
// For an owner (nav) that promises a change before the world makes it. The first half finds every fault
// without touching the world. The second half can only run out of memory; then nothing changes, and it may be
// repeated.

/// Makes a complete record for vni_world_put, validated and measured. `allocator` is the world's; `transform`
/// is null for a static obstacle. Statuses as vn_world_add, vn_world_add_moving.
vn_status vni_record_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* transform,
                          uint32_t flags, vni_obstacle** out, vn_detail* detail);

/// Frees a record that was not put into a world. Null is allowed.
void vni_record_free(const vn_allocator* allocator, vni_obstacle* record);

/// Heap memory of a record that was not put into a world.
size_t vni_record_bytes(const vni_obstacle* record);

/// Puts a record into the world, which takes ownership. The id is the next one of the world's pool. False if
/// memory runs out: world, ids and record are unchanged.
bool vni_world_put(vn_world* world, vni_obstacle* record, vn_obstacle_id* out);

/// Would vn_world_move accept this transform? On VN_OK `*bounds` are the bounds after the move. Reads only
/// what never changes: any thread may call it while the obstacle is alive.
vn_status vni_motion_check(const vni_motion* motion, const vn_transform* transform, vn_box* bounds,
                           vn_detail* detail);

/// Kind and bounds of the shape before any transform. They never change.
const vn_obstacle_info* vni_motion_shape(const vni_motion* motion);

// ------------------------------------------------------------------------------------------------- records

/// Number of slots; some may be dead.
static inline uint32_t vni_world_slots(const vn_world* world) {
    return world->ids.slots;
}

/// Null if the slot is dead.
static inline const vni_obstacle* vni_world_obstacle(const vn_world* world, uint32_t slot) {
    return world->obstacles[slot].alive ? &world->obstacles[slot] : NULL;
}

static inline vn_obstacle_id vni_world_id(const vn_world* world, uint32_t slot) {
    vn_obstacle_id id = {slot + 1, world->ids.generations[slot]};
    return id;
}

/// vn_world_hash of a world with the static obstacles alone.
uint64_t vni_world_static_hash(const vn_world* world);

/// A volume without thickness (a box with equal faces, a sphere, capsule or cylinder of radius 0, a hull
/// thinner than 1e-5 of its largest extent) counts as a surface: touching it is a collision. False for
/// meshes, which are surfaces anyway, and for voxel sets. O(1).
bool vni_obstacle_is_flat(const vni_obstacle* obstacle);

/// A triangle of a mesh in double.
static inline vni_triangle vni_mesh_triangle(const vni_mesh* mesh, uint32_t triangle) {
    const uint32_t* i = mesh->indices + 3 * (size_t)triangle;
    vni_triangle t = {vni_v_from(mesh->vertices[i[0]]), vni_v_from(mesh->vertices[i[1]]),
                      vni_v_from(mesh->vertices[i[2]])};
    return t;
}

/// Visits the triangles of a mesh whose boxes touch `box`, in the order of its tree; stops when `visit`
/// returns false. No allocation.
static inline void vni_mesh_query(const vni_mesh* mesh, const vn_box* box, vni_bvh_visit* visit, void* user) {
    vni_bvh_query(&mesh->bvh, mesh->boxes, box, visit, user);
}

#endif
