/// tests/fuzz/api/shapes.c: shapes, zones and connections, sound or broken.
#include "shapes.h"
#include "tests/fuzz/api/api.h"
#include <string.h>

/// Bricks of 4^3 voxels in a box of a voxel set: few, or so many that the world refuses them.
#define MOST_BRICKS 4096
#define TOO_MANY    (UINT64_C(1) << 33)

// ----------------------------------------------------------------------------------------- convex and meshes

/// Spoils some of the corners and indices.
static void spoil(vnf_reader* in, vnf_shape_buffer* buffer, uint32_t vertices, uint32_t triangles) {
    if (!in->wild)
        return;

    for (uint32_t i = vnf_below(in, 4); i > 0; --i)
        buffer->vertices[vnf_below(in, vertices)] = vnf_vec(in);

    for (uint32_t i = vnf_below(in, 3); i > 0; --i)
        buffer->indices[vnf_below(in, 3 * triangles)] = vnf_count(in, vertices);
}

static vn_shape box_body(vnf_reader* in, vnf_shape_buffer* buffer) {
    const vn_box box = vnf_box(in);
    vn_shape shape = vnt_box_mesh(box.min, box.max, false, buffer->vertices);
    memcpy(buffer->indices, vnt_box_faces, sizeof vnt_box_faces);
    return shape;
}

static vn_shape round_body(vnf_reader* in, vnf_shape_buffer* buffer) {
    vn_vec3 half;
    const vn_vec3 center = vnf_vec(in);
    half.x = vnf_part(in, 5);
    half.y = vnf_part(in, 5);
    half.z = vnf_part(in, 5);
    vnt_octahedron(center, half, buffer->vertices);
    memcpy(buffer->indices, vnt_octahedron_faces, sizeof vnt_octahedron_faces);

    return vnt_triangles_shape(buffer->vertices, 6, buffer->indices, 8, false);
}

/// Triangles anywhere: open, crossing, without area.
static vn_shape soup(vnf_reader* in, vnf_shape_buffer* buffer) {
    const uint32_t vertices = 3 + vnf_below(in, 9), triangles = 1 + vnf_below(in, 8);
    for (uint32_t i = 0; i < vertices; ++i)
        buffer->vertices[i] = vnf_vec(in);
    for (uint32_t i = 0; i < 3 * triangles; ++i)
        buffer->indices[i] = vnf_below(in, vertices);
    return vnt_triangles_shape(buffer->vertices, vertices, buffer->indices, triangles, false);
}

static vn_shape mesh(vnf_reader* in, vnf_shape_buffer* buffer) {
    const uint32_t form = vnf_below(in, 3);
    vn_shape shape = form == 0 ? box_body(in, buffer) : form == 1 ? round_body(in, buffer) : soup(in, buffer);
    shape.as.mesh.indices = buffer->indices;
    shape.as.mesh.solid = vnf_coin(in);
    if (vnf_chance(in, 4)) // a hole
        shape.as.mesh.triangle_count -= shape.as.mesh.triangle_count > 1;

    spoil(in, buffer, shape.as.mesh.vertex_count, shape.as.mesh.triangle_count);
    if (in->wild && vnf_chance(in, 16))
        shape.as.mesh.triangle_count = 0;

    if (in->wild && vnf_chance(in, 16))
        shape.as.mesh.vertex_count = 0;

    return shape;
}

static vn_shape hull(vnf_reader* in, vnf_shape_buffer* buffer) {
    const uint32_t form = vnf_below(in, 8);
    const vn_shape body = form < 4   ? box_body(in, buffer)
                          : form < 7 ? round_body(in, buffer)
                                     : soup(in, buffer);
    spoil(in, buffer, body.as.mesh.vertex_count, body.as.mesh.triangle_count);
    vn_shape shape = vnt_hull_of(buffer->vertices, body.as.mesh.vertex_count, buffer->indices,
                                 body.as.mesh.triangle_count);

    if (in->wild && vnf_chance(in, 16))
        shape.as.hull.triangle_count = 0;

    return shape;
}

// ------------------------------------------------------------------------------------------------ voxel sets

static uint64_t bricks_along(int32_t low, int32_t high) {
    return high <= low ? 0 : (uint64_t)((int64_t)high - low) / 4 + 1;
}

/// A box that is neither quick nor refused is made empty.
static vn_voxel_box quick_box(vn_voxel_box box) {
    uint64_t bricks = bricks_along(box.low.x, box.high.x) * bricks_along(box.low.y, box.high.y);
    const uint64_t along_z = bricks_along(box.low.z, box.high.z);
    bricks = bricks > 0 && along_z > UINT64_MAX / bricks ? UINT64_MAX : bricks * along_z;
    if (bricks > MOST_BRICKS && bricks < TOO_MANY)
        box.high = box.low;
    return box;
}

static vn_shape voxels(vnf_reader* in, vnf_shape_buffer* buffer) {
    static const float sizes[] = {1, 1, 1, 0.5f, 2, 0.3f};
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    vn_voxel dims;
    dims.x = vnf_int(in, 1, 12);
    dims.y = vnf_int(in, 1, 12);
    dims.z = vnf_int(in, 1, 12);
    shape.as.voxels.dims = dims;
    shape.as.voxels.sensed = vnf_coin(in);

    shape.as.voxels.size = vnf_chance(in, 8) ? vnf_part(in, 3) : sizes[vnf_below(in, 6)];
    if (vnf_coin(in))
        shape.as.voxels.low = vnf_vec(in);

    const vn_voxel small = {dims.x < 1 || dims.x > 64 ? 4 : dims.x, dims.y < 1 || dims.y > 64 ? 4 : dims.y,
                            dims.z < 1 || dims.z > 64 ? 4 : dims.z};
    shape.as.voxels.voxels = buffer->voxels;
    shape.as.voxels.voxel_count = vnf_below(in, 17);
    for (uint32_t i = 0; i < shape.as.voxels.voxel_count; ++i) {
        buffer->voxels[i].x = vnf_int(in, 0, small.x - 1);
        buffer->voxels[i].y = vnf_int(in, 0, small.y - 1);
        buffer->voxels[i].z = vnf_int(in, 0, small.z - 1);
    }

    shape.as.voxels.boxes = buffer->boxes;
    shape.as.voxels.box_count = vnf_below(in, 5);
    for (uint32_t i = 0; i < shape.as.voxels.box_count; ++i) {
        vn_voxel_box box = {{0, 0, 0}, small};
        box.low.x = vnf_int(in, 0, small.x - 1);
        box.low.y = vnf_int(in, 0, small.y - 1);
        box.low.z = vnf_int(in, 0, small.z - 1);
        box.high.x = vnf_int(in, 0, small.x);
        box.high.y = vnf_int(in, 0, small.y);
        box.high.z = vnf_int(in, 0, small.z);
        buffer->boxes[i] = quick_box(box);
    }

    return shape;
}

// ---------------------------------------------------------------------------------------------- all of them

static vn_shape oriented(vnf_reader* in) {
    const vn_vec3 center = vnf_vec(in);
    vn_vec3 half;
    half.x = vnf_part(in, 4);
    half.y = vnf_part(in, 4);
    half.z = vnf_part(in, 4);
    return vnt_oriented_shape(center, half, vnf_rotation(in));
}

/// A capsule or a cylinder; along an axis, in any direction or, broken, without a length.
static vn_shape rod(vnf_reader* in) {
    const vn_vec3 a = vnf_vec(in);
    vn_vec3 b = vnf_chance(in, 16) ? a : vnf_vec(in);
    if (vnf_chance(in, 4))
        b = vnt_vec(a.x, a.y, b.z);
    const bool capsule = vnf_coin(in);
    const float radius = vnf_part(in, 4);
    return capsule ? vnt_capsule_shape(a, b, radius) : vnt_cylinder_shape(a, b, radius);
}

/// Across everything, or up to some height, so that regions part and doors are narrow.
static vn_shape wall(vnf_reader* in) {
    float low[3] = {-4, -4, -4}, high[3] = {160, 160, 160};
    const uint32_t axis = vnf_below(in, 3), other = (axis + 1) % 3;
    low[axis] = vnf_metres(in);
    high[axis] = low[axis] + vnf_part(in, 2);
    switch (vnf_below(in, 4)) {
    case 0: high[other] = vnf_metres(in); break;
    case 1: low[other] = vnf_metres(in); break;
    default: break;
    }
    return vnt_box_shape(vnt_vec(low[0], low[1], low[2]), vnt_vec(high[0], high[1], high[2]));
}

vn_shape vnf_shape(vnf_reader* in, vnf_shape_buffer* buffer) {
    vn_shape none = {0};
    memset(buffer, 0, sizeof *buffer);
    switch (vnf_below(in, 32)) {
    case 31: none.kind = (vn_shape_kind)(in->wild ? vnf_bits(in, 1) : VN_SHAPE_SPHERE); return none;
    case 27:
    case 28:
    case 29:
    case 30: return wall(in);
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return mesh(in, buffer);
    case 5:
    case 6:
    case 7:
    case 8: return hull(in, buffer);
    case 9:
    case 10:
    case 11:
    case 12:
    case 13: return voxels(in, buffer);
    case 14:
    case 15:
    case 16:
    case 17: return oriented(in);
    case 18:
    case 19:
    case 20:
    case 21: {
        const vn_vec3 center = vnf_vec(in);
        return vnt_sphere_shape(center, vnf_part(in, 5));
    }
    case 22:
    case 23: return rod(in);
    default: {
        const vn_box box = vnf_box(in);
        return vnt_box_shape(box.min, box.max);
    }
    }
}

vn_zone_def vnf_zone_def(vnf_reader* in, vnf_shape_buffer* buffer) {
    vn_zone_def def = vn_default_zone_def();
    def.shape = vnf_shape(in, buffer);
    if (vnf_coin(in))
        def.transform = vnf_place(in);

    def.factor = vnf_chance(in, 4) ? vnf_part(in, 1) : 1 + vnf_part(in, 9);
    def.flags = vnf_below(in, 4);
    if (in->wild && vnf_chance(in, 32))
        def.cookie ^= 1;

    return def;
}

vn_zone vnf_zone(vnf_reader* in, vn_plane planes[4]) {
    vn_zone zone = {.factor = 1 + vnf_part(in, 9), .flags = vnf_below(in, 4)};
    zone.kind = (vn_zone_kind)vnf_count(in, VN_ZONE_KIND_COUNT);
    zone.box = vnf_box(in);
    zone.center = vnf_vec(in);
    zone.radius = vnf_part(in, 6);

    zone.planes = planes;
    zone.plane_count = vnf_below(in, 5);
    for (uint32_t i = 0; i < zone.plane_count; ++i) {
        planes[i].normal = vnf_vec(in);
        planes[i].offset = vnf_metres(in);
    }

    return zone;
}

vn_connection vnf_connection(vnf_reader* in) {
    vn_connection connection;
    memset(&connection, 0, sizeof connection);
    connection.from = vnf_vec(in);
    connection.to = vnf_vec(in);
    connection.cost = vnf_coin(in) ? vnf_part(in, 20) : vnf_part(in, 1);
    connection.bidirectional = vnf_coin(in);
    connection.id = vnf_byte(in);

    return connection;
}

// -------------------------------------------------------------------------------------------------- ids

vnf_thing* vnf_thing_of(vnf_reader* in, vnf_thing* things, vnf_thing* other) {
    const uint32_t first = vnf_below(in, VNF_THINGS), kind = vnf_below(in, 16);
    for (uint32_t i = 0; i < VNF_THINGS && kind < 12; ++i)
        if (things[(first + i) % VNF_THINGS].alive)
            return &things[(first + i) % VNF_THINGS];

    if (kind < 14)
        return &things[first];

    *other = (vnf_thing){{things[first].id.index1, things[first].id.generation ^ 0x40000000u}, false, false};
    if (kind == 14)
        other->id.index1 = (uint32_t)vnf_bits(in, 4) | 0x10000u; // no slot so high is ever used here

    return other;
}

vnf_zone_thing* vnf_zone_of(vnf_reader* in, vnf_zone_thing* zones, vnf_zone_thing* other) {
    const uint32_t first = vnf_below(in, VNF_ZONES), kind = vnf_below(in, 16);
    for (uint32_t i = 0; i < VNF_ZONES && kind < 12; ++i)
        if (zones[(first + i) % VNF_ZONES].alive)
            return &zones[(first + i) % VNF_ZONES];

    if (kind < 14)
        return &zones[first];

    *other = (vnf_zone_thing){{(uint32_t)vnf_bits(in, 4) | 0x10000u, (uint32_t)vnf_bits(in, 1)}, false};
    return other;
}
