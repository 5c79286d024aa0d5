/// world/hash.c: hashes everything that a bake depends on into one number.
///
/// Hashes values, not memory: each number by its bits, in the order of the slots, with -0 as 0. So the result
/// depends neither on padding nor on byte order, nor on the history of additions and removals.
#include "base/hash.h"
#include "base/assert.h"
#include "world/world.h"
#include <string.h>

static uint64_t add_word(uint64_t hash, uint64_t word) {
    return vni_hash_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
}

static uint64_t add_real(uint64_t hash, double value) {
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return add_word(hash, bits);
}

static uint64_t add_vec(uint64_t hash, vni_vec v) {
    return add_real(add_real(add_real(hash, v.x), v.y), v.z);
}

static uint64_t add_voxel(uint64_t hash, vn_voxel v) {
    return add_word(add_word(hash, (uint64_t)(uint32_t)v.x << 32 | (uint32_t)v.y), (uint32_t)v.z);
}

static uint64_t add_indices(uint64_t hash, const uint32_t* indices, uint32_t triangles) {
    hash = add_word(hash, triangles);
    for (size_t i = 0; i < 3 * (size_t)triangles; i += 3) {
        hash = add_word(hash, (uint64_t)indices[i] << 32 | indices[i + 1]);
        hash = add_word(hash, indices[i + 2]);
    }
    return hash;
}

static uint64_t add_oriented(uint64_t hash, const vni_obb* obb) {
    hash = add_vec(hash, obb->center);
    for (int i = 0; i < 3; ++i)
        hash = add_real(add_vec(hash, obb->axis[i]), obb->half[i]);
    return hash;
}

static uint64_t add_hull(uint64_t hash, const vni_hull* hull) {
    hash = add_word(hash, hull->vertex_count);
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        hash = add_vec(hash, hull->vertices[i]);
    return add_indices(hash, hull->indices, hull->triangle_count);
}

static uint64_t add_mesh(uint64_t hash, const vni_mesh* mesh) {
    hash = add_word(hash, (uint64_t)mesh->vertex_count << 1 | mesh->solid);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
        hash = add_vec(hash, vni_v_from(mesh->vertices[i]));
    return add_indices(hash, mesh->indices, mesh->triangle_count);
}

static uint64_t add_capsule(uint64_t hash, const vni_capsule* capsule) {
    return add_real(add_vec(add_vec(hash, capsule->a), capsule->b), capsule->radius);
}

static uint64_t add_cylinder(uint64_t hash, const vni_cylinder* cylinder) {
    hash = add_vec(add_vec(hash, cylinder->center), cylinder->axis);
    return add_real(add_real(hash, cylinder->half), cylinder->radius);
}

static uint64_t add_voxels(uint64_t hash, const vni_voxels* set) {
    hash = add_vec(hash, vni_v_from(set->low));
    hash = add_voxel(add_real(hash, (double)set->size), set->dims);
    hash = add_word(hash, set->brick_count);
    for (uint32_t i = 0; i < set->brick_count; ++i)
        hash = add_word(add_word(hash, set->bricks[i].key), set->bricks[i].bits);
    return hash;
}

static uint64_t add_obstacle(uint64_t hash, const vni_obstacle* obstacle) {
    VNI_ASSERT(obstacle->alive);
    hash = add_word(hash, (uint64_t)obstacle->info.kind << 32 | obstacle->info.flags);
    switch (obstacle->info.kind) {
    case VN_SHAPE_BOX: return add_vec(add_vec(hash, obstacle->as.box.min), obstacle->as.box.max);
    case VN_SHAPE_ORIENTED: return add_oriented(hash, &obstacle->as.oriented);
    case VN_SHAPE_SPHERE:
        return add_real(add_vec(hash, obstacle->as.sphere.center), obstacle->as.sphere.radius);
    case VN_SHAPE_HULL: return add_hull(hash, &obstacle->as.hull);
    case VN_SHAPE_MESH: return add_mesh(hash, &obstacle->as.mesh);
    case VN_SHAPE_CAPSULE: return add_capsule(hash, &obstacle->as.capsule);
    case VN_SHAPE_CYLINDER: return add_cylinder(hash, &obstacle->as.cylinder);
    case VN_SHAPE_VOXELS: break;
    }
    return add_voxels(hash, &obstacle->as.voxels);
}

static uint64_t hash_world(const vn_world* world, bool with_moving) {
    uint64_t hash = add_vec(0, vni_v(world->origin.x, world->origin.y, world->origin.z));
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || (obstacle->motion != NULL && !with_moving))
            continue;
        hash = add_obstacle(hash, obstacle);
        ++count;
    }

    return add_word(hash, count);
}

uint64_t vn_world_hash(const vn_world* world) {
    VNI_ASSERT(world != NULL);
    return hash_world(world, true);
}

uint64_t vni_world_static_hash(const vn_world* world) {
    VNI_ASSERT(world != NULL);
    return hash_world(world, false);
}
