/// world/zones.c: adds, moves and removes zones, and describes each as a box, a ball or a set of planes.
///
/// A zone is stored as a moving obstacle, so that transforms are checked and applied by the same code
/// (world/moving.c). Queries see planes: a point is inside if it lies behind all of them.
#include "world/zones.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include "world/moving.h"
#include <string.h>

#define ZONE_COOKIE 0x7a6f6e65u

#define BOX_PLANES 6

/// Sine of the angle below which a triangle's normal counts as one of the hull's directions. A plane too many
/// does no harm: each of them is pushed out until it touches the hull.
#define SAME_FACE 1e-6

vn_zone_def vn_default_zone_def(void) {
    vn_zone_def def;
    memset(&def, 0, sizeof def);
    def.transform = vn_transform_identity();
    def.factor = 1;
    def.cookie = ZONE_COOKIE;
    return def;
}

// ------------------------------------------------------------------------------------------------- planes

static vn_plane plane_through(vni_vec normal, vni_vec point) {
    const double length = vni_length(normal);
    VNI_ASSERT(length > 0);
    const vn_vec3 unit = {(float)(normal.x / length), (float)(normal.y / length), (float)(normal.z / length)};
    return (vn_plane){unit, (float)vni_dot(vni_v_from(unit), point)};
}

static void box_planes(const vni_obb* obb, vn_plane out[BOX_PLANES]) {
    for (uint32_t i = 0; i < BOX_PLANES; ++i) {
        const uint32_t axis = i / 2;
        const double side = i % 2 ? -1 : 1;
        const vni_vec arm = vni_scale(obb->axis[axis], side * obb->half[axis]);
        out[i] = plane_through(vni_scale(obb->axis[axis], side), vni_add(obb->center, arm));
    }
}

/// Does the hull have a triangle that faces `outward`? |normal x outward| is the sine of the angle, times
/// both lengths.
static bool has_face(const vni_hull* hull, vni_vec outward) {
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* t = hull->indices + 3 * (size_t)i;
        const vni_triangle triangle = {hull->vertices[t[0]], hull->vertices[t[1]], hull->vertices[t[2]]};
        const vni_vec normal = vni_triangle_area_vector(&triangle), across = vni_cross(normal, outward);
        if (vni_dot(normal, outward) > 0 &&
            vni_length2(across) <= SAME_FACE * SAME_FACE * vni_length2(normal) * vni_length2(outward))
            return true;
    }

    return false;
}

/// Finds the faces of a hull, coded as in vni_world_zone; `faces` may be null. Returns their number. A hull
/// keeps one normal for two opposite faces (geom/hull.h): each side is tested.
static uint32_t find_faces(const vni_hull* hull, uint32_t* faces) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * hull->normal_count; ++i) {
        const vni_vec normal = hull->normals[i / 2];
        if (!has_face(hull, i % 2 ? vni_scale(normal, -1) : normal))
            continue;
        if (faces != NULL)
            faces[count] = i;
        ++count;
    }

    return count;
}

static void hull_planes(const vni_hull* hull, const uint32_t* faces, uint32_t count, vn_plane* out) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t direction = faces[i] / 2;
        const bool lower = faces[i] % 2;
        const vni_vec normal = hull->normals[direction];
        const vni_vec support = hull->vertices[hull->supports[2 * (size_t)direction + !lower]];
        out[i] = plane_through(lower ? vni_scale(normal, -1) : normal, support);
    }
}

/// Writes `now` from the transformed shape.
static void describe(vni_world_zone* zone) {
    const vni_obstacle* shape = zone->shape;
    vn_zone* now = &zone->now;
    now->kind = VN_ZONE_HULL;
    now->planes = zone->planes;
    now->plane_count = zone->plane_capacity;

    switch (shape->info.kind) {
    case VN_SHAPE_BOX:
        now->kind = VN_ZONE_BOX;
        now->box = shape->info.bounds;
        now->planes = NULL;
        now->plane_count = 0;
        break;
    case VN_SHAPE_SPHERE: {
        const vni_vec center = shape->as.sphere.center;
        now->kind = VN_ZONE_SPHERE;
        now->center = (vn_vec3){(float)center.x, (float)center.y, (float)center.z};
        now->radius = (float)shape->as.sphere.radius;
        break;
    }
    case VN_SHAPE_ORIENTED: box_planes(&shape->as.oriented, zone->planes); break;
    case VN_SHAPE_HULL: hull_planes(&shape->as.hull, zone->faces, zone->plane_capacity, zone->planes); break;
    case VN_SHAPE_MESH:
    case VN_SHAPE_VOXELS:
    case VN_SHAPE_CAPSULE:
    case VN_SHAPE_CYLINDER: VNI_ASSERT(false);
    }
}

// ------------------------------------------------------------------------------------------------- making

void vni_zone_table_make(vni_zone_table* table, const vn_allocator* allocator) {
    memset(table, 0, sizeof *table);
    table->allocator = *allocator;
    table->ids = vni_idpool_make(allocator);
}

static void free_zone(vni_zone_table* table, vni_world_zone* zone) {
    const vn_allocator* allocator = &table->allocator;
    if (zone->shape != NULL && zone->shape->alive)
        vni_obstacle_free(allocator, zone->shape);

    VNI_DELETE(allocator, zone->shape);
    VNI_DELETE_ARRAY(allocator, zone->planes, zone->plane_capacity);
    VNI_DELETE_ARRAY(allocator, zone->faces, zone->plane_capacity);
    *zone = (vni_world_zone){0};
}

void vni_zone_table_free(vni_zone_table* table) {
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot)
        free_zone(table, &table->zones[slot]);
    vni_idpool_destroy(&table->ids);
}

size_t vni_zone_table_bytes(const vni_zone_table* table) {
    size_t bytes = vni_idpool_bytes(&table->ids);
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot) {
        const vni_world_zone* zone = &table->zones[slot];
        if (zone->shape != NULL)
            bytes += sizeof *zone->shape + vni_obstacle_bytes(zone->shape);
        bytes += zone->plane_capacity * sizeof *zone->planes;
        bytes += zone->faces != NULL ? zone->plane_capacity * sizeof *zone->faces : 0;
    }

    return bytes;
}

const vni_world_zone* vni_zone_at(const vni_zone_table* table, uint32_t slot) {
    return slot < VN_MAX_ZONES && table->zones[slot].shape != NULL ? &table->zones[slot] : NULL;
}

vn_box vni_zone_bounds(const vni_world_zone* zone) {
    VNI_ASSERT(zone->shape != NULL);
    return zone->shape->info.bounds;
}

vn_transform vni_zone_transform(const vni_world_zone* zone) {
    VNI_ASSERT(zone->shape != NULL && zone->shape->motion != NULL);
    return zone->shape->motion->transform;
}

static vn_status check_def(const vn_zone_def* def, vn_detail* detail) {
    if (def->cookie != ZONE_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the zone's def with vn_default_zone_def, then change what you mean");

    if (!(def->factor >= 1e-6f && def->factor <= 1e6f))
        return vni_fail(detail, VN_BAD_DATA, "the factor of the zone is %g; it must be from 1e-6 to 1e6",
                        (double)def->factor);

    const vn_shape_kind kind = def->shape.kind;
    if (kind == VN_SHAPE_MESH || kind == VN_SHAPE_VOXELS || kind == VN_SHAPE_CAPSULE ||
        kind == VN_SHAPE_CYLINDER)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a zone is a box, an oriented box, a sphere or a hull; cut it into such parts");

    return VN_OK;
}

static vn_status no_memory(vn_detail* detail) {
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more zone");
}

/// Allocates the planes that the zone needs under any transform: a box may become an oriented one.
static vn_status make_planes(vni_zone_table* table, vni_world_zone* zone, vn_detail* detail) {
    const vn_allocator* allocator = &table->allocator;
    const vni_obstacle* shape = &zone->shape->motion->shape;
    const bool is_hull = shape->info.kind == VN_SHAPE_HULL;
    uint32_t count = shape->info.kind == VN_SHAPE_SPHERE ? 0 : BOX_PLANES;
    if (is_hull && shape->flat)
        return vni_fail(detail, VN_BAD_DATA, "the hull of the zone has no inside: it is flat");

    if (is_hull) // every direction has a face or two: more directions than planes are too many in any case
        count = shape->as.hull.normal_count > VN_MAX_ZONE_PLANES ? shape->as.hull.normal_count
                                                                 : find_faces(&shape->as.hull, NULL);

    if (count > VN_MAX_ZONE_PLANES - table->plane_capacity)
        return vni_fail(detail, VN_CAPACITY,
                        "the zone has %u planes, and the others have %u of %d: take a simpler shape",
                        (unsigned)count, (unsigned)table->plane_capacity, VN_MAX_ZONE_PLANES);

    zone->plane_capacity = count;
    zone->planes = VNI_NEW_ARRAY(allocator, vn_plane, count);
    if (is_hull)
        zone->faces = VNI_NEW_ARRAY(allocator, uint32_t, count);

    if ((count > 0 && zone->planes == NULL) || (is_hull && zone->faces == NULL))
        return no_memory(detail);
    if (is_hull)
        find_faces(&shape->as.hull, zone->faces);

    return VN_OK;
}

static vn_status make_zone(vni_zone_table* table, const vn_zone_def* def, vni_world_zone* out,
                           vn_detail* detail) {
    *out = (vni_world_zone){.now = {.factor = def->factor, .flags = def->flags}};
    out->shape = VNI_NEW(&table->allocator, vni_obstacle);
    if (out->shape == NULL)
        return no_memory(detail);

    vn_status status = vni_moving_make(&table->allocator, &def->shape, &def->transform, out->shape, detail);
    if (status != VN_OK)
        out->shape->alive = false; // it holds nothing to free
    else
        status = make_planes(table, out, detail);

    if (status == VN_OK)
        describe(out);

    return status;
}

vn_status vn_world_add_zone(vn_world* world, const vn_zone_def* def, vn_zone_id* out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && def != NULL);

    vni_zone_table* table = &world->zones;
    vni_world_zone made;
    uint32_t slot, generation;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;
    if (table->ids.live == VN_MAX_ZONES)
        return vni_fail(detail, VN_CAPACITY, "the world has %d zones already: remove one", VN_MAX_ZONES);
    if (table->ids.free_count == 0 &&
        table->ids.slots == VN_MAX_ZONES) // slots whose generations are used up are lost
        return vni_fail(detail, VN_CAPACITY, "too many zones have come and gone in this world");

    status = make_zone(table, def, &made, detail);
    if (status == VN_OK && !vni_idpool_take(&table->ids, &slot, &generation))
        status = no_memory(detail);

    if (status != VN_OK) {
        free_zone(table, &made);
        return status;
    }

    VNI_ASSERT(slot < VN_MAX_ZONES);

    table->zones[slot] = made;
    table->plane_capacity += made.plane_capacity;
    ++table->revision;
    if (out != NULL)
        *out = (vn_zone_id){slot + 1, generation};

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ changing

bool vn_world_has_zone(const vn_world* world, vn_zone_id id) {
    VNI_ASSERT(world != NULL);
    return id.index1 != 0 && vni_idpool_has(&world->zones.ids, id.index1 - 1, id.generation);
}

vn_status vn_world_move_zone(vn_world* world, vn_zone_id id, const vn_transform* transform,
                             vn_detail* detail) {
    VNI_ASSERT(world != NULL && transform != NULL);

    if (!vn_world_has_zone(world, id))
        return vni_fail(detail, VN_STALE_ID, "there is no such zone any more");
    vni_world_zone* zone = &world->zones.zones[id.index1 - 1];
    if (memcmp(transform, &zone->shape->motion->transform, sizeof *transform) == 0)
        return VN_OK;

    vn_status status = vni_moving_set_transform(zone->shape, transform, detail);
    if (status != VN_OK)
        return status;

    describe(zone);
    ++world->zones.revision;
    return VN_OK;
}

vn_status vn_world_remove_zone(vn_world* world, vn_zone_id id) {
    VNI_ASSERT(world != NULL);

    if (!vn_world_has_zone(world, id))
        return VN_STALE_ID;
    vni_zone_table* table = &world->zones;
    vni_world_zone* zone = &table->zones[id.index1 - 1];
    table->plane_capacity -= zone->plane_capacity;
    free_zone(table, zone);
    vni_idpool_give(&table->ids, id.index1 - 1, id.generation);
    ++table->revision;

    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- reading

vn_status vn_world_get_zone_transform(const vn_world* world, vn_zone_id id, vn_transform* out) {
    VNI_ASSERT(out != NULL);
    if (!vn_world_has_zone(world, id))
        return VN_STALE_ID;
    *out = vni_zone_transform(&world->zones.zones[id.index1 - 1]);
    return VN_OK;
}

vn_status vn_world_get_zones(const vn_world* world, vn_zone* out, uint32_t capacity, uint32_t* count) {
    VNI_ASSERT(world != NULL && count != NULL && (out != NULL || capacity == 0));

    *count = 0;
    for (uint32_t slot = 0; slot < VN_MAX_ZONES; ++slot) {
        const vni_world_zone* zone = vni_zone_at(&world->zones, slot);
        if (zone == NULL)
            continue;
        if (*count < capacity)
            out[*count] = zone->now;
        ++*count;
    }

    return *count > capacity ? VN_CAPACITY : VN_OK;
}

uint64_t vn_world_zone_revision(const vn_world* world) {
    VNI_ASSERT(world != NULL);
    return world->zones.revision;
}
